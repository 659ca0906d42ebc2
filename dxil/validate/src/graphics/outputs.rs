//! Rules about the outputs of a shader as a whole: how much there is, and that system values are written.

use super::{Shader, breach};
use crate::Cx;
use rtc_dxil_container::ShaderKind;
use rtc_dxil_container::metadata::pipeline::PipelineState;
use rtc_dxil_container::metadata::signature::SignatureElement;
use rtc_dxil_container::packing::Registers;
use rtc_dxil_container::shader_flags::bit;
use rtc_tables::limits::{GEOMETRY_SCALARS, MESH_BYTES, MESH_OUTPUT_BYTES, MESH_OUTPUT_GRANULE, SIGNATURE_ROWS};
use rtc_tables::signature::Semantic;
use rtc_tables::validation::rule;

/// The sizes of what geometry and mesh shaders make.
pub(crate) fn sizes(cx: &mut Cx<'_>) {
    let shaders = std::mem::take(&mut cx.graphics.shaders);
    for shader in &shaders {
        match shader.state {
            Some(PipelineState::Geometry { max_vertices, .. }) => geometry(cx, shader, max_vertices),
            Some(PipelineState::Mesh { max_vertices, max_primitives, payload, .. }) => {
                mesh(cx, shader, max_vertices, max_primitives, payload);
            }
            _ => {}
        }
    }
    cx.graphics.shaders = shaders;
}

fn geometry(cx: &mut Cx<'_>, shader: &Shader, vertices: u32) {
    let scalars = Shader::scalars(&shader.signatures.outputs);
    let all = scalars * u64::from(vertices);
    if all > u64::from(GEOMETRY_SCALARS) {
        let text = format!("makes {vertices} vertices of {scalars} components, which is {all}; {GEOMETRY_SCALARS} are possible");
        cx.function(rule::SM_GEOMETRY_SCALARS, shader.func, text);
    }
}

fn mesh(cx: &mut Cx<'_>, shader: &Shader, vertices: u32, primitives: u32, payload: u32) {
    let (func, s) = (shader.func, &shader.signatures);
    let rows = |list: &[SignatureElement]| list.iter().filter_map(|e| Some(e.row? + e.rows())).max().unwrap_or(0);
    let (of_vertex, of_primitive) = (rows(&s.outputs), rows(&s.patch));
    let all = [
        (rule::SM_MESH_VERTEX_ROWS, of_vertex, "vertices"),
        (rule::SM_MESH_PRIMITIVE_ROWS, of_primitive, "primitives"),
        (rule::SM_MESH_ROWS, of_vertex + of_primitive, "vertices and primitives together"),
    ];
    for (rule, n, what) in all {
        if n > SIGNATURE_ROWS {
            cx.function(rule, func, format!("has {n} registers of {what}, {SIGNATURE_ROWS} are possible"));
        }
    }
    let bytes =
        |n: u32, list: &[SignatureElement]| 4 * u64::from(n).next_multiple_of(u64::from(MESH_OUTPUT_GRANULE)) * Shader::scalars(list);
    let outputs = bytes(vertices, &s.outputs) + bytes(primitives, &s.patch);
    if outputs > MESH_OUTPUT_BYTES {
        cx.function(rule::SM_MESH_OUTPUT, func, format!("makes {outputs} bytes of outputs, {MESH_OUTPUT_BYTES} are possible"));
    }
    let all = outputs + u64::from(payload);
    if all > MESH_BYTES {
        cx.function(rule::SM_MESH_IN_AND_OUT, func, format!("has {all} bytes of payload and outputs, {MESH_BYTES} are possible"));
    }
}

/// What follows from all code of a shader: whether its outputs are written, and whether it has room for the view that it reads.
pub(crate) fn entries(cx: &mut Cx<'_>) {
    let shaders = std::mem::take(&mut cx.graphics.shaders);
    for shader in &shaders {
        written(cx, shader);
        if shader.view && shader.kind == ShaderKind::Pixel {
            view(cx, shader);
        }
    }
    cx.graphics.shaders = shaders;
}

fn written(cx: &mut Cx<'_>, shader: &Shader) {
    // The control points of a hull shader need not be complete, what the tessellator reads must be.
    let n = usize::from(shader.kind == ShaderKind::Hull);
    let (list, point) = shader.lists()[1 + n];
    let mut incomplete = [false; 4];
    for (e, &mask) in list.iter().zip(&shader.written[n]) {
        let whole = (1u8 << e.columns) - 1;
        if mask & whole == whole || matches!(e.semantic, Semantic::Arbitrary | Semantic::Target) {
            continue;
        }
        let missing: String = "xyzw".chars().enumerate().filter(|(c, _)| (whole & !mask) >> c & 1 == 1).map(|c| c.1).collect();
        let what = if mask & whole == 0 { "is never written".into() } else { format!("is not written in `{missing}`") };
        breach(cx, rule::SM_UNDEFINED_OUTPUT, shader.func, e, point, what);
        if n == 0 && e.semantic == Semantic::Position {
            incomplete[e.stream as usize & 3] = true;
        }
    }
    if incomplete.contains(&true) {
        cx.function(rule::SM_COMPLETE_POSITION, shader.func, "does not write every component of its position");
    }
}

fn view(cx: &mut Cx<'_>, shader: &Shader) {
    let native = cx.info.flags() & bit::NATIVE_LOW_PRECISION != 0;
    let mut registers = Registers::default();
    let placed = shader.signatures.inputs.iter().all(|e| registers.add(shader.points[0], e, native).is_ok());
    if placed && !registers.has_room_for_view() {
        cx.function(rule::SM_VIEW_SLOT, shader.func, "reads the number of the view, and its inputs leave no room for that");
    }
}
