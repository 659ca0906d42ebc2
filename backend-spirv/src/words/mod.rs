//! A SPIR-V module under construction: its sections as words, with types, constants, capabilities and
//! extensions interned. It encodes the binary form and does not depend on the IR. [`operand`] has the types of ids and literals.

mod memory_model;
pub mod operand;

use std::borrow::Cow;

use indexmap::IndexMap;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use spirv::{Capability, Decoration, Dim, ExecutionMode, Op, StorageClass};

pub(crate) use operand::operands;
pub use operand::{AsOperand, Id, Literal, NONE, Operand, TypeId, put, put_number, put_result};

/// The words of a literal string: UTF-8, NUL-terminated, zero padded.
pub fn string(text: &str) -> Vec<Operand> {
    let mut bytes = text.as_bytes().to_vec();
    bytes.push(0);
    bytes.resize(bytes.len().next_multiple_of(4), 0);
    bytes.chunks_exact(4).map(|c| Operand::Literal(u32::from_le_bytes([c[0], c[1], c[2], c[3]]))).collect()
}

/// A list of operands that ends with a text.
pub fn with_text<const N: usize>(first: [Operand; N], text: &str) -> Vec<Operand> {
    let mut all = first.to_vec();
    all.extend(string(text));
    all
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
    pub glsl: Id,
    /// Other extended instruction sets.
    sets: IndexMap<String, Id>,
    /// The memory model of Vulkan, when something needs it that is no inline SPIR-V.
    for_vulkan: bool,
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
    interned: FxHashMap<SmallVec<[u32; 8]>, Id>,
    nonuniform: FxHashSet<Id>,
    /// The ids with decorations.
    decorated: FxHashSet<Id>,
    /// The 32-bit integer constants by id.
    numbers: FxHashMap<Id, u32>,
}

impl Default for Words {
    fn default() -> Self {
        Words {
            next: 2,
            capabilities: IndexMap::new(),
            extensions: IndexMap::new(),
            features: IndexMap::new(),
            glsl: Id::from_word(1),
            sets: IndexMap::new(),
            for_vulkan: false,
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
    pub fn id(&mut self) -> Id {
        self.next += 1;
        Id::from_word(self.next - 1)
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
    pub fn instruction_set(&mut self, name: &str) -> Id {
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
    pub fn text(&mut self, text: &str) -> Id {
        let id = self.id();
        put(&mut self.strings, Op::String, &with_text(operands![id], text));
        id
    }

    /// Gives an id a name for tools.
    pub fn name(&mut self, id: impl Into<Id>, name: &str) {
        if !name.is_empty() {
            put(&mut self.names, Op::Name, &with_text(operands![id.into()], name));
        }
    }

    /// Gives a member of a structure type a name.
    pub fn member_name(&mut self, ty: TypeId, member: u32, name: &str) {
        if !name.is_empty() {
            put(&mut self.names, Op::MemberName, &with_text(operands![ty, Literal(member)], name));
        }
    }

    /// Decorates an id.
    pub fn decorate(&mut self, id: impl Into<Id>, d: Decoration, literals: &[u32]) {
        let id = id.into();
        put_number(&mut self.decorations, Op::Decorate as u32, &operands![id, d], &all_literals(literals));
        self.decorated.insert(id);
    }

    /// One more than the largest id so far.
    pub fn bound(&self) -> u32 {
        self.next
    }

    /// Whether an id has decorations.
    pub fn is_decorated(&self, id: Id) -> bool {
        self.decorated.contains(&id)
    }

    /// Decorates an id as possibly different between invocations: once, however often it is used so.
    pub fn nonuniform(&mut self, id: Id) {
        if self.nonuniform.insert(id) {
            self.decorate(id, Decoration::NonUniform, &[]);
        }
    }

    /// Decorates a variable with descriptor set and binding.
    pub fn bind(&mut self, var: Id, (set, binding): (u32, u32)) {
        self.decorate(var, Decoration::DescriptorSet, &[set]);
        self.decorate(var, Decoration::Binding, &[binding]);
    }

    /// Decorates a member of a structure type.
    pub fn decorate_member(&mut self, ty: TypeId, member: u32, d: Decoration, literals: &[u32]) {
        let first = operands![ty, Literal(member), d];
        put_number(&mut self.decorations, Op::MemberDecorate as u32, &first, &all_literals(literals));
    }

    /// A decoration by any instruction that decorates.
    pub fn decorate_as(&mut self, op: Op, operands: &[impl AsOperand]) {
        put(&mut self.decorations, op, operands);
    }

    /// An execution mode of an entry point.
    pub fn execution_mode(&mut self, entry: Id, mode: ExecutionMode, literals: &[u32]) {
        put_number(&mut self.modes, Op::ExecutionMode as u32, &operands![entry, mode], &all_literals(literals));
    }

    /// A type by the number of its instruction, the same id for the same words.
    pub fn ty_number(&mut self, opcode: u32, operands: &[impl AsOperand]) -> TypeId {
        TypeId::new(self.interned(opcode, None, operands).0)
    }

    /// A constant by the number of its instruction, the same id for the same words.
    pub fn constant_number(&mut self, opcode: u32, ty: TypeId, operands: &[impl AsOperand]) -> Id {
        self.interned(opcode, Some(ty), operands).0
    }

    /// The id of an instruction at module scope, and whether it is new.
    fn interned(&mut self, opcode: u32, ty: Option<TypeId>, operands: &[impl AsOperand]) -> (Id, bool) {
        let mut key: SmallVec<[u32; 8]> = SmallVec::new();
        key.push(opcode);
        key.extend(ty.map(TypeId::word));
        key.extend(operand::words(operands));
        if let Some(&id) = self.interned.get(&key) {
            return (id, false);
        }
        let id = self.id();
        match ty {
            Some(ty) => put_number(&mut self.globals, opcode, &operands![ty, id], operands),
            None => put_number(&mut self.globals, opcode, &[id], operands),
        }
        self.interned.insert(key, id);
        (id, true)
    }

    /// Types, constants and variables at module scope so far.
    pub fn globals(&self) -> &[u32] {
        &self.globals
    }

    /// A type (result id first), the same id for the same words.
    pub fn ty(&mut self, op: Op, operands: &[impl AsOperand]) -> TypeId {
        let (id, is_new) = self.interned(op as u32, None, operands);
        if is_new {
            self.name(id, &opaque_name(op, operands));
        }
        TypeId::new(id)
    }

    /// A type that is never shared (structures with a layout).
    pub fn new_ty(&mut self, op: Op, operands: &[impl AsOperand]) -> TypeId {
        let id = self.id();
        put_number(&mut self.globals, op as u32, &[id], operands);
        TypeId::new(id)
    }

    /// A constant (result type, then result id), the same id for the same words.
    pub fn constant(&mut self, op: Op, ty: TypeId, operands: &[impl AsOperand]) -> Id {
        self.constant_number(op as u32, ty, operands)
    }

    /// A number: its bits, the low word first.
    pub fn number(&mut self, ty: TypeId, bits: &[u32]) -> Id {
        self.constant(Op::Constant, ty, &all_literals(bits))
    }

    /// A constant of constants.
    pub fn composite(&mut self, ty: TypeId, parts: &[Id]) -> Id {
        self.constant(Op::ConstantComposite, ty, parts)
    }

    /// Any value of a type.
    pub fn undef(&mut self, ty: TypeId) -> Id {
        self.constant(Op::Undef, ty, NONE)
    }

    /// A constant that is never the same as another one.
    pub fn spec_constant(&mut self, op: Op, ty: TypeId, bits: &[u32]) -> Id {
        let id = self.id();
        put_result(&mut self.globals, op, ty, id, &all_literals(bits));
        id
    }

    /// The type of nothing.
    pub fn void_ty(&mut self) -> TypeId {
        self.ty(Op::TypeVoid, NONE)
    }

    /// The boolean type.
    pub fn bool_ty(&mut self) -> TypeId {
        self.ty(Op::TypeBool, NONE)
    }

    /// An integer type.
    pub fn int_ty(&mut self, bits: u32, signed: bool) -> TypeId {
        self.ty(Op::TypeInt, &[Literal(bits), Literal(signed.into())])
    }

    /// A float type.
    pub fn float_ty(&mut self, bits: u32) -> TypeId {
        self.ty(Op::TypeFloat, &[Literal(bits)])
    }

    /// The 32-bit unsigned type.
    pub fn u32_ty(&mut self) -> TypeId {
        self.int_ty(32, false)
    }

    /// The 32-bit float type.
    pub fn f32_ty(&mut self) -> TypeId {
        self.float_ty(32)
    }

    /// A 32-bit integer constant.
    pub fn u32(&mut self, n: u32) -> Id {
        let ty = self.u32_ty();
        let id = self.number(ty, &[n]);
        self.numbers.insert(id, n);
        id
    }

    /// The number of a member or element in a path: a signed constant, as other compilers have it.
    pub fn step(&mut self, n: u32) -> Id {
        let ty = self.int_ty(32, true);
        let id = self.number(ty, &[n]);
        self.numbers.insert(id, n);
        id
    }

    /// The number that a 32-bit integer constant is.
    pub fn as_u32(&self, id: Id) -> Option<u32> {
        self.numbers.get(&id).copied()
    }

    /// A vector type of `n` components, or the scalar if `n` is 1.
    pub fn vector_ty(&mut self, scalar: TypeId, n: u32) -> TypeId {
        if n == 1 { scalar } else { self.ty(Op::TypeVector, &operands![scalar, Literal(n)]) }
    }

    /// A matrix type of `n` columns.
    pub fn matrix_ty(&mut self, column: TypeId, n: u32) -> TypeId {
        self.ty(Op::TypeMatrix, &operands![column, Literal(n)])
    }

    /// An array type without a layout; `n`: the constant that is its length.
    pub fn array_ty(&mut self, elem: TypeId, n: Id) -> TypeId {
        self.ty(Op::TypeArray, &operands![elem, n])
    }

    /// A pointer type.
    pub fn pointer_ty(&mut self, class: StorageClass, to: TypeId) -> TypeId {
        self.ty(Op::TypePointer, &operands![class, to])
    }

    /// A variable at module scope.
    pub fn variable(&mut self, class: StorageClass, ty: TypeId, init: Option<Id>) -> Id {
        let pointer = self.pointer_ty(class, ty);
        let id = self.id();
        let mut operands: SmallVec<[Operand; 2]> = SmallVec::from_slice(&operands![class]);
        operands.extend(init.map(Operand::Id));
        put_result(&mut self.globals, Op::Variable, pointer, id, &operands);
        id
    }

    /// The module as words. `version`: minor version of SPIR-V 1.
    pub fn finish(self, version: u32) -> Vec<u32> {
        let mut out = vec![spirv::MAGIC_NUMBER, 0x1_0000 | version << 8, 0, self.next, 0];
        for &c in self.capabilities.keys() {
            put(&mut out, Op::Capability, &[Literal(c)]);
        }
        for e in self.extensions.keys() {
            put(&mut out, Op::Extension, &string(e));
        }
        let of_glsl = |i: &[u32]| i[0] & 0xffff == Op::ExtInst as u32 && i.get(3) == Some(&self.glsl.word());
        if instructions(&self.functions).any(of_glsl) {
            put(&mut out, Op::ExtInstImport, &with_text(operands![self.glsl], "GLSL.std.450"));
        }
        out.extend_from_slice(&self.imports);
        for (name, id) in &self.sets {
            put(&mut out, Op::ExtInstImport, &with_text(operands![*id], name));
        }
        use spirv::{AddressingModel as A, MemoryModel as M};
        let addressing = if self.physical { A::PhysicalStorageBuffer64 } else { A::Logical };
        // The source may ask for the memory model of Vulkan by its capability.
        let vulkan = self.capabilities.contains_key(&(Capability::VulkanMemoryModel as u32));
        let memory = if vulkan { M::Vulkan } else { M::GLSL450 };
        put(&mut out, Op::MemoryModel, &operands![addressing, memory]);
        let annotations = [&self.strings, &self.names, &self.processed, &self.decorations, &self.reflection];
        for section in [&self.entry_points, &self.modes].into_iter().chain(annotations).chain([&self.globals, &self.debug, &self.functions])
        {
            out.extend_from_slice(section);
        }
        out
    }
}

/// Words as operands.
fn all_literals(words: &[u32]) -> SmallVec<[Literal; 4]> {
    words.iter().map(|&w| Literal(w)).collect()
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
fn opaque_name(op: Op, operands: &[impl AsOperand]) -> String {
    let literal = |n: usize| match operands.get(n)?.operand() {
        Operand::Literal(word) => Some(word),
        _ => None,
    };
    match op {
        Op::TypeImage => {
            let dim = match literal(1).and_then(Dim::from_u32) {
                Some(Dim::Dim1D) => "1d.",
                Some(Dim::Dim2D) => "2d.",
                Some(Dim::Dim3D) => "3d.",
                Some(Dim::DimCube) => "cube.",
                Some(Dim::DimBuffer) => "buffer.",
                Some(Dim::DimSubpassData) => "subpass.",
                _ => "",
            };
            let array = if literal(3) == Some(1) { ".array" } else { "" };
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
        assert_eq!(string("abc"), [Operand::Literal(u32::from_le_bytes(*b"abc\0"))]);
        assert_eq!(string("abcd"), [u32::from_le_bytes(*b"abcd"), 0].map(Operand::Literal));
    }

    #[test]
    fn the_same_words_are_one_type() {
        let mut w = Words::default();
        let a = w.u32_ty();
        assert_eq!(a, w.int_ty(32, false));
        assert_ne!(a, w.int_ty(32, true));
        assert_ne!(w.new_ty(Op::TypeStruct, &[a]), w.new_ty(Op::TypeStruct, &[a]));
    }
}
