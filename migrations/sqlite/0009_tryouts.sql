-- Sessions that try an agent before it is saved: few, and found by their session's id alone.
CREATE TABLE netaclaw_tryout (
    session_id TEXT NOT NULL PRIMARY KEY REFERENCES netaclaw_session (id) ON DELETE CASCADE,
    tenant_id INTEGER NOT NULL,
    -- The stored agent that is being changed; null: a new one.
    agent_id INTEGER,
    spec TEXT NOT NULL CHECK (json_valid(spec))
) STRICT;
