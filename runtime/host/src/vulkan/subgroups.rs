//! Operations of waves and quads in shaders of a draw, against the stages in which the device has them.
//!
//! A module has the capabilities of all of its shaders, so they do not say which shader uses what: the instructions do, of the
//! entry point's function and those that it calls.

use super::choose::Candidate;
use super::vk;
use super::words::{instructions, string};
use rtc_dxil_container::ShaderKind;
use rustc_hash::{FxHashMap, FxHashSet};
use spirv::Op;

/// In which stages a device has operations of waves and of quads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stages {
    /// `subgroupSupportedStages`.
    pub waves: vk::ShaderStageFlags,
    /// `subgroupQuadOperationsInAllStages`: quads too; otherwise they are in pixel and compute shaders alone.
    pub quads_everywhere: bool,
}

impl Stages {
    /// Those of a device.
    pub fn of(c: &Candidate) -> Stages {
        Stages { waves: c.waves.supported_stages, quads_everywhere: c.waves.quad_operations_in_all_stages != 0 }
    }

    /// Why a shader cannot run, if it cannot.
    pub fn refuse(self, device: &str, kind: ShaderKind, name: &str, used: Used) -> Option<String> {
        let stage = super::graphics::stage(kind);
        let lacks = |what: &str, limit: &str| {
            format!("the {kind} shader `{name}` uses {what}, which {device} does not have in {kind} shaders ({limit})")
        };
        if used != Used::Nothing && !self.waves.contains(stage) {
            return Some(lacks("operations of waves", "subgroupSupportedStages"));
        }
        let everywhere = self.quads_everywhere || matches!(kind, ShaderKind::Pixel | ShaderKind::Compute);
        (used == Used::Quads && !everywhere).then(|| lacks("operations of quads", "subgroupQuadOperationsInAllStages"))
    }
}

/// Whether a report of the validation layer about the pipeline of a draw, whose shaders were checked, is false: layers before 1.3.250 look at all
/// instructions of a module, not at those that its entry point reaches.
pub(super) fn is_false_report(text: &str) -> bool {
    ["VUID-RuntimeSpirv-None-06342", "VUID-RuntimeSpirv-None-06343"].iter().any(|id| text.contains(id))
}

/// What a shader uses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Used {
    /// Neither waves nor quads.
    #[default]
    Nothing,
    /// Operations of waves.
    Waves,
    /// Operations of quads, which are waves' too.
    Quads,
}

fn uses(op: Op) -> Used {
    match op {
        Op::GroupNonUniformQuadBroadcast | Op::GroupNonUniformQuadSwap | Op::GroupNonUniformQuadAllKHR | Op::GroupNonUniformQuadAnyKHR => {
            Used::Quads
        }
        Op::GroupNonUniformRotateKHR => Used::Waves,
        op if (Op::GroupNonUniformElect as u32..=Op::GroupNonUniformLogicalXor as u32).contains(&(op as u32)) => Used::Waves,
        _ => Used::Nothing,
    }
}

/// What an entry point of a module uses.
pub(super) fn used(module: &[u32], entry: &str) -> Used {
    let mut functions: FxHashMap<u32, (Used, Vec<u32>)> = FxHashMap::default();
    let (mut start, mut current) = (None, 0);
    for (op, words) in instructions(module) {
        match (op, words) {
            (Op::EntryPoint, [_, function, name @ ..]) if string(name).0 == entry.as_bytes() => start = Some(*function),
            (Op::Function, [_, function, ..]) => current = *function,
            (Op::FunctionCall, [_, _, called, ..]) => functions.entry(current).or_default().1.push(*called),
            _ => {
                let one = uses(op);
                if one != Used::Nothing {
                    let all = &mut functions.entry(current).or_default().0;
                    *all = one.max(*all);
                }
            }
        }
    }
    let (mut work, mut seen, mut out) = (Vec::from_iter(start), FxHashSet::default(), Used::Nothing);
    while let Some(function) = work.pop() {
        if let Some((own, calls)) = functions.get(&function).filter(|_| seen.insert(function)) {
            out = out.max(*own);
            work.extend(calls);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The words of instructions after a header.
    fn module(instructions: &[(Op, &[u32])]) -> Vec<u32> {
        let mut out = vec![0x0723_0203, 0x1_0500, 0, 100, 0];
        for (op, words) in instructions {
            out.push((words.len() as u32 + 1) << 16 | *op as u32);
            out.extend_from_slice(words);
        }
        out
    }

    #[test]
    fn of_the_entry_point_and_what_it_calls() {
        let name = |c: char| u32::from_le_bytes([c as u8, 0, 0, 0]);
        let m = module(&[
            (Op::EntryPoint, &[0, 10, name('v')]),
            (Op::EntryPoint, &[4, 11, name('p')]),
            (Op::EntryPoint, &[4, 12, name('q')]),
            (Op::Function, &[1, 10, 0, 2]),
            (Op::FunctionCall, &[1, 20, 13]),
            (Op::Function, &[1, 11, 0, 2]),
            (Op::GroupNonUniformQuadSwap, &[1, 21, 3, 22, 23]),
            (Op::GroupNonUniformElect, &[1, 24, 3]),
            (Op::Function, &[1, 12, 0, 2]),
            (Op::FunctionCall, &[1, 25, 14]),
            (Op::Function, &[1, 13, 0, 2]),
            (Op::FunctionCall, &[1, 26, 13]),
            (Op::Function, &[1, 14, 0, 2]),
            (Op::GroupNonUniformElect, &[1, 27, 3]),
        ]);
        let all = ["v", "p", "q", "none"].map(|entry| used(&m, entry));
        assert_eq!(all, [Used::Nothing, Used::Quads, Used::Waves, Used::Nothing]);
        // A module that is cut off is read as far as it goes.
        (0..m.len()).for_each(|n| _ = used(&m[..n], "p"));
    }

    #[test]
    fn what_a_device_lacks_is_named() {
        let some = Stages { waves: vk::ShaderStageFlags::FRAGMENT, quads_everywhere: false };
        let refuse = |stages: Stages, kind, used| stages.refuse("card", kind, "Main", used);
        assert_eq!(refuse(some, ShaderKind::Pixel, Used::Quads), None);
        assert_eq!(refuse(some, ShaderKind::Vertex, Used::Nothing), None);
        let said = refuse(some, ShaderKind::Vertex, Used::Waves).expect("a reason");
        let expected =
            "the vertex shader `Main` uses operations of waves, which card does not have in vertex shaders (subgroupSupportedStages)";
        assert_eq!(said, expected);
        let all = Stages { waves: vk::ShaderStageFlags::all(), ..some };
        assert_eq!(refuse(all, ShaderKind::Vertex, Used::Waves), None);
        assert!(refuse(all, ShaderKind::Vertex, Used::Quads).expect("a reason").contains("subgroupQuadOperationsInAllStages"));
        assert_eq!(refuse(Stages { quads_everywhere: true, ..all }, ShaderKind::Vertex, Used::Quads), None);
    }
}
