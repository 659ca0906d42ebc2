//! Types as instructions: scalars by their names in HLSL, vectors, matrices as arrays of rows, structures with members, objects
//! without a layout.

use rtc_base::Span;
use rtc_ir::debug::program::{Argument, Class, DebugType, Encoding, Member, TypeInfo, Wrap};
use spirv::NonsemanticShaderDebuginfo100Op as Info;

use super::Writer;
use crate::words::{AsOperand, Id, Operand, Words, operands};

/// Flags: accessible from everywhere.
pub const PUBLIC: u32 = 3;

/// The number of an encoding in both instruction sets.
fn encoding(e: Encoding) -> u32 {
    match e {
        Encoding::Boolean => 2,
        Encoding::Float => 3,
        Encoding::Signed => 4,
        Encoding::Unsigned => 6,
    }
}

/// A name with the arguments of a template as HLSL spells them: in the tables they are spelled for the debuggers of DXIL.
fn of_hlsl(name: &str) -> String {
    name.replace("unsigned int", "uint")
}

/// The components of a vector type, if `class` is one.
fn vector(class: &Class) -> Option<u32> {
    let is = class.span.is_none() && class.columns.is_none() && class.name.starts_with("vector<");
    is.then_some(class.members.len() as u32)
}

impl Writer<'_> {
    /// The id of a type.
    pub fn ty(&mut self, w: &mut Words, t: DebugType) -> Id {
        if let Some(&known) = self.types.get(&t) {
            return known;
        }
        let program = self.program;
        let id = match &program.types[t].info {
            TypeInfo::Basic(name, e) => {
                // Vectors are made of basic types, whose names in HLSL are another type's.
                let short = program.types.values().find_map(|x| match &x.info {
                    TypeInfo::Named(short, of) if *of == t => Some(short),
                    _ => None,
                });
                self.basic(w, short.unwrap_or(name), *e, program.types[t].bits)
            }
            TypeInfo::Named(_, of) => self.ty(w, *of),
            // Only basic types may be qualified.
            TypeInfo::Wrapped(Wrap::Const, of) if matches!(program.types[program.plain(*of)].info, TypeInfo::Basic(..)) => {
                let (of, constant) = (self.ty(w, *of), self.number(w, 0));
                self.same(w, Info::DebugTypeQualifier, &operands![of, constant])
            }
            // A parameter by reference has the type of what it refers to.
            TypeInfo::Wrapped(_, of) => self.ty(w, *of),
            TypeInfo::Array(of, lengths) => {
                let of = self.ty(w, *of);
                self.array(w, of, lengths)
            }
            TypeInfo::Enum(name, base, items, span) => {
                let underlying = match base {
                    Some(b) => self.ty(w, *b),
                    None => self.basic(w, "int", Encoding::Signed, 32),
                };
                let [source, line, column] = self.declared(w, *span);
                let (name, size, flags) = (self.string(w, name), w.u32(program.types[t].bits as u32), self.number(w, PUBLIC));
                let mut operands = operands![name, underlying, source, line, column, self.unit(), size, flags].to_vec();
                for (item, value) in items {
                    operands.extend(operands![w.u32(*value as u32), self.string(w, item)]);
                }
                self.inst(w, Info::DebugTypeEnum, &operands)
            }
            TypeInfo::Class(c) => match (vector(c), c.columns, c.members.first()) {
                (Some(1), _, Some(m)) => self.ty(w, m.ty),
                (Some(n), _, Some(m)) => {
                    let of = self.ty(w, m.ty);
                    self.vector(w, of, n)
                }
                (_, Some(columns), Some(m)) => {
                    let of = self.ty(w, m.ty);
                    self.matrix(w, of, c.members.len() as u32 / columns.max(1), columns)
                }
                _ if c.span.is_none() && c.members.is_empty() => self.object(w, c),
                _ => self.structure(w, t, c),
            },
        };
        self.types.insert(t, id);
        id
    }

    fn basic(&mut self, w: &mut Words, name: &str, e: Encoding, bits: u64) -> Id {
        let (name, size, e) = (self.string(w, name), w.u32(bits as u32), self.number(w, encoding(e)));
        if self.of_shaders() {
            let flags = self.number(w, 0);
            return self.same(w, Info::DebugTypeBasic, &operands![name, size, e, flags]);
        }
        self.same(w, Info::DebugTypeBasic, &operands![name, size, e])
    }

    fn array(&mut self, w: &mut Words, of: Id, lengths: &[u32]) -> Id {
        let mut operands = vec![of];
        operands.extend(lengths.iter().map(|&n| w.u32(n)));
        self.same(w, Info::DebugTypeArray, &operands)
    }

    fn vector(&mut self, w: &mut Words, of: Id, n: u32) -> Id {
        if n > 4 {
            return self.array(w, of, &[n]);
        }
        let n = self.number(w, n);
        self.same(w, Info::DebugTypeVector, &operands![of, n])
    }

    /// Rows of columns. Only one set has matrices, of vectors.
    fn matrix(&mut self, w: &mut Words, of: Id, rows: u32, columns: u32) -> Id {
        if !self.of_shaders() {
            return self.array(w, of, &[rows, columns]);
        }
        if columns == 1 {
            return self.vector(w, of, rows);
        }
        let row = self.vector(w, of, columns);
        let (count, by_columns) = (self.number(w, rows), self.number(w, 0));
        self.same(w, Info::DebugTypeMatrix, &operands![row, count, by_columns])
    }

    /// A type without a layout, as a template if it has arguments.
    fn object(&mut self, w: &mut Words, c: &Class) -> Id {
        const CLASS: u32 = 0;
        let name = self.string(w, &format!("@{}", of_hlsl(&c.name)));
        let none = self.none(w);
        let [source, line, column] = self.declared(w, Span::NONE);
        let [tag, flags] = [CLASS, PUBLIC].map(|n| self.number(w, n));
        let composite = self.inst(w, Info::DebugTypeComposite, &operands![name, tag, source, line, column, self.unit(), name, none, flags]);
        let mut operands = vec![composite];
        for a in &c.arguments {
            let (name, ty, value) = match a {
                Argument::Type(name, ty) => (name, self.ty(w, *ty), none),
                Argument::Number(name, ty, n) => (name, self.ty(w, *ty), w.u32(*n as u32)),
            };
            let name = self.string(w, name);
            operands.push(self.inst(w, Info::DebugTypeTemplateParameter, &operands![name, ty, value, source, line, column]));
        }
        if operands.len() == 1 { composite } else { self.inst(w, Info::DebugTypeTemplate, &operands) }
    }

    fn structure(&mut self, w: &mut Words, t: DebugType, c: &Class) -> Id {
        let id = w.id();
        let of_shaders = self.of_shaders();
        // Methods may refer to the structure, whose id is known before its members are.
        self.types.insert(t, id);
        let program = self.program;
        let size = w.u32(program.types[t].bits as u32);
        let mut members = Vec::new();
        // A base class is a member: validators expect of `DebugTypeInheritance` of shaders what is not in its specification.
        let base = c.base.map(|base| Member {
            name: match &program.types[base].info {
                TypeInfo::Class(c) => of_hlsl(&c.name),
                _ => String::new(),
            },
            ty: base,
            offset: 0,
            bits: program.types[base].bits,
            field: 0,
            span: c.span,
        });
        for m in base.iter().chain(&c.members) {
            let operands = self.member(w, id, m);
            members.push((w.id(), operands));
        }
        // One set has members after what they are members of, the other before.
        if of_shaders {
            members.iter().for_each(|(id, operands)| self.put(w, *id, Info::DebugTypeMember, operands));
        }
        let [source, line, column] = self.declared(w, c.span);
        let (name, tag, flags) = (self.string(w, &of_hlsl(&c.name)), self.number(w, u32::from(!c.is_class)), self.number(w, PUBLIC));
        let mut operands = operands![name, tag, source, line, column, self.unit(), name, size, flags].to_vec();
        operands.extend(members.iter().map(|m| m.0.operand()));
        self.put(w, id, Info::DebugTypeComposite, &operands);
        if !of_shaders {
            members.iter().for_each(|(id, operands)| self.put(w, *id, Info::DebugTypeMember, operands));
        }
        id
    }

    fn member(&mut self, w: &mut Words, of: Id, m: &Member) -> Vec<Operand> {
        let ty = self.ty(w, m.ty);
        let name = self.string(w, &m.name);
        let [source, line, column] = self.declared(w, m.span);
        let mut operands = operands![name, ty, source, line, column].to_vec();
        if !self.of_shaders() {
            operands.push(of.operand());
        }
        operands.extend(operands![w.u32(m.offset as u32), w.u32(m.bits as u32), self.number(w, PUBLIC)]);
        operands
    }

    /// The type of a function: what it gives, then what it takes.
    pub(super) fn signature(&mut self, w: &mut Words, list: &[Option<DebugType>]) -> Id {
        let mut operands = vec![self.number(w, PUBLIC)];
        for t in list {
            operands.push(match t {
                Some(t) => self.ty(w, *t).operand(),
                None => w.void_ty().operand(),
            });
        }
        self.same(w, Info::DebugTypeFunction, &operands)
    }
}
