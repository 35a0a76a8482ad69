//! Events that the API makes itself: a turn's picture, put together from its log or its rows for a
//! reader whose cursor can't be followed.

use shared::bus::{Frame, Stream};
use shared::clock::Clock;
use shared::domain::events::{Address, Cursor, Event, TurnView, complete};
use shared::domain::ids::RunId;

/// The epoch of what comes from the rows alone.
pub const ROWS_EPOCH: u64 = 0;

/// An event at a place in a stream.
pub fn frame(stream: Stream, run_id: RunId, event: &Event, cursor: Cursor, clock: &dyn Clock) -> Frame {
    let at = Address { session_id: stream.session_id, message_id: stream.message_id, run_id };
    let fragment = event.render(at, clock.now());
    Frame {
        message_id: stream.message_id,
        subagent: stream.subagent,
        epoch: cursor.epoch,
        seq: cursor.seq,
        terminal: fragment.terminal,
        json: complete(&fragment.json, cursor.seq, cursor.epoch).into(),
    }
}

/// Whether the event asks a person. Quotes within its texts are escaped, so that these bytes are the
/// envelope's own.
pub fn asks(frame: &Frame) -> bool {
    frame.json.contains(r#""type":"clarify_request""#)
}

/// Whether the event is but more text or thinking.
pub fn is_text(frame: &Frame) -> bool {
    let is = |kind| frame.json.contains(kind);
    is(r#""type":"text_delta""#) || is(r#""type":"thinking_delta""#)
}

/// Reads an event back. None: of a type that this version does not know.
pub fn event(frame: &Frame) -> Option<Event> {
    serde_json::from_str(&frame.json).ok()
}

/// What the frames add up to. `rows` is the picture that the rows show: it stands where the frames
/// do not begin at the beginning.
pub fn fold(rows: TurnView, frames: &[Frame]) -> TurnView {
    let mut view = rows;
    for (n, event) in frames.iter().filter_map(event).enumerate() {
        if n == 0 && matches!(event, Event::RunAccepted { .. }) {
            view = TurnView::new(view.user_message_id, view.assistant_message_id, view.run_id);
        }
        view.apply(&event);
    }
    view
}

#[cfg(test)]
mod tests {
    use super::*;
    use shared::clock::SystemClock;
    use shared::domain::ids::{MessageId, SessionId};
    use shared::domain::runs::RunStatus;

    fn frames(events: &[Event]) -> Vec<Frame> {
        let stream = Stream::of_turn(SessionId::generate(), MessageId(2));
        let cursor = |n| Cursor { epoch: 7, seq: n as u64 + 1 };
        events.iter().enumerate().map(|(n, e)| frame(stream, RunId(3), e, cursor(n), &SystemClock)).collect()
    }

    #[test]
    fn a_log_from_its_beginning_stands_for_itself() {
        let mut rows = TurnView::new(MessageId(1), MessageId(2), RunId(3));
        rows.content = "of the journal".into();
        let accepted = Event::RunAccepted {
            user_message_id: MessageId(1),
            assistant_message_id: MessageId(2),
            run_id: RunId(3),
        };
        let text = |t: &str| Event::TextDelta { text: t.into() };
        let running = Event::Status { status: RunStatus::Running, reason: None };
        let view = fold(rows.clone(), &frames(&[accepted, running, text("Hel"), text("lo")]));
        assert_eq!((view.content.as_str(), view.status), ("Hello", RunStatus::Running));
        let view = fold(rows, &frames(&[text(", and more")]));
        assert_eq!(view.content, "of the journal, and more");
    }

    #[test]
    fn unknown_events_are_passed_over() {
        let mut all = frames(&[Event::TextDelta { text: "a".into() }]);
        let mut strange = all[0].clone();
        strange.json = r#"{"v":9,"type":"from_the_future","data":{"x":1},"seq":2,"epoch":7}"#.into();
        all.push(strange);
        let view = fold(TurnView::new(MessageId(1), MessageId(2), RunId(3)), &all);
        assert_eq!(view.content, "a");
    }
}
