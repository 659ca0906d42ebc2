//! Notes in a reorder report what software reordering saves at its points.

use rtc_base::{SourceMap, Span};
use rtc_passes::wavefront::Divided;

use super::{Report, SourceLocation};

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

/// Whether a location is the beginning of a span.
fn is_at(l: &SourceLocation, span: Span, map: &SourceMap) -> bool {
    let Some((id, range)) = (!span.is_none()).then(|| map.range(span)).flatten() else { return false };
    let loc = map.loc_in(id, range.start);
    (&loc.file, loc.line, loc.column) == (&l.file, l.line, l.column)
}
