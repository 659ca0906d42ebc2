//! Debug-information nodes of types, functions and global variables, as metadata records of LLVM 3.7.

use rtc_base::Span;
use rtc_ir::debug::program::{Argument, Class, DebugType, GlobalInfo, Program, Sub, TypeInfo, Wrap};
use rustc_hash::FxHashMap;

use super::locations::Locations;
use rtc_dxil_container::metadata::debug_records::{opt, push, text};
use rtc_dxil_module::{DebugNode as Node, Meta, Module, Value};

/// DWARF's tags of types.
mod tag {
    pub const ARRAY: u64 = 0x01;
    pub const CLASS: u64 = 0x02;
    pub const ENUM: u64 = 0x04;
    pub const MEMBER: u64 = 0x0d;
    pub const REFERENCE: u64 = 0x10;
    pub const STRUCT: u64 = 0x13;
    pub const TYPEDEF: u64 = 0x16;
    pub const INHERITANCE: u64 = 0x1c;
    pub const BASE: u64 = 0x24;
    pub const CONST: u64 = 0x26;
    pub const TEMPLATE_VALUE: u64 = 0x30;
    pub const RESTRICT: u64 = 0x37;
}

/// Flags of nodes.
mod flag {
    pub const PUBLIC: u64 = 3;
    pub const ARTIFICIAL: u64 = 1 << 6;
    pub const PROTOTYPED: u64 = 1 << 8;
    pub const OBJECT_POINTER: u64 = 1 << 10;
}

/// A number with its sign in the low bit.
fn signed(value: i64) -> u64 {
    if value >= 0 { (value as u64) << 1 } else { value.unsigned_abs() << 1 | 1 }
}

/// The nodes that a program has become.
#[derive(Default)]
pub struct Nodes {
    types: FxHashMap<DebugType, Meta>,
    namespaces: FxHashMap<Vec<String>, Meta>,
    signatures: FxHashMap<Vec<Option<DebugType>>, Meta>,
    /// Enumerations, for the compile unit.
    pub enums: Vec<Meta>,
    /// Functions with code or calls, for the compile unit.
    pub subs: Vec<Meta>,
    /// Global variables, for the compile unit.
    pub globals: Vec<Meta>,
    variables: FxHashMap<[u64; 9], Meta>,
}

/// What is made, and where things are.
pub struct Cx<'c, 'a> {
    /// The module.
    pub out: &'c mut Module,
    /// What it is about.
    pub program: &'a Program,
    /// Where things are.
    pub locations: &'c mut Locations<'a>,
}

impl Nodes {
    fn tuple(out: &mut Module, list: &[Meta]) -> u64 {
        let list: Vec<Option<Meta>> = list.iter().copied().map(Some).collect();
        opt(Some(out.meta.node(&list)))
    }

    /// The node of a type.
    pub fn ty(&mut self, cx: &mut Cx, t: DebugType) -> Meta {
        if let Some(&done) = self.types.get(&t) {
            return done;
        }
        let program = cx.program;
        let data = &program.types[t];
        let (bits, align) = (data.bits, data.align);
        let node = match &data.info {
            TypeInfo::Basic(name, encoding) => {
                let name = text(cx.out, name);
                push(cx.out, Node::BasicType, &[0, tag::BASE, name, bits, align, *encoding as u64])
            }
            TypeInfo::Named(name, of) => {
                let of = self.ty(cx, *of);
                let (name, file) = (text(cx.out, name), opt(Some(cx.locations.main)));
                derived(cx.out, &[tag::TYPEDEF, name, file, 0, 0, opt(Some(of)), 0, 0, 0, 0])
            }
            TypeInfo::Wrapped(how, of) => {
                let of = self.ty(cx, *of);
                let (tag, flags) = match how {
                    Wrap::Const => (tag::CONST, 0),
                    Wrap::Restrict => (tag::RESTRICT, 0),
                    Wrap::Reference => (tag::REFERENCE, 0),
                    Wrap::This => (tag::REFERENCE, flag::ARTIFICIAL | flag::OBJECT_POINTER),
                };
                derived(cx.out, &[tag, 0, 0, 0, 0, opt(Some(of)), 0, 0, 0, flags])
            }
            TypeInfo::Array(of, lengths) => {
                let of = self.ty(cx, *of);
                let dims: Vec<Meta> = lengths.iter().map(|&n| push(cx.out, Node::Subrange, &[0, n.into(), 0])).collect();
                let elements = Self::tuple(cx.out, &dims);
                composite(cx.out, &[tag::ARRAY, 0, 0, 0, 0, opt(Some(of)), bits, align, 0, 0, elements, 0, 0, 0, 0])
            }
            TypeInfo::Enum(name, base, items, span) => {
                let base = base.map(|b| self.ty(cx, b));
                let items: Vec<Meta> = items
                    .iter()
                    .map(|(name, value)| {
                        let name = text(cx.out, name);
                        push(cx.out, Node::Enumerator, &[0, signed(*value), name])
                    })
                    .collect();
                let elements = Self::tuple(cx.out, &items);
                let (file, line) = cx.locations.line(cx.out, *span);
                let name = text(cx.out, name);
                let fields = [tag::ENUM, name, opt(Some(file)), line.into(), 0, opt(base), bits, align, 0, 0, elements, 0, 0, 0, 0];
                let node = composite(cx.out, &fields);
                self.enums.push(node);
                node
            }
            TypeInfo::Class(class) => return self.class(cx, t, class),
        };
        self.types.insert(t, node);
        node
    }

    fn class(&mut self, cx: &mut Cx, t: DebugType, class: &Class) -> Meta {
        let data = &cx.program.types[t];
        let (bits, align) = (data.bits, data.align);
        // Members refer to the class; it gets them when they are there.
        let tag = if class.is_class { tag::CLASS } else { tag::STRUCT };
        let (file, line) = cx.locations.line(cx.out, class.span);
        let name = text(cx.out, &class.name);
        let node = composite(cx.out, &[tag, name, opt(Some(file)), line.into(), 0, 0, bits, align, 0, 0, 0, 0, 0, 0, 0]);
        self.types.insert(t, node);
        let mut members = Vec::new();
        if let Some(base) = class.base {
            let base = opt(Some(self.ty(cx, base)));
            members.push(derived(cx.out, &[tag::INHERITANCE, 0, 0, 0, opt(Some(node)), base, 0, 0, 0, 0]));
        }
        let shape = !class.arguments.is_empty() && class.span.is_none();
        for m in &class.members {
            let ty = opt(Some(self.ty(cx, m.ty)));
            let (file, line) = if m.span.is_none() { (file, line) } else { cx.locations.line(cx.out, m.span) };
            let name = text(cx.out, &m.name);
            let (align, flags) = (cx.program.types[m.ty].align, if shape { flag::PUBLIC } else { 0 });
            let fields = [tag::MEMBER, name, opt(Some(file)), line.into(), opt(Some(node)), ty, m.bits, align, m.offset, flags];
            members.push(derived(cx.out, &fields));
        }
        let elements = Self::tuple(cx.out, &members);
        let params = self.arguments(cx, &class.arguments);
        let scope = opt(self.namespace(cx, &class.namespaces, class.span));
        let fields = [0, tag, name, opt(Some(file)), line.into(), scope, 0, bits, align, 0, 0, elements, 0, 0, params, 0];
        cx.out.meta.set_debug(node, &fields);
        node
    }

    /// The arguments of a template; 0 if there are none.
    fn arguments(&mut self, cx: &mut Cx, list: &[Argument]) -> u64 {
        if list.is_empty() {
            return 0;
        }
        let mut nodes = Vec::new();
        for a in list {
            nodes.push(match a {
                Argument::Type(name, t) => {
                    let ty = opt(Some(self.ty(cx, *t)));
                    let name = text(cx.out, name);
                    push(cx.out, Node::TemplateType, &[0, name, ty])
                }
                Argument::Number(name, t, n) => {
                    let ty = opt(Some(self.ty(cx, *t)));
                    let name = text(cx.out, name);
                    let value = opt(Some(cx.out.meta_i32(*n as i32)));
                    push(cx.out, Node::TemplateValue, &[0, tag::TEMPLATE_VALUE, name, ty, value])
                }
            });
        }
        Self::tuple(cx.out, &nodes)
    }

    fn namespace(&mut self, cx: &mut Cx, path: &[String], span: Span) -> Option<Meta> {
        let mut around = None;
        for n in 1..=path.len() {
            if let Some(&done) = self.namespaces.get(&path[..n]) {
                around = Some(done);
                continue;
            }
            let (file, line) = cx.locations.line(cx.out, span);
            let name = text(cx.out, &path[n - 1]);
            let node = push(cx.out, Node::Namespace, &[0, opt(around), opt(Some(file)), name, line.into()]);
            self.namespaces.insert(path[..n].to_vec(), node);
            around = Some(node);
        }
        around
    }

    fn signature(&mut self, cx: &mut Cx, list: &[Option<DebugType>]) -> Meta {
        if let Some(&done) = self.signatures.get(list) {
            return done;
        }
        let types: Vec<Option<Meta>> = list.iter().map(|t| t.map(|t| self.ty(cx, t))).collect();
        let types = opt(Some(cx.out.meta.node(&types)));
        let node = push(cx.out, Node::SubroutineType, &[0, 0, types]);
        self.signatures.insert(list.to_vec(), node);
        node
    }

    /// The node of a function; `code`: what it has become, if it was not only inlined.
    pub fn sub(&mut self, cx: &mut Cx, sub: Sub, code: Option<Value>) -> Meta {
        if let Some(&done) = cx.locations.subs.get(&sub) {
            return done;
        }
        let program = cx.program;
        let info = &program.subs[sub];
        let ty = opt(Some(self.signature(cx, &info.signature)));
        let (file, line) = cx.locations.line(cx.out, info.span);
        let symbol = if info.symbol == info.name { 0 } else { text(cx.out, &info.symbol) };
        let name = text(cx.out, &info.name);
        let class = info.class.map(|c| self.ty(cx, c));
        let scope = match class {
            Some(c) => Some(c),
            None => self.namespace(cx, &info.namespaces, info.span).or(Some(file)),
        };
        let params = self.arguments(cx, &info.arguments);
        let function = code.map(|c| cx.out.meta.value(c));
        let mut fields = [
            0,
            opt(scope),
            name,
            symbol,
            opt(Some(file)),
            line.into(),
            ty,
            0,
            1,
            line.into(),
            0,
            0,
            0,
            flag::PROTOTYPED,
            0,
            opt(function),
            params,
            0,
            0,
        ];
        if class.is_some() {
            // The method as the class declares it.
            let mut declared = fields;
            (declared[8], declared[15], declared[18]) = (0, 0, 0);
            fields[17] = opt(Some(push(cx.out, Node::Subprogram, &declared)));
        }
        let node = push(cx.out, Node::Subprogram, &fields);
        cx.locations.subs.insert(sub, node);
        cx.locations.set_file(node, file);
        self.subs.push(node);
        node
    }

    /// The node of a local variable, which is one however often its function was inlined.
    pub fn variable(&mut self, out: &mut Module, fields: &[u64; 9]) -> Meta {
        *self.variables.entry(*fields).or_insert_with(|| push(out, Node::LocalVariable, fields))
    }

    /// The node of a global variable; `home`: the variable or constant that it has become.
    pub fn global(&mut self, cx: &mut Cx, g: &GlobalInfo, unit: Meta, home: Option<Value>) {
        let ty = opt(Some(self.ty(cx, g.ty)));
        let (file, line) = cx.locations.line(cx.out, g.span);
        let symbol = if g.is_local || g.symbol == g.name { 0 } else { text(cx.out, &g.symbol) };
        let name = text(cx.out, &g.name);
        let scope = self.namespace(cx, &g.namespaces, g.span).unwrap_or(unit);
        let value = match (home, g.value) {
            (Some(v), _) => opt(Some(cx.out.meta.value(v))),
            (None, Some(n)) => opt(Some(cx.out.meta_i32(n as i32))),
            (None, None) => 0,
        };
        let fields = [0, opt(Some(scope)), name, symbol, opt(Some(file)), line.into(), ty, g.is_local.into(), 1, value, 0];
        let node = push(cx.out, Node::GlobalVariable, &fields);
        self.globals.push(node);
    }
}

/// A derived type: all but the extra data that no type of the language has.
fn derived(out: &mut Module, rest: &[u64; 10]) -> Meta {
    let mut fields = [0; 12];
    fields[1..11].copy_from_slice(rest);
    push(out, Node::DerivedType, &fields)
}

fn composite(out: &mut Module, rest: &[u64; 15]) -> Meta {
    let mut fields = [0; 16];
    fields[1..].copy_from_slice(rest);
    push(out, Node::CompositeType, &fields)
}
