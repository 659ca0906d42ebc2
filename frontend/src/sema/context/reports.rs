//! The reports of an analysis: each place is reported once, with the instantiations around it, and none while types are only tried.

use rtc_base::{Diagnostic, SourceMap, Span, Symbol};
use rustc_hash::FxHashSet;

use super::Steps;
use crate::preprocess::headers::is_inside;

/// The number of instantiations that a diagnostic lists.
pub const LONGEST_TRACE: usize = 8;

/// How many undeclared names of a file get a suggestion. Each search is linear in the number of names.
const MAX_GUESSES: u32 = 100;

/// What identifies a report: its code, or the name of a rule, and its place.
pub type Key = (&'static str, Span);

/// What is reported.
#[derive(Clone)]
pub struct Reports {
    /// The diagnostics.
    all: Vec<Diagnostic>,
    /// Those that are not repeated.
    known: FxHashSet<Key>,
    /// Reports are dropped while this is not 0.
    muted: u32,
    /// How many more unknown names get a spelling suggestion: files with thousands of them would take too long.
    guesses: u32,
    /// Names that are reported as unknown types: not reported again as values.
    unknown_types: FxHashSet<Symbol>,
}

impl Default for Reports {
    fn default() -> Self {
        Reports { all: Vec::new(), known: FxHashSet::default(), muted: 0, guesses: MAX_GUESSES, unknown_types: FxHashSet::default() }
    }
}

impl Reports {
    /// Reports `d`, with the enclosing instantiations.
    pub fn add(&mut self, d: Diagnostic, sources: &SourceMap, steps: &Steps) {
        if self.muted > 0 {
            return;
        }
        // What is only suspicious in a header that the compiler has inside is no matter of the program's.
        let moved = is_built_in(sources, d.span());
        if moved && !d.is_error() {
            return;
        }
        let d = at_the_program(d, sources, &steps.spans());
        // Source that is checked again (a type shared by declarators, another instance) is not reported again.
        let span = d.span();
        if !span.is_none() && !self.known.insert((d.code.id, span)) {
            return;
        }
        let mut d = steps.label(d, sources);
        if moved {
            // The step that it is at says nothing more.
            let mut first = true;
            d.labels.retain(|l| std::mem::take(&mut first) || l.span != span);
        }
        self.all.push(d);
    }

    /// Whether there is an error.
    pub fn has_errors(&self) -> bool {
        self.all.iter().any(Diagnostic::is_error)
    }

    /// The diagnostics.
    pub fn finish(self) -> Vec<Diagnostic> {
        self.all
    }

    /// Whether `key` is new, which it is no longer after this.
    pub fn is_first(&mut self, key: Key) -> bool {
        self.known.insert(key)
    }

    // Trying ------------------------------------------------------------------------------------

    /// Whether reports are dropped.
    pub fn is_muted(&self) -> bool {
        self.muted > 0
    }

    /// Drops reports until [`Reports::unmute`].
    pub fn mute(&mut self) {
        self.muted += 1;
    }

    /// Ends what [`Reports::mute`] began.
    pub fn unmute(&mut self) {
        self.muted -= 1;
    }

    /// How many there are: for [`Reports::since`].
    pub fn count(&self) -> usize {
        self.all.len()
    }

    /// Takes those from number `from` on back.
    pub fn since(&mut self, from: usize) -> Vec<Diagnostic> {
        self.all.split_off(from)
    }

    /// Adds diagnostics as they are.
    pub fn extend(&mut self, more: impl IntoIterator<Item = Diagnostic>) {
        self.all.extend(more);
    }

    /// Forgets what was reported; [`Reports::remember`] brings it back.
    pub fn forget(&mut self) -> FxHashSet<Key> {
        std::mem::take(&mut self.known)
    }

    /// Ends what [`Reports::forget`] began.
    pub fn remember(&mut self, known: FxHashSet<Key>) {
        self.known = known;
    }

    // Names -------------------------------------------------------------------------------------

    /// Whether one more unknown name gets a suggestion.
    pub fn may_guess(&mut self) -> bool {
        let left = self.guesses.checked_sub(1);
        self.guesses = left.unwrap_or(0);
        left.is_some()
    }

    /// Remembers a name that is reported as an unknown type.
    pub fn note_unknown_type(&mut self, name: Symbol) {
        self.unknown_types.insert(name);
    }

    /// Whether `name` is reported as an unknown type.
    pub fn is_unknown_type(&self, name: Symbol) -> bool {
        self.unknown_types.contains(&name)
    }
}

/// Whether something is in a header that the compiler has inside.
pub fn is_built_in(sources: &SourceMap, span: Span) -> bool {
    let file = sources.find(sources.file_span(span).lo);
    file.is_some_and(|f| is_inside(&sources.file(f).name))
}

/// `d`, if it is in a header that the compiler has inside, at the first of `steps` that is in the program.
pub fn at_the_program(mut d: Diagnostic, sources: &SourceMap, steps: &[Span]) -> Diagnostic {
    if !is_built_in(sources, d.span()) {
        return d;
    }
    let Some(&at) = steps.iter().find(|&&s| !s.is_none() && !is_built_in(sources, s)) else { return d };
    if let Some(primary) = d.labels.first_mut() {
        primary.span = at;
    }
    let mut first = true;
    d.labels.retain(|l| std::mem::take(&mut first) || l.span != at && !is_built_in(sources, l.span));
    d
}
