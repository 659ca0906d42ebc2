//! What follows from the signatures of an entry point: the parts `ISG1`, `OSG1` and `PSG1`, flags, the tables of `PSV0`, and from
//! its code, which components of which elements it uses.

use rtc_tables::signature::Semantic;

use super::accesses::access;
use super::dependencies::Dependencies;
use super::uses::instructions;
use crate::metadata::pipeline::PipelineState;
use crate::metadata::signature::{SignatureElement, Signatures, points};
use crate::metadata::{Entry, Info};
use crate::psv::Psv;
use crate::shader_flags::bit;
use crate::signature::{self, Form};
use crate::{FourCc, ShaderKind, put_u32};
use rtc_dxil_module::{Body, Module};

/// Finds out which components a shader's code uses; of a hull shader once for each of its two functions.
pub fn find_usage(m: &Module, body: &Body, signatures: &mut Signatures) {
    for i in instructions(body) {
        let Some(a) = access(m, body, i).filter(|a| a.used) else { continue };
        let Some(e) = a.which.elements_mut(signatures).get_mut(a.id as usize) else { continue };
        e.usage |= 1 << a.column;
        if a.row.is_none() {
            e.dynamic |= 1 << a.column;
        }
    }
}

/// The signatures of the only entry point of a graphics stage, as the metadata has them.
pub fn of_shader(m: &Module, known: &Info) -> Option<Signatures> {
    points(known.kind)?;
    let entry = known.entries.first()?;
    let domain = PipelineState::read(m, &entry.props).and_then(|s| s.domain());
    Some(Signatures { domain, ..Signatures::read(m, entry.signatures).ok()? })
}

/// The parts of the container that hold the signatures.
pub fn parts(known: &Info, signatures: &Signatures) -> Vec<(FourCc, Vec<u8>)> {
    let native_16bit = known.flags() & bit::NATIVE_LOW_PRECISION != 0;
    let form = |input| Form { validator: known.validator, native_16bit, input, domain: signatures.domain };
    let mut out = vec![
        (FourCc::ISG1, signature::write(&signatures.inputs, form(true))),
        (FourCc::OSG1, signature::write(&signatures.outputs, form(false))),
    ];
    if !signatures.patch.is_empty() {
        out.push((FourCc::PSG1, signature::write(&signatures.patch, form(known.kind == ShaderKind::Domain))));
    }
    out
}

/// Shader flags that follow from the signatures of an entry point in a module.
pub fn flags_of_entry(m: &Module, known: &Info, entry: &Entry) -> u64 {
    let kind = known.stage(entry);
    let signatures = points(kind).and_then(|_| Signatures::read(m, entry.signatures).ok());
    signatures.map_or(0, |s| flags(kind, known, &s))
}

/// Shader flags that follow from the signatures of a stage.
pub fn flags(kind: ShaderKind, known: &Info, signatures: &Signatures) -> u64 {
    let has = |list: &[SignatureElement], s: &[Semantic]| list.iter().any(|e| s.contains(&e.semantic));
    let layers = [Semantic::RenderTargetArrayIndex, Semantic::ViewportArrayIndex];
    let before = match kind {
        ShaderKind::Vertex => has(&signatures.outputs, &layers),
        ShaderKind::Hull | ShaderKind::Domain => has(&signatures.outputs, &layers) || known.since(4) && has(&signatures.inputs, &layers),
        ShaderKind::Geometry => has(&signatures.inputs, &layers),
        _ => false,
    };
    let either = |s| has(&signatures.inputs, s) || has(&signatures.outputs, s);
    let all = [
        (bit::VIEWPORT_ARRAY_INDEX, before),
        (bit::STENCIL_REF, has(&signatures.outputs, &[Semantic::StencilRef])),
        (bit::BARYCENTRICS, known.since(6) && has(&signatures.inputs, &[Semantic::Barycentrics])),
        (bit::SHADING_RATE, either(&[Semantic::ShadingRate])),
    ];
    all.iter().filter(|a| a.1).fold(0, |all, a| all | a.0)
}

/// Rows of the registers that elements take.
fn rows(elements: &[SignatureElement], stream: u32) -> u32 {
    let of_stream = elements.iter().filter(|e| e.stream == stream);
    of_stream.filter_map(|e| Some(e.row? + e.rows())).max().unwrap_or(0)
}

/// What `PSV0` has of a graphics stage besides the resources.
pub fn psv(m: &Module, known: &Info, entry: &Entry, signatures: &Signatures, dependencies: &Dependencies) -> Option<Psv> {
    points(known.kind)?;
    let mut psv = Psv::compute(known.validator, &entry.name, [0; 3]);
    psv.stage = known.kind;
    psv.uses_view_id = dependencies.uses_view_id;
    let outputs = |s: Semantic| signatures.outputs.iter().any(|e| e.semantic == s);
    let position = u32::from(outputs(Semantic::Position));
    let patch_rows = rows(&signatures.patch, 0);
    if let Some(state) = PipelineState::read(m, &entry.props) {
        (psv.stage_words, psv.stage_half) = state.psv(position, patch_rows);
    }
    psv.stage_words[0] = match known.kind {
        ShaderKind::Vertex => position,
        ShaderKind::Pixel => {
            let depth = signatures.outputs.iter().any(|e| e.semantic.is_depth());
            let per_sample = signatures.inputs.iter().any(|e| e.semantic == Semantic::SampleIndex || e.interpolation.is_sample());
            u32::from(depth) | u32::from(per_sample) << 8
        }
        _ => psv.stage_words[0],
    };
    let lists = [&signatures.inputs, &signatures.outputs, &signatures.patch];
    for (n, list) in lists.iter().enumerate() {
        psv.signature_counts[n] = list.len() as u8;
    }
    psv.signature_counts[3] = rows(&signatures.inputs, 0) as u8;
    for stream in 0..4 {
        psv.signature_counts[4 + stream] = rows(&signatures.outputs, stream as u32) as u8;
    }
    if psv.version == 0 {
        return Some(psv);
    }
    psv.signature_data = tables(&psv, known, lists);
    let outputs = [0, 1, 2, 3].map(|stream| rows(&signatures.outputs, stream) as usize);
    for word in dependencies.padded(rows(&signatures.inputs, 0) as usize, outputs, patch_rows as usize) {
        put_u32(&mut psv.signature_data, word);
    }
    Some(psv)
}

/// Strings, semantic indices and elements.
fn tables(psv: &Psv, info: &Info, lists: [&Vec<SignatureElement>; 3]) -> Vec<u8> {
    let mut strings = vec![0];
    let mut indices: Vec<u32> = Vec::new();
    let mut records: Vec<u8> = Vec::new();
    for e in lists.into_iter().flatten() {
        let mut name = 0;
        if e.semantic == Semantic::Arbitrary {
            name = strings.len() as u32;
            strings.extend_from_slice(e.name.as_bytes());
            strings.push(0);
        }
        let known = indices.windows(e.indices.len()).position(|w| w == e.indices);
        let at = known.unwrap_or(indices.len());
        if known.is_none() {
            indices.extend_from_slice(&e.indices);
        }
        put_u32(&mut records, name);
        put_u32(&mut records, at as u32);
        let allocated = u8::from(e.row.is_some()) << 6;
        records.extend([e.rows() as u8, e.row.unwrap_or(0) as u8, e.columns as u8 | (e.column as u8) << 4 | allocated]);
        let component = signature::component(e.component, info.since(5)) as u8;
        records.extend([e.semantic.number() as u8, component, e.interpolation as u8, e.dynamic | (e.stream as u8) << 4, 0]);
    }
    if psv.version >= 3 {
        strings.extend_from_slice(psv.entry.as_bytes());
        strings.push(0);
    }
    crate::bytes::pad4(&mut strings);
    let mut out = Vec::new();
    put_u32(&mut out, strings.len() as u32);
    out.extend_from_slice(&strings);
    put_u32(&mut out, indices.len() as u32);
    for n in indices {
        put_u32(&mut out, n);
    }
    if !records.is_empty() {
        put_u32(&mut out, ELEMENT as u32);
        out.extend_from_slice(&records);
    }
    out
}

/// Bytes of an element in `PSV0`.
const ELEMENT: usize = 16;
