-- How an agent is shown, and whether it is for everybody who sees it.
ALTER TABLE netaclaw_agent ADD COLUMN icon text NOT NULL DEFAULT '';
ALTER TABLE netaclaw_agent ADD COLUMN published boolean NOT NULL DEFAULT TRUE;
ALTER TABLE netaclaw_agent ADD COLUMN starters json NOT NULL DEFAULT '[]';
-- When a run of it last began, to the minute.
ALTER TABLE netaclaw_agent ADD COLUMN last_run_time timestamptz;
