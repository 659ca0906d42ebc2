//! Memory accesses other than variables: buffers, constant buffers, texels.
//!
//! Numbers are read and written in pieces of up to four components (two of 64 bits). A row of a column-major matrix
//! is a vector whose components are not contiguous, so every vector has a component stride. In memory `bool` and
//! the minimum-precision types have 32 bits.

use rtc_ir::{Opcode, Type, Value};
use rtc_tables::limits::OFFLINE_MODEL;
use rtc_tables::resources::{LOAD_STATUS, ResourceClass, TexOperands};
use smallvec::SmallVec;

use super::func::FnCx;
use super::operand::{Cbuf, Index, LValue, Mem, Rows, Texel};
use super::types::{Shape, texel_scalar};
use crate::hir::layout::{self, Rules};
use crate::hir::{RecordId, Scalar, Ty};

/// Row and column strides of a matrix.
fn strides(s: Scalar, rows: u32, cols: u32, row_major: bool, rules: Rules) -> (u32, u32) {
    let b = s.bytes();
    match (rules.is_vulkan(), rows, cols) {
        // Vectors.
        (true, 1, _) => (b * cols, b),
        (true, _, 1) => (b, b * rows),
        _ if row_major => (layout::vector_stride(b, cols, rules), b),
        _ => (b, layout::vector_stride(b, rows, rules)),
    }
}

/// The representation of a scalar in memory.
pub fn stored(s: Scalar) -> Scalar {
    match s {
        Scalar::Bool => Scalar::Uint,
        Scalar::Min12Int | Scalar::Min16Int => Scalar::Int,
        Scalar::Min16Uint => Scalar::Uint,
        Scalar::Min10Float | Scalar::Min16Float => Scalar::Float,
        s => s,
    }
}

impl FnCx<'_, '_> {
    // Access paths in buffers ----------------------------------------------------------------------------------

    fn mem_plus(&mut self, m: &Mem, index: Index, step: u32, stride: u32, shape: Shape) -> Mem {
        match index {
            Index::At(n) => m.at(n.wrapping_mul(step), stride, shape),
            Index::By(i) => {
                let bytes = self.int(step);
                let mut d = self.bin(Opcode::imul, i, bytes);
                if let Some(before) = m.dynamic {
                    d = self.bin(Opcode::iadd, before, d);
                }
                let align = 1 << m.align.trailing_zeros().min(step.trailing_zeros());
                Mem { dynamic: Some(d), align, ..m.at(0, stride, shape) }
            }
        }
    }

    /// Field of a record in a buffer.
    pub fn mem_field(&mut self, m: &Mem, r: RecordId, n: u32, shape: Shape) -> Mem {
        let offset = self.l.layout_of(r, m.rules).offsets[n as usize];
        m.at(offset, shape.natural_stride(), shape)
    }
    /// Element of an array in a buffer.
    pub fn mem_element(&mut self, m: &Mem, i: Index, elem: Ty, shape: Shape) -> Mem {
        let step = layout::array_stride(&self.l.hir.types, elem, m.rules);
        self.mem_plus(m, i, step, shape.natural_stride(), shape)
    }
    /// Row of a matrix in a buffer.
    pub fn mem_row(&mut self, m: &Mem, i: Index) -> Mem {
        let Shape::Mat { scalar, rows, cols, row_major } = m.shape else {
            rtc_base::bug!("no matrix is in {m:?}");
        };
        let (down, across) = strides(scalar, rows, cols, row_major, m.matrix_rules());
        self.mem_plus(m, i, down, across, Shape::Vec(scalar, cols))
    }
    /// Component of a vector in a buffer.
    pub fn mem_comp(&mut self, m: &Mem, i: Index) -> Mem {
        let Shape::Vec(s, _) = m.shape else {
            rtc_base::bug!("no vector is in {m:?}");
        };
        self.mem_plus(m, i, m.stride, m.stride, Shape::Vec(s, 1))
    }

    /// Field of a record in a constant buffer.
    pub fn cbuf_field(&mut self, c: &Cbuf, r: RecordId, n: u32, shape: Shape) -> Cbuf {
        let offset = self.l.layout_of(r, c.rules).offsets[n as usize];
        c.at(offset, shape.natural_stride(), shape)
    }
    /// Element of an array in a constant buffer; elements start rows.
    pub fn cbuf_element(&mut self, c: &Cbuf, i: Index, elem: Ty, shape: Shape) -> Cbuf {
        let step = layout::array_stride(&self.l.hir.types, elem, c.rules);
        self.cbuf_plus(c, i, step, shape.natural_stride(), shape)
    }
    fn cbuf_plus(&mut self, c: &Cbuf, i: Index, step: u32, stride: u32, shape: Shape) -> Cbuf {
        match i {
            Index::At(n) => c.at(n.wrapping_mul(step), stride, shape),
            Index::By(i) => {
                let mut row = i;
                if step / 16 != 1 {
                    let n = self.int(step / 16);
                    row = self.bin(Opcode::imul, row, n);
                }
                if let Some(before) = c.row {
                    row = self.bin(Opcode::iadd, before, row);
                }
                Cbuf { row: Some(row), ..c.at(0, stride, shape) }
            }
        }
    }
    /// Whether a row of the matrix can be addressed: its number is constant, or its rows are rows of the buffer.
    pub fn cbuf_has_rows(&self, c: &Cbuf, i: Index) -> bool {
        matches!((c.shape, i), (_, Index::At(_)) | (Shape::Mat { row_major: true, .. }, _))
    }
    /// Row of a matrix in a constant buffer.
    pub fn cbuf_row(&mut self, c: &Cbuf, i: Index) -> Cbuf {
        let Shape::Mat { scalar, rows, cols, row_major } = c.shape else {
            rtc_base::bug!("no matrix is in {c:?}");
        };
        let (down, across) = strides(scalar, rows, cols, row_major, c.rules);
        self.cbuf_plus(c, i, down, across, Shape::Vec(scalar, cols))
    }

    // Reading --------------------------------------------------------------------------------------------

    /// A vector of `n` components of type `s`.
    pub fn load_memory(&mut self, p: &LValue, s: Scalar, n: u32) -> Value {
        let (offset, stride) = match p {
            LValue::Mem(m) => (m.offset, m.stride),
            LValue::Cbuf(c) => (c.offset, c.stride),
            _ => rtc_base::bug!("{p:?} is not in memory"),
        };
        let m = stored(s);
        let mut parts: SmallVec<[Value; 4]> = SmallVec::new();
        let mut whole = None;
        let mut at = 0;
        while at < n {
            let byte = offset.wrapping_add(at * stride);
            let mut k = match p {
                LValue::Mem(x) if self.is_whole(x, m, n) => n,
                _ if stride == m.bytes() => (n - at).min(16 / m.bytes()).min(4),
                _ => 1,
            };
            if matches!(p, LValue::Cbuf(_)) {
                // No further than the end of the row.
                k = k.min((16 - byte % 16) / m.bytes()).max(1);
            }
            let v = match p {
                LValue::Mem(x) => self.load_mem(x, byte, m, k),
                LValue::Cbuf(x) => self.load_cbuf(x, byte, m, k),
                _ => unreachable!("seen above"),
            };
            if k == n {
                whole = Some(v);
            } else {
                parts.extend(self.comps(v));
            }
            at += k;
        }
        let v = match whole {
            Some(v) => v,
            None => self.vector(&parts),
        };
        self.convert(v, m, s)
    }

    /// Whether a vector of more than four components in a buffer is one access. Where it becomes several in the end, each says whether it is
    /// resident.
    fn is_whole(&self, m: &Mem, s: Scalar, n: u32) -> bool {
        let says_once = !m.status || self.l.out.shader_model != OFFLINE_MODEL && !self.l.host_layouts;
        n > 4 && m.stride == s.bytes() && says_once && self.ty_of(m.handle) != Type::I64
    }

    fn load_mem(&mut self, m: &Mem, byte: u32, s: Scalar, n: u32) -> Value {
        let ty = self.l.vec_ty(s, n);
        let at = self.address(m, byte);
        if self.ty_of(m.handle) == Type::I64 {
            let address = self.moved(m.handle, at);
            let b = &mut self.b();
            return b.many_value(Opcode::phys_load, m.alignment(byte), &[address], ty);
        }
        let mut operands: SmallVec<[Value; 3]> = SmallVec::from_slice(&[m.handle]);
        operands.extend(m.index);
        operands.push(at);
        let op = match m.index {
            Some(_) => Opcode::buf_load,
            None => Opcode::raw_load,
        };
        if !m.status {
            return self.b().many_value(op, s.bytes(), &operands, ty);
        }
        let imm = s.bytes() | LOAD_STATUS;
        let i = self.b().many(op, imm, &operands, &[ty, Type::I32]);
        let (v, status) = (self.func.results(i)[0], self.func.results(i)[1]);
        let ok = self.un(Opcode::status_ok, status);
        self.resident = Some(match self.resident {
            Some(before) => self.bin(Opcode::and, before, ok),
            None => ok,
        });
        v
    }

    /// A 64-bit address, some bytes further on.
    pub fn moved(&mut self, address: Value, bytes: Value) -> Value {
        if self.func.as_const(bytes) == Some(0) {
            return address;
        }
        let wide = self.conv(Opcode::zext, bytes, Type::I64);
        self.bin(Opcode::iadd, address, wide)
    }

    /// The byte at `byte` after the computed part.
    pub fn address(&mut self, m: &Mem, byte: u32) -> Value {
        let Some(d) = m.dynamic else {
            return self.int(byte);
        };
        if byte == 0 {
            return d;
        }
        if let Some(d) = self.func.as_const(d) {
            return self.int((d as u32).wrapping_add(byte));
        }
        let byte = self.int(byte);
        self.bin(Opcode::iadd, d, byte)
    }

    fn load_cbuf(&mut self, c: &Cbuf, byte: u32, s: Scalar, n: u32) -> Value {
        let ty = self.l.vec_ty(s, n);
        let row = match c.row {
            None => self.int(byte / 16),
            Some(r) if byte < 16 => r,
            Some(r) => {
                let more = self.int(byte / 16);
                self.bin(Opcode::iadd, r, more)
            }
        };
        self.b().many_value(Opcode::cbuf_load, byte % 16, &[c.handle, row], ty)
    }

    /// A matrix.
    pub fn load_matrix(&mut self, p: &LValue) -> Rows {
        let Shape::Mat { scalar, rows, cols, row_major } = p.shape() else {
            rtc_base::bug!("no matrix is in {p:?}");
        };
        if row_major {
            return (0..rows)
                .map(|r| {
                    let row = self.row(p, Index::At(r));
                    self.load_memory(&row, scalar, cols)
                })
                .collect();
        }
        let columns: Rows = (0..cols)
            .map(|c| {
                let column = self.column(p, c);
                self.load_memory(&column, scalar, rows)
            })
            .collect();
        self.transpose(&columns)
    }

    /// Column `n` of a column-major matrix: a vector without gaps.
    fn column(&mut self, p: &LValue, n: u32) -> LValue {
        let Shape::Mat { scalar, rows, cols, row_major } = p.shape() else {
            rtc_base::bug!("no matrix is in {p:?}");
        };
        let shape = Shape::Vec(scalar, rows);
        match p {
            LValue::Mem(m) => {
                let (down, across) = strides(scalar, rows, cols, row_major, m.matrix_rules());
                LValue::Mem(m.at(n * across, down, shape))
            }
            LValue::Cbuf(c) => {
                let (down, across) = strides(scalar, rows, cols, row_major, c.rules);
                LValue::Cbuf(c.at(n * across, down, shape))
            }
            _ => rtc_base::bug!("{p:?} is not in memory"),
        }
    }

    /// A texel.
    pub fn load_texel(&mut self, t: &Texel) -> Value {
        let Shape::Vec(s, n) = t.shape else {
            rtc_base::bug!("no texel is in {t:?}");
        };
        let level = match t.level {
            Some(l) => l,
            None => self.int(0),
        };
        let ty = self.l.vec_ty(texel_scalar(s), n);
        let none = TexOperands::empty().bits();
        let texel = self.b().many_value(Opcode::tex_load, none, &[t.handle, t.coords, level], ty);
        self.convert(texel, texel_scalar(s), s)
    }

    // Writing --------------------------------------------------------------------------------------------

    /// Writes a vector.
    pub fn store_memory(&mut self, p: &LValue, x: Value) {
        let (LValue::Mem(m), Shape::Vec(s, n)) = (p, p.shape()) else {
            rtc_base::bug!("no number is written to {p:?}");
        };
        let to = stored(s);
        let x = self.convert(x, s, to);
        let mut at = 0;
        while at < n {
            let k = match m.stride == to.bytes() {
                true if self.is_whole(m, to, n) => n,
                true => (n - at).min(16 / to.bytes()).min(4),
                false => 1,
            };
            let part = if k == n {
                x
            } else {
                let parts: SmallVec<[Value; 4]> = (at..at + k).map(|c| self.comp(x, c)).collect();
                self.vector(&parts)
            };
            let offset = m.offset.wrapping_add(at * m.stride);
            let byte = self.address(m, offset);
            if self.ty_of(m.handle) == Type::I64 {
                let address = self.moved(m.handle, byte);
                let b = &mut self.b();
                b.many(Opcode::phys_store, m.alignment(offset), &[address, part], &[]);
                at += k;
                continue;
            }
            match m.index {
                Some(i) => _ = self.b().many(Opcode::buf_store, to.bytes(), &[m.handle, i, byte, part], &[]),
                None => _ = self.b().many(Opcode::raw_store, to.bytes(), &[m.handle, byte, part], &[]),
            }
            at += k;
        }
    }

    /// Writes a matrix.
    pub fn store_matrix(&mut self, p: &LValue, rows: &Rows) {
        let Shape::Mat { row_major, .. } = p.shape() else {
            rtc_base::bug!("no matrix is in {p:?}");
        };
        if row_major {
            for (r, &row) in rows.iter().enumerate() {
                let to = self.row(p, Index::At(r as u32));
                self.store_memory(&to, row);
            }
            return;
        }
        for (c, &column) in self.transpose(rows).iter().enumerate() {
            let to = self.column(p, c as u32);
            self.store_memory(&to, column);
        }
    }

    /// Writes a texel.
    pub fn store_texel(&mut self, t: &Texel, x: Value) {
        let r = self.l.out.types.as_resource(self.ty_of(t.handle));
        let samples = r.is_some_and(|r| r.kind.is_multisampled());
        if r.map(|r| r.class) != Some(ResourceClass::Uav) || (t.level.is_some() && !samples) {
            return self.unsupported("a write to this texel");
        }
        let x = match t.shape {
            Shape::Vec(s, _) => self.convert(x, s, texel_scalar(s)),
            _ => x,
        };
        let mut operands: SmallVec<[Value; 4]> = SmallVec::from_slice(&[t.handle, t.coords, x]);
        if samples {
            // The default is the first sample.
            operands.push(match t.level {
                Some(sample) => sample,
                None => self.int(0),
            });
        }
        self.b().many(Opcode::tex_store, 0, &operands, &[]);
    }
}
