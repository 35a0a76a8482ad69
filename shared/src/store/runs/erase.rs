//! Removing runs with all that hangs on them.

use crate::domain::ids::RunId;
use crate::store::db::{Arg, Sql, Tx, query};
use crate::store::error::Result;

/// Removes these runs, their steps and pauses. What they used stays, without a way back to them.
///
/// The runs go first: that waits for a worker in the middle of a write, and whatever it writes later
/// finds no run. Only then is it sure that no step is added any more.
pub(in crate::store) async fn erase(tx: &mut Tx, runs: &[RunId]) -> Result<()> {
    const RUNS: Sql = Sql {
        sqlite: "DELETE FROM netaclaw_run WHERE id IN (SELECT value FROM json_each($1))",
        postgres: "DELETE FROM netaclaw_run WHERE id = ANY($1)",
    };
    const STEPS: Sql = Sql {
        sqlite: "DELETE FROM netaclaw_run_step WHERE run_id IN (SELECT value FROM json_each($1))",
        postgres: "DELETE FROM netaclaw_run_step WHERE run_id = ANY($1)",
    };
    const USAGE: Sql = Sql {
        sqlite: "UPDATE netaclaw_usage SET session_id = NULL, run_id = NULL, message_id = NULL \
                 WHERE run_id IN (SELECT value FROM json_each($1))",
        postgres: "UPDATE netaclaw_usage SET session_id = NULL, run_id = NULL, message_id = NULL \
                   WHERE run_id = ANY($1)",
    };
    for statement in [RUNS, STEPS, USAGE] {
        let ids = Arg::Ids(runs.iter().map(|id| id.0).collect());
        query(statement).bind(ids).execute(&mut *tx).await?;
    }
    Ok(())
}
