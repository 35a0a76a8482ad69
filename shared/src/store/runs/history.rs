//! What the model is told of the conversation so far.

use crate::domain::history::PastTurn;
use crate::domain::ids::{MessageId, RunId, SessionId};
use crate::domain::journal::Step;
use crate::domain::messages::{Message, Role};
use crate::store::db::{Arg, Db, Sql, query};
use crate::store::error::Result;
use crate::store::messages::{message, message_columns};
use std::collections::HashMap;

/// The conversation up to a user's message.
#[derive(Debug, Clone, PartialEq)]
pub struct History {
    /// Earlier turns, oldest first.
    pub past: Vec<PastTurn>,
    /// The message that is to be answered.
    pub current: Message,
}

macro_rules! messages_sql {
    ($steps:literal) => {
        concat!(
            "SELECT ",
            message_columns!(metadata if "id = $2"),
            ", tool_call_count, ",
            $steps,
            " AS steps FROM netaclaw_message WHERE session_id = $1 AND id <= $2 ORDER BY id DESC LIMIT $3"
        )
    };
}

/// The newest `limit` messages of the session up to and including the user's message, as turns; None
/// if the session has no such message: it was deleted. Of earlier turns without what they did besides. In
/// Postgres one statement; in SQLite a second one for the journals of turns that called tools.
pub async fn history(
    db: &Db,
    session_id: SessionId,
    current: MessageId,
    limit: u32,
) -> Result<Option<History>> {
    const MESSAGES: Sql = Sql {
        sqlite: messages_sql!("NULL"),
        postgres: messages_sql!(
            "(SELECT json_agg(s.payload ORDER BY s.seq) FROM netaclaw_run_step s \
             WHERE netaclaw_message.tool_call_count > 0 AND s.run_id = netaclaw_message.run_id)"
        ),
    };
    let read = query(MESSAGES).bind(session_id).bind(current).bind(i64::from(limit));
    let rows = read.all(db).await?;
    let mut messages = Vec::with_capacity(rows.len());
    let (mut with_tools, mut steps) = (Vec::new(), HashMap::new());
    for row in rows.iter().rev() {
        let message = message(row)?;
        if let Some(run_id) = message.run_id
            && row.get::<i64>("tool_call_count")? > 0
        {
            match row.json_or_null::<Vec<Step>>("steps")? {
                Some(found) => drop(steps.insert(run_id, found)),
                None => with_tools.push(run_id.0),
            }
        }
        messages.push(message);
    }
    let Some(current) = messages.pop_if(|m| m.id == current && m.role == Role::User) else {
        return Ok(None);
    };
    if !with_tools.is_empty() && matches!(db, Db::Sqlite(_)) {
        steps = steps_of(db, with_tools).await?;
    }

    let mut past = Vec::with_capacity(messages.len() / 2);
    let mut user = None;
    for message in messages {
        match (message.role, user.take()) {
            (Role::User, _) => user = Some(message),
            (Role::Assistant, Some(user)) => {
                let steps = message.run_id.and_then(|id| steps.remove(&id)).unwrap_or_default();
                past.push(PastTurn { user, assistant: message, steps });
            }
            // Its user's message is beyond the limit.
            (Role::Assistant, None) => {}
        }
    }
    Ok(Some(History { past, current }))
}

async fn steps_of(db: &Db, runs: Vec<i64>) -> Result<HashMap<RunId, Vec<Step>>> {
    const STEPS: &str = "SELECT run_id, payload FROM netaclaw_run_step \
                         WHERE run_id IN (SELECT value FROM json_each($1)) ORDER BY run_id, seq";
    let mut steps: HashMap<RunId, Vec<Step>> = HashMap::new();
    for row in query(STEPS).bind(Arg::Ids(runs)).all(db).await? {
        steps.entry(row.id("run_id", RunId)?).or_default().push(row.json("payload")?);
    }
    Ok(steps)
}
