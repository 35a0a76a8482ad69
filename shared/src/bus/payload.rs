//! How events travel over Redis and lie in its logs: one text a publication, a line of head and a
//! line a frame. Taken apart without parsing JSON.
//!
//! `<stream> <epoch> <first number> <frames> <1 if the last frame is terminal>\n<frame>\n…`, where a stream is `<message id>` or
//! `<message id>:<subagent id>`.

use super::{Begin, Frame, Stream};
use crate::domain::events::{Fragment, complete};
use crate::domain::ids::{MessageId, SubagentId};

/// The events of a publication as they are sent: the snapshot first, nothing after a terminal
/// event, no line breaks.
pub(super) fn ordered(begin: &Begin, events: Vec<Fragment>) -> Vec<Fragment> {
    let snapshot = if let Begin::Snapshot(snapshot) = begin { Some(snapshot.clone()) } else { None };
    let mut all: Vec<Fragment> = snapshot.into_iter().chain(events).collect();
    if let Some(last) = all.iter().position(|e| e.terminal) {
        all.truncate(last + 1);
    }
    for event in &mut all {
        // Between tokens a line break means nothing, and within strings JSON escapes it.
        if event.json.contains('\n') {
            event.json = event.json.replace('\n', " ");
        }
    }
    all
}

/// A stream's name within its session.
pub(super) fn name(stream: Stream) -> String {
    match stream.subagent {
        None => stream.message_id.to_string(),
        Some(subagent) => format!("{}:{subagent}", stream.message_id),
    }
}

/// Reads what `name` wrote.
fn parse(name: &str) -> Option<(MessageId, Option<SubagentId>)> {
    match name.split_once(':') {
        None => Some((MessageId(name.parse().ok()?), None)),
        Some((message, subagent)) => {
            Some((MessageId(message.parse().ok()?), Some(SubagentId(subagent.parse().ok()?))))
        }
    }
}

/// The text of one frame that is in no log.
pub(super) fn farewell(message_id: MessageId, fragment: &Fragment) -> String {
    let json = complete(&fragment.json, 0, 0).replace('\n', " ");
    format!("{message_id} 0 0 1 {}\n{json}", u8::from(fragment.terminal))
}

/// The frames of a publication; None if the text is not one.
pub(super) fn frames(text: &[u8]) -> Option<Vec<Frame>> {
    let (head, body) = std::str::from_utf8(text).ok()?.split_once('\n')?;
    let mut head = head.split(' ');
    let (message_id, subagent) = parse(head.next()?)?;
    let epoch: u64 = head.next()?.parse().ok()?;
    let first: u64 = head.next()?.parse().ok()?;
    let count: usize = head.next()?.parse().ok()?;
    let terminal = head.next()? == "1";
    let frames: Vec<Frame> = body
        .split('\n')
        .zip(first..)
        .map(|(json, seq)| Frame { message_id, subagent, epoch, seq, terminal: false, json: json.into() })
        .collect();
    if frames.len() != count {
        return None;
    }
    let mut frames = frames;
    frames.last_mut()?.terminal = terminal;
    Some(frames)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fragment(json: &str, terminal: bool) -> Fragment {
        Fragment { json: json.into(), terminal }
    }

    #[test]
    fn a_text_is_taken_apart() {
        let got = frames("7 1700 3 2 1\n{\"a\":1}\n{\"b\":\"中\"}".as_bytes()).unwrap();
        let frame = |seq, terminal, json: &str| Frame {
            message_id: MessageId(7),
            subagent: None,
            epoch: 1700,
            seq,
            terminal,
            json: json.into(),
        };
        assert_eq!(got, [frame(3, false, "{\"a\":1}"), frame(4, true, "{\"b\":\"中\"}")]);
    }

    #[test]
    fn a_subagents_stream_is_named_with_it() {
        let got = frames(b"7:12 1700 1 1 0\n{}").unwrap();
        assert_eq!((got[0].message_id, got[0].subagent), (MessageId(7), Some(SubagentId(12))));
    }

    #[test]
    fn what_is_no_publication_is_refused() {
        for text in
            ["", "7 1 1 1 0", "x 1 1 1 0\n{}", "7: 1 1 1 0\n{}", "7 1 1 2 0\n{}", "7 1 1 1\n{}", "7 1 1\n{}"]
        {
            assert_eq!(frames(text.as_bytes()), None, "{text:?}");
        }
        assert_eq!(frames(b"7 1 1 1 0\n{\xff}"), None);
    }

    #[test]
    fn a_farewell_is_number_0_of_epoch_0() {
        let got = frames(farewell(MessageId(7), &fragment("{\"v\":1", false)).as_bytes()).unwrap();
        assert_eq!(&*got[0].json, "{\"v\":1,\"seq\":0,\"epoch\":0}");
        assert_eq!((got[0].seq, got[0].epoch, got[0].terminal), (0, 0, false));
    }

    #[test]
    fn the_snapshot_is_first_and_the_terminal_event_last() {
        let begin = Begin::Snapshot(fragment("s", false));
        let events = vec![fragment("a\nb", false), fragment("end", true), fragment("late", false)];
        let got: Vec<String> = ordered(&begin, events).into_iter().map(|e| e.json).collect();
        assert_eq!(got, ["s", "a b", "end"]);
    }
}
