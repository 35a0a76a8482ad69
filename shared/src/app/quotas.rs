//! Quotas: set and taken away, and asked before a turn that one applies to.
//!
//! Turns are counted exactly, in the transaction that accepts them. Tokens and money are those of model
//! calls that have ended, so they are passed by what is under way: a quota lets no further turn begin, and
//! cuts none.

use super::{App, AppError};
use crate::domain::access::{Account, Sender};
use crate::domain::audit::{By, Entry};
use crate::domain::quotas::{self, DayLimits, DayUse, Exceeded, Quota, Subject};
use crate::store::usage::{self, Spent};
use crate::store::{StoreError, audit, quotas as store};
use chrono::{DateTime, TimeDelta, Utc};
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// A call is stored so long after its time at the latest, by far: what is older than this does not change
/// any more.
const SETTLED_AFTER: TimeDelta = TimeDelta::minutes(2);

/// What was used of a day by those who have a quota of tokens or money, up to a time since when nothing is
/// added before it: only what came later is summed for the next turn.
#[derive(Debug, Default)]
pub struct DayUses(Mutex<HashMap<Subject, Settled>>);

#[derive(Debug, Clone, Copy)]
struct Settled {
    until: DateTime<Utc>,
    spent: Spent,
}

impl DayUses {
    /// From when on is to be summed, and what was used of the day before.
    fn begin(&self, of: Subject, now: DateTime<Utc>) -> Settled {
        let day = quotas::day_began(now);
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner).get(&of).copied();
        known
            .filter(|s| s.until >= day && s.until <= now)
            .unwrap_or(Settled { until: day, spent: Spent::default() })
    }

    /// Keeps it, unless somebody knows more; forgets the days before.
    fn keep(&self, of: Subject, settled: Settled, now: DateTime<Utc>) {
        let day = quotas::day_began(now);
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.retain(|_, s| s.until >= day);
        if settled.until >= day && known.get(&of).is_none_or(|s| s.until < settled.until) {
            known.insert(of, settled);
        }
    }

    /// Tokens and money of the day.
    async fn of(&self, app: &App, of: Subject, now: DateTime<Utc>) -> Result<Spent, StoreError> {
        let known = self.begin(of, now);
        let until = (now - SETTLED_AFTER).max(known.until);
        let (old, all) = usage::of_subject(&app.db, of, known.until, until, quotas::day_ends(now)).await?;
        let add = |spent: Spent| Spent {
            tokens: known.spent.tokens + spent.tokens,
            cost: known.spent.cost + spent.cost,
        };
        self.keep(of, Settled { until, spent: add(old) }, now);
        Ok(add(all))
    }
}

/// What somebody used of the day that a quota limits.
pub async fn day_use(app: &App, quota: &Quota) -> Result<DayUse, AppError> {
    let spent = app.day_uses.of(app, quota.subject, app.clock.now()).await?;
    Ok(DayUse { turns: quota.turns, tokens: spent.tokens, cost: spent.cost })
}

/// The quotas that apply to an account, each with its use of the day.
pub async fn of_account(app: &App, sender: &Sender) -> Result<Vec<(Quota, DayUse)>, AppError> {
    let found = store::of_account(&app.db, sender.tenant_id, sender.account, app.clock.now()).await?;
    let mut used = Vec::with_capacity(found.len());
    for quota in found {
        let of = day_use(app, &quota).await?;
        used.push((quota, of));
    }
    Ok(used)
}

/// What an account used of the day, quota or not: the key's, or else the user's; None: it is nobody's.
pub async fn own_use(app: &App, sender: &Sender) -> Result<Option<Spent>, AppError> {
    let Some(own) =
        Subject::of(sender.tenant_id, sender.account).pop().filter(|_| sender.account != Account::default())
    else {
        return Ok(None);
    };
    Ok(Some(app.day_uses.of(app, own, app.clock.now()).await?))
}

/// Refuses a turn where tokens or money of the day are used up. Its turns are counted when it is accepted.
pub(super) async fn check(app: &App, sender: &Sender) -> Result<(), AppError> {
    let now = app.clock.now();
    for quota in store::of_account(&app.db, sender.tenant_id, sender.account, now).await? {
        let limits = quota.limits;
        // Without the turns: whether one more fits is decided where it is counted.
        let mut used = DayUse { turns: 0, ..DayUse::default() };
        if limits.counts_calls() {
            let spent = app.day_uses.of(app, quota.subject, now).await?;
            used = DayUse { tokens: spent.tokens, cost: spent.cost, ..used };
        }
        if let Some(what) = limits.exhausted(&used) {
            return Err(AppError::QuotaExceeded(Exceeded::new(quota.subject, what, now)));
        }
    }
    Ok(())
}

/// Sets somebody's quota.
pub async fn put(app: &App, by: By, of: Subject, limits: &DayLimits) -> Result<Quota, AppError> {
    let now = app.clock.now();
    let mut tx = app.db.begin().await?;
    let before = store::find(&mut tx, of, now).await?;
    let quota = store::put(&mut tx, of, limits, now).await.map_err(|error| match error {
        StoreError::Reference => AppError::NotFound(of.kind.as_str()),
        other => other.into(),
    })?;
    let mut line = line(by, "quota.set", of).after(limits);
    if let Some(before) = before {
        line = line.before(&before.limits);
    }
    audit::record(&mut tx, &line, now).await?;
    tx.commit().await?;
    Ok(quota)
}

/// Takes somebody's quota away.
pub async fn delete(app: &App, by: By, of: Subject) -> Result<(), AppError> {
    let now = app.clock.now();
    let mut tx = app.db.begin().await?;
    let Some(quota) = store::delete(&mut tx, of, now).await? else {
        tx.rollback().await?;
        return Err(AppError::NotFound("quota"));
    };
    audit::record(&mut tx, &line(by, "quota.delete", of).before(&quota.limits), now).await?;
    tx.commit().await?;
    Ok(())
}

fn line(by: By, action: &'static str, of: Subject) -> Entry {
    Entry::new(of.tenant_id, by, action, &format!("{}/{}", of.kind.as_str(), of.id))
}
