//! Lowering of constant, structured and byte-address buffer accesses.

use rtc_ir::{self as ir, Inst, ResourceType, Scalar};
use rtc_tables::dxil_ops::{DxOp, op};
use rtc_tables::resources::{LOAD_STATUS, ResourceKind};
use smallvec::SmallVec;

use super::emitter::{EmitError, EmitResult};
use super::func::Writer;
use super::live::has_lane;
use super::select::RAW_BUFFER_MODEL;
use super::values::Components;
use rtc_dxil_module::{BinOp, CastOp, Type, Value};

/// Those operations have overloads of 64 bits since shader model 6.3.
const WIDE_RAW_BUFFER_MODEL: u32 = 3;

/// How a scalar travels through a buffer: as which type, and with which bytes.
struct Carrier {
    scalar: Scalar,
    bytes: u32,
}

impl Writer<'_, '_> {
    /// The type of the resource of a handle.
    pub(super) fn resource_of(&self, handle: ir::Value) -> EmitResult<ResourceType> {
        self.m.types.as_resource(self.f.ty(handle)).ok_or_else(|| EmitError::internal("not a resource"))
    }

    /// Booleans travel as words, minimum-precision numbers as the 32-bit numbers that they are in memory.
    fn carrier(&self, s: Scalar) -> Carrier {
        let scalar = match s {
            Scalar::Bool => Scalar::I32,
            Scalar::F16 if !self.m.native_16bit => Scalar::F32,
            Scalar::I16 if !self.m.native_16bit => Scalar::I32,
            s => s,
        };
        Carrier { scalar, bytes: scalar.bytes() }
    }

    /// From the type that travels to the type that is computed with.
    fn received(&mut self, v: Value, s: Scalar, c: &Carrier) -> Value {
        if s == c.scalar {
            return v;
        }
        let ty = self.e.scalar(s);
        match s {
            Scalar::F16 => self.e.b().cast(CastOp::FpTrunc, v, ty),
            Scalar::I16 => self.e.b().cast(CastOp::Trunc, v, ty),
            _ => self.loaded(v, s),
        }
    }

    fn sent(&mut self, v: Value, s: Scalar, c: &Carrier) -> Value {
        let v = self.e.define(v);
        if s == c.scalar {
            return v;
        }
        let ty = self.e.scalar(c.scalar);
        match s {
            Scalar::F16 => self.e.b().cast(CastOp::FpExt, v, ty),
            Scalar::I16 => self.e.b().cast(CastOp::SExt, v, ty),
            _ => self.in_memory(v, s),
        }
    }

    fn result_shape(&self, i: Inst) -> EmitResult<(ir::Value, Scalar, u32)> {
        let result = self.f.result(i);
        let n = self.m.types.numeric(self.f.ty(result));
        let (s, lanes) = n.ok_or("only numbers can be loaded")?;
        Ok((result, s, lanes))
    }

    /// `cbuf_load`: handle, row; byte in the row.
    pub(super) fn cbuf_load(&mut self, i: Inst, byte: u32, args: &[ir::Value]) -> EmitResult {
        let (result, s, lanes) = self.result_shape(i)?;
        let (handle, row) = (self.one(args[0]), self.one(args[1]));
        let r = self.resource_of(args[0])?;
        if !matches!(r.kind, ResourceKind::CBuffer | ResourceKind::TBuffer) {
            return Err(EmitError::internal("this resource is no constant buffer"));
        }
        if let Some(row) = self.e.int_const(row)
            && u64::from(row as u32) * 16 >= u64::from(r.stride)
        {
            return Err(format!("row {row} is beyond the end of the constant buffer of {} bytes", r.stride).into());
        }
        if r.kind == ResourceKind::TBuffer {
            return self.tbuf_load(result, s, byte, lanes, handle, row);
        }
        // A row of minimum-precision numbers has as many as one of 32-bit numbers.
        let travels = if s == Scalar::Bool { Scalar::I32 } else { s };
        let native = self.m.native_16bit;
        let bytes = match travels {
            Scalar::F16 | Scalar::I16 if !native => 4,
            t => t.bytes(),
        };
        let ty = self.e.scalar(travels);
        let loaded = self.e.dx(op::CBUFFER_LOAD_LEGACY, Some(ty), &[handle, row])?;
        let used = self.facts.live.lanes(result);
        let mut out = Components::new();
        for c in 0..lanes {
            let at = byte / bytes + c;
            if (at + 1) * bytes > 16 {
                return Err(EmitError::internal("a load from a constant buffer crosses a row"));
            }
            if !has_lane(used, c as usize) {
                let ty = self.e.scalar(s);
                let undef = self.e.out.undef(ty);
                out.push(undef);
                continue;
            }
            let v = self.e.b().extract_value(loaded, at);
            out.push(self.loaded(v, s));
        }
        self.set(result, &out);
        Ok(())
    }

    /// A row of a texture buffer is a texel of four words.
    fn tbuf_load(&mut self, result: ir::Value, s: Scalar, byte: u32, lanes: u32, handle: Value, row: Value) -> EmitResult {
        let c = self.carrier(s);
        let (wide, narrow) = (c.scalar.bits() == 64, c.bytes == 2);
        let word = if wide || narrow { Scalar::I32 } else { c.scalar };
        let ty = self.e.scalar(word);
        let i32 = self.e.out.types.i32();
        let undef = self.e.out.undef(i32);
        let loaded = self.e.dx(op::BUFFER_LOAD, Some(ty), &[handle, row, undef])?;
        let mut out = Components::new();
        for n in 0..lanes {
            let start = byte + n * c.bytes;
            if start + c.bytes > 16 {
                return Err(EmitError::internal("a load from a texture buffer crosses a row"));
            }
            let at = start / 4;
            let v = if narrow {
                let v = self.e.b().extract_value(loaded, at);
                self.half_of_word(v, !start.is_multiple_of(4), c.scalar)
            } else if wide {
                let (lo, hi) = (self.e.b().extract_value(loaded, at), self.e.b().extract_value(loaded, at + 1));
                self.join_words(lo, hi, c.scalar)?
            } else {
                self.e.b().extract_value(loaded, at)
            };
            out.push(self.received(v, s, &c));
        }
        self.set(result, &out);
        Ok(())
    }

    /// The lower or upper half of a word as a 16-bit number.
    fn half_of_word(&mut self, mut word: Value, upper: bool, s: Scalar) -> Value {
        if upper {
            let by = self.e.out.i32(16);
            word = self.e.b().binary(BinOp::LShr, word, by, 0);
        }
        let i16 = self.e.scalar(Scalar::I16);
        let half = self.e.b().cast(CastOp::Trunc, word, i16);
        if s == Scalar::I16 {
            return half;
        }
        let ty = self.e.scalar(s);
        self.e.b().cast(CastOp::BitCast, half, ty)
    }

    /// A 64-bit number from its words.
    pub(super) fn join_words(&mut self, lo: Value, hi: Value, s: Scalar) -> EmitResult<Value> {
        if s == Scalar::F64 {
            return self.pair_to_double(lo, hi);
        }
        let i64 = self.e.out.types.i64();
        let (lo, hi) = (self.e.b().cast(CastOp::ZExt, lo, i64), self.e.b().cast(CastOp::ZExt, hi, i64));
        let by = self.e.out.const_int(64, 32);
        let hi = self.e.b().binary(BinOp::Shl, hi, by, 0);
        Ok(self.e.b().binary(BinOp::Or, hi, lo, 0))
    }

    /// The words of a 64-bit number.
    pub(super) fn split_words(&mut self, v: Value, s: Scalar) -> EmitResult<(Value, Value)> {
        if s == Scalar::F64 {
            return self.split_double(v);
        }
        if let Some(n) = self.e.int_const(v) {
            return Ok((self.e.out.i32(n as i32), self.e.out.i32((n >> 32) as i32)));
        }
        let i32 = self.e.out.types.i32();
        let by = self.e.out.const_int(64, 32);
        let high = self.e.b().binary(BinOp::LShr, v, by, 0);
        Ok((self.e.b().cast(CastOp::Trunc, v, i32), self.e.b().cast(CastOp::Trunc, high, i32)))
    }

    /// Handle, index and offset operands of an access, the last two moved by `bytes`.
    fn address(&mut self, handle: ir::Value, at: &[ir::Value], bytes: u32) -> EmitResult<[Value; 3]> {
        let kind = self.resource_of(handle)?.kind;
        let wanted = match at.len() {
            1 => ResourceKind::RawBuffer,
            _ => ResourceKind::StructuredBuffer,
        };
        if kind != wanted {
            return Err(EmitError::internal("this buffer is not accessed this way"));
        }
        let handle = self.one(handle);
        let mut place: SmallVec<[Value; 2]> = SmallVec::new();
        for &v in at {
            place.push(self.one(v));
        }
        if let Some(last) = place.last_mut().filter(|_| bytes != 0) {
            *last = match self.e.int_const(*last) {
                Some(n) => self.e.out.i32((n as i32).wrapping_add(bytes as i32)),
                None => {
                    let more = self.e.out.i32(bytes as i32);
                    self.e.b().binary(BinOp::Add, *last, more, 0)
                }
            };
        }
        let i32 = self.e.out.types.i32();
        let undef = self.e.out.undef(i32);
        Ok([handle, place[0], place.get(1).copied().unwrap_or(undef)])
    }

    /// Shader models before 6.2 access raw and structured buffers as typed ones, without mask and alignment; before 6.3,
    /// 64-bit numbers are two words.
    fn is_old(&self, c: &Carrier) -> bool {
        let needed = match c.bytes {
            8 => WIDE_RAW_BUFFER_MODEL,
            _ => RAW_BUFFER_MODEL,
        };
        self.m.shader_model < needed
    }

    /// [`Self::raw_load`] where [`Self::is_old`]: the `wanted` components from byte `bytes` on.
    fn old_load(&mut self, dxil: DxOp, args: &[ir::Value], bytes: u32, c: &Carrier, wanted: u64) -> EmitResult<(Value, Components)> {
        let wide = c.scalar.bits() == 64;
        let ty = if wide { self.e.out.types.i32() } else { self.e.scalar(c.scalar) };
        let [handle, index, offset] = self.address(args[0], &args[1..], bytes)?;
        let loaded = if dxil == op::BUFFER_LOAD {
            self.e.dx(dxil, Some(ty), &[handle, index, offset])?
        } else {
            let words = (64 - wanted.leading_zeros()).max(1) * 2;
            let mask = self.e.out.i8(((1u32 << words) - 1) as i8);
            let align = self.alignment(0, c, args[0])?;
            self.e.dx(dxil, Some(ty), &[handle, index, offset, mask, align])?
        };
        let mut out = Components::new();
        for n in 0..4 / (c.bytes / 4).max(1) {
            out.push(if !has_lane(wanted, n as usize) {
                self.e.out.undef(ty)
            } else if wide {
                let (lo, hi) = (self.e.b().extract_value(loaded, 2 * n), self.e.b().extract_value(loaded, 2 * n + 1));
                self.join_words(lo, hi, c.scalar)?
            } else {
                self.e.b().extract_value(loaded, n)
            });
        }
        Ok((loaded, out))
    }

    /// [`Self::raw_store`] where [`Self::is_old`]: `chunk` to byte `bytes` and on.
    fn old_store(&mut self, dxil: DxOp, place: &[ir::Value], bytes: u32, c: &Carrier, chunk: &[Value]) -> EmitResult {
        let wide = c.scalar.bits() == 64;
        let ty = if wide { self.e.out.types.i32() } else { self.e.scalar(c.scalar) };
        let mut values: SmallVec<[Value; 12]> = SmallVec::new();
        values.extend(self.address(place[0], &place[1..], bytes)?);
        for &v in chunk {
            if wide {
                let (lo, hi) = self.split_words(v, c.scalar)?;
                values.extend([lo, hi]);
            } else {
                values.push(v);
            }
        }
        let mask = (1u32 << (values.len() - 3)) - 1;
        let undef = self.e.out.undef(ty);
        values.resize(7, undef);
        values.push(self.e.out.i8(mask as i8));
        if dxil == op::BUFFER_STORE {
            return self.e.dx(dxil, Some(ty), &values).map(|_| ());
        }
        values.push(self.alignment(0, c, place[0])?);
        self.e.dx(dxil, Some(ty), &values).map(|_| ())
    }

    /// The alignment of an access, which `imm` may state. Addresses of byte-address buffers are multiples of four, those of larger numbers too.
    fn alignment(&mut self, imm: u32, c: &Carrier, handle: ir::Value) -> EmitResult<Value> {
        let align = match imm & !LOAD_STATUS {
            0 => c.bytes,
            n => n,
        };
        let raw = self.resource_of(handle)?.kind == ResourceKind::RawBuffer;
        let align = if raw { align.min(4) } else { align };
        Ok(self.e.out.i32(align as i32))
    }

    /// `buf_load`, `raw_load`: handle, place; the alignment.
    pub(super) fn raw_load(&mut self, i: Inst, dxil: DxOp, imm: u32, args: &[ir::Value]) -> EmitResult {
        let (result, s, lanes) = self.result_shape(i)?;
        let c = self.carrier(s);
        let ty = self.e.scalar(c.scalar);
        let used = self.facts.live.lanes(result);
        let f = self.f;
        let status = f.results(i).get(1).copied();
        let status = status.filter(|&v| self.facts.live.uses(v));
        if dxil == op::RAW_BUFFER_VECTOR_LOAD {
            return self.vector_load(imm, args, (result, s, lanes), status);
        }
        let mut statuses = Components::new();
        let mut out = Components::new();
        let mut n = 0;
        let old = self.is_old(&c);
        let most = if old && c.bytes == 8 { 2 } else { 4 };
        while n < lanes {
            let count = (lanes - n).min(most);
            let wanted = if n < 64 { used >> n & ((1 << count) - 1) } else { (1 << count) - 1 };
            if wanted == 0 && status.is_none() {
                let ty = self.e.scalar(s);
                let undef = self.e.out.undef(ty);
                out.extend((0..count).map(|_| undef));
                n += count;
                continue;
            }
            let (loaded, parts) = if old {
                self.old_load(dxil, args, n * c.bytes, &c, wanted)?
            } else {
                let [handle, index, offset] = self.address(args[0], &args[1..], n * c.bytes)?;
                let mask = self.e.out.i8(((1u32 << count) - 1) as i8);
                let align = self.alignment(imm, &c, args[0])?;
                let loaded = self.e.dx(dxil, Some(ty), &[handle, index, offset, mask, align])?;
                (loaded, Components::new())
            };
            if status.is_some() {
                statuses.push(self.e.b().extract_value(loaded, 4));
            }
            for k in 0..count {
                if wanted >> k & 1 == 0 {
                    let ty = self.e.scalar(s);
                    let undef = self.e.out.undef(ty);
                    out.push(undef);
                    continue;
                }
                let v = match parts.get(k as usize) {
                    Some(&v) => v,
                    None => self.e.b().extract_value(loaded, k),
                };
                out.push(self.received(v, s, &c));
            }
            n += count;
        }
        self.set(result, &out);
        if let Some(status) = status {
            self.set(status, &statuses);
        }
        Ok(())
    }

    /// `buf_store`, `raw_store`: handle, place, value; the alignment.
    pub(super) fn raw_store(&mut self, dxil: DxOp, imm: u32, args: &[ir::Value]) -> EmitResult {
        let Some((&value, place)) = args.split_last() else {
            return Err(EmitError::internal("a store without a value"));
        };
        let s = self.elem(value)?;
        let c = self.carrier(s);
        let ty = self.e.scalar(c.scalar);
        let parts = self.parts(value);
        if self.is_old(&c) {
            let parts: Components = parts.into_iter().map(|p| self.sent(p, s, &c)).collect();
            let most = if c.bytes == 8 { 2 } else { 4 };
            for (n, chunk) in parts.chunks(most).enumerate() {
                self.old_store(dxil, place, (n * most) as u32 * c.bytes, &c, chunk)?;
            }
            return Ok(());
        }
        if dxil == op::RAW_BUFFER_VECTOR_STORE {
            return self.vector_store(imm, place, s, &parts);
        }
        for (n, chunk) in parts.chunks(4).enumerate() {
            let [handle, index, offset] = self.address(place[0], &place[1..], n as u32 * 4 * c.bytes)?;
            let undef = self.e.out.undef(ty);
            let mut values = [undef; 4];
            for (k, &p) in chunk.iter().enumerate() {
                values[k] = self.sent(p, s, &c);
            }
            let mask = self.e.out.i8(((1u32 << chunk.len()) - 1) as i8);
            let align = self.alignment(imm, &c, place[0])?;
            let [a, b, d, e] = values;
            self.e.dx(dxil, Some(ty), &[handle, index, offset, a, b, d, e, mask, align])?;
        }
        Ok(())
    }

    /// [`Self::raw_load`] of a vector as a whole.
    fn vector_load(
        &mut self,
        imm: u32,
        args: &[ir::Value],
        (result, s, lanes): (ir::Value, Scalar, u32),
        status: Option<ir::Value>,
    ) -> EmitResult {
        let used = self.facts.live.lanes(result);
        if used == 0 && status.is_none() {
            let ty = self.e.scalar(s);
            let undef = self.e.out.undef(ty);
            let none: Components = (0..lanes).map(|_| undef).collect();
            self.set(result, &none);
            return Ok(());
        }
        let c = self.carrier(s);
        let elem = self.e.scalar(c.scalar);
        let ty = self.e.out.types.vector(elem, lanes);
        let [handle, index, offset] = self.address(args[0], &args[1..], 0)?;
        let align = self.alignment(imm, &c, args[0])?;
        let loaded = self.e.dx(op::RAW_BUFFER_VECTOR_LOAD, Some(ty), &[handle, index, offset, align])?;
        let all = self.e.b().extract_value(loaded, 0);
        let mut out = Components::new();
        for n in 0..lanes {
            if !has_lane(used, n as usize) {
                let ty = self.e.scalar(s);
                out.push(self.e.out.undef(ty));
                continue;
            }
            let at = self.e.out.i32(n as i32);
            let v = self.e.b().extract_element(all, at);
            out.push(self.received(v, s, &c));
        }
        self.set(result, &out);
        if let Some(status) = status {
            let v = self.e.b().extract_value(loaded, 1);
            self.set(status, &[v]);
        }
        Ok(())
    }

    /// [`Self::raw_store`] of a vector as a whole.
    fn vector_store(&mut self, imm: u32, place: &[ir::Value], s: Scalar, parts: &[Value]) -> EmitResult {
        let c = self.carrier(s);
        let elem = self.e.scalar(c.scalar);
        let ty = self.e.out.types.vector(elem, parts.len() as u32);
        let [handle, index, offset] = self.address(place[0], &place[1..], 0)?;
        let mut all = self.e.out.undef(ty);
        let undef = self.e.out.undef(elem);
        for (n, &p) in parts.iter().enumerate() {
            let p = self.sent(p, s, &c);
            // No instruction may read an undefined component.
            if p == undef {
                continue;
            }
            let at = self.e.out.i32(n as i32);
            all = self.e.b().insert_element(all, p, at);
        }
        let align = self.alignment(imm, &c, place[0])?;
        self.e.dx(op::RAW_BUFFER_VECTOR_STORE, Some(ty), &[handle, index, offset, all, align]).map(|_| ())
    }

    /// `tex_size`, `buf_size`.
    pub(super) fn size(&mut self, i: Inst, args: &[ir::Value]) -> EmitResult {
        let r = self.resource_of(args[0])?;
        let handle = self.one(args[0]);
        let i32 = self.e.out.types.i32();
        let level = match args.get(1) {
            Some(&v) if r.kind.is_texture() && !r.kind.is_multisampled() => {
                if r.class == rtc_tables::resources::ResourceClass::Uav {
                    self.e.out.i32(0)
                } else {
                    self.one(v)
                }
            }
            _ => self.e.out.undef(i32),
        };
        let all = self.e.dx(op::GET_DIMENSIONS, None, &[handle, level])?;
        let (result, _, lanes) = self.result_shape(i)?;
        let used = self.facts.live.lanes(result);
        let mut out = Components::new();
        for c in 0..lanes {
            out.push(if !has_lane(used, c as usize) { self.e.out.undef(i32) } else { self.e.b().extract_value(all, c) });
        }
        self.set(result, &out);
        Ok(())
    }

    /// `counter_add`: handle; 1 or -1.
    pub(super) fn counter(&mut self, i: Inst, imm: u32, args: &[ir::Value]) -> EmitResult {
        let global = super::resources::declaration_of(self.f, args[0]);
        let row = global.and_then(|g| self.module_facts.resource(g));
        if let Some(r) = row.filter(|r| r.counts_both_directions)
            && self.m.shader_model < 6
            && !self.is_library()
        {
            return Err(format!(
                "the hidden counter of `{}` goes up and down; a compute shader before shader model 6.6 may do one of them",
                r.name
            )
            .into());
        }
        let handle = self.one(args[0]);
        let step = self.e.out.i8(imm as i8);
        let v = self.e.dx(op::BUFFER_UPDATE_COUNTER, None, &[handle, step])?;
        self.set(self.f.result(i), &[v]);
        Ok(())
    }

    /// The type by which component scalar `s` of a texel is read: words if it is 64 bits wide.
    pub(super) fn texel_type(&mut self, s: Scalar) -> Type {
        match s {
            Scalar::Bool | Scalar::I64 | Scalar::F64 => self.e.out.types.i32(),
            s => self.e.scalar(s),
        }
    }
}
