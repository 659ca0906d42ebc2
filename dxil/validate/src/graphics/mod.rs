//! Rules about the stages of the graphics pipeline: their signatures, their state, and what their code reads and writes.
//!
//! [`shaders`] reads the signatures of each entry point and checks what metadata alone says; [`operation`] checks each call that works on
//! them and notes what is written; [`outputs`] looks at the notes after all code.

mod elements;
mod mesh;
mod operations;
mod outputs;
mod signatures;
mod state;

pub(super) use mesh::calls;
pub(super) use operations::operation;
pub(super) use outputs::{entries as outputs, sizes};
pub(super) use state::states;

use super::Cx;
use rtc_dxil_container::ShaderKind;
use rtc_dxil_container::metadata::pipeline::PipelineState;
use rtc_dxil_container::metadata::signature::{SignatureElement, Signatures, points};
use rtc_dxil_module::Func;
use rtc_tables::signature::SigPoint;
use rtc_tables::validation::Rule;
use rustc_hash::FxHashMap;

/// What rules of this family know between instructions.
#[derive(Default)]
pub(super) struct State {
    /// Every entry point whose signatures can be read.
    shaders: Vec<Shader>,
    /// The shaders that a function belongs to: one as their entry point, several as their patch constant function.
    of: FxHashMap<Func, Vec<usize>>,
}

/// An entry point of a graphics stage.
struct Shader {
    func: Func,
    kind: ShaderKind,
    /// The points of inputs, outputs, and patch constants or primitives.
    points: [SigPoint; 3],
    signatures: Signatures,
    state: Option<PipelineState>,
    /// The columns that are written of each output, and of each patch constant or primitive.
    written: [Vec<u8>; 2],
    /// Whether the coverage is read, and the inner coverage.
    coverage: [bool; 2],
    /// Whether the number of the view is read.
    view: bool,
}

/// What an element is called in findings.
fn label(e: &SignatureElement, point: SigPoint) -> String {
    format!("`{}`, {},", spelled(e), point.name())
}

/// The semantic of an element with its first index.
fn spelled(e: &SignatureElement) -> String {
    format!("{}{}", e.name.escape_debug(), e.indices.first().copied().unwrap_or(0))
}

/// Reports a breach of one element.
fn breach(cx: &mut Cx<'_>, rule: &'static Rule, func: Func, e: &SignatureElement, point: SigPoint, what: impl AsRef<str>) {
    let text = format!("{} {}", label(e, point), what.as_ref());
    cx.function(rule, func, text);
}

/// Reads the signatures of all entry points and checks them.
pub(super) fn shaders(cx: &mut Cx<'_>) {
    let (m, info) = (cx.m, cx.info);
    for (func, entry) in info.shaders() {
        let kind = info.stage(entry);
        let Some(points) = points(kind) else { continue };
        let Some(signatures) = elements::read(cx, func, points, entry.signatures) else { continue };
        let state = PipelineState::read(m, &entry.props);
        let written = [&signatures.outputs, &signatures.patch].map(|list| vec![0; list.len()]);
        let shader = Shader { func, kind, points, signatures, state, written, coverage: [false; 2], view: false };
        elements::all(cx, &shader);
        signatures::all(cx, &shader);
        let number = cx.graphics.shaders.len();
        for f in [Some(func), entry.props.patch_constants(m).filter(|_| kind == ShaderKind::Hull)].into_iter().flatten() {
            cx.graphics.of.entry(f).or_default().push(number);
        }
        cx.graphics.shaders.push(shader);
    }
}

impl Shader {
    /// The elements of a signature, with its point.
    fn lists(&self) -> [(&[SignatureElement], SigPoint); 3] {
        let s = &self.signatures;
        [(&s.inputs, self.points[0]), (&s.outputs, self.points[1]), (&s.patch, self.points[2])]
    }

    /// Scalars of one vertex, or of one primitive.
    fn scalars(list: &[SignatureElement]) -> u64 {
        list.iter().map(|e| u64::from(e.rows() * e.columns)).sum()
    }
}
