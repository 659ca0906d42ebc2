//! Imports types, constants, attributes, metadata, variables and functions of one module into another.
//!
//! A named structure keeps its name if the other module has none of that name or one of the same layout; otherwise it gets
//! `name.1`, `name.2` and so on. Declarations of DXIL operations that are called after a structure follow its name. Debug
//! information (its nodes, its intrinsics, the locations of instructions) is imported on request ([`Importer::with_debug`]).

mod nodes;

use rtc_base::SecondaryMap;
use rustc_hash::{FxHashMap, FxHashSet};

use super::debug_info::is_said;
use nodes::Nodes;
use rtc_dxil_module::{
    AttrList, Attrs, Body, Const, ConstKind, Fields, Func, Function, Global, GlobalVar, Linkage, Loc, Meta, MetaNode, Module, Op, Type,
    TypeKind, Value,
};

/// Takes from one module into another; remembers what is there already.
pub struct Importer<'s> {
    /// Where things come from.
    pub src: &'s Module,
    types: SecondaryMap<Type, Option<Type>>,
    consts: SecondaryMap<Const, Option<Const>>,
    attrs: SecondaryMap<AttrList, Option<AttrList>>,
    /// Metadata that is there, by its number in the source.
    pub metas: FxHashMap<Meta, Meta>,
    /// What is made but not filled in: structures, distinct nodes, variables. Filled in one after the other, so that nothing
    /// nests as deeply as a damaged file may.
    bodies: Vec<(Type, Fields)>,
    tuples: Vec<(Meta, Box<[Option<Meta>]>)>,
    inits: Vec<(Global, Value)>,
    /// Variables that are there, by their number in the source.
    pub globals: FxHashMap<Global, Global>,
    /// Functions that are there, by their number in the source.
    pub funcs: FxHashMap<Func, Func>,
    /// Debug information, if it comes along.
    debug: Option<Nodes>,
}

/// The kind of attached metadata that is a place in the source.
const DBG: &str = "dbg";

impl<'s> Importer<'s> {
    /// Takes from `src`.
    pub fn new(src: &'s Module) -> Self {
        Importer {
            src,
            types: SecondaryMap::new(),
            consts: SecondaryMap::new(),
            attrs: SecondaryMap::new(),
            metas: FxHashMap::default(),
            bodies: Vec::new(),
            tuples: Vec::new(),
            inits: Vec::new(),
            globals: FxHashMap::default(),
            funcs: FxHashMap::default(),
            debug: None,
        }
    }

    /// From now on takes debug information along, as far as it is about `funcs` and `globals`, which are there.
    pub fn with_debug(&mut self, out: &mut Module, funcs: &FxHashSet<Func>, globals: impl Fn(Global) -> bool) {
        self.debug = Some(Nodes::new(self, out, funcs, globals));
    }

    /// A type.
    pub fn ty(&mut self, out: &mut Module, ty: Type) -> Type {
        let made = self.shape(out, ty);
        while let Some((made, body)) = self.bodies.pop() {
            let types = body.types.iter().map(|&f| self.shape(out, f)).collect();
            out.types.set_body(made, Fields { types, packed: body.packed });
        }
        made
    }

    /// A type whose structures need not have their fields yet.
    fn shape(&mut self, out: &mut Module, ty: Type) -> Type {
        // Bottom up without recursion: a damaged module nests as deeply as it likes.
        let mut work = vec![ty];
        while let Some(&t) = work.last() {
            if self.types[t].is_some() {
                work.pop();
                continue;
            }
            if let TypeKind::Named { name, body } = &self.src.types[t] {
                let (name, body) = (name.as_deref().unwrap_or("anon"), body.clone());
                let (made, new) = self.structure(out, t, name);
                self.types[t] = Some(made);
                work.pop();
                if let (true, Some(body)) = (new, body) {
                    self.bodies.push((made, body));
                }
                continue;
            }
            let missing: Vec<Type> = parts(&self.src.types[t]).into_iter().filter(|&p| self.types[p].is_none()).collect();
            if missing.is_empty() || work.len() > self.src.types.len() {
                let kind = self.kind(t);
                self.types[t] = Some(out.types.intern(kind));
                work.pop();
            } else {
                work.extend(missing);
            }
        }
        self.types[ty].unwrap_or(ty)
    }

    /// The kind of a type whose parts are there.
    fn kind(&self, ty: Type) -> TypeKind {
        let of = |t: Type| self.types[t].unwrap_or(t);
        match &self.src.types[ty] {
            TypeKind::Pointer { pointee, space } => TypeKind::Pointer { pointee: of(*pointee), space: *space },
            TypeKind::Array { elem, len } => TypeKind::Array { elem: of(*elem), len: *len },
            TypeKind::Vector { elem, len } => TypeKind::Vector { elem: of(*elem), len: *len },
            TypeKind::Struct(f) => TypeKind::Struct(Fields { types: f.types.iter().map(|&t| of(t)).collect(), packed: f.packed }),
            TypeKind::Function { ret, params, vararg } => {
                TypeKind::Function { ret: of(*ret), params: params.iter().map(|&t| of(t)).collect(), vararg: *vararg }
            }
            kind => kind.clone(),
        }
    }

    /// The structure of that name with the same layout, and whether it was made.
    fn structure(&self, out: &mut Module, ty: Type, name: &str) -> (Type, bool) {
        let mut tried = 0;
        let mut spelling = name.to_owned();
        loop {
            match out.types.find_named(&spelling) {
                None => return (out.types.named(&spelling), true),
                Some(there) if same(self.src, ty, out, there) => return (there, false),
                Some(_) => {
                    tried += 1;
                    spelling = format!("{name}.{tried}");
                }
            }
        }
    }

    /// A value that is no part of a function: of those, the value itself.
    pub fn value(&mut self, out: &mut Module, value: Value) -> Value {
        match value {
            Value::Global(g) => Value::Global(self.global(out, g)),
            Value::Func(f) => self.func(out, f).map_or_else(|| nothing(out), Value::Func),
            Value::Const(c) => Value::Const(self.constant(out, c)),
            Value::Meta(_) | Value::LocalMeta(_) if self.debug.is_none() => nothing(out),
            Value::Meta(node) => self.meta(out, node).map_or_else(|| nothing(out), Value::Meta),
            Value::LocalMeta(_) | Value::Arg(_) | Value::Inst(_) | Value::Block(_) => value,
        }
    }

    /// A constant.
    pub fn constant(&mut self, out: &mut Module, c: Const) -> Const {
        let (mut work, mut open) = (vec![c], FxHashSet::default());
        while let Some(&at) = work.last() {
            if self.consts[at].is_some() {
                work.pop();
                continue;
            }
            let data = self.src.consts[at].clone();
            let inner = data.kind.operands().iter().filter_map(|&v| match v {
                Value::Const(c) if self.consts[c].is_none() => Some(c),
                _ => None,
            });
            let missing: Vec<Const> = inner.collect();
            // What leads back to itself is no constant; it becomes undefined.
            if !missing.is_empty() && open.insert(at) {
                work.extend(missing);
                continue;
            }
            let ty = self.ty(out, data.ty);
            let cyclic = !missing.is_empty();
            let kind = if cyclic { ConstKind::Undef } else { self.const_kind(out, data.kind) };
            self.consts[at] = Some(out.consts.intern(ty, kind));
            work.pop();
        }
        self.consts[c].unwrap_or(c)
    }

    fn const_kind(&mut self, out: &mut Module, kind: ConstKind) -> ConstKind {
        let mut of = |v: Value| self.value(out, v);
        match kind {
            ConstKind::Aggregate(values) => ConstKind::Aggregate(values.iter().map(|&v| of(v)).collect()),
            ConstKind::Cast { op, value } => ConstKind::Cast { op, value: of(value) },
            ConstKind::Gep { inbounds, source, operands } => {
                let operands: Box<[Value]> = operands.iter().map(|&v| of(v)).collect();
                ConstKind::Gep { inbounds, source: self.ty(out, source), operands }
            }
            ConstKind::Binary { op, flags, operands } => ConstKind::Binary { op, flags, operands: operands.map(of) },
            ConstKind::Compare { pred, operands } => ConstKind::Compare { pred, operands: operands.map(of) },
            ConstKind::Select { operands } => ConstKind::Select { operands: operands.map(of) },
            plain => plain,
        }
    }

    fn attr_list(&mut self, out: &mut Module, attrs: Attrs) -> Attrs {
        let Some(list) = attrs.expand() else { return attrs };
        if let Some(known) = self.attrs[list] {
            return known.into();
        }
        let groups: Vec<_> = self.src.attrs.groups_of(list).iter().map(|&g| self.src.attrs.group_data(g).clone()).collect();
        let groups: Vec<_> = groups.iter().map(|g| out.attrs.group(g.place, &g.attrs)).collect();
        let made = out.attrs.list(&groups);
        self.attrs[list] = Some(made);
        made.into()
    }

    /// A variable: the one that it was mapped to, or a new one.
    pub fn global(&mut self, out: &mut Module, global: Global) -> Global {
        if let Some(&known) = self.globals.get(&global) {
            return known;
        }
        let g = self.src.globals[global].clone();
        let (ty, ptr_ty) = (self.ty(out, g.ty), self.ty(out, g.ptr_ty));
        let made = out.globals.push(GlobalVar { ty, ptr_ty, init: None, section: 0, ..g.clone() });
        self.globals.insert(global, made);
        self.inits.extend(g.init.map(|init| (made, init)));
        made
    }

    /// Fills in what variables hold. To be called when everything else has been taken over.
    pub fn finish(&mut self, out: &mut Module) {
        while let Some((made, init)) = self.inits.pop() {
            let init = self.value(out, init);
            out.globals[made].init = Some(init);
        }
        if let Some(nodes) = self.debug.take() {
            nodes.finish(self, out);
        }
    }

    /// A function: the one that it was mapped to, one of that name and type that is there, or a new declaration. None for
    /// debug intrinsics.
    pub fn func(&mut self, out: &mut Module, func: Func) -> Option<Func> {
        if let Some(&known) = self.funcs.get(&func) {
            return Some(known);
        }
        let f = &self.src.funcs[func];
        if self.debug.is_none() && f.name.starts_with("llvm.dbg.") {
            return None;
        }
        let ty = self.ty(out, f.ty);
        let name = self.operation_name(out, func);
        let made = match out.find_function(&name).filter(|&there| out.funcs[there].ty == ty) {
            Some(there) => there,
            None => self.declare(out, func, &name, ty),
        };
        self.funcs.insert(func, made);
        Some(made)
    }

    /// Declares a function anew.
    pub fn declare(&mut self, out: &mut Module, func: Func, name: &str, ty: Type) -> Func {
        let f = &self.src.funcs[func];
        let (cc, linkage, attrs, unnamed_addr) = (f.cc, f.linkage, f.attrs, f.unnamed_addr);
        let attrs = self.attr_list(out, attrs);
        let ptr_ty = out.types.ptr(ty);
        let visibility = f.visibility;
        let (align, section) = (0, 0);
        out.push_function(Function {
            name: name.into(),
            ty,
            ptr_ty,
            cc,
            linkage,
            attrs,
            align,
            section,
            visibility,
            unnamed_addr,
            body: None,
        })
    }

    /// The name of a function; of an operation that is named after a structure that was renamed, the name after that.
    fn operation_name(&mut self, out: &mut Module, func: Func) -> String {
        let name = self.src.funcs[func].name.to_string();
        if !self.src.is_dx_op(func) {
            return name;
        }
        let Some((ret, params, _)) = self.src.types.signature(self.src.funcs[func].ty) else { return name };
        for &t in params.iter().chain([&ret]) {
            let t = self.src.types.pointee(t).unwrap_or(t);
            let Some(own) = self.src.types.struct_name(t) else { continue };
            let Some(stem) = name.strip_suffix(own).filter(|s| s.ends_with('.')) else { continue };
            let there = self.ty(out, t);
            if let Some(new) = out.types.struct_name(there) {
                return format!("{stem}{new}");
            }
        }
        name
    }

    /// Takes the code of a function over.
    pub fn body(&mut self, out: &mut Module, func: Func) -> Option<Body> {
        let mut body = self.src.funcs[func].body.clone()?;
        if self.debug.is_none() {
            for insts in body.blocks.values_mut() {
                insts.retain(|&i| !is_said(self.src, &body.insts[i].op));
            }
            body.locs.clear();
            body.local_meta.clear();
        }
        // What only an instruction used that is gone is not taken over.
        body.forget_unplaced();
        body.map_values(|v| self.value(out, v));
        for v in &mut body.local_meta {
            *v = self.value(out, *v);
        }
        let mut lost = FxHashSet::default();
        for (loc, data) in body.locs.iter_mut() {
            let there = |node: Option<Meta>| node.and_then(|n| self.metas.get(&n).copied());
            (data.scope, data.inlined_at) = (there(data.scope), there(data.inlined_at));
            if data.scope.is_none() {
                lost.insert(loc);
            }
        }
        let kept = |loc: Loc| self.debug.is_some() && !lost.contains(&loc);
        for data in body.insts.values_mut() {
            data.loc = data.loc.expand().filter(|&l| kept(l)).into();
        }
        for data in body.insts.values_mut() {
            data.ty = self.ty(out, data.ty);
            match &mut data.op {
                Op::Alloca { allocated, .. } => *allocated = self.ty(out, *allocated),
                Op::Gep { source, .. } => *source = self.ty(out, *source),
                Op::Call { ty, attrs, .. } => {
                    *ty = self.ty(out, *ty);
                    *attrs = self.attr_list(out, *attrs);
                }
                _ => {}
            }
        }
        let attached = std::mem::take(&mut body.attached);
        for (inst, kind, node) in attached {
            body.attached.extend(self.attachment(out, kind, node).map(|(k, n)| (inst, k, n)));
        }
        let attached = std::mem::take(&mut body.attached_to_function);
        for (kind, node) in attached {
            body.attached_to_function.extend(self.attachment(out, kind, node));
        }
        Some(body)
    }

    fn attachment(&mut self, out: &mut Module, kind: u32, node: Meta) -> Option<(u32, Meta)> {
        let name = self.src.meta.kinds.get(kind as usize)?.clone();
        if &*name == DBG {
            return None;
        }
        let kind = out.meta.kind(&name);
        Some((kind, self.meta(out, node)?))
    }

    /// A piece of metadata. None for debug information and for functions and variables that are not there.
    pub fn meta(&mut self, out: &mut Module, meta: Meta) -> Option<Meta> {
        self.node(out, meta);
        while let Some((made, elems)) = self.tuples.pop() {
            elems.iter().flatten().for_each(|&e| self.node(out, e));
            let elems: Vec<_> = elems.iter().map(|e| e.and_then(|e| self.metas.get(&e).copied())).collect();
            out.meta.set_elems(made, &elems);
        }
        self.metas.get(&meta).copied()
    }

    /// A piece of metadata whose distinct nodes need not have their elements yet.
    fn node(&mut self, out: &mut Module, meta: Meta) {
        let (mut work, mut open) = (vec![meta], FxHashSet::default());
        let mut gone: FxHashSet<Meta> = FxHashSet::default();
        while let Some(&at) = work.last() {
            if self.metas.contains_key(&at) || gone.contains(&at) {
                work.pop();
                continue;
            }
            match &self.src.meta[at] {
                MetaNode::String(bytes) => {
                    let bytes = bytes.clone();
                    let made = out.meta.intern_node(MetaNode::String(bytes));
                    self.metas.insert(at, made);
                }
                &MetaNode::Value(value) => {
                    let there = match value {
                        Value::Func(f) => self.funcs.get(&f).copied().map(Value::Func),
                        Value::Global(g) => self.globals.get(&g).copied().map(Value::Global),
                        v => Some(self.value(out, v)),
                    };
                    match there {
                        Some(v) => drop(self.metas.insert(at, out.meta.value(v))),
                        None => drop(gone.insert(at)),
                    }
                }
                MetaNode::Debug { .. } => drop(gone.insert(at)),
                MetaNode::Node { distinct, elems } => {
                    let (distinct, elems) = (*distinct, elems.clone());
                    let first = open.insert(at);
                    if distinct {
                        // Known before its elements are: they may lead back to it.
                        let made = out.meta.distinct(&[]);
                        self.metas.insert(at, made);
                        self.tuples.push((made, elems));
                        continue;
                    }
                    let known = |e: &Meta| self.metas.contains_key(e) || gone.contains(e);
                    let missing: Vec<Meta> = elems.iter().flatten().filter(|e| !known(e)).copied().collect();
                    if first && !missing.is_empty() {
                        work.extend(missing);
                        continue;
                    }
                    let elems: Vec<_> = elems.iter().map(|e| e.and_then(|e| self.metas.get(&e).copied())).collect();
                    let made = out.meta.node(&elems);
                    self.metas.insert(at, made);
                }
            }
            work.pop();
        }
    }
}

/// What stands for a value that is not taken over.
fn nothing(out: &mut Module) -> Value {
    let ty = out.types.i32();
    out.undef(ty)
}

/// The types that a type is made of.
fn parts(kind: &TypeKind) -> Vec<Type> {
    match kind {
        TypeKind::Pointer { pointee: t, .. } | TypeKind::Array { elem: t, .. } | TypeKind::Vector { elem: t, .. } => vec![*t],
        TypeKind::Struct(f) => f.types.to_vec(),
        TypeKind::Named { body, .. } => body.iter().flat_map(|f| f.types.iter().copied()).collect(),
        TypeKind::Function { ret, params, .. } => params.iter().copied().chain([*ret]).collect(),
        _ => Vec::new(),
    }
}

/// Whether two types of two modules have the same layout and the same names. A structure that an earlier one had to make way
/// for counts by the name that it had: `S.1` is `S`.
pub fn same(a: &Module, x: Type, b: &Module, y: Type) -> bool {
    difference(a, x, b, y, |name| name).is_none()
}

/// Where two types differ: the innermost structures with names around a difference, or the types themselves. Names of structures are compared
/// as `plain` gives them.
pub fn difference(a: &Module, x: Type, b: &Module, y: Type, plain: fn(&str) -> &str) -> Option<(Type, Type)> {
    let (mut work, mut seen) = (vec![(x, y, (x, y))], FxHashSet::default());
    while let Some((x, y, around)) = work.pop() {
        if !seen.insert((x, y)) {
            continue;
        }
        let (p, q) = (&a.types[x], &b.types[y]);
        let both_named = matches!((p, q), (TypeKind::Named { .. }, TypeKind::Named { .. }));
        let around = if both_named { (x, y) } else { around };
        let alike = match (p, q) {
            (TypeKind::Pointer { space: s, .. }, TypeKind::Pointer { space: t, .. }) => s == t,
            (TypeKind::Array { len: s, .. }, TypeKind::Array { len: t, .. }) => s == t,
            (TypeKind::Vector { len: s, .. }, TypeKind::Vector { len: t, .. }) => s == t,
            (TypeKind::Struct(f), TypeKind::Struct(g)) => f.packed == g.packed,
            (TypeKind::Named { name: m, body: f }, TypeKind::Named { name: n, body: g }) => {
                stem(plain(m.as_deref().unwrap_or("anon"))) == stem(plain(n.as_deref().unwrap_or("anon")))
                    && f.as_ref().map(|f| f.packed) == g.as_ref().map(|g| g.packed)
            }
            (TypeKind::Function { vararg: s, .. }, TypeKind::Function { vararg: t, .. }) => s == t,
            (p, q) => p == q,
        };
        let (p, q) = (parts(p), parts(q));
        if !alike || p.len() != q.len() {
            return Some(around);
        }
        work.extend(p.into_iter().zip(q).map(|(x, y)| (x, y, around)));
    }
    None
}

/// A name without the number that sets structures of one name apart.
fn stem(name: &str) -> &str {
    match name.rsplit_once('.') {
        Some((stem, n)) if !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()) => stem,
        _ => name,
    }
}

/// Whether a function or variable is seen by its own module alone.
pub fn is_internal(linkage: Linkage) -> bool {
    matches!(linkage, Linkage::Internal | Linkage::Private)
}
