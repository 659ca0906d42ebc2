//! Lowering of loads and stores of textures and typed buffers, and helpers shared with [`super::sample`].
//!
//! A texel of 64-bit components is transferred as 32-bit words; a store always writes four components.

use rtc_ir::{self as ir, Inst, ResourceType, Scalar};
use rtc_tables::diagnostics::E0604;
use rtc_tables::dxil_ops::{DxOp, op};
use rtc_tables::resources::{ResourceClass, ResourceKind};
use smallvec::SmallVec;

use super::emitter::{EmitError, EmitResult};
use super::func::Writer;
use super::live::has_lane;
use super::select::rest;
use super::values::Components;
use rtc_dxil_module::Value;

/// The number of texel offsets that a texture takes: its dimensions, none for cubes.
fn offsets(kind: ResourceKind) -> usize {
    use ResourceKind as K;
    match kind {
        K::TextureCube | K::TextureCubeArray | K::TypedBuffer => 0,
        k => k.coords() as usize - usize::from(k.is_array()),
    }
}

/// The number of components of a gradient: the dimensions of the space that is sampled in.
pub fn gradient(kind: ResourceKind) -> usize {
    match kind {
        ResourceKind::TextureCube | ResourceKind::TextureCubeArray => 3,
        k => offsets(k),
    }
}

impl Writer<'_, '_> {
    /// Components of `v`, filled up to `n` with undefined ones.
    pub(super) fn padded(&mut self, v: ir::Value, n: usize, count: usize) -> EmitResult<Components> {
        let mut parts = self.defined(v);
        if parts.len() != count || count > n {
            return Err(EmitError::internal(format!("{count} coordinates are needed, {} are given", parts.len())));
        }
        let ty = self.e.b().type_of(parts[0]);
        let undef = self.e.out.undef(ty);
        parts.resize(n, undef);
        Ok(parts)
    }

    /// Texel offsets: given, or `default` for each dimension; what the texture has not is undefined.
    pub(super) fn offsets(
        &mut self,
        kind: ResourceKind,
        given: Option<ir::Value>,
        n: usize,
        default: Option<i32>,
        constant: bool,
    ) -> EmitResult<Components> {
        // From shader model 6.7 on offsets may be computed.
        let constant = constant && self.m.shader_model < 7;
        let undef = self.e.undef_i32();
        let count = offsets(kind);
        let mut out = Components::new();
        match given {
            Some(v) => {
                let parts = self.defined(v);
                if self.elem(v)? != Scalar::I32 {
                    return Err(EmitError::internal("texel offsets are integers"));
                }
                if parts.len() != count {
                    return Err(EmitError::internal(format!("{count} texel offsets are needed, {} are given", parts.len())));
                }
                for &p in &parts {
                    match self.e.int_const(p) {
                        Some(-8..=7) => {}
                        Some(n) if constant => {
                            return Err(EmitError::new(
                                &E0604,
                                format!("texel offset {n} is not between -8 and 7; others need shader model 6.7"),
                            ));
                        }
                        None if constant => {
                            return Err(EmitError::new(
                                &E0604,
                                "a texel offset must be a constant here; computed ones need shader model 6.7",
                            ));
                        }
                        _ => {}
                    }
                    out.push(p);
                }
            }
            None => {
                let fill = match default {
                    Some(n) => self.e.out.i32(n),
                    None => undef,
                };
                out.extend((0..count).map(|_| fill));
            }
        }
        out.resize(n, undef);
        Ok(out)
    }

    /// Takes the results out of what a texture operation gives: texel, then status.
    pub(super) fn texel(&mut self, i: Inst, loaded: Value) -> EmitResult {
        let f = self.f;
        let results = f.results(i);
        let Some(&texel) = results.first() else {
            return Ok(());
        };
        let (s, lanes) = self.m.types.numeric(f.ty(texel)).ok_or("texels are numbers")?;
        let used = self.facts.live.lanes(texel);
        let ty = self.e.scalar(s);
        let wide = s.bits() == 64;
        let mut out = Components::new();
        for c in 0..lanes {
            if !has_lane(used, c as usize) {
                let undef = self.e.out.undef(ty);
                out.push(undef);
                continue;
            }
            if wide && c > 1 || c > 3 {
                return Err(EmitError::internal("a texel has at most four words"));
            }
            let v = if wide {
                let lo = self.e.b().extract_value(loaded, 2 * c);
                let hi = self.e.b().extract_value(loaded, 2 * c + 1);
                self.join_words(lo, hi, s)?
            } else {
                let v = self.e.b().extract_value(loaded, c);
                self.loaded(v, s)
            };
            out.push(v);
        }
        self.set(texel, &out);
        if let Some(&status) = results.get(1)
            && self.facts.live.uses(status)
        {
            let v = self.e.b().extract_value(loaded, 4);
            self.set(status, &[v]);
        }
        Ok(())
    }

    /// The component scalar of a texel.
    pub(super) fn texel_scalar(&self, r: &ResourceType) -> EmitResult<Scalar> {
        let n = r.elem.and_then(|e| self.m.types.numeric(e));
        match n {
            Some((s, _)) if r.kind.is_typed() => Ok(s),
            _ => Err(EmitError::internal("this resource has no texels")),
        }
    }

    /// Complains if `v` is not made of such scalars.
    pub(super) fn expect(&self, v: ir::Value, s: Scalar) -> EmitResult {
        if self.elem(v)? == s {
            return Ok(());
        }
        Err(EmitError::internal("the value is not of the type of the resource's texels"))
    }

    /// `tex_load`: handle, place, level or sample; operands.
    pub(super) fn tex_load(&mut self, i: Inst, dxil: DxOp, imm: u32, args: &[ir::Value]) -> EmitResult {
        let r = self.resource_of(args[0])?;
        let s = self.texel_scalar(&r)?;
        self.expect(self.f.result(i), s)?;
        let ty = self.texel_type(s);
        let handle = self.one(args[0]);
        let undef = self.e.undef_i32();
        let loaded = if dxil == op::BUFFER_LOAD {
            let index = self.one(args[1]);
            self.e.dx(dxil, Some(ty), &[handle, index, undef])?
        } else {
            let rest = rest(imm, args.get(3..).unwrap_or_default());
            let at = self.padded(args[1], 3, r.kind.coords() as usize)?;
            let level = match args.get(2) {
                Some(&v) if r.class == ResourceClass::Srv || r.kind.is_multisampled() => self.one(v),
                _ => undef,
            };
            let o = self.offsets(r.kind, rest.offsets.first().copied(), 3, None, true)?;
            self.e.dx(dxil, Some(ty), &[handle, level, at[0], at[1], at[2], o[0], o[1], o[2]])?
        };
        self.texel(i, loaded)
    }

    /// `tex_store`: handle, place, texel; sample of a multisampled texture.
    pub(super) fn tex_store(&mut self, dxil: DxOp, args: &[ir::Value]) -> EmitResult {
        let r = self.resource_of(args[0])?;
        let s = self.texel_scalar(&r)?;
        let ty = self.texel_type(s);
        self.expect(args[2], s)?;
        let handle = self.one(args[0]);
        let mut words = Components::new();
        for v in self.defined(args[2]) {
            if s.bits() == 64 {
                let (lo, hi) = self.split_words(v, s)?;
                words.extend([lo, hi]);
            } else {
                words.push(self.in_memory(v, s));
            }
        }
        if words.is_empty() || words.len() > 4 {
            return Err(EmitError::internal("a texel has at most four words"));
        }
        let first = words[0];
        words.resize(4, first);
        let mask = self.e.out.i8(15);
        if dxil == op::BUFFER_STORE {
            let index = self.one(args[1]);
            let undef = self.e.undef_i32();
            self.e.dx(dxil, Some(ty), &[handle, index, undef, words[0], words[1], words[2], words[3], mask])?;
        } else {
            let at = self.padded(args[1], 3, r.kind.coords() as usize)?;
            let mut all: SmallVec<[Value; 10]> =
                SmallVec::from_slice(&[handle, at[0], at[1], at[2], words[0], words[1], words[2], words[3], mask]);
            if dxil == op::TEXTURE_STORE_SAMPLE {
                let sample = args.get(3).ok_or("a store to a multisampled texture without a sample index")?;
                all.push(self.one(*sample));
            }
            self.e.dx(dxil, Some(ty), &all)?;
        }
        Ok(())
    }
}
