//! Removing runs with all that hangs on them.

use crate::domain::ids::{MessageId, RunId, SubagentId};
use crate::store::db::{Arg, Sql, Tx, query};
use crate::store::error::Result;

/// Removes these runs and their subagents', with steps, pauses and budgets; returns the subagents, each
/// with its message. What they used stays, without a way back to them.
///
/// The runs are locked first, from the top down: that waits for a worker in the middle of a write, and
/// whatever it writes later finds no run. Only then is it sure that no subagent and no step is added any
/// more.
pub(in crate::store) async fn erase(tx: &mut Tx, runs: &[RunId]) -> Result<Vec<(MessageId, SubagentId)>> {
    let mut ids: Vec<i64> = runs.iter().map(|id| id.0).collect();
    query(LOCK).bind(Arg::Ids(ids.clone())).all(&mut *tx).await?;
    let mut subagents = Vec::new();
    for row in query(CHILDREN).bind(Arg::Ids(ids.clone())).all(&mut *tx).await? {
        subagents.push((row.id("parent_message_id", MessageId)?, row.id("id", SubagentId)?));
    }
    if !subagents.is_empty() {
        let children: Vec<i64> = subagents.iter().map(|(_, id)| id.0).collect();
        query(LOCK).bind(Arg::Ids(children.clone())).all(&mut *tx).await?;
        ids.extend(&children);
        query(SUBAGENTS).bind(Arg::Ids(children)).execute(&mut *tx).await?;
    }
    // While the runs are there: they know on whose account the calls went.
    for statement in [USAGE, RUNS, STEPS, BUDGETS, RESERVATIONS] {
        query(statement).bind(Arg::Ids(ids.clone())).execute(&mut *tx).await?;
    }
    Ok(subagents)
}

/// A statement about the rows whose column is among `$1`.
macro_rules! among {
    ($what:literal, $order:literal, $lock:literal) => {
        Sql {
            sqlite: concat!($what, " IN (SELECT value FROM json_each($1))", $order),
            postgres: concat!($what, " = ANY($1)", $order, $lock),
        }
    };
    ($what:literal) => {
        among!($what, "", "")
    };
}

const LOCK: Sql = among!("SELECT id FROM netaclaw_run WHERE id", " ORDER BY id", " FOR UPDATE");
const CHILDREN: Sql = among!(
    "SELECT id, parent_message_id FROM netaclaw_subagent_session WHERE parent_run_id",
    " ORDER BY id",
    ""
);
const SUBAGENTS: Sql = among!("DELETE FROM netaclaw_subagent_session WHERE id");
const RUNS: Sql = among!("DELETE FROM netaclaw_run WHERE id");
const STEPS: Sql = among!("DELETE FROM netaclaw_run_step WHERE run_id");
const BUDGETS: Sql = among!("DELETE FROM netaclaw_budget WHERE root_run_id");
const RESERVATIONS: Sql = among!("DELETE FROM netaclaw_reservation WHERE run_id");
const USAGE: Sql = among!(
    "UPDATE netaclaw_usage SET session_id = NULL, run_id = NULL, message_id = NULL, \
     user_id = (SELECT root.user_id FROM netaclaw_run r JOIN netaclaw_run root ON root.id = r.root_run_id \
     WHERE r.id = netaclaw_usage.run_id), \
     api_key_id = (SELECT root.api_key_id FROM netaclaw_run r JOIN netaclaw_run root ON root.id = r.root_run_id \
     WHERE r.id = netaclaw_usage.run_id) WHERE run_id"
);
