//! Which stored agent a model means: by id, or by name however it is written.

use shared::domain::delegation::Preset;
use shared::domain::ids::AgentId;
use shared::domain::text;
use unicode_normalization::UnicodeNormalization;

/// Characters of a refusal that list what would have been right.
const LISTING_CHARS: usize = 600;

/// The allowed agent of this id or name. Names are compared without the space around them, without
/// case, and without width (full-width letters, digits and spaces). A refusal names all that is
/// allowed.
pub(super) fn find(allowed: &[Preset], wanted: &str) -> Result<AgentId, String> {
    let folded = fold(wanted);
    let by_id = folded.parse::<i64>().ok().map(AgentId);
    if let Some(preset) = allowed.iter().find(|p| Some(p.id) == by_id) {
        return Ok(preset.id);
    }
    if let Some(exact) = allowed.iter().find(|p| p.name == wanted.trim()) {
        return Ok(exact.id);
    }
    let named: Vec<&Preset> = allowed.iter().filter(|p| fold(&p.name) == folded).collect();
    match named.as_slice() {
        [one] => Ok(one.id),
        [] => Err(format!(
            "there is no agent {:?} that you may call. You may call {}; or leave it out for a copy of yourself.",
            text::cut(wanted, 64),
            all(allowed)
        )),
        several => Err(format!(
            "several agents are called so: {}. Give the id.",
            all(&several.iter().map(|p| (*p).clone()).collect::<Vec<_>>())
        )),
    }
}

fn all(presets: &[Preset]) -> String {
    let names: Vec<String> =
        presets.iter().map(|p| format!("{} ({})", p.id, text::cut(&p.name, 40))).collect();
    listing(&names.iter().map(String::as_str).collect::<Vec<_>>())
}

/// The items with commas between, as many as fit, and how many more there are.
pub(super) fn listing(items: &[&str]) -> String {
    let (mut shown, mut left) = (String::new(), items.len());
    for item in items {
        let item = text::cut(item, 100);
        if !shown.is_empty() && shown.chars().count() + item.chars().count() > LISTING_CHARS {
            break;
        }
        if !shown.is_empty() {
            shown.push_str(", ");
        }
        shown.push_str(&item);
        left -= 1;
    }
    if left == 0 { shown } else { format!("{shown} and {left} more") }
}

fn fold(name: &str) -> String {
    let folded: String = name.nfkc().flat_map(char::to_lowercase).collect();
    folded.split_whitespace().collect::<Vec<_>>().join(" ")
}
