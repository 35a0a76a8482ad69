-- Subagents, what they wait for, and the budget of a tree of runs.
--
-- A subagent's id is that of its run, so that either is found by the other's key. Like the other
-- tables that every turn may write, this one has no CHECKs and no references, see 0001.

CREATE TABLE netaclaw_subagent_session (
    id bigint PRIMARY KEY,
    tenant_id bigint NOT NULL,
    session_id text NOT NULL,
    parent_message_id bigint NOT NULL,
    parent_run_id bigint NOT NULL,
    parent_tool_call_id text NOT NULL,
    parent_agent_id bigint NOT NULL,
    run_id bigint NOT NULL,
    source_type text NOT NULL,
    preset_agent_id bigint,
    name text NOT NULL,
    goal text NOT NULL,
    context text,
    status text NOT NULL,
    exit_reason text,
    model text NOT NULL,
    tool_names json NOT NULL,
    summary text,
    result_payload json,
    error text,
    token_usage json,
    sort_order bigint NOT NULL,
    -- Of the first of a batch: the end of the whole batch was told.
    batch_ended boolean NOT NULL DEFAULT FALSE,
    started_at timestamptz,
    ended_at timestamptz,
    create_time timestamptz NOT NULL,
    update_time timestamptz NOT NULL
) WITH (fillfactor = 70);
CREATE INDEX netaclaw_subagent_message ON netaclaw_subagent_session (session_id, parent_message_id, sort_order);
CREATE INDEX netaclaw_subagent_status ON netaclaw_subagent_session (session_id, status);
CREATE INDEX netaclaw_subagent_agent ON netaclaw_subagent_session (parent_agent_id, create_time);
-- Nothing is delegated twice.
CREATE UNIQUE INDEX netaclaw_subagent_call
    ON netaclaw_subagent_session (parent_run_id, parent_tool_call_id, sort_order);

-- Questions that a run waits for, besides its subagents.
ALTER TABLE netaclaw_run ADD COLUMN open_pauses bigint NOT NULL DEFAULT 0;
-- Since when it waits for nothing but a person, and how long it did before: its wall time stands still.
ALTER TABLE netaclaw_run ADD COLUMN paused_at timestamptz;
ALTER TABLE netaclaw_run ADD COLUMN paused_ms bigint NOT NULL DEFAULT 0;

-- A waiting run's `due_at` is when its wall time ends.
DROP INDEX netaclaw_run_queued;
CREATE INDEX netaclaw_run_due ON netaclaw_run (due_at, id) WHERE status IN ('queued', 'waiting');

CREATE INDEX netaclaw_pause_inbox ON netaclaw_pause (tenant_id, id) WHERE status = 'open';
CREATE INDEX netaclaw_pause_deadline ON netaclaw_pause (deadline) WHERE status = 'open';

ALTER TABLE netaclaw_agent ADD COLUMN budget_tokens bigint;
ALTER TABLE netaclaw_agent ADD COLUMN budget_cost double precision;

-- What the tree of a root may use; only trees with a budget have a row.
CREATE TABLE netaclaw_budget (
    root_run_id bigint PRIMARY KEY,
    tenant_id bigint NOT NULL,
    max_tokens bigint,
    max_cost double precision,
    -- What a raise adds.
    step_tokens bigint,
    step_cost double precision,
    -- Somebody decided: finish with what there is.
    finishing boolean NOT NULL,
    -- Questions asked so far: names the next one.
    asked bigint NOT NULL
);

-- What calls under way may use, one a run; counts until the call's usage is stored.
CREATE TABLE netaclaw_reservation (
    run_id bigint PRIMARY KEY,
    root_run_id bigint NOT NULL,
    step_seq bigint NOT NULL,
    tokens bigint NOT NULL,
    cost double precision NOT NULL
);
CREATE INDEX netaclaw_reservation_root ON netaclaw_reservation (root_run_id);
