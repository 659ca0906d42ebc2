//! Textures and typed buffers: loads, stores, samples, gathers.
//!
//! A texel of 64-bit components travels as twice as many words; a store always writes four components.

use rtc_ir::{self as ir, Inst, Opcode, ResourceType, Scalar};
use rtc_tables::resources::{ResourceClass, ResourceKind, TexOperands};
use smallvec::SmallVec;

use super::facts::operation;
use super::func::{Done, Parts, Writer};
use crate::module::{CastOp, Value};

/// The number of texel offsets that a texture takes: its dimensions, none for cubes.
fn offsets(kind: ResourceKind) -> usize {
    use ResourceKind as K;
    match kind {
        K::TextureCube | K::TextureCubeArray | K::TypedBuffer => 0,
        k => k.coords() as usize - usize::from(k.is_array()),
    }
}

/// The number of components of a gradient: the dimensions of the space that is sampled in.
fn gradient(kind: ResourceKind) -> usize {
    match kind {
        ResourceKind::TextureCube | ResourceKind::TextureCubeArray => 3,
        k => offsets(k),
    }
}

/// The optional operands of a texture instruction.
struct Rest {
    offsets: SmallVec<[ir::Value; 4]>,
    clamp: Option<ir::Value>,
    channel: u32,
}

fn rest(imm: u32, args: &[ir::Value]) -> Rest {
    let flags = TexOperands::from_bits_retain(imm);
    let mut args = args.iter().copied();
    let count = if flags.contains(TexOperands::FOUR_OFFSETS) {
        4
    } else {
        usize::from(flags.contains(TexOperands::OFFSET))
    };
    Rest {
        offsets: args.by_ref().take(count).collect(),
        clamp: if flags.contains(TexOperands::CLAMP) {
            args.next()
        } else {
            None
        },
        channel: (imm & TexOperands::CHANNEL.bits()) >> 8,
    }
}

impl Writer<'_, '_> {
    /// Components of `v`, filled up to `n` with undefined ones.
    fn padded(&mut self, v: ir::Value, n: usize, wanted: usize) -> Done<Parts> {
        let mut parts = self.defined(v);
        if parts.len() != wanted || wanted > n {
            return Err(format!(
                "{wanted} coordinates are needed, {} are given",
                parts.len()
            ));
        }
        let ty = self.b().type_of(parts[0]);
        let undef = self.cx.out.undef(ty);
        parts.resize(n, undef);
        Ok(parts)
    }

    /// Texel offsets: given, or `default` for each dimension; what the texture has not is undefined.
    fn offsets(
        &mut self,
        kind: ResourceKind,
        given: Option<ir::Value>,
        n: usize,
        default: Option<i32>,
        constant: bool,
    ) -> Done<Parts> {
        let undef = self.undef_i32();
        let count = offsets(kind);
        let mut out = Parts::new();
        match given {
            Some(v) => {
                let parts = self.defined(v);
                if self.elem(v)? != Scalar::I32 {
                    return Err("texel offsets are integers".into());
                }
                if parts.len() != count {
                    return Err(format!(
                        "{count} texel offsets are needed, {} are given",
                        parts.len()
                    ));
                }
                for &p in &parts {
                    match self.int_const(p) {
                        Some(-8..=7) => {}
                        Some(n) if constant => {
                            return Err(format!("texel offset {n} is not between -8 and 7"));
                        }
                        None if constant => {
                            return Err("texel offsets must be constants here".into());
                        }
                        _ => {}
                    }
                    out.push(p);
                }
            }
            None => {
                let fill = match default {
                    Some(n) => self.cx.out.i32(n),
                    None => undef,
                };
                out.extend((0..count).map(|_| fill));
            }
        }
        out.resize(n, undef);
        Ok(out)
    }

    /// Takes the results out of what a texture operation gives: texel, then status.
    fn texel(&mut self, i: Inst, loaded: Value) -> Done {
        let f = self.f;
        let results = f.results(i);
        let Some(&texel) = results.first() else {
            return Ok(());
        };
        let (s, lanes) = self
            .cx
            .m
            .types
            .numeric(f.ty(texel))
            .ok_or("texels are numbers")?;
        let used = self.facts.live.lanes(texel);
        let ty = self.scalar(s);
        let wide = s.bits() == 64;
        let mut out = Parts::new();
        for c in 0..lanes {
            if used >> c & 1 == 0 {
                let undef = self.cx.out.undef(ty);
                out.push(undef);
                continue;
            }
            if wide && c > 1 || c > 3 {
                return Err("a texel has at most four words".into());
            }
            let v = if wide {
                let lo = self.b().extract_value(loaded, 2 * c);
                let hi = self.b().extract_value(loaded, 2 * c + 1);
                self.join_words(lo, hi, s)?
            } else {
                let v = self.b().extract_value(loaded, c);
                self.loaded(v, s)
            };
            out.push(v);
        }
        self.set(texel, &out);
        if let Some(&status) = results.get(1)
            && self.facts.live.uses(status)
        {
            let v = self.b().extract_value(loaded, 4);
            self.set(status, &[v]);
        }
        Ok(())
    }

    /// The component scalar of a texel.
    fn texel_scalar(&self, r: &ResourceType) -> Done<Scalar> {
        let n = r.elem.and_then(|e| self.cx.m.types.numeric(e));
        match n {
            Some((s, _)) if r.kind.is_typed() => Ok(s),
            _ => Err("this resource has no texels".into()),
        }
    }

    /// Complains if `v` is not made of such scalars.
    fn expect(&self, v: ir::Value, s: Scalar) -> Done {
        if self.elem(v)? == s {
            return Ok(());
        }
        Err("the value is not of the type of the resource's texels".into())
    }

    /// `tex_load`: handle, place, level or sample; operands.
    pub fn tex_load(&mut self, i: Inst, imm: u32, args: &[ir::Value]) -> Done {
        let r = self.resource_of(args[0])?;
        let s = self.texel_scalar(&r)?;
        self.expect(self.f.result(i), s)?;
        let ty = self.texel_type(s);
        let handle = self.one(args[0]);
        let undef = self.undef_i32();
        let loaded = if r.kind == ResourceKind::TypedBuffer {
            let index = self.one(args[1]);
            self.dx(68, Some(ty), &[handle, index, undef])?
        } else {
            let rest = rest(imm, args.get(3..).unwrap_or_default());
            let at = self.padded(args[1], 3, r.kind.coords() as usize)?;
            let level = match args.get(2) {
                Some(&v) if r.class == ResourceClass::Srv || r.kind.is_multisampled() => {
                    self.one(v)
                }
                _ => undef,
            };
            let o = self.offsets(r.kind, rest.offsets.first().copied(), 3, None, true)?;
            self.dx(
                66,
                Some(ty),
                &[handle, level, at[0], at[1], at[2], o[0], o[1], o[2]],
            )?
        };
        self.texel(i, loaded)
    }

    /// `tex_store`: handle, place, texel.
    pub fn tex_store(&mut self, args: &[ir::Value]) -> Done {
        let r = self.resource_of(args[0])?;
        if r.kind.is_multisampled() {
            return Err("writing multisampled textures is not supported".into());
        }
        let s = self.texel_scalar(&r)?;
        let ty = self.texel_type(s);
        self.expect(args[2], s)?;
        let handle = self.one(args[0]);
        let mut words = Parts::new();
        for v in self.defined(args[2]) {
            if s.bits() == 64 {
                let (lo, hi) = self.split_words(v, s)?;
                words.extend([lo, hi]);
            } else {
                words.push(self.in_memory(v, s));
            }
        }
        if words.is_empty() || words.len() > 4 {
            return Err("a texel has at most four words".into());
        }
        let first = words[0];
        words.resize(4, first);
        let mask = self.cx.out.i8(15);
        if r.kind == ResourceKind::TypedBuffer {
            let index = self.one(args[1]);
            let undef = self.undef_i32();
            self.dx(
                69,
                Some(ty),
                &[
                    handle, index, undef, words[0], words[1], words[2], words[3], mask,
                ],
            )?;
        } else {
            let at = self.padded(args[1], 3, r.kind.coords() as usize)?;
            let args = [
                handle, at[0], at[1], at[2], words[0], words[1], words[2], words[3], mask,
            ];
            self.dx(67, Some(ty), &args)?;
        }
        Ok(())
    }

    /// Everything that takes a sampler.
    pub fn sample(&mut self, i: Inst, imm: u32, args: &[ir::Value]) -> Done {
        let op = self.f.op(i);
        let dxil = operation(self.cx.m, self.f, i).ok_or("this instruction has no DXIL form")?;
        let r = self.resource_of(args[0])?;
        let s = self.texel_scalar(&r)?;
        let mut ty = self.texel_type(s);
        if r.class != ResourceClass::Srv || !r.kind.is_texture() {
            return Err("only textures that are not written can be sampled".into());
        }
        // The operands between the place and the optional ones.
        let fixed = match op {
            Opcode::sample | Opcode::gather => 0,
            Opcode::sample_bias
            | Opcode::sample_level
            | Opcode::sample_cmp
            | Opcode::gather_cmp => 1,
            Opcode::sample_grad | Opcode::sample_cmp_level => 2,
            _ => return Err("this instruction has no DXIL form".into()),
        };
        let rest = rest(imm, args.get(3 + fixed..).unwrap_or_default());
        let mut all: SmallVec<[Value; 20]> = SmallVec::new();
        all.push(self.one(args[0]));
        all.push(self.one(args[1]));
        all.extend(self.padded(args[2], 4, r.kind.coords() as usize)?);
        if matches!(op, Opcode::gather | Opcode::gather_cmp) {
            return self.gather(i, dxil, &r, &rest, all, args.get(3).copied());
        }
        let compared = matches!(op, Opcode::sample_cmp | Opcode::sample_cmp_level);
        if compared {
            ty = self.cx.out.types.float();
        }
        self.expect(self.f.result(i), if compared { Scalar::F32 } else { s })?;
        all.extend(self.offsets(r.kind, rest.offsets.first().copied(), 3, Some(0), true)?);
        match op {
            Opcode::sample_grad => {
                for &v in &args[3..5] {
                    all.extend(self.padded(v, 3, gradient(r.kind))?);
                }
            }
            Opcode::sample_cmp_level if dxil != super::facts::SAMPLE_CMP_LEVEL => {
                all.push(self.one(args[3]))
            }
            _ => {
                for &v in &args[3..3 + fixed] {
                    all.push(self.one(v));
                }
            }
        }
        if matches!(
            op,
            Opcode::sample | Opcode::sample_bias | Opcode::sample_grad | Opcode::sample_cmp
        ) {
            let float = self.cx.out.types.float();
            all.push(match rest.clamp {
                Some(v) => self.one(v),
                None => self.cx.out.undef(float),
            });
        }
        let loaded = self.dx(dxil, Some(ty), &all)?;
        self.texel(i, loaded)
    }

    fn gather(
        &mut self,
        i: Inst,
        dxil: u32,
        r: &ResourceType,
        rest: &Rest,
        head: SmallVec<[Value; 20]>,
        compare: Option<ir::Value>,
    ) -> Done {
        let s = self.texel_scalar(r)?;
        let ty = self.texel_type(s);
        let channel = self.cx.out.i32(rest.channel as i32);
        let compare = match compare {
            Some(v) if dxil == 74 => Some(self.one(v)),
            _ => None,
        };
        let one = |w: &mut Self, offset: Option<ir::Value>| -> Done<Value> {
            let mut all = head.clone();
            all.extend(w.offsets(r.kind, offset, 2, Some(0), false)?);
            all.push(channel);
            all.extend(compare);
            w.dx(dxil, Some(ty), &all)
        };
        if rest.offsets.len() < 4 {
            let loaded = one(self, rest.offsets.first().copied())?;
            return self.texel(i, loaded);
        }
        // Each texel has an offset of its own: four gathers, of each one component.
        let f = self.f;
        let results = f.results(i);
        let (mut out, mut status) = (Parts::new(), None);
        for (c, &offset) in rest.offsets.iter().enumerate() {
            let loaded = one(self, Some(offset))?;
            let v = self.b().extract_value(loaded, c as u32);
            out.push(self.loaded(v, s));
            if results.len() > 1 && self.facts.live.uses(results[1]) {
                let one = self.b().extract_value(loaded, 4);
                let i32 = self.cx.out.types.i32();
                let ok = self.dx(71, Some(i32), &[one])?;
                status = Some(match status {
                    Some(all) => self.b().binary(crate::module::BinOp::And, all, ok, 0),
                    None => ok,
                });
            }
        }
        self.set(results[0], &out);
        if let (Some(ok), Some(&v)) = (status, results.get(1)) {
            let i32 = self.cx.out.types.i32();
            let word = self.b().cast(CastOp::ZExt, ok, i32);
            self.set(v, &[word]);
        }
        Ok(())
    }
}
