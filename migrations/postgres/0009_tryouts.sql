-- Sessions that try an agent before it is saved: few, and found by their session's id alone.
CREATE TABLE netaclaw_tryout (
    session_id text PRIMARY KEY REFERENCES netaclaw_session (id) ON DELETE CASCADE,
    tenant_id bigint NOT NULL,
    -- The stored agent that is being changed; null: a new one.
    agent_id bigint,
    spec json NOT NULL
);
