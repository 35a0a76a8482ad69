-- How an agent is shown, and whether it is for everybody who sees it.
ALTER TABLE netaclaw_agent ADD COLUMN icon TEXT NOT NULL DEFAULT '';
ALTER TABLE netaclaw_agent ADD COLUMN published INTEGER NOT NULL DEFAULT 1 CHECK (published IN (0, 1));
ALTER TABLE netaclaw_agent ADD COLUMN starters TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(starters));
-- When a run of it last began, to the minute.
ALTER TABLE netaclaw_agent ADD COLUMN last_run_time TEXT;
