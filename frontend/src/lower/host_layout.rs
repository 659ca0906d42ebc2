//! The types of buffers as hosts see them: names, members, offsets and strides ([`rtc_ir::host_layout`]).
//!
//! The names are the reference compiler's: `type.Frame` for `cbuffer Frame`, `type.StructuredBuffer.Light` for a buffer of structures
//! `Light`, `v4float` for a vector. A matrix of integers is an array of the vectors that it is stored as, since SPIR-V has none.

use rtc_ir::host_layout::{HostBlock, HostKind, HostMember, HostScalar, HostType};
use rtc_tables::resources::{ResourceFlags, ResourceKind};

use super::Lowerer;
use super::memory::stored;
use crate::hir::layout::{self, Rules};
use crate::hir::{GlobalId, GlobalKind, RecordId, Scalar, Ty, TyKind};

impl Lowerer<'_> {
    /// The type of a buffer; `None` for what is no buffer or has no type.
    pub fn host_block(&mut self, g: GlobalId) -> Option<HostBlock> {
        let data = &self.hir.globals[g];
        let elem = self.hir.types.strip_arrays(data.ty).0;
        let r = self.hir.types.as_resource(elem)?;
        let inside = r.elem?;
        let rules = self.rules_of(r.kind, r.flags);
        match r.kind {
            ResourceKind::CBuffer | ResourceKind::TBuffer => {
                let record = self.hir.types.as_record(inside)?;
                let name = match data.is_block {
                    true => format!("type.{}", self.names.str(data.name)),
                    false => {
                        let record = self.names.str(self.hir.types.records[record].name);
                        let object = match &data.kind {
                            GlobalKind::Resource(b) if b.shader_record => "ShaderRecordBufferKHR",
                            _ if r.flags.contains(ResourceFlags::PUSH) => "PushConstant",
                            _ => r.object.info().name,
                        };
                        format!("type.{object}.{record}")
                    }
                };
                let ty = self.host_struct(record, rules, name.clone());
                Some(HostBlock { name, ty })
            }
            ResourceKind::StructuredBuffer => {
                let ty = self.host_type(inside, rules)?;
                let stride = layout::array_stride(&self.hir.types, inside, rules);
                let name = format!("type.{}.{}", r.object.info().name, self.host_name(inside));
                (stride > 0).then_some(HostBlock { name, ty })
            }
            _ => None,
        }
    }

    /// The host layout of a type; `None` for what is not in memory, and for what has no size.
    fn host_type(&mut self, t: Ty, rules: Rules) -> Option<HostType> {
        let types = &self.hir.types;
        let kind = match types.kind(t) {
            TyKind::Scalar(s) => HostKind::Scalar(host_scalar(s)),
            TyKind::Enum(e) => HostKind::Scalar(host_scalar(types.enums[e].underlying)),
            TyKind::Vector(s, n) => return Some(self.host_vector(s, n, s.bytes())),
            TyKind::Matrix { scalar, rows, cols, row_major } => {
                let (count, n) = layout::matrix_vectors(rows, cols, row_major);
                let stride = layout::matrix_stride(types, t, rules);
                if rules.is_vulkan() && rows.min(cols) == 1 {
                    return Some(self.host_vector(scalar, rows.max(cols).into(), scalar.bytes()));
                }
                if count == 1 {
                    return Some(self.host_vector(scalar, n, scalar.bytes()));
                }
                if n == 1 {
                    return Some(self.host_vector(scalar, count, stride));
                }
                match scalar.is_float() {
                    true => HostKind::Matrix { scalar: host_scalar(scalar), rows: rows.into(), cols: cols.into(), row_major, stride },
                    false => {
                        let elem = self.host_vector(scalar, n, scalar.bytes());
                        HostKind::Array { elem, count, stride }
                    }
                }
            }
            TyKind::Array(e, n) => {
                let stride = layout::array_stride(types, e, rules);
                let (elem, count) = (self.host_type(e, rules)?, n.filter(|&n| n > 0)?);
                if stride == 0 {
                    return None;
                }
                HostKind::Array { elem, count, stride }
            }
            TyKind::Record(r) => {
                let name = self.names.str(types.records[r].name).to_string();
                return Some(self.host_struct(r, rules, name));
            }
            _ => return None,
        };
        Some(self.out.host_types.intern(kind))
    }

    /// A vector whose components are so many bytes apart: an array, if there are gaps or more components than vectors have.
    fn host_vector(&mut self, s: Scalar, n: u32, stride: u32) -> HostType {
        let scalar = host_scalar(s);
        let kind = match n {
            0 | 1 => HostKind::Scalar(scalar),
            2..=4 if stride == s.bytes() => HostKind::Vector(scalar, n),
            _ => {
                let elem = self.out.host_types.intern(HostKind::Scalar(scalar));
                HostKind::Array { elem, count: n, stride }
            }
        };
        self.out.host_types.intern(kind)
    }

    /// A record: its base, then its members; bit-fields of one storage unit are one member.
    fn host_struct(&mut self, r: RecordId, rules: Rules, name: String) -> HostType {
        let laid_out = self.layout_of(r, rules);
        let hir = self.hir;
        let record = &hir.types.records[r];
        let mut members = Vec::new();
        let base = hir.types.layout_base(r);
        if let Some(b) = base {
            let name = self.names.str(hir.types.records[b].name).to_string();
            let ty = self.host_struct(b, rules, name);
            members.push(HostMember { name: String::new(), offset: 0, ty, decorations: Vec::new() });
        }
        let own = base.map_or(0, |b| hir.types.records[b].fields.len());
        for (n, f) in record.fields.iter().enumerate().skip(own) {
            if laid_out.bits[n].is_some_and(|b| b.0 > 0) && n > own {
                continue;
            }
            if let Some(ty) = self.host_type(f.ty, rules) {
                let decorations = f.inline.as_ref().map_or_else(Vec::new, |i| i.decorations.clone());
                members.push(HostMember { name: self.names.str(f.name).to_string(), offset: laid_out.offsets[n], ty, decorations });
            }
        }
        self.out.host_types.apart(&mut members);
        self.out.host_types.intern(HostKind::Struct { name, members })
    }

    /// The name of a type in the names of blocks.
    fn host_name(&self, t: Ty) -> String {
        let types = &self.hir.types;
        match types.kind(t) {
            TyKind::Scalar(s) => scalar_name(s).into(),
            TyKind::Enum(e) => scalar_name(types.enums[e].underlying).into(),
            TyKind::Vector(s, 1) => scalar_name(s).into(),
            TyKind::Vector(s, n) => format!("v{n}{}", scalar_name(s)),
            TyKind::Matrix { scalar, rows: 1, cols: 1, .. } => scalar_name(scalar).into(),
            TyKind::Matrix { scalar, rows, cols, .. } if rows.min(cols) == 1 => format!("v{}{}", rows.max(cols), scalar_name(scalar)),
            TyKind::Matrix { scalar, rows, cols, .. } => format!("mat{rows}v{cols}{}", scalar_name(scalar)),
            TyKind::Record(r) => self.names.str(types.records[r].name).into(),
            _ => String::new(),
        }
    }
}

/// How a scalar is stored.
fn host_scalar(s: Scalar) -> HostScalar {
    let s = stored(s);
    HostScalar { scalar: s.ir(), signed: s.is_signed() }
}

/// The name of a scalar in the names of blocks.
fn scalar_name(s: Scalar) -> &'static str {
    match s.computed() {
        Scalar::Int64 => "int64",
        Scalar::Uint64 => "uint64",
        Scalar::Int16 => "short",
        Scalar::Uint16 => "ushort",
        Scalar::Float16 | Scalar::Half => "half",
        Scalar::Int8x4 | Scalar::Uint8x4 => "uint",
        s => s.name(),
    }
}
