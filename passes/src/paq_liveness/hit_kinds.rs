//! Kinds of hit objects, where hit objects come from, and which shaders a trace may run by the kinds of its hit object (DXR, HitObject).

use rtc_ir::{Opcode, PaqStage};
use rtc_tables::ray_flags::SKIP_CLOSEST_HIT;

use super::types::Part;

/// Neither hit nor miss.
pub(super) const NOP: u8 = 1;
/// A hit with a record: its closest-hit shader runs.
pub(super) const HIT: u8 = 2;
/// A miss: its miss shader runs.
pub(super) const MISS: u8 = 4;
/// What a ray query committed: a hit without a record.
pub(super) const UNBOUND: u8 = 8;
/// A hit of a ray that skips closest-hit shaders.
pub(super) const SKIPS: u8 = 16;
/// Besides its kinds: not all assumptions of the path are kept, so no path may have just these.
pub(super) const VAGUE: u8 = 32;
/// Each of these.
pub(super) const ANY: u8 = NOP | HIT | MISS | UNBOUND | SKIPS;

/// Whether a ray with these flags runs no closest-hit shader.
pub(super) fn skips_closest_hit(flags: u64) -> bool {
    flags & u64::from(SKIP_CLOSEST_HIT) != 0
}

/// Which of the kinds are hits.
pub(super) const HITS: u8 = HIT | UNBOUND | SKIPS;

/// Where hit objects come from.
#[derive(Clone, Copy, Debug)]
pub(super) enum Origin {
    /// One of these kinds.
    One(u8),
    /// One of those in these cells.
    From(Part),
    /// That in a cell, with a record of its own.
    Bound(u32),
}

/// Which shaders a trace may run.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Runs {
    /// Their stages, a bit for each [`PaqStage`].
    pub stages: u8,
    /// It may end without a closest-hit or miss shader: one of the shaders that there are (a hit group may lack one besides).
    pub nothing: bool,
}

impl Runs {
    /// Those of a trace before anything is known about its hit object.
    pub(super) fn of(op: Opcode, flags: Option<u64>) -> Runs {
        let skips = flags.map(skips_closest_hit);
        let closest_hit = if skips == Some(true) { 0 } else { PaqStage::ClosestHit.bit() };
        match op {
            Opcode::hit_trace => Runs { stages: PaqStage::AnyHit.bit(), nothing: true },
            Opcode::hit_invoke => invoked(ANY),
            _ => Runs { stages: PaqStage::AnyHit.bit() | closest_hit | PaqStage::Miss.bit(), nothing: skips != Some(false) },
        }
    }
}

/// The kinds of hit objects of which an invocation may run this.
pub(super) fn kinds_of(runs: Runs) -> u8 {
    let if_runs = |s: PaqStage, kind: u8| if runs.stages & s.bit() != 0 { kind } else { 0 };
    let nothing = if runs.nothing { NOP | UNBOUND | SKIPS } else { 0 };
    nothing | if_runs(PaqStage::ClosestHit, HIT) | if_runs(PaqStage::Miss, MISS)
}

/// What an invocation of hit objects of these kinds runs.
pub(super) fn invoked(kinds: u8) -> Runs {
    let stage = |kind: u8, s: PaqStage| if kinds & kind != 0 { s.bit() } else { 0 };
    Runs { stages: stage(HIT, PaqStage::ClosestHit) | stage(MISS, PaqStage::Miss), nothing: kinds & (NOP | UNBOUND | SKIPS) != 0 }
}
