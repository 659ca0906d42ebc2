//! Rules about control flow and calls.

use super::Cx;
use rtc_base::entity::EntityRef;
use rtc_dxil_container::ShaderKind;
use rtc_dxil_module::cfg::Cfg;
use rtc_dxil_module::{Block, Func, Op, Value};
use rtc_tables::validation::rule;

const NONE: u32 = u32::MAX;

/// Loops have one entry, and an exit edge.
pub(super) fn loops(cx: &mut Cx<'_>) {
    let m = cx.m;
    for (func, f) in m.funcs.iter() {
        let Some(body) = &f.body else { continue };
        let cfg = cx.cfgs[func].take().unwrap_or_else(|| Cfg::new(body));
        let edges = |keep: &dyn Fn(Block, Block) -> bool| -> Vec<Vec<u32>> {
            let all = body.blocks.keys().map(|b| match cfg.is_reachable(b) {
                true => cfg.succs(b).filter(|&to| keep(b, to)).map(|to| to.as_u32()).collect(),
                false => Vec::new(),
            });
            all.collect()
        };
        // A loop has one way in if it falls apart without the edges back to blocks that dominate where they come from.
        if !body.blocks.keys().any(|b| cfg.is_reachable(b) && cfg.succs(b).any(|to| to <= b)) {
            continue; // blocks in an order of their own: no loop at all
        }
        let forward = edges(&|from, to| !cfg.dominates(to, from));
        if let Some(block) = looping(&forward, |_| true) {
            cx.function(rule::FLOW_REDUCIBLE, func, format!("the loop around block {block} can be entered at two places"));
            continue;
        }
        let all = edges(&|_, _| true);
        let group = components(&all);
        let mut leaves = vec![false; all.len()];
        for (from, list) in all.iter().enumerate() {
            for &to in list {
                leaves[group[from] as usize] |= group[to as usize] != group[from];
            }
        }
        if let Some(block) = looping(&all, |group| !leaves[group as usize]) {
            cx.function(rule::FLOW_DEAD_LOOP, func, format!("the loop around block {block} is never left"));
        }
    }
}

/// The first block of a cycle in a component that `wanted` accepts.
fn looping(edges: &[Vec<u32>], wanted: impl Fn(u32) -> bool) -> Option<usize> {
    let group = components(edges);
    let cycle = |at: usize| edges[at].iter().any(|&to| group[to as usize] == group[at]);
    (0..edges.len()).find(|&at| wanted(group[at]) && cycle(at))
}

/// No function calls itself.
pub(super) fn recursion(cx: &mut Cx<'_>) {
    let m = cx.m;
    let mut calls: Vec<Vec<u32>> = vec![Vec::new(); m.funcs.len()];
    for (func, f) in m.funcs.iter() {
        let Some(body) = &f.body else { continue };
        for &inst in body.blocks.values().flatten() {
            if let Op::Call { callee: Value::Func(callee), .. } = body.insts[inst].op
                && m.funcs[callee].body.is_some()
            {
                calls[func.index()].push(callee.index() as u32);
            }
        }
    }
    let group = components(&calls);
    for (at, callees) in calls.iter().enumerate() {
        if callees.iter().any(|&c| group[c as usize] == group[at]) {
            cx.function(rule::FLOW_NO_RECURSION, Func::new(at), "calls itself, directly or through others");
        }
    }
}

/// Ray generation, intersection and compute shaders take nothing.
pub(super) fn parameters(cx: &mut Cx<'_>) {
    let m = cx.m;
    for entry in &cx.info.entries {
        let Some(func) = entry.func else { continue };
        let kind = cx.info.stage(entry);
        let takes = m.types.signature(m.funcs[func].ty).map_or(0, |(_, params, _)| params.len());
        let none = matches!(kind, ShaderKind::RayGeneration | ShaderKind::Intersection | ShaderKind::Compute);
        if none && takes > 0 {
            cx.function(rule::FLOW_FUNCTION_CALL, func, format!("a {kind} shader takes no parameters, this takes {takes}"));
        }
    }
}

/// The number of the strongly connected component of each node (numbers are those of one of its nodes).
fn components(succs: &[Vec<u32>]) -> Vec<u32> {
    let count = succs.len();
    let (mut index, mut low, mut out) = (vec![NONE; count], vec![0u32; count], vec![NONE; count]);
    let (mut open, mut calls, mut clock) = (Vec::new(), Vec::new(), 0u32);
    for root in 0..count as u32 {
        if index[root as usize] != NONE {
            continue;
        }
        calls.push((root, 0usize));
        while let Some((node, at)) = calls.last_mut() {
            let here = *node as usize;
            if *at == 0 {
                (index[here], low[here]) = (clock, clock);
                clock += 1;
                open.push(here as u32);
            }
            if let Some(&next) = succs[here].get(*at) {
                *at += 1;
                if index[next as usize] == NONE {
                    calls.push((next, 0));
                } else if out[next as usize] == NONE {
                    low[here] = low[here].min(index[next as usize]);
                }
                continue;
            }
            calls.pop();
            if let Some((above, _)) = calls.last() {
                low[*above as usize] = low[*above as usize].min(low[here]);
            }
            if low[here] == index[here] {
                while let Some(node) = open.pop() {
                    out[node as usize] = here as u32;
                    if node as usize == here {
                        break;
                    }
                }
            }
        }
    }
    out
}
