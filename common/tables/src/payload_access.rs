//! Payload access qualifiers (DXR, payload access qualifiers): the stages that they name, the transitions of a payload between stages,
//! and how DXIL encodes them.
//!
//! A set of stages is a `u8` with bit [`PaqStage::bit`] for each, a set of transitions is [`Transitions`].

use crate::insts::Opcode;
use crate::stages::Stage;

/// A stage that payload access qualifiers name; its number is its bit in sets and its position in DXIL's masks.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
#[repr(u8)]
pub enum PaqStage {
    /// The shader that traces.
    Caller = 0,
    /// Closest-hit.
    ClosestHit = 1,
    /// Miss.
    Miss = 2,
    /// Any-hit.
    AnyHit = 3,
}

use PaqStage::{AnyHit, Caller, ClosestHit, Miss};

/// The set of all stages.
pub const ALL_STAGES: u8 = 0b1111;

impl PaqStage {
    /// All stages by number.
    pub const ALL: [PaqStage; 4] = [Caller, ClosestHit, Miss, AnyHit];

    /// The stages in the order in which they run.
    pub const IN_FLOW_ORDER: [PaqStage; 4] = [Caller, AnyHit, ClosestHit, Miss];

    /// The stage as a set.
    pub const fn bit(self) -> u8 {
        1 << self as u8
    }

    /// Whether the stage is in a set.
    pub const fn is_in(self, set: u8) -> bool {
        set & self.bit() != 0
    }

    /// The HLSL name.
    pub const fn name(self) -> &'static str {
        match self {
            Caller => "caller",
            ClosestHit => "closesthit",
            Miss => "miss",
            AnyHit => "anyhit",
        }
    }

    /// The stage with this HLSL name.
    pub fn from_name(name: &str) -> Option<PaqStage> {
        PaqStage::ALL.into_iter().find(|s| s.name() == name)
    }

    /// The stage in which shaders of a kind receive a payload.
    pub const fn of_shader(stage: Stage) -> Option<PaqStage> {
        match stage {
            Stage::AnyHit => Some(AnyHit),
            Stage::ClosestHit => Some(ClosestHit),
            Stage::Miss => Some(Miss),
            _ => None,
        }
    }

    /// The stages to which a payload may go from this one, as a set.
    pub fn successors(self) -> u8 {
        TRANSITIONS.iter().filter(|t| t.0 == self).fold(0, |set, t| set | t.1.bit())
    }

    /// The stages from which a payload may come to this one, as a set.
    pub fn predecessors(self) -> u8 {
        TRANSITIONS.iter().filter(|t| t.1 == self).fold(0, |set, t| set | t.0.bit())
    }

    /// The stages of a set by number.
    pub fn members(set: u8) -> impl Iterator<Item = PaqStage> {
        PaqStage::ALL.into_iter().filter(move |s| s.is_in(set))
    }

    /// The names of the stages of a set in the order in which they run, with `separator` between them.
    pub fn list(set: u8, separator: &str) -> String {
        let names = PaqStage::IN_FLOW_ORDER.into_iter().filter(|s| s.is_in(set)).map(PaqStage::name);
        names.collect::<Vec<_>>().join(separator)
    }
}

/// The transitions of a payload from one stage to the next (DXR, shader stage sequence). Any-hit shaders follow each other. Any stage
/// may be left out, by ray flags or for lack of shaders, so that the caller may follow itself. The order is part of the package format.
pub const TRANSITIONS: [(PaqStage, PaqStage); 10] = [
    (Caller, AnyHit),
    (Caller, ClosestHit),
    (Caller, Miss),
    (Caller, Caller),
    (AnyHit, AnyHit),
    (AnyHit, ClosestHit),
    (AnyHit, Miss),
    (AnyHit, Caller),
    (ClosestHit, Caller),
    (Miss, Caller),
];

/// A set of transitions: bit `n` is `TRANSITIONS[n]`.
pub type Transitions = u16;

/// All transitions.
pub const ALL_TRANSITIONS: Transitions = (1 << TRANSITIONS.len()) - 1;

/// The set of transitions for which `belongs` holds.
pub fn transitions_where(belongs: impl Fn(PaqStage, PaqStage) -> bool) -> Transitions {
    TRANSITIONS.iter().enumerate().filter(|(_, t)| belongs(t.0, t.1)).fold(0, |set, (n, _)| set | 1 << n)
}

/// The transitions of a set.
pub fn transitions_in(set: Transitions) -> impl Iterator<Item = (PaqStage, PaqStage)> {
    TRANSITIONS.into_iter().enumerate().filter(move |(n, _)| set >> n & 1 != 0).map(|(_, t)| t)
}

/// Payload access qualifiers of one field, as sets of [`PaqStage`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub struct Paq {
    /// Stages that may read.
    pub read: u8,
    /// Stages that may write.
    pub write: u8,
}

impl Paq {
    /// Whether a stage may read the field.
    pub const fn reads(self, stage: PaqStage) -> bool {
        stage.is_in(self.read)
    }

    /// Whether a stage may write the field.
    pub const fn writes(self, stage: PaqStage) -> bool {
        stage.is_in(self.write)
    }

    /// The mask of a field in DXIL: four bits for each stage, of which bit 0 is read and bit 1 write.
    pub fn to_dxil(self) -> u32 {
        PaqStage::ALL.into_iter().fold(0, |mask, s| {
            let bits = u32::from(self.reads(s)) | u32::from(self.writes(s)) << 1;
            mask | bits << (4 * s as u32)
        })
    }

    /// The qualifiers that a mask in DXIL encodes. Bits outside of [`DXIL_MASK`] are ignored.
    pub fn from_dxil(mask: u32) -> Paq {
        PaqStage::ALL.into_iter().fold(Paq::default(), |q, s| {
            let bits = mask >> (4 * s as u32);
            let set = |old: u8, bit: u32| if bits & bit != 0 { old | s.bit() } else { old };
            Paq { read: set(q.read, 1), write: set(q.write, 2) }
        })
    }
}

/// The bits that have a meaning in the mask of a field in DXIL.
pub const DXIL_MASK: u32 = 0x3333;

/// The named metadata with the qualifiers of a module: a node that starts with [`STRUCTS_TAG`], followed by pairs of an undefined value of
/// a structure type and a list of field records.
pub const METADATA: &str = "dx.dxrPayloadAnnotations";

/// The tag of a node of structures.
pub const STRUCTS_TAG: i32 = 0;

/// The tag of a field record: the tag and the mask follow each other.
pub const ACCESS_TAG: i32 = 0;

/// The stages between which the payload of a trace, seen from its caller, is exchanged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TraceBoundary {
    /// A field that one of these stages writes enters the trace.
    pub writers: u8,
    /// A field that one of these stages reads comes back from it.
    pub readers: u8,
}

/// The boundary of a trace. That of a hit object ends before closest-hit and miss shaders and its invocation starts with them: the
/// caller acts for the stages of the other instruction (DXR, hit object interaction with payload access qualifiers).
pub const fn trace_boundary(op: Opcode) -> TraceBoundary {
    match op {
        Opcode::hit_trace => TraceBoundary { writers: Caller.bit(), readers: Caller.bit() | ClosestHit.bit() | Miss.bit() },
        Opcode::hit_invoke => TraceBoundary { writers: Caller.bit() | AnyHit.bit(), readers: Caller.bit() },
        _ => TraceBoundary { writers: Caller.bit(), readers: Caller.bit() },
    }
}

/// The fewest stages that have to write so that the stages of `read` read something.
pub const fn minimal_writers(read: u8) -> u8 {
    opposite(read)
}

/// The fewest stages that have to read so that what the stages of `write` write is used.
pub const fn minimal_readers(write: u8) -> u8 {
    opposite(write)
}

/// The caller exchanges with the shaders that end a trace, these with the caller.
const fn opposite(set: u8) -> u8 {
    if set == 0 {
        0
    } else if set == Caller.bit() {
        ClosestHit.bit() | Miss.bit()
    } else {
        Caller.bit()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn masks_are_decoded_as_they_are_encoded() {
        for bits in 0..256u32 {
            let q = Paq { read: bits as u8 & 15, write: (bits >> 4) as u8 };
            assert_eq!(q.to_dxil() & !DXIL_MASK, 0);
            assert_eq!(Paq::from_dxil(q.to_dxil()), q);
        }
        assert_eq!(Paq { read: Caller.bit(), write: AnyHit.bit() }.to_dxil(), 0x2001);
    }

    #[test]
    fn stages_follow_each_other_as_the_specification_says() {
        assert_eq!(Caller.successors(), ALL_STAGES);
        assert_eq!(AnyHit.successors(), ALL_STAGES);
        assert_eq!(ClosestHit.successors(), Caller.bit());
        assert_eq!(Miss.successors(), Caller.bit());
        assert_eq!(Caller.predecessors(), ALL_STAGES);
        assert_eq!(AnyHit.predecessors(), Caller.bit() | AnyHit.bit());
        for s in PaqStage::ALL {
            assert_eq!(PaqStage::from_name(s.name()), Some(s));
        }
    }
}
