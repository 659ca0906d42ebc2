//! The numbers in listings: of metadata nodes, attribute groups, unnamed types and unnamed values,
//! and the order in which named types are listed.
//!
//! Metadata is numbered depth first from the named metadata, then function by function as listings
//! reach it; types are listed in the order in which a walk over globals, functions and metadata
//! finds them.

use rtc_base::entity::{EntitySet, SecondaryMap};
use rtc_dxil_container::metadata::debug_nodes;
use rtc_dxil_module::{
    AttrGroup, Block, Body, ConstKind, DebugLoc, FUNCTION_INDEX, Inst, Meta, MetaNode, Module, Op, Type, TypeKind, Value,
};
use rustc_hash::FxHashMap;

const NONE: u32 = u32::MAX;

/// Something that has a number among the metadata.
#[derive(Debug, Clone, Copy)]
pub enum Numbered {
    /// A node of the module.
    Node(Meta),
    /// The source position of an instruction.
    Loc(DebugLoc),
}

/// Numbers of a whole module.
pub struct Slots {
    metas: SecondaryMap<Meta, u32>,
    /// Source positions that are no nodes of the module.
    locs: FxHashMap<DebugLoc, u32>,
    /// Those that are.
    loc_nodes: FxHashMap<DebugLoc, Meta>,
    /// Everything numbered, in order.
    pub meta_order: Vec<Numbered>,
    groups: SecondaryMap<AttrGroup, u32>,
    /// The numbered attribute groups, in order.
    pub group_order: Vec<AttrGroup>,
    /// Numbers of functions and globals without a name.
    pub unnamed: Vec<Value>,
}

impl Slots {
    /// The numbers that do not depend on function bodies.
    pub fn new(m: &Module) -> Self {
        let mut slots = Self {
            metas: SecondaryMap::with_default(NONE),
            locs: FxHashMap::default(),
            loc_nodes: FxHashMap::default(),
            meta_order: Vec::new(),
            groups: SecondaryMap::with_default(NONE),
            group_order: Vec::new(),
            unnamed: Vec::new(),
        };
        for (meta, node) in m.meta.iter() {
            if let MetaNode::Debug { code: debug_nodes::LOCATION, fields } = node
                && let Some(loc) = debug_nodes::location(fields)
            {
                slots.loc_nodes.insert(loc, meta);
            }
        }
        let globals = m.globals.iter().filter(|(_, g)| g.name.is_empty());
        slots.unnamed.extend(globals.map(|(g, _)| Value::Global(g)));
        let funcs = m.funcs.iter().filter(|(_, f)| f.name.is_empty());
        slots.unnamed.extend(funcs.map(|(f, _)| Value::Func(f)));
        for (_, nodes) in &m.meta.named {
            nodes.iter().for_each(|&node| slots.add_meta(m, node));
        }
        for function in m.funcs.values() {
            slots.add_group(m, function.attrs);
        }
        slots
    }

    /// Numbers what a function body adds.
    pub fn add_body(&mut self, m: &Module, body: &Body, attached: &Attached) {
        for &(_, node) in &body.attached_to_function {
            self.add_meta(m, node);
        }
        for &inst in body.blocks.values().flatten() {
            if let Op::Call { args, .. } = body.insts[inst].op {
                for &arg in body.values(args) {
                    if let Value::Meta(meta) = arg
                        && is_node(&m.meta[meta])
                    {
                        self.add_meta(m, meta);
                    }
                }
            }
            if let Some(loc) = body.insts[inst].loc.expand() {
                self.add_loc(m, body.locs[loc]);
            }
            for &(_, node) in attached.of(inst) {
                self.add_meta(m, node);
            }
        }
        for &inst in body.blocks.values().flatten() {
            if let Op::Call { attrs, .. } = body.insts[inst].op {
                self.add_group(m, attrs);
            }
        }
    }

    fn add_group(&mut self, m: &Module, attrs: rtc_dxil_module::Attrs) {
        if let Some(group) = attrs.expand().and_then(|list| m.attrs.at(list, FUNCTION_INDEX))
            && self.groups[group] == NONE
        {
            self.groups[group] = self.group_order.len() as u32;
            self.group_order.push(group);
        }
    }

    fn add_loc(&mut self, m: &Module, loc: DebugLoc) {
        if let Some(&node) = self.loc_nodes.get(&loc) {
            return self.add_meta(m, node);
        }
        if self.locs.contains_key(&loc) {
            return;
        }
        self.locs.insert(loc, self.meta_order.len() as u32);
        self.meta_order.push(Numbered::Loc(loc));
        for meta in loc.scope.into_iter().chain(loc.inlined_at) {
            self.add_meta(m, meta);
        }
    }

    fn add_meta(&mut self, m: &Module, root: Meta) {
        let mut todo = vec![root];
        let mut children = Vec::new();
        while let Some(meta) = todo.pop() {
            if m.meta.len() <= meta.as_u32() as usize || !is_node(&m.meta[meta]) {
                continue;
            }
            if self.metas[meta] != NONE {
                continue;
            }
            self.metas[meta] = self.meta_order.len() as u32;
            self.meta_order.push(Numbered::Node(meta));
            children.clear();
            match &m.meta[meta] {
                MetaNode::Node { elems, .. } => children.extend(elems.iter().flatten().copied()),
                MetaNode::Debug { code, fields } => {
                    debug_nodes::references(*code, fields, |meta| children.push(meta));
                }
                _ => {}
            }
            todo.extend(children.drain(..).rev());
        }
    }

    /// The number of a metadata node.
    pub fn meta(&self, meta: Meta) -> Option<u32> {
        Some(self.metas[meta]).filter(|&n| n != NONE)
    }

    /// The number of a source position.
    pub fn loc(&self, loc: DebugLoc) -> Option<u32> {
        match self.loc_nodes.get(&loc) {
            Some(&node) => self.meta(node),
            None => self.locs.get(&loc).copied(),
        }
    }

    /// The number of an attribute group.
    pub fn group(&self, group: AttrGroup) -> Option<u32> {
        Some(self.groups[group]).filter(|&n| n != NONE)
    }
}

/// Whether metadata has a number; strings and values are written out where they are used.
fn is_node(node: &MetaNode) -> bool {
    matches!(node, MetaNode::Node { .. } | MetaNode::Debug { .. })
}

/// The metadata attached to the instructions of a body, for finding it by instruction.
pub struct Attached {
    starts: SecondaryMap<Inst, (u32, u32)>,
    pairs: Vec<(u32, Meta)>,
}

impl Attached {
    /// Sorts a body's attachments by instruction and kind.
    pub fn new(body: &Body) -> Self {
        let mut all = body.attached.clone();
        all.sort_by_key(|&(inst, kind, _)| (inst, kind));
        let mut starts = SecondaryMap::new();
        for (at, &(inst, _, _)) in all.iter().enumerate() {
            let (start, len): &mut (u32, u32) = &mut starts[inst];
            if *len == 0 {
                *start = at as u32;
            }
            *len += 1;
        }
        Self { starts, pairs: all.into_iter().map(|(_, kind, node)| (kind, node)).collect() }
    }

    /// Kind and node of everything attached to an instruction.
    pub fn of(&self, inst: Inst) -> &[(u32, Meta)] {
        let (start, len) = self.starts[inst];
        &self.pairs[start as usize..][..len as usize]
    }
}

/// The numbers of a function's unnamed values and blocks.
pub struct Local {
    args: Vec<u32>,
    blocks: SecondaryMap<Block, u32>,
    insts: SecondaryMap<Inst, u32>,
    /// The blocks that each block is reached from, the last use first.
    pub preds: SecondaryMap<Block, Vec<Block>>,
}

impl Local {
    /// Numbers a body.
    pub fn new(m: &Module, params: u32, body: &Body) -> Self {
        let mut next = 0;
        let mut number = |named: bool| {
            if named {
                return NONE;
            }
            next += 1;
            next - 1
        };
        let named = |value| body.names.contains_key(&value);
        let args = (0..params).map(|n| number(named(Value::Arg(n)))).collect();
        let mut blocks = SecondaryMap::with_default(NONE);
        let mut insts = SecondaryMap::with_default(NONE);
        let mut preds: SecondaryMap<Block, Vec<Block>> = SecondaryMap::new();
        for (block, list) in body.blocks.iter() {
            blocks[block] = number(named(Value::Block(block)));
            for &inst in list {
                if m.types[body.insts[inst].ty] != TypeKind::Void {
                    insts[inst] = number(named(Value::Inst(inst)));
                }
                if body.insts[inst].op.is_terminator() {
                    body.operands(inst, |to| {
                        if let Value::Block(to) = to {
                            preds[to].push(block);
                        }
                    });
                }
            }
        }
        for block in body.blocks.keys() {
            preds[block].reverse();
        }
        Self { args, blocks, insts, preds }
    }

    /// The number of an unnamed value.
    pub fn get(&self, value: Value) -> Option<u32> {
        let number = match value {
            Value::Arg(n) => *self.args.get(n as usize)?,
            Value::Block(b) => self.blocks[b],
            Value::Inst(i) => self.insts[i],
            _ => NONE,
        };
        Some(number).filter(|&n| n != NONE)
    }
}

/// The structures that have an identity, in the order of listings.
pub fn listed_types(m: &Module) -> Vec<Type> {
    let mut walk = Walk { m, types: EntitySet::new(), values: EntitySet::new(), metas: EntitySet::new(), found: Vec::new() };
    for global in m.globals.values() {
        walk.ty(global.ptr_ty);
        if let Some(init) = global.init {
            walk.value(init);
        }
    }
    for function in m.funcs.values() {
        walk.ty(function.ptr_ty);
        let Some(body) = &function.body else { continue };
        let attached = Attached::new(body);
        for &inst in body.blocks.values().flatten() {
            walk.ty(body.insts[inst].ty);
            body.operands(inst, |value| walk.value(value));
            attached.of(inst).iter().for_each(|&(_, node)| walk.meta(node));
        }
    }
    for (_, nodes) in &m.meta.named {
        nodes.iter().for_each(|&node| walk.meta(node));
    }
    walk.found
}

struct Walk<'m> {
    m: &'m Module,
    types: EntitySet<Type>,
    values: EntitySet<rtc_dxil_module::Const>,
    metas: EntitySet<Meta>,
    found: Vec<Type>,
}

impl Walk<'_> {
    fn ty(&mut self, root: Type) {
        if !self.types.insert(root) {
            return;
        }
        let mut todo = vec![root];
        while let Some(ty) = todo.pop() {
            let mut add = |part: Type| {
                if self.types.insert(part) {
                    todo.push(part);
                }
            };
            match &self.m.types[ty] {
                TypeKind::Named { body, .. } => {
                    self.found.push(ty);
                    let fields = body.iter().flat_map(|f| f.types.iter().rev());
                    fields.copied().for_each(add);
                }
                TypeKind::Struct(fields) => fields.types.iter().rev().copied().for_each(add),
                TypeKind::Pointer { pointee: part, .. } | TypeKind::Array { elem: part, .. } | TypeKind::Vector { elem: part, .. } => {
                    add(*part)
                }
                TypeKind::Function { ret, params, .. } => {
                    params.iter().rev().copied().for_each(&mut add);
                    add(*ret);
                }
                _ => {}
            }
        }
    }

    fn value(&mut self, value: Value) {
        match value {
            Value::Meta(meta) => return self.meta(meta),
            Value::Const(_) => {}
            _ => return,
        }
        let mut todo = vec![value];
        while let Some(value) = todo.pop() {
            let Value::Const(c) = value else { continue };
            if !self.values.insert(c) {
                continue;
            }
            let data = &self.m.consts[c];
            self.ty(data.ty);
            if let ConstKind::Gep { source, .. } = data.kind {
                self.ty(source);
            }
            todo.extend(data.kind.operands().iter().rev());
        }
    }

    fn meta(&mut self, root: Meta) {
        let mut todo = vec![root];
        while let Some(meta) = todo.pop() {
            if self.m.meta.len() <= meta.as_u32() as usize || !self.metas.insert(meta) {
                continue;
            }
            match &self.m.meta[meta] {
                MetaNode::Value(value) => self.value(*value),
                MetaNode::Node { elems, .. } => todo.extend(elems.iter().flatten().rev()),
                MetaNode::Debug { code, fields } => {
                    let at = todo.len();
                    debug_nodes::references(*code, fields, |meta| todo.push(meta));
                    todo[at..].reverse();
                }
                MetaNode::String(_) => {}
            }
        }
    }
}
