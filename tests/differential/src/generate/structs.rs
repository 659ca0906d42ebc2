//! Structures: members of all types, bit-fields, bases, templates, methods and operators.

use super::types::{Field, Numeric, Scalar, Struct, Type};
use super::{Definition, Generator, Variable};

/// The template of which some structures are instances.
const PAIR: &str = "template<typename A, typename B> struct Pair { A first; B second; A chosen(A other, uint k) { return (k & 1u) != 0u ? first : other; } };\n";

impl Generator {
    /// Declares some structures.
    pub(super) fn types(&mut self) {
        let mut has_pair = false;
        while self.structs.len() < 5 && self.more(2) {
            if self.choices.one_in(5) {
                if !has_pair {
                    self.declarations += PAIR;
                    has_pair = true;
                }
                self.pair();
            } else {
                self.structure();
            }
        }
    }

    /// Whether a type may be in memory.
    pub(super) fn is_memory(&self, ty: &Type) -> bool {
        match ty {
            Type::Numeric(n) => !n.scalar.is_min(),
            Type::Array(of, _) => self.is_memory(of),
            Type::Struct(s) => self.structs[*s].in_memory,
        }
    }

    /// Whether an instance of a template is in it.
    pub(super) fn has_template(&self, ty: &Type) -> bool {
        match ty {
            Type::Numeric(_) => false,
            Type::Array(of, _) => self.has_template(of),
            Type::Struct(s) => self.structs[*s].name.starts_with("Pair") || self.fields(*s).iter().any(|f| self.has_template(&f.ty)),
        }
    }

    /// Whether a matrix is in it.
    pub(super) fn has_matrix(&self, ty: &Type) -> bool {
        match ty {
            Type::Numeric(n) => n.is_matrix(),
            Type::Array(of, _) => self.has_matrix(of),
            Type::Struct(s) => self.fields(*s).iter().any(|f| self.has_matrix(&f.ty)),
        }
    }

    /// About how many bytes a type takes.
    pub(super) fn bytes(&self, ty: &Type) -> u32 {
        match ty {
            Type::Numeric(n) => n.count() * n.scalar.width().max(32) / 8 + if n.is_matrix() { 16 } else { 0 },
            Type::Array(of, n) => n * self.bytes(of).next_multiple_of(16),
            Type::Struct(s) => self.structs[*s].bytes,
        }
    }

    fn pair(&mut self) {
        // The reference compiler breaks on matrices in instances of templates in constant buffers.
        let mut part = || {
            let (scalar, n) = (self.scalar(), 1 + self.choices.below(4));
            Numeric::vector(scalar, n)
        };
        let (a, b) = (part(), part());
        let field = |name: &str, n| Field { name: name.into(), ty: Type::Numeric(n), width: None, packing: "" };
        let fields = vec![field("first", a), field("second", b)];
        let bytes = fields.iter().map(|f| self.bytes(&f.ty)).sum::<u32>() + 16;
        let in_memory = fields.iter().all(|f| self.is_memory(&f.ty));
        let name = format!("Pair<{}, {} >", a.name(), b.name());
        self.structs.push(Struct { name, base: None, fields, bytes, in_memory, operators: false });
    }

    fn structure(&mut self) {
        let name = self.name("S");
        let plain: Vec<usize> = (0..self.structs.len()).filter(|&s| !self.structs[s].name.starts_with("Pair")).collect();
        let base = if !plain.is_empty() && self.choices.one_in(4) { Some(self.choices.pick(&plain)) } else { None };
        let mut fields = Vec::new();
        self.member(&mut fields);
        while fields.len() < 6 && self.more(2) {
            self.member(&mut fields);
        }
        let head = base.map_or_else(String::new, |b| format!(" : {}", self.structs[b].name));
        let mut text = format!("struct {name}{head} {{\n");
        for f in &fields {
            let width = f.width.map_or_else(String::new, |w| format!(" : {w}"));
            text += &format!("  {}{}{width};\n", f.packing, self.declare(&f.ty, &f.name));
        }
        let of_base = base.map_or(0, |b| self.structs[b].bytes);
        let bytes = of_base + fields.iter().map(|f| self.bytes(&f.ty)).sum::<u32>() + 16;
        let in_memory = base.is_none_or(|b| self.structs[b].in_memory) && fields.iter().all(|f| self.is_memory(&f.ty));
        let wraps = |f: &Field| matches!(&f.ty, Type::Numeric(n) if !n.scalar.is_bounded() && n.scalar != Scalar::Bool && !n.is_matrix());
        let operators = base.is_none() && fields.iter().all(wraps) && self.choices.one_in(2);
        if operators {
            let op = |sign: char, f: &Field| format!("r.{0} = {0} {sign} o.{0}; ", f.name);
            for sign in ['+', '^'] {
                let body: String = fields.iter().map(|f| op(sign, f)).collect();
                text += &format!("  {name} operator{sign}({name} o) {{ {name} r = ({name})0; {body}return r; }}\n");
            }
        }
        let index = self.structs.len();
        self.structs.push(Struct { name, base, fields, bytes, in_memory, operators });
        if self.choices.one_in(2) {
            let method = self.method(index);
            text += &format!("{} {}", method.head, method.body);
        }
        self.declarations += &text;
        self.declarations += "};\n";
    }

    /// One member, or some bit-fields in a row.
    fn member(&mut self, fields: &mut Vec<Field>) {
        if self.choices.one_in(8) {
            let scalar = self.choices.pick(&[Scalar::Uint, Scalar::Int]);
            for _ in 0..1 + self.choices.below(3) {
                let width = 1 + self.choices.below(20);
                let name = self.name("b");
                fields.push(Field { name, ty: Type::Numeric(Numeric::scalar(scalar)), width: Some(width), packing: "" });
            }
            return;
        }
        let ty = self.member_type(true);
        let matrix = match &ty {
            Type::Numeric(n) => n.is_matrix(),
            Type::Array(of, _) => matches!(&**of, Type::Numeric(n) if n.is_matrix()),
            Type::Struct(_) => false,
        };
        let packing = if matrix { self.choices.pick(&["", "row_major ", "column_major "]) } else { "" };
        let name = self.name("f");
        fields.push(Field { name, ty, width: None, packing });
    }

    /// The type of a member or of a local variable.
    pub(super) fn member_type(&mut self, arrays: bool) -> Type {
        let structs = if self.structs.is_empty() { 0 } else { 3 };
        match self.choices.weighted(&[8, if arrays { 2 } else { 0 }, structs]) {
            1 => {
                let of = self.member_type(self.choices_nest());
                Type::Array(Box::new(of), 1 + self.choices.below(4))
            }
            2 => {
                let s = self.choices.below(self.structs.len() as u32) as usize;
                // Structures in structures grow fast.
                if self.structs[s].bytes > 160 { Type::Numeric(self.numeric()) } else { Type::Struct(s) }
            }
            _ => Type::Numeric(self.numeric()),
        }
    }

    /// Arrays of arrays are rare.
    fn choices_nest(&self) -> bool {
        self.choices.count().is_multiple_of(4)
    }

    /// A method of the structure that is being declared.
    fn method(&mut self, s: usize) -> Definition {
        let changes = self.choices.below(2) == 0;
        let fields = self.fields(s);
        let variables: Vec<Variable> = fields
            .iter()
            .map(|f| if changes { Variable::local(&f.name, f.ty.clone()) } else { Variable::constant(&f.name, f.ty.clone()) })
            .collect();
        // Bit-fields are read and written by the paths of whole objects alone.
        let variables = variables.into_iter().zip(&fields).filter(|(_, f)| f.width.is_none()).map(|(v, _)| v).collect();
        self.function_of(Some(s), variables)
    }
}
