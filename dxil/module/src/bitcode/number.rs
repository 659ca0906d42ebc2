//! Numbering: which types, constants and metadata a module uses, and their numbers in bitcode.
//!
//! Numbers follow the order of the module's tables, so that a module that was read is written in the
//! order it was read in. A type comes after what it is made of, except that a named structure may be
//! referred to before it. Constants come sorted by type; those of the module (used by initial values
//! and metadata) have numbers everywhere, those of a function only in that function.

use crate::{Body, Const, ConstKind, Func, Meta, MetaNode, Module, Op, Type, TypeKind, Value};
use rtc_base::entity::{EntityRef, EntitySet, SecondaryMap};

const NONE: u32 = u32::MAX;

/// The numbers of everything that belongs to the module as a whole.
pub struct Numbers<'m> {
    module: &'m Module,
    /// The types to write, in order.
    pub types: Vec<Type>,
    type_ids: SecondaryMap<Type, u32>,
    /// The constants of the module, in order.
    pub consts: Vec<Const>,
    /// The number of each constant in the function at hand.
    const_ids: SecondaryMap<Const, u32>,
    /// When each constant was first written; used to keep that order in later functions.
    rank: SecondaryMap<Const, u32>,
    next_rank: u32,
    /// The metadata to write, in order.
    pub metas: Vec<Meta>,
    meta_ids: SecondaryMap<Meta, u32>,
}

impl<'m> Numbers<'m> {
    /// Numbers a module.
    pub fn new(module: &'m Module) -> Self {
        let mut n = Self {
            module,
            types: Vec::new(),
            type_ids: SecondaryMap::with_default(NONE),
            consts: Vec::new(),
            const_ids: SecondaryMap::with_default(NONE),
            rank: SecondaryMap::with_default(NONE),
            next_rank: 0,
            metas: Vec::new(),
            meta_ids: SecondaryMap::with_default(NONE),
        };
        // In one step, and not entity by entity.
        n.type_ids.resize(module.types.len());
        n.const_ids.resize(module.consts.len());
        n.rank.resize(module.consts.len());
        n.meta_ids.resize(module.meta.len());
        n.number_metas();
        let mut used = EntitySet::new();
        n.module_consts(&mut used);
        let mut types = EntitySet::new();
        n.used_types(&used, &mut types);
        n.number_types(&types);
        // Constants are sorted by type number, so they come last.
        let mut list: Vec<Const> = used.iter().collect();
        n.sort(&mut list);
        let first = (module.globals.len() + module.funcs.len()) as u32;
        n.assign(&list, first);
        n.consts = list;
        n
    }

    /// The number of a type.
    pub fn ty(&self, ty: Type) -> u64 {
        debug_assert!(self.type_ids[ty] != NONE, "a type that was not seen");
        self.type_ids[ty].into()
    }

    /// The number of a piece of metadata.
    pub fn meta(&self, meta: Meta) -> u64 {
        debug_assert!(self.meta_ids[meta] != NONE, "metadata that was not seen");
        self.meta_ids[meta].into()
    }

    /// The number of a global, function or constant.
    pub fn value(&self, value: Value) -> u32 {
        match value {
            Value::Global(g) => g.index() as u32,
            Value::Func(f) => (self.module.globals.len() + f.index()) as u32,
            Value::Const(c) => {
                debug_assert!(self.const_ids[c] != NONE, "a constant that was not seen");
                self.const_ids[c]
            }
            _ => rtc_base::bug!("{value:?} has no number outside functions"),
        }
    }

    /// One past the numbers of the module.
    pub fn module_values(&self) -> u32 {
        (self.module.globals.len() + self.module.funcs.len() + self.consts.len()) as u32
    }

    /// Numbers the constants of a function from `first` on and gives them in order. They lose their
    /// numbers with [`Numbers::leave`].
    pub fn enter(&mut self, body: &Body, first: u32) -> Vec<Const> {
        let mut used = EntitySet::new();
        for_each_operand(body, |value| {
            if let Value::Const(c) = value {
                self.add_const(c, &mut used);
            }
        });
        let mut list: Vec<Const> = used.iter().collect();
        list.retain(|&c| self.const_ids[c] == NONE);
        self.sort(&mut list);
        self.assign(&list, first);
        list
    }

    /// Forgets the numbers of the constants of a function.
    pub fn leave(&mut self, consts: &[Const]) {
        for &c in consts {
            self.const_ids[c] = NONE;
        }
    }

    fn assign(&mut self, list: &[Const], first: u32) {
        for (id, &c) in (first..).zip(list) {
            self.const_ids[c] = id;
            if self.rank[c] == NONE {
                self.rank[c] = self.next_rank;
                self.next_rank += 1;
            }
        }
    }

    fn sort(&self, list: &mut [Const]) {
        let consts = &self.module.consts;
        list.sort_unstable_by_key(|&c| (self.type_ids[consts[c].ty], self.rank[c], c));
    }

    fn module_consts(&self, used: &mut EntitySet<Const>) {
        for global in self.module.globals.values() {
            if let Some(Value::Const(c)) = global.init {
                self.add_const(c, used);
            }
        }
        for &meta in &self.metas {
            if let MetaNode::Value(Value::Const(c)) = self.module.meta[meta] {
                self.add_const(c, used);
            }
        }
    }

    fn add_const(&self, c: Const, used: &mut EntitySet<Const>) {
        if used.contains(c) {
            return;
        }
        let mut todo = vec![c];
        while let Some(c) = todo.pop() {
            if used.insert(c) {
                for &operand in self.module.consts[c].kind.operands() {
                    if let Value::Const(c) = operand {
                        todo.push(c);
                    }
                }
            }
        }
    }

    fn used_types(&self, module_consts: &EntitySet<Const>, used: &mut EntitySet<Type>) {
        let module = self.module;
        for global in module.globals.values() {
            self.add_type(global.ptr_ty, used);
            self.add_type(global.ty, used);
        }
        let mut consts = module_consts.clone();
        for func in module.funcs.values() {
            self.add_type(func.ptr_ty, used);
            self.add_type(func.ty, used);
            let Some(body) = &func.body else { continue };
            for &inst in body.blocks.values().flatten() {
                let data = &body.insts[inst];
                self.add_type(data.ty, used);
                match data.op {
                    Op::Alloca { allocated: ty, .. } | Op::Gep { source: ty, .. } | Op::Call { ty, .. } => self.add_type(ty, used),
                    _ => {}
                }
            }
            for_each_operand(body, |value| {
                if let Value::Const(c) = value {
                    self.add_const(c, &mut consts);
                }
            });
        }
        for c in consts.iter() {
            let data = &module.consts[c];
            self.add_type(data.ty, used);
            if let ConstKind::Gep { source, .. } = data.kind {
                self.add_type(source, used);
            }
        }
    }

    fn add_type(&self, ty: Type, used: &mut EntitySet<Type>) {
        if used.contains(ty) {
            return;
        }
        let mut todo = vec![ty];
        while let Some(ty) = todo.pop() {
            if used.insert(ty) {
                parts(&self.module.types[ty], |part| todo.push(part));
            }
        }
    }

    fn number_types(&mut self, used: &EntitySet<Type>) {
        let mut open = EntitySet::new();
        let mut children = Vec::new();
        for root in used.iter() {
            let mut stack = vec![(root, false)];
            while let Some((ty, seen_parts)) = stack.pop() {
                if self.type_ids[ty] != NONE {
                    continue;
                }
                if seen_parts {
                    self.type_ids[ty] = self.types.len() as u32;
                    self.types.push(ty);
                    continue;
                }
                let kind = &self.module.types[ty];
                // A named structure that is being numbered may be referred to before it.
                if matches!(kind, TypeKind::Named { .. }) && !open.insert(ty) {
                    continue;
                }
                stack.push((ty, true));
                children.clear();
                parts(kind, |part| children.push((part, false)));
                stack.extend(children.drain(..).rev());
            }
        }
    }

    fn number_metas(&mut self) {
        let table = &self.module.meta;
        let debug = table.iter().any(|(_, node)| matches!(node, MetaNode::Debug { .. }));
        let mut used = EntitySet::new();
        let mut todo = Vec::new();
        if debug {
            // Raw records refer by number: everything stays where it is.
            todo.extend(table.iter().map(|(meta, _)| meta));
        }
        todo.extend(table.named.iter().flat_map(|(_, nodes)| nodes.iter().copied()));
        for body in self.module.funcs.values().filter_map(|f| f.body.as_ref()) {
            todo.extend(body.attached.iter().map(|&(_, _, node)| node));
            todo.extend(body.attached_to_function.iter().map(|&(_, node)| node));
            for loc in body.locs.values() {
                todo.extend(loc.scope.into_iter().chain(loc.inlined_at));
            }
            for_each_operand(body, |value| {
                if let Value::Meta(meta) = value {
                    todo.push(meta);
                }
            });
        }
        while let Some(meta) = todo.pop() {
            if used.insert(meta) {
                todo.extend(table.elems(meta).iter().flatten());
            }
        }
        self.metas = used.iter().collect();
        for (id, &meta) in self.metas.iter().enumerate() {
            self.meta_ids[meta] = id as u32;
        }
    }
}

/// Calls `f` with what a type is made of.
fn parts(kind: &TypeKind, mut f: impl FnMut(Type)) {
    match kind {
        TypeKind::Pointer { pointee: part, .. } | TypeKind::Array { elem: part, .. } | TypeKind::Vector { elem: part, .. } => f(*part),
        TypeKind::Struct(fields) | TypeKind::Named { body: Some(fields), .. } => {
            fields.types.iter().copied().for_each(f);
        }
        TypeKind::Function { ret, params, .. } => {
            f(*ret);
            params.iter().copied().for_each(f);
        }
        _ => {}
    }
}

fn for_each_operand(body: &Body, mut f: impl FnMut(Value)) {
    for &inst in body.blocks.values().flatten() {
        body.operands(inst, &mut f);
    }
    body.local_meta.iter().copied().for_each(f);
}

/// The numbers of what belongs to one function.
pub struct LocalNumbers {
    first_arg: u32,
    insts: SecondaryMap<crate::Inst, u32>,
}

impl LocalNumbers {
    /// Numbers the results of a function's instructions from `first` on.
    pub fn new(module: &Module, body: &Body, first_arg: u32, first: u32) -> Self {
        let mut insts = SecondaryMap::with_default(NONE);
        insts.resize(body.insts.len());
        let mut next = first;
        for &inst in body.blocks.values().flatten() {
            if module.types[body.insts[inst].ty] != TypeKind::Void {
                insts[inst] = next;
                next += 1;
            }
        }
        Self { first_arg, insts }
    }

    /// The number of any value but a block.
    pub fn value(&self, numbers: &Numbers<'_>, value: Value) -> u32 {
        match value {
            Value::Arg(n) => self.first_arg + n,
            Value::Inst(i) => {
                debug_assert!(self.insts[i] != NONE, "{i} is used but has no result");
                self.insts[i]
            }
            Value::Meta(meta) => numbers.meta(meta) as u32,
            Value::LocalMeta(n) => numbers.metas.len() as u32 + n,
            _ => numbers.value(value),
        }
    }
}

/// How many parameters a function has.
pub fn param_count(module: &Module, func: Func) -> u32 {
    module.types.signature(module.funcs[func].ty).map_or(0, |(_, params, _)| params.len() as u32)
}
