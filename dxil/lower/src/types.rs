//! IR types as DXIL types: of values, of memory, and the class types of resources.

use rtc_ir::{self as ir, DeclKind, Form, Matrix, Numbers, Scalar, TypeKind};
use rtc_tables::resources::{CompType, ResourceClass, ResourceKind};
use rtc_tables::types as source;
use rustc_hash::FxHashMap;

use rtc_dxil_module::{Module, Type};

/// The structure types made so far.
#[derive(Default)]
pub struct TypeCache {
    structs: FxHashMap<ir::Struct, Type>,
    /// Those of buffers.
    hosts: FxHashMap<ir::Struct, Type>,
}

/// What begins the names of structures that have another type in buffers than elsewhere.
pub const HOST: &str = "hostlayout.";

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
    match name.strip_prefix(HOST) {
        Some(own) => format!("hostlayout.struct.{}", template_name(own)),
        None => format!("struct.{}", template_name(name)),
    }
}

/// The name of an instance of a template as the reference spells it: its arguments are types of C++, `TS<vector<unsigned int, 3> >`.
fn template_name(name: &str) -> String {
    let Some((head, args)) = name.split_once('<') else { return name.to_owned() };
    let mut out = format!("{head}<");
    let mut rest = args;
    while !rest.is_empty() {
        let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | ':');
        let end = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        out += &type_word(word).unwrap_or_else(|| word.to_owned());
        let mut chars = after.chars();
        if let Some(c) = chars.next() {
            // Not a shift, and a blank before dimensions.
            if c == '>' && out.ends_with('>') || c == '[' && !out.ends_with(']') {
                out.push(' ');
            }
            out.push(c);
        }
        rest = chars.as_str();
    }
    out
}

/// A vector or matrix as the template that it is, and a scalar type by its name in C++; nothing for other words.
fn type_word(word: &str) -> Option<String> {
    let digit = |c: Option<char>| c.and_then(|c| c.to_digit(10)).filter(|n| (1..=4).contains(n));
    let mut chars = word.chars().rev();
    let last = digit(chars.next());
    let (middle, rows) = (chars.next(), digit(chars.next()));
    if let (Some(cols), Some('x'), Some(rows)) = (last, middle, rows)
        && let Some(s) = scalar_word(&word[..word.len() - 3])
    {
        return Some(format!("matrix<{s}, {rows}, {cols}>"));
    }
    if let Some(n) = last
        && let Some(s) = scalar_word(&word[..word.len() - 1])
    {
        return Some(format!("vector<{s}, {n}>"));
    }
    scalar_word(word).map(str::to_owned)
}

/// A scalar type of HLSL by its name in C++.
fn scalar_word(word: &str) -> Option<&str> {
    Some(match word {
        "bool" | "int" | "half" | "float" | "double" | "min16float" | "min16int" | "min16uint" | "min10float" | "min12int" => word,
        "uint" | "dword" | "uint32_t" => "unsigned int",
        "int32_t" => "int",
        "int16_t" => "short",
        "uint16_t" => "unsigned short",
        "float16_t" => "half",
        "float32_t" => "float",
        "float64_t" => "double",
        "int64_t" => "long long",
        "uint64_t" => "unsigned long long",
        _ => return None,
    })
}

/// The type of a scalar in memory: booleans are words there.
pub fn stored(out: &mut Module, s: Scalar) -> Type {
    scalar(out, if s == Scalar::Bool { Scalar::I32 } else { s })
}

/// The type of a scalar in a buffer: those of minimum precision have 32 bits there.
fn host_scalar(m: &ir::Module, out: &mut Module, s: Scalar) -> Type {
    match s {
        Scalar::F16 if !m.native_16bit => out.types.float(),
        Scalar::I16 if !m.native_16bit => out.types.i32(),
        s => stored(out, s),
    }
}

/// The class of a ray query, by its ray flags and query flags: it holds the number of the query.
pub fn query_class(out: &mut Module, flags: u32, query_flags: u32) -> Type {
    let number = out.types.i32();
    out.types.named_struct(&format!("class.RayQuery<{flags}, {query_flags}>"), &[number])
}

/// The matrix that the type, or what the array is of, is.
pub fn matrix(numbers: Option<Numbers>) -> Option<Matrix> {
    numbers.and_then(Numbers::matrix)
}

/// Rows, columns and orientation (1 row-major, 2 column-major) of a matrix as metadata has them.
pub fn matrix_words(m: Matrix) -> [i32; 3] {
    [m.rows as i32, m.cols as i32, if m.is_row_major() { 1 } else { 2 }]
}

/// Whether array type `t`, which is a matrix or has dimensions around one, is the matrix.
pub fn is_rows(m: &ir::Module, t: ir::Type) -> bool {
    match m.types.kind(t) {
        TypeKind::Array(e, _) => !matches!(m.types.kind(e), TypeKind::Array(..)),
        _ => false,
    }
}

impl TypeCache {
    /// The type in memory of `t`, which has these numbers: matrices have classes of their own.
    pub fn declared(&mut self, m: &ir::Module, out: &mut Module, t: ir::Type, numbers: Option<Numbers>) -> Type {
        let (Some(Numbers { scalar: written, form: Form::Matrix(shape) }), TypeKind::Array(e, len)) = (numbers, m.types.kind(t)) else {
            return self.memory(m, out, t);
        };
        if !is_rows(m, t) {
            let elem = self.declared(m, out, e, numbers);
            return out.types.array(elem, len.into());
        }
        let Some((s, _)) = m.types.numeric(e) else { return self.memory(m, out, t) };
        let name = match written {
            source::Scalar::Uint => "unsigned int",
            source::Scalar::Int64 => "long long",
            source::Scalar::Uint64 => "unsigned long long",
            source::Scalar::Float16 => "half",
            other => other.name(),
        };
        let elem = scalar(out, s);
        let row = out.types.vector(elem, shape.cols);
        let rows = out.types.array(row, shape.rows.into());
        out.types.named_struct(&format!("class.matrix.{name}.{}.{}", shape.rows, shape.cols), &[rows])
    }

    /// The type in a buffer of `t`, which has these numbers. A matrix is an array of the vectors that follow each other there, or the only one;
    /// a vector of one component is a vector. Reflection tells by that what is an array.
    pub fn host(&mut self, m: &ir::Module, out: &mut Module, t: ir::Type, numbers: Option<Numbers>) -> Type {
        match m.types.kind(t) {
            TypeKind::Array(e, len) => match matrix(numbers).filter(|_| is_rows(m, t)) {
                Some(shape) => {
                    let Some((s, _)) = m.types.numeric(e) else { return self.memory(m, out, t) };
                    let (vectors, lanes) = if shape.is_row_major() { (shape.rows, shape.cols) } else { (shape.cols, shape.rows) };
                    let elem = host_scalar(m, out, s);
                    let vector = out.types.vector(elem, lanes);
                    if vectors == 1 { vector } else { out.types.array(vector, vectors.into()) }
                }
                None => {
                    let elem = self.host(m, out, e, numbers);
                    out.types.array(elem, len.into())
                }
            },
            TypeKind::Scalar(s) if is_one_component(numbers) => {
                let elem = host_scalar(m, out, s);
                out.types.vector(elem, 1)
            }
            TypeKind::Scalar(s) => host_scalar(m, out, s),
            TypeKind::Vector(s, lanes) => {
                let elem = host_scalar(m, out, s);
                out.types.vector(elem, lanes)
            }
            TypeKind::Struct(s) => self.host_structure(m, out, s),
            _ => self.memory(m, out, t),
        }
    }

    /// A structure in a buffer: the named one, or another if its members have other types there.
    pub fn host_structure(&mut self, m: &ir::Module, out: &mut Module, s: ir::Struct) -> Type {
        if let Some(&t) = self.hosts.get(&s) {
            return t;
        }
        let data = &m.structs[s];
        let fields: Vec<Type> = data.fields.iter().map(|f| self.host(m, out, f.ty, f.numbers)).collect();
        let changed = data.fields.iter().zip(&fields).any(|(f, &host)| self.differs(m, out, host, f.ty, f.numbers));
        let t = if let Some(plain) = data.name.strip_prefix(HOST) {
            // That of variables has the name alone; it may be the same.
            let other = m.structs.iter().find(|(_, d)| d.name == plain).map(|(other, _)| self.structure(m, out, other));
            match other {
                Some(t) if out.types.fields(t).is_some_and(|own| own.types[..] == fields[..]) => t,
                _ => out.types.named_struct(&struct_name(&data.name), &fields),
            }
        } else if changed {
            out.types.named_struct(&struct_name(&format!("{HOST}{}", data.name)), &fields)
        } else {
            out.types.named_struct(&struct_name(&data.name), &fields)
        };
        self.hosts.insert(s, t);
        t
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
            TypeKind::Linalg(t) => out.linalg_type(t),
            TypeKind::RayQuery(..) | TypeKind::Spirv(_) => out.types.i32(),
        }
    }

    /// Whether `t` has another type in buffers, `host`, than in variables.
    fn differs(&mut self, m: &ir::Module, out: &mut Module, host: Type, t: ir::Type, numbers: Option<Numbers>) -> bool {
        let mut inner = host;
        while let rtc_dxil_module::TypeKind::Array { elem, .. } = out.types[inner] {
            inner = elem;
        }
        match out.types.struct_name(inner) {
            Some(name) => name.starts_with(HOST),
            None => self.declared(m, out, t, numbers) != host,
        }
    }

    /// The named structure, `%struct.<name>` or `%hostlayout.struct.<name>`.
    fn structure(&mut self, m: &ir::Module, out: &mut Module, s: ir::Struct) -> Type {
        if let Some(&t) = self.structs.get(&s) {
            return t;
        }
        let data = &m.structs[s];
        let fields: Vec<Type> = data.fields.iter().map(|f| self.declared(m, out, f.ty, f.numbers)).collect();
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
                    && decl.kind.is_block()
                {
                    let fields: Vec<Type> = m.structs[s].fields.iter().map(|f| self.host(m, out, f.ty, f.numbers)).collect();
                    let mut all = m.structs[s].fields.iter().zip(&fields);
                    let changed = all.any(|(f, &host)| self.differs(m, out, host, f.ty, f.numbers));
                    let prefix = if changed { HOST } else { "" };
                    return out.types.named_struct(&format!("{prefix}{}", data.name), &fields);
                }
                let mut prefix = "";
                let inside = match decl.layout {
                    Some(t) => {
                        let inside = self.host(m, out, t, decl.element);
                        if self.differs(m, out, inside, t, decl.element) {
                            prefix = HOST;
                        }
                        inside
                    }
                    None => {
                        let words = r.stride.div_ceil(4).max(1);
                        out.types.array(i32, words.into())
                    }
                };
                out.types.named_struct(&format!("{prefix}{}", data.name), &[inside])
            }
            ResourceKind::Sampler => {
                let comparison = r.flags.contains(rtc_tables::resources::ResourceFlags::COMPARISON);
                let name = if comparison { "struct.SamplerComparisonState" } else { "struct.SamplerState" };
                out.types.named_struct(name, &[i32])
            }
            ResourceKind::AccelerationStructure => out.types.named_struct("struct.RaytracingAccelerationStructure", &[i32]),
            ResourceKind::RawBuffer => out.types.named_struct(&format!("struct.{rw}ByteAddressBuffer"), &[i32]),
            ResourceKind::StructuredBuffer => {
                let mut prefix = "";
                let (inside, text) = match decl.layout {
                    Some(t) => {
                        let inside = self.host(m, out, t, decl.element);
                        if self.differs(m, out, inside, t, decl.element) {
                            prefix = HOST;
                        }
                        (inside, self.spelling(m, t, decl.element))
                    }
                    None => (i32, String::from("int")),
                };
                // Append and consume buffers are known by their own names.
                let class = match decl.kind {
                    DeclKind::Append => "AppendStructuredBuffer".to_owned(),
                    DeclKind::Consume => "ConsumeStructuredBuffer".to_owned(),
                    DeclKind::Variable | DeclKind::Block | DeclKind::Loose => format!("{rw}StructuredBuffer"),
                };
                // Buffers of matrices in another order have another layout, which annotations of the class say.
                let packing = if matrix(decl.element).is_some_and(Matrix::is_row_major) { "row_major " } else { "" };
                let name = format!("{prefix}class.{class}<{packing}{text}>");
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

    /// How class names spell a type that has these numbers.
    fn spelling(&self, m: &ir::Module, t: ir::Type, numbers: Option<Numbers>) -> String {
        let unsigned = is_unsigned(numbers);
        match m.types.kind(t) {
            TypeKind::Scalar(s) if is_one_component(numbers) => format!("vector<{}, 1> ", scalar_name(s, unsigned)),
            TypeKind::Scalar(s) => scalar_name(s, unsigned).to_owned(),
            TypeKind::Vector(s, n) => format!("vector<{}, {n}> ", scalar_name(s, unsigned)),
            TypeKind::Array(e, n) => match (matrix(numbers).filter(|_| is_rows(m, t)), m.types.numeric(e)) {
                (Some(shape), Some((s, _))) => format!("matrix<{}, {}, {}> ", scalar_name(s, unsigned), shape.rows, shape.cols),
                _ => format!("{}[{n}]", self.spelling(m, e, numbers)),
            },
            TypeKind::Struct(s) => {
                let name = template_name(&m.structs[s].name);
                if name.ends_with('>') { name + " " } else { name }
            }
            _ => String::from("?"),
        }
    }
}

/// Whether they are unsigned integers.
pub fn is_unsigned(numbers: Option<Numbers>) -> bool {
    numbers.is_some_and(|n| n.scalar.is_unsigned())
}

/// Whether they are a vector of one component, or an array of such: `float1[2]`.
pub fn is_one_component(numbers: Option<Numbers>) -> bool {
    numbers.is_some_and(|n| n.form == Form::OneComponent)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instances_of_templates_are_spelled_as_types_of_cpp() {
        let names = [
            ("Plain4", "Plain4"),
            ("TS<uint>", "TS<unsigned int>"),
            ("TS<float4>", "TS<vector<float, 4> >"),
            ("TS<TS<float>>", "TS<TS<float> >"),
            ("TN<float1, 2>", "TN<vector<float, 1>, 2>"),
            ("TS<int1x3>", "TS<matrix<int, 1, 3> >"),
            ("TS<uint64_t2>", "TS<vector<unsigned long long, 2> >"),
            ("TS<int[2]>", "TS<int [2]>"),
            ("TS<N::float4>", "TS<N::float4>"),
        ];
        for (hlsl, spelled) in names {
            assert_eq!(template_name(hlsl), spelled);
        }
    }
}
