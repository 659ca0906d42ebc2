//! The writer: a module as one block, in the order that LLVM 3.7 keeps.

use super::MAGIC;
use super::bits::BitWriter;
use super::number::Numbers;
use super::records::{attachment, constants, metadata, module as top, paramattr, paramattr_group, symtab, types};
use crate::{Attr, Attrs, Const, ConstKind, GlobalVar, MetaNode, Module, Type, TypeKind, Value, zero};
use rtc_base::entity::EntityRef;

/// Writes a module as bitcode, beginning with [`MAGIC`].
pub fn write(module: &Module) -> Vec<u8> {
    let mut w = Writer { module, numbers: Numbers::new(module), bits: BitWriter::new(), scratch: Vec::with_capacity(64) };
    for byte in MAGIC {
        w.bits.fixed(byte.into(), 8);
    }
    w.bits.enter(&top::BLOCK);
    w.bits.record(&top::VERSION, &[1]);
    w.bits.blockinfo();
    w.attributes();
    w.types();
    w.module_info();
    let consts = std::mem::take(&mut w.numbers.consts);
    w.constants(&consts);
    w.numbers.consts = consts;
    w.metadata();
    w.symbols();
    for (func, function) in module.funcs.iter() {
        if let Some(body) = &function.body {
            w.body(func, body);
        }
    }
    w.bits.exit();
    w.bits.finish()
}

pub(super) struct Writer<'m> {
    pub module: &'m Module,
    pub numbers: Numbers<'m>,
    pub bits: BitWriter,
    /// The fields of the record being made.
    pub scratch: Vec<u64>,
}

/// An alignment in bytes as records have it: 0 for none, otherwise 1 + its logarithm.
pub(super) fn align_code(align: u32) -> u64 {
    if align == 0 { 0 } else { u64::from(align.ilog2()) + 1 }
}

/// An integer with its sign in the low bit.
pub(super) fn signed(value: i64) -> u64 {
    if value >= 0 { (value as u64) << 1 } else { value.unsigned_abs() << 1 | 1 }
}

fn chars(text: &[u8]) -> impl Iterator<Item = u64> {
    text.iter().map(|&b| b.into())
}

impl Writer<'_> {
    pub(super) fn attrs(&self, attrs: Attrs) -> u64 {
        attrs.expand().map_or(0, |list| list.index() as u64 + 1)
    }

    fn attributes(&mut self) {
        let table = &self.module.attrs;
        if table.lists().next().is_none() {
            return;
        }
        self.bits.enter(&paramattr_group::BLOCK);
        for (group, data) in table.groups() {
            let fields = &mut self.scratch;
            fields.clear();
            fields.extend([group.index() as u64 + 1, data.place.into()]);
            for attr in &data.attrs {
                match attr {
                    Attr::Flag(kind) => fields.extend([0, *kind as u64]),
                    Attr::Int(kind, value) => fields.extend([1, *kind as u64, *value]),
                    Attr::Text(key, value) => {
                        fields.push(if value.is_some() { 4 } else { 3 });
                        fields.extend(chars(key.as_bytes()).chain([0]));
                        if let Some(value) = value {
                            fields.extend(chars(value.as_bytes()).chain([0]));
                        }
                    }
                }
            }
            self.bits.record(&paramattr_group::ENTRY, fields);
        }
        self.bits.exit();
        self.bits.enter(&paramattr::BLOCK);
        for (_, groups) in table.lists() {
            let fields: Vec<u64> = groups.iter().map(|g| g.index() as u64 + 1).collect();
            self.bits.record(&paramattr::ENTRY, &fields);
        }
        self.bits.exit();
    }

    fn types(&mut self) {
        self.bits.enter(&types::BLOCK);
        let list = std::mem::take(&mut self.numbers.types);
        self.bits.record(&types::NUMENTRY, &[list.len() as u64]);
        for &ty in &list {
            self.one_type(ty);
        }
        self.numbers.types = list;
        self.bits.exit();
    }

    fn one_type(&mut self, ty: Type) {
        let n = &self.numbers;
        let bits = &mut self.bits;
        match &self.module.types[ty] {
            TypeKind::Void => bits.record(&types::VOID, &[]),
            TypeKind::Half => bits.record(&types::HALF, &[]),
            TypeKind::Float => bits.record(&types::FLOAT, &[]),
            TypeKind::Double => bits.record(&types::DOUBLE, &[]),
            TypeKind::Label => bits.record(&types::LABEL, &[]),
            TypeKind::Metadata => bits.record(&types::METADATA, &[]),
            TypeKind::Int(width) => bits.record(&types::INTEGER, &[(*width).into()]),
            TypeKind::Pointer { pointee, space } => {
                bits.record(&types::POINTER, &[n.ty(*pointee), (*space).into()]);
            }
            TypeKind::Array { elem, len } => bits.record(&types::ARRAY, &[*len, n.ty(*elem)]),
            TypeKind::Vector { elem, len } => {
                bits.record(&types::VECTOR, &[(*len).into(), n.ty(*elem)]);
            }
            TypeKind::Struct(fields) => {
                let mut ids = vec![fields.packed.into()];
                ids.extend(fields.types.iter().map(|&t| n.ty(t)));
                bits.record(&types::STRUCT_ANON, &ids);
            }
            TypeKind::Named { name, body } => {
                if let Some(name) = name {
                    let name: Vec<u64> = chars(name.as_bytes()).collect();
                    bits.record(&types::STRUCT_NAME, &name);
                }
                match body {
                    Some(fields) => {
                        let mut ids = vec![fields.packed.into()];
                        ids.extend(fields.types.iter().map(|&t| n.ty(t)));
                        bits.record(&types::STRUCT_NAMED, &ids);
                    }
                    None => bits.record(&types::OPAQUE, &[0]),
                }
            }
            TypeKind::Function { ret, params, vararg } => {
                let mut ids = vec![(*vararg).into(), n.ty(*ret)];
                ids.extend(params.iter().map(|&t| n.ty(t)));
                bits.record(&types::FUNCTION, &ids);
            }
        }
    }

    fn module_info(&mut self) {
        let module = self.module;
        let mut text = |record, text: &str| {
            let fields: Vec<u64> = chars(text.as_bytes()).collect();
            self.bits.record(record, &fields);
        };
        text(&top::TRIPLE, &module.triple);
        text(&top::DATALAYOUT, &module.data_layout);
        for name in &module.sections {
            text(&top::SECTIONNAME, name);
        }
        for global in module.globals.values() {
            self.global(global);
        }
        for function in module.funcs.values() {
            let fields = [
                self.numbers.ty(function.ty),
                function.cc.into(),
                function.body.is_none().into(),
                function.linkage as u64,
                self.attrs(function.attrs),
                align_code(function.align),
                function.section.into(),
                function.visibility as u64,
                0, // no garbage collector
                function.unnamed_addr.into(),
                0, // no prologue
                0, // no DLL storage
                0, // no comdat
                0, // no prefix
                0, // no personality
            ];
            self.bits.record(&top::FUNCTION, &fields);
        }
    }

    fn global(&mut self, global: &GlobalVar) {
        const EXPLICIT_TYPE: u64 = 2;
        let init = global.init.map_or(0, |v| u64::from(self.numbers.value(v)) + 1);
        let flags = u64::from(global.space) << 2 | EXPLICIT_TYPE | u64::from(global.constant);
        let fields = [
            self.numbers.ty(global.ty),
            flags,
            init,
            global.linkage as u64,
            align_code(global.align),
            global.section.into(),
            global.visibility as u64,
            global.thread_local.into(),
            global.unnamed_addr.into(),
            global.externally_initialized.into(),
            0, // no DLL storage
            0, // no comdat
        ];
        let plain = fields[6..].iter().all(|&f| f == 0);
        self.bits.record(&top::GLOBALVAR, if plain { &fields[..6] } else { &fields });
    }

    pub(super) fn constants(&mut self, list: &[Const]) {
        if list.is_empty() {
            return;
        }
        self.bits.enter(&constants::BLOCK);
        let mut current = None;
        for &c in list {
            let ty = self.module.consts[c].ty;
            if current.replace(ty) != Some(ty) {
                self.bits.record(&constants::SETTYPE, &[self.numbers.ty(ty)]);
            }
            self.constant(c);
        }
        self.bits.exit();
    }

    fn constant(&mut self, c: Const) {
        let data = &self.module.consts[c];
        let n = &self.numbers;
        let bits = &mut self.bits;
        let id = |v: Value| u64::from(n.value(v));
        let type_of = |v: Value| match self.module.value_type(None, v) {
            Some(ty) => n.ty(ty),
            None => rtc_base::bug!("a constant made of {v:?}"),
        };
        if data.kind == zero(&self.module.types, data.ty) {
            return bits.record(&constants::NULL, &[]);
        }
        match &data.kind {
            ConstKind::Null => bits.record(&constants::NULL, &[]),
            ConstKind::Undef => bits.record(&constants::UNDEF, &[]),
            ConstKind::Int(value) => bits.record(&constants::INTEGER, &[signed(*value)]),
            ConstKind::WideInt(words) => {
                let words: Vec<u64> = words.iter().map(|&w| signed(w as i64)).collect();
                bits.record(&constants::WIDE_INTEGER, &words);
            }
            ConstKind::Float(value) => bits.record(&constants::FLOAT, &[*value]),
            ConstKind::Data(values) => {
                let elem = self.module.types.element(data.ty, 0);
                let array = matches!(self.module.types[data.ty], TypeKind::Array { .. });
                let byte = elem.is_some_and(|e| self.module.types[e] == TypeKind::Int(8));
                match values.split_last() {
                    Some((0, text)) if array && byte && !text.contains(&0) => {
                        bits.record(&constants::CSTRING, text);
                    }
                    _ if array && byte => bits.record(&constants::STRING, values),
                    _ => bits.record(&constants::DATA, values),
                }
            }
            ConstKind::Aggregate(values) => {
                let ids: Vec<u64> = values.iter().map(|&v| id(v)).collect();
                bits.record(&constants::AGGREGATE, &ids);
            }
            ConstKind::Cast { op, value } => {
                bits.record(&constants::CE_CAST, &[op.code(), type_of(*value), id(*value)]);
            }
            ConstKind::Gep { inbounds, source, operands } => {
                let mut fields = vec![n.ty(*source)];
                fields.extend(operands.iter().flat_map(|&v| [type_of(v), id(v)]));
                let record = if *inbounds { &constants::CE_INBOUNDS_GEP } else { &constants::CE_GEP };
                bits.record(record, &fields);
            }
            ConstKind::Binary { op, flags, operands: [lhs, rhs] } => {
                let fields = [op.code(), id(*lhs), id(*rhs), (*flags).into()];
                bits.record(&constants::CE_BINOP, &fields[..if *flags == 0 { 3 } else { 4 }]);
            }
            ConstKind::Compare { pred, operands: [lhs, rhs] } => {
                let fields = [type_of(*lhs), id(*lhs), id(*rhs), pred.code()];
                bits.record(&constants::CE_CMP, &fields);
            }
            ConstKind::Select { operands } => {
                bits.record(&constants::CE_SELECT, &operands.map(id));
            }
        }
    }

    fn metadata(&mut self) {
        let table = &self.module.meta;
        let metas = std::mem::take(&mut self.numbers.metas);
        // The nodes keep their numbers while the list of them is away.
        if !metas.is_empty() || !table.named.is_empty() {
            self.bits.enter(&metadata::BLOCK);
            for &meta in &metas {
                self.meta_node(&table[meta]);
            }
            for (name, nodes) in &table.named {
                let name: Vec<u64> = chars(name.as_bytes()).collect();
                self.bits.record(&metadata::NAME, &name);
                let nodes: Vec<u64> = nodes.iter().map(|&m| self.numbers.meta(m)).collect();
                self.bits.record(&metadata::NAMED_NODE, &nodes);
            }
            self.bits.exit();
        }
        self.numbers.metas = metas;
        self.bits.enter(&metadata::BLOCK);
        for (kind, name) in table.kinds.iter().enumerate() {
            self.scratch.clear();
            self.scratch.push(kind as u64);
            self.scratch.extend(chars(name.as_bytes()));
            self.bits.record(&metadata::KIND, &self.scratch);
        }
        self.bits.exit();
    }

    fn meta_node(&mut self, node: &MetaNode) {
        self.scratch.clear();
        match node {
            MetaNode::String(text) => {
                self.scratch.extend(chars(text));
                self.bits.record(&metadata::STRING, &self.scratch);
            }
            MetaNode::Value(value) => {
                let Some(ty) = self.module.value_type(None, *value) else {
                    rtc_base::bug!("module metadata made of {value:?}");
                };
                let fields = [self.numbers.ty(ty), self.numbers.value(*value).into()];
                self.bits.record(&metadata::VALUE, &fields);
            }
            MetaNode::Node { distinct, elems } => {
                for elem in elems {
                    self.scratch.push(elem.map_or(0, |m| self.numbers.meta(m) + 1));
                }
                let record = if *distinct { &metadata::DISTINCT_NODE } else { &metadata::NODE };
                self.bits.record(record, &self.scratch);
            }
            MetaNode::Debug { code, fields } => self.bits.generic(*code, fields),
        }
    }

    fn symbols(&mut self) {
        let globals = self.module.globals.iter().map(|(g, v)| (Value::Global(g), &v.name));
        let funcs = self.module.funcs.iter().map(|(f, v)| (Value::Func(f), &v.name));
        let mut names: Vec<(&str, u64)> = globals
            .chain(funcs)
            .filter(|(_, name)| !name.is_empty())
            .map(|(value, name)| (&**name, self.numbers.value(value).into()))
            .collect();
        if names.is_empty() {
            return;
        }
        names.sort_unstable();
        self.bits.enter(&symtab::BLOCK);
        for (name, id) in names {
            self.symbol(&symtab::ENTRY, id, name);
        }
        self.bits.exit();
    }

    pub(super) fn symbol(&mut self, record: &super::records::Record, id: u64, name: &str) {
        self.scratch.clear();
        self.scratch.push(id);
        self.scratch.extend(chars(name.as_bytes()));
        self.bits.record(record, &self.scratch);
    }

    pub(super) fn attachments(&mut self, rows: &[Vec<u64>]) {
        if rows.is_empty() {
            return;
        }
        self.bits.enter(&attachment::BLOCK);
        for row in rows {
            self.bits.record(&attachment::ATTACHMENT, row);
        }
        self.bits.exit();
    }
}
