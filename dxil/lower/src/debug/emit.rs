//! The debug module: a copy of the finished module with debug information added.

use rtc_base::{EntityRef, PackedOption, SecondaryMap};
use rtc_ir::debug::{Debug, Site, Var};
use rtc_ir::{self as ir};
use rustc_hash::FxHashMap;

use super::DebugInput;
use super::locations::{Locations, Sites};
use super::nodes::{Cx, Nodes};
use super::plan::{Component, Plan};
use super::variables::{Expressions, VariableValue, Variables};
use crate::Lowered;
use rtc_dxil_container::metadata::debug_records::{declare_intrinsic, opt, push, text, value_intrinsic};
use rtc_dxil_container::vers::PRODUCER;
use rtc_dxil_module::{Block, Body, ConstKind, DebugLoc, DebugNode as Node, Func, Inst, Loc, Meta, Module, Op, Tail, Value};

/// The intrinsics that describe variables.
struct Intrinsics {
    value: Func,
    declare: Func,
}

/// The debug module of `m`, which has become `lowered`.
pub fn emit(m: &ir::Module, lowered: &Lowered, input: &DebugInput) -> Module {
    let mut out = lowered.module.clone();
    let empty = ir::debug::Program::default();
    let program = m.debug.as_deref().unwrap_or(&empty);
    let mut locations = Locations::new(&mut out, input.places, program, &input.sources.main);
    let mut nodes = Nodes::default();
    let mut cx = Cx { out: &mut out, program, locations: &mut locations };
    for plan in &lowered.plans {
        if let Some(d) = m.funcs[plan.source].debug.as_deref()
            && let Some(sub) = d.sub.expand()
        {
            nodes.sub(&mut cx, sub, Some(Value::Func(plan.func)));
        }
    }
    for plan in &lowered.plans {
        let sites = m.funcs[plan.source].debug.iter().flat_map(|d| d.sites.values());
        for sub in sites.filter_map(|s| s.sub.expand()) {
            nodes.sub(&mut cx, sub, None);
        }
    }
    let intrinsics = Intrinsics { declare: declare_intrinsic(cx.out), value: value_intrinsic(cx.out) };
    let mut expressions = Expressions::default();
    for plan in &lowered.plans {
        let f = &m.funcs[plan.source];
        let Some(debug) = f.debug.as_deref() else { continue };
        let mut body = cx.out.funcs[plan.func].body.take().unwrap_or_default();
        let mut w = FunctionWriter {
            f,
            debug,
            plan,
            sites: Sites::new(debug),
            variables: Variables::new(program, debug),
            nodes: FxHashMap::default(),
            locs: FxHashMap::default(),
            locals: FxHashMap::default(),
            intrinsics: &intrinsics,
            expressions: &mut expressions,
        };
        w.positions(&mut cx, &mut body);
        w.say(&mut cx, &mut nodes, &mut body);
        cx.out.funcs[plan.func].body = Some(body);
    }
    // The unit comes after its functions, which newer readers look up in it, and before its variables, which name it.
    let subs = tuple(cx.out, &nodes.subs);
    let (main, producer) = (opt(Some(cx.locations.main)), text(cx.out, PRODUCER));
    const CPP: u64 = 4;
    let mut fields = [1, CPP, main, producer, 0, 0, 0, 0, 1, 0, 0, subs, 0, 0, 0];
    let unit = push(cx.out, Node::CompileUnit, &fields);
    let homes = homes(cx.out);
    for g in &program.globals {
        nodes.global(&mut cx, g, unit, homes.get(g.symbol.as_str()).copied());
    }
    (fields[9], fields[12]) = (tuple(cx.out, &nodes.enums), tuple(cx.out, &nodes.globals));
    out.meta.set_debug(unit, &fields);
    named(&mut out, unit, input);
    out
}

fn tuple(out: &mut Module, list: &[Meta]) -> u64 {
    let list: Vec<Option<Meta>> = list.iter().copied().map(Some).collect();
    opt(Some(out.meta.node(&list)))
}

/// The named metadata, before that of the module: unit, flags, sources.
fn named(out: &mut Module, unit: Meta, input: &DebugInput) {
    let before = std::mem::take(&mut out.meta.named);
    out.meta.add_named("llvm.dbg.cu", unit);
    for (flag, value) in [("Dwarf Version", 4), ("Debug Info Version", 3)] {
        // Modules that are linked and do not agree are an error: 2.
        let (two, name, value) = (out.meta_i32(2), out.meta.string(flag), out.meta_i32(value));
        let node = out.meta.node(&[Some(two), Some(name), Some(value)]);
        out.meta.add_named("llvm.module.flags", node);
    }
    let producer = out.meta.string(PRODUCER);
    let node = out.meta.node(&[Some(producer)]);
    out.meta.add_named("llvm.ident", node);
    let s = input.sources;
    for (name, contents) in &s.files {
        let pair = [Some(out.meta.string(name)), Some(out.meta.string(contents))];
        let node = out.meta.node(&pair);
        out.meta.add_named("dx.source.contents", node);
    }
    for (name, list) in [
        ("dx.source.defines", s.defines.as_slice()),
        ("dx.source.mainFileName", std::slice::from_ref(&s.main)),
        ("dx.source.args", s.args.as_slice()),
    ] {
        let strings: Vec<Option<Meta>> = list.iter().map(|t| Some(out.meta.string(t))).collect();
        let node = out.meta.node(&strings);
        out.meta.add_named(name, node);
    }
    out.meta.named.extend(before);
}

/// The variables of the module by name.
fn homes(out: &Module) -> FxHashMap<String, Value> {
    out.globals.iter().map(|(g, v)| (v.name.to_string(), Value::Global(g))).collect()
}

/// Writes the debug information of one function.
struct FunctionWriter<'w, 'a> {
    f: &'a ir::Function,
    debug: &'a Debug,
    plan: &'a Plan,
    sites: Sites,
    variables: Variables<'a>,
    /// The nodes of variables, and where they are declared.
    nodes: FxHashMap<Var, Option<(Meta, PackedOption<Loc>)>>,
    locs: FxHashMap<DebugLoc, Loc>,
    /// Arguments and instructions as metadata.
    locals: FxHashMap<Value, u32>,
    intrinsics: &'w Intrinsics,
    expressions: &'w mut Expressions,
}

impl<'a> FunctionWriter<'_, 'a> {
    /// Gives every instruction its position.
    fn positions(&mut self, cx: &mut Cx<'_, 'a>, body: &mut Body) {
        let mut made: SecondaryMap<ir::Inst, Option<PackedOption<Loc>>> = SecondaryMap::new();
        let mut from = self.plan.origins.iter().peekable();
        let mut origin: Option<ir::Inst> = None;
        let mut last: Option<Site> = None;
        for n in 0..body.insts.len() {
            while let Some(&&(start, i)) = from.peek()
                && start as usize <= n
            {
                origin = i.expand();
                from.next();
            }
            let inst = Inst::new(n);
            let Some(i) = origin else { continue };
            if matches!(body.insts[inst].op, Op::Alloca { .. } | Op::Phi(_)) {
                continue;
            }
            if made[i].is_none() {
                let span = self.f.spans[i];
                let site = cx.locations.site(self.debug, self.debug.inlined[i].expand(), span, last);
                last = site;
                let loc = self.loc(cx, body, site, span);
                made[i] = Some(loc.into());
            }
            body.insts[inst].loc = made[i].unwrap_or_default();
        }
    }

    /// A position in what was inlined at `site`.
    fn loc(&mut self, cx: &mut Cx<'_, 'a>, body: &mut Body, site: Option<Site>, span: rtc_base::Span) -> Option<Loc> {
        let sub = site.map_or(self.debug.sub, |s| self.debug.sites[s].sub).expand()?;
        let at = self.sites.node(cx.out, cx.locations, self.debug, site);
        let loc = cx.locations.loc(cx.out, sub, span, at)?;
        Some(*self.locs.entry(loc).or_insert_with(|| body.locs.push(loc)))
    }

    /// The node of a variable and the position of its declaration.
    fn variable(&mut self, cx: &mut Cx<'_, 'a>, nodes: &mut Nodes, body: &mut Body, var: Var) -> Option<(Meta, Loc)> {
        if let Some(known) = self.nodes.get(&var) {
            return known.and_then(|(node, loc)| Some((node, loc.expand()?)));
        }
        let data = &self.debug.vars[var];
        let made = data.debug_ty.expand().and_then(|ty| {
            let site = data.site.expand();
            let ty = nodes.ty(cx, ty);
            // A variable of the whole program counts as a parameter, wherever it was declared.
            let global = data.name.starts_with("global.");
            let sub = site.map_or(self.debug.sub, |s| self.debug.sites[s].sub).expand()?;
            let at = self.sites.node(cx.out, cx.locations, self.debug, site);
            let line = cx.locations.line(cx.out, data.span);
            let mut fields = self.variables.fields(cx.out, var, line, ty);
            let loc = if global || data.name == "this" && data.arg == 1 {
                let scope = *cx.locations.subs.get(&sub)?;
                DebugLoc { line: line.1, column: 0, scope: Some(scope), inlined_at: at }
            } else {
                cx.locations.loc(cx.out, sub, data.span, at)?
            };
            fields[2] = opt(loc.scope);
            let node = nodes.variable(cx.out, &fields);
            let loc = *self.locs.entry(loc).or_insert_with(|| body.locs.push(loc));
            Some((node, Some(loc).into()))
        });
        self.nodes.insert(var, made);
        made.and_then(|(node, loc)| Some((node, loc.expand()?)))
    }

    /// Inserts the debug information of variables into the code.
    fn say(&mut self, cx: &mut Cx<'_, 'a>, nodes: &mut Nodes, body: &mut Body) {
        let mut calls: FxHashMap<(Block, PackedOption<Inst>), Vec<Inst>> = FxHashMap::default();
        let mut changed: Vec<Var> = Vec::new();
        for change in &self.plan.changes {
            let key = (change.block, change.after);
            for held in self.variables.change(&change.what, &change.value) {
                if let Some(i) = self.value(cx, nodes, body, &held) {
                    changed.push(held.var);
                    calls.entry(key).or_default().push(i);
                }
            }
        }
        let Some(entry) = body.blocks.keys().next() else { return };
        let mut declared = Vec::new();
        for room in &self.plan.memory {
            for (var, bits, dims) in self.variables.memory_of(room) {
                if room.copy && changed.contains(&var) {
                    continue;
                }
                let Some((node, loc)) = self.variable(cx, nodes, body, var) else { continue };
                let address = self.local(body, room.address);
                let expression = self.expressions.of(cx.out, bits);
                let args = [address, Value::Meta(node), Value::Meta(expression)];
                let i = call(cx.out, body, self.intrinsics.declare, &args, loc);
                if !dims.is_empty() {
                    let layout = layout(cx.out, bits.offset(), &dims);
                    let kind = cx.out.meta.kind("dx.dbg.varlayout");
                    body.attach(i, kind, layout);
                }
                // What an operation gives is there after it, in the entry block as well.
                match room.address {
                    Value::Inst(at) if matches!(body.insts[at].op, Op::Call { .. }) => {
                        calls.entry((entry, Some(at).into())).or_default().push(i)
                    }
                    _ => declared.push(i),
                }
            }
        }
        // Allocas are at the very start of the code.
        for block in body.blocks.keys().collect::<Vec<_>>() {
            let old = std::mem::take(&mut body.blocks[block]);
            let mut new = Vec::with_capacity(old.len());
            let mut start = calls.remove(&(block, None.into())).unwrap_or_default();
            if block == entry {
                start.splice(0..0, declared.drain(..));
            }
            for i in old {
                if !start.is_empty() && !matches!(body.insts[i].op, Op::Alloca { .. } | Op::Phi(_)) {
                    new.append(&mut start);
                }
                new.push(i);
                match calls.remove(&(block, Some(i).into())) {
                    // After all phis and allocas.
                    Some(list) if matches!(body.insts[i].op, Op::Alloca { .. } | Op::Phi(_)) => start.extend(list),
                    Some(list) => new.extend(list),
                    None => {}
                }
            }
            new.append(&mut start);
            body.blocks[block] = new;
        }
    }

    /// An argument or instruction as metadata.
    fn local(&mut self, body: &mut Body, v: Value) -> Value {
        Value::LocalMeta(*self.locals.entry(v).or_insert_with(|| {
            body.local_meta.push(v);
            body.local_meta.len() as u32 - 1
        }))
    }

    /// The call that says what a part of a variable holds.
    fn value(&mut self, cx: &mut Cx<'_, 'a>, nodes: &mut Nodes, body: &mut Body, held: &VariableValue) -> Option<Inst> {
        let (node, loc) = self.variable(cx, nodes, body, held.var)?;
        let value = match held.value {
            Component::Value(Value::Const(c)) => {
                let constant = match cx.out.consts[c].kind {
                    // An unused parameter.
                    ConstKind::Undef => cx.out.undef(cx.out.consts[c].ty),
                    _ => Value::Const(c),
                };
                Value::Meta(cx.out.meta.value(constant))
            }
            Component::Value(v @ (Value::Inst(_) | Value::Arg(_))) => self.local(body, v),
            Component::Value(_) => return None,
            Component::Const(s, bits) => {
                let ty = crate::scalar_type(cx.out, s);
                let c = if s.is_float() { cx.out.consts.float_bits(ty, bits) } else { cx.out.consts.int(&cx.out.types, ty, bits as i64) };
                Value::Meta(cx.out.meta.value(Value::Const(c)))
            }
            Component::Unknown => {
                let ty = cx.out.types.i32();
                let undef = cx.out.undef(ty);
                Value::Meta(cx.out.meta.value(undef))
            }
        };
        let expression = self.expressions.of(cx.out, held.bits);
        let zero = cx.out.const_int(64, 0);
        let args = [value, zero, Value::Meta(node), Value::Meta(expression)];
        Some(call(cx.out, body, self.intrinsics.value, &args, loc))
    }
}

/// Makes a call that is in no block yet.
fn call(out: &mut Module, body: &mut Body, callee: Func, args: &[Value], loc: Loc) -> Inst {
    let (ty, void) = (out.funcs[callee].ty, out.types.void());
    let args = body.list(args);
    let op = Op::Call { callee: Value::Func(callee), ty, attrs: None.into(), args, cc: 0, tail: Tail::No };
    body.insts.push(rtc_dxil_module::InstData { op, ty: void, loc: Some(loc).into() })
}

/// Where the first element is in the variable, then the distance of elements and how many, in bits.
fn layout(out: &mut Module, offset: u64, dims: &[(u64, u64)]) -> Meta {
    let mut fields = vec![Some(out.meta_i32(offset as i32))];
    for &(stride, count) in dims {
        fields.extend([Some(out.meta_i32(stride as i32)), Some(out.meta_i32(count as i32))]);
    }
    out.meta.node(&fields)
}
