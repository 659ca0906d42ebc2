//! Rules about calls that a mesh or amplification shader makes once: the counts of its outputs, its payload, the dispatch.

use crate::{Call, Cx, Here};
use rtc_base::EntitySet;
use rtc_dxil_container::ShaderKind;
use rtc_dxil_container::metadata::pipeline::PipelineState;
use rtc_dxil_container::recompute::layout::size_of;
use rtc_dxil_module::cfg::Cfg;
use rtc_dxil_module::{Block, Body, Op, Value};
use rtc_tables::dxil_ops::op;
use rtc_tables::limits::MESH_PAYLOAD_BYTES;
use rtc_tables::validation::rule;

/// All mesh and amplification shaders.
pub(crate) fn calls(cx: &mut Cx<'_>) {
    let (m, info) = (cx.m, cx.info);
    for (func, entry) in info.shaders() {
        let kind = info.stage(entry);
        let Some(body) = m.funcs[func].body.as_ref() else { continue };
        let payload = match PipelineState::read(m, &entry.props) {
            Some(PipelineState::Mesh { payload, .. } | PipelineState::Amplification { payload, .. }) => payload,
            _ => continue,
        };
        let here = Here { func, body };
        let all: Vec<(Block, Call<'_>)> = body
            .blocks
            .iter()
            .flat_map(|(block, insts)| insts.iter().map(move |&i| (block, i)))
            .filter_map(|(b, i)| Some((b, cx.call(body, i)?)))
            .collect();
        match kind {
            ShaderKind::Mesh => mesh(cx, here, &all, payload),
            ShaderKind::Amplification => amplification(cx, here, &all, payload),
            _ => {}
        }
    }
}

fn mesh(cx: &mut Cx<'_>, here: Here<'_>, all: &[(Block, Call<'_>)], declared: u32) {
    let mut of = |code, rule, what: &str| {
        let mut found = all.iter().filter(|(_, c)| c.op.opcode == code);
        let first = found.next().copied();
        for (_, again) in found {
            cx.inst(rule, here, again.inst, format!("is the second call that {what}"));
        }
        first
    };
    let counts = of(op::SET_MESH_OUTPUT_COUNTS, rule::INSTR_MESH_COUNTS_TWICE, "sets the counts of outputs");
    let payload = of(op::GET_MESH_PAYLOAD, rule::INSTR_MESH_PAYLOAD_TWICE, "gets the payload");
    let cfg = Cfg::new(here.body);
    for &(block, call) in all {
        if !matches!(call.op.opcode, op::STORE_VERTEX_OUTPUT | op::STORE_PRIMITIVE_OUTPUT | op::EMIT_INDICES) {
            continue;
        }
        match counts {
            None => cx.inst(rule::INSTR_MESH_COUNTS_MISSING, here, call.inst, "makes an output, of which the shader sets no counts"),
            // In one block the order does not matter.
            Some((at, _)) if at == block || cfg.dominates(at, block) => {}
            Some(_) => {
                let text = "makes an output where the counts of outputs may not be set yet";
                cx.inst(rule::INSTR_MESH_COUNTS_PATH, here, call.inst, text);
            }
        }
    }
    let Some((_, call)) = payload else { return };
    let bytes = pointee_size(cx, here, Value::Inst(call.inst));
    if bytes > u64::from(declared) {
        let text = format!("gets a payload of {bytes} bytes, the shader declares {declared}");
        cx.inst(rule::SM_MESH_PAYLOAD_DECLARED, here, call.inst, text);
    }
    if declared > MESH_PAYLOAD_BYTES {
        let text = format!("declares a payload of {declared} bytes, {MESH_PAYLOAD_BYTES} are possible");
        cx.function(rule::SM_MESH_PAYLOAD, here.func, text);
    }
}

fn amplification(cx: &mut Cx<'_>, here: Here<'_>, all: &[(Block, Call<'_>)], declared: u32) {
    let mut dispatches = all.iter().filter(|(_, c)| c.op.opcode == op::DISPATCH_MESH);
    let Some(&(block, call)) = dispatches.next() else {
        return cx.function(rule::INSTR_DISPATCH_MESH, here.func, "is an amplification shader and dispatches no mesh shaders");
    };
    for (_, again) in dispatches {
        cx.inst(rule::INSTR_DISPATCH_MESH, here, again.inst, "dispatches mesh shaders a second time");
    }
    if leaves_without(here.body, block) {
        cx.inst(rule::INSTR_DISPATCH_MESH_PATH, here, call.inst, "is not reached on every path through the shader");
    }
    let bytes = call.args.get(4).map_or(0, |&p| pointee_size(cx, here, p));
    if bytes > u64::from(declared) {
        let text = format!("passes a payload of {bytes} bytes, the shader declares {declared}");
        cx.inst(rule::SM_AMPLIFICATION_PAYLOAD_DECLARED, here, call.inst, text);
    }
    if bytes.max(declared.into()) > u64::from(MESH_PAYLOAD_BYTES) {
        let text = format!("passes a payload of {} bytes, {MESH_PAYLOAD_BYTES} are possible", bytes.max(declared.into()));
        cx.inst(rule::SM_AMPLIFICATION_PAYLOAD, here, call.inst, text);
    }
}

fn pointee_size(cx: &Cx<'_>, here: Here<'_>, pointer: Value) -> u64 {
    let pointee = cx.ty(here, pointer).and_then(|ty| cx.m.types.pointee(ty));
    pointee.map_or(0, |ty| size_of(cx.m, ty))
}

/// Whether a path leads from the entry block to a return without `block`.
fn leaves_without(body: &Body, block: Block) -> bool {
    let cfg = Cfg::new(body);
    let entry = Block::number(0);
    let mut seen = EntitySet::new();
    let mut work = vec![entry];
    while let Some(at) = work.pop() {
        if at == block || !seen.insert(at) {
            continue;
        }
        let returns = body.blocks[at].last().is_some_and(|&i| matches!(body.insts[i].op, Op::Ret { .. }));
        if returns {
            return true;
        }
        work.extend(cfg.succs(at));
    }
    false
}
