//! Rules about the state of geometry, hull, domain, mesh and amplification shaders: the numbers among the properties of their entry points.

use crate::Cx;
use rtc_dxil_container::ShaderKind;
use rtc_dxil_container::metadata::signature::Signatures;
use rtc_dxil_container::metadata::{Entry, int, tag, tuple, value};
use rtc_dxil_module::{ConstKind, Func, Value};
use rtc_tables::limits::{GEOMETRY_INSTANCES, GEOMETRY_VERTICES, MESH_OUTPUTS, PASSED_POINT_SCALARS, PATCH_POINTS, TESSELLATION_FACTORS};
use rtc_tables::pipeline::{Domain, InputPrimitive, Partitioning, StreamTopology, TessellatorOutput};
use rtc_tables::signature::Semantic;
use rtc_tables::validation::{Rule, rule};

/// All entry points.
pub(crate) fn states(cx: &mut Cx<'_>) {
    let (m, info) = (cx.m, cx.info);
    for (func, entry) in info.shaders() {
        let kind = info.stage(entry);
        let (property, count) = match kind {
            ShaderKind::Geometry => (tag::GEOMETRY, 5),
            ShaderKind::Domain => (tag::DOMAIN, 2),
            ShaderKind::Hull => (tag::HULL, 7),
            ShaderKind::Mesh => (tag::MESH, 5),
            ShaderKind::Amplification => (tag::AMPLIFICATION, 2),
            _ => continue,
        };
        let Some(meta) = entry.props.get(property) else { continue };
        let list = tuple(m, Some(meta)).unwrap_or_default();
        if list.len() != count {
            cx.function(rule::META_WELL_FORMED, func, format!("has a state of {} values, that of a {kind} shader has {count}", list.len()));
            continue;
        }
        let number = |n: usize| int(m, list[n]).map_or(u32::MAX, |n| n as u32);
        match kind {
            ShaderKind::Geometry => geometry(cx, func, [0, 1, 2, 3, 4].map(number)),
            ShaderKind::Domain => domain_shader(cx, func, entry, [0, 1].map(number)),
            ShaderKind::Hull => {
                let factor = match value(m, list[6]) {
                    Some(Value::Const(c)) => match m.consts[c].kind {
                        ConstKind::Float(bits) => f32::from_bits(bits as u32),
                        _ => 0.0,
                    },
                    _ => 0.0,
                };
                hull(cx, func, entry, [1, 2, 3, 4, 5].map(number), factor);
            }
            ShaderKind::Mesh => mesh(cx, func, [1, 2].map(number)),
            _ => {}
        }
    }
}

fn geometry(cx: &mut Cx<'_>, func: Func, [primitive, vertices, _, topology, instances]: [u32; 5]) {
    let mut say = |rule: &'static Rule, text: String| cx.function(rule, func, text);
    if vertices > GEOMETRY_VERTICES {
        say(rule::SM_GEOMETRY_VERTICES, format!("makes {vertices} vertices, {GEOMETRY_VERTICES} are possible"));
    }
    if !(1..=GEOMETRY_INSTANCES).contains(&instances) {
        say(rule::SM_GEOMETRY_INSTANCES, format!("has {instances} instances, 1 to {GEOMETRY_INSTANCES} are possible"));
    }
    if StreamTopology::from_number(topology).is_none() {
        say(rule::SM_GEOMETRY_OUTPUT, format!("makes the unknown primitive {topology}"));
    }
    if primitive != 0 && InputPrimitive::from_number(primitive).is_none() {
        say(rule::SM_GEOMETRY_INPUT, format!("reads the unknown primitive {primitive}"));
    }
}

fn domain_shader(cx: &mut Cx<'_>, func: Func, entry: &Entry, [domain, points]: [u32; 2]) {
    if points > PATCH_POINTS {
        cx.function(rule::SM_DOMAIN_POINTS, func, format!("reads {points} control points, {PATCH_POINTS} are possible"));
    }
    match Domain::from_number(domain) {
        Some(domain) => factors(cx, func, entry, domain, false),
        None => cx.function(rule::SM_DOMAIN, func, format!("has the unknown domain {domain}")),
    }
}

fn hull(cx: &mut Cx<'_>, func: Func, entry: &Entry, numbers: [u32; 5], factor: f32) {
    let [points, made, domain, partitioning, output] = numbers;
    let m = cx.m;
    let signatures = Signatures::read(m, entry.signatures).unwrap_or_default();
    let mut say = |rule: &'static Rule, text: String| cx.function(rule, func, text);
    if points == 0 && !signatures.inputs.is_empty() {
        say(rule::SM_HULL_NO_POINTS, "reads no control points and has inputs".into());
    }
    if points > PATCH_POINTS {
        say(rule::SM_HULL_POINTS, format!("reads {points} control points, {PATCH_POINTS} are possible"));
    }
    if !(1..=PATCH_POINTS).contains(&made) {
        say(rule::SM_HULL_OUTPUT_POINTS, format!("makes {made} control points, 1 to {PATCH_POINTS} are possible"));
    }
    if Partitioning::from_number(partitioning).is_none() {
        say(rule::META_PARTITIONING, format!("has the unknown partitioning {partitioning}"));
    }
    let output = match TessellatorOutput::from_number(output) {
        None => {
            say(rule::META_TESSELLATOR_OUTPUT, format!("has a tessellator that makes the unknown primitive {output}"));
            None
        }
        known => known,
    };
    if !TESSELLATION_FACTORS.contains(&factor) {
        let (least, most) = (TESSELLATION_FACTORS.start(), TESSELLATION_FACTORS.end());
        say(rule::META_FACTOR_LIMIT, format!("has the largest tessellation factor {factor}, {least} to {most} are possible"));
    }
    let of_domain = Domain::from_number(domain);
    match (of_domain, output) {
        (None, _) => say(rule::SM_DOMAIN, format!("has the unknown domain {domain}")),
        (Some(Domain::Isoline), Some(TessellatorOutput::Clockwise | TessellatorOutput::Counterclockwise)) => {
            say(rule::SM_ISOLINE_OUTPUT, "makes triangles of isolines".into());
        }
        (Some(d @ (Domain::Triangle | Domain::Quad)), Some(TessellatorOutput::Line)) => {
            say(rule::SM_TRIANGLE_OUTPUT, format!("makes lines of a {}", d.word()));
        }
        _ => {}
    }
    if m.funcs[func].body.is_none() {
        if points < made {
            say(rule::SM_PASS_THROUGH_POINTS, format!("has no code, reads {points} control points and passes {made} on"));
        }
        let scalars = super::Shader::scalars(&signatures.outputs);
        if scalars * u64::from(made) > u64::from(PASSED_POINT_SCALARS) {
            let text =
                format!("has no code and passes {made} control points of {scalars} components on, {PASSED_POINT_SCALARS} are possible");
            say(rule::SM_PASS_THROUGH_SCALARS, text);
        }
    }
    if let Some(domain) = of_domain {
        factors(cx, func, entry, domain, true);
    }
}

/// The tessellation factors among the patch constants are those of the domain.
fn factors(cx: &mut Cx<'_>, func: Func, entry: &Entry, domain: Domain, hull: bool) {
    let Ok(signatures) = Signatures::read(cx.m, entry.signatures) else { return };
    let (edges, inside) = domain.factors();
    let all = [(Semantic::TessFactor, edges, rule::SM_EDGE_FACTORS), (Semantic::InsideTessFactor, inside, rule::SM_INSIDE_FACTORS)];
    for (semantic, count, rule) in all {
        let name = semantic.info().name;
        let mut found = false;
        for e in signatures.patch.iter().filter(|e| e.semantic == semantic) {
            found = true;
            if e.rows() != count || e.columns > 1 {
                let text = format!("has {} rows of {} as `{name}`, the domain {} has {count} of 1", e.rows(), e.columns, domain.word());
                cx.function(rule, func, text);
            }
        }
        if hull && !found && count > 0 {
            cx.function(rule::SM_FACTORS, func, format!("has no `{name}`, of which the domain {} has {count}", domain.word()));
        }
    }
}

fn mesh(cx: &mut Cx<'_>, func: Func, [vertices, primitives]: [u32; 2]) {
    let all = [(rule::SM_MESH_VERTICES, vertices, "vertices"), (rule::SM_MESH_PRIMITIVES, primitives, "primitives")];
    for (rule, n, what) in all {
        if n > MESH_OUTPUTS {
            cx.function(rule, func, format!("makes {n} {what}, {MESH_OUTPUTS} are possible"));
        }
    }
}
