//! SSA form: terminators, incoming values of phis, definitions that dominate their uses.

use super::op;
use crate::{Cx, Here};
use rtc_base::entity::EntityRef;
use rtc_dxil_module::cfg::Cfg;
use rtc_dxil_module::{Block, Inst, Op, Value};
use rtc_tables::validation::rule;

/// Every block ends with a terminator and has no other, and none leads back to the entry. Gives whether that holds; the
/// control-flow graph can be built if it does.
pub(super) fn blocks(cx: &mut Cx<'_>, here: Here<'_>) -> bool {
    let before = cx.report.findings.len() + cx.report.more;
    let body = here.body;
    if body.blocks.is_empty() {
        cx.function(rule::BITCODE_VALID, here.func, "has a body without blocks");
    }
    for (block, insts) in body.blocks.iter() {
        let Some((&last, rest)) = insts.split_last() else {
            cx.function(rule::BITCODE_VALID, here.func, format!("block {} is empty", block.as_u32()));
            continue;
        };
        if !op(here, last).is_terminator() {
            cx.inst(rule::BITCODE_VALID, here, last, "is the last instruction of a block and does not end it");
        }
        let mut begun = false;
        for &inst in rest {
            if op(here, inst).is_terminator() {
                cx.inst(rule::BITCODE_VALID, here, inst, "ends a block that goes on");
            }
            let phi = matches!(op(here, inst), Op::Phi(_));
            if phi && begun {
                cx.inst(rule::BITCODE_VALID, here, inst, "is a phi after other instructions");
            }
            begun |= !phi;
        }
        let mut inside = true;
        let mut entry = false;
        body.operands(last, |value| {
            if let Value::Block(to) = value {
                inside &= to.index() < body.blocks.len();
                entry |= to.index() == 0;
            }
        });
        if !inside {
            cx.inst(rule::BITCODE_VALID, here, last, "goes to a block that is not there");
        }
        if entry && op(here, last).is_terminator() {
            cx.inst(rule::BITCODE_VALID, here, last, "goes back to the first block");
        }
    }
    cx.report.findings.len() + cx.report.more == before
}

/// Position of an instruction: its block and the index in it.
#[derive(Clone, Copy)]
struct At {
    block: Block,
    index: u32,
}

/// Phis have a value for each predecessor, and every definition dominates its uses.
pub(super) fn order(cx: &mut Cx<'_>, here: Here<'_>, cfg: &Cfg) {
    let body = here.body;
    let mut places: Vec<Option<At>> = vec![None; body.insts.len()];
    for (block, insts) in body.blocks.iter() {
        for (index, &inst) in insts.iter().enumerate() {
            if places[inst.index()].is_some() {
                cx.inst(rule::BITCODE_VALID, here, inst, "is in the function more than once");
            }
            places[inst.index()] = Some(At { block, index: index as u32 });
        }
    }
    let mut joined = Joined::new(body.blocks.len());
    for (block, insts) in body.blocks.iter() {
        joined.enter(cfg, block);
        for (index, &inst) in insts.iter().enumerate() {
            if let Op::Phi(list) = *op(here, inst) {
                let pairs = body.values(list);
                if let Err(reason) = joined.phi(pairs) {
                    cx.inst(rule::BITCODE_VALID, here, inst, reason);
                }
                for pair in pairs.chunks_exact(2) {
                    let &[Value::Inst(value), Value::Block(from)] = pair else { continue };
                    let defined = places.get(value.index()).copied().flatten();
                    if !cfg.is_reachable(from) && defined.is_some() {
                        continue;
                    }
                    if !defined.is_some_and(|d| cfg.dominates(d.block, from)) {
                        cx.inst(rule::BITCODE_VALID, here, inst, joins_early(body.names.get(&pair[1]).map(AsRef::as_ref)));
                    }
                }
                continue;
            }
            let at = At { block, index: index as u32 };
            let mut wrong = None;
            body.operands(inst, |value| {
                if let Some(value) = local(body, value)
                    && !is_before(cfg, &places, value, at)
                {
                    wrong = Some(value);
                }
            });
            if wrong.is_some() {
                cx.inst(rule::BITCODE_VALID, here, inst, "uses a value that is not computed on every way to it");
            }
        }
    }
}

/// The instruction whose result a value is, also when it is wrapped as metadata.
fn local(body: &rtc_dxil_module::Body, value: Value) -> Option<Inst> {
    match value {
        Value::Inst(i) => Some(i),
        // Debug information may refer to deleted values.
        Value::LocalMeta(_) => None,
        _ => None,
    }
    .filter(|i| i.index() < body.insts.len())
}

fn is_before(cfg: &Cfg, places: &[Option<At>], value: Inst, at: At) -> bool {
    let Some(defined) = places.get(value.index()).copied().flatten() else { return false };
    if !cfg.is_reachable(at.block) {
        return true;
    }
    if defined.block == at.block {
        return defined.index < at.index;
    }
    cfg.dominates(defined.block, at.block)
}

fn joins_early(name: Option<&str>) -> String {
    match name {
        Some(name) => format!("joins a value that is not computed on the way through block `{}`", name.escape_debug()),
        None => "joins a value that is not computed on the way that it belongs to".into(),
    }
}

/// How often control comes from each block to the block at hand, and what a phi says of it.
struct Joined {
    edges: Vec<u32>,
    seen: Vec<u32>,
    value: Vec<Option<Value>>,
    preds: Vec<Block>,
}

impl Joined {
    fn new(count: usize) -> Joined {
        Joined { edges: vec![0; count], seen: vec![0; count], value: vec![None; count], preds: Vec::new() }
    }

    fn enter(&mut self, cfg: &Cfg, block: Block) {
        for pred in self.preds.drain(..) {
            self.edges[pred.index()] = 0;
        }
        self.preds.extend(cfg.preds(block));
        for pred in &self.preds {
            self.edges[pred.index()] += 1;
        }
    }

    fn phi(&mut self, pairs: &[Value]) -> Result<(), String> {
        let mut result = Ok(());
        if self.preds.is_empty() {
            result = Err("is a phi in a block that nothing leads to".into());
        } else if pairs.len() != 2 * self.preds.len() {
            result = Err(format!("has {} values for {} ways to its block", pairs.len() / 2, self.preds.len()));
        }
        for pair in pairs.chunks_exact(2) {
            let Value::Block(from) = pair[1] else {
                result = Err("has a value for something that is no block".into());
                continue;
            };
            let Some(seen) = self.seen.get_mut(from.index()) else {
                result = Err("has a value for a block that is not there".into());
                continue;
            };
            *seen += 1;
            if *seen > self.edges[from.index()] {
                result = Err("has a value for a block that does not lead to its block".into());
            }
            let first = self.value[from.index()].get_or_insert(pair[0]);
            if *first != pair[0] {
                result = Err("has two values for the same block".into());
            }
        }
        for pair in pairs.chunks_exact(2) {
            if let Value::Block(from) = pair[1]
                && from.index() < self.seen.len()
            {
                self.seen[from.index()] = 0;
                self.value[from.index()] = None;
            }
        }
        result
    }
}
