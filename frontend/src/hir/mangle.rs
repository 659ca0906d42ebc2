//! Name mangling, in the scheme that DXIL libraries use (Microsoft's C++ scheme with HLSL's types as class templates).
//!
//! `\x01?` name `@` scopes `@`, then what it is: `3` type `A` for a variable, `YA` result parameters `Z` for a
//! function. A name that occurs again is replaced by its number among the first ten names, a parameter type of
//! more than one character by its number among the first ten such types. Template arguments are mangled by
//! themselves and their whole text then counts as one name.

use super::{FuncId, GlobalId, Module, Pass, Scalar, Ty, TyKind, Types};

/// The prefix of a symbol: tells the linker not to decorate it further.
pub const PREFIX: &str = "\u{1}?";

/// Writes one mangled name.
pub struct Mangler<'a> {
    types: &'a Types,
    out: String,
    names: Vec<String>,
    /// Types of parameters, each whether by reference.
    args: Vec<(Ty, bool)>,
}

impl<'a> Mangler<'a> {
    /// A mangler that has written nothing.
    pub fn new(types: &'a Types) -> Self {
        Mangler { types, out: String::new(), names: Vec::new(), args: Vec::new() }
    }

    /// One name component: text and `@`, or its number if it occurred before.
    fn name(&mut self, name: &str) {
        if let Some(n) = self.names.iter().position(|s| s == name) {
            self.out.push((b'0' + n as u8) as char);
            return;
        }
        if self.names.len() < 10 {
            self.names.push(name.to_string());
        }
        self.out.push_str(name);
        self.out.push('@');
    }

    /// Components, innermost first, and the closing `@`.
    fn path(&mut self, path: &[impl AsRef<str>]) {
        for p in path {
            self.name(p.as_ref());
        }
        self.out.push('@');
    }

    /// An integer as a template argument has it.
    fn number(&mut self, n: u64) {
        self.out.push_str(&number(n));
    }

    /// A class template of the language: `V?$vector@M$03@@`.
    fn template(&mut self, name: &str, args: &[TemplateArg]) {
        let text = template_name(self.types, name, args);
        self.out.push('V');
        self.path(&[text]);
    }

    /// A type.
    pub fn ty(&mut self, t: Ty) {
        match self.types.kind(t) {
            TyKind::Error | TyKind::Void => self.out.push('X'),
            TyKind::Scalar(s) => self.out.push_str(scalar(s)),
            TyKind::Vector(s, n) => {
                self.template("vector", &[TemplateArg::Type(Ty::scalar(s)), TemplateArg::Int(n as u64)]);
            }
            TyKind::Matrix { scalar, rows, cols, .. } => self
                .template("matrix", &[TemplateArg::Type(Ty::scalar(scalar)), TemplateArg::Int(rows as u64), TemplateArg::Int(cols as u64)]),
            TyKind::Array(..) => {
                let (elem, dims) = self.dims(t);
                self.out.push_str("$$BY");
                self.array_dims(&dims);
                self.ty(elem);
            }
            TyKind::Record(r) => {
                let types = self.types;
                let r = &types.records[r];
                self.out.push(if r.is_class { 'V' } else { 'U' });
                self.path(&r.path);
            }
            TyKind::Enum(e) => {
                let types = self.types;
                self.out.push_str("W4");
                self.path(&types.enums[e].path);
            }
            TyKind::Resource(r) => {
                let name = r.object.info().name;
                match r.elem {
                    Some(elem) => {
                        let samples = r.kind.is_multisampled().then_some(r.samples as u64);
                        let args: Vec<TemplateArg> =
                            std::iter::once(TemplateArg::Type(elem)).chain(samples.map(TemplateArg::Int)).collect();
                        self.template(name, &args);
                    }
                    None if name.starts_with("Feedback") => {
                        self.template(name, &[TemplateArg::Int(r.samples as u64)]);
                    }
                    None => {
                        self.out.push('U');
                        self.path(&[name]);
                    }
                }
            }
            TyKind::RayQuery { flags, query_flags } => {
                let args = [TemplateArg::Int(flags as u64), TemplateArg::Int(query_flags as u64)];
                self.template("RayQuery", &args);
            }
            TyKind::HitObject => {
                self.out.push('V');
                self.path(&["HitObject", "dx"]);
            }
            TyKind::Linalg(t) => {
                let which = t.map_or(String::new(), |t| t.mangled());
                self.out.push_str(&format!("$linalg_matrix{which}@"));
            }
            TyKind::Stream(topology, t) => self.template(topology.word(), &[TemplateArg::Type(t)]),
            TyKind::Patch(output, t, n) => {
                let name = if output { "OutputPatch" } else { "InputPatch" };
                self.template(name, &[TemplateArg::Type(t), TemplateArg::Int(n.into())]);
            }
            TyKind::Spirv(id) => self.template("SpirvType", &[TemplateArg::Int(id.as_u32().into())]),
            TyKind::BufferPointer(t, align) => self.template("BufferPointer", &[TemplateArg::Type(t), TemplateArg::Int(align.into())]),
            TyKind::Integral(t, bits) | TyKind::SpirvLiteral(t, bits) => {
                self.template("integral_constant", &[TemplateArg::Type(t), TemplateArg::Int(bits)]);
            }
            TyKind::Function(f) => {
                let types = self.types;
                let f = &types.functions[f];
                self.out.push_str("$$A6A");
                self.ty(f.ret);
                for &(t, pass) in &f.params {
                    self.param(t, pass);
                }
                self.out.push_str(if f.params.is_empty() { "XZ" } else { "@Z" });
            }
            TyKind::Subobject(s) => {
                self.out.push('U');
                self.path(&[format!("{s:?}")]);
            }
            TyKind::String | TyKind::Heap(_) | TyKind::HeapElement(_) => self.out.push_str("PBD"),
            TyKind::MipsOf(t, _) | TyKind::MipOf(t, _) => self.ty(t),
        }
    }

    fn dims(&self, mut t: Ty) -> (Ty, Vec<u32>) {
        let mut dims = Vec::new();
        while let TyKind::Array(e, n) = self.types.kind(t) {
            dims.push(n.unwrap_or(0));
            t = e;
        }
        (t, dims)
    }

    fn array_dims(&mut self, dims: &[u32]) {
        self.number(dims.len() as u64);
        for &d in dims {
            self.number(d as u64);
        }
    }

    /// The type of a parameter: a number instead if it occurred before. A reference is another type than what it refers to,
    /// also where that does not show in the name.
    fn param(&mut self, t: Ty, pass: Pass) {
        let by_reference = pass != Pass::In;
        let key = (t, by_reference);
        if let Some(n) = self.args.iter().position(|&a| a == key) {
            self.out.push((b'0' + n as u8) as char);
            return;
        }
        let start = self.out.len();
        match self.types.kind(t) {
            // What is passed is the array, not a pointer.
            TyKind::Array(..) => {
                let (elem, dims) = self.dims(t);
                self.out.push('Y');
                self.array_dims(&dims);
                if by_reference {
                    self.out.push_str("$$CA");
                }
                self.ty(elem);
            }
            _ => {
                if by_reference && (self.types.is_numeric(t) || matches!(self.types.kind(t), TyKind::Enum(_))) {
                    self.out.push_str("AIA");
                }
                self.ty(t);
            }
        }
        if self.out.len() - start > 1 && self.args.len() < 10 {
            self.args.push(key);
        }
    }

    /// The result type: classes are preceded by a storage class.
    fn result(&mut self, t: Ty) {
        if !matches!(self.types.kind(t), TyKind::Scalar(_) | TyKind::Void | TyKind::Error | TyKind::Array(..)) {
            self.out.push_str("?A");
        }
        self.ty(t);
    }

    /// The finished name.
    pub fn finish(self) -> String {
        self.out
    }
}

/// An argument in angle brackets.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum TemplateArg<'a> {
    /// A type.
    Type(Ty),
    /// An integer.
    Int(u64),
    /// A class template: its name and those around it, innermost first.
    Class(&'a [String]),
}

/// The name component of a template instance: `?$Pair@MH@`.
pub fn template_name(types: &Types, name: &str, args: &[TemplateArg]) -> String {
    let mut m = Mangler::new(types);
    m.out.push_str("?$");
    m.name(name);
    for a in args {
        match *a {
            TemplateArg::Type(t) => m.ty(t),
            TemplateArg::Int(n) => {
                m.out.push_str("$0");
                m.number(n);
            }
            TemplateArg::Class(path) => {
                m.out.push('U');
                m.path(path);
            }
        }
    }
    m.out
}

/// An integer: 1 to 10 as a digit, others as hexadecimal letters A to P and `@`.
fn number(n: u64) -> String {
    if (1..=10).contains(&n) {
        return ((b'0' + (n - 1) as u8) as char).to_string();
    }
    let hex = format!("{n:x}");
    let mut out: String = hex.chars().map(|c| (b'A' + c.to_digit(16).unwrap_or(0) as u8) as char).collect();
    out.push('@');
    out
}

fn scalar(s: Scalar) -> &'static str {
    match s {
        Scalar::Bool => "_N",
        Scalar::Int16 => "F",
        Scalar::Uint16 => "G",
        Scalar::Int | Scalar::LitInt => "H",
        Scalar::Uint => "I",
        Scalar::Int64 => "_J",
        Scalar::Uint64 => "_K",
        Scalar::Float16 => "$f16@",
        Scalar::Half => "$halff@",
        Scalar::Float | Scalar::LitFloat => "M",
        Scalar::Double => "N",
        Scalar::Min12Int | Scalar::PromotedMin12Int => "$min12i@",
        Scalar::Min16Int | Scalar::PromotedMin16Int => "$min16i@",
        Scalar::Min16Uint | Scalar::PromotedMin16Uint => "$min16ui@",
        Scalar::Min10Float | Scalar::PromotedMin10Float => "$min10f@",
        Scalar::Min16Float | Scalar::PromotedMin16Float => "$min16f@",
        Scalar::Int8x4 => "$i8_4pk@",
        Scalar::Uint8x4 => "$ui8_4pk@",
    }
}

/// The code of an operator's name; `None` if `text` (`operator+`) is none. `unary`: without parameters as a method, or one as a function.
pub fn operator_code(text: &str, unary: bool) -> Option<&'static str> {
    Some(match text.strip_prefix("operator")?.trim() {
        "+" => "?H",
        "-" => "?G",
        "*" if unary => "?D",
        "*" => "?D",
        "/" => "?K",
        "%" => "?L",
        "==" => "?8",
        "!=" => "?9",
        "<" => "?M",
        ">" => "?O",
        "<=" => "?N",
        ">=" => "?P",
        "&&" => "?V",
        "||" => "?W",
        "&" => "?I",
        "|" => "?U",
        "^" => "?T",
        "<<" => "?6",
        ">>" => "?5",
        "!" => "?7",
        "~" => "?S",
        "++" => "?E",
        "--" => "?F",
        "=" => "?4",
        "+=" => "?Y",
        "-=" => "?Z",
        "*=" => "?X",
        "/=" => "?_0",
        "%=" => "?_1",
        ">>=" => "?_2",
        "<<=" => "?_3",
        "&=" => "?_4",
        "|=" => "?_5",
        "^=" => "?_6",
        "()" => "?R",
        "[]" => "?A",
        "," => "?Q",
        _ => return None,
    })
}

/// The symbol of a function. `path`: its name (`f`, `?$f@M@` for an instance of a template, an operator's text) and the
/// scopes around it, innermost first.
pub fn function(types: &Types, path: &[String], method: Option<(bool, bool)>, ret: Ty, params: &[(Ty, Pass)]) -> String {
    let mut m = Mangler::new(types);
    m.out.push_str(PREFIX);
    let (name, scopes) = path.split_first().map_or(("", path), |(n, s)| (n.as_str(), s));
    match operator_code(name, params.is_empty()) {
        Some(code) => m.out.push_str(code),
        None if name.starts_with("operator") => m.out.push_str("?B"),
        None => m.name(name),
    }
    m.path(scopes);
    m.out.push_str(match method {
        None => "YA",
        Some((true, _)) => "SA",
        Some((false, false)) => "QAA",
        Some((false, true)) => "QBA",
    });
    m.result(ret);
    if params.is_empty() {
        m.out.push('X');
    } else {
        for &(t, pass) in params {
            m.param(t, pass);
        }
        m.out.push('@');
    }
    m.out.push('Z');
    m.finish()
}

/// The symbol of a variable.
pub fn variable(types: &Types, path: &[String], ty: Ty, is_const: bool) -> String {
    let mut m = Mangler::new(types);
    m.out.push_str(PREFIX);
    m.path(path);
    m.out.push('3');
    match types.kind(ty) {
        TyKind::Array(elem, _) => {
            m.out.push('P');
            m.out.push(if is_const { 'B' } else { 'A' });
            let (base, dims) = m.dims(elem);
            if !dims.is_empty() {
                m.out.push('Y');
                m.array_dims(&dims);
            }
            m.ty(base);
        }
        _ => m.ty(ty),
    }
    m.out.push(if is_const { 'B' } else { 'A' });
    m.finish()
}

/// The symbol of a function without the leading marker, for printed lists.
pub fn readable(symbol: &str) -> &str {
    symbol.strip_prefix('\u{1}').unwrap_or(symbol)
}

impl Module {
    /// The function with this symbol or plain name, if there is exactly one.
    pub fn find_function(&self, name: &str) -> Option<FuncId> {
        let mut found = self.funcs.iter().filter(|(_, f)| f.symbol == name || f.qualified == name);
        let first = found.next()?.0;
        found.next().is_none().then_some(first)
    }
    /// The variable with this symbol or plain name.
    pub fn find_global(&self, name: &str) -> Option<GlobalId> {
        let is = |g: &super::Global| g.symbol == name || g.qualified == name;
        self.globals.iter().find(|(_, g)| is(g)).map(|(id, _)| id)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Norm, Record, Resource};
    use super::*;
    use rtc_base::{Interner, Span};
    use rtc_tables::intrinsics::Object;
    use rtc_tables::resources::{ResourceClass, ResourceFlags, ResourceKind};

    fn struct_(types: &mut Types, name: &str) -> Ty {
        let r = types.records.push(Record {
            name: Interner::new().intern(name),
            qualified: name.into(),
            path: vec![name.into()],
            is_class: false,
            base: None,
            fields: vec![],
            rows: Vec::new(),
            raypayload: false,
            used_as_payload: false,
            builtin: false,
            span: Span::NONE,
        });
        types.record(r)
    }

    fn path(names: &[&str]) -> Vec<String> {
        names.iter().map(|s| s.to_string()).collect()
    }

    #[test]
    fn functions_as_in_the_reference_listings() {
        let mut t = Types::default();
        let p = struct_(&mut t, "Payload");
        let a = struct_(&mut t, "BuiltInTriangleIntersectionAttributes");
        assert_eq!(function(&t, &path(&["RayGen"]), None, Ty::VOID, &[]), "\u{1}?RayGen@@YAXXZ");
        assert_eq!(
            function(&t, &path(&["ClosestHit"]), None, Ty::VOID, &[(p, Pass::InOut), (a, Pass::In)]),
            "\u{1}?ClosestHit@@YAXUPayload@@UBuiltInTriangleIntersectionAttributes@@@Z"
        );
        let f4 = t.vector(Scalar::Float, 4);
        assert_eq!(
            function(&t, &path(&["f", "ns"]), None, f4, &[(f4, Pass::In), (f4, Pass::In), (Ty::INT, Pass::Out)]),
            "\u{1}?f@ns@@YA?AV?$vector@M$03@@V2@0AIAH@Z"
        );
    }

    /// Names of the reference compiler.
    #[test]
    fn references_and_arrays() {
        let mut t = Types::default();
        let s = struct_(&mut t, "S");
        let f4 = t.vector(Scalar::Float, 4);
        let (b2, s2) = (t.array(Ty::BOOL, Some(2)), t.array(s, Some(2)));
        let inner = t.array(Ty::FLOAT, Some(3));
        let a23 = t.array(inner, Some(2));
        let u64 = Ty::scalar(Scalar::Uint64);
        use Pass::{In, InOut, Out};
        let name = |n: &str, ret, params: &[(Ty, Pass)]| function(&t, &path(&[n]), None, ret, params)[1..].to_owned();
        let int = Ty::INT;
        assert_eq!(name("A", Ty::VOID, &[(int, InOut), (int, InOut), (int, In), (int, Out)]), "?A@@YAXAIAH0H0@Z");
        assert_eq!(name("B", Ty::VOID, &[(f4, InOut), (f4, InOut), (f4, In), (f4, In)]), "?B@@YAXAIAV?$vector@M$03@@0V1@1@Z");
        assert_eq!(name("C", Ty::VOID, &[(s, In), (s, InOut), (s, In), (s, Out)]), "?C@@YAXUS@@U1@01@Z");
        assert_eq!(name("Q", a23, &[]), "?Q@@YA$$BY112MXZ");
        let params = [(b2, InOut), (b2, InOut), (u64, In), (u64, In), (u64, InOut), (u64, InOut)];
        assert_eq!(name("Z", s2, &params), "?Z@@YA$$BY01US@@Y01$$CA_N0_K1AIA_K2@Z");
        assert_eq!(name("G", Ty::VOID, &[(a23, In), (a23, InOut), (a23, In)]), "?G@@YAXY112MY112$$CAM0@Z");
    }

    #[test]
    fn variables_as_in_the_reference_listings() {
        let mut t = Types::default();
        let f4 = t.vector(Scalar::Float, 4);
        let mut resource = |object: Object, kind, elem| {
            t.intern(TyKind::Resource(Resource {
                object,
                class: ResourceClass::Srv,
                kind,
                elem,
                norm: Norm::None,
                samples: 0,
                flags: ResourceFlags::empty(),
            }))
        };
        let tex = resource(Object::Texture2D, ResourceKind::Texture2D, Some(f4));
        let scene = resource(Object::RaytracingAccelerationStructure, ResourceKind::AccelerationStructure, None);
        let texs = t.array(tex, None);
        let tile = t.array(Ty::FLOAT, Some(64));
        let name = |n, ty| variable(&t, &path(&[n]), ty, false);
        assert_eq!(name("Scene", scene), "\u{1}?Scene@@3URaytracingAccelerationStructure@@A");
        assert_eq!(name("Tex", texs), "\u{1}?Tex@@3PAV?$Texture2D@V?$vector@M$03@@@@A");
        assert_eq!(name("tile", tile), "\u{1}?tile@@3PAMA");
    }

    #[test]
    fn numbers() {
        assert_eq!((number(0), number(1), number(10)), ("A@".into(), "0".into(), "9".into()));
        assert_eq!(number(16), "BA@");
    }
}
