-- Tenants, users, roles, logins, API keys, shares, quotas, and the audit.
--
-- Names of permissions, scopes and kinds are checked where they are read into enums.

CREATE TABLE netaclaw_tenant (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL,
    disabled INTEGER NOT NULL CHECK (disabled IN (0, 1)),
    create_time TEXT NOT NULL,
    update_time TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX netaclaw_tenant_name ON netaclaw_tenant (name);
INSERT INTO netaclaw_tenant (id, name, disabled, create_time, update_time)
    VALUES (1, 'main', 0, '1970-01-01T00:00:00.000Z', '1970-01-01T00:00:00.000Z');

CREATE TABLE netaclaw_role (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    tenant_id INTEGER NOT NULL REFERENCES netaclaw_tenant (id),
    name TEXT NOT NULL,
    description TEXT NOT NULL,
    -- Made with the tenant; never changed.
    built_in INTEGER NOT NULL CHECK (built_in IN (0, 1)),
    -- Grants: names as agent:view, agent:* and *.
    permissions TEXT NOT NULL CHECK (json_valid(permissions)),
    create_time TEXT NOT NULL,
    update_time TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX netaclaw_role_name ON netaclaw_role (tenant_id, name);
-- Every other tenant gets copies of these.
INSERT INTO netaclaw_role (tenant_id, name, description, built_in, permissions, create_time, update_time) VALUES
    (1, 'admin', 'Everything in the tenant', 1, '["*"]', '1970-01-01T00:00:00.000Z', '1970-01-01T00:00:00.000Z'),
    (1, 'editor', 'Makes agents, models and crews, and sees all conversations', 1, '["agent:*", "model:*", "crew:*", "session:*", "key:own"]', '1970-01-01T00:00:00.000Z', '1970-01-01T00:00:00.000Z'),
    (1, 'member', 'Talks to agents, and sees the own conversations', 1, '["agent:use", "session:view", "session:chat", "session:edit", "crew:view", "crew:trigger", "key:own"]', '1970-01-01T00:00:00.000Z', '1970-01-01T00:00:00.000Z'),
    (1, 'viewer', 'Sees agents and the own conversations, and changes nothing', 1, '["agent:use", "agent:view", "model:view", "session:view", "crew:view"]', '1970-01-01T00:00:00.000Z', '1970-01-01T00:00:00.000Z');

CREATE TABLE netaclaw_user (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    tenant_id INTEGER NOT NULL REFERENCES netaclaw_tenant (id),
    -- Lower case: what a person logs in with.
    name TEXT NOT NULL,
    display_name TEXT NOT NULL,
    -- argon2 in the PHC form; NULL: cannot log in with a password.
    password_hash TEXT,
    disabled INTEGER NOT NULL CHECK (disabled IN (0, 1)),
    last_login_at TEXT,
    create_time TEXT NOT NULL,
    update_time TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX netaclaw_user_name ON netaclaw_user (tenant_id, name);

CREATE TABLE netaclaw_user_role (
    user_id INTEGER NOT NULL REFERENCES netaclaw_user (id) ON DELETE CASCADE,
    role_id INTEGER NOT NULL REFERENCES netaclaw_role (id),
    PRIMARY KEY (user_id, role_id)
) STRICT;
CREATE INDEX netaclaw_user_role_role ON netaclaw_user_role (role_id);

-- A browser that is logged in. Its cookie's value is kept only as a hash.
CREATE TABLE netaclaw_login_session (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    token_hash TEXT NOT NULL,
    tenant_id INTEGER NOT NULL,
    user_id INTEGER NOT NULL REFERENCES netaclaw_user (id) ON DELETE CASCADE,
    address TEXT NOT NULL,
    user_agent TEXT NOT NULL,
    create_time TEXT NOT NULL,
    seen_at TEXT NOT NULL,
    expires_at TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX netaclaw_login_session_token ON netaclaw_login_session (token_hash);
CREATE INDEX netaclaw_login_session_user ON netaclaw_login_session (user_id, id);

-- Failed logins by account and by address; a success removes the account's.
CREATE TABLE netaclaw_login_failure (
    subject TEXT NOT NULL PRIMARY KEY,
    failures INTEGER NOT NULL,
    locked_until TEXT,
    update_time TEXT NOT NULL
) STRICT;
CREATE INDEX netaclaw_login_failure_time ON netaclaw_login_failure (update_time);

-- One row: how the first administrator is made. The token is kept only as a hash.
CREATE TABLE netaclaw_setup (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    token_hash TEXT NOT NULL,
    done_at TEXT,
    create_time TEXT NOT NULL
) STRICT;

CREATE TABLE netaclaw_api_key (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    tenant_id INTEGER NOT NULL REFERENCES netaclaw_tenant (id),
    -- In whose name it acts; NULL: in its own.
    user_id INTEGER REFERENCES netaclaw_user (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    scopes TEXT NOT NULL CHECK (json_valid(scopes)),
    rate_per_minute INTEGER,
    expires_at TEXT,
    revoked_at TEXT,
    last_used_at TEXT,
    create_time TEXT NOT NULL,
    update_time TEXT NOT NULL
) STRICT;
CREATE INDEX netaclaw_api_key_tenant ON netaclaw_api_key (tenant_id, id);
CREATE INDEX netaclaw_api_key_user ON netaclaw_api_key (user_id, id);

-- Its secret, or for the time of a rotation its two. Kept only as hashes.
CREATE TABLE netaclaw_api_key_secret (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    key_id INTEGER NOT NULL REFERENCES netaclaw_api_key (id) ON DELETE CASCADE,
    prefix TEXT NOT NULL,
    hash TEXT NOT NULL,
    expires_at TEXT,
    create_time TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX netaclaw_api_key_secret_prefix ON netaclaw_api_key_secret (prefix);
CREATE INDEX netaclaw_api_key_secret_key ON netaclaw_api_key_secret (key_id, id);

-- Who besides its owner sees an object that its tenant at large does not.
CREATE TABLE netaclaw_share (
    object_kind TEXT NOT NULL,
    object_id INTEGER NOT NULL,
    subject_kind TEXT NOT NULL,
    subject_id INTEGER NOT NULL,
    PRIMARY KEY (object_kind, object_id, subject_kind, subject_id)
) STRICT;
CREATE INDEX netaclaw_share_subject ON netaclaw_share (subject_kind, subject_id);

ALTER TABLE netaclaw_agent ADD COLUMN owner_user_id INTEGER;
ALTER TABLE netaclaw_agent ADD COLUMN visibility TEXT NOT NULL DEFAULT 'tenant';
DROP INDEX netaclaw_agent_model;

-- Who began it: u and the user's id, or k and the key's; NULL: the operator.
ALTER TABLE netaclaw_session ADD COLUMN owner TEXT;
CREATE INDEX netaclaw_session_owner ON netaclaw_session (tenant_id, owner, create_time, id);

-- On whose account a turn goes. Subagents go on their root's.
ALTER TABLE netaclaw_run ADD COLUMN user_id INTEGER;
ALTER TABLE netaclaw_run ADD COLUMN api_key_id INTEGER;
-- The same, once the run was deleted.
ALTER TABLE netaclaw_usage ADD COLUMN user_id INTEGER;
ALTER TABLE netaclaw_usage ADD COLUMN api_key_id INTEGER;

-- What a tenant, user or key may use a day (UTC).
CREATE TABLE netaclaw_quota (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    tenant_id INTEGER NOT NULL REFERENCES netaclaw_tenant (id),
    subject_kind TEXT NOT NULL,
    subject_id INTEGER NOT NULL,
    max_turns INTEGER,
    max_tokens INTEGER,
    max_cost REAL,
    -- Turns that were accepted on this day.
    day TEXT NOT NULL,
    turns INTEGER NOT NULL,
    create_time TEXT NOT NULL,
    update_time TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX netaclaw_quota_subject ON netaclaw_quota (tenant_id, subject_kind, subject_id);

-- Who did what. Rows are only added.
CREATE TABLE netaclaw_audit (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    tenant_id INTEGER NOT NULL,
    actor_kind TEXT NOT NULL,
    actor_id INTEGER,
    actor_name TEXT NOT NULL,
    action TEXT NOT NULL,
    object_kind TEXT NOT NULL,
    object_id TEXT NOT NULL,
    address TEXT,
    before TEXT CHECK (json_valid(before)),
    after TEXT CHECK (json_valid(after)),
    create_time TEXT NOT NULL
) STRICT;
CREATE INDEX netaclaw_audit_tenant ON netaclaw_audit (tenant_id, id);
CREATE INDEX netaclaw_audit_object ON netaclaw_audit (tenant_id, object_kind, object_id, id);
CREATE INDEX netaclaw_audit_actor ON netaclaw_audit (tenant_id, actor_kind, actor_id, id);
