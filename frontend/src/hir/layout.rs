//! Memory layout: sizes, alignments and offsets of types in buffers.
//!
//! Rule sets: constant buffers (16-byte rows, no component crosses one, arrays and records start a row), the plain
//! layout of structured buffers, payloads and locals (each member at a multiple of its largest
//! scalar), and the layouts that Vulkan adds (std140, std430), strict or relaxed: relaxed, a vector may start at any
//! component as long as it does not cross 16 bytes. Matrices are consecutive vectors: columns
//! unless the type says `row_major`; in Vulkan's layouts one of a single row or column is a vector. All numbers are bytes.

use super::{Field, RecordId, Ty, TyKind, Types};
use serde::{Deserialize, Serialize};

/// A rule set.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Default, Serialize, Deserialize)]
pub enum Rules {
    /// Direct3D constant buffers.
    CBuffer,
    /// Structured buffers, payloads, raw buffers: natural alignment of scalars. Vulkan's scalar layout is the same.
    #[default]
    Scalar,
    /// Vulkan's extended layout of uniform buffers.
    Std140,
    /// Vulkan's layout of storage buffers.
    Std430,
    /// The same as [`Rules::Std140`], relaxed.
    RelaxedStd140,
    /// The same as [`Rules::Std430`], relaxed.
    RelaxedStd430,
}

impl Rules {
    /// Whether arrays, matrices and records start at multiples of 16 bytes, as in Vulkan's layouts.
    fn is_std140(self) -> bool {
        matches!(self, Rules::Std140 | Rules::RelaxedStd140)
    }
    fn is_relaxed(self) -> bool {
        matches!(self, Rules::RelaxedStd140 | Rules::RelaxedStd430)
    }
    /// Whether it is one of Vulkan's, where vectors have alignments of their own.
    pub fn is_vulkan(self) -> bool {
        !matches!(self, Rules::CBuffer | Rules::Scalar)
    }
    /// Whether all elements of arrays and vectors of matrices start at multiples of 16 bytes.
    pub fn has_rows(self) -> bool {
        self == Rules::CBuffer || self.is_std140()
    }
}

/// Size and alignment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Size {
    /// Bytes from the first to the last, padding inside included; without padding at the end for constant buffers.
    pub size: u32,
    /// The offset is a multiple of this.
    pub align: u32,
}

fn round_up(n: u32, to: u32) -> u32 {
    n.checked_next_multiple_of(to.max(1)).unwrap_or(u32::MAX - to)
}

/// The vectors that a matrix consists of in memory: how many, and how many components each.
pub fn matrix_vectors(rows: u8, cols: u8, row_major: bool) -> (u32, u32) {
    if row_major { (rows as u32, cols as u32) } else { (cols as u32, rows as u32) }
}

/// Distance between the vectors of a matrix.
pub fn matrix_stride(types: &Types, t: Ty, rules: Rules) -> u32 {
    let TyKind::Matrix { scalar, rows, cols, row_major } = types.kind(t) else {
        return 0;
    };
    let (_, n) = matrix_vectors(rows, cols, row_major);
    let b = scalar.bytes();
    vector_stride(b, n, rules)
}

/// Distance between vectors of `n` components of `b` bytes in a matrix.
pub fn vector_stride(b: u32, n: u32, rules: Rules) -> u32 {
    match rules {
        Rules::CBuffer => round_up(b * n, 16),
        Rules::Scalar => b * n,
        _ if rules.is_std140() => round_up(b * pow2(n), 16),
        _ => b * pow2(n),
    }
}

/// Distance between the elements of an array of `elem`.
pub fn array_stride(types: &Types, elem: Ty, rules: Rules) -> u32 {
    let s = size_of(types, elem, rules);
    match rules {
        Rules::CBuffer => round_up(s.size, 16),
        _ if rules.is_std140() => round_up(s.size, s.align.max(16)),
        _ => round_up(s.size, s.align),
    }
}

fn pow2(n: u32) -> u32 {
    if n == 3 { 4 } else { n }
}

/// Size and alignment of a value of type `t`. Objects have size 0.
pub fn size_of(types: &Types, t: Ty, rules: Rules) -> Size {
    match types.kind(t) {
        TyKind::Scalar(s) => Size { size: s.bytes(), align: s.bytes() },
        TyKind::Enum(e) => {
            let b = types.enums[e].underlying.bytes();
            Size { size: b, align: b }
        }
        TyKind::Vector(s, n) => {
            let b = s.bytes();
            let align = if rules.is_vulkan() { b * pow2(n) } else { b };
            Size { size: b * n, align }
        }
        TyKind::Matrix { scalar, rows, cols, row_major } => {
            let (count, n) = matrix_vectors(rows, cols, row_major);
            let b = scalar.bytes();
            let stride = matrix_stride(types, t, rules);
            if rules.is_vulkan() && rows.min(cols) == 1 {
                let n = u32::from(rows.max(cols));
                let align = b * pow2(n);
                return Size { size: b * n, align };
            }
            match rules {
                // The last vector does not pad its row, but a component of 16 bits takes 32 there.
                Rules::CBuffer => Size { size: stride * (count - 1) + b.max(4) * n, align: 16 },
                Rules::Scalar => Size { size: stride * count, align: b },
                _ => Size { size: stride * count, align: stride },
            }
        }
        TyKind::Array(e, n) => {
            let inner = size_of(types, e, rules);
            let stride = array_stride(types, e, rules);
            let n = n.unwrap_or(0);
            match rules {
                Rules::CBuffer if n == 0 => Size { size: 0, align: 16 },
                Rules::CBuffer => Size { size: stride.saturating_mul(n - 1).saturating_add(inner.size), align: 16 },
                _ if rules.is_std140() => Size { size: stride.saturating_mul(n), align: inner.align.max(16) },
                _ => Size { size: stride.saturating_mul(n), align: inner.align },
            }
        }
        TyKind::Record(r) => record_size(types, r, rules),
        TyKind::BufferPointer(..) => Size { size: 8, align: 8 },
        _ => Size { size: 0, align: 1 },
    }
}

/// The alignment that a `vk::BufferPointer` promises of its address: its own, or that of what it points to.
pub fn pointer_alignment(types: &Types, pointer: Ty, rules: Rules) -> u32 {
    match types.kind(pointer) {
        TyKind::BufferPointer(pointee, 0) => size_of(types, pointee, rules).align,
        TyKind::BufferPointer(_, align) => align,
        _ => 1,
    }
}

fn record_size(types: &Types, r: RecordId, rules: Rules) -> Size {
    padded(record_layout(types, r, rules).1, rules)
}

/// A record with what follows its last field.
fn padded(s: Size, rules: Rules) -> Size {
    match rules {
        Rules::CBuffer => Size { size: s.size, align: 16 },
        _ => {
            let align = if rules.is_std140() { round_up(s.align, 16) } else { s.align };
            Size { size: round_up(s.size, align), align }
        }
    }
}

/// The name of the block of all numbers outside of cbuffers.
pub const LOOSE: &str = "$Globals";

/// The offset of each field of record `r`, and the size (without padding at the end) and alignment of the whole.
/// A bit-field has the offset of its storage unit; see [`bit_offsets`]. A base is laid out first, as it is by itself, with its padding where the rules have any.
pub fn record_layout(types: &Types, r: RecordId, rules: Rules) -> (Vec<u32>, Size) {
    let mut offsets = Vec::with_capacity(types.records[r].fields.len());
    let mut end = 0u32;
    let mut size = 0u32;
    let mut align = 1u32;
    let mut unit: Option<Unit> = None;
    let splits_rows = types.minimum_precision_rows && rules == Rules::CBuffer && types.records[r].builtin;
    let mut in_minimum_precision = false;
    if let Some(base) = types.layout_base(r) {
        let (inherited, inside) = record_layout(types, base, rules);
        offsets.extend(inherited);
        let whole = padded(inside, rules);
        (end, size) = (whole.size, whole.size);
        align = if rules == Rules::CBuffer { 1 } else { whole.align };
    }
    // Numbers outside of cbuffers that have no register come after those that have one, and so do members of a cbuffer in DXIL.
    let block = types.records[r].builtin && rules == Rules::CBuffer;
    let explicit_first = types.records[r].builtin && types.records[r].qualified == LOOSE || block && types.dxil_blocks;
    if explicit_first {
        let placed = |f: &Field| Some(f.pack_offset?.saturating_add(size_of(types, f.ty, rules).size));
        end = types.records[r].fields.iter().filter_map(placed).max().unwrap_or(0);
    }
    let starts_row = |field: usize| rules.has_rows() && types.records[r].rows.contains(&(field as u32));
    for f in &types.records[r].fields[offsets.len()..] {
        if starts_row(offsets.len()) {
            (end, unit) = (round_up(end, 16), None);
        }
        let s = size_of(types, f.ty, rules);
        if let Some(bits) = f.bits
            && let Some(u) = unit.as_mut()
            && u.takes(s.size * 8, bits)
        {
            offsets.push(u.offset);
            if f.ends_unit {
                unit = None;
            }
            continue;
        }
        if splits_rows
            && f.pack_offset.is_none()
            && let Some(minimum) = has_minimum_precision(types, f.ty)
        {
            if minimum != in_minimum_precision {
                end = round_up(end, 16);
            }
            in_minimum_precision = minimum;
        }
        let at = match (f.vk_offset, f.pack_offset) {
            (Some(at), _) => at,
            (_, Some(at)) => at,
            _ => place(types, f.ty, end, s, rules, types.records[r].builtin),
        };
        offsets.push(at);
        let after = at.saturating_add(s.size);
        if !(explicit_first && f.pack_offset.is_some()) {
            end = if block && is_row_matrix(types, f.ty) { round_up(after, 16) } else { after };
        }
        size = size.max(after);
        align = align.max(s.align);
        unit = f.bits.filter(|_| !f.ends_unit).map(|bits| Unit { offset: at, used: bits, width: s.size * 8 });
    }
    if starts_row(offsets.len()) {
        size = round_up(size, 16);
    }
    (offsets, Size { size, align })
}

/// Whether a member of a cbuffer has its registers to itself: matrices of booleans do in DXIL, as the reference compiler lays them out.
fn is_row_matrix(types: &Types, t: Ty) -> bool {
    types.dxil_blocks && matches!(types.kind(t), TyKind::Matrix { scalar: super::Scalar::Bool, .. })
}

/// The offset of a member of type `t` if the previous one ends at `end`; `block`: it is a member of a cbuffer itself, not of a structure.
fn place(types: &Types, t: Ty, end: u32, s: Size, rules: Rules, block: bool) -> u32 {
    if rules.is_relaxed()
        && let Some((scalar, n)) = as_vector(types, t)
    {
        // A member of more than 16 bytes starts at a multiple of 16.
        let b = scalar.bytes();
        let at = round_up(end, if b <= 4 { b } else { s.align });
        return fit(at, 1, b * n);
    }
    if rules != Rules::CBuffer {
        return round_up(end, s.align);
    }
    let row = |n| round_up(n, 16);
    match types.kind(t) {
        // Structures without members do not end the row of a cbuffer, only that of a structure that they are in.
        TyKind::Record(_) if block && s.size == 0 => end,
        TyKind::Array(..) | TyKind::Record(_) => row(end),
        TyKind::Matrix { .. } if block && is_row_matrix(types, t) => row(end),
        TyKind::Matrix { rows, cols, row_major, scalar } => {
            // One vector packs like a vector; more of them start a row. In a structure the default packing decides that, not the
            // member's own: reflection of the reference compiler, from which hosts take offsets, has it so.
            let (b, (count, n)) = (scalar.bytes(), matrix_vectors(rows, cols, if block { row_major } else { types.default_row_major }));
            let width = if block { b.max(4) } else { b };
            if count == 1 { fit(end, b, width * n) } else { row(end) }
        }
        // In a structure enumerations and promoted minimum-precision types of 16 bits start where those of 32 bits would, as with the reference
        // compiler.
        TyKind::Enum(_) if !block => fit(end, s.align.max(4), s.size),
        TyKind::Scalar(c) | TyKind::Vector(c, _) if !block && c.named() != c => fit(end, s.align.max(4), s.size),
        TyKind::Scalar(_) | TyKind::Vector(..) | TyKind::Enum(_) => fit(end, s.align, s.size),
        _ => end,
    }
}

/// Whether the components of a member have minimum precision; none for what does not decide that: arrays, which start a row in any case, and what
/// takes no bytes. What follows a structure is as after a number of full precision.
fn has_minimum_precision(types: &Types, t: Ty) -> Option<bool> {
    match types.kind(t) {
        TyKind::Scalar(s) | TyKind::Vector(s, _) | TyKind::Matrix { scalar: s, .. } => Some(s.is_min_precision()),
        TyKind::Record(_) | TyKind::Enum(_) => Some(false),
        _ => None,
    }
}

/// The component type and count of a vector, or of a matrix of one row or column.
fn as_vector(types: &Types, t: Ty) -> Option<(super::Scalar, u32)> {
    match types.kind(t) {
        TyKind::Vector(s, n) => Some((s, n)),
        TyKind::Matrix { scalar, rows, cols, .. } if rows.min(cols) == 1 => Some((scalar, rows.max(cols).into())),
        _ => None,
    }
}

/// The next offset at or after `end` that is aligned and does not cross a 16-byte row (what is larger than a row starts one).
fn fit(end: u32, align: u32, size: u32) -> u32 {
    let at = round_up(end, align);
    if at % 16 + size > 16 { round_up(at, 16) } else { at }
}

/// The storage unit that bit-fields share: consecutive ones of one width do, signed or not.
struct Unit {
    offset: u32,
    used: u32,
    width: u32,
}

impl Unit {
    fn takes(&mut self, width: u32, bits: u32) -> bool {
        let fits = self.width == width && self.used + bits <= self.width;
        if fits {
            self.used += bits;
        }
        fits
    }
}

/// For each field of `r`: first bit and width inside its storage unit, for bit-fields.
pub fn bit_offsets(types: &Types, r: RecordId) -> Vec<Option<(u32, u32)>> {
    let mut out = types.layout_base(r).map_or_else(Vec::new, |base| bit_offsets(types, base));
    let mut unit: Option<Unit> = None;
    for f in &types.records[r].fields[out.len()..] {
        let Some(bits) = f.bits else {
            unit = None;
            out.push(None);
            continue;
        };
        let width = size_of(types, f.ty, Rules::Scalar).size * 8;
        if let Some(u) = unit.as_mut()
            && u.takes(width, bits)
        {
            out.push(Some((u.used - bits, bits)));
        } else {
            unit = Some(Unit { offset: 0, used: bits, width });
            out.push(Some((0, bits)));
        }
        if f.ends_unit {
            unit = None;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::{Field, Record, Scalar};
    use super::*;
    use rtc_base::{Interner, Span};

    fn record(types: &mut Types, fields: &[Ty]) -> RecordId {
        let name = Interner::new().intern("f");
        types.records.push(Record {
            name,
            qualified: "R".into(),
            path: vec!["R".into()],
            is_class: false,
            base: None,
            fields: fields
                .iter()
                .map(|&ty| Field {
                    name,
                    ty,
                    span: Span::NONE,
                    pack_offset: None,
                    vk_offset: None,
                    inline: None,
                    bits: None,
                    ends_unit: false,
                    paq: None,
                    paq_at: crate::hir::PaqSpans::default(),
                    semantic: None,
                    interpolation: Default::default(),
                    place: crate::hir::StagePlace::default(),
                    precise: false,
                })
                .collect(),
            rows: Vec::new(),
            raypayload: false,
            used_as_payload: false,
            builtin: false,
            span: Span::NONE,
        })
    }

    #[test]
    fn constant_buffer_rows() {
        let mut t = Types::default();
        let f = Ty::FLOAT;
        let f2 = t.vector(Scalar::Float, 2);
        let f3 = t.vector(Scalar::Float, 3);
        let m = t.matrix(Scalar::Float, 4, 3);
        let d = Ty::scalar(Scalar::Double);
        let arr = t.array(f, Some(3));
        let r = record(&mut t, &[f, f3, f2, f2, f2, m, f, arr, f, d]);
        let (at, s) = record_layout(&t, r, Rules::CBuffer);
        assert_eq!(at, [0, 4, 16, 24, 32, 48, 96, 112, 148, 152]);
        assert_eq!(s.size, 160);
        let inner = t.record(r);
        let outer = record(&mut t, &[f, inner, f]);
        let (at, s) = record_layout(&t, outer, Rules::CBuffer);
        assert_eq!(at, [0, 16, 176]);
        assert_eq!(s.size, 180);
    }

    #[test]
    fn a_row_major_matrix_leaves_its_last_row_open() {
        let mut t = Types::default();
        let m = t.intern(TyKind::Matrix { scalar: Scalar::Float, rows: 3, cols: 3, row_major: true });
        let r = record(&mut t, &[m, Ty::FLOAT]);
        assert_eq!(record_layout(&t, r, Rules::CBuffer).0, [0, 44]);
    }

    #[test]
    fn structured_and_vulkan_layouts() {
        let mut t = Types::default();
        let f3 = t.vector(Scalar::Float, 3);
        let d = Ty::scalar(Scalar::Double);
        let r = record(&mut t, &[f3, Ty::FLOAT, f3, d, Ty::FLOAT]);
        let ty = t.record(r);
        assert_eq!(record_layout(&t, r, Rules::Scalar).0, [0, 12, 16, 32, 40]);
        assert_eq!(size_of(&t, ty, Rules::Scalar), Size { size: 48, align: 8 });
        assert_eq!(record_layout(&t, r, Rules::Std430).0, [0, 12, 16, 32, 40]);
        assert_eq!(size_of(&t, ty, Rules::Std430), Size { size: 48, align: 16 });
        let arr = t.array(f3, Some(2));
        assert_eq!(size_of(&t, arr, Rules::Std140).size, 32);
        assert_eq!(size_of(&t, arr, Rules::Scalar).size, 24);
    }
}
