use super::fixture::*;
use crate::domain::access::{Account, Sender};
use crate::domain::ids::{AgentId, ApiKeyId, QuotaId, SessionId, TenantId, UserId};
use crate::domain::quotas::{DayLimits, Exhausted, Quota, Subject, SubjectKind};
use crate::domain::runs::Policy;
use crate::on_both;
use crate::store::db::query;
use crate::store::turns::{AcceptOutcome, NewTurn};
use crate::store::usage::{self, By, Spent};
use crate::store::{Db, StoreError, quotas, runs, sessions, turns};
use chrono::{DateTime, TimeDelta, Utc};

fn at(text: &str) -> DateTime<Utc> {
    text.parse().unwrap()
}

fn of(kind: SubjectKind, id: i64) -> Subject {
    Subject { tenant_id: TENANT, kind, id }
}

fn turns_a_day(max: u64) -> DayLimits {
    DayLimits { max_turns: Some(max), ..DayLimits::default() }
}

/// Two tenants; ann and bob with a key of ann's in the first, eve in the other.
async fn people(db: &Db) {
    for (id, name) in [(OTHER, "other")] {
        query("INSERT INTO netaclaw_tenant (id, name, disabled, create_time, update_time) VALUES ($1, $2, FALSE, $3, $3)")
            .bind(id)
            .bind(name)
            .bind(now())
            .execute(db)
            .await
            .unwrap();
    }
    for (id, tenant, name) in [(7, TENANT, "ann"), (8, TENANT, "bob"), (9, OTHER, "eve")] {
        query(
            "INSERT INTO netaclaw_user (id, tenant_id, name, display_name, disabled, create_time, update_time) \
             VALUES ($1, $2, $3, $3, FALSE, $4, $4)",
        )
        .bind(id)
        .bind(tenant)
        .bind(name)
        .bind(now())
        .execute(db)
        .await
        .unwrap();
    }
    query(
        "INSERT INTO netaclaw_api_key (id, tenant_id, user_id, name, scopes, create_time, update_time) \
         VALUES (5, $1, 7, 'ci', '[]', $2, $2)",
    )
    .bind(TENANT)
    .bind(now())
    .execute(db)
    .await
    .unwrap();
}

async fn set(db: &Db, subject: Subject, limits: DayLimits, now: DateTime<Utc>) -> Result<Quota, StoreError> {
    let mut tx = db.begin().await.unwrap();
    let quota = quotas::put(&mut tx, subject, &limits, now).await?;
    tx.commit().await.unwrap();
    Ok(quota)
}

fn on(user: Option<i64>, key: Option<i64>, now: DateTime<Utc>) -> NewTurn {
    let account = Account { user_id: user.map(UserId), api_key_id: key.map(ApiKeyId) };
    let sender = Sender { account, ..Sender::of_tenant(TENANT) };
    NewTurn { sender, now, ..turn(SessionId::generate(), "x") }
}

/// What became of a turn: `limited` first, then counted.
async fn send(db: &Db, turn: &NewTurn) -> AcceptOutcome {
    match turns::accept(db, turn).await.unwrap() {
        AcceptOutcome::Limited => turns::accept_counted(db, turn).await.unwrap(),
        other => other,
    }
}

async fn is_accepted(db: &Db, turn: &NewTurn) -> bool {
    match send(db, turn).await {
        AcceptOutcome::Accepted(_) => true,
        AcceptOutcome::OverQuota(_) => false,
        other => panic!("{other:?}"),
    }
}

async fn counted(db: &Db, subject: Subject, now: DateTime<Utc>) -> u64 {
    quotas::find(db, subject, now).await.unwrap().unwrap().turns
}

on_both!(a_quota_is_set_once_for_each_and_taken_away, |db| async {
    let db: &Db = db;
    people(db).await;
    let day = at("2026-11-30T10:00:00Z");
    let full =
        DayLimits { max_turns: Some(3), max_tokens: Some(u64::from(u32::MAX) * 9), max_cost: Some(0.5) };
    let ann = of(SubjectKind::User, 7);
    let first = set(db, ann, full, day).await.unwrap();
    assert_eq!((first.subject, first.limits, first.turns), (ann, full, 0));
    let again = set(db, ann, turns_a_day(9), day).await.unwrap();
    assert_eq!((again.id, again.limits), (first.id, turns_a_day(9)), "the same one");
    assert_eq!(quotas::find(db, ann, day).await.unwrap(), Some(again.clone()));

    set(db, Subject::tenant(OTHER), turns_a_day(1), day).await.unwrap();
    set(db, of(SubjectKind::Key, 5), turns_a_day(2), day).await.unwrap();
    let subjects = async |all: bool, after: Option<QuotaId>, limit: u32| {
        let found = quotas::list(db, TENANT, all, after, limit, day).await.unwrap();
        found.into_iter().map(|q| (q.subject.kind, q.subject.id)).collect::<Vec<_>>()
    };
    let own = [(SubjectKind::User, 7), (SubjectKind::Key, 5)];
    assert_eq!(subjects(false, None, 9).await, own);
    assert_eq!(subjects(true, None, 9).await, [own[0], (SubjectKind::Tenant, OTHER.0), own[1]]);
    assert_eq!(subjects(false, Some(first.id), 9).await, own[1..]);
    assert_eq!(subjects(false, None, 1).await, own[..1]);

    let mut tx = db.begin().await.unwrap();
    let foreign = Subject { tenant_id: OTHER, ..ann };
    assert_eq!(quotas::delete(&mut tx, foreign, day).await.unwrap(), None);
    assert_eq!(quotas::delete(&mut tx, ann, day).await.unwrap(), Some(again));
    assert_eq!(quotas::delete(&mut tx, ann, day).await.unwrap(), None);
});

on_both!(only_those_of_the_tenant_have_quotas, |db| async {
    let db: &Db = db;
    people(db).await;
    let strangers = [
        of(SubjectKind::User, 9),
        of(SubjectKind::User, 99),
        of(SubjectKind::Key, 99),
        Subject { tenant_id: OTHER, kind: SubjectKind::Key, id: 5 },
        Subject::tenant(TenantId(99)),
        Subject { tenant_id: TENANT, kind: SubjectKind::Tenant, id: OTHER.0 },
    ];
    for subject in strangers {
        assert_eq!(set(db, subject, turns_a_day(1), now()).await, Err(StoreError::Reference), "{subject:?}");
    }
});

on_both!(turns_count_for_all_whose_account_they_go_on, |db| async {
    let db: &Db = db;
    people(db).await;
    agent(db, TENANT).await;
    let day = at("2026-11-30T10:00:00Z");
    let (tenant, ann, key) = (Subject::tenant(TENANT), of(SubjectKind::User, 7), of(SubjectKind::Key, 5));
    set(db, tenant, turns_a_day(4), day).await.unwrap();
    set(db, ann, turns_a_day(2), day).await.unwrap();
    set(db, key, turns_a_day(1), day).await.unwrap();
    assert!(is_accepted(db, &on(Some(7), Some(5), day)).await);
    let refused = send(db, &on(Some(7), Some(5), day)).await;
    let AcceptOutcome::OverQuota(exceeded) = refused else { panic!("{refused:?}") };
    assert_eq!(
        (exceeded.subject, exceeded.what, exceeded.until),
        (key, Exhausted::Turns, at("2026-12-01T00:00:00Z"))
    );
    assert!(is_accepted(db, &on(Some(7), None, day)).await);
    assert!(!is_accepted(db, &on(Some(7), None, day)).await, "ann's two are used");
    assert!(is_accepted(db, &on(Some(8), None, day)).await && is_accepted(db, &on(None, None, day)).await);
    assert!(!is_accepted(db, &on(Some(8), None, day)).await, "the tenant's four are used");
    // What was refused by one is counted by none.
    let used = (counted(db, tenant, day).await, counted(db, ann, day).await, counted(db, key, day).await);
    assert_eq!(used, (4, 2, 1));
    assert_eq!(count(db, "netaclaw_run").await, 4);

    let tomorrow = at("2026-12-01T00:00:00Z");
    assert_eq!(counted(db, ann, tomorrow).await, 0);
    assert!(is_accepted(db, &on(Some(7), Some(5), tomorrow)).await);
    assert_eq!(counted(db, key, tomorrow).await, 1);
});

on_both!(where_no_quota_applies_none_is_asked_for, |db| async {
    let db: &Db = db;
    people(db).await;
    agent(db, TENANT).await;
    agent(db, OTHER).await;
    set(db, of(SubjectKind::User, 7), turns_a_day(0), now()).await.unwrap();
    for policy in [Policy::Enqueue, Policy::Reject] {
        let free = NewTurn { policy, ..on(Some(8), None, now()) };
        assert!(matches!(turns::accept(db, &free).await.unwrap(), AcceptOutcome::Accepted(_)));
        let limited = NewTurn { policy, ..on(Some(7), None, now()) };
        assert_eq!(turns::accept(db, &limited).await.unwrap(), AcceptOutcome::Limited);
        assert!(!is_accepted(db, &limited).await);
        let elsewhere = NewTurn { policy, sender: Sender::of_tenant(OTHER), ..on(None, None, now()) };
        assert!(matches!(turns::accept(db, &elsewhere).await.unwrap(), AcceptOutcome::Accepted(_)));
    }
    let nobody = NewTurn { agent: turns::AgentRef::Id(AgentId(99)), ..on(Some(7), None, now()) };
    assert_eq!(send(db, &nobody).await, AcceptOutcome::AgentNotFound);
});

on_both!(of_twenty_at_once_ten_are_accepted, |db| async {
    let db: &Db = db;
    people(db).await;
    agent(db, TENANT).await;
    let (ann, day) = (of(SubjectKind::User, 7), at("2026-11-30T10:00:00Z"));
    set(db, ann, turns_a_day(10), day).await.unwrap();
    set(db, Subject::tenant(TENANT), turns_a_day(100), day).await.unwrap();
    let sends = (0..20).map(|_| async { is_accepted(db, &on(Some(7), None, day)).await });
    let accepted = futures_util::future::join_all(sends).await.into_iter().filter(|a| *a).count();
    assert_eq!((accepted, count(db, "netaclaw_run").await), (10, 10));
    assert_eq!(counted(db, ann, day).await, 10);
    assert_eq!(counted(db, Subject::tenant(TENANT), day).await, 10);
});

on_both!(a_repetition_is_the_same_turn_and_counts_once, |db| async {
    let db: &Db = db;
    people(db).await;
    agent(db, TENANT).await;
    let (ann, day) = (of(SubjectKind::User, 7), at("2026-11-30T10:00:00Z"));
    set(db, ann, turns_a_day(1), day).await.unwrap();
    let same = NewTurn { client_message_id: Some("c".to_owned()), ..on(Some(7), None, day) };
    let sends = (0..5).map(|_| async { send(db, &same).await });
    let outcomes = futures_util::future::join_all(sends).await;
    let accepted = outcomes.iter().filter(|o| matches!(o, AcceptOutcome::Accepted(_))).count();
    let known = outcomes.iter().filter(|o| matches!(o, AcceptOutcome::Known(_))).count();
    assert_eq!((accepted, known), (1, 4), "{outcomes:?}");
    assert_eq!(counted(db, ann, day).await, 1);
    assert!(matches!(send(db, &same).await, AcceptOutcome::Known(_)), "also when nothing is left");
});

on_both!(an_interruption_that_a_quota_refuses_stops_nothing, |db| async {
    let db: &Db = db;
    people(db).await;
    agent(db, TENANT).await;
    let day = at("2026-11-30T10:00:00Z");
    set(db, of(SubjectKind::User, 7), turns_a_day(1), day).await.unwrap();
    let first = on(Some(7), None, day);
    let AcceptOutcome::Accepted(running) = send(db, &first).await else { panic!("not accepted") };
    let second =
        NewTurn { policy: Policy::Interrupt, session_id: first.session_id, ..on(Some(7), None, day) };
    assert!(!is_accepted(db, &second).await);
    let run = runs::find(db, TENANT, running.run_id).await.unwrap().unwrap();
    assert!(!run.status.is_terminal());
});

/// A turn of ann's with her key that used 13 tokens for 0.5.
async fn finished(db: &Db, user: Option<i64>, key: Option<i64>, now: DateTime<Utc>) -> SessionId {
    let new = on(user, key, now);
    let AcceptOutcome::Accepted(turn) = send(db, &new).await else { panic!("not accepted") };
    let (_, lease) = claimed(db, turn.run_id, "w").await;
    runs::finish(db, &lease, &ending("done"), now).await.unwrap();
    new.session_id
}

on_both!(what_was_used_is_summed_by_account_also_after_deletion, |db| async {
    let db: &Db = db;
    people(db).await;
    agent(db, TENANT).await;
    let (early, late) = (at("2026-11-30T01:00:00Z"), at("2026-11-30T10:00:00Z"));
    let gone = finished(db, Some(7), Some(5), early).await;
    finished(db, Some(7), None, late).await;
    finished(db, Some(8), None, late).await;
    finished(db, None, None, late).await;
    finished(db, Some(7), None, at("2026-12-01T00:00:00Z")).await;
    let (day, end) = (at("2026-11-30T00:00:00Z"), at("2026-12-01T00:00:00Z"));
    let spent = |calls: u64| Spent { tokens: 13 * calls, cost: 0.5 * calls as f64 };
    let total = usage::total(db, TENANT, day, end).await.unwrap();
    assert_eq!((total.calls, total.cost), (4, 2.0));
    for deleted in [false, true] {
        if deleted {
            assert!(sessions::delete(db, TENANT, gone, now(), None).await.unwrap().is_some());
        }
        let used = async |subject| usage::of_subject(db, subject, day, late, end).await.unwrap();
        assert_eq!(used(Subject::tenant(TENANT)).await, (spent(1), spent(4)), "{deleted}");
        assert_eq!(used(of(SubjectKind::User, 7)).await, (spent(1), spent(2)), "{deleted}");
        assert_eq!(used(of(SubjectKind::Key, 5)).await, (spent(1), spent(1)), "{deleted}");
        assert_eq!(used(of(SubjectKind::User, 9)).await, (spent(0), spent(0)));
        assert_eq!(used(Subject::tenant(OTHER)).await, (spent(0), spent(0)));

        let bill = async |by| {
            let lines = usage::bill(db, TENANT, day, end, by).await.unwrap();
            let line = |l: usage::BillLine| (l.id, l.name, l.total.calls);
            lines.into_iter().map(line).collect::<Vec<_>>()
        };
        let named = |id, name: &str, calls| (id, Some(name.to_owned()), calls);
        let nobody = |calls| (None, None, calls);
        assert_eq!(
            bill(By::User).await,
            [named(Some(7), "ann", 2), named(Some(8), "bob", 1), nobody(1)],
            "{deleted}"
        );
        assert_eq!(bill(By::Key).await, [named(Some(5), "ci", 1), nobody(3)], "{deleted}");
        assert_eq!(bill(By::Agent).await, [named(Some(1), "a", 4)]);
        assert_eq!(bill(By::Model).await, [named(Some(1), "m", 4)]);
        assert_eq!(bill(By::Day).await, [named(None, "2026-11-30", 4)]);
    }
    let days = usage::bill(db, TENANT, day, end + TimeDelta::days(1), By::Day).await.unwrap();
    assert_eq!(
        days.iter().map(|l| l.name.clone().unwrap()).collect::<Vec<_>>(),
        ["2026-11-30", "2026-12-01"]
    );
    assert_eq!(days[0].total, total);
    assert_eq!(usage::bill(db, OTHER, day, end, By::User).await.unwrap(), []);
});

on_both!(a_subagents_calls_go_on_its_roots_account, |db| async {
    let db: &Db = db;
    people(db).await;
    agent(db, TENANT).await;
    let new = on(Some(7), Some(5), now());
    let AcceptOutcome::Accepted(turn) = send(db, &new).await else { panic!("not accepted") };
    let (run, _) = claimed(db, turn.run_id, "w").await;
    // A child's run has no account of its own.
    query(
        "INSERT INTO netaclaw_run (id, tenant_id, session_id, kind, parent_run_id, root_run_id, agent_id, user_message_id, \
         assistant_message_id, status, attempts, step_count, lease_epoch, due_at, has_successor, create_time) \
         VALUES (77, $1, $2, 'subagent', $3, $3, 1, $4, $5, 'completed', 0, 0, 0, $6, FALSE, $6)",
    )
    .bind(TENANT)
    .bind(new.session_id)
    .bind(run.id)
    .bind(turn.user_message_id)
    .bind(turn.assistant_message_id)
    .bind(new.now)
    .execute(db)
    .await
    .unwrap();
    query(
        "INSERT INTO netaclaw_usage (tenant_id, session_id, run_id, message_id, agent_id, model_id, step_seq, \
         input_tokens, output_tokens, cost, duration_ms, create_time) VALUES ($1, $2, 77, NULL, 1, 1, 0, 5, 6, NULL, 1, $3)",
    )
    .bind(TENANT)
    .bind(new.session_id)
    .bind(new.now)
    .execute(db)
    .await
    .unwrap();
    let (from, to) = (new.now - TimeDelta::days(1), new.now + TimeDelta::days(1));
    let (_, used) = usage::of_subject(db, of(SubjectKind::User, 7), from, from, to).await.unwrap();
    assert_eq!(used, Spent { tokens: 11, cost: 0.0 });
});
