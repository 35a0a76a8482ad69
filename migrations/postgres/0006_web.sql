-- Sessions are listed by when they were last used. The indexes take the place of those by when they began:
-- accepting a turn locks as many as before, see 0001.
DROP INDEX netaclaw_session_list;
DROP INDEX netaclaw_session_owner;
CREATE INDEX netaclaw_session_list ON netaclaw_session (tenant_id, update_time, id);
CREATE INDEX netaclaw_session_owner ON netaclaw_session (tenant_id, owner, update_time, id);

-- Pinned sessions: few, and in a table of their own, so that they are found without an index of the one
-- that every turn writes.
CREATE TABLE netaclaw_session_pin (
    session_id text PRIMARY KEY REFERENCES netaclaw_session (id) ON DELETE CASCADE,
    tenant_id bigint NOT NULL,
    create_time timestamptz NOT NULL
);
CREATE INDEX netaclaw_session_pin_tenant ON netaclaw_session_pin (tenant_id);
