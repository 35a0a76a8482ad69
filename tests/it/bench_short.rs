//! The bench runs and gives every figure: it can't rot unseen. Nothing here judges speed.

#[path = "../bench/suite/mod.rs"]
mod suite;

use std::path::PathBuf;
use suite::{Counts, Places};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[expect(clippy::disallowed_methods, reason = "tests have no configuration file")]
async fn the_bench_runs() {
    let places = Places {
        neta: PathBuf::from(env!("CARGO_BIN_EXE_neta")),
        redis: std::env::var("NETA_TEST_REDIS_URL").unwrap_or_else(|_| "redis://127.0.0.1:6379".to_owned()),
    };
    let counts = Counts::of_form("least").expect("a form of that name");
    let report =
        suite::run(&places, &counts, &|_| {}, std::future::pending()).await.expect("all was measured");

    assert_eq!(report.machine.len(), 4);
    let text = report.text();
    for (title, rows) in &report.sections {
        assert!(text.contains(title.as_str()));
        for row in rows {
            assert!(text.contains(row.name.as_str()));
            for figure in &row.figures {
                // So little work may pass between two ticks of a CPU's clock, or within free memory.
                let sane = match figure.unit {
                    "ms" if row.name.contains("CPU") || row.name.contains("of it") => figure.value >= 0.0,
                    "KiB" => figure.value.is_finite(),
                    _ => figure.value > 0.0 && figure.ratio.is_none_or(|ratio| ratio > 0.0),
                };
                assert!(sane, "{}: {figure:?}", row.name);
            }
        }
    }
    let rows = |title: &str| {
        let found = report.sections.iter().find(|(found, _)| found.starts_with(title));
        found.map_or(0, |(_, rows)| rows.len())
    };
    assert_eq!(rows("Floors"), 6);
    // Two paths, turns and fan-outs with their CPU, three of subagents, four of sockets, three of
    // workers, six of waiting runs.
    assert!(rows("Cluster") >= 26, "{text}");
    assert!(rows("Standalone") >= 11, "{text}");
}
