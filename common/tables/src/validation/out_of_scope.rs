//! Rules that are not checked: why, and which.

const NODES: &str = "work-graph nodes are no stage of rtc";
const NEVER: &str = "the reference validator declares it and never looks";

/// Reasons, each with the rules that it holds for.
pub const OUT_OF_SCOPE: &[(&str, &[&str])] = &[
    (NODES, &["DECL.MULTIPLENODEINPUTS", "DECL.NODELAUNCHINPUTTYPE", "SM.INCOMPATIBLEDERIVLAUNCH"]),
    (NEVER, &["SM.APPENDANDCONSUMEONSAMEUAV"]),
];
