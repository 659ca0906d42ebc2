//! Rules about calls of operations on signature elements, control points, streams and what else belongs to a graphics stage.

use super::{Shader, spelled};
use crate::{Call, Cx, Here};
use rtc_dxil_container::ShaderKind;
use rtc_dxil_container::metadata::pipeline::PipelineState;
use rtc_dxil_container::metadata::signature::SignatureElement;
use rtc_dxil_container::recompute::accesses::Which;
use rtc_dxil_module::Value;
use rtc_tables::dxil_ops::op;
use rtc_tables::limits::GEOMETRY_STREAMS;
use rtc_tables::pipeline::InputPrimitive;
use rtc_tables::signature::{Interpolation, Semantic};
use rtc_tables::validation::{Rule, rule};

type Breach = (&'static Rule, String);

/// A call of an operation.
pub(crate) fn operation(cx: &mut Cx<'_>, here: Here<'_>, call: Call<'_>) {
    let which = match call.op.opcode {
        op::LOAD_INPUT | op::EVAL_SNAPPED | op::EVAL_SAMPLE_INDEX | op::EVAL_CENTROID | op::ATTRIBUTE_AT_VERTEX => Some(Which::Input),
        op::STORE_OUTPUT | op::STORE_VERTEX_OUTPUT | op::LOAD_OUTPUT_CONTROL_POINT => Some(Which::Output),
        op::STORE_PRIMITIVE_OUTPUT | op::STORE_PATCH_CONSTANT | op::LOAD_PATCH_CONSTANT => Some(Which::Patch),
        op::DOMAIN_LOCATION | op::OUTPUT_CONTROL_POINT_ID | op::COVERAGE | op::INNER_COVERAGE | op::VIEW_ID => None,
        op::EMIT_STREAM | op::CUT_STREAM | op::EMIT_THEN_CUT_STREAM => None,
        _ => return,
    };
    let mut shaders = std::mem::take(&mut cx.graphics.shaders);
    let numbers = cx.graphics.of.get(&here.func).cloned();
    // A patch constant function may belong to several shaders; it is wrong once.
    let mut found: Vec<Breach> = Vec::new();
    for &n in numbers.iter().flatten() {
        let mut of_this = Vec::new();
        one(cx, here, call, which, &mut shaders[n], &mut of_this);
        if found.is_empty() {
            found = of_this;
        }
    }
    cx.graphics.shaders = shaders;
    if numbers.is_none() && cx.info.entry_of(here.func).is_none() {
        found.push((rule::INSTR_SIGNATURE_ENTRY, format!("{} is called in a function that is no entry point", call.op.name)));
    }
    for (rule, text) in found {
        cx.inst(rule, here, call.inst, text);
    }
}

fn one(cx: &Cx<'_>, here: Here<'_>, call: Call<'_>, which: Option<Which>, shader: &mut Shader, found: &mut Vec<Breach>) {
    let code = call.op.opcode;
    let entry = shader.func == here.func;
    let mut element = None;
    if let Some(which) = which {
        element = access(cx, call, which, shader, found);
    }
    match code {
        op::LOAD_INPUT => vertex(cx, call.args[4], shader, found),
        op::EVAL_SNAPPED | op::EVAL_SAMPLE_INDEX | op::EVAL_CENTROID => {
            let Some(e) = element else { return };
            if !e.interpolation.is_linear() {
                found.push((rule::INSTR_EVALUATE_MODE, format!("evaluates `{}`, which is not interpolated", spelled(&e))));
            }
            if e.semantic == Semantic::Position {
                found.push((rule::INSTR_EVALUATE_POSITION, "evaluates the position".into()));
            }
        }
        op::ATTRIBUTE_AT_VERTEX => {
            if let Some(e) = element.filter(|e| e.interpolation != Interpolation::Constant) {
                let text = format!("reads `{}` at a vertex, which is interpolated: it must be `nointerpolation`", spelled(&e));
                found.push((rule::INSTR_AT_VERTEX_MODE, text));
            }
        }
        op::OUTPUT_CONTROL_POINT_ID if !entry => {
            found.push((
                rule::SM_OPCODE_FUNCTION,
                "the number of a control point belongs to the hull shader, not to its patch constants".into(),
            ));
        }
        op::LOAD_OUTPUT_CONTROL_POINT if entry => {
            found.push((rule::SM_OPCODE_FUNCTION, "control points that were made are read by the patch constant function alone".into()));
        }
        op::STORE_PATCH_CONSTANT if entry => {
            found.push((rule::SM_OPCODE_FUNCTION, "patch constants are written by the patch constant function alone".into()));
        }
        op::DOMAIN_LOCATION => domain_location(cx, call.args[1], shader, found),
        op::COVERAGE | op::INNER_COVERAGE => {
            shader.coverage[usize::from(code == op::INNER_COVERAGE)] = true;
            if shader.coverage == [true; 2] {
                found.push((rule::SM_COVERAGES, "is the second kind of coverage that is read".into()));
            }
        }
        op::VIEW_ID => shader.view = true,
        op::EMIT_STREAM | op::CUT_STREAM | op::EMIT_THEN_CUT_STREAM => stream(cx, call.args[1], shader, found),
        _ => {}
    }
}

/// Element, row and column of an access; the element, if there is one.
fn access(cx: &Cx<'_>, call: Call<'_>, which: Which, shader: &mut Shader, found: &mut Vec<Breach>) -> Option<SignatureElement> {
    let constant = |n: usize| cx.int(call.args[n]);
    let not_constant = |what: &str| (rule::INSTR_OP_CONST, format!("the {what} of {} is no constant", call.op.name));
    let Some(id) = constant(1) else {
        found.push(not_constant("element"));
        return None;
    };
    let list = which.elements(&shader.signatures);
    let Some(e) = usize::try_from(id).ok().and_then(|id| list.get(id)) else {
        let text = format!("{} works on element {id}, there are {}", call.op.name, list.len());
        found.push((rule::INSTR_CONST_RANGE, text));
        return None;
    };
    if let Some(row) = constant(2).filter(|&row| !(0..i64::from(e.rows())).contains(&row)) {
        found.push((rule::INSTR_OPERAND_RANGE, format!("row {row} of `{}`, which has {}", spelled(e), e.rows())));
    }
    match constant(3) {
        None => found.push(not_constant("column")),
        Some(column) if !(0..i64::from(e.columns)).contains(&column) => {
            found.push((rule::INSTR_OPERAND_RANGE, format!("column {column} of `{}`, which has {}", spelled(e), e.columns)));
        }
        Some(column) => {
            let e = e.clone();
            let written = match which {
                Which::Output => shader.written[0].get_mut(id as usize),
                Which::Patch => shader.written[1].get_mut(id as usize),
                Which::Input => None,
            };
            let stores = !matches!(call.op.opcode, op::LOAD_OUTPUT_CONTROL_POINT | op::LOAD_PATCH_CONSTANT);
            if let Some(mask) = written.filter(|_| stores) {
                *mask |= 1 << column;
            }
            return Some(e);
        }
    }
    None
}

/// The vertex or control point whose input is loaded.
fn vertex(cx: &Cx<'_>, vertex: Value, shader: &Shader, found: &mut Vec<Breach>) {
    if matches!(shader.kind, ShaderKind::Vertex | ShaderKind::Pixel) {
        if !cx.is_undef(vertex) {
            found.push((rule::SM_OPERAND, format!("loads an input of some vertex, of which a {} shader has none", shader.kind)));
        }
        return;
    }
    let Some(n) = cx.int(vertex) else { return };
    let count = match shader.state {
        Some(PipelineState::Geometry { primitive, .. }) => primitive.map_or(0, InputPrimitive::vertices),
        Some(PipelineState::Domain { input_points, .. } | PipelineState::Hull { input_points, .. }) => input_points,
        _ => return,
    };
    if !(0..i64::from(count)).contains(&n) {
        found.push((rule::INSTR_OPERAND_RANGE, format!("loads an input of vertex {n}, there are {count}")));
    }
}

fn domain_location(cx: &Cx<'_>, component: Value, shader: &Shader, found: &mut Vec<Breach>) {
    let Some(n) = cx.int(component) else {
        found.push((rule::INSTR_OP_CONST, "the component of the domain location is no constant".into()));
        return;
    };
    let Some(PipelineState::Domain { domain, .. }) = shader.state else { return };
    let count = domain.location_components();
    if !(0..i64::from(count)).contains(&n) {
        let text = format!("reads component {n} of the domain location, which has {count} in the domain {}", domain.word());
        found.push((rule::SM_DOMAIN_LOCATION, text));
    }
}

/// The stream that a vertex is appended to, or that a strip ends in.
fn stream(cx: &Cx<'_>, stream: Value, shader: &Shader, found: &mut Vec<Breach>) {
    let Some(n) = cx.int(stream) else {
        found.push((rule::INSTR_OP_CONST, "the stream is no constant".into()));
        return;
    };
    let Some(PipelineState::Geometry { streams, .. }) = shader.state else { return };
    if !(0..GEOMETRY_STREAMS as i64).contains(&n) || streams >> n & 1 == 0 {
        found.push((rule::INSTR_OPERAND_RANGE, format!("works on stream {n}, which the shader does not have")));
    }
}
