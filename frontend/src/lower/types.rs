//! Lowering of types: HLSL types to IR types, and their spelling in listings.
//!
//! Integers lose their sign, one-component vectors become scalars, matrices arrays of their rows. Bit-fields that
//! share a storage unit share a field. A structure has one IR type for variables and buffers, where it has its
//! natural layout, and another for constant buffers, if it occurs in one.

use std::fmt::Write;
use std::rc::Rc;

use rtc_ir::{self as ir, Scalar as Reg, Type};
use rtc_tables::resources::{CompType, ResourceClass, ResourceFlags, ResourceKind};

use rustc_hash::{FxHashMap, FxHashSet};

use super::Lowerer;
use crate::hir::layout::{self, Rules};
use crate::hir::{self, Norm, RecordId, Scalar, Ty, TyKind};

/// The use of a structure.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Use {
    /// Variables, payloads, structured buffers.
    Plain,
    /// Constant buffers: the layout differs; for reflection only.
    Constants,
}

/// What modules call a structure without a name.
const ANONYMOUS: &str = "anon";

/// The numbers of structures without a name, as the reference compiler counts them: in the order of the variables of the program, whether they are used or
/// not, a structure before those in it.
pub fn number_anonymous(hir: &hir::Module) -> FxHashMap<RecordId, usize> {
    let mut variables = Vec::new();
    for g in hir.globals.values() {
        let contents = hir.types.as_resource(g.ty).and_then(|r| hir.types.as_record(r.elem?)).filter(|_| g.is_block);
        match contents {
            Some(r) => variables.extend(hir.types.records[r].fields.iter().map(|f| (f.span.lo, f.ty))),
            None => variables.push((g.span.lo, g.ty)),
        }
    }
    variables.sort_by_key(|v| v.0);
    let mut numbers = FxHashMap::default();
    let mut seen = FxHashSet::default();
    let mut todo: Vec<Ty> = variables.iter().rev().map(|v| v.1).collect();
    while let Some(ty) = todo.pop() {
        let ty = hir.types.strip_arrays(ty).0;
        let ty = hir.types.as_resource(ty).and_then(|r| r.elem).unwrap_or(ty);
        let Some(r) = hir.types.as_record(ty).filter(|&r| seen.insert(r)) else { continue };
        if is_anonymous(&hir.types.records[r].qualified) {
            numbers.insert(r, numbers.len());
        }
        todo.extend(hir.types.records[r].fields.iter().rev().map(|f| f.ty));
    }
    numbers
}

fn is_anonymous(qualified: &str) -> bool {
    qualified.rsplit("::").next().is_some_and(|p| p.starts_with(hir::UNNAMED))
}

/// The name of a structure in modules.
fn module_name(qualified: &str) -> String {
    let mut parts: Vec<&str> = qualified.split("::").collect();
    for p in parts.iter_mut().filter(|p| p.starts_with(hir::UNNAMED)) {
        *p = "(anonymous struct)";
    }
    parts.join("::")
}

impl Use {
    fn rules(self) -> Rules {
        match self {
            Use::Plain => Rules::Scalar,
            Use::Constants => Rules::CBuffer,
        }
    }
}

/// A structure, with the map from the record's fields to its own.
#[derive(Clone, Debug)]
pub struct StructInfo {
    /// Its type.
    pub ty: Type,
    /// The record that its first field is: the base, if that has fields; and how many of the record's are in it.
    pub base: Option<(RecordId, usize)>,
    /// For each further field of the record the field of the structure.
    pub fields: Vec<u32>,
}

/// The offsets of a record's fields.
#[derive(Clone, Debug)]
pub struct Layout {
    /// Bytes from the start.
    pub offsets: Vec<u32>,
    /// For each bit-field its first bit and width in its storage unit.
    pub bits: Vec<Option<(u32, u32)>>,
}

/// The shape of a value or l-value: a number, or an aggregate or object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// A scalar (one component) or vector.
    Vec(Scalar, u32),
    /// A matrix.
    Mat {
        /// Of its components.
        scalar: Scalar,
        /// Rows.
        rows: u32,
        /// Columns.
        cols: u32,
        /// The packing in memory.
        row_major: bool,
    },
    /// An array, record or object.
    Other(Ty),
}

impl Shape {
    /// The component stride of a vector that is not part of a matrix.
    pub fn natural_stride(self) -> u32 {
        match self {
            Shape::Vec(s, _) => s.bytes(),
            _ => 0,
        }
    }
}

impl<'a> Lowerer<'a> {
    /// The shape of a type.
    pub fn shape(&self, t: Ty) -> Shape {
        match self.hir.types.kind(t) {
            TyKind::Scalar(s) => Shape::Vec(s, 1),
            TyKind::Enum(e) => Shape::Vec(self.hir.types.enums[e].underlying, 1),
            TyKind::Vector(s, n) => Shape::Vec(s, n),
            TyKind::BufferPointer(..) => Shape::Vec(Scalar::Uint64, 1),
            TyKind::Matrix { scalar, rows, cols, row_major } => Shape::Mat { scalar, rows: rows.into(), cols: cols.into(), row_major },
            _ => Shape::Other(t),
        }
    }

    /// The vector (or scalar) of `n` components.
    pub fn vec_ty(&mut self, s: Scalar, n: u32) -> Type {
        self.out.types.vector(s.ir(), n.max(1))
    }

    /// The type of a variable of this shape.
    pub fn shape_ty(&mut self, s: Shape) -> Type {
        match s {
            Shape::Vec(s, n) => self.vec_ty(s, n),
            Shape::Mat { scalar, rows, cols, .. } => {
                let row = self.vec_ty(scalar, cols);
                self.out.types.array(row, rows)
            }
            Shape::Other(t) => self.ty(t),
        }
    }

    /// The type of a variable of type `t`. Types that variables cannot have are diagnosed at the
    /// declaration; here they have an arbitrary type.
    pub fn ty(&mut self, t: Ty) -> Type {
        if let Some(done) = self.tys[t].expand() {
            return done;
        }
        let out = match self.hir.types.kind(t) {
            TyKind::Array(e, n) => {
                let e = self.ty(e);
                self.out.types.array(e, n.unwrap_or(1).max(1))
            }
            TyKind::Patch(_, e, n) => {
                let e = self.ty(e);
                self.out.types.array(e, n)
            }
            TyKind::Record(r) => self.struct_of(r, Use::Plain).ty,
            TyKind::Resource(r) => self.resource_ty(t, r),
            TyKind::HitObject => Type::HIT_OBJECT,
            TyKind::Linalg(Some(t)) => self.out.types.linalg(t),
            TyKind::Spirv(id) => self.spirv_ty(id),
            TyKind::RayQuery { flags, query_flags } => self.out.types.ray_query(flags, query_flags),
            TyKind::Scalar(_) | TyKind::Vector(..) | TyKind::Matrix { .. } | TyKind::Enum(_) | TyKind::BufferPointer(..) => {
                let s = self.shape(t);
                self.shape_ty(s)
            }
            _ => Type::I32,
        };
        self.tys[t] = Some(out).into();
        out
    }

    /// Whether variables of the type can exist in the IR.
    pub fn has_variables(&self, t: Ty) -> bool {
        let types = &self.hir.types;
        match types.kind(types.strip_arrays(t).0) {
            TyKind::String | TyKind::Function(_) | TyKind::Subobject(_) | TyKind::Stream(..) | TyKind::Patch(..) => false,
            TyKind::Record(r) => types.records[r].fields.iter().all(|f| self.has_variables(f.ty)),
            _ => types.strip_arrays(t).1.is_some(),
        }
    }

    /// Whether a variable of the type holds ray queries or hit objects, which have an initial value.
    pub fn has_objects_to_make(&self, t: Ty) -> bool {
        let types = &self.hir.types;
        match types.kind(types.strip_arrays(t).0) {
            TyKind::RayQuery { .. } | TyKind::HitObject => true,
            TyKind::Record(r) => types.records[r].fields.iter().any(|f| self.has_objects_to_make(f.ty)),
            _ => false,
        }
    }

    /// The structure of a record.
    pub fn struct_of(&mut self, r: RecordId, used: Use) -> Rc<StructInfo> {
        if let Some(done) = self.structs.get(&(r, used)) {
            return done.clone();
        }
        let hir = self.hir;
        let rec = &hir.types.records[r];
        let Layout { offsets, bits } = &*self.layout_of(r, used.rules());
        let (mut fields, mut numbers) = (Vec::<ir::Field>::new(), Vec::new());
        let base = hir.types.layout_base(r).map(|b| (b, hir.types.records[b].fields.len()));
        if let Some((b, _)) = base {
            fields.push(ir::Field {
                name: String::new(),
                ty: self.struct_of(b, used).ty,
                paq: None,
                offset: Some(0),
                numbers: None,
                hlsl: hir.types.records[b].qualified.clone(),
                precise: false,
            });
        }
        let own = base.map_or(0, |b| b.1);
        let mut together: Vec<ir::Paq> = Vec::new();
        for (n, f) in rec.fields.iter().enumerate().skip(own) {
            let shares = bits[n].is_some_and(|b| b.0 > 0) && n > own;
            if !shares {
                together.clear();
            }
            together.extend(f.paq.map(paq));
            if let (true, Some(last)) = (shares && f.paq.is_some(), fields.last_mut()) {
                last.paq = Some(qualifiers_of_word(&together));
            }
            if !shares {
                let nameless = self.names.str(f.name).is_empty();
                let ty = match hir.types.elem(f.ty) {
                    // Other members may share its bits.
                    Some(Scalar::Bool) if bits[n].is_some() => self.vec_ty(Scalar::Uint, 1),
                    _ => self.field_ty(f.ty, used),
                };
                fields.push(ir::Field {
                    name: self.names.str(f.name).to_string(),
                    ty,
                    paq: f.paq.map(paq),
                    offset: Some(offsets[n]),
                    numbers: if nameless { None } else { self.numbers(f.ty) },
                    // An anonymous structure is called by no name.
                    hlsl: if nameless { String::new() } else { self.spell(f.ty) },
                    precise: f.precise && used == Use::Plain,
                });
            }
            numbers.push(fields.len() as u32 - 1);
        }
        let name = match used {
            Use::Plain => self.struct_name(r),
            Use::Constants => String::new(),
        };
        let s = self.out.structs.push(ir::StructData {
            name,
            fields,
            base: base.map(|(b, _)| hir.types.records[b].qualified.clone()),
            raypayload: rec.raypayload,
        });
        for (f, &n) in rec.fields.iter().skip(own).zip(&numbers) {
            if let Some(inline) = &f.inline {
                self.out.requirements.add(&inline.requirements);
                if !inline.decorations.is_empty() && used == Use::Plain {
                    self.out.member_decorations.insert((s, n), inline.decorations.clone());
                }
            }
        }
        for ((f, placed), &number) in rec.fields.iter().zip(bits).skip(own).zip(&numbers) {
            if let Some((_, width)) = *placed {
                let name = self.names.str(f.name).to_string();
                self.out.bit_fields.entry((s, number)).or_default().push((name, width));
            }
        }
        let info = Rc::new(StructInfo { ty: self.out.types.struct_(s), base, fields: numbers });
        self.structs.insert((r, used), info.clone());
        info
    }

    /// The layout of a record.
    pub fn layout_of(&mut self, r: RecordId, rules: Rules) -> Rc<Layout> {
        if let Some(done) = self.layouts.get(&(r, rules)) {
            return done.clone();
        }
        let types = &self.hir.types;
        let (offsets, _) = layout::record_layout(types, r, rules);
        let bits = layout::bit_offsets(types, r);
        let layout = Rc::new(Layout { offsets, bits });
        self.layouts.insert((r, rules), layout.clone());
        layout
    }

    /// Names the structures of constant buffers: as in the source, unless a structure for variables has that name.
    pub fn name_constants(&mut self) {
        let mut all: Vec<(ir::Struct, RecordId)> = Vec::new();
        for (&(r, used), info) in &self.structs {
            if let (Use::Constants, ir::TypeKind::Struct(s)) = (used, self.out.types.kind(info.ty)) {
                all.push((s, r));
            }
        }
        all.sort_unstable();
        for (s, r) in all {
            let name = self.module_name_of(r);
            let prefix = if self.struct_names.contains_key(&name) { "hostlayout." } else { "" };
            self.out.structs[s].name = self.unique_name(format!("{prefix}{name}"));
        }
    }

    fn field_ty(&mut self, t: Ty, used: Use) -> Type {
        match (self.hir.types.kind(t), used) {
            (TyKind::Record(r), _) => self.struct_of(r, used).ty,
            (TyKind::Array(e, n), _) => {
                let e = self.field_ty(e, used);
                self.out.types.array(e, n.unwrap_or(1).max(1))
            }
            _ => self.ty(t),
        }
    }

    fn struct_name(&mut self, r: RecordId) -> String {
        let name = self.module_name_of(r);
        self.unique_name(name)
    }

    /// The name of a record in modules, which others may have, too.
    fn module_name_of(&mut self, r: RecordId) -> String {
        let qualified = &self.hir.types.records[r].qualified;
        if !is_anonymous(qualified) {
            return module_name(qualified);
        }
        let next = self.anonymous.len();
        match *self.anonymous.entry(r).or_insert(next) {
            0 => ANONYMOUS.to_string(),
            n => format!("{ANONYMOUS}.{}", n - 1),
        }
    }

    fn unique_name(&mut self, name: String) -> String {
        let n = self.struct_names.entry(name.clone()).or_insert(0);
        *n += 1;
        match *n {
            1 => name,
            n => format!("{name}.{n}"),
        }
    }

    /// The layout rules of a resource's contents.
    pub fn rules_of(&self, kind: ResourceKind, flags: ResourceFlags) -> Rules {
        let l = self.layout;
        match kind {
            ResourceKind::CBuffer if !flags.contains(ResourceFlags::PUSH) => l.constants,
            ResourceKind::CBuffer | ResourceKind::StructuredBuffer => l.storage,
            ResourceKind::TBuffer => l.textures,
            _ => Rules::Scalar,
        }
    }

    fn resource_ty(&mut self, t: Ty, r: hir::Resource) -> Type {
        let types = &self.hir.types;
        let mut stride = 0;
        let (mut elem, mut comp) = (None, CompType::Invalid);
        if r.kind.is_typed() {
            if let Some((s, n)) = r.elem.and_then(|e| Some((types.elem(e)?, types.components(e)?))) {
                comp = component_type(s, r.norm);
                elem = Some(self.vec_ty(texel_scalar(s), n));
            }
        } else if let Some(e) = r.elem {
            stride = match r.kind {
                ResourceKind::CBuffer | ResourceKind::TBuffer => layout::size_of(types, e, self.rules_of(r.kind, r.flags)).size,
                ResourceKind::StructuredBuffer => layout::array_stride(types, e, self.rules_of(r.kind, r.flags)),
                _ => 0,
            };
        }
        let mut flags = r.flags | self.facts.coherence(r);
        if self.facts.has_counter(t) && r.class == ResourceClass::Uav {
            flags |= ResourceFlags::COUNTER;
        }
        if self.facts.has_atomic64(t) {
            flags |= ResourceFlags::ATOMIC64;
        }
        self.out.types.resource(ir::ResourceType { class: r.class, kind: r.kind, elem, comp, stride, samples: r.samples, flags })
    }

    /// What HLSL says about the numbers of a type, or of its innermost elements, that its type in the IR does not.
    pub fn numbers(&self, t: Ty) -> Option<ir::Numbers> {
        let types = &self.hir.types;
        let (scalar, form) = match types.kind(types.strip_arrays(t).0) {
            TyKind::Scalar(s) => (s, ir::Form::Plain),
            TyKind::Vector(s, 1) => (s, ir::Form::OneComponent),
            TyKind::Vector(s, _) => (s, ir::Form::Plain),
            TyKind::Matrix { scalar, rows, cols, row_major } => {
                let order = if row_major { ir::MatrixOrder::RowMajor } else { ir::MatrixOrder::ColumnMajor };
                (scalar, ir::Form::Matrix(ir::Matrix { rows: rows.into(), cols: cols.into(), order }))
            }
            TyKind::Enum(e) => (types.enums[e].underlying, ir::Form::Plain),
            TyKind::BufferPointer(..) => (Scalar::Uint64, ir::Form::Plain),
            _ => return None,
        };
        ir::Numbers::new(scalar.row()?, form)
    }

    /// The type as HLSL spells it; matrices with their packing.
    pub fn spell(&self, t: Ty) -> String {
        let mut out = String::new();
        self.spell_into(t, &mut out);
        out
    }

    fn spell_into(&self, t: Ty, out: &mut String) {
        let types = &self.hir.types;
        // Writing to a string does not fail.
        let _ = match types.kind(t) {
            TyKind::Scalar(s) => write!(out, "{}", s.name()),
            TyKind::Vector(s, n) => write!(out, "{}{n}", s.name()),
            TyKind::Matrix { scalar, rows, cols, row_major } => {
                let packing = if row_major { "row_major" } else { "column_major" };
                write!(out, "{packing} {}{rows}x{cols}", scalar.name())
            }
            TyKind::Array(..) => {
                let mut dims = String::new();
                let mut at = t;
                while let TyKind::Array(e, n) = types.kind(at) {
                    match n {
                        Some(n) => _ = write!(dims, "[{n}]"),
                        None => dims.push_str("[]"),
                    }
                    at = e;
                }
                self.spell_into(at, out);
                write!(out, "{dims}")
            }
            TyKind::Record(r) => write!(out, "{}", types.records[r].qualified),
            // Hosts see the numbers, as with the reference compiler.
            TyKind::Enum(e) => write!(out, "{}", types.enums[e].underlying.name()),
            TyKind::Resource(r) => {
                out.push_str(r.object.info().name);
                if let Some(e) = r.elem {
                    out.push('<');
                    out.push_str(match r.norm {
                        Norm::None => "",
                        Norm::Snorm => "snorm ",
                        Norm::Unorm => "unorm ",
                    });
                    self.spell_into(e, out);
                    if r.samples > 0 && r.kind.is_multisampled() {
                        _ = write!(out, ", {}", r.samples);
                    }
                    out.push('>');
                }
                Ok(())
            }
            TyKind::Void => write!(out, "void"),
            TyKind::BufferPointer(..) => write!(out, "uint64_t"),
            TyKind::Spirv(_) => write!(out, "{}", types.show(t)),
            _ => Ok(()),
        };
    }
}

/// What a component of a texel is where it is loaded and stored: a Boolean is a number there.
pub fn texel_scalar(s: Scalar) -> Scalar {
    if s == Scalar::Bool { Scalar::Uint } else { s }
}

/// The component type of a typed resource.
fn component_type(s: Scalar, norm: Norm) -> CompType {
    use CompType as C;
    let r = s.ir();
    match (r, norm) {
        (Reg::F16, Norm::None) => C::F16,
        (Reg::F16, Norm::Snorm) => C::SNormF16,
        (Reg::F16, Norm::Unorm) => C::UNormF16,
        (Reg::F32, Norm::None) => C::F32,
        (Reg::F32, Norm::Snorm) => C::SNormF32,
        (Reg::F32, Norm::Unorm) => C::UNormF32,
        (Reg::F64, Norm::None) => C::F64,
        (Reg::F64, Norm::Snorm) => C::SNormF64,
        (Reg::F64, Norm::Unorm) => C::UNormF64,
        (Reg::Bool, _) => C::I1,
        (Reg::I16, _) if s.is_signed() => C::I16,
        (Reg::I16, _) => C::U16,
        (Reg::I32, _) if s.is_signed() => C::I32,
        (Reg::I32, _) => C::U32,
        (Reg::I64, _) if s.is_signed() => C::I64,
        (Reg::I64, _) => C::U64,
    }
}

/// The qualifiers of a field; a list that is not written is empty.
fn paq(p: hir::Paq) -> ir::Paq {
    let set = |s: Option<hir::PaqStages>| s.unwrap_or_default().0;
    ir::Paq { read: set(p.read), write: set(p.write) }
}

/// The qualifiers of the number that bit-fields with these share. They are read and written together: a stage that writes some of them reads the number
/// where others have to come through with their values.
fn qualifiers_of_word(all: &[ir::Paq]) -> ir::Paq {
    let mut word = all.iter().fold(ir::Paq::default(), |w, q| ir::Paq { read: w.read | q.read, write: w.write | q.write });
    for s in ir::PaqStage::ALL.into_iter().filter(|&s| s != ir::PaqStage::Caller && s.is_in(word.write)) {
        let passes = |q: &ir::Paq| !q.writes(s) && q.write & s.predecessors() != 0 && q.read & s.successors() != 0;
        if all.iter().any(passes) {
            word.read |= s.bit();
        }
    }
    word
}
