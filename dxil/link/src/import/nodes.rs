//! Collects the debug-information nodes that are reachable from the code of some functions, in their order.
//!
//! Nodes refer to each other in circles, so all of them are made first, empty, and filled in when everything else is there. Of a
//! compile unit's functions and variables those come along that the code has.
//!
//! Readers look for some things in front of what names them: LLVM 3.7 for strings, newer ones for values, for the functions of a unit
//! and for their list. So strings and values come first, and units and their lists last.

use rustc_hash::{FxHashMap, FxHashSet};

use super::Importer;
use crate::debug_info::{UNIT, UNITS, unit_list, value};
use rtc_dxil_container::metadata::debug_nodes::{self, Rest, Shape};
use rtc_dxil_container::metadata::debug_records::opt;
use rtc_dxil_module::{Func, Global, Meta, MetaNode, Module, Value};

/// Named metadata of debug information besides the units: texts, arguments, flags.
const NAMED: [&str; 5] = ["llvm.module.flags", "dx.source.contents", "dx.source.defines", "dx.source.mainFileName", "dx.source.args"];

/// What comes along of a module's debug information.
#[derive(Default)]
pub struct Nodes {
    /// Nodes, and what they have become; to be filled in.
    open: Vec<(Meta, Meta)>,
    units: Vec<Meta>,
    /// What lists of units have become.
    lists: FxHashMap<Meta, Meta>,
}

/// Finds what is needed.
struct Walk<'m> {
    m: &'m Module,
    seen: FxHashSet<Meta>,
    work: Vec<Meta>,
}

impl Walk<'_> {
    fn run(&mut self) {
        while let Some(at) = self.work.pop() {
            if at.as_u32() as usize >= self.m.meta.len() || !self.seen.insert(at) {
                continue;
            }
            match &self.m.meta[at] {
                MetaNode::Debug { code, fields } => {
                    let lists = [unit_list(*code, fields, "subprograms"), unit_list(*code, fields, "globals")];
                    debug_nodes::references(*code, fields, |to| {
                        if !lists.contains(&Some(to)) {
                            self.work.push(to);
                        }
                    });
                }
                MetaNode::Node { elems, .. } => self.work.extend(elems.iter().flatten()),
                MetaNode::String(_) | MetaNode::Value(_) => {}
            }
        }
    }
}

impl Nodes {
    /// Makes the nodes that the code of `funcs` leads to, empty, and tells the importer what each has become. The source is
    /// well-formed; functions and variables are there.
    pub fn new(import: &mut Importer, out: &mut Module, funcs: &FxHashSet<Func>, globals: impl Fn(Global) -> bool) -> Nodes {
        let m = import.src;
        let mut nodes = Nodes::default();
        let mut lists: Vec<(Meta, Vec<Meta>)> = Vec::new();
        let mut walk = Walk { m, seen: FxHashSet::default(), work: Vec::new() };
        for body in funcs.iter().filter_map(|&f| m.funcs[f].body.as_ref()) {
            walk.work.extend(body.locs.values().flat_map(|l| [l.scope, l.inlined_at]).flatten());
            walk.work.extend(body.attached.iter().map(|a| a.2));
            walk.work.extend(body.attached_to_function.iter().map(|a| a.1));
            for &i in body.blocks.values().flatten() {
                body.operands(i, |v| {
                    if let Value::Meta(node) = v {
                        walk.work.push(node);
                    }
                });
            }
        }
        walk.run();
        for &unit in if funcs.is_empty() { &[] } else { m.meta.named(UNITS) } {
            let MetaNode::Debug { code, fields } = &m.meta[unit] else { continue };
            nodes.units.push(unit);
            walk.work.push(unit);
            if let Some(list) = unit_list(*code, fields, "subprograms") {
                let of_code = |walk: &Walk, s: Meta| {
                    walk.seen.contains(&s) || matches!(value(m, s, "function"), Some(Value::Func(f)) if funcs.contains(&f))
                };
                let kept: Vec<Meta> = m.meta.elems(list).iter().copied().flatten().filter(|&s| of_code(&walk, s)).collect();
                walk.work.extend(&kept);
                lists.push((list, kept));
            }
            if let Some(list) = unit_list(*code, fields, "globals") {
                let lives = |v: Meta| !matches!(value(m, v, "variable"), Some(Value::Global(g)) if !globals(g));
                let kept: Vec<Meta> = m.meta.elems(list).iter().copied().flatten().filter(|&v| lives(v)).collect();
                walk.work.extend(&kept);
                lists.push((list, kept));
            }
        }
        walk.run();
        let mut all: Vec<Meta> = walk.seen.into_iter().collect();
        all.sort_unstable();
        for &node in &all {
            if matches!(m.meta[node], MetaNode::String(_) | MetaNode::Value(_)) {
                import.meta(out, node);
            }
        }
        nodes.open(import, out, &all, |code| code != UNIT);
        for (list, kept) in lists {
            let kept: Vec<_> = kept.iter().map(|&n| import.meta(out, n)).filter(Option::is_some).collect();
            nodes.lists.insert(list, out.meta.node(&kept));
        }
        nodes.open(import, out, &all, |code| code == UNIT);
        nodes
    }

    /// Makes nodes without their fields.
    fn open(&mut self, import: &mut Importer, out: &mut Module, nodes: &[Meta], wanted: impl Fn(u32) -> bool) {
        for &node in nodes {
            if let MetaNode::Debug { code, .. } = import.src.meta[node]
                && wanted(code)
            {
                let made = out.meta.push(MetaNode::Debug { code, fields: [].into() });
                import.metas.insert(node, made);
                self.open.push((node, made));
            }
        }
    }

    /// Fills the nodes in, and names units and texts as the source does.
    pub fn finish(self, import: &mut Importer, out: &mut Module) {
        let m = import.src;
        for (node, made) in self.open {
            let MetaNode::Debug { code, fields } = &m.meta[node] else { continue };
            let Some(row) = debug_nodes::row(*code) else { continue };
            let mut new = fields.to_vec();
            let mut of = |import: &mut Importer, field: u64| {
                let list = u32::try_from(field).ok().map(Meta::from_u32);
                let there = match list.and_then(|l| self.lists.get(&l).copied()).filter(|_| *code == UNIT) {
                    Some(made) => Some(made),
                    None => list.and_then(|l| import.meta(out, l)),
                };
                there.map_or(0, |there| opt(Some(there)))
            };
            for (value, (_, shape)) in new.iter_mut().skip(1).zip(row.fields) {
                match shape {
                    Shape::Ref | Shape::RefOrNull | Shape::Text if *value > 0 => *value = of(import, *value - 1),
                    // What is well-formed has a scope.
                    Shape::Plain => *value = of(import, *value).saturating_sub(1),
                    _ => {}
                }
            }
            if row.rest == Rest::Refs {
                new.iter_mut().skip(1 + row.fields.len()).filter(|v| **v > 0).for_each(|v| *v = of(import, *v - 1));
            }
            out.meta.set_debug(made, &new);
        }
        for &unit in &self.units {
            if let Some(made) = import.meta(out, unit) {
                out.meta.add_named(UNITS, made);
            }
        }
        for name in NAMED.iter().filter(|_| !self.units.is_empty()) {
            for &node in m.meta.named(name) {
                if let Some(made) = import.meta(out, node)
                    && !out.meta.named(name).contains(&made)
                {
                    out.meta.add_named(name, made);
                }
            }
        }
    }
}
