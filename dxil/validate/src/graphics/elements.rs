//! Rules about single signature elements: name, type, index, interpolation, and whether it has a register.

use super::{Shader, breach};
use crate::Cx;
use rtc_dxil_container::ShaderKind;
use rtc_dxil_container::metadata::signature::{SignatureElement, Signatures, field, tag};
use rtc_dxil_container::metadata::{int, tuple};
use rtc_dxil_module::{Func, Meta};
use rtc_tables::limits::{GEOMETRY_STREAMS, SEMANTIC_NAME};
use rtc_tables::pipeline::StreamTopology;
use rtc_tables::resources::CompType;
use rtc_tables::signature::{Demand, Interpolation, Interpretation, Semantic, SigPoint};
use rtc_tables::validation::rule;

/// The signatures of an entry point; none, after a finding, if they cannot be read.
pub(super) fn read(cx: &mut Cx<'_>, func: Func, points: [SigPoint; 3], node: Option<Meta>) -> Option<Signatures> {
    let m = cx.m;
    let mut known = true;
    for (&list, point) in tuple(m, node).unwrap_or_default().iter().zip(points) {
        for &record in tuple(m, list).unwrap_or_default() {
            known &= numbers(cx, func, point, record);
        }
    }
    match Signatures::read(m, node) {
        Ok(signatures) if known => Some(signatures),
        Ok(_) => None,
        Err(why) => {
            if known {
                cx.function(rule::META_WELL_FORMED, func, why);
            }
            None
        }
    }
}

/// The numbers of a record that say a kind: they mean something.
fn numbers(cx: &mut Cx<'_>, func: Func, point: SigPoint, record: Option<Meta>) -> bool {
    let m = cx.m;
    let fields = tuple(m, record).unwrap_or_default();
    let number = |at: usize| int(m, *fields.get(at)?).map(|n| n as u32 & 0xff);
    let mut known = true;
    let mut say = |rule, what: &str, n: u32| {
        known = false;
        cx.function(rule, func, format!("{} has {n} as its {what}, which means nothing", point.name()));
    };
    if let Some(n) = number(field::SEMANTIC).filter(|&n| Semantic::from_number(n).is_none()) {
        say(rule::META_SEMANTIC_KIND, "semantic", n);
    }
    if let Some(n) = number(field::INTERPOLATION).filter(|&n| Interpolation::from_number(n).is_none()) {
        say(rule::META_INTERPOLATION, "interpolation mode", n);
    }
    if let Some(n) = number(field::COMPONENT).filter(|&n| !CompType::from_number(n).is_some_and(is_register_type)) {
        say(rule::META_ELEMENT_TYPE, "component type", n);
    }
    for pair in tuple(m, fields.get(field::TAGS).copied().flatten()).unwrap_or_default().chunks_exact(2) {
        if int(m, pair[0]) == Some(tag::STREAM)
            && let Some(n) = int(m, pair[1]).map(|n| n as u32).filter(|&n| n as usize >= GEOMETRY_STREAMS)
        {
            say(rule::SM_STREAM, "stream", n);
        }
    }
    known
}

/// Whether registers have components of the type.
fn is_register_type(ty: CompType) -> bool {
    !matches!(ty, CompType::Invalid | CompType::PackedS8x32 | CompType::PackedU8x32)
}

fn is_float(ty: CompType) -> bool {
    use CompType as C;
    !matches!(ty, C::I1 | C::I16 | C::U16 | C::I32 | C::U32 | C::I64 | C::U64) && is_register_type(ty)
}

fn is_64_bit(ty: CompType) -> bool {
    use CompType as C;
    matches!(ty, C::I64 | C::U64 | C::F64 | C::SNormF64 | C::UNormF64)
}

/// All elements of a shader.
pub(super) fn all(cx: &mut Cx<'_>, shader: &Shader) {
    for (n, (list, point)) in shader.lists().into_iter().enumerate() {
        for e in list {
            one(cx, shader.func, e, point);
            interpolation(cx, shader, e, n);
            stream(cx, shader, e, n);
        }
    }
}

fn one(cx: &mut Cx<'_>, func: Func, e: &SignatureElement, point: SigPoint) {
    let of_mesh = matches!(point, SigPoint::MsOut | SigPoint::MsPOut);
    let most = if of_mesh && !cx.info.since(9) { e.spare_indices } else { 0 };
    let mut say = |rule, what: &str| breach(cx, rule, func, e, point, what);
    if !SEMANTIC_NAME.contains(&e.name.len()) {
        say(rule::META_SEMANTIC_LEN, &format!("has a name of {} characters", e.name.len()));
    }
    if e.spare_indices > most {
        say(rule::META_WELL_FORMED, &format!("has {} semantic indices for {} rows", e.indices.len(), e.rows()));
    }
    let info = e.semantic.info();
    let arbitrary = e.semantic == Semantic::Arbitrary;
    if !arbitrary && Semantic::named(&e.name) != Some(e.semantic) {
        say(rule::META_SEMANTIC_NAME, &format!("has the number of `{}`", info.name));
    }
    let meaning = e.interpretation_if_any(point).filter(|i| i.is_in_signature());
    match meaning {
        None => say(rule::SM_SEMANTIC, "cannot be among them"),
        Some(i) if i.is_packed() && e.row.is_none() => say(rule::META_SEMANTIC_PLACED, "has no register"),
        Some(i) if !i.is_packed() && e.row.is_some() => say(rule::META_SEMANTIC_NOT_PLACED, "has a register, and takes none"),
        Some(_) => {}
    }
    types(e, &mut say);
    let first = e.indices.first().copied().unwrap_or(0);
    if e.semantic == Semantic::Target {
        target(e, &mut say);
    } else if meaning.is_some() && !arbitrary {
        let distance = matches!(e.semantic, Semantic::ClipDistance | Semantic::CullDistance);
        let factor = matches!(e.semantic, Semantic::TessFactor | Semantic::InsideTessFactor);
        // The factors of a patch are one element.
        let largest = e.semantic.largest_index().or(factor.then_some(0));
        if meaning != Some(Interpretation::Arbitrary) && largest.is_some_and(|most| first > most) {
            say(rule::META_SEMANTIC_INDEX, &format!("has an index above {}", largest.unwrap_or(0)));
        }
        if !distance && !factor && e.rows() > 1 && meaning != Some(Interpretation::Arbitrary) {
            say(rule::META_SEMANTIC_ROWS, &format!("has {} rows", e.rows()));
        }
    }
    if e.column + e.columns > 4 {
        say(rule::META_ELEMENT_RANGE, &format!("has {} components from component {} on", e.columns, e.column));
    }
}

/// A system value has a type that it may have.
fn types(e: &SignatureElement, say: &mut impl FnMut(&'static rtc_tables::validation::Rule, &str)) {
    let (ty, one) = (e.component, e.columns == 1);
    let float = is_float(ty) && !is_64_bit(ty);
    let (fits, must_be) = match e.semantic.info().demand {
        Demand::Any => (true, String::new()),
        Demand::Uint if matches!(e.semantic, Semantic::Coverage | Semantic::InnerCoverage) => {
            (ty == CompType::U32 && one, "a `uint`".into())
        }
        Demand::Uint => (matches!(ty, CompType::U32 | CompType::U16) && one, "an unsigned integer".into()),
        Demand::Flag => (matches!(ty, CompType::U32 | CompType::I32) && one, "a 32-bit integer".into()),
        Demand::Bool => (ty == CompType::I1 && one, "a `bool`".into()),
        Demand::Float => (float && one, "a `float`".into()),
        Demand::Floats(_) => (float, "made of floats".into()),
        Demand::Vector(n) if e.semantic == Semantic::Barycentrics => {
            if e.columns != u32::from(n) {
                say(rule::META_BARYCENTRICS_TYPE, &format!("has {} components", e.columns));
            }
            (float, "made of floats".into())
        }
        Demand::Vector(n) => (float && e.columns == u32::from(n), format!("a `float{n}`")),
        Demand::Target => (!is_64_bit(ty), "made of at most 32 bits each".into()),
    };
    if !fits {
        say(rule::META_SEMANTIC_TYPE, &format!("is a vector of {} `{}`, and must be {must_be}", e.columns, ty.name()));
    }
}

fn target(e: &SignatureElement, say: &mut impl FnMut(&'static rtc_tables::validation::Rule, &str)) {
    let Some(row) = e.row else { return };
    if e.indices.iter().zip(row..).any(|(&index, row)| index != row) {
        say(rule::SM_TARGET_ROW, &format!("is in register {row}"));
    }
    if e.column != 0 {
        say(rule::SM_TARGET_COLUMN, &format!("begins at component {}", e.column));
    }
    let most = Semantic::Target.largest_index().unwrap_or(0);
    if row + e.rows() > most + 1 {
        say(rule::META_SEMANTIC_INDEX, &format!("has an index above {most}"));
    }
}

/// Interpolation modes, where there are any; `n`: the number of the signature.
fn interpolation(cx: &mut Cx<'_>, shader: &Shader, e: &SignatureElement, n: usize) {
    let (point, mode) = (shader.points[n], e.interpolation);
    let mut say = |rule, what: &str| breach(cx, rule, shader.func, e, point, what);
    let none = match shader.kind {
        ShaderKind::Pixel => n == 1,
        ShaderKind::Vertex => n == 0,
        _ => false,
    };
    if (none || n == 2 && shader.kind != ShaderKind::Mesh) && mode != Interpolation::Undefined {
        say(rule::SM_NO_INTERPOLATION, &format!("has the interpolation mode {}", mode.name()));
    }
    if n == 2 && shader.kind == ShaderKind::Mesh && mode != Interpolation::Constant {
        say(rule::SM_CONSTANT_INTERPOLATION, &format!("has the interpolation mode {}", mode.name()));
    }
    if mode.is_linear() && !is_float(e.component) {
        say(rule::META_INTERPOLATION_INTEGER, &format!("is an integer and has the interpolation mode {}", mode.name()));
    }
    if e.semantic == Semantic::Barycentrics && !mode.is_linear() {
        say(rule::META_BARYCENTRICS_MODE, &format!("has the interpolation mode {}", mode.name()));
    }
}

fn stream(cx: &mut Cx<'_>, shader: &Shader, e: &SignatureElement, n: usize) {
    use rtc_dxil_container::metadata::pipeline::PipelineState;
    if e.stream == 0 {
        return;
    }
    let point = shader.points[n];
    if shader.kind != ShaderKind::Geometry || n != 1 {
        let what = format!("is in stream {}, and there is only the first", e.stream);
        breach(cx, rule::SM_STREAM, shader.func, e, point, what);
    } else if let Some(PipelineState::Geometry { topology, .. }) = shader.state
        && topology != StreamTopology::Points
    {
        let what = format!("is in stream {}, and a `{}` is the only stream", e.stream, topology.word());
        breach(cx, rule::SM_STREAMS_OF_POINTS, shader.func, e, point, what);
    }
}
