-- Models, agents, sessions, messages, runs and their journals, pauses, usage, workers.
--
-- Times are text of one length (2026-01-31T23:59:59.999Z), so that they sort as times; they are
-- always bound, never defaulted.

CREATE TABLE netaclaw_model (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    tenant_id INTEGER NOT NULL,
    name TEXT NOT NULL,
    provider TEXT NOT NULL CHECK (provider IN ('openai', 'anthropic', 'demo')),
    model_name TEXT NOT NULL,
    base_url TEXT,
    api_key_sealed TEXT,
    context_window INTEGER,
    max_output_tokens INTEGER,
    max_concurrency INTEGER,
    rpm INTEGER,
    tpm INTEGER,
    input_price REAL,
    output_price REAL,
    create_time TEXT NOT NULL,
    update_time TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX netaclaw_model_name ON netaclaw_model (tenant_id, name);

CREATE TABLE netaclaw_agent (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    tenant_id INTEGER NOT NULL,
    name TEXT NOT NULL,
    description TEXT NOT NULL,
    system_prompt TEXT NOT NULL,
    model_id INTEGER NOT NULL REFERENCES netaclaw_model (id),
    tools TEXT CHECK (json_valid(tools)),
    subagent_config TEXT NOT NULL CHECK (json_valid(subagent_config)),
    max_tool_rounds INTEGER,
    max_wall_seconds INTEGER,
    temperature REAL,
    is_crew_master INTEGER NOT NULL CHECK (is_crew_master IN (0, 1)),
    version INTEGER NOT NULL,
    create_time TEXT NOT NULL,
    update_time TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX netaclaw_agent_name ON netaclaw_agent (tenant_id, name);
CREATE INDEX netaclaw_agent_model ON netaclaw_agent (model_id);

CREATE TABLE netaclaw_session (
    id TEXT NOT NULL PRIMARY KEY,
    tenant_id INTEGER NOT NULL,
    agent_id INTEGER REFERENCES netaclaw_agent (id) ON DELETE SET NULL,
    kind TEXT NOT NULL CHECK (kind IN ('chat', 'crew_master', 'crew_task')),
    title TEXT NOT NULL,
    create_time TEXT NOT NULL,
    update_time TEXT NOT NULL
) STRICT;
CREATE INDEX netaclaw_session_list ON netaclaw_session (tenant_id, create_time, id);

CREATE TABLE netaclaw_message (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    tenant_id INTEGER NOT NULL,
    session_id TEXT NOT NULL,
    role TEXT NOT NULL CHECK (role IN ('user', 'assistant')),
    status TEXT NOT NULL CHECK (status IN ('pending', 'completed', 'failed', 'cancelled')),
    content TEXT NOT NULL,
    thinking TEXT NOT NULL,
    metadata TEXT NOT NULL CHECK (json_valid(metadata)),
    run_id INTEGER,
    input_tokens INTEGER,
    output_tokens INTEGER,
    cost REAL,
    error TEXT CHECK (json_valid(error)),
    tool_call_count INTEGER NOT NULL,
    client_message_id TEXT,
    create_time TEXT NOT NULL,
    update_time TEXT NOT NULL
) STRICT;
CREATE INDEX netaclaw_message_session ON netaclaw_message (session_id, id);
CREATE UNIQUE INDEX netaclaw_message_client ON netaclaw_message (tenant_id, client_message_id)
    WHERE client_message_id IS NOT NULL;

CREATE TABLE netaclaw_run (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    tenant_id INTEGER NOT NULL,
    session_id TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('chat', 'subagent', 'crew_master', 'crew_task')),
    parent_run_id INTEGER,
    root_run_id INTEGER NOT NULL,
    agent_id INTEGER NOT NULL,
    user_message_id INTEGER NOT NULL,
    assistant_message_id INTEGER NOT NULL,
    status TEXT NOT NULL CHECK (status IN (
        'queued', 'held', 'running', 'waiting', 'paused', 'completed', 'failed', 'cancelled')),
    reason TEXT,
    snapshot TEXT CHECK (json_valid(snapshot)),
    cancel_reason TEXT,
    attempts INTEGER NOT NULL,
    step_count INTEGER NOT NULL,
    lease_owner TEXT,
    lease_epoch INTEGER NOT NULL,
    lease_expires_at TEXT,
    due_at TEXT NOT NULL,
    traceparent TEXT,
    -- A later run of the session was rung and found this one live: who ends it rings the next.
    has_successor INTEGER NOT NULL CHECK (has_successor IN (0, 1)),
    create_time TEXT NOT NULL,
    started_at TEXT,
    ended_at TEXT
) STRICT;
CREATE INDEX netaclaw_run_live ON netaclaw_run (session_id, id)
    WHERE status IN ('queued', 'held', 'running', 'waiting', 'paused');
CREATE INDEX netaclaw_run_queued ON netaclaw_run (due_at, id) WHERE status = 'queued';
CREATE INDEX netaclaw_run_running ON netaclaw_run (id) WHERE status = 'running';

CREATE TABLE netaclaw_run_step (
    run_id INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('model', 'tool_started', 'tool_result', 'note')),
    payload TEXT NOT NULL CHECK (json_valid(payload)),
    create_time TEXT NOT NULL,
    PRIMARY KEY (run_id, seq)
) STRICT;

CREATE TABLE netaclaw_pause (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    tenant_id INTEGER NOT NULL,
    session_id TEXT NOT NULL REFERENCES netaclaw_session (id) ON DELETE CASCADE,
    run_id INTEGER NOT NULL REFERENCES netaclaw_run (id) ON DELETE CASCADE,
    tool_call_id TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('clarify', 'escalate', 'approval', 'budget')),
    question TEXT NOT NULL,
    options TEXT CHECK (json_valid(options)),
    status TEXT NOT NULL CHECK (status IN ('open', 'answered', 'expired', 'cancelled')),
    answer TEXT,
    deadline TEXT,
    create_time TEXT NOT NULL,
    update_time TEXT NOT NULL
) STRICT;
CREATE INDEX netaclaw_pause_session ON netaclaw_pause (session_id);
CREATE UNIQUE INDEX netaclaw_pause_call ON netaclaw_pause (run_id, tool_call_id);

-- A row a finished model call. Outlives session, run and message: then their ids are NULL, so that
-- a bill can still be explained but nothing leads back to what was deleted.
CREATE TABLE netaclaw_usage (
    tenant_id INTEGER NOT NULL,
    session_id TEXT,
    run_id INTEGER,
    message_id INTEGER,
    agent_id INTEGER NOT NULL,
    model_id INTEGER NOT NULL,
    step_seq INTEGER NOT NULL,
    input_tokens INTEGER NOT NULL,
    output_tokens INTEGER NOT NULL,
    cost REAL,
    duration_ms INTEGER NOT NULL,
    create_time TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX netaclaw_usage_call ON netaclaw_usage (run_id, step_seq);
CREATE INDEX netaclaw_usage_time ON netaclaw_usage (tenant_id, create_time);

CREATE TABLE netaclaw_worker (
    id TEXT NOT NULL PRIMARY KEY,
    host TEXT NOT NULL,
    version TEXT NOT NULL,
    slots INTEGER NOT NULL,
    running INTEGER NOT NULL,
    draining INTEGER NOT NULL CHECK (draining IN (0, 1)),
    started_at TEXT NOT NULL,
    seen_at TEXT NOT NULL
) STRICT;

-- One row: when a worker last swept. Taken by a conditional update, so that one sweeps for all.
CREATE TABLE netaclaw_sweep (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    swept_at TEXT NOT NULL
) STRICT;
INSERT INTO netaclaw_sweep (id, swept_at) VALUES (1, '1970-01-01T00:00:00.000Z');
