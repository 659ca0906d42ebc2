//! Notes in a reorder report what later steps did at its points: what software reordering saves, and which traces all lanes of a wave execute.

use rtc_base::{SourceMap, Span};
use rtc_passes::converge::Outcome;
use rtc_passes::wavefront::Divided;

use super::{Fate, Report, SourceLocation};

impl Report {
    /// Notes how many words rays save at the points of a divided shader. Points of one call in the source are in the same order in both.
    pub(crate) fn note_saved(&mut self, divided: &Divided, map: &SourceMap) {
        let Some(f) = self.functions.iter_mut().find(|f| f.name == divided.shader) else { return };
        for p in &divided.points {
            let here = |l: &SourceLocation| is_at(l, p.span, map);
            if let Some(point) = f.points.iter_mut().find(|r| r.saved_words.is_none() && r.location.as_ref().is_some_and(here)) {
                point.saved_words = Some(p.words);
            }
        }
    }
}

impl Report {
    /// Notes what became of a trace under divergent control flow. Copies of one trace in the source, which inlining and unrolling make, are in the same order in both.
    pub(crate) fn note_converged(&mut self, outcome: &Outcome, map: &SourceMap) {
        let Some(f) = self.functions.iter_mut().find(|f| f.name == outcome.shader) else { return };
        let fate = outcome.kept.clone().map_or(Fate::Converged, Fate::Kept);
        let open = |fate: &Fate| matches!(fate, Fate::Possible);
        for p in &mut f.points {
            let here = p.location.as_ref().is_some_and(|l| is_at(l, outcome.span, map));
            if let Some(d) = p.divergence.as_mut().filter(|d| here && open(&d.fate)) {
                d.fate = fate;
                return;
            }
        }
    }
}

/// Whether a location is the beginning of a span.
fn is_at(l: &SourceLocation, span: Span, map: &SourceMap) -> bool {
    let Some((id, range)) = (!span.is_none()).then(|| map.range(span)).flatten() else { return false };
    let loc = map.loc_in(id, range.start);
    (&loc.file, loc.line, loc.column) == (&l.file, l.line, l.column)
}
