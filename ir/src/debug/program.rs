//! Debug information of a whole program: its types as the author wrote them, its functions with their blocks, its global
//! variables. Encodings are left to the targets.
//!
//! Present only on request ([`crate::Module::debug`]); passes neither read nor change it.

use rtc_base::{PackedOption, PrimaryMap, Span};

rtc_base::entity! {
    /// A type of the language.
    pub struct DebugType = "dt";
    /// A function of the language: it stays when every call of it is inlined.
    pub struct Sub = "sub";
    /// A stretch of a function in which names are declared.
    pub struct Scope = "scope";
}

/// How the bits of a basic type are read. Discriminants are those of DWARF.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Encoding {
    /// True or false.
    Boolean = 2,
    /// A float.
    Float = 4,
    /// A signed integer.
    Signed = 5,
    /// An unsigned integer.
    Unsigned = 7,
}

/// How one type is made of another.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Wrap {
    /// It cannot be written.
    Const,
    /// A parameter that is copied out.
    Restrict,
    /// A reference parameter: it refers to a place of the caller.
    Reference,
    /// The object of a method.
    This,
}

/// A member variable.
#[derive(Clone, Debug, PartialEq)]
pub struct Member {
    /// Its name.
    pub name: String,
    /// Its type.
    pub ty: DebugType,
    /// Bits from the start.
    pub offset: u64,
    /// Bits; less than those of the type for a bit-field.
    pub bits: u64,
    /// The field of the structure in the IR that holds it.
    pub field: u32,
    /// Where it is declared.
    pub span: Span,
}

/// An argument of a template.
#[derive(Clone, Debug, PartialEq)]
pub enum Argument {
    /// A type.
    Type(String, DebugType),
    /// A number of this type.
    Number(String, DebugType, i64),
}

/// A structure, class, vector, matrix or object.
#[derive(Clone, Debug, PartialEq)]
pub struct Class {
    /// Its name, with the arguments of a template.
    pub name: String,
    /// Whether it is a class rather than a structure.
    pub is_class: bool,
    /// The namespaces around it, outermost first.
    pub namespaces: Vec<String>,
    /// Where it is declared; [`Span::NONE`] for what the language declares.
    pub span: Span,
    /// What it inherits from.
    pub base: Option<DebugType>,
    /// The base is the first field of the structure in the IR.
    pub base_is_field: bool,
    /// Its members. Of a vector its components, of a matrix its elements by rows.
    pub members: Vec<Member>,
    /// The arguments of the template that it is an instance of.
    pub arguments: Vec<Argument>,
    /// The columns of a matrix: its rows are parts in the IR, and elements parts of those.
    pub columns: Option<u32>,
}

/// What a type is.
#[derive(Clone, Debug, PartialEq)]
pub enum TypeInfo {
    /// A number.
    Basic(String, Encoding),
    /// Another name of a type.
    Named(String, DebugType),
    /// A type made of another.
    Wrapped(Wrap, DebugType),
    /// An array: what is in it, its lengths from the outside in.
    Array(DebugType, Vec<u32>),
    /// An enumeration: its name, its values' type if one was given, its constants, where it is declared.
    Enum(String, Option<DebugType>, Vec<(String, i64)>, Span),
    /// Something with members.
    Class(Class),
}

/// A type.
#[derive(Clone, Debug, PartialEq)]
pub struct TypeData {
    /// What it is.
    pub info: TypeInfo,
    /// Its size in bits.
    pub bits: u64,
    /// Its alignment in bits.
    pub align: u64,
}

/// A stretch of a function in which names are declared.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ScopeData {
    /// Its source location.
    pub span: Span,
    /// The one around it; the function if there is none.
    pub parent: PackedOption<Scope>,
}

/// A function of the language.
#[derive(Clone, Debug, Default)]
pub struct SubInfo {
    /// Its name, with the arguments of a template.
    pub name: String,
    /// Its mangled name.
    pub symbol: String,
    /// The namespaces around it, outermost first.
    pub namespaces: Vec<String>,
    /// The structure whose method it is.
    pub class: Option<DebugType>,
    /// What it gives, then what it takes; nothing for `void`.
    pub signature: Vec<Option<DebugType>>,
    /// The arguments of the template that it is an instance of.
    pub arguments: Vec<Argument>,
    /// The source location of its name.
    pub span: Span,
    /// The source location of its body.
    pub body: Span,
    /// The blocks in it, outer ones first.
    pub scopes: PrimaryMap<Scope, ScopeData>,
}

/// A global variable.
#[derive(Clone, Debug, PartialEq)]
pub struct GlobalInfo {
    /// Its name.
    pub name: String,
    /// Its mangled name.
    pub symbol: String,
    /// The namespaces around it, outermost first.
    pub namespaces: Vec<String>,
    /// Its type.
    pub ty: DebugType,
    /// Whether other translation units do not see it.
    pub is_local: bool,
    /// Its value, if it is a constant number.
    pub value: Option<i64>,
    /// Where it is declared.
    pub span: Span,
}

/// What debug information says of a program.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// Types; what a type is made of may come after it.
    pub types: PrimaryMap<DebugType, TypeData>,
    /// Functions.
    pub subs: PrimaryMap<Sub, SubInfo>,
    /// Global variables.
    pub globals: Vec<GlobalInfo>,
}

/// The offset of a part of a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Piece {
    /// Bits from the start of the variable.
    pub offset: u64,
    /// Its type; `None`: a row of a matrix.
    pub ty: Option<DebugType>,
    /// Its size in bits.
    pub bits: u64,
}

impl Program {
    /// `t` without type names and qualifiers.
    pub fn plain(&self, mut t: DebugType) -> DebugType {
        while let TypeInfo::Named(_, of) | TypeInfo::Wrapped(_, of) = &self.types[t].info {
            t = *of;
        }
        t
    }

    /// The part of a variable of type `t` at the end of `path`, which leads through the IR's form of the type. Its element steps
    /// that are [`super::ANY_ELEMENT`] count as the first element, and give an array's length and its elements' distance in bits. `None`
    /// for what has no place of its own: the storage of bit-fields that share one is that of the first.
    pub fn piece(&self, t: DebugType, path: &[u32]) -> Option<(Piece, Vec<(u32, u64)>)> {
        let mut any = Vec::new();
        let mut at = Piece { offset: 0, ty: Some(t), bits: self.types[t].bits };
        // The lengths that are left of an array, or the element type and the columns of a matrix.
        let mut lengths: Vec<u32> = Vec::new();
        let mut row: Option<(DebugType, u32)> = None;
        for &n in path {
            if let Some((class, columns)) = row.take() {
                let TypeInfo::Class(c) = &self.types[class].info else { return None };
                let m = c.members.first()?;
                if n >= columns {
                    return None;
                }
                at = Piece { offset: at.offset + u64::from(n) * m.bits, ty: Some(m.ty), bits: m.bits };
                continue;
            }
            let ty = self.plain(at.ty?);
            match &self.types[ty].info {
                TypeInfo::Array(elem, all) => {
                    if lengths.is_empty() {
                        lengths.clone_from(all);
                    }
                    let length = lengths.remove(0);
                    let inner: u64 = lengths.iter().map(|&n| u64::from(n)).product();
                    let bits = self.types[*elem].bits * inner;
                    if n == super::ANY_ELEMENT {
                        any.push((length, bits));
                    } else {
                        at.offset += u64::from(n) * bits;
                    }
                    at.bits = bits;
                    if lengths.is_empty() {
                        at.ty = Some(*elem);
                    }
                }
                TypeInfo::Class(c) if c.columns.is_some() => {
                    let columns = c.columns?;
                    let bits = c.members.first()?.bits * u64::from(columns);
                    if n == super::ANY_ELEMENT {
                        any.push((c.members.len() as u32 / columns.max(1), bits));
                    } else {
                        at.offset += u64::from(n) * bits;
                    }
                    at.bits = bits;
                    // A row of one column is its element.
                    if columns == 1 {
                        at.ty = Some(c.members.first()?.ty);
                    } else {
                        row = Some((ty, columns));
                    }
                }
                TypeInfo::Class(Class { base: Some(base), base_is_field: true, .. }) if n == 0 => {
                    at = Piece { offset: at.offset, ty: Some(*base), bits: self.types[*base].bits };
                }
                TypeInfo::Class(c) => {
                    let m = c.members.iter().find(|m| m.field == n)?;
                    let bits = self.types[m.ty].bits;
                    at = Piece { offset: at.offset + m.offset, ty: Some(m.ty), bits };
                }
                _ => return None,
            }
        }
        Some((at, any))
    }

    /// The path to a part of a variable of type `t` by members as the author declared them, from the path through the IR's form of the
    /// type. A base class is the first member. `None` for what is not one member: bit-fields, which share storage, and element steps that are
    /// [`super::ANY_ELEMENT`].
    pub fn members(&self, t: DebugType, path: &[u32]) -> Option<Vec<u32>> {
        let mut out = Vec::with_capacity(path.len());
        let mut at = Some(t);
        // The lengths that are left of an array; whether the next step is the column in a row.
        let (mut lengths, mut row) = (0, None);
        for &n in path {
            if n == super::ANY_ELEMENT {
                return None;
            }
            if let Some(elem) = row.take() {
                (at, _) = (Some(elem), out.push(n));
                continue;
            }
            let ty = self.plain(at?);
            match &self.types[ty].info {
                TypeInfo::Array(elem, all) => {
                    lengths = if lengths == 0 { all.len() } else { lengths } - 1;
                    out.push(n);
                    if lengths == 0 {
                        at = Some(*elem);
                    }
                }
                TypeInfo::Class(c) if c.columns.is_some() => {
                    out.push(n);
                    let elem = c.members.first()?.ty;
                    (at, row) = if c.columns == Some(1) { (Some(elem), None) } else { (None, Some(elem)) };
                }
                TypeInfo::Class(c) => {
                    let inherited = usize::from(c.base.is_some());
                    if let (Some(base), true, 0) = (c.base, c.base_is_field, n) {
                        out.push(0);
                        at = Some(base);
                        continue;
                    }
                    let index = c.members.iter().position(|m| m.field == n)?;
                    let m = &c.members[index];
                    let of = &self.types[self.plain(m.ty)];
                    if matches!(of.info, TypeInfo::Basic(..) | TypeInfo::Enum(..)) && m.bits < of.bits {
                        return None;
                    }
                    out.push((index + inherited) as u32);
                    at = Some(m.ty);
                }
                _ => return None,
            }
        }
        Some(out)
    }

    /// The size in bits of one scalar of type `t`, its components' if it has some.
    pub fn scalar_bits(&self, t: DebugType) -> u64 {
        let mut t = self.plain(t);
        loop {
            match &self.types[t].info {
                TypeInfo::Class(c) => match c.members.first() {
                    Some(m) => t = self.plain(m.ty),
                    None => return self.types[t].bits,
                },
                TypeInfo::Array(e, _) => t = self.plain(*e),
                _ => return self.types[t].bits,
            }
        }
    }
}

impl SubInfo {
    /// The innermost block around file position `lo`, which macros are resolved of.
    pub fn scope_at(&self, lo: rtc_base::Pos, file_span: impl Fn(Span) -> Span) -> Option<Scope> {
        let mut found = None;
        for (s, data) in &self.scopes {
            let span = file_span(data.span);
            // Outer ones come first, so the last that fits is the innermost.
            if span.lo <= lo && lo < span.hi {
                found = Some(s);
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::super::ANY_ELEMENT;
    use super::*;

    fn class(members: &[(DebugType, u64, u32)], columns: Option<u32>) -> Class {
        let member =
            |&(ty, offset, field): &(DebugType, u64, u32)| Member { name: String::new(), ty, offset, bits: 32, field, span: Span::NONE };
        Class {
            name: String::new(),
            is_class: false,
            namespaces: Vec::new(),
            span: Span::NONE,
            base: None,
            base_is_field: false,
            members: members.iter().map(member).collect(),
            arguments: Vec::new(),
            columns,
        }
    }

    /// `struct D : B { float2x3 m; struct { float3 v; float s[2]; } x[4]; }` with `struct B { float b; }`.
    fn program() -> (Program, DebugType) {
        let mut p = Program::default();
        let mut add = |info, bits| p.types.push(TypeData { info, bits, align: 32 });
        let float = add(TypeInfo::Basic("float".into(), Encoding::Float), 32);
        let vector = add(TypeInfo::Class(class(&[(float, 0, 0), (float, 32, 1), (float, 64, 2)], None)), 96);
        let named = add(TypeInfo::Named("float3".into(), vector), 96);
        let elements: Vec<_> = (0..6).map(|n| (float, 32 * u64::from(n), n)).collect();
        let matrix = add(TypeInfo::Class(class(&elements, Some(3))), 192);
        let pair = add(TypeInfo::Array(float, vec![2]), 64);
        let inner = add(TypeInfo::Class(class(&[(named, 0, 0), (pair, 96, 1)], None)), 160);
        let array = add(TypeInfo::Array(inner, vec![4]), 640);
        let base = add(TypeInfo::Class(class(&[(float, 0, 0)], None)), 32);
        let mut derived = class(&[(matrix, 32, 1), (array, 224, 2)], None);
        (derived.base, derived.base_is_field) = (Some(base), true);
        let derived = add(TypeInfo::Class(derived), 864);
        (p, derived)
    }

    #[test]
    fn pieces_are_where_parts_lie() {
        let (p, t) = program();
        let at = |path: &[u32]| {
            let (piece, any) = p.piece(t, path).expect("a piece");
            (piece.offset, piece.bits, any)
        };
        assert_eq!(at(&[]), (0, 864, vec![]));
        assert_eq!(at(&[0, 0]), (0, 32, vec![]));
        assert_eq!(at(&[1]), (32, 192, vec![]));
        assert_eq!(at(&[1, 1]), (32 + 96, 96, vec![]));
        assert_eq!(at(&[1, 1, 2]), (32 + 96 + 64, 32, vec![]));
        assert_eq!(at(&[2, 3, 0, 1]), (224 + 3 * 160 + 32, 32, vec![]));
        assert_eq!(at(&[2, ANY_ELEMENT, 1, ANY_ELEMENT]), (224 + 96, 32, vec![(4, 160), (2, 32)]));
        assert_eq!(p.members(t, &[0, 0]), Some(vec![0, 0]));
        assert_eq!(p.members(t, &[1, 1, 2]), Some(vec![1, 1, 2]));
        assert_eq!(p.members(t, &[2, 3, 0, 1]), Some(vec![2, 3, 0, 1]));
        assert_eq!(p.members(t, &[2, ANY_ELEMENT, 1]), None);
        assert_eq!(p.members(t, &[9]), None);
        assert_eq!(p.piece(t, &[9]), None);
        assert_eq!(p.piece(t, &[0, 0, 0]), None);
        assert_eq!(p.piece(t, &[1, 1, 3]), None);
    }
}
