//! How a check ended.

/// How a check ended.
#[derive(Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Without a finding.
    Passed,
    /// With the end of its output.
    Failed(String),
    /// A component is missing: how to install it.
    Skipped(String),
}
