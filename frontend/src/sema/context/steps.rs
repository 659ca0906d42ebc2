//! The instantiations of templates around the current position.

use rtc_base::{Diagnostic, SourceMap, Span};

use super::reports::{LONGEST_TRACE, is_built_in};

/// An instance as diagnostics name it, and the span that requires it.
pub type Step = (String, Span);

/// Instantiations in each other.
#[derive(Clone, Default)]
pub struct Steps {
    /// How many they are. It is more than [`Steps::trace`] has where names of aliases are instances.
    pub depth: u32,
    /// For notes, outermost first.
    pub trace: Vec<Step>,
    /// The instance of a class template whose members are being declared.
    pub instance: Option<Step>,
}

impl Steps {
    /// Enters an instance whose members are declared. The result is for [`Steps::leave`].
    pub fn enter(&mut self, shown: String, span: Span) -> Option<Step> {
        self.depth += 1;
        self.trace.push((shown.clone(), span));
        self.instance.replace((shown, span))
    }

    /// Leaves what [`Steps::enter`] entered.
    pub fn leave(&mut self, outer: Option<Step>) {
        self.instance = outer;
        self.trace.pop();
        self.depth -= 1;
    }

    /// Enters a body that `depth` instantiations led to, of which `more` are named. The result is for [`Steps::leave_body`].
    pub fn enter_body(&mut self, depth: u32, more: &[Step]) -> (u32, usize) {
        let outer = (std::mem::replace(&mut self.depth, depth), self.trace.len());
        self.trace.extend(more.iter().cloned());
        outer
    }

    /// Leaves what [`Steps::enter_body`] entered.
    pub fn leave_body(&mut self, outer: (u32, usize)) {
        self.depth = outer.0;
        self.trace.truncate(outer.1);
    }

    /// The steps to an instance that is required at `span`: no more than diagnostics list.
    pub fn with(&self, shown: String, span: Span) -> Vec<Step> {
        let from = self.trace.len().saturating_sub(LONGEST_TRACE - 1);
        let mut all = self.trace[from..].to_vec();
        all.push((shown, span));
        all
    }

    /// The spans that require the instances, innermost first.
    pub fn spans(&self) -> Vec<Span> {
        self.trace.iter().rev().map(|t| t.1).collect()
    }

    /// `d` with the instantiations.
    pub fn label(&self, d: Diagnostic, sources: &SourceMap) -> Diagnostic {
        let steps = self.trace.iter().rev().take(LONGEST_TRACE).filter(|s| !is_built_in(sources, s.1));
        steps.fold(d, |d, (what, at)| d.label(*at, format!("in {what}, needed here")))
    }
}
