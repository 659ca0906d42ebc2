//! A SPIR-V module under construction: its sections as words, with types, constants, capabilities and
//! extensions interned. It encodes the binary form and does not depend on the IR.

use std::borrow::Cow;

use indexmap::IndexMap;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use spirv::{Capability, Decoration, Dim, Op, StorageClass};

/// Appends one instruction.
pub fn put(out: &mut Vec<u32>, op: Op, operands: &[u32]) {
    out.push(((operands.len() as u32 + 1) << 16) | op as u32);
    out.extend_from_slice(operands);
}

/// The words of a literal string: UTF-8, NUL-terminated, zero padded.
pub fn string(text: &str) -> Vec<u32> {
    let mut bytes = text.as_bytes().to_vec();
    bytes.push(0);
    bytes.resize(bytes.len().next_multiple_of(4), 0);
    bytes.chunks_exact(4).map(|c| u32::from_le_bytes([c[0], c[1], c[2], c[3]])).collect()
}

/// A SPIR-V module under construction.
pub struct Words {
    next: u32,
    /// Capabilities with the reason for the first request.
    pub capabilities: IndexMap<u32, String>,
    /// Extensions with the reason for the first request.
    pub extensions: IndexMap<Cow<'static, str>, String>,
    /// Features of Vulkan without a capability, with the reason for each.
    pub features: IndexMap<&'static str, String>,
    /// The id of `GLSL.std.450`.
    pub glsl: u32,
    /// Other extended instruction sets.
    sets: IndexMap<String, u32>,
    /// Physical addressing, when something needs addresses.
    pub physical: bool,
    /// `OpEntryPoint`s.
    pub entry_points: Vec<u32>,
    /// `OpExecutionMode`s.
    pub modes: Vec<u32>,
    /// `OpExtInstImport`s of sets with debug information.
    pub imports: Vec<u32>,
    /// `OpString`s and `OpSource`s.
    pub strings: Vec<u32>,
    /// `OpName`s and `OpMemberName`s.
    pub names: Vec<u32>,
    /// Decorations that are strings or refer to ids, for reflection.
    pub reflection: Vec<u32>,
    /// `OpModuleProcessed`s.
    pub processed: Vec<u32>,
    decorations: Vec<u32>,
    globals: Vec<u32>,
    /// Debug information outside of functions, which may name whatever is at module scope.
    pub debug: Vec<u32>,
    /// Finished functions.
    pub functions: Vec<u32>,
    interned: FxHashMap<SmallVec<[u32; 8]>, u32>,
    nonuniform: FxHashSet<u32>,
    /// The ids with decorations.
    decorated: FxHashSet<u32>,
    /// The 32-bit integer constants by id.
    numbers: FxHashMap<u32, u32>,
}

impl Default for Words {
    fn default() -> Self {
        Words {
            next: 2,
            capabilities: IndexMap::new(),
            extensions: IndexMap::new(),
            features: IndexMap::new(),
            glsl: 1,
            sets: IndexMap::new(),
            physical: false,
            entry_points: Vec::new(),
            modes: Vec::new(),
            imports: Vec::new(),
            strings: Vec::new(),
            names: Vec::new(),
            reflection: Vec::new(),
            processed: Vec::new(),
            decorations: Vec::new(),
            globals: Vec::new(),
            debug: Vec::new(),
            functions: Vec::new(),
            interned: FxHashMap::default(),
            nonuniform: FxHashSet::default(),
            decorated: FxHashSet::default(),
            numbers: FxHashMap::default(),
        }
    }
}

impl Words {
    /// A fresh id.
    pub fn id(&mut self) -> u32 {
        self.next += 1;
        self.next - 1
    }

    /// Asks for a capability; the first reason is kept.
    pub fn capability(&mut self, c: Capability, reason: impl FnOnce() -> String) {
        self.capabilities.entry(c as u32).or_insert_with(reason);
    }

    /// Asks for a capability by its number, which the crate of enumerations does not know.
    pub fn capability_number(&mut self, c: u32, reason: impl FnOnce() -> String) {
        self.capabilities.entry(c).or_insert_with(reason);
    }

    /// Asks for a feature of Vulkan that no capability stands for; the first reason is kept.
    pub fn feature(&mut self, name: &'static str, reason: impl FnOnce() -> String) {
        self.features.entry(name).or_insert_with(reason);
    }

    /// Asks for an extension; the first reason is kept.
    pub fn extension(&mut self, name: &'static str, reason: impl FnOnce() -> String) {
        self.extensions.entry(name.into()).or_insert_with(reason);
    }

    /// Asks for an extension that the source names.
    pub fn named_extension(&mut self, name: &str, reason: impl FnOnce() -> String) {
        self.extensions.entry(name.to_string().into()).or_insert_with(reason);
    }

    /// The id of an extended instruction set.
    pub fn instruction_set(&mut self, name: &str) -> u32 {
        if name == "GLSL.std.450" {
            return self.glsl;
        }
        if let Some(&id) = self.sets.get(name) {
            return id;
        }
        let id = self.id();
        self.sets.insert(name.to_string(), id);
        id
    }

    /// The id of a string, which must fit into an instruction.
    pub fn text(&mut self, text: &str) -> u32 {
        let id = self.id();
        let mut operands = vec![id];
        operands.extend(string(text));
        put(&mut self.strings, Op::String, &operands);
        id
    }

    /// Gives an id a name for tools.
    pub fn name(&mut self, id: u32, name: &str) {
        if !name.is_empty() {
            let mut operands = vec![id];
            operands.extend(string(name));
            put(&mut self.names, Op::Name, &operands);
        }
    }

    /// Gives a member of a structure type a name.
    pub fn member_name(&mut self, id: u32, member: u32, name: &str) {
        if !name.is_empty() {
            let mut operands = vec![id, member];
            operands.extend(string(name));
            put(&mut self.names, Op::MemberName, &operands);
        }
    }

    /// Decorates an id.
    pub fn decorate(&mut self, id: u32, d: Decoration, operands: &[u32]) {
        let mut all = vec![id, d as u32];
        all.extend_from_slice(operands);
        put(&mut self.decorations, Op::Decorate, &all);
        self.decorated.insert(id);
    }

    /// One more than the largest id so far.
    pub fn bound(&self) -> u32 {
        self.next
    }

    /// Whether an id has decorations.
    pub fn is_decorated(&self, id: u32) -> bool {
        self.decorated.contains(&id)
    }

    /// Decorates an id as possibly different between invocations: once, however often it is used so.
    pub fn nonuniform(&mut self, id: u32) {
        if self.nonuniform.insert(id) {
            self.decorate(id, Decoration::NonUniform, &[]);
        }
    }

    /// Decorates a variable with descriptor set and binding.
    pub fn bind(&mut self, var: u32, (set, binding): (u32, u32)) {
        self.decorate(var, Decoration::DescriptorSet, &[set]);
        self.decorate(var, Decoration::Binding, &[binding]);
    }

    /// Decorates a member of a structure type.
    pub fn decorate_member(&mut self, id: u32, member: u32, d: Decoration, operands: &[u32]) {
        let mut all = vec![id, member, d as u32];
        all.extend_from_slice(operands);
        put(&mut self.decorations, Op::MemberDecorate, &all);
    }

    /// A decoration by any instruction that decorates.
    pub fn decorate_as(&mut self, op: Op, operands: &[u32]) {
        put(&mut self.decorations, op, operands);
    }

    /// A type by the number of its instruction, the same id for the same words.
    pub fn ty_number(&mut self, opcode: u32, operands: &[u32]) -> u32 {
        self.interned_number(opcode, None, operands)
    }

    /// A constant by the number of its instruction.
    pub fn constant_number(&mut self, opcode: u32, ty: u32, operands: &[u32]) -> u32 {
        self.interned_number(opcode, Some(ty), operands)
    }

    fn interned_number(&mut self, opcode: u32, ty: Option<u32>, operands: &[u32]) -> u32 {
        let mut key: SmallVec<[u32; 8]> = SmallVec::new();
        key.push(opcode);
        key.extend(ty);
        key.extend_from_slice(operands);
        if let Some(&id) = self.interned.get(&key) {
            return id;
        }
        let id = self.id();
        let len = operands.len() as u32 + 2 + u32::from(ty.is_some());
        self.globals.push(len << 16 | opcode);
        self.globals.extend(ty);
        self.globals.push(id);
        self.globals.extend_from_slice(operands);
        self.interned.insert(key, id);
        id
    }

    /// Types, constants and variables at module scope so far.
    pub fn globals(&self) -> &[u32] {
        &self.globals
    }

    /// A type (result id first), the same id for the same words.
    pub fn ty(&mut self, op: Op, operands: &[u32]) -> u32 {
        let mut key: SmallVec<[u32; 8]> = SmallVec::new();
        key.push(op as u32);
        key.extend_from_slice(operands);
        if let Some(&id) = self.interned.get(&key) {
            return id;
        }
        let id = self.new_ty(op, operands);
        self.interned.insert(key, id);
        self.name(id, &opaque_name(op, operands));
        id
    }

    /// A type that is never shared (structures with a layout).
    pub fn new_ty(&mut self, op: Op, operands: &[u32]) -> u32 {
        let id = self.id();
        let mut all = vec![id];
        all.extend_from_slice(operands);
        put(&mut self.globals, op, &all);
        id
    }

    /// A constant (result type, then result id), the same id for the same words.
    pub fn constant(&mut self, op: Op, ty: u32, operands: &[u32]) -> u32 {
        let mut key: SmallVec<[u32; 8]> = SmallVec::new();
        key.push(op as u32);
        key.push(ty);
        key.extend_from_slice(operands);
        if let Some(&id) = self.interned.get(&key) {
            return id;
        }
        let id = self.id();
        let mut all = vec![ty, id];
        all.extend_from_slice(operands);
        put(&mut self.globals, op, &all);
        self.interned.insert(key, id);
        id
    }

    /// A constant that is never the same as another one.
    pub fn spec_constant(&mut self, op: Op, ty: u32, operands: &[u32]) -> u32 {
        let id = self.id();
        let mut all = vec![ty, id];
        all.extend_from_slice(operands);
        put(&mut self.globals, op, &all);
        id
    }

    /// The 32-bit unsigned type.
    pub fn u32_ty(&mut self) -> u32 {
        self.ty(Op::TypeInt, &[32, 0])
    }

    /// The 32-bit float type.
    pub fn f32_ty(&mut self) -> u32 {
        self.ty(Op::TypeFloat, &[32])
    }

    /// A 32-bit integer constant.
    pub fn u32(&mut self, n: u32) -> u32 {
        let ty = self.u32_ty();
        let id = self.constant(Op::Constant, ty, &[n]);
        self.numbers.insert(id, n);
        id
    }

    /// The number of a member or element in a path: a signed constant, as other compilers have it.
    pub fn step(&mut self, n: u32) -> u32 {
        let ty = self.ty(Op::TypeInt, &[32, 1]);
        let id = self.constant(Op::Constant, ty, &[n]);
        self.numbers.insert(id, n);
        id
    }

    /// The number that a 32-bit integer constant is.
    pub fn as_u32(&self, id: u32) -> Option<u32> {
        self.numbers.get(&id).copied()
    }

    /// A vector type of `n` components, or the scalar if `n` is 1.
    pub fn vector_ty(&mut self, scalar: u32, n: u32) -> u32 {
        if n == 1 { scalar } else { self.ty(Op::TypeVector, &[scalar, n]) }
    }

    /// A pointer type.
    pub fn pointer_ty(&mut self, class: StorageClass, to: u32) -> u32 {
        self.ty(Op::TypePointer, &[class as u32, to])
    }

    /// A variable at module scope.
    pub fn variable(&mut self, class: StorageClass, ty: u32, init: Option<u32>) -> u32 {
        let pointer = self.pointer_ty(class, ty);
        let id = self.id();
        let mut all = vec![pointer, id, class as u32];
        all.extend(init);
        put(&mut self.globals, Op::Variable, &all);
        id
    }

    /// The module as words. `version`: minor version of SPIR-V 1.
    pub fn finish(self, version: u32) -> Vec<u32> {
        let mut out = vec![spirv::MAGIC_NUMBER, 0x1_0000 | version << 8, 0, self.next, 0];
        for &c in self.capabilities.keys() {
            put(&mut out, Op::Capability, &[c]);
        }
        for e in self.extensions.keys() {
            put(&mut out, Op::Extension, &string(e));
        }
        let of_glsl = |i: &[u32]| i[0] & 0xffff == Op::ExtInst as u32 && i.get(3) == Some(&self.glsl);
        if instructions(&self.functions).any(of_glsl) {
            let mut import = vec![self.glsl];
            import.extend(string("GLSL.std.450"));
            put(&mut out, Op::ExtInstImport, &import);
        }
        out.extend_from_slice(&self.imports);
        for (name, id) in &self.sets {
            let mut import = vec![*id];
            import.extend(string(name));
            put(&mut out, Op::ExtInstImport, &import);
        }
        use spirv::{AddressingModel as A, MemoryModel as M};
        let addressing = if self.physical { A::PhysicalStorageBuffer64 } else { A::Logical };
        // The source may ask for the memory model of Vulkan by its capability.
        let vulkan = self.capabilities.contains_key(&(Capability::VulkanMemoryModel as u32));
        let memory = if vulkan { M::Vulkan } else { M::GLSL450 };
        put(&mut out, Op::MemoryModel, &[addressing as u32, memory as u32]);
        let annotations = [&self.strings, &self.names, &self.processed, &self.decorations, &self.reflection];
        for section in [&self.entry_points, &self.modes].into_iter().chain(annotations).chain([&self.globals, &self.debug, &self.functions])
        {
            out.extend_from_slice(section);
        }
        out
    }
}

/// The instructions in some words.
pub fn instructions(code: &[u32]) -> impl Iterator<Item = &[u32]> {
    let mut rest = code;
    std::iter::from_fn(move || {
        let length = (*rest.first()? >> 16).max(1) as usize;
        let (inst, after) = rest.split_at(length.min(rest.len()));
        rest = after;
        Some(inst)
    })
}

/// The name of a type without members, as other compilers have it; empty if it has none.
fn opaque_name(op: Op, operands: &[u32]) -> String {
    match op {
        Op::TypeImage => {
            let dim = match operands.get(1).copied().and_then(Dim::from_u32) {
                Some(Dim::Dim1D) => "1d.",
                Some(Dim::Dim2D) => "2d.",
                Some(Dim::Dim3D) => "3d.",
                Some(Dim::DimCube) => "cube.",
                Some(Dim::DimBuffer) => "buffer.",
                Some(Dim::DimSubpassData) => "subpass.",
                _ => "",
            };
            let array = if operands.get(3) == Some(&1) { ".array" } else { "" };
            format!("type.{dim}image{array}")
        }
        Op::TypeSampler => "type.sampler".into(),
        Op::TypeSampledImage => "type.sampled.image".into(),
        Op::TypeAccelerationStructureKHR => "accelerationStructureNV".into(),
        Op::TypeRayQueryKHR => "rayQueryKHR".into(),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_end_with_nul_and_are_padded() {
        assert_eq!(string("abc"), [u32::from_le_bytes(*b"abc\0")]);
        assert_eq!(string("abcd"), [u32::from_le_bytes(*b"abcd"), 0]);
    }

    #[test]
    fn the_same_words_are_one_type() {
        let mut w = Words::default();
        let a = w.u32_ty();
        assert_eq!(a, w.ty(Op::TypeInt, &[32, 0]));
        assert_ne!(a, w.ty(Op::TypeInt, &[32, 1]));
        assert_ne!(w.new_ty(Op::TypeStruct, &[a]), w.new_ty(Op::TypeStruct, &[a]));
    }
}
