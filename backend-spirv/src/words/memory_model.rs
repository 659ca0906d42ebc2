//! The memory model of Vulkan, which cooperative vectors require.
//!
//! Emission writes for the model of GLSL: memory that others see is shared by its storage class, and variables are coherent by a decoration. In
//! Vulkan's an access is private unless it says otherwise, and coherence is part of each access. One pass at the end says so.
//!
//! | for GLSL | for Vulkan |
//! |---|---|
//! | an access to a buffer, to groupshared memory or to a texel | `NonPrivate…` |
//! | `Coherent` on a variable | `Make…Available` for what is written, `Make…Visible` for what is read, by the device |
//! | `Volatile` on a builtin | `Volatile` on its loads |
//! | a barrier | it makes available and visible |

use rustc_hash::{FxHashMap, FxHashSet};
use spirv::{Capability, Decoration, ImageOperands, MemoryAccess, MemorySemantics, Op, Scope, StorageClass};

use super::{Id, Words, instructions};

/// Facts about pointers and images, by id.
#[derive(Default)]
struct Memory {
    /// The storage class of each type of pointers.
    classes: FxHashMap<u32, u32>,
    /// The type of each pointer.
    types: FxHashMap<u32, u32>,
    /// What each pointer into something, and each image, comes from.
    roots: FxHashMap<u32, u32>,
    coherent: FxHashSet<u32>,
    volatile: FxHashSet<u32>,
}

impl Memory {
    fn root(&self, id: u32) -> u32 {
        self.roots.get(&id).copied().unwrap_or(id)
    }

    /// Whether others see what a pointer leads to.
    fn is_shared(&self, pointer: u32) -> bool {
        const SHARED: [StorageClass; 3] = [StorageClass::StorageBuffer, StorageClass::Workgroup, StorageClass::PhysicalStorageBuffer];
        let class = self.types.get(&pointer).and_then(|t| self.classes.get(t));
        class.is_some_and(|&c| SHARED.iter().any(|&s| s as u32 == c))
    }

    fn note(&mut self, inst: &[u32]) {
        let op = inst[0] & 0xffff;
        let is = |all: &[Op]| all.iter().any(|&o| o as u32 == op);
        match inst {
            [_, id, class, _] if is(&[Op::TypePointer]) => _ = self.classes.insert(*id, *class),
            [_, ty, id, ..] if is(&[Op::Variable]) => _ = self.types.insert(*id, *ty),
            [_, ty, id, from, ..] if is(&[Op::AccessChain, Op::InBoundsAccessChain, Op::PtrAccessChain, Op::Bitcast, Op::CopyObject]) => {
                self.types.insert(*id, *ty);
                self.roots.insert(*id, self.root(*from));
            }
            [_, _, id, from, ..] if is(&[Op::Load]) => _ = self.roots.insert(*id, self.root(*from)),
            _ => {}
        }
    }
}

impl Words {
    /// Asks for the memory model of Vulkan.
    pub fn vulkan_memory_model(&mut self, reason: impl Fn() -> String) {
        self.capability(Capability::VulkanMemoryModel, &reason);
        self.capability(Capability::VulkanMemoryModelDeviceScope, &reason);
        self.for_vulkan = true;
    }

    /// Makes the module one of the memory model that it asks for.
    pub fn finish_memory_model(&mut self) {
        if !self.for_vulkan {
            return;
        }
        let mut memory = Memory::default();
        let (mut kept, decorations) = (Vec::new(), std::mem::take(&mut self.decorations));
        for inst in instructions(&decorations) {
            let of = |d: Decoration| inst[0] & 0xffff == Op::Decorate as u32 && inst[2] == d as u32;
            match () {
                () if of(Decoration::Coherent) => _ = memory.coherent.insert(inst[1]),
                () if of(Decoration::Volatile) => _ = memory.volatile.insert(inst[1]),
                () => kept.extend_from_slice(inst),
            }
        }
        self.decorations = kept;
        instructions(&self.globals).for_each(|i| memory.note(i));
        let device = self.u32(Scope::Device as u32).word();
        let (functions, mut out) = (std::mem::take(&mut self.functions), Vec::new());
        for inst in instructions(&functions) {
            memory.note(inst);
            self.shared_access(inst, &memory, device, &mut out);
        }
        self.functions = out;
    }

    /// Writes an instruction with what its access needs.
    fn shared_access(&mut self, inst: &[u32], memory: &Memory, device: u32, out: &mut Vec<u32>) {
        let op = inst[0] & 0xffff;
        let is = |o: Op| o as u32 == op;
        let coherent = |id: u32| memory.coherent.contains(&memory.root(id));
        let texel = ImageOperands::NON_PRIVATE_TEXEL.bits();
        match inst {
            [_, _, _, pointer, ..] if is(Op::Load) => {
                let mut mask = if memory.is_shared(*pointer) { MemoryAccess::NON_PRIVATE_POINTER } else { MemoryAccess::NONE };
                if memory.volatile.contains(&memory.root(*pointer)) {
                    mask |= MemoryAccess::VOLATILE;
                }
                if coherent(*pointer) && !mask.is_empty() {
                    mask |= MemoryAccess::MAKE_POINTER_VISIBLE;
                }
                with_mask(inst, 4, mask.bits(), mask.contains(MemoryAccess::MAKE_POINTER_VISIBLE).then_some(device), out);
            }
            [_, pointer, ..] if is(Op::Store) && memory.is_shared(*pointer) => {
                let scope = coherent(*pointer).then_some(device);
                let more = if scope.is_some() { MemoryAccess::MAKE_POINTER_AVAILABLE } else { MemoryAccess::NONE };
                with_mask(inst, 3, (MemoryAccess::NON_PRIVATE_POINTER | more).bits(), scope, out);
            }
            [_, to, from] if is(Op::CopyMemory) && (memory.is_shared(*to) || memory.is_shared(*from)) => {
                let mask = |id: u32| if memory.is_shared(id) { MemoryAccess::NON_PRIVATE_POINTER.bits() } else { 0 };
                out.extend([5 << 16 | op, *to, *from, mask(*to), mask(*from)]);
            }
            [_, _, _, image, ..] if is(Op::ImageRead) || is(Op::ImageSparseRead) => {
                let scope = coherent(*image).then_some(device);
                let more = if scope.is_some() { ImageOperands::MAKE_TEXEL_VISIBLE.bits() } else { 0 };
                with_mask(inst, 5, texel | more, scope, out);
            }
            [_, image, ..] if is(Op::ImageWrite) => {
                let scope = coherent(*image).then_some(device);
                let more = if scope.is_some() { ImageOperands::MAKE_TEXEL_AVAILABLE.bits() } else { 0 };
                with_mask(inst, 4, texel | more, scope, out);
            }
            [.., semantics] if is(Op::ControlBarrier) || is(Op::MemoryBarrier) => {
                let start = out.len();
                out.extend_from_slice(inst);
                let known = self.as_u32(Id::from_word(*semantics)).unwrap_or(0);
                if known != 0 {
                    let all = known | (MemorySemantics::MAKE_AVAILABLE | MemorySemantics::MAKE_VISIBLE).bits();
                    out[start + inst.len() - 1] = self.u32(all).word();
                }
            }
            _ => out.extend_from_slice(inst),
        }
    }
}

/// An instruction with more bits in the mask at word `at`, which it may not have yet, and a scope after all other operands of it.
fn with_mask(inst: &[u32], at: usize, mask: u32, scope: Option<u32>, out: &mut Vec<u32>) {
    if mask == 0 {
        return out.extend_from_slice(inst);
    }
    let start = out.len();
    out.extend_from_slice(inst);
    match inst.get(at) {
        Some(_) => out[start + at] |= mask,
        None => out.push(mask),
    }
    out.extend(scope);
    let length = (out.len() - start) as u32;
    out[start] = length << 16 | inst[0] & 0xffff;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::{TypeId, operands, put, put_result};

    /// The code of a module that stores into a variable and loads from it.
    fn stored(class: StorageClass, coherent: bool) -> Vec<u32> {
        let mut w = Words::default();
        let word = w.u32_ty();
        let v = w.variable(class, word, None);
        if coherent {
            w.decorate(v, Decoration::Coherent, &[]);
        }
        let one = w.u32(1);
        put(&mut w.functions, Op::Store, &[v, one]);
        let id = w.id();
        put_result(
            &mut w.functions,
            Op::Load,
            TypeId::from_word(word.word()),
            id,
            &operands![v, MemoryAccess::ALIGNED, super::super::Literal(4)],
        );
        w.vulkan_memory_model(|| "it is there".into());
        w.finish_memory_model();
        w.functions
    }

    #[test]
    fn what_others_see_is_not_private() {
        let words = stored(StorageClass::StorageBuffer, false);
        assert_eq!((words[0] >> 16, words[3]), (4, 0x20));
        assert_eq!((words[4] >> 16, &words[8..]), (6, &[0x22, 4][..]));
        assert_eq!(stored(StorageClass::Private, false)[0] >> 16, 3);
    }

    #[test]
    fn coherence_is_part_of_accesses() {
        let words = stored(StorageClass::StorageBuffer, true);
        assert_eq!((words[0] >> 16, words[3]), (5, 0x28));
        assert_eq!((words[5] >> 16, words[9], words.len()), (7, 0x32, 12));
    }

    #[test]
    fn barriers_make_available_and_visible() {
        let mut w = Words::default();
        let (scope, semantics) = (w.u32(2), w.u32(0x108));
        put(&mut w.functions, Op::ControlBarrier, &[scope, scope, semantics]);
        w.vulkan_memory_model(|| "it is there".into());
        w.finish_memory_model();
        assert_eq!(w.as_u32(Id::from_word(w.functions[3])), Some(0x6108));
    }
}
