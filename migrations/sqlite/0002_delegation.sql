-- Subagents, what they wait for, and the budget of a tree of runs.
--
-- A subagent's id is that of its run, so that either is found by the other's key.

CREATE TABLE netaclaw_subagent_session (
    id INTEGER PRIMARY KEY,
    tenant_id INTEGER NOT NULL,
    session_id TEXT NOT NULL,
    parent_message_id INTEGER NOT NULL,
    parent_run_id INTEGER NOT NULL,
    parent_tool_call_id TEXT NOT NULL,
    parent_agent_id INTEGER NOT NULL,
    run_id INTEGER NOT NULL CHECK (run_id = id),
    source_type TEXT NOT NULL CHECK (source_type IN ('preset', 'clone')),
    preset_agent_id INTEGER,
    name TEXT NOT NULL,
    goal TEXT NOT NULL,
    context TEXT,
    status TEXT NOT NULL CHECK (status IN ('queued', 'running', 'completed', 'failed', 'timed_out', 'cancelled')),
    exit_reason TEXT,
    model TEXT NOT NULL,
    tool_names TEXT NOT NULL CHECK (json_valid(tool_names)),
    summary TEXT,
    result_payload TEXT CHECK (json_valid(result_payload)),
    error TEXT,
    token_usage TEXT CHECK (json_valid(token_usage)),
    sort_order INTEGER NOT NULL,
    -- Of the first of a batch: the end of the whole batch was told.
    batch_ended INTEGER NOT NULL DEFAULT 0 CHECK (batch_ended IN (0, 1)),
    started_at TEXT,
    ended_at TEXT,
    create_time TEXT NOT NULL,
    update_time TEXT NOT NULL
) STRICT;
CREATE INDEX netaclaw_subagent_message ON netaclaw_subagent_session (session_id, parent_message_id, sort_order);
CREATE INDEX netaclaw_subagent_status ON netaclaw_subagent_session (session_id, status);
CREATE INDEX netaclaw_subagent_agent ON netaclaw_subagent_session (parent_agent_id, create_time);
-- Nothing is delegated twice.
CREATE UNIQUE INDEX netaclaw_subagent_call
    ON netaclaw_subagent_session (parent_run_id, parent_tool_call_id, sort_order);

-- Questions that a run waits for, besides its subagents.
ALTER TABLE netaclaw_run ADD COLUMN open_pauses INTEGER NOT NULL DEFAULT 0;
-- Since when it waits for nothing but a person, and how long it did before: its wall time stands still.
ALTER TABLE netaclaw_run ADD COLUMN paused_at TEXT;
ALTER TABLE netaclaw_run ADD COLUMN paused_ms INTEGER NOT NULL DEFAULT 0;

-- A waiting run's `due_at` is when its wall time ends.
DROP INDEX netaclaw_run_queued;
CREATE INDEX netaclaw_run_due ON netaclaw_run (due_at, id) WHERE status IN ('queued', 'waiting');

-- A CHECK cannot be changed: the table is made anew with more kinds of steps.
CREATE TABLE netaclaw_run_step_new (
    run_id INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('model', 'tool_started', 'delegated', 'asked', 'tool_result', 'note')),
    payload TEXT NOT NULL CHECK (json_valid(payload)),
    create_time TEXT NOT NULL,
    PRIMARY KEY (run_id, seq)
) STRICT;
INSERT INTO netaclaw_run_step_new SELECT run_id, seq, kind, payload, create_time FROM netaclaw_run_step;
DROP TABLE netaclaw_run_step;
ALTER TABLE netaclaw_run_step_new RENAME TO netaclaw_run_step;

CREATE INDEX netaclaw_pause_inbox ON netaclaw_pause (tenant_id, id) WHERE status = 'open';
CREATE INDEX netaclaw_pause_deadline ON netaclaw_pause (deadline) WHERE status = 'open';

ALTER TABLE netaclaw_agent ADD COLUMN budget_tokens INTEGER;
ALTER TABLE netaclaw_agent ADD COLUMN budget_cost REAL;

-- What the tree of a root may use; only trees with a budget have a row.
CREATE TABLE netaclaw_budget (
    root_run_id INTEGER PRIMARY KEY,
    tenant_id INTEGER NOT NULL,
    max_tokens INTEGER,
    max_cost REAL,
    -- What a raise adds.
    step_tokens INTEGER,
    step_cost REAL,
    -- Somebody decided: finish with what there is.
    finishing INTEGER NOT NULL CHECK (finishing IN (0, 1)),
    -- Questions asked so far: names the next one.
    asked INTEGER NOT NULL
) STRICT;

-- What calls under way may use, one a run; counts until the call's usage is stored.
CREATE TABLE netaclaw_reservation (
    run_id INTEGER PRIMARY KEY,
    root_run_id INTEGER NOT NULL,
    step_seq INTEGER NOT NULL,
    tokens INTEGER NOT NULL,
    cost REAL NOT NULL
) STRICT;
CREATE INDEX netaclaw_reservation_root ON netaclaw_reservation (root_run_id);
