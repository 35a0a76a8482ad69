//! Lists of sessions: their order and pages, what they are searched by, and what they tell.

use super::family::Family;
use super::fixture::*;
use crate::domain::ids::SessionId;
use crate::domain::runs::RunStatus;
use crate::domain::sessions::{LiveTurn, SessionContents};
use crate::on_both;
use crate::store::sessions::{self, Filter, SessionChange};
use crate::store::turns::NewTurn;
use crate::store::{Db, runs};
use chrono::TimeDelta;

async fn listed(db: &Db, filter: &Filter) -> Vec<SessionId> {
    sessions::list(db, TENANT, filter, None, 10).await.unwrap().iter().map(|s| s.id).collect()
}

fn text(text: &str) -> Filter {
    Filter { text: text.to_owned(), ..Filter::default() }
}

fn pinned(pinned: bool) -> SessionChange {
    SessionChange { pinned: Some(pinned), ..SessionChange::default() }
}

on_both!(sessions_are_listed_by_their_last_use_without_gap_or_double, |db| async {
    agent(db, TENANT).await;
    let start = now();
    let mut expected = Vec::new();
    // Two are used in the same millisecond.
    for offset in [0, 1, 1, 2, 3] {
        let id = SessionId::generate();
        let at = start + TimeDelta::milliseconds(offset);
        accept(db, &NewTurn { now: at, ..turn(id, "x") }).await;
        expected.push((at, id));
    }
    // The first to begin is the last to be used.
    expected[0].0 = start + TimeDelta::seconds(1);
    accept(db, &NewTurn { now: expected[0].0, ..turn(expected[0].1, "again") }).await;
    expected.sort();
    expected.reverse();
    let mut seen = Vec::new();
    let mut before = None;
    loop {
        let page = sessions::list(db, TENANT, &Filter::default(), before, 2).await.unwrap();
        let Some(last) = page.last() else { break };
        before = Some((last.update_time, last.id));
        seen.extend(page.iter().map(|s| (s.update_time, s.id)));
    }
    assert_eq!(seen, expected);
    assert_eq!(sessions::list(db, OTHER, &Filter::default(), None, 2).await.unwrap(), []);
});

on_both!(sessions_are_found_by_a_part_of_their_title, |db| async {
    agent(db, TENANT).await;
    let mut ids = Vec::new();
    for (n, title) in ["Plan the WEEK", "100% sure_", "比较三种茶", "a!b"].into_iter().enumerate() {
        let at = now() - TimeDelta::seconds(n as i64);
        ids.push(accept(db, &NewTurn { now: at, ..turn(SessionId::generate(), title) }).await.session_id);
    }
    for (asked, expected) in [
        ("", &ids[..]),
        (" week ", &ids[..1]),
        ("pLAN", &ids[..1]),
        ("%", &ids[1..2]),
        ("_", &ids[1..2]),
        ("三种", &ids[2..3]),
        ("!b", &ids[3..]),
        ("x", &[]),
    ] {
        assert_eq!(listed(db, &text(asked)).await, expected, "{asked:?}");
    }
});

on_both!(sessions_are_changed_pinned_and_filtered, |db| async {
    let helper = agent(db, TENANT).await;
    let ids = [SessionId::generate(), SessionId::generate(), SessionId::generate()];
    for (n, id) in ids.iter().enumerate() {
        let at = now() - TimeDelta::seconds(n as i64);
        accept(db, &NewTurn { now: at, ..turn(*id, "x") }).await;
    }
    let both = SessionChange { title: Some("new \u{2400}".to_owned()), pinned: Some(true) };
    let changed = sessions::update(db, TENANT, ids[1], &both, now()).await.unwrap().unwrap();
    assert_eq!((changed.title.as_str(), changed.pinned), ("new \u{2400}", true));
    assert_eq!(sessions::find(db, TENANT, ids[1]).await.unwrap(), Some(changed.clone()));
    let nothing = sessions::update(db, TENANT, ids[1], &SessionChange::default(), now()).await.unwrap();
    assert_eq!(nothing.as_ref(), Some(&changed));
    // Twice is once.
    assert!(sessions::update(db, TENANT, ids[1], &pinned(true), now()).await.unwrap().unwrap().pinned);
    assert_eq!(sessions::update(db, OTHER, ids[0], &pinned(true), now()).await.unwrap(), None);
    assert_eq!(sessions::find(db, OTHER, ids[1]).await.unwrap(), None);

    let filter = |pinned| Filter { pinned: Some(pinned), ..Filter::default() };
    assert_eq!(listed(db, &filter(true)).await, ids[1..2]);
    assert_eq!(listed(db, &filter(false)).await, [ids[0], ids[2]]);
    let page = sessions::list(db, TENANT, &filter(false), None, 1).await.unwrap();
    let before = Some((page[0].update_time, page[0].id));
    let rest = sessions::list(db, TENANT, &filter(false), before, 10).await.unwrap();
    assert_eq!(rest.iter().map(|s| s.id).collect::<Vec<_>>(), ids[2..]);
    assert_eq!(listed(db, &Filter { agent_id: Some(helper), ..filter(true) }).await, ids[1..2]);
    let another = crate::domain::ids::AgentId(helper.0 + 1);
    assert_eq!(listed(db, &Filter { agent_id: Some(another), ..Filter::default() }).await, []);

    assert!(!sessions::update(db, TENANT, ids[1], &pinned(false), now()).await.unwrap().unwrap().pinned);
    assert_eq!(listed(db, &filter(true)).await, []);
    sessions::update(db, TENANT, ids[1], &pinned(true), now()).await.unwrap();
    sessions::delete(db, TENANT, ids[1], now(), None).await.unwrap().unwrap();
    assert_eq!(count(db, "netaclaw_session_pin").await, 0);
});

on_both!(a_session_tells_of_its_live_turn, |db| async {
    let family = Family::of(db, &[("b", 3)], 2, &["ask"]).await;
    let session = family.turn.session_id;
    let at = now() + TimeDelta::seconds(1);
    let behind = accept(db, &NewTurn { now: at, ..turn(session, "behind") }).await;
    let shown = sessions::find(db, TENANT, session).await.unwrap().unwrap();
    let live = LiveTurn {
        message_id: family.turn.assistant_message_id,
        run_id: family.id,
        status: RunStatus::Waiting,
        queued_turns: 1,
        active_subagents: 2,
    };
    assert_eq!((shown.live.as_ref(), shown.open_pauses), (Some(&live), 1));
    assert_eq!((shown.agent_name.as_deref(), shown.update_time), (Some("a"), at));
    assert_eq!(sessions::list(db, TENANT, &Filter::default(), None, 10).await.unwrap(), [shown]);
    let contents = SessionContents { turns: 2, messages: 4, subagents: 3, live_turns: 2, open_pauses: 1 };
    assert_eq!(sessions::contents(db, TENANT, session).await.unwrap(), Some(contents));
    assert_eq!(sessions::contents(db, OTHER, session).await.unwrap(), None);

    let stopped = crate::domain::runs::Reason::Stopped;
    runs::cancel(db, TENANT, family.id, stopped, now(), None).await.unwrap();
    let next = LiveTurn {
        message_id: behind.assistant_message_id,
        run_id: behind.run_id,
        status: RunStatus::Queued,
        queued_turns: 0,
        active_subagents: 0,
    };
    let shown = sessions::find(db, TENANT, session).await.unwrap().unwrap();
    assert_eq!((shown.live, shown.open_pauses), (Some(next), 0));
    runs::cancel(db, TENANT, behind.run_id, stopped, now(), None).await.unwrap();
    let shown = sessions::find(db, TENANT, session).await.unwrap().unwrap();
    assert_eq!((shown.live, shown.open_pauses), (None, 0));
    let contents = SessionContents { turns: 2, messages: 4, subagents: 3, live_turns: 0, open_pauses: 0 };
    assert_eq!(sessions::contents(db, TENANT, session).await.unwrap(), Some(contents));
});
