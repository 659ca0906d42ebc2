//! Rules about entry points and what they call: a function that cannot run in the stage, the shader model or the thread groups
//! of an entry point is not called by it.

use super::Cx;
use rtc_base::SecondaryMap;
use rtc_dxil_container::recompute::compat::Needs;
use rtc_dxil_container::recompute::uses::Uses;
use rtc_dxil_container::shader_flags::bit;
use rtc_dxil_container::{ShaderKind, Version};
use rtc_dxil_module::Func;
use rtc_tables::validation::{Rule, rule};
use rustc_hash::FxHashSet;

/// Operations whose demands depend on more than the stage: their declarations begin so.
const TELLING: [&str; 6] = ["dx.op.deriv", "dx.op.unary.f", "dx.op.sample", "dx.op.calculateLOD", "dx.op.barrier", "dx.op.atomic"];

/// What a function and an entry point can disagree about; the bits of a mask.
const CONFLICTS: [&Rule; 5] = [
    rule::SM_INCOMPATIBLE_STAGE,
    rule::SM_INCOMPATIBLE_MODEL,
    rule::SM_INCOMPATIBLE_THREADS,
    rule::SM_INCOMPATIBLE_DERIVATIVES,
    rule::SM_INCOMPATIBLE_GROUP,
];

/// Each entry point with all that it calls. Validators before 1.8 did not ask, and modules made for them say less: derivatives of
/// compute shaders count as impossible there.
pub(super) fn entries(cx: &mut Cx<'_>) {
    let (m, info) = (cx.m, cx.info);
    if !info.since(8) {
        return; // older validators do not ask: they let derivatives into compute shaders without a word
    }
    let entries: Vec<_> = info.entries.iter().filter(|e| e.func.is_some()).collect();
    let helpers = m.funcs.iter().any(|(f, data)| data.body.is_some() && !entries.iter().any(|e| e.func == Some(f)));
    if !helpers && !m.funcs.values().any(|f| TELLING.iter().any(|t| f.name.starts_with(t))) {
        return; // each operation has been checked on its own
    }
    let Some(known) = cx.known() else { return };
    for entry in entries {
        let Some(func) = entry.func else { continue };
        let kind = info.stage(entry);
        let threads = entry.props.threads.unwrap_or([1; 3]);
        let mut search = Search { cx, uses: &known.uses, needs: &known.needs, kind, threads, entry: func, seen: FxHashSet::default() };
        let mut remaining = search.conflicts(func);
        search.visit(func, &mut remaining);
    }
}

struct Search<'a, 'm> {
    cx: &'a mut Cx<'m>,
    uses: &'a Uses,
    needs: &'a SecondaryMap<Func, Needs>,
    kind: ShaderKind,
    threads: [u32; 3],
    entry: Func,
    seen: FxHashSet<Func>,
}

impl Search<'_, '_> {
    /// What keeps a function from being part of the entry point.
    fn conflicts(&self, func: Func) -> u32 {
        let needs = &self.needs[func];
        let model = self.cx.info.model;
        let groups = matches!(self.kind, ShaderKind::Compute | ShaderKind::Mesh | ShaderKind::Amplification | ShaderKind::Node);
        let [x, y, z] = self.threads;
        let quads = if y == 1 && z == 1 { x % 4 == 0 } else { x % 2 == 0 && y % 2 == 0 };
        let derivatives = needs.flags & bit::DERIVATIVES != 0;
        let old = model < Version::new(6, 6) && groups && self.kind != ShaderKind::Node;
        let found = [
            needs.stages & self.kind.bit() == 0,
            model < needs.model,
            derivatives && groups && !quads,
            derivatives && old,
            needs.flags & bit::NEEDS_GROUP != 0 && !groups,
        ];
        found.iter().enumerate().fold(0, |mask, (n, &yes)| mask | u32::from(yes) << n)
    }

    /// Finds the functions that bring each conflict in: those whose callees do not have it. Gives the conflicts of `func`.
    fn visit(&mut self, func: Func, remaining: &mut u32) -> u32 {
        let (mut stack, mut result) = (vec![(func, self.callees(func), 0u32)], 0);
        self.seen.insert(func);
        while let Some((at, callees, below)) = stack.last_mut() {
            if let Some(next) = callees.pop() {
                if self.seen.insert(next) {
                    let callees = self.callees(next);
                    stack.push((next, callees, 0));
                }
                continue;
            }
            let (at, below) = (*at, *below);
            stack.pop();
            let own = self.conflicts(at);
            let brought = *remaining & own & !below;
            if brought != 0 {
                self.report(at, brought);
                *remaining &= !brought;
            }
            result = own;
            if let Some((_, _, below)) = stack.last_mut() {
                *below |= own;
            }
        }
        result
    }

    fn callees(&self, func: Func) -> Vec<Func> {
        let mut all: Vec<Func> = self.uses.funcs[func].iter().copied().filter(|&f| self.cx.m.funcs[f].body.is_some()).collect();
        all.sort_unstable();
        all
    }

    fn report(&mut self, at: Func, conflicts: u32) {
        let (kind, entry, name) = (self.kind, self.entry, self.cx.m.funcs[at].name.clone());
        if at == entry {
            let text = format!("the {kind} shader does what it cannot");
            self.cx.function(rule::SM_INCOMPATIBLE_OPERATION, entry, text);
        } else {
            let text = format!("the {kind} shader calls `{}`, which cannot run in it", name.escape_debug());
            self.cx.function(rule::SM_INCOMPATIBLE_CALL, entry, text);
        }
        let [x, y, z] = self.threads;
        let texts = [
            format!("what it does cannot be done in a {kind} shader"),
            format!("it needs shader model {}, this is {}", self.needs[at].model, self.cx.info.model),
            format!("derivatives need groups of whole quads, these have {x} x {y} x {z} threads"),
            format!("derivatives in a {kind} shader need shader model 6.6, this is {}", self.cx.info.model),
            format!("it needs a thread group, which a {kind} shader does not have"),
        ];
        for (n, text) in texts.into_iter().enumerate() {
            if conflicts & 1 << n != 0 {
                self.cx.function(CONFLICTS[n], at, text);
            }
        }
    }
}
