//! What is reported only where a shader of some stage uses it.

use rtc_base::Diagnostic;
use rtc_tables::pipeline::Partitioning;
use rustc_hash::FxHashMap;

use crate::hir::RecordId;

/// Stages, and reports that wait for a shader.
#[derive(Clone, Default)]
pub struct Stages {
    /// What becomes of types of other stages if the compute shader uses one.
    of_other_stages: Vec<Diagnostic>,
    /// The partitioning of the hull shader whose calls are checked.
    pub partitioning: Option<Partitioning>,
    /// What becomes of fields without access qualifiers if their structure is used as a payload.
    unqualified: FxHashMap<RecordId, Vec<Diagnostic>>,
}

impl Stages {
    /// Adds what is reported if the shader reaches a type of another stage.
    pub fn of_other_stages(&mut self, d: Diagnostic) {
        self.of_other_stages.push(d);
    }

    /// What there is to report of types of other stages.
    pub fn take_of_other_stages(&mut self) -> Vec<Diagnostic> {
        std::mem::take(&mut self.of_other_stages)
    }

    /// Adds what is reported of a field without qualifiers if `record` is a payload.
    pub fn unqualified(&mut self, record: RecordId, d: Diagnostic) {
        self.unqualified.entry(record).or_default().push(d);
    }

    /// Whether some structure has fields without qualifiers.
    pub fn has_unqualified(&self) -> bool {
        !self.unqualified.is_empty()
    }

    /// What there is to report of the fields of `record`, which is a payload.
    pub fn take_unqualified(&mut self, record: RecordId) -> Vec<Diagnostic> {
        self.unqualified.remove(&record).unwrap_or_default()
    }
}
