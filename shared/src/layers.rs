//! What may use what, and other rules about the source that no lint knows. Reads the source of all
//! crates of the workspace; a module that is not in the tables fails, so that its place is decided.

use std::fs;
use std::path::{Path, PathBuf};

/// The modules of this crate and what each may use of the others.
const MODULES: &[(&str, &[&str])] = &[
    ("domain", &[]),
    ("clock", &[]),
    ("crash", &["config"]),
    ("secrets", &[]),
    ("telemetry", &["config"]),
    ("config", &["domain", "secrets", "telemetry"]),
    ("wire", &["config"]),
    ("store", &["domain", "clock", "config"]),
    ("queue", &["domain", "clock", "wire"]),
    ("bus", &["domain", "clock", "wire"]),
    ("limits", &["domain", "clock", "wire"]),
    (
        "app",
        &[
            "domain",
            "clock",
            "crash",
            "secrets",
            "telemetry",
            "config",
            "wire",
            "store",
            "queue",
            "bus",
            "limits",
        ],
    ),
];

/// Libraries that only some places may name.
const LIBRARIES: &[(&str, &[&str])] = &[
    ("sqlx", &["shared/src/store"]),
    ("redis", &["shared/src/wire", "shared/src/queue", "shared/src/bus", "shared/src/limits"]),
    ("axum", &["api/src/"]),
    ("apalis", &["worker/src/"]),
    ("apalis_core", &["worker/src/"]),
    ("reqwest", &["worker/src/", "src/"]),
    ("chacha20poly1305", &["shared/src/secrets.rs"]),
    ("tracing_subscriber", &["shared/src/telemetry.rs"]),
];

/// A source file: its path from the root, and its text without comments and without the tests at
/// its end.
struct Source {
    path: String,
    lines: usize,
    code: String,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn rust_files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            rust_files(&path, found);
        } else if path.extension().is_some_and(|e| e == "rs") {
            found.push(path);
        }
    }
}

fn sources(folders: &[&str]) -> Vec<Source> {
    let mut paths = Vec::new();
    for folder in folders {
        rust_files(&root().join(folder), &mut paths);
    }
    assert!(!paths.is_empty(), "no source found");
    let read = |path: PathBuf| {
        let text = fs::read_to_string(&path).unwrap();
        let code = text.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
        let code: Vec<&str> = code.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
        let path = path.strip_prefix(root()).unwrap().to_string_lossy().into_owned();
        Source { path, lines: text.lines().count(), code: code.join("\n") }
    };
    paths.into_iter().map(read).collect()
}

/// Whether the file is there for tests only.
fn is_test(path: &str) -> bool {
    path.split('/').any(|part| {
        part.starts_with("test") || part.ends_with("tests.rs") || part == "contract.rs" || part == "layers.rs"
    })
}

/// The words that stand after `prefix` (as `crate::`), also those of a `use` with braces.
fn words_after(code: &str, prefix: &str) -> Vec<String> {
    let word = |text: &str| text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>();
    let mut words = Vec::new();
    for (at, _) in code.match_indices(prefix) {
        let before = code.get(..at).and_then(|text| text.chars().next_back());
        if before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == ':') {
            continue;
        }
        let rest = code.get(at + prefix.len()..).unwrap_or_default();
        match rest.strip_prefix('{') {
            Some(list) => {
                let mut depth = 0;
                let mut items = vec![String::new()];
                for c in list.chars() {
                    match c {
                        '}' if depth == 0 => break,
                        ',' if depth == 0 => items.push(String::new()),
                        _ => {
                            depth += i32::from(c == '{') - i32::from(c == '}');
                            items.last_mut().unwrap().push(c);
                        }
                    }
                }
                words.extend(items.iter().map(|item| word(item.trim())).filter(|w| !w.is_empty()));
            }
            None => words.push(word(rest)),
        }
    }
    words
}

#[test]
fn words_are_found_in_every_form_of_use() {
    let code = "use crate::{a::B, c::{d, e},\n f};\nfn x() { crate::g::h(); other_crate::i(); }";
    assert_eq!(words_after(code, "crate::"), ["a", "c", "f", "g"]);
}

#[test]
fn modules_use_only_what_is_below_them() {
    let mut wrong = Vec::new();
    for source in sources(&["shared/src"]).iter().filter(|s| !is_test(&s.path)) {
        let inner = source.path.trim_start_matches("shared/src/");
        let module = inner.split(['/', '.']).next().unwrap_or_default();
        if module == "lib" {
            continue;
        }
        let Some((_, allowed)) = MODULES.iter().find(|(name, _)| *name == module) else {
            wrong.push(format!("{}: the module has no place in the table of layers", source.path));
            continue;
        };
        for used in words_after(&source.code, "crate::") {
            let is_module = MODULES.iter().any(|(name, _)| *name == used);
            if is_module && used != module && !allowed.contains(&used.as_str()) {
                wrong.push(format!("{} uses {used}", source.path));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn libraries_are_named_in_their_places_only() {
    let mut wrong = Vec::new();
    for source in
        sources(&["shared/src", "api/src", "worker/src", "src"]).iter().filter(|s| !is_test(&s.path))
    {
        for (library, places) in LIBRARIES {
            let allowed = places.iter().any(|place| source.path.starts_with(place));
            if !allowed && !words_after(&source.code, &format!("{library}::")).is_empty() {
                wrong.push(format!("{} names {library}", source.path));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn one_file_names_the_drivers() {
    let drivers =
        ["sqlx::sqlite", "sqlx::postgres", "SqliteP", "SqliteC", "PgPool", "PgConn", "PgRow", "SqliteRow"];
    for source in sources(&["shared/src/store"]).iter().filter(|s| !is_test(&s.path)) {
        let one = source.path.starts_with("shared/src/store/db");
        let named = drivers.iter().find(|driver| source.code.contains(**driver));
        assert!(one || named.is_none(), "{} names {named:?}", source.path);
    }
}

#[test]
fn the_audit_is_only_added_to() {
    let named: Vec<Source> = sources(&["shared/src", "api/src", "worker/src", "src"])
        .into_iter()
        .filter(|s| !is_test(&s.path) && s.code.contains("netaclaw_audit"))
        .collect();
    let [audit] = &named[..] else { panic!("{:?}", named.iter().map(|s| &s.path).collect::<Vec<_>>()) };
    assert_eq!(audit.path, "shared/src/store/audit.rs");
    let code = audit.code.to_lowercase();
    let words = code.split(|c: char| !c.is_alphanumeric() && c != '_').collect::<Vec<_>>();
    for word in ["update", "delete", "truncate", "replace"] {
        assert!(!words.contains(&word), "{word}");
    }
    assert!(words.contains(&"insert"));
}

#[test]
fn files_stay_small_and_finished() {
    // Put together here, so that this file does not hold them.
    let marks = [concat!("TO", "DO"), concat!("FIX", "ME"), concat!("XX", "X")];
    let mut wrong = Vec::new();
    for source in sources(&["shared/src", "api/src", "worker/src", "src", "tests"]) {
        if source.lines > 600 {
            wrong.push(format!("{}: {} lines; a file has at most 600", source.path, source.lines));
        }
        let text = fs::read_to_string(root().join(&source.path)).unwrap();
        let words = text.split(|c: char| !c.is_alphanumeric() && c != '_').collect::<Vec<_>>();
        wrong.extend(marks.iter().filter(|m| words.contains(m)).map(|m| format!("{}: {m}", source.path)));
        if !text.starts_with("//!") && !is_test(&source.path) {
            wrong.push(format!("{}: no header that says what it is for", source.path));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_migration_has_its_twin() {
    let names = |folder: &str| {
        let mut names: Vec<String> = fs::read_dir(root().join("migrations").join(folder))
            .into_iter()
            .flatten()
            .flatten()
            .map(|entry| entry.file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    };
    assert_eq!(names("postgres"), names("sqlite"));
}
