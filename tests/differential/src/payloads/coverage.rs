//! Which rows of the specification's tables programs have exercised.

use std::collections::BTreeMap;

use super::program::Stage;

/// How often each row was met.
#[derive(Clone, Debug, Default)]
pub struct Coverage {
    rows: BTreeMap<String, u64>,
}

/// The operations that pass payloads, and the transitions of each.
const FLOWS: [(&str, &[(Stage, Stage)]); 3] = {
    use Stage::{AnyHit, Caller, ClosestHit, Miss};
    [
        (
            "TraceRay",
            &[
                (Caller, AnyHit),
                (AnyHit, AnyHit),
                (Caller, ClosestHit),
                (Caller, Miss),
                (AnyHit, ClosestHit),
                (AnyHit, Miss),
                (ClosestHit, Caller),
                (Miss, Caller),
                (AnyHit, Caller),
                (Caller, Caller),
            ],
        ),
        ("HitObject::TraceRay", &[(Caller, AnyHit), (AnyHit, AnyHit), (AnyHit, Caller), (Caller, Caller)]),
        ("HitObject::Invoke", &[(Caller, ClosestHit), (Caller, Miss), (ClosestHit, Caller), (Miss, Caller), (Caller, Caller)]),
    ]
};

/// The classes of a stage's qualifiers.
pub const CLASSES: [&str; 4] = ["none", "read", "write", "read+write"];

/// The coverage row of a transition between stages: whether a value is copied on it.
pub fn transition(operation: &str, from: Stage, to: Stage, carried: bool) -> String {
    format!("{operation}: {} -> {}, a value {}", from.name(), to.name(), if carried { "goes along" } else { "is left" })
}

/// The row of what a stage's qualifiers do with a field that the shader stores to or not.
pub fn stage(stage: Stage, class: &str, how: &str) -> String {
    format!("{} {class}: {how}", stage.name())
}

/// The row of an operation that a stage calls.
pub fn caller(operation: &str, stage: &str) -> String {
    format!("{operation}: in a {stage} shader")
}

/// How a shader treats a field with a value: what its qualifiers say must hold in each case.
const TREATMENTS: [&str; 2] = ["stored", "not stored"];
/// "If the given stage does not execute, the payload field remains unmodified."
pub const NOT_EXECUTED: &str = "not executed";

/// Rows that are no combination.
const SINGLE: [&str; 21] = [
    "HitObject::TraceRay: read(closesthit) is treated as read(caller)",
    "HitObject::TraceRay: read(miss) is treated as read(caller)",
    "HitObject::Invoke: write(anyhit) is treated as write(caller)",
    "HitObject::Invoke: another payload than that of the trace",
    "HitObject::Invoke: a nop",
    "HitObject::Invoke: made by MakeMiss",
    "HitObject::Invoke: again",
    "anyhit ends: return",
    "anyhit ends: IgnoreHit",
    "anyhit ends: AcceptHitAndEndSearch",
    "anyhit ends: IgnoreHit in a function",
    "anyhit ends: AcceptHitAndEndSearch in a function",
    "flag: FORCE_OPAQUE, no anyhit",
    "flag: SKIP_CLOSEST_HIT_SHADER, no closesthit",
    "flag: ACCEPT_FIRST_HIT_AND_END_SEARCH",
    "local copy: as an argument",
    "local copy: assigned",
    "local copy: in a static variable",
    "payload in a payload",
    "forwarded to a recursive trace",
    "callable: by value",
];

/// All rows that there are.
pub fn all() -> Vec<String> {
    let mut rows: Vec<String> = SINGLE.iter().map(|s| s.to_string()).collect();
    for (operation, transitions) in FLOWS {
        for &(from, to) in transitions {
            rows.extend([true, false].map(|carried| transition(operation, from, to, carried)));
        }
    }
    for s in [Stage::ClosestHit, Stage::Miss, Stage::AnyHit] {
        for class in CLASSES {
            rows.extend(TREATMENTS.map(|how| stage(s, class, how)));
            rows.push(stage(s, class, NOT_EXECUTED));
        }
        if s != Stage::AnyHit {
            rows.extend(CLASSES.map(|class| stage(s, class, "null shader")));
        }
    }
    for (operation, _) in FLOWS {
        rows.extend(["raygeneration", "closesthit", "miss"].map(|stage| caller(operation, stage)));
    }
    for class in CLASSES {
        rows.extend(FLOWS.map(|(operation, _)| stage(Stage::Caller, class, operation)));
    }
    rows
}

impl Coverage {
    /// Notes that a row was met.
    pub fn met(&mut self, row: impl Into<String>) {
        *self.rows.entry(row.into()).or_default() += 1;
    }

    /// Adds what another one has.
    pub fn join(&mut self, other: &Coverage) {
        for (row, n) in &other.rows {
            *self.rows.entry(row.clone()).or_default() += n;
        }
    }

    /// The rows that were not met.
    pub fn missing(&self) -> Vec<String> {
        all().into_iter().filter(|row| !self.rows.contains_key(row)).collect()
    }

    /// The rows that were met, and how often.
    pub fn met_rows(&self) -> impl Iterator<Item = (&str, u64)> {
        self.rows.iter().map(|(row, n)| (row.as_str(), *n))
    }
}
