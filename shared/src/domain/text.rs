//! The one place where text from outside is made safe to store: NUL and lone surrogates, which the
//! databases refuse, become a visible mark.

use std::borrow::Cow;

/// Stands where a character could not be kept.
pub const REPLACEMENT: char = '\u{FFFD}';

/// Replaces NUL by U+2400 (symbol for NUL). Everything else is kept.
pub fn clean(text: &str) -> Cow<'_, str> {
    if text.contains('\0') { Cow::Owned(text.replace('\0', "\u{2400}")) } else { Cow::Borrowed(text) }
}

/// As [`clean`], for owned text; does not allocate when nothing is to be replaced.
pub fn clean_owned(text: String) -> String {
    if text.contains('\0') { text.replace('\0', "\u{2400}") } else { text }
}

/// Makes lone `\uD800`-style escapes in a JSON document readable by a strict parser: each becomes
/// the escape of U+FFFD. Valid pairs and everything else are kept byte for byte.
pub fn mend_surrogate_escapes(json: &[u8]) -> Cow<'_, [u8]> {
    rewrite_escapes(json, false)
}

/// As [`mend_surrogate_escapes`], and does to escaped NULs what [`clean`] does to bare ones: every
/// string that is parsed from the result is safe to store.
pub fn clean_json(json: &[u8]) -> Cow<'_, [u8]> {
    rewrite_escapes(json, true)
}

fn rewrite_escapes(json: &[u8], nul: bool) -> Cow<'_, [u8]> {
    let suspicious =
        |w: &[u8]| w[0] == b'\\' && w[1] == b'u' && (matches!(w[2], b'd' | b'D') || (nul && w[2] == b'0'));
    if !json.windows(3).any(suspicious) {
        return Cow::Borrowed(json);
    }
    let mut out = Vec::with_capacity(json.len());
    let mut at = 0;
    while at < json.len() {
        if json[at] != b'\\' {
            out.push(json[at]);
            at += 1;
            continue;
        }
        match escaped_unit(json, at) {
            None => {
                let end = json.len().min(at + 2);
                out.extend_from_slice(&json[at..end]);
                at = end;
            }
            Some(0) if nul => {
                out.extend_from_slice(b"\\u2400");
                at += 6;
            }
            Some(0xD800..=0xDBFF) if matches!(escaped_unit(json, at + 6), Some(0xDC00..=0xDFFF)) => {
                out.extend_from_slice(&json[at..at + 12]);
                at += 12;
            }
            Some(0xD800..=0xDFFF) => {
                out.extend_from_slice(b"\\ufffd");
                at += 6;
            }
            Some(_) => {
                out.extend_from_slice(&json[at..at + 6]);
                at += 6;
            }
        }
    }
    Cow::Owned(out)
}

fn escaped_unit(json: &[u8], at: usize) -> Option<u16> {
    let escape = json.get(at..at + 6)?;
    let digits = escape.strip_prefix(b"\\u")?;
    u16::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
}

/// Whether there is nothing to read: only white space, control characters and those without any width
/// (zero-width spaces and joiners, marks of direction, the byte-order mark).
pub fn is_blank(text: &str) -> bool {
    let unseen = |c: char| {
        c.is_whitespace()
            || c.is_control()
            || matches!(c, '\u{AD}' | '\u{180E}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}'
                | '\u{2060}'..='\u{206F}' | '\u{FEFF}')
    };
    text.chars().all(unseen)
}

/// The first `max` characters, with an ellipsis when there were more.
pub fn cut(text: &str, max: usize) -> String {
    match text.char_indices().nth(max) {
        None => text.to_owned(),
        Some(_) => text.chars().take(max.saturating_sub(1)).chain(['…']).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nul_becomes_visible_and_all_else_stays() {
        assert_eq!(clean("a\0b"), "a\u{2400}b");
        let same = "中".repeat(40_000) + "😀 שלום";
        assert!(matches!(clean(&same), Cow::Borrowed(_)));
    }

    #[test]
    fn lone_surrogates_are_mended_and_pairs_kept() {
        let table: [(&str, &str); 6] = [
            (r#""\ud83d\ude00""#, "😀"),
            (r#""a\ud83db""#, "a\u{FFFD}b"),
            (r#""\ude00\ud83d""#, "\u{FFFD}\u{FFFD}"),
            (r#""\\ud83d""#, r"\ud83d"),
            (r#""\ud83d\ud83d\ude00""#, "\u{FFFD}😀"),
            (r#""\u4e2d""#, "中"),
        ];
        for (json, expected) in table {
            let text: String = serde_json::from_slice(&mend_surrogate_escapes(json.as_bytes())).unwrap();
            assert_eq!(text, expected, "{json}");
        }
    }

    #[test]
    fn nul_escapes_become_visible_in_json_and_escaped_backslashes_stay() {
        let table = [
            (r#""a\u0000b\u0041""#, "a\u{2400}bA"),
            (r#""\\u0000""#, r"\u0000"),
            (r#""\u0000\ud83d""#, "\u{2400}\u{FFFD}"),
        ];
        for (json, expected) in table {
            let text: String = serde_json::from_slice(&clean_json(json.as_bytes())).unwrap();
            assert_eq!(text, expected, "{json}");
        }
    }

    #[test]
    fn blank_is_what_nobody_can_read() {
        for blank in ["", " \t\n", "\u{3000}", "\u{200B}", "\u{FEFF} \u{2060}", "\u{202E}\u{200F}", "\u{7}"] {
            assert!(is_blank(blank), "{blank:?}");
        }
        for seen in ["0", ".", "中", "\u{200B}x", "👨\u{200D}👩", "\u{2400}"] {
            assert!(!is_blank(seen), "{seen:?}");
        }
    }

    #[test]
    fn cut_counts_characters() {
        assert_eq!(cut("中文字", 3), "中文字");
        assert_eq!(cut("中文字符", 3), "中文…");
    }
}
