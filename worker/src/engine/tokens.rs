//! Estimates of tokens. OpenAI's newest encoding stands in for every vendor's, with a margin.

use shared::domain::conversation::{Request, ToolSpec};

/// Other vendors' encodings need up to so much more.
const MARGIN: f64 = 1.15;

/// An upper estimate of the tokens of a text. Slow for long texts: not for a runtime thread.
pub fn count(text: &str) -> usize {
    let exact = tiktoken_rs::o200k_base_singleton().count_ordinary(text);
    (exact as f64 * MARGIN).ceil() as usize
}

/// Tokens that the tools' descriptions take, by the bound that a token is at least one byte.
pub fn of_tools(specs: &[ToolSpec]) -> usize {
    specs.iter().map(|s| s.name.len() + s.description.len() + s.parameters.get().len()).sum()
}

/// All that the tools' descriptions say, to be counted.
pub fn text_of_tools(specs: &[ToolSpec]) -> String {
    specs
        .iter()
        .flat_map(|s| [s.name.as_str(), "\n", &s.description, "\n", s.parameters.get(), "\n"])
        .collect()
}

/// A rough guess of what a call will use, for a limit of tokens a minute; corrected afterwards by
/// what the provider counted.
pub fn guess(request: &Request) -> u64 {
    use shared::domain::conversation::Entry;
    let chars = |t: &str| t.len() as u64;
    let entries: u64 = request
        .entries
        .iter()
        .map(|e| match e {
            Entry::User { text } | Entry::ToolResult { text, .. } => chars(text),
            Entry::Assistant { text, calls } => {
                chars(text) + calls.iter().map(|c| chars(&c.arguments)).sum::<u64>()
            }
        })
        .sum();
    (entries + chars(&request.system)) / 3 + 64
}
