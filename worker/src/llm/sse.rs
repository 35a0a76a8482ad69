//! Server-sent events out of network reads of any cut.
//!
//! Our own instead of `sse-stream`: that one holds lines of any length, allocates four strings an
//! event, and ends on lines that the standard ignores. This one works on bytes, so that a character
//! cut in two by the network is whole again before anything looks at it.

use super::error::LlmError;

/// The most bytes of one event, and of one line.
pub const MAX_EVENT_BYTES: usize = 1024 * 1024;

/// One event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Event<'a> {
    /// Its name; empty where none was sent.
    pub name: &'a [u8],
    /// Its data lines, joined by line feeds.
    pub data: &'a [u8],
}

/// Finds events in a byte stream.
#[derive(Debug, Default)]
pub struct Decoder {
    /// The begun line, when a read ended inside it.
    line: Vec<u8>,
    data: Vec<u8>,
    name: Vec<u8>,
    has_data: bool,
    after_cr: bool,
    began: bool,
}

impl Decoder {
    /// Takes one network read and hands each event that it completes to `on`.
    pub fn push(
        &mut self,
        mut bytes: &[u8],
        on: &mut impl FnMut(Event<'_>) -> Result<(), LlmError>,
    ) -> Result<(), LlmError> {
        if self.after_cr && !bytes.is_empty() {
            self.after_cr = false;
            bytes = bytes.strip_prefix(b"\n").unwrap_or(bytes);
        }
        while let Some(end) = memchr::memchr2(b'\n', b'\r', bytes) {
            let (line, rest) = bytes.split_at(end);
            bytes = match rest {
                [b'\r'] => {
                    self.after_cr = true;
                    &[]
                }
                [b'\r', b'\n', rest @ ..] | [_, rest @ ..] => rest,
                [] => &[],
            };
            if self.line.is_empty() {
                self.take_line(line, on)?;
            } else {
                self.hold(line)?;
                let whole = std::mem::take(&mut self.line);
                self.take_line(&whole, on)?;
                self.line = whole;
                self.line.clear();
            }
        }
        self.hold(bytes)
    }

    /// The stream is over: a last event needs no blank line, and a last line no line feed.
    pub fn end(&mut self, on: &mut impl FnMut(Event<'_>) -> Result<(), LlmError>) -> Result<(), LlmError> {
        let line = std::mem::take(&mut self.line);
        if !line.is_empty() {
            self.take_line(&line, on)?;
        }
        self.take_line(b"", on)
    }

    fn hold(&mut self, part: &[u8]) -> Result<(), LlmError> {
        if self.line.len() + part.len() > MAX_EVENT_BYTES {
            return Err(LlmError::TooLarge { what: "1 MiB in one event" });
        }
        self.line.extend_from_slice(part);
        Ok(())
    }

    fn take_line(
        &mut self,
        mut line: &[u8],
        on: &mut impl FnMut(Event<'_>) -> Result<(), LlmError>,
    ) -> Result<(), LlmError> {
        if !self.began {
            self.began = true;
            line = line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line);
        }
        if line.is_empty() {
            let result =
                if self.has_data { on(Event { name: &self.name, data: &self.data }) } else { Ok(()) };
            self.data.clear();
            self.name.clear();
            self.has_data = false;
            return result;
        }
        let colon = memchr::memchr(b':', line).unwrap_or(line.len());
        let (field, value) = line.split_at(colon);
        let value = value.strip_prefix(b":").unwrap_or(value);
        let value = value.strip_prefix(b" ").unwrap_or(value);
        match field {
            b"data" => {
                if self.data.len() + value.len() >= MAX_EVENT_BYTES {
                    return Err(LlmError::TooLarge { what: "1 MiB in one event" });
                }
                if self.has_data {
                    self.data.push(b'\n');
                }
                self.has_data = true;
                self.data.extend_from_slice(value);
            }
            b"event" => {
                self.name.clear();
                self.name.extend_from_slice(value);
            }
            // Comments (an empty field), id, retry and unknown fields mean nothing here.
            _ => {}
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn events(reads: &[&[u8]]) -> Vec<(String, String)> {
        let mut found = Vec::new();
        let mut decoder = Decoder::default();
        let mut on = |e: Event<'_>| {
            let text = |b: &[u8]| String::from_utf8(b.to_vec()).unwrap();
            found.push((text(e.name), text(e.data)));
            Ok(())
        };
        for read in reads {
            decoder.push(read, &mut on).unwrap();
        }
        decoder.end(&mut on).unwrap();
        found
    }

    fn data(reads: &[&[u8]]) -> Vec<String> {
        events(reads).into_iter().map(|(_, data)| data).collect()
    }

    #[test]
    fn shapes_of_the_standard() {
        let table: [(&str, &[&str]); 10] = [
            ("data: a\n\ndata: b\n\n", &["a", "b"]),
            ("data:a\r\n\r\ndata: b\r\n\r\n", &["a", "b"]),
            ("data: a\r\rdata: b\r\r", &["a", "b"]),
            ("data: a\ndata: b\n\n", &["a\nb"]),
            (": ping\n\ndata: a\n: in between\n\n", &["a"]),
            ("data: a\n\n\n\ndata:  b\n\n", &["a", " b"]),
            ("id: 1\nretry: 5\ndata: a\nfoo\n\n", &["a"]),
            ("data: a", &["a"]),
            ("data\n\n", &[""]),
            ("\u{FEFF}data: a\n\n", &["a"]),
        ];
        for (text, expected) in table {
            assert_eq!(data(&[text.as_bytes()]), expected, "{text:?}");
        }
        let named = events(&[b"event: ping\n\nevent: x\ndata: 1\n\ndata: 2\n\n"]);
        assert_eq!(named, [("x".into(), "1".into()), (String::new(), "2".into())]);
    }

    #[test]
    fn every_cut_gives_the_same() {
        let text = "data: 那个修复方法😀👨‍👩‍👧\r\n\r\nevent: e\r\ndata: {\"b\":1}\r\ndata: z\r\n\r\n";
        let bytes = text.as_bytes();
        let whole = events(&[bytes]);
        assert_eq!(whole.len(), 2);
        for cut in 0..=bytes.len() {
            let (a, b) = bytes.split_at(cut);
            assert_eq!(events(&[a, b]), whole, "cut at {cut}");
        }
        let single = bytes.chunks(1).collect::<Vec<_>>();
        assert_eq!(events(&single), whole);
    }

    #[test]
    fn a_line_and_an_event_have_a_limit() {
        let mut decoder = Decoder::default();
        let mut none = |_: Event<'_>| Ok(());
        let part = vec![b'x'; MAX_EVENT_BYTES / 2];
        decoder.push(b"data: ", &mut none).unwrap();
        decoder.push(&part, &mut none).unwrap();
        assert!(matches!(decoder.push(&part, &mut none), Err(LlmError::TooLarge { .. })));

        let mut decoder = Decoder::default();
        let line = [b"data: ", part.as_slice(), b"\n"].concat();
        decoder.push(&line, &mut none).unwrap();
        assert!(matches!(decoder.push(&line, &mut none), Err(LlmError::TooLarge { .. })));
    }

    proptest! {
        #[test]
        fn any_bytes_in_any_cut_give_what_they_give_whole(
            text in "(data|event|:|id)?(: ?)?[a-c中😀\r\n ]{0,12}(\r|\n|\r\n){0,3}(data: [a-z]{0,5}\n\n){0,3}",
            cuts in proptest::collection::vec(any::<prop::sample::Index>(), 0..6),
        ) {
            let bytes = text.as_bytes();
            let mut at = cuts.iter().map(|c| c.index(bytes.len() + 1)).collect::<Vec<_>>();
            at.sort_unstable();
            at.push(bytes.len());
            let mut start = 0;
            let reads = at.iter().map(|&end| { let r = &bytes[start..end]; start = end; r }).collect::<Vec<_>>();
            prop_assert_eq!(events(&reads), events(&[bytes]));
        }
    }
}
