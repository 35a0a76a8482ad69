//! Decodes `text/event-stream`, however it is cut.

/// One event of a stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// Its id, if it has one.
    pub id: Option<String>,
    /// Its text.
    pub data: String,
}

/// Puts events together from pieces.
#[derive(Debug, Default)]
pub struct Decoder {
    line: Vec<u8>,
    id: Option<String>,
    data: Option<String>,
}

impl Decoder {
    /// The events that end in this piece.
    pub fn feed(&mut self, piece: &[u8]) -> Vec<Event> {
        let mut events = Vec::new();
        for byte in piece {
            if *byte == b'\n' {
                let line = std::mem::take(&mut self.line);
                events.extend(self.line(&String::from_utf8_lossy(&line)));
            } else if *byte != b'\r' {
                self.line.push(*byte);
            }
        }
        events
    }

    fn line(&mut self, line: &str) -> Option<Event> {
        if line.is_empty() {
            let (id, data) = (self.id.take(), self.data.take());
            return data.map(|data| Event { id, data });
        }
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "id" => self.id = Some(value.to_owned()),
            "data" => match &mut self.data {
                Some(data) => {
                    data.push('\n');
                    data.push_str(value);
                }
                None => self.data = Some(value.to_owned()),
            },
            // Comments keep the connection alive; `retry` and `event` are not needed here.
            _ => {}
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_come_out_the_same_however_the_stream_is_cut() {
        let stream =
            ": \n\nretry: 300\n\nid: 7-1\ndata: {\"a\":\"中😀\"}\n\ndata: x\r\ndata: y\r\n\r\ndata: cut off";
        let event = |id: Option<&str>, data: &str| Event { id: id.map(str::to_owned), data: data.into() };
        let expected = [event(Some("7-1"), "{\"a\":\"中😀\"}"), event(None, "x\ny")];
        for size in 1..=stream.len() {
            let mut decoder = Decoder::default();
            let events: Vec<Event> = stream.as_bytes().chunks(size).flat_map(|c| decoder.feed(c)).collect();
            assert_eq!(events, expected, "pieces of {size} bytes");
        }
    }
}
