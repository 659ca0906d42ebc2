//! Resources and global variables.

use super::types::{Numeric, Scalar, Type};
use super::{Generator, Kind, Variable};

/// Elements of an input buffer that are read.
const ELEMENTS: u32 = 16;
/// Elements of a thread in memory that it writes.
pub const SLOTS: u32 = 2;
/// Buffers of an array that threads choose from.
const BUFFERS: u32 = 4;
/// How the index of an element in memory that a thread writes begins.
pub const SLOT: &str = "T * 2u + ";
/// The slot of an array of resources: its index differs by thread.
pub const NON_UNIFORM: &str = "NonUniformResourceIndex";
/// The coordinates of a texel by its number, in rows of four texels and layers of two rows.
const COORDINATES: &str =
    "uint2 at2(uint i) { return uint2(i & 3u, i >> 2u); }\nuint3 at3(uint i) { return uint3(i & 3u, i >> 2u & 1u, i >> 3u); }\n";
/// Textures of [`ELEMENTS`] texels: what they are, how one is read, and how one that the thread owns is read and written. In these slots `%` is the texture and
/// `#` the number of the texel.
const TEXTURES: [(&str, [&str; 3], &str); 4] = [
    ("Texture1D", ["%[#]", "%.mips[0u][#]", "%.Load(int2(#, 0))"], "%[T * 2u + #]"),
    ("Texture2D", ["%[at2(#)]", "%.mips[0u][at2(#)]", "%.Load(int3(at2(#), 0))"], "%[at2(T * 2u + #)]"),
    ("Texture2DArray", ["%[at3(#)]", "%.mips[0u][at3(#)]", "%.Load(int4(at3(#), 0))"], "%[at3(T * 2u + #)]"),
    ("Texture3D", ["%[at3(#)]", "%.mips[0u][at3(#)]", "%.Load(int4(at3(#), 0))"], "%[at3(T * 2u + #)]"),
];

impl Generator {
    /// Declares resources and global variables. No two registers have the same number: in SPIR-V they would be one binding.
    pub(super) fn resources(&mut self, kind: Kind) {
        self.declarations += "RWByteAddressBuffer Out : register(u0);\nByteAddressBuffer Raw : register(t1);\nstatic uint T = 0u;\n";
        self.globals.push(Variable { global: true, ..Variable::constant("T", Type::Numeric(Numeric::scalar(Scalar::Uint))) });
        let structs: Vec<usize> = (0..self.structs.len()).filter(|&s| self.structs[s].in_memory).collect();
        self.constants();
        if !structs.is_empty() && self.choices.one_in(2) {
            let s = self.choices.pick(&structs);
            self.resource(&format!("ConstantBuffer<{} > K : register(b2)", self.structs[s].name), "K", Type::Struct(s), true, "");
        }
        if self.choices.one_in(2) {
            let of = self.element(&structs);
            self.resource(
                &format!("StructuredBuffer<{} > Items : register(t3)", self.type_name(&of)),
                "Items",
                array(of, ELEMENTS),
                true,
                "",
            );
        }
        if self.choices.one_in(3) {
            let of = Numeric::vector(self.choices.pick(&[Scalar::Uint, Scalar::Int]), self.choices.pick(&[1, 4]));
            let ty = Type::Numeric(of);
            self.resource(&format!("Buffer<{}> Texels : register(t4)", of.name()), "Texels", array(ty, ELEMENTS), true, "");
        }
        if self.choices.one_in(3) {
            let mut of = self.element(&structs);
            // The reference compiler breaks on matrices in buffers of arrays.
            if self.has_matrix(&of) {
                of = Type::Numeric(Numeric::vector(Scalar::Uint, 4));
            }
            let declaration = format!("StructuredBuffer<{} > Many[{BUFFERS}] : register(t9)", self.type_name(&of));
            self.resource(&declaration, "Many", array(array(of, ELEMENTS), BUFFERS), true, NON_UNIFORM);
        }
        if self.choices.one_in(2) {
            let of = self.element(&structs);
            self.resource(&format!("RWStructuredBuffer<{} > Rw : register(u5)", self.type_name(&of)), "Rw", array(of, SLOTS), false, SLOT);
            if kind == Kind::Library {
                // Other shaders of the thread see what it writes at a time of the device's choice.
                self.slots.extend(self.globals.pop());
            }
        }
        self.textures(kind);
        if self.choices.one_in(2) {
            self.declarations += "RWByteAddressBuffer Bytes : register(u6);\n";
            self.has_bytes = true;
        }
        if kind == Kind::Compute && self.choices.one_in(2) {
            let of = self.element(&structs);
            let declaration = self.declare(&array(of.clone(), SLOTS * super::THREADS), "G");
            self.resource(&format!("groupshared {declaration}"), "G", array(of, SLOTS), false, SLOT);
        }
        let before = self.globals.len();
        while self.globals.len() < before + 3 && self.more(1) {
            self.static_variable();
        }
    }

    /// A texture that is read, and one of which each thread has some texels.
    fn textures(&mut self, kind: Kind) {
        let (reads, writes) = (self.choices.one_in(3), self.choices.one_in(4));
        if reads || writes {
            self.declarations += COORDINATES;
        }
        let texel = |g: &mut Generator| Numeric::vector(g.choices.pick(&[Scalar::Uint, Scalar::Int]), g.choices.pick(&[1, 4]));
        if reads {
            let (of, (name, slots, _)) = (texel(self), self.choices.pick(&TEXTURES));
            let (ty, slot) = (Type::Numeric(of), self.choices.pick(&slots));
            self.resource(&format!("{name}<{}> Texture : register(t13)", of.name()), "Texture", array(ty, ELEMENTS), true, slot);
        }
        if writes {
            let (of, (name, _, slot)) = (texel(self), self.choices.pick(&TEXTURES));
            let ty = Type::Numeric(of);
            self.resource(&format!("RW{name}<{}> Image : register(u14)", of.name()), "Image", array(ty, SLOTS), false, slot);
            if kind == Kind::Library {
                self.slots.extend(self.globals.pop());
            }
        }
    }

    /// The type of an element of a buffer.
    fn element(&mut self, structs: &[usize]) -> Type {
        if !structs.is_empty() && self.choices.below(4) != 0 {
            return Type::Struct(self.choices.pick(structs));
        }
        // The reference compiler breaks on buffers of truth values.
        let list: Vec<Scalar> = self.memory_scalars.iter().copied().filter(|s| *s != Scalar::Bool).collect();
        let scalar = self.choices.pick(&list);
        Type::Numeric(self.shaped(scalar))
    }

    fn resource(&mut self, declaration: &str, name: &str, ty: Type, wild: bool, slot: &'static str) {
        self.declarations += &format!("{declaration};\n");
        self.globals.push(Variable { name: name.into(), ty, writable: !wild, wild, slot, global: true });
    }

    /// A constant buffer of members of all types.
    fn constants(&mut self) {
        if self.choices.below(3) == 0 {
            return;
        }
        let mut text = "cbuffer Constants : register(b7) {\n".to_string();
        let mut count = 0;
        while count == 0 || (count < 6 && self.more(3)) {
            count += 1;
            let mut ty = self.member_type(true);
            if !self.is_memory(&ty) || self.bytes(&ty) > 512 {
                ty = Type::Numeric(self.shaped(Scalar::Float));
            }
            let name = self.name("c");
            text += &format!("  {};\n", self.declare(&ty, &name));
            self.globals.push(Variable { global: true, wild: true, ..Variable::constant(name, ty) });
        }
        self.declarations += &text;
        self.declarations += "};\n";
    }

    fn static_variable(&mut self) {
        let name = self.name("g");
        let of = self.numeric();
        if self.choices.below(2) == 0 {
            let ty = Type::Numeric(of);
            let value = self.literal(of).text;
            self.declarations += &format!("static {} = {value};\n", self.declare(&ty, &name));
            self.globals.push(Variable { global: true, ..Variable::local(name, ty) });
            return;
        }
        let n = 2 + self.choices.below(4);
        let ty = array(Type::Numeric(of), n);
        let mut parts = Vec::new();
        for _ in 0..n {
            parts.push(self.literal(of).text);
        }
        self.declarations += &format!("static const {} = {{ {} }};\n", self.declare(&ty, &name), parts.join(", "));
        self.globals.push(Variable { global: true, ..Variable::constant(name, ty) });
    }
}

fn array(of: Type, n: u32) -> Type {
    Type::Array(Box::new(of), n)
}
