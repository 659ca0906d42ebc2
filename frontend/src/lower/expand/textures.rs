//! Expansion of the methods of textures and typed buffers.
//!
//! After the operands that an instruction must have, overloads differ in a texel offset (integers), a level clamp (a
//! float) and the residency status (an `out` parameter), in this order.

use rtc_ir::{Opcode as O, ResourceType, Type, Value};
use rtc_tables::resources::{ResourceClass, TexOperands};
use smallvec::SmallVec;

use crate::hir::Scalar;
use crate::lower::call::Call;
use crate::lower::func::FnCx;
use crate::lower::operand::Val;
use crate::lower::types::{Shape, texel_scalar};

impl FnCx<'_, '_> {
    fn texture_of(&self, c: &Call) -> (Value, ResourceType) {
        let found = c.object.and_then(|h| Some((h, self.l.out.types.as_resource(self.ty_of(h))?)));
        match found {
            Some(x) => x,
            None => rtc_base::bug!("`{}` without a resource", c.row.name),
        }
    }

    /// The optional operands from argument `from` on.
    fn optional(&mut self, c: &Call, from: usize) -> (TexOperands, SmallVec<[Value; 4]>) {
        let mut flags = TexOperands::empty();
        let mut values = SmallVec::new();
        for a in &c.args[from..] {
            if a.lvalue.is_some() {
                flags |= TexOperands::STATUS;
                continue;
            }
            match a.shape {
                Shape::Vec(s, _) if s.is_float() => flags |= TexOperands::CLAMP,
                _ if flags.contains(TexOperands::OFFSET) => flags |= TexOperands::FOUR_OFFSETS,
                _ => flags |= TexOperands::OFFSET,
            }
            values.push(a.val.one());
        }
        if flags.contains(TexOperands::FOUR_OFFSETS) {
            flags -= TexOperands::OFFSET;
        }
        (flags, values)
    }

    /// The instruction; the status is stored to the last argument.
    fn texture(&mut self, c: &Call, op: O, flags: TexOperands, operands: &[Value]) -> Val {
        // A 1-component coordinate is a scalar already; a `half` is not converted yet.
        let texel = match c.ret {
            Shape::Vec(s, n) => Shape::Vec(texel_scalar(s), n),
            other => other,
        };
        let ty = self.l.shape_ty(texel);
        let status = flags.contains(TexOperands::STATUS);
        let results: &[Type] = if status { &[ty, Type::I32] } else { &[ty] };
        let i = self.b().many(op, flags.bits(), operands, results);
        let out = SmallVec::<[Value; 2]>::from_slice(self.func.results(i));
        if status {
            let resident = self.un(O::status_ok, out[1]);
            self.store_status(c, c.args.len() - 1, resident);
        }
        Val::One(match c.ret {
            Shape::Vec(s, _) => self.convert(out[0], texel_scalar(s), s),
            _ => out[0],
        })
    }

    /// Stores the status of an access to argument `n`: 1 if everything was resident, else 0. So a status can be stored
    /// anywhere, while targets require theirs to come directly from the access.
    pub(super) fn store_status(&mut self, c: &Call, n: usize, resident: Value) {
        let v = self.convert(resident, Scalar::Bool, Scalar::Uint);
        self.give(c, n, &Val::One(v));
    }

    /// Sampler and coordinates, `more` operands, then the optional ones.
    pub(super) fn sample(&mut self, c: &Call, op: O, more: usize) -> Val {
        let (handle, _) = self.texture_of(c);
        let (flags, rest) = self.optional(c, 2 + more);
        let mut operands: SmallVec<[Value; 10]> = SmallVec::from_slice(&[handle]);
        operands.extend((0..2 + more).map(|n| c.one(n)));
        operands.extend(rest);
        self.texture(c, op, flags, &operands)
    }

    pub(super) fn sample_cmp_level_zero(&mut self, c: &Call) -> Val {
        let (handle, _) = self.texture_of(c);
        let (flags, rest) = self.optional(c, 3);
        let zero = self.func.const_f32(0.0);
        let mut operands: SmallVec<[Value; 10]> = SmallVec::from_slice(&[handle, c.one(0), c.one(1), c.one(2), zero]);
        operands.extend(rest);
        self.texture(c, O::sample_cmp_level, flags, &operands)
    }

    pub(super) fn gather(&mut self, c: &Call, op: O, more: usize, channel: u8) -> Val {
        let (handle, _) = self.texture_of(c);
        let (flags, rest) = self.optional(c, 2 + more);
        let mut operands: SmallVec<[Value; 10]> = SmallVec::from_slice(&[handle]);
        operands.extend((0..2 + more).map(|n| c.one(n)));
        operands.extend(rest);
        let flags = TexOperands::from_bits_retain(flags.bits() | u32::from(channel) << 8);
        self.texture(c, op, flags, &operands)
    }

    pub(super) fn tex_lod(&mut self, c: &Call, clamped: bool) -> Val {
        let (handle, _) = self.texture_of(c);
        let operands = [handle, c.one(0), c.one(1)];
        Val::One(self.b().many_value(O::tex_lod, clamped.into(), &operands, Type::F32))
    }

    pub(super) fn sample_position(&mut self, c: &Call) -> Val {
        let (handle, _) = self.texture_of(c);
        let operands = [handle, c.one(0)];
        Val::One(self.b().many_value(O::sample_pos, 0, &operands, Type::F32X2))
    }

    /// Texture, sampler and coordinates, `more` operands, then the level clamp.
    pub(super) fn feedback(&mut self, c: &Call, op: O, more: usize) -> Val {
        let (handle, _) = self.texture_of(c);
        let (flags, rest) = self.optional(c, 3 + more);
        let mut operands: SmallVec<[Value; 10]> = SmallVec::from_slice(&[handle]);
        operands.extend((0..3 + more).map(|n| c.one(n)));
        operands.extend(rest);
        self.b().many(op, flags.bits(), &operands, &[]);
        Val::Void
    }

    pub(super) fn tex_load(&mut self, c: &Call) -> Val {
        let (handle, r) = self.texture_of(c);
        let at = c.one(0);
        let n = r.kind.coords();
        let leveled = r.class == ResourceClass::Srv && r.kind.is_texture() && !r.kind.is_multisampled();
        let (coords, level, used) = if leveled {
            let which: SmallVec<[u8; 4]> = (0..n as u8).collect();
            let coords = self.shuffle(at, &which);
            (coords, self.comp(at, n), 1)
        } else if r.kind.is_multisampled() {
            (at, c.one(1), 2)
        } else {
            (at, self.int(0), 1)
        };
        let (flags, rest) = self.optional(c, used);
        let mut operands: SmallVec<[Value; 10]> = SmallVec::from_slice(&[handle, coords, level]);
        operands.extend(rest);
        if matches!(c.ret, Shape::Other(_)) {
            self.unsupported("a texel of this type");
            return self.undef_of(c.ret);
        }
        self.texture(c, O::tex_load, flags, &operands)
    }

    /// The texel of an attachment at the place of the pixel, of a sample if there are several.
    pub(super) fn subpass_load(&mut self, c: &Call) -> Val {
        let (handle, _) = self.texture_of(c);
        let zero = self.int(0);
        let (at, sample) = (self.vector(&[zero, zero]), if c.args.is_empty() { zero } else { c.one(0) });
        self.texture(c, O::tex_load, TexOperands::empty(), &[handle, at, sample])
    }

    /// Sizes in the order of the coordinates, then levels or samples.
    pub(super) fn tex_size(&mut self, c: &Call) -> Val {
        let (handle, r) = self.texture_of(c);
        let level = match c.args.first() {
            Some(a) if a.lvalue.is_none() => Some(a.val.one()),
            _ => None,
        };
        let zero = self.int(0);
        let size = self.b().many_value(O::tex_size, 0, &[handle, level.unwrap_or(zero)], Type::I32X4);
        let outs: SmallVec<[usize; 5]> = (0..c.args.len()).filter(|&n| c.args[n].lvalue.is_some()).collect();
        let last_is_count = level.is_some() || r.kind.is_multisampled();
        for (n, &arg) in outs.iter().enumerate() {
            let which = if last_is_count && n + 1 == outs.len() { 3 } else { n as u32 };
            let v = self.comp(size, which);
            let Shape::Vec(s, _) = c.args[arg].shape else {
                continue;
            };
            debug_assert!(Scalar::Uint.ir() == rtc_ir::Scalar::I32);
            let v = self.convert(v, Scalar::Uint, s);
            self.give(c, arg, &Val::One(v));
        }
        Val::Void
    }
}
