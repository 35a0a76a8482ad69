use super::fixture::*;
use crate::domain::audit::{ActorKind, AuditLine, By, Entry};
use crate::domain::ids::{AuditId, TenantId};
use crate::on_both;
use crate::store::Db;
use crate::store::audit::{self, Filter};
use chrono::TimeDelta;
use serde_json::json;

fn by(kind: ActorKind, id: Option<i64>) -> By {
    By { kind, id, name: "ann".to_owned(), address: Some("192.0.2.7".to_owned()) }
}

fn entry(tenant_id: TenantId, action: &'static str, object_id: &str) -> Entry {
    let object_kind = action.split('.').next().unwrap();
    Entry {
        tenant_id,
        by: by(ActorKind::User, Some(7)),
        action,
        object_kind,
        object_id: object_id.to_owned(),
        before: None,
        after: None,
    }
}

async fn record(db: &Db, entry: Entry, after: TimeDelta) {
    let mut tx = db.begin().await.unwrap();
    audit::record(&mut tx, &entry, now() + after).await.unwrap();
    tx.commit().await.unwrap();
}

async fn lines(db: &Db, filter: Filter) -> Vec<AuditLine> {
    audit::list(db, TENANT, &filter, None, 100).await.unwrap()
}

async fn actions(db: &Db, filter: Filter) -> Vec<String> {
    lines(db, filter).await.into_iter().map(|line| line.action).collect()
}

on_both!(a_line_comes_back_as_it_was_written, |db| async {
    let at = now();
    let full = Entry {
        before: Some(json!({"name": "中 \u{0}"})),
        after: Some(json!({"name": "b", "n": 1.5, "list": [null, true]})),
        ..entry(TENANT, "agent.update", "12")
    };
    let mut tx = db.begin().await.unwrap();
    audit::record(&mut tx, &full, at).await.unwrap();
    tx.commit().await.unwrap();
    let written = lines(db, Filter::default()).await;
    let [line] = &written[..] else { panic!("{written:?}") };
    assert_eq!((line.actor_kind, line.actor_id, line.actor_name.as_str()), (ActorKind::User, Some(7), "ann"));
    assert_eq!((line.action.as_str(), line.object_kind.as_str()), ("agent.update", "agent"));
    assert_eq!((line.object_id.as_str(), line.address.as_deref()), ("12", Some("192.0.2.7")));
    assert_eq!((&line.before, &line.after, line.create_time), (&full.before, &full.after, at));
});

on_both!(a_line_is_there_only_with_its_change, |db| async {
    let mut tx = db.begin().await.unwrap();
    audit::record(&mut tx, &entry(TENANT, "agent.delete", "1"), now()).await.unwrap();
    tx.rollback().await.unwrap();
    assert_eq!(count(db, "netaclaw_audit").await, 0);
});

on_both!(the_audit_is_read_newest_first_and_by_pages, |db| async {
    for n in ["1", "2", "3", "4", "5"] {
        record(db, entry(TENANT, "agent.update", n), TimeDelta::zero()).await;
    }
    record(db, entry(OTHER, "agent.update", "9"), TimeDelta::zero()).await;
    let mut seen = Vec::new();
    let mut before: Option<AuditId> = None;
    loop {
        let page = audit::list(db, TENANT, &Filter::default(), before, 2).await.unwrap();
        let Some(last) = page.last() else { break };
        before = Some(last.id);
        seen.extend(page.into_iter().map(|line| line.object_id));
    }
    assert_eq!(seen, ["5", "4", "3", "2", "1"]);
});

on_both!(the_audit_is_filtered_by_each_of_its_parts, |db| async {
    record(db, entry(TENANT, "agent.create", "1"), TimeDelta::zero()).await;
    record(db, entry(TENANT, "agents.other", "1"), TimeDelta::zero()).await;
    record(db, entry(TENANT, "model.create", "1"), TimeDelta::seconds(10)).await;
    let by_key = Entry { by: by(ActorKind::Key, Some(7)), ..entry(TENANT, "agent.delete", "2") };
    record(db, by_key, TimeDelta::seconds(20)).await;
    let nobody = Entry { by: By::nobody(None), ..entry(TENANT, "login.fail", "x") };
    record(db, nobody, TimeDelta::seconds(30)).await;

    let some = |text: &str| Some(text.to_owned());
    let none = Filter::default;
    let table = [
        (Filter { action: some("agent.create"), ..none() }, vec!["agent.create"]),
        (Filter { action: some("agent."), ..none() }, vec!["agent.delete", "agent.create"]),
        (Filter { action: some("agent"), ..none() }, vec![]),
        (Filter { action: some("%."), ..none() }, vec![]),
        (Filter { object_kind: some("agent"), ..none() }, vec!["agent.delete", "agent.create"]),
        (Filter { object_kind: some("agent"), object_id: some("1"), ..none() }, vec!["agent.create"]),
        (Filter { object_id: some("1"), ..none() }, vec!["model.create", "agents.other", "agent.create"]),
        (Filter { actor_kind: Some(ActorKind::Key), ..none() }, vec!["agent.delete"]),
        (Filter { actor_kind: Some(ActorKind::Key), actor_id: Some(7), ..none() }, vec!["agent.delete"]),
        (Filter { actor_kind: Some(ActorKind::Key), actor_id: Some(8), ..none() }, vec![]),
        (Filter { actor_kind: Some(ActorKind::Nobody), ..none() }, vec!["login.fail"]),
        (
            Filter {
                actor_kind: Some(ActorKind::User),
                object_kind: some("agent"),
                object_id: some("2"),
                ..none()
            },
            vec![],
        ),
    ];
    for (filter, expected) in table {
        assert_eq!(actions(db, filter.clone()).await, expected, "{filter:?}");
    }
    let times: Vec<_> = lines(db, none()).await.into_iter().map(|line| line.create_time).collect();
    let span = Filter { from: Some(times[2]), to: Some(times[0]), ..none() };
    assert_eq!(actions(db, span).await, ["agent.delete", "model.create"], "from is in it, to is not");
});
