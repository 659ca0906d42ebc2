//! IR types as DXIL types: of values, of memory, and the class types of resources.

use rtc_ir::{self as ir, Scalar, TypeKind};
use rtc_tables::resources::{CompType, ResourceClass, ResourceKind};
use rustc_hash::FxHashMap;

use rtc_dxil_module::{Module, Type};

/// The structure types made so far.
#[derive(Default)]
pub struct TypeCache {
    structs: FxHashMap<ir::Struct, Type>,
}

/// The type of a value of scalar type `s`.
pub fn scalar(out: &mut Module, s: Scalar) -> Type {
    match s {
        Scalar::Bool => out.types.i1(),
        Scalar::I16 => out.types.i16(),
        Scalar::I32 => out.types.i32(),
        Scalar::I64 => out.types.i64(),
        Scalar::F16 => out.types.half(),
        Scalar::F32 => out.types.float(),
        Scalar::F64 => out.types.double(),
    }
}

/// What a structure is called in DXIL.
pub fn struct_name(name: &str) -> String {
    match name.strip_prefix("hostlayout.") {
        Some(own) => format!("hostlayout.struct.{own}"),
        None => format!("struct.{name}"),
    }
}

/// The type of a scalar in memory: booleans are words there.
pub fn stored(out: &mut Module, s: Scalar) -> Type {
    scalar(out, if s == Scalar::Bool { Scalar::I32 } else { s })
}

/// A matrix as HLSL spells it: its layout in memory that others share. In the IR it is an array of its rows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Matrix {
    /// Rows.
    pub rows: u32,
    /// Columns.
    pub cols: u32,
    /// Row after row, or column after column.
    pub row_major: bool,
}

impl Matrix {
    /// Rows, columns and orientation (1 row-major, 2 column-major) as metadata has them.
    pub fn words(self) -> [i32; 3] {
        [self.rows as i32, self.cols as i32, if self.row_major { 1 } else { 2 }]
    }
}

/// The matrix that the type, or what the array is of, is by its spelling (`column_major float4x3[2]`).
pub fn matrix(spelling: &str) -> Option<Matrix> {
    let (order, name) = spelling.split_once(' ')?;
    let row_major = match order {
        "row_major" => true,
        "column_major" => false,
        _ => return None,
    };
    let (head, cols) = name.split('[').next()?.rsplit_once('x')?;
    let rows = head.chars().last()?.to_digit(10)?;
    Some(Matrix { rows, cols: cols.parse().ok()?, row_major })
}

/// Whether array type `t`, which is a matrix or has dimensions around one, is the matrix.
pub fn is_rows(m: &ir::Module, t: ir::Type) -> bool {
    match m.types.kind(t) {
        TypeKind::Array(e, _) => !matches!(m.types.kind(e), TypeKind::Array(..)),
        _ => false,
    }
}

/// Whether a constant buffer is a block, whose members are variables of their own.
pub fn is_block(decl: &ir::ResourceDecl) -> bool {
    matches!(decl.hlsl.as_str(), "cbuffer" | "tbuffer")
}

impl TypeCache {
    /// The type in memory of `t`, which HLSL spells so: matrices have classes of their own.
    pub fn spelled(&mut self, m: &ir::Module, out: &mut Module, t: ir::Type, spelling: &str) -> Type {
        let (Some(shape), TypeKind::Array(e, len)) = (matrix(spelling), m.types.kind(t)) else {
            return self.memory(m, out, t);
        };
        if !is_rows(m, t) {
            let elem = self.spelled(m, out, e, spelling);
            return out.types.array(elem, len.into());
        }
        let Some((s, _)) = m.types.numeric(e) else { return self.memory(m, out, t) };
        let name = spelling.split([' ', '[']).nth(1).unwrap_or_default();
        let name = name.rsplit_once('x').map_or("", |n| n.0);
        let name = match &name[..name.len().saturating_sub(1)] {
            "uint" => "unsigned int",
            "int64_t" => "long long",
            "uint64_t" => "unsigned long long",
            "float16_t" => "half",
            name => name,
        };
        let elem = scalar(out, s);
        let row = out.types.vector(elem, shape.cols);
        let rows = out.types.array(row, shape.rows.into());
        out.types.named_struct(&format!("class.matrix.{name}.{}.{}", shape.rows, shape.cols), &[rows])
    }

    /// The type of `t` in memory.
    pub fn memory(&mut self, m: &ir::Module, out: &mut Module, t: ir::Type) -> Type {
        match m.types.kind(t) {
            TypeKind::Scalar(s) => stored(out, s),
            TypeKind::Vector(s, lanes) => {
                let elem = stored(out, s);
                out.types.vector(elem, lanes)
            }
            TypeKind::Array(e, len) => {
                let elem = self.memory(m, out, e);
                out.types.array(elem, len.into())
            }
            TypeKind::Struct(s) => self.structure(m, out, s),
            TypeKind::Resource(_) => out.handle_type(),
            TypeKind::HitObject => out.hit_object_type(),
            TypeKind::RayQuery(..) | TypeKind::Spirv(_) => out.types.i32(),
        }
    }

    /// The named structure, `%struct.<name>` or `%hostlayout.struct.<name>`.
    fn structure(&mut self, m: &ir::Module, out: &mut Module, s: ir::Struct) -> Type {
        if let Some(&t) = self.structs.get(&s) {
            return t;
        }
        let data = &m.structs[s];
        let fields: Vec<Type> = data.fields.iter().map(|f| self.spelled(m, out, f.ty, &f.hlsl)).collect();
        let t = out.types.named_struct(&struct_name(&data.name), &fields);
        self.structs.insert(s, t);
        t
    }

    /// The class type of one resource of a declaration: what HLSL calls it.
    pub fn class(&mut self, m: &ir::Module, out: &mut Module, data: &ir::GlobalData) -> Type {
        let Some(decl) = data.resource() else {
            return out.handle_type();
        };
        let Some(r) = m.types.as_resource(decl.ty) else {
            return out.handle_type();
        };
        let i32 = out.types.i32();
        let uav = r.class == ResourceClass::Uav;
        let rw = if uav { "RW" } else { "" };
        match r.kind {
            ResourceKind::CBuffer | ResourceKind::TBuffer => {
                if let Some(TypeKind::Struct(s)) = decl.layout.map(|t| m.types.kind(t))
                    && is_block(decl)
                {
                    let fields: Vec<Type> = m.structs[s].fields.iter().map(|f| self.spelled(m, out, f.ty, &f.hlsl)).collect();
                    return out.types.named_struct(&data.name, &fields);
                }
                let inside = match decl.layout {
                    Some(t) => self.memory(m, out, t),
                    None => {
                        let words = r.stride.div_ceil(4).max(1);
                        out.types.array(i32, words.into())
                    }
                };
                out.types.named_struct(&data.name, &[inside])
            }
            ResourceKind::Sampler => {
                let comparison = r.flags.contains(rtc_tables::resources::ResourceFlags::COMPARISON);
                let name = if comparison { "struct.SamplerComparisonState" } else { "struct.SamplerState" };
                out.types.named_struct(name, &[i32])
            }
            ResourceKind::AccelerationStructure => out.types.named_struct("struct.RaytracingAccelerationStructure", &[i32]),
            ResourceKind::RawBuffer => out.types.named_struct(&format!("struct.{rw}ByteAddressBuffer"), &[i32]),
            ResourceKind::StructuredBuffer => {
                let (inside, text) = match decl.layout {
                    Some(t) => (self.memory(m, out, t), self.spelling(m, t)),
                    None => (i32, String::from("int")),
                };
                // Append and consume buffers are known by their own names.
                let own = decl.hlsl.split('<').next().unwrap_or_default();
                let class = match own {
                    "AppendStructuredBuffer" | "ConsumeStructuredBuffer" => own.to_owned(),
                    _ => format!("{rw}StructuredBuffer"),
                };
                // Buffers of matrices in another order have another layout, which annotations of the class say.
                let packing = match decl.hlsl.split_once('<') {
                    Some((_, elem)) if elem.starts_with("row_major ") => "row_major ",
                    _ => "",
                };
                let name = format!("class.{class}<{packing}{text}>");
                out.types.named_struct(&name, &[inside])
            }
            ResourceKind::FeedbackTexture2D | ResourceKind::FeedbackTexture2DArray => {
                let name = format!("class.{}<{}>", class_name(r.kind), r.samples);
                out.types.named_struct(&name, &[i32])
            }
            kind => {
                let elem = r.elem.unwrap_or(ir::Type::F32X4);
                let inside = self.memory(m, out, elem);
                let text = typed_spelling(m, elem, r.comp);
                let samples = if kind.is_multisampled() { format!(", {}", r.samples) } else { String::new() };
                let name = format!("class.{rw}{}<{text}{samples}>", class_name(kind));
                let helper = match kind {
                    _ if uav => None,
                    ResourceKind::Texture2DMS | ResourceKind::Texture2DMSArray => Some("sample_type"),
                    ResourceKind::Texture1D
                    | ResourceKind::Texture2D
                    | ResourceKind::Texture3D
                    | ResourceKind::Texture1DArray
                    | ResourceKind::Texture2DArray => Some("mips_type"),
                    _ => None,
                };
                let mut fields = vec![inside];
                if let Some(helper) = helper {
                    fields.push(out.types.named_struct(&format!("{name}::{helper}"), &[i32]));
                }
                out.types.named_struct(&name, &fields)
            }
        }
    }

    /// How class names spell a type.
    fn spelling(&self, m: &ir::Module, t: ir::Type) -> String {
        match m.types.kind(t) {
            TypeKind::Scalar(s) => scalar_name(s, false).to_owned(),
            TypeKind::Vector(s, n) => format!("vector<{}, {n}>", scalar_name(s, false)) + " ",
            TypeKind::Array(e, n) => format!("{}[{n}]", self.spelling(m, e)),
            TypeKind::Struct(s) => m.structs[s].name.clone(),
            _ => String::from("?"),
        }
    }
}

fn typed_spelling(m: &ir::Module, elem: ir::Type, comp: CompType) -> String {
    let unsigned = matches!(comp, CompType::U16 | CompType::U32 | CompType::U64);
    match m.types.numeric(elem) {
        Some((s, 1)) => scalar_name(s, unsigned).to_owned(),
        Some((s, n)) => format!("vector<{}, {n}> ", scalar_name(s, unsigned)),
        None => String::from("?"),
    }
}

fn scalar_name(s: Scalar, unsigned: bool) -> &'static str {
    match (s, unsigned) {
        (Scalar::Bool, _) => "bool",
        (Scalar::I16, false) => "short",
        (Scalar::I16, true) => "unsigned short",
        (Scalar::I32, false) => "int",
        (Scalar::I32, true) => "unsigned int",
        (Scalar::I64, false) => "long long",
        (Scalar::I64, true) => "unsigned long long",
        (Scalar::F16, _) => "half",
        (Scalar::F32, _) => "float",
        (Scalar::F64, _) => "double",
    }
}

fn class_name(kind: ResourceKind) -> &'static str {
    match kind {
        ResourceKind::TypedBuffer => "Buffer",
        k => k.title(),
    }
}
