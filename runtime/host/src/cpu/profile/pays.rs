//! Whether reordering pays at a point: what sorting saves of the shaders that run next, less what moving rays costs.
//!
//! The saving is measured: instructions of the shaders that waves run next, as they are and sorted, where each shader counts with an estimate
//! from its code. The cost is a model ([`rtc_tables::reorder_cost`]) of live state and waves. What comes after these shaders is not counted, so
//! a hint that keeps paths together for longer is worth more than this says.

use std::fmt::Write as _;

use rtc_tables::reorder_cost;

use super::report::{Report, Row};

/// Bytes that are live across a point, as the compiler's report on reorder points (`-report reorder`) says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LiveState {
    /// The file of the call.
    pub file: String,
    /// Its line.
    pub line: u32,
    /// The bytes.
    pub bytes: u32,
}

/// What is done at a point.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Way {
    /// Nothing: hit objects are lowered, threads stay.
    Stay,
    /// Hardware moves threads.
    Hardware,
    /// The runtime sorts rays between stages (`-fspv-ser=wavefront`).
    Wavefront,
}

/// The estimate for a point, in instructions that waves issue, for a full wave of rays.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    /// Of the shaders that run next, as rays are.
    pub before: f64,
    /// Of these shaders, after sorting.
    pub after: f64,
    /// What is gained if hardware reorders; below 0 it is lost.
    pub hardware: f64,
    /// What is gained if the runtime sorts rays.
    pub wavefront: f64,
}

/// A gain below this share of what is executed anyway is noise.
const WORTH: f64 = 0.05;

impl Estimate {
    /// For `rays` in waves of `width`, whose waves issue these instructions in all, with so many bytes live across the point.
    pub fn new(rays: u64, width: u32, [before, after]: [f64; 2], live: u32) -> Estimate {
        // Waves are not full: what they issue, for as many rays as a full one has.
        let full = rays as f64 / f64::from(width.max(1));
        let (before, after) = if full > 0.0 { (before / full, after / full) } else { (0.0, 0.0) };
        let saved = before - after;
        Estimate {
            before,
            after,
            hardware: saved - reorder_cost::hardware(width, live),
            wavefront: saved - reorder_cost::wavefront(width, live),
        }
    }

    /// What is best where hardware reorders, or where it does not.
    pub fn best(&self, hardware: bool) -> Way {
        let noise = WORTH * self.before;
        if hardware && self.hardware > noise && self.hardware >= self.wavefront {
            Way::Hardware
        } else if self.wavefront > noise {
            Way::Wavefront
        } else {
            Way::Stay
        }
    }

    /// In words.
    pub(super) fn verdict(&self) -> &'static str {
        match (self.best(true), self.best(false)) {
            (Way::Hardware, Way::Wavefront) => "pays: on hardware that reorders, and by wavefront",
            (Way::Hardware, _) => "pays on hardware that reorders alone",
            (Way::Wavefront, _) => "pays by wavefront",
            (Way::Stay, _) => "does not pay: lower it, or leave it out",
        }
    }
}

impl Row {
    /// The estimate, and the bytes that it assumes; none of a point that runs no shader of a known record next. Without a report the live state
    /// is taken to be nothing, which is the best case of moving rays.
    pub fn estimate(&self, live: &[LiveState]) -> Option<(Estimate, Option<u32>)> {
        let total = [self.before.work * self.before.waves as f64, self.after.work * self.after.waves as f64];
        if total[0] <= 0.0 {
            return None;
        }
        let found = self.place.as_ref().and_then(|(file, line)| {
            // A function that was inlined several times has a point for each call.
            live.iter().filter(|l| l.line == *line && same_file(&l.file, file)).map(|l| l.bytes).max()
        });
        Some((Estimate::new(self.times, self.width, total, found.unwrap_or(0)), found))
    }
}

/// Whether two names are of one file: the compiler's and those of debug information have different folders.
fn same_file(a: &str, b: &str) -> bool {
    let last = |name: &str| name.rsplit(['/', '\\']).next().map(str::to_string);
    last(a) == last(b)
}

impl Report {
    /// A table of estimates with verdicts; nothing if no point has one.
    pub fn verdicts(&self, live: &[LiveState]) -> String {
        let rows: Vec<_> = self.rows.iter().filter_map(|r| Some((r.point(), r.estimate(live)?))).collect();
        let mut out = String::new();
        let Some(long) = rows.iter().map(|r| r.0.chars().count()).max() else { return out };
        let long = long.max(5);
        out += "whether reordering pays, in instructions of the shaders that run next, for a wave of rays (estimates)\n";
        _ = writeln!(
            out,
            "{:long$}  {:>8}{:>9}  {:>10}  {:>9}  {:>9}  verdict",
            "point", "before", "sorted", "live bytes", "hardware", "wavefront"
        );
        for (point, (e, bytes)) in &rows {
            let bytes = bytes.map_or("unknown".to_string(), |b| b.to_string());
            let (hardware, wavefront) = (e.hardware, e.wavefront);
            _ = writeln!(
                out,
                "{point:long$}  {:>8.0}{:>9.0}  {bytes:>10}  {hardware:>+9.0}  {wavefront:>+9.0}  {}",
                e.before,
                e.after,
                e.verdict()
            );
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpu::profile::Means;

    #[test]
    fn what_is_saved_must_exceed_the_price() {
        // A thousand full waves that issue 5,000 each, 1,000 when they are sorted.
        let of = |before: f64, after: f64, live: u32| Estimate::new(32_000, 32, [before * 1000.0, after * 1000.0], live);
        let e = of(5000.0, 1000.0, 64);
        assert_eq!((e.before, e.after), (5000.0, 1000.0));
        assert_eq!((e.hardware, e.wavefront), (4000.0 - 356.0, 4000.0 - 1468.0));
        assert_eq!((e.best(true), e.best(false)), (Way::Hardware, Way::Wavefront));
        // Little divergence pays on hardware alone, coherent rays nowhere.
        let e = of(1500.0, 800.0, 64);
        assert_eq!((e.best(true), e.best(false)), (Way::Hardware, Way::Stay));
        let e = of(1000.0, 1000.0, 0);
        assert_eq!((e.best(true), e.best(false)), (Way::Stay, Way::Stay));
        // Much live state costs more than it saves.
        let e = of(5000.0, 1000.0, 1024);
        assert_eq!((e.best(true), e.best(false)), (Way::Stay, Way::Stay));
        assert!(e.hardware < 0.0 && e.wavefront < e.hardware);
        // A gain of one per cent is noise.
        assert_eq!(of(100_000.0, 98_900.0, 0).best(true), Way::Stay);
        // No rays.
        assert_eq!(Estimate::new(0, 32, [0.0, 0.0], 4).best(true), Way::Stay);
    }

    #[test]
    fn the_table_says_its_inputs() {
        let means = |waves, work| Means { waves, groups: 2.0, hints: 1.0, occupancy: 1.0, work };
        let row = |op, work| Row {
            op,
            shader: "Main".into(),
            place: Some(("folder/a.hlsl".into(), 7)),
            times: 64,
            width: 32,
            before: means(2, work),
            after: means(2, work / 4.0),
            parts: 1.0,
        };
        let report = Report {
            size: [8, 8, 1],
            rows: vec![row("MaybeReorderThread", 8000.0), row("TraceRay", 0.0)],
            map: Vec::new(),
            parts_at_end: 1.0,
        };
        let live = [("a.hlsl", 7, 32), ("b.hlsl", 7, 999), ("a.hlsl", 7, 64), ("a.hlsl", 8, 999)];
        let live = live.map(|(file, line, bytes)| LiveState { file: file.into(), line, bytes });
        let text = report.verdicts(&live);
        let words: Vec<&str> = text.lines().nth(2).expect("a row").split_whitespace().collect();
        assert_eq!(words[..3], ["MaybeReorderThread", "in", "Main,"]);
        assert_eq!(words[4..9], ["8000", "2000", "64", "+5644", "+4532"]);
        assert_eq!(text.lines().count(), 3, "{text}");
        assert!(report.verdicts(&[]).contains(" unknown "));
        let none = Report { rows: vec![row("TraceRay", 0.0)], ..report };
        assert_eq!(none.verdicts(&[]), "");
    }
}
