-- Whether a model's address may lead into private networks. All models so far were stored by operators.
ALTER TABLE netaclaw_model ADD COLUMN trusted_host INTEGER NOT NULL DEFAULT 1 CHECK (trusted_host IN (0, 1));
