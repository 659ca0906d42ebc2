//! Static variables: memory of a library becomes variables of each shader.
//!
//! A library whose functions others call keeps its static variables as internal variables of the module, with initial values, and what
//! cannot be a constant is set up by functions that `llvm.global_ctors` lists. Once a shader has everything inlined, no other code sees its
//! variables: they move to its stack, and it calls those functions first.

use rustc_hash::FxHashSet;

use super::inline;
use rtc_dxil_container::recompute::rdat::is_external;
use rtc_dxil_container::recompute::uses::Uses;
use rtc_dxil_module::{Block, Builder, ConstKind, Func, Global, GlobalVar, InstData, Linkage, Module, Op, Tail, Type, TypeKind, Value};

/// The list of the functions that set variables up.
pub const LIST: &str = "llvm.global_ctors";

/// Whether a variable is a static one: each invocation has its own.
fn is_static(g: &GlobalVar) -> bool {
    matches!(g.linkage, Linkage::Internal | Linkage::Private) && !g.constant && g.space == 0 && g.init.is_some()
}

/// The functions that the list of a module names.
///
/// # Errors
/// Something else than functions with code, without parameters and results.
pub fn listed(m: &Module) -> Result<Vec<Func>, String> {
    let Some(list) = m.globals.values().find(|g| &*g.name == LIST).and_then(|g| g.init) else { return Ok(Vec::new()) };
    let parts = |v: Value| match v {
        Value::Const(c) => m.consts[c].kind.operands(),
        _ => &[],
    };
    let void = |f: Func| {
        m.types.signature(m.funcs[f].ty).is_some_and(|(ret, params, _)| params.is_empty() && matches!(m.types[ret], TypeKind::Void))
    };
    let mut out = Vec::new();
    for &entry in parts(list) {
        match parts(entry).get(1) {
            Some(&Value::Func(f)) if m.funcs[f].body.is_some() && void(f) => out.push(f),
            Some(Value::Const(c)) if m.consts[*c].kind == ConstKind::Null => {}
            _ => return Err(format!("its list of functions that set up static variables (`{LIST}`) is malformed")),
        }
    }
    Ok(out)
}

/// Adds the list to a module.
pub fn list(m: &mut Module, funcs: &[Func]) {
    let Some(&first) = funcs.first() else { return };
    let (i32, i8) = (m.types.i32(), m.types.int(8));
    let (data, function) = (m.types.ptr(i8), m.types.ptr(m.funcs[first].ty));
    let entry = m.types.anon_struct(&[i32, function, data]);
    // The priority that initialisers without one have.
    let (priority, null) = (m.i32(65535), m.null(data));
    let entries: Vec<Value> = funcs.iter().map(|&f| m.aggregate(entry, &[priority, Value::Func(f), null])).collect();
    let ty = m.types.array(entry, entries.len() as u64);
    let init = m.aggregate(ty, &entries);
    let g = m.add_global(LIST, ty, false);
    (m.globals[g].linkage, m.globals[g].init) = (Linkage::Appending, Some(init));
}

/// What a function and what it calls use of static variables.
pub fn reached(m: &Module, uses: &Uses, func: Func) -> FxHashSet<Global> {
    let (mut out, mut seen, mut work) = (FxHashSet::default(), FxHashSet::default(), vec![func]);
    while let Some(f) = work.pop() {
        if seen.insert(f) {
            out.extend(uses.globals[f].iter().copied().filter(|&g| is_static(&m.globals[g])));
            work.extend(uses.funcs[f].iter().copied().filter(|&c| m.funcs[c].body.is_some()));
        }
    }
    out
}

/// The functions of the list that give `statics` their values.
pub fn needed(m: &Module, uses: &Uses, listed: &[Func], statics: &FxHashSet<Global>) -> Vec<Func> {
    let sets = |f: &Func| reached(m, uses, *f).iter().any(|g| statics.contains(g));
    listed.iter().copied().filter(sets).collect()
}

/// Gives the shaders, whose calls are inlined, static variables of their own.
///
/// # Errors
/// See [`inline::inline`].
pub fn own(m: &mut Module, shaders: &[Func]) -> Result<Vec<Func>, inline::Trouble> {
    let uses = Uses::new(m);
    let set_up = listed(m).unwrap_or_default();
    let mut out = Vec::new();
    for &shader in shaders {
        let whole = m.funcs[shader].body.is_some() && uses.funcs[shader].iter().all(|&c| m.funcs[c].body.is_none() && !is_external(m, c));
        if !whole {
            continue;
        }
        let statics = reached(m, &uses, shader);
        if statics.is_empty() {
            continue;
        }
        out.push(shader);
        let void = m.types.void();
        let first = needed(m, &uses, &set_up, &statics);
        let types: Vec<Type> = first.iter().map(|&f| m.funcs[f].ty).collect();
        let Some(body) = &mut m.funcs[shader].body else { continue };
        let mut calls = Vec::new();
        for (&f, ty) in first.iter().zip(types) {
            let args = body.list(&[]);
            let op = Op::Call { callee: Value::Func(f), ty, attrs: None.into(), args, cc: 0, tail: Tail::No };
            calls.push(body.insts.push(InstData { op, ty: void, loc: None.into() }));
        }
        if let Some(entry) = body.blocks.values_mut().next() {
            entry.splice(0..0, calls);
        }
    }
    if !set_up.is_empty() && !out.is_empty() {
        inline::inline(m, |_, f| set_up.contains(&f))?;
    }
    for &shader in &out {
        localise(m, shader);
    }
    Ok(out)
}

/// Moves the static variables that a function uses to its stack.
fn localise(m: &mut Module, func: Func) {
    let Some(body) = &m.funcs[func].body else { return };
    let Some(entry) = body.blocks.keys().next() else { return };
    let mut used: Vec<Value> = Vec::new();
    let mut seen = FxHashSet::default();
    for &i in body.blocks.values().flatten() {
        body.operands(i, |v| {
            if matches!(v, Value::Global(_) | Value::Const(_)) && seen.insert(v) && mentions(m, v) {
                used.push(v);
            }
        });
    }
    let Some(body) = &mut m.funcs[func].body else { return };
    // The new code goes before the rest of the entry block.
    let rest = std::mem::take(&mut body.blocks[entry]);
    let mut stack = Stack { m, func, entry, places: Vec::new() };
    let places: Vec<(Value, Value)> = used.into_iter().map(|v| (v, stack.address(v, 0))).collect();
    let places: rustc_hash::FxHashMap<Value, Value> = places.into_iter().collect();
    let Some(body) = &mut m.funcs[func].body else { return };
    body.blocks[entry].extend(rest);
    body.map_values(|v| places.get(&v).copied().unwrap_or(v));
}

/// Whether a value is a static variable or an address in one.
fn mentions(m: &Module, v: Value) -> bool {
    // Without recursion: constants can nest as deeply as a file has bytes.
    let mut work = vec![v];
    while let Some(v) = work.pop() {
        match v {
            Value::Global(g) if is_static(&m.globals[g]) => return true,
            Value::Const(c) => work.extend_from_slice(m.consts[c].kind.operands()),
            _ => {}
        }
    }
    false
}

/// Addresses that nest deeper than this stay as they are.
const DEPTH: u32 = 64;

/// The variables of one function that were static ones.
struct Stack<'a> {
    m: &'a mut Module,
    func: Func,
    entry: Block,
    places: Vec<(Value, Value)>,
}

impl Stack<'_> {
    /// The address for a variable, or for a constant expression of one.
    fn address(&mut self, v: Value, depth: u32) -> Value {
        if depth > DEPTH {
            return v;
        }
        if let Some(known) = self.places.iter().find(|p| p.0 == v) {
            return known.1;
        }
        let made = match v {
            Value::Global(g) if is_static(&self.m.globals[g]) => self.variable(g),
            Value::Const(c) if mentions(self.m, v) => {
                let data = self.m.consts[c].clone();
                match data.kind {
                    ConstKind::Cast { op, value } => {
                        let value = self.address(value, depth + 1);
                        self.with(|b| b.cast(op, value, data.ty))
                    }
                    ConstKind::Gep { inbounds, operands, .. } => {
                        let all: Vec<Value> = operands.iter().map(|&o| self.address(o, depth + 1)).collect();
                        match all.split_first() {
                            Some((&base, indices)) => self.with(|b| b.gep(inbounds, base, indices)),
                            None => v,
                        }
                    }
                    // The address of a variable as a number: nothing that a shader has.
                    _ => v,
                }
            }
            _ => return v,
        };
        self.places.push((v, made));
        made
    }

    fn with(&mut self, f: impl FnOnce(&mut Builder) -> Value) -> Value {
        match self.m.edit(self.func, self.entry) {
            Some(mut b) => f(&mut b),
            None => rtc_base::bug!("a shader without code"),
        }
    }

    /// A variable on the stack with the initial value of `g`.
    fn variable(&mut self, g: Global) -> Value {
        let GlobalVar { ty, align, init, .. } = self.m.globals[g].clone();
        let mut parts = Vec::new();
        if let Some(init) = init {
            scalars(self.m, ty, init, &mut vec![0], &mut parts);
        }
        let indices: Vec<Vec<Value>> = parts.iter().map(|(path, _)| path.iter().map(|&n| self.m.i32(n as i32)).collect()).collect();
        self.with(|b| {
            let to = b.alloca(ty, align);
            for ((_, value), path) in parts.iter().zip(indices) {
                let at = if path.len() == 1 { to } else { b.gep(true, to, &path) };
                b.store(*value, at, align);
            }
            to
        })
    }
}

/// The scalars of a constant, each with its path in the variable. What is undefined is left out.
fn scalars(m: &mut Module, ty: Type, value: Value, path: &mut Vec<u32>, out: &mut Vec<(Vec<u32>, Value)>) {
    let Value::Const(c) = value else { return out.push((path.clone(), value)) };
    let count = match &m.types[ty] {
        TypeKind::Array { len, .. } => *len as usize,
        // A vector is one value.
        TypeKind::Vector { .. } => 0,
        _ => m.types.fields(ty).map_or(0, |f| f.types.len()),
    };
    let kind = m.consts[c].kind.clone();
    if kind == ConstKind::Undef {
        return;
    }
    if count == 0 {
        return out.push((path.clone(), value));
    }
    for n in 0..count {
        let Some(part) = m.types.element(ty, n as u64) else { return };
        let value = match &kind {
            ConstKind::Aggregate(all) => all.get(n).copied(),
            ConstKind::Data(bits) => bits
                .get(n)
                .map(|&b| match m.types[part] {
                    TypeKind::Int(_) => m.consts.int(&m.types, part, b as i64),
                    _ => m.consts.float_bits(part, b),
                })
                .map(Value::Const),
            _ => Some(m.null(part)),
        };
        let Some(value) = value else { return };
        path.push(n as u32);
        scalars(m, part, value, path, out);
        path.pop();
    }
}
