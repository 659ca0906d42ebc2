//! Types in debug information, if [`super::Options::debug`] requests it.
//!
//! Names follow the reference compiler, so that its debuggers work: `float3` is another name of the class
//! `vector<float, 3>` with members `x`, `y`, `z`, `uint` of `unsigned int`, a buffer is the class
//! `RWStructuredBuffer<unsigned int>`. Variables are laid out by the natural alignment of their members; the actual location of each part is in the debug information of
//! its pieces.

use rtc_base::{PackedOption, SecondaryMap, Span};
use rtc_ir::debug::program::{Argument, Class, DebugType, Encoding, Member, Program, TypeData, TypeInfo, Wrap};

use super::Lowerer;
use crate::hir::{RecordId, Scalar, Ty, TyKind};

/// The types of debug information that exist so far.
#[derive(Default)]
pub struct DebugTypes {
    /// The program.
    pub program: Program,
    /// The lowered types of the tree.
    pub tys: SecondaryMap<Ty, PackedOption<DebugType>>,
}

/// The name, encoding, size and alignment in bits of a scalar's base type, and whether the base type has another name.
fn basic(s: Scalar, native: bool) -> (&'static str, Encoding, u64, u64, bool) {
    use Encoding::{Boolean, Float, Signed, Unsigned};
    let narrow = if native { 16 } else { 32 };
    match s {
        Scalar::Bool => ("bool", Boolean, 32, 32, false),
        Scalar::Int16 => ("int16_t", Signed, 16, 16, false),
        Scalar::Uint16 => ("uint16_t", Unsigned, 16, 16, false),
        Scalar::Int => ("int", Signed, 32, 32, false),
        Scalar::Uint => ("unsigned int", Unsigned, 32, 32, true),
        Scalar::Int64 => ("int64_t", Signed, 64, 64, true),
        Scalar::Uint64 => ("uint64_t", Unsigned, 64, 64, true),
        Scalar::Float16 => ("half", Float, 16, 16, true),
        Scalar::Half => ("half", Float, 32, 32, false),
        Scalar::Float => ("float", Float, 32, 32, false),
        Scalar::Double => ("double", Float, 64, 64, false),
        Scalar::Min12Int | Scalar::PromotedMin12Int => ("min12int", Signed, 16, narrow, true),
        Scalar::Min16Int | Scalar::PromotedMin16Int => ("min16int", Signed, 16, narrow, true),
        Scalar::Min16Uint | Scalar::PromotedMin16Uint => ("min16uint", Unsigned, 16, narrow, true),
        Scalar::Min10Float | Scalar::PromotedMin10Float => ("min10float", Float, 16, narrow, true),
        Scalar::Min16Float | Scalar::PromotedMin16Float => ("min16float", Float, 16, narrow, true),
        Scalar::Int8x4 => ("int8_t4_packed", Unsigned, 32, 32, true),
        Scalar::Uint8x4 => ("uint8_t4_packed", Unsigned, 32, 32, true),
        Scalar::LitInt => ("literal int", Signed, 64, 64, false),
        Scalar::LitFloat => ("literal float", Float, 64, 64, false),
    }
}

/// `bits` rounded up to a multiple of `align`.
fn aligned(bits: u64, align: u64) -> u64 {
    bits.next_multiple_of(align.max(1))
}

/// The name without namespaces, and these: `a::b<c::d>` is `b<c::d>` in `a`. Template arguments are spelled as in C++.
pub fn split_name(qualified: &str) -> (Vec<String>, String) {
    let (mut depth, mut start, mut parts) = (0usize, 0, Vec::new());
    let bytes = qualified.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'<' => depth += 1,
            b'>' => depth = depth.saturating_sub(1),
            b':' if depth == 0 && bytes.get(at + 1) == Some(&b':') => {
                parts.push(qualified[start..at].to_string());
                at += 1;
                start = at + 1;
            }
            _ => {}
        }
        at += 1;
    }
    (parts, cpp_arguments(&qualified[start.min(qualified.len())..]))
}

/// HLSL's short names of types between template brackets as the classes that they are.
fn cpp_arguments(name: &str) -> String {
    let Some(open) = name.find('<') else { return name.to_string() };
    let (head, rest) = name.split_at(open);
    // Operators have brackets, too.
    if head.starts_with("operator") {
        return name.to_string();
    }
    let mut out = head.to_string();
    let mut word = String::new();
    for c in rest.chars() {
        if c.is_alphanumeric() || c == '_' {
            word.push(c);
            continue;
        }
        out.push_str(&cpp_word(&std::mem::take(&mut word)));
        if c == '>' && out.ends_with('>') {
            out.push(' ');
        }
        out.push(c);
    }
    out + &word
}

fn cpp_word(word: &str) -> String {
    let cpp = |s: Scalar| basic(s, true).0;
    let digits = word.trim_end_matches(|c: char| c.is_ascii_digit() || c == 'x');
    for s in Scalar::ALL {
        if word == s.name() {
            return cpp(s).to_string();
        }
        let Some(shape) = word.strip_prefix(s.name()).filter(|_| s.name().len() >= digits.len()) else { continue };
        let number = |t: &str| t.parse::<u32>().ok().filter(|n| (1..=4).contains(n) && t.len() == 1);
        match shape.split_once('x') {
            None => {
                if let Some(n) = number(shape) {
                    return format!("vector<{}, {n}>", cpp(s));
                }
            }
            Some((r, c)) => {
                if let (Some(r), Some(c)) = (number(r), number(c)) {
                    return format!("matrix<{}, {r}, {c}>", cpp(s));
                }
            }
        }
    }
    word.to_string()
}

impl Lowerer<'_> {
    fn push_debug(&mut self, info: TypeInfo, bits: u64, align: u64) -> DebugType {
        self.debug.program.types.push(TypeData { info, bits, align })
    }

    /// A type derived from another, interned.
    pub fn debug_wrap(&mut self, how: Wrap, of: DebugType) -> DebugType {
        let info = TypeInfo::Wrapped(how, of);
        let found = self.debug.program.types.iter().rev().find(|(_, t)| t.info == info).map(|t| t.0);
        let TypeData { bits, align, .. } = self.debug.program.types[of];
        found.unwrap_or_else(|| self.push_debug(info, bits, align))
    }

    fn debug_named(&mut self, name: String, of: DebugType) -> DebugType {
        let TypeData { bits, align, .. } = self.debug.program.types[of];
        self.push_debug(TypeInfo::Named(name, of), bits, align)
    }

    /// The type in debug information.
    pub fn debug_ty(&mut self, t: Ty) -> DebugType {
        if let Some(done) = self.debug.tys[t].expand() {
            return done;
        }
        let hir = self.hir;
        let made = match hir.types.kind(t) {
            TyKind::Scalar(s) => {
                let (name, encoding, bits, align, other) = basic(s, self.out.native_16bit);
                let ty = self.push_debug(TypeInfo::Basic(name.into(), encoding), bits, align);
                if other { self.debug_named(s.name().into(), ty) } else { ty }
            }
            TyKind::Vector(s, n) => {
                let ty = self.debug_shape(s, None, n);
                if (2..=4).contains(&n) { self.debug_named(format!("{}{n}", s.name()), ty) } else { ty }
            }
            TyKind::Matrix { scalar, rows, cols, .. } => {
                let ty = self.debug_shape(scalar, Some(rows.into()), cols.into());
                self.debug_named(format!("{}{rows}x{cols}", scalar.name()), ty)
            }
            TyKind::Array(..) => {
                let (mut at, mut lengths) = (t, Vec::new());
                while let TyKind::Array(e, n) = hir.types.kind(at) {
                    // Without a bound, as in the reference compiler.
                    lengths.push(n.unwrap_or(1));
                    at = e;
                }
                let elem = self.debug_ty(at);
                let TypeData { bits, align, .. } = self.debug.program.types[elem];
                let count = lengths.iter().fold(1u64, |n, &l| n.saturating_mul(l.into()));
                self.push_debug(TypeInfo::Array(elem, lengths), bits.saturating_mul(count), align)
            }
            TyKind::Record(r) => return self.debug_record(t, r),
            TyKind::Enum(e) => {
                let data = &hir.types.enums[e];
                let base = (data.underlying != Scalar::Int).then(|| self.debug_ty(Ty::scalar(data.underlying)));
                let items = data.items.iter().map(|&(n, v)| (self.names.str(n).to_string(), v)).collect();
                let (name, bits) = (split_name(&data.qualified).1, u64::from(data.underlying.bytes()) * 8);
                self.push_debug(TypeInfo::Enum(name, base, items, data.span), bits, bits)
            }
            TyKind::Stream(_, vertex) => self.debug_stream(t, vertex),
            kind => self.debug_object(t, kind),
        };
        self.debug.tys[t] = Some(made).into();
        made
    }

    /// The type of a variable, which may be constant.
    pub fn debug_variable_ty(&mut self, data: &crate::hir::Local) -> DebugType {
        let ty = self.debug_ty(data.ty);
        if data.is_const { self.debug_wrap(Wrap::Const, ty) } else { ty }
    }

    /// The class of a vector, or of a matrix if it has rows.
    fn debug_shape(&mut self, s: Scalar, rows: Option<u32>, columns: u32) -> DebugType {
        let elem = self.debug_ty(Ty::scalar(s));
        let elem = self.debug.program.plain(elem);
        let (int, TypeData { bits, align, .. }) = (self.debug_ty(Ty::INT), self.debug.program.types[elem].clone());
        let stride = aligned(bits, align);
        let number = |name: &str, n: u32| Argument::Number(name.into(), int, n.into());
        let count = rows.unwrap_or(1) * columns;
        let name = |n: u32| match rows {
            Some(_) => format!("_{}{}", n / columns + 1, n % columns + 1),
            None if count <= 4 => ["x", "y", "z", "w"][n as usize].to_string(),
            None => format!("c{n}"),
        };
        let members =
            (0..count).map(|n| Member { name: name(n), ty: elem, offset: u64::from(n) * stride, bits: stride, field: n, span: Span::NONE });
        let kind = basic(s, self.out.native_16bit).0;
        let mut arguments = vec![Argument::Type("element".into(), elem)];
        let name = match rows {
            Some(r) => {
                arguments.extend([number("row_count", r), number("col_count", columns)]);
                format!("matrix<{kind}, {r}, {columns}>")
            }
            None => {
                arguments.push(number("element_count", columns));
                format!("vector<{kind}, {columns}>")
            }
        };
        let class = Class {
            name,
            is_class: true,
            namespaces: Vec::new(),
            span: Span::NONE,
            base: None,
            base_is_field: false,
            members: members.collect(),
            arguments,
            columns: rows.map(|_| columns),
        };
        self.push_debug(TypeInfo::Class(class), stride * u64::from(count), align)
    }

    fn debug_record(&mut self, t: Ty, r: RecordId) -> DebugType {
        let hir = self.hir;
        let rec = &hir.types.records[r];
        let (namespaces, name) = split_name(&rec.qualified);
        let mut class = Class {
            name,
            is_class: rec.is_class,
            namespaces,
            span: if rec.builtin { Span::NONE } else { rec.span },
            base: rec.base.and_then(|b| hir.types.find(TyKind::Record(b))).map(|t| self.debug_ty(t)),
            base_is_field: false,
            members: Vec::new(),
            arguments: Vec::new(),
            columns: None,
        };
        let base = hir.types.layout_base(r);
        class.base_is_field = base.is_some();
        let own = base.map_or(0, |b| hir.types.records[b].fields.len());
        let start = class.base.filter(|_| base.is_some()).map(|b| self.debug.program.types[b].clone());
        let (mut end, mut most) = start.map_or((0, 8), |b| (b.bits, b.align.max(8)));
        let first_bits = crate::hir::layout::bit_offsets(&hir.types, r);
        // Where the number starts that bit-fields share, and the field of the structure that comes next.
        let (mut unit, mut number) = (0u64, u32::from(base.is_some()));
        for (n, field) in rec.fields.iter().enumerate().skip(own) {
            let ty = self.debug_ty(field.ty);
            let TypeData { bits, align, .. } = self.debug.program.types[ty];
            most = most.max(align);
            let first = first_bits[n];
            let shares = first.is_some_and(|b| b.0 > 0) && n > own;
            number += u32::from(!shares);
            let (offset, size) = match first {
                Some((first, width)) => {
                    if !shares {
                        unit = aligned(end, align);
                        end = unit + bits;
                    }
                    (unit + u64::from(first), width.into())
                }
                None => {
                    let offset = aligned(end, align);
                    end = offset.saturating_add(bits);
                    (offset, bits)
                }
            };
            class.members.push(Member {
                name: self.names.str(field.name).to_string(),
                ty,
                offset,
                bits: size,
                field: number - 1,
                span: field.span,
            });
        }
        let size = aligned(end, most);
        let made = self.push_debug(TypeInfo::Class(class), size, most);
        self.debug.tys[t] = Some(made).into();
        made
    }

    /// The class of a stream, which has its last vertex as member.
    fn debug_stream(&mut self, t: Ty, vertex: Ty) -> DebugType {
        let ty = self.debug_ty(vertex);
        let vertex = self.debug.program.plain(ty);
        let TypeData { bits, align, .. } = self.debug.program.types[vertex].clone();
        let inner = self.debug_name(vertex);
        let object = self.hir.types.show(t);
        let name = object.split('<').next().unwrap_or_default();
        let gap = if inner.ends_with('>') { " " } else { "" };
        let class = Class {
            name: format!("{name}<{inner}{gap}>"),
            is_class: true,
            namespaces: Vec::new(),
            span: Span::NONE,
            base: None,
            base_is_field: false,
            members: vec![Member { name: "vertex".into(), ty, offset: 0, bits, field: 0, span: Span::NONE }],
            arguments: vec![Argument::Type("element".into(), vertex)],
            columns: None,
        };
        self.push_debug(TypeInfo::Class(class), bits, align)
    }

    /// Resources, ray queries and whatever else has no members.
    fn debug_object(&mut self, t: Ty, kind: TyKind) -> DebugType {
        let (mut arguments, mut namespaces) = (Vec::new(), Vec::new());
        let name = match kind {
            TyKind::Resource(r) => {
                let name = r.object.info().name.to_string();
                match r.elem {
                    Some(e) => {
                        let elem = self.debug_ty(e);
                        let elem = self.debug.program.plain(elem);
                        arguments.push(Argument::Type("element".into(), elem));
                        let inner = self.debug_name(elem);
                        let gap = if inner.ends_with('>') { " " } else { "" };
                        format!("{name}<{inner}{gap}>")
                    }
                    None => name,
                }
            }
            TyKind::RayQuery { flags, query_flags } => {
                let uint = self.debug_ty(Ty::UINT);
                arguments.push(Argument::Number("constRayFlags".into(), uint, flags.into()));
                arguments.push(Argument::Number("constRayQueryFlags".into(), uint, query_flags.into()));
                format!("RayQuery<{flags}, {query_flags}>")
            }
            TyKind::HitObject => {
                namespaces.push("dx".to_string());
                "HitObject".to_string()
            }
            _ => self.hir.types.show(t),
        };
        let class = Class {
            name,
            is_class: !arguments.is_empty() || matches!(kind, TyKind::HitObject),
            namespaces,
            span: Span::NONE,
            base: None,
            base_is_field: false,
            members: Vec::new(),
            arguments,
            columns: None,
        };
        self.push_debug(TypeInfo::Class(class), 32, 32)
    }

    fn debug_name(&self, t: DebugType) -> String {
        match &self.debug.program.types[t].info {
            TypeInfo::Basic(n, _) | TypeInfo::Named(n, _) | TypeInfo::Enum(n, ..) => n.clone(),
            TypeInfo::Class(c) => c.name.clone(),
            TypeInfo::Wrapped(_, of) => self.debug_name(*of),
            TypeInfo::Array(of, lengths) => lengths.iter().fold(self.debug_name(*of), |name, n| format!("{name}[{n}]")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_come_apart() {
        assert_eq!(split_name("f"), (vec![], "f".to_string()));
        assert_eq!(split_name("a::b::f"), (vec!["a".to_string(), "b".to_string()], "f".to_string()));
        assert_eq!(split_name("n::Pair<m::T, uint>").1, "Pair<m::T, unsigned int>");
        assert_eq!(split_name("Box<float3>").1, "Box<vector<float, 3> >");
        assert_eq!(split_name("Box<Box<half2x3> >").1, "Box<Box<matrix<half, 2, 3> > >");
        assert_eq!(split_name("operator<").1, "operator<");
        assert_eq!(split_name(""), (vec![], String::new()));
    }
}
