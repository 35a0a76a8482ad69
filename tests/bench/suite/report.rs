//! What was measured, as rows of text.

use super::samples::Spread;
use std::fmt::Write;

/// Everything, in the order of measuring.
#[derive(Debug)]
pub struct Report {
    /// What it was measured on.
    pub machine: Vec<String>,
    /// Headings and what stands under them.
    pub sections: Vec<(String, Vec<Row>)>,
}

/// One thing that was measured.
#[derive(Debug)]
pub struct Row {
    /// What.
    pub name: String,
    /// How much.
    pub figures: Vec<Figure>,
    /// What the ratios are over.
    pub over: Option<String>,
}

/// One number.
#[derive(Debug)]
pub struct Figure {
    /// `p50`, `p99`; empty if there is only one.
    pub label: &'static str,
    /// The number.
    pub value: f64,
    /// What it counts.
    pub unit: &'static str,
    /// The number over what the row names.
    pub ratio: Option<f64>,
}

/// What something is compared with.
#[derive(Debug)]
pub struct Floor {
    /// What it is made of.
    pub name: &'static str,
    /// How long it takes.
    pub spread: Spread,
}

impl Report {
    pub fn new(machine: Vec<String>) -> Self {
        Self { machine, sections: Vec::new() }
    }

    pub fn section(&mut self, title: &str) {
        self.sections.push((title.to_owned(), Vec::new()));
    }

    fn row(&mut self, row: Row) {
        if let Some((_, rows)) = self.sections.last_mut() {
            rows.push(row);
        }
    }

    /// A duration, over a floor if there is one.
    pub fn spread(&mut self, name: &str, spread: Spread, over: Option<&Floor>) {
        let figure = |label, value: f64, floor: Option<f64>| Figure {
            label,
            value,
            unit: "ms",
            ratio: floor.map(|floor| value / floor),
        };
        let figures = vec![
            figure("p50", spread.p50, over.map(|floor| floor.spread.p50)),
            figure("p99", spread.p99, over.map(|floor| floor.spread.p99)),
        ];
        self.row(Row { name: name.to_owned(), figures, over: over.map(|floor| floor.name.to_owned()) });
    }

    /// One number, with its ratio to what `over` names.
    pub fn value(&mut self, name: &str, value: f64, unit: &'static str, over: Option<(f64, &str)>) {
        let figure = Figure { label: "", value, unit, ratio: over.map(|(ratio, _)| ratio) };
        let over = over.map(|(_, name)| name.to_owned());
        self.row(Row { name: name.to_owned(), figures: vec![figure], over });
    }

    /// To be read by a person.
    pub fn text(&self) -> String {
        let mut out = self.machine.join("\n");
        for (title, rows) in &self.sections {
            let _ = write!(out, "\n\n{title}");
            for row in rows {
                let _ = write!(out, "\n  {:<46}", row.name);
                for figure in &row.figures {
                    let Figure { label, value, unit, .. } = figure;
                    let digits = if value.abs() >= 100.0 {
                        0
                    } else if value.abs() >= 10.0 {
                        1
                    } else {
                        3
                    };
                    let _ = write!(out, " {label:>3} {value:>8.digits$} {unit:<5}");
                    if let Some(ratio) = figure.ratio {
                        let digits = if ratio < 0.1 { 4 } else { 2 };
                        let _ = write!(out, " {ratio:>6.digits$}x");
                    }
                }
                if let Some(over) = &row.over {
                    let _ = write!(out, "  of {over}");
                }
            }
        }
        out
    }
}
