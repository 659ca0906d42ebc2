//! Rules about the elements of a signature together: names, registers, distances, barycentrics, what excludes each other.

use super::{Shader, breach, spelled};
use crate::Cx;
use rtc_dxil_container::ShaderKind;
use rtc_dxil_container::metadata::signature::SignatureElement;
use rtc_dxil_container::packing::{Conflict, Registers};
use rtc_dxil_container::shader_flags::bit;
use rtc_tables::limits::{DISTANCE_ROWS, DISTANCES, GEOMETRY_STREAMS};
use rtc_tables::signature::{Interpolation, Semantic, SigPoint};
use rtc_tables::validation::{Rule, rule};
use rustc_hash::FxHashSet;

/// The signatures of a shader.
pub(super) fn all(cx: &mut Cx<'_>, shader: &Shader) {
    for (n, (list, point)) in shader.lists().into_iter().enumerate() {
        if n == 2 && !list.is_empty() && !matches!(shader.kind, ShaderKind::Hull | ShaderKind::Domain | ShaderKind::Mesh) {
            cx.function(rule::SM_PATCH_SIGNATURE, shader.func, format!("is a {} shader and has a third signature", shader.kind));
            continue;
        }
        one(cx, shader, n, list, point);
    }
    if shader.kind == ShaderKind::Pixel {
        pixel(cx, shader);
    }
}

/// What has been seen in one stream of a signature.
#[derive(Default)]
struct Stream {
    registers: Registers,
    system_values: FxHashSet<Semantic>,
    distance_rows: FxHashSet<u32>,
    distances: u64,
}

fn one(cx: &mut Cx<'_>, shader: &Shader, n: usize, list: &[SignatureElement], point: SigPoint) {
    let func = shader.func;
    let native = cx.info.flags() & bit::NATIVE_LOW_PRECISION != 0;
    let mut streams: [Stream; GEOMETRY_STREAMS] = Default::default();
    let mut names = FxHashSet::default();
    let mut depth: Option<Semantic> = None;
    let mut barycentrics: Vec<bool> = Vec::new();
    for e in list {
        let number = if shader.kind == ShaderKind::Geometry && n == 1 { e.stream as usize } else { 0 };
        let stream = &mut streams[number];
        let mut say = |rule, what: &str| breach(cx, rule, func, e, point, what);
        let name = e.name.to_uppercase();
        if let Some(index) = e.indices.iter().find(|&&index| !names.insert((number, name.clone(), index))) {
            say(rule::META_SEMANTIC_OVERLAP, &format!("has index {index}, which another element of this name has too"));
            continue;
        }
        match e.semantic {
            Semantic::Arbitrary => {}
            Semantic::Target => {
                if e.rows() > 1 {
                    say(rule::SM_TARGET_ROWS, &format!("has {} rows", e.rows()));
                }
                continue;
            }
            Semantic::ClipDistance | Semantic::CullDistance if e.interpretation(point).is_packed() => {
                stream.distance_rows.extend(e.row.into_iter().flat_map(|row| row..row + e.rows()));
                stream.distances += u64::from(e.rows() * e.columns);
                if stream.distance_rows.len() > DISTANCE_ROWS {
                    say(rule::META_DISTANCE_ROWS, &format!("makes {} registers of distances", stream.distance_rows.len()));
                }
                if stream.distances > u64::from(DISTANCES) {
                    say(rule::META_DISTANCE_COMPONENTS, &format!("makes {} distances", stream.distances));
                }
            }
            s if s.is_depth() => {
                if let Some(other) = depth {
                    say(rule::SM_PIXEL_DEPTHS, &format!("comes after `{}`", other.info().name));
                }
                depth = Some(s);
            }
            Semantic::Barycentrics => {
                let flat = e.interpolation.is_noperspective();
                if barycentrics.contains(&flat) {
                    let what = if flat { "has no perspective" } else { "has perspective" };
                    say(rule::META_BARYCENTRICS_TWO, &format!("{what}, and there are such already"));
                }
                barycentrics.push(flat);
            }
            s => {
                if !stream.system_values.insert(s) {
                    say(rule::META_SEMANTIC_DUPLICATE, "is there already");
                }
            }
        }
        let placed = e.interpretation_if_any(point).is_some_and(|i| i.is_packed());
        if placed && let Err(conflict) = stream.registers.add(point, e, native) {
            let (rule, what) = conflicts(conflict);
            if conflict != Conflict::Range || e.column + e.columns <= 4 {
                let row = e.row.unwrap_or(0);
                say(rule, &format!("is in {} from ({row}, {}) on, {what}", size(e), e.column));
            }
        }
    }
}

fn size(e: &SignatureElement) -> String {
    match (e.rows(), e.columns) {
        (1, 1) => "one component".into(),
        (1, n) => format!("{n} components"),
        (rows, n) => format!("{rows} rows of {n} components"),
    }
}

/// The rule that a conflict breaks, and the cause.
fn conflicts(conflict: Conflict) -> (&'static Rule, &'static str) {
    match conflict {
        Conflict::Range => (rule::META_ELEMENT_RANGE, "which is outside of the registers"),
        Conflict::Indexed => (rule::META_ELEMENT_INDEXED, "where another element is indexed otherwise"),
        Conflict::Interpolation => (rule::META_ELEMENT_INTERPOLATION, "where another element is interpolated otherwise"),
        Conflict::Width => (rule::META_ELEMENT_WIDTH, "where another element has components of another width"),
        Conflict::Overlap => (rule::META_ELEMENT_OVERLAP, "where another element is"),
        Conflict::Order => (rule::META_ELEMENT_ORDER, "on the wrong side of another element"),
    }
}

fn pixel(cx: &mut Cx<'_>, shader: &Shader) {
    let (func, s) = (shader.func, &shader.signatures);
    let per_sample = s.inputs.iter().any(|e| e.semantic == Semantic::SampleIndex || e.interpolation.is_sample());
    let depth = s.outputs.iter().find(|e| e.semantic.is_depth());
    if !per_sample
        && let Some(depth) = depth.filter(|d| d.semantic != Semantic::Depth)
        && let Some(at) = s.inputs.iter().find(|e| e.semantic == Semantic::Position)
        && !matches!(at.interpolation, Interpolation::Undefined | Interpolation::LinearNoperspectiveCentroid)
    {
        let what =
            format!("is evaluated in the middle of the pixel, but `{}` is written: it must be `centroid` or `sample`", spelled(depth));
        breach(cx, rule::SM_PIXEL_POSITION, func, at, shader.points[0], what);
    }
    for e in &s.outputs {
        let known =
            e.semantic == Semantic::Target || e.semantic.is_depth() || matches!(e.semantic, Semantic::Coverage | Semantic::StencilRef);
        if !known {
            breach(cx, rule::SM_PIXEL_OUTPUT, func, e, shader.points[1], "is none that pixel shaders have");
        }
    }
}
