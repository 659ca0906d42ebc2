//! Interprocedural facts that lowering requires: reachable functions, modified parameters, counters and coherence of resources.
//!
//! One walk over the trees of all functions that entry points and exports reach collects them.

use rtc_base::{EntitySet, SecondaryMap};
use rtc_tables::intrinsics::{Expander, Lower};
use rtc_tables::resources::ResourceFlags;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::hir::{Arg, Body, ExprId, ExprKind, FuncId, GlobalId, GlobalKind, LocalId, Module, Pass, Resource, StmtId, Ty};

/// The root of an l-value expression.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LValueRoot {
    /// A variable or parameter.
    Local(LocalId),
    /// The object of the method.
    This,
    /// Anything else.
    Other,
}

/// Facts about one function.
#[derive(Clone, Default)]
struct FuncFacts {
    calls: Vec<FuncId>,
    globals: Vec<GlobalId>,
    modified: EntitySet<LocalId>,
    /// Variables that the function gives to another one, which may write them: the variable, the function, and the number of the parameter.
    given: Vec<(LocalId, FuncId, usize)>,
    /// Variables that the function writes itself.
    assigned: EntitySet<LocalId>,
    modifies_this: bool,
}

/// See the module's documentation.
#[derive(Default)]
pub struct Facts {
    funcs: SecondaryMap<FuncId, FuncFacts>,
    reached: EntitySet<FuncId>,
    called: EntitySet<FuncId>,
    globals: EntitySet<GlobalId>,
    /// Those that a function writes.
    written: EntitySet<GlobalId>,
    counters: FxHashSet<Ty>,
    atomic64: FxHashSet<Ty>,
    /// Coherence that resources of a type (with none) have, because variables of it refer to several.
    coherence: FxHashMap<Resource, ResourceFlags>,
    /// Variables that the functions of each entry point and exported function use.
    of_entry: FxHashMap<FuncId, Vec<GlobalId>>,
}

impl Facts {
    /// The facts of a module.
    pub fn of(m: &Module) -> Facts {
        let mut out = Facts::default();
        let mut todo: Vec<FuncId> =
            m.funcs.iter().filter(|(_, f)| f.is_defined() && (f.is_entry() || f.exported)).map(|(id, _)| id).collect();
        todo.extend(m.shader_functions().filter(|f| f.0 != f.1).map(|f| f.0));
        while let Some(id) = todo.pop() {
            if !out.reached.insert(id) {
                continue;
            }
            let facts = out.scan(m, &m.funcs[id].body, m.funcs[id].body.root);
            for &c in &facts.calls {
                out.called.insert(c);
                todo.push(c);
            }
            let mut globals = facts.globals.clone();
            while let Some(g) = globals.pop() {
                if out.globals.insert(g)
                    && let Some(init) = code_of(m, g)
                {
                    let inner = out.scan_expr(m, &m.inits, init);
                    for &c in &inner.calls {
                        out.called.insert(c);
                        todo.push(c);
                    }
                    globals.extend(inner.globals);
                }
            }
            out.funcs[id] = facts;
        }
        out.entry_globals(m);
        out.unify_coherence(m);
        out
    }

    /// Whether an entry point or export needs `f`.
    pub fn is_reached(&self, f: FuncId) -> bool {
        self.reached.contains(f)
    }
    /// Whether a reached function calls `f`.
    pub fn is_called(&self, f: FuncId) -> bool {
        self.called.contains(f)
    }
    /// Whether a reached function uses `g`.
    pub fn uses_global(&self, g: GlobalId) -> bool {
        self.globals.contains(g)
    }
    /// Whether `f` may write its variable `l`.
    pub fn is_modified(&self, f: FuncId, l: LocalId) -> bool {
        self.funcs[f].modified.contains(l)
    }
    /// Whether `f`, or a function that gets it, assigns to its variable `l`.
    pub fn is_assigned(&self, m: &Module, f: FuncId, l: LocalId) -> bool {
        let (mut todo, mut seen) = (vec![(f, l)], FxHashSet::default());
        while let Some((f, l)) = todo.pop() {
            if !seen.insert((f, l)) {
                continue;
            }
            if self.funcs[f].assigned.contains(l) {
                return true;
            }
            let given = self.funcs[f].given.iter().filter(|g| g.0 == l);
            todo.extend(given.filter_map(|&(_, callee, n)| Some((callee, m.funcs[callee].params.get(n)?.local))));
        }
        false
    }
    /// Whether a function may write `g`.
    pub fn is_written(&self, g: GlobalId) -> bool {
        self.written.contains(g)
    }
    /// Whether `f` may write its object.
    pub fn modifies_this(&self, f: FuncId) -> bool {
        self.funcs[f].modifies_this
    }
    /// Whether the shader uses the hidden counters of buffers of this type.
    pub fn has_counter(&self, t: Ty) -> bool {
        self.counters.contains(&t)
    }
    /// The coherence that all resources of this type have in addition to their own.
    pub fn coherence(&self, r: Resource) -> ResourceFlags {
        let found = self.coherence.get(&incoherent(r)).copied();
        found.unwrap_or(ResourceFlags::empty())
    }
    /// Whether the shader works on resources of this type with 64-bit atomics.
    pub fn has_atomic64(&self, t: Ty) -> bool {
        self.atomic64.contains(&t)
    }
    /// The variables that entry point or exported function `f` and what it calls use, in source order.
    pub fn globals_of_entry(&self, f: FuncId) -> &[GlobalId] {
        self.of_entry.get(&f).map_or(&[], |v| v)
    }
    fn scan(&mut self, m: &Module, body: &Body, root: Option<StmtId>) -> FuncFacts {
        let mut facts = FuncFacts::default();
        let mut exprs = Vec::new();
        let mut stmts: Vec<StmtId> = root.into_iter().collect();
        while let Some(s) = stmts.pop() {
            body.parts(s, &mut exprs, &mut stmts);
        }
        for e in exprs.into_iter().chain(body.clip_planes.iter().copied()) {
            self.visit(m, body, e, &mut facts);
        }
        facts
    }

    fn scan_expr(&mut self, m: &Module, body: &Body, e: ExprId) -> FuncFacts {
        let mut facts = FuncFacts::default();
        self.visit(m, body, e, &mut facts);
        facts
    }

    fn visit(&mut self, m: &Module, body: &Body, e: ExprId, facts: &mut FuncFacts) {
        let mut writes = Vec::new();
        walk(body, e, &mut |e| match body.exprs[e].kind {
            ExprKind::Global(g) => facts.globals.push(g),
            ExprKind::Assign(to, _) | ExprKind::Update { to, .. } => writes.push(to),
            ExprKind::Call { func, this, args } => {
                facts.calls.push(func);
                // A method changes its object unless it promises not to.
                let changes = m.funcs[func].method.is_some_and(|x| !x.is_const);
                writes.extend(this.filter(|_| changes));
                for (n, arg) in body.list(args).iter().enumerate().filter(|a| a.1.pass != Pass::In) {
                    match root_of(body, arg.expr) {
                        LValueRoot::Local(l) => {
                            facts.modified.insert(l);
                            facts.given.push((l, func, n));
                        }
                        _ => writes.push(arg.expr),
                    }
                }
            }
            ExprKind::Intrinsic { row, object, args } => {
                match row.lowers {
                    Lower::Expand(Expander::HitSetIndex) => writes.extend(object),
                    Lower::Expand(Expander::Counter(_) | Expander::Append | Expander::Consume) => {
                        self.counters.extend(object.map(|o| body.exprs[o].ty));
                    }
                    Lower::Expand(Expander::Atomic(_) | Expander::RawAtomic(_)) => {
                        let wide = |a: &Arg| m.types.elem(a.ty).is_some_and(|s| s.bits() == 64);
                        if body.list(args).iter().any(wide) {
                            let lvalue = body.list(args).first().map(|a| a.expr);
                            let buffer = object.or(lvalue.and_then(|p| buffer_of(body, p)));
                            self.atomic64.extend(buffer.map(|b| body.exprs[b].ty));
                        }
                    }
                    _ => {}
                }
                writes.extend(body.list(args).iter().filter(|a| a.pass != Pass::In).map(|a| a.expr));
            }
            _ => {}
        });
        for w in writes {
            match root_of(body, w) {
                LValueRoot::Local(l) => {
                    facts.modified.insert(l);
                    facts.assigned.insert(l);
                }
                LValueRoot::This => facts.modifies_this = true,
                LValueRoot::Other => {
                    if let ExprKind::Global(g) = body.exprs[root_expr(body, w)].kind {
                        self.written.insert(g);
                    }
                }
            }
        }
    }

    fn entry_globals(&mut self, m: &Module) {
        let exported = m.funcs.iter().filter(|(_, f)| f.exported && !f.is_entry()).map(|(id, _)| id);
        let roots: EntitySet<FuncId> = m.shader_functions().map(|f| f.0).chain(exported).collect();
        for entry in m.funcs.keys().filter(|&f| roots.contains(f) && m.funcs[f].is_defined()) {
            let mut seen: EntitySet<FuncId> = EntitySet::new();
            let mut globals: EntitySet<GlobalId> = EntitySet::new();
            let mut todo = vec![entry];
            while let Some(f) = todo.pop() {
                if !seen.insert(f) {
                    continue;
                }
                todo.extend(self.funcs[f].calls.iter().copied());
                let mut more = self.funcs[f].globals.clone();
                while let Some(g) = more.pop() {
                    if globals.insert(g)
                        && let Some(init) = code_of(m, g)
                    {
                        let inner = self.scan_expr(m, &m.inits, init);
                        todo.extend(inner.calls);
                        more.extend(inner.globals);
                    }
                }
            }
            let list = m.globals.keys().filter(|&g| globals.contains(g)).collect();
            self.of_entry.insert(entry, list);
        }
    }

    /// The language lets a coherent resource be passed where a plain one is expected. Where variables or
    /// parameters and declared resources differ in nothing else, all of them become coherent.
    fn unify_coherence(&mut self, m: &Module) {
        let resource = |t: Ty| m.types.as_resource(m.types.strip_arrays(t).0);
        let mut of_vars: FxHashMap<Resource, ResourceFlags> = FxHashMap::default();
        for (_, f) in m.funcs.iter().filter(|(id, _)| self.reached.contains(*id)) {
            let types = f.body.locals.values().map(|l| l.ty).chain([f.ret]);
            for r in types.filter_map(resource) {
                *of_vars.entry(incoherent(r)).or_insert(ResourceFlags::empty()) |= r.flags & COHERENCE;
            }
        }
        for g in m.globals.keys().filter(|&g| self.globals.contains(g)) {
            if let Some(r) = resource(m.globals[g].ty)
                && let Some(flags) = of_vars.get_mut(&incoherent(r))
            {
                *flags |= r.flags & COHERENCE;
            }
        }
        of_vars.retain(|_, f| !f.is_empty());
        self.coherence = of_vars;
    }
}

/// The flags that do not change the operations of a resource.
const COHERENCE: ResourceFlags = ResourceFlags::COHERENT.union(ResourceFlags::REORDER_COHERENT);

fn incoherent(r: Resource) -> Resource {
    Resource { flags: r.flags - COHERENCE, ..r }
}

/// The initialiser of a variable if it is not a constant.
pub fn code_of(m: &Module, g: GlobalId) -> Option<ExprId> {
    match &m.globals[g].kind {
        GlobalKind::Static { init, value: None, .. } => *init,
        _ => None,
    }
}

/// The expression that an l-value expression is or is in.
fn root_expr(body: &Body, mut e: ExprId) -> ExprId {
    while let Some(whole) = body.whole_of(e) {
        e = whole;
    }
    e
}

/// The root of an l-value expression.
pub fn root_of(body: &Body, e: ExprId) -> LValueRoot {
    match body.exprs[root_expr(body, e)].kind {
        ExprKind::Local(l) => LValueRoot::Local(l),
        ExprKind::This => LValueRoot::This,
        _ => LValueRoot::Other,
    }
}

/// The resource that an l-value is in.
fn buffer_of(body: &Body, e: ExprId) -> Option<ExprId> {
    let e = root_expr(body, e);
    match body.exprs[e].kind {
        ExprKind::Element(b, _) | ExprKind::Texel(b, ..) => Some(b),
        _ => None,
    }
}

/// The direct operands of `e`.
pub fn children(body: &Body, e: ExprId, f: &mut dyn FnMut(ExprId)) {
    body.for_each_operand(e, f);
    body.for_each_conversion(e, f);
}

/// Calls `f` with `e` and everything inside it.
pub fn walk(body: &Body, e: ExprId, f: &mut dyn FnMut(ExprId)) {
    let mut todo = vec![e];
    while let Some(e) = todo.pop() {
        f(e);
        children(body, e, &mut |c| todo.push(c));
    }
}
