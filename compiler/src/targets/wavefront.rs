//! Software reordering: lowers hit objects and divides ray generation shaders at their reorder points, as far as that is possible.

use rtc_base::Diagnostic;
use rtc_ir::{Function, Module, Opcode, Stage};
use rtc_package::{WavefrontPoint, WavefrontShader};
use rtc_passes::drop_reorders_where;
use rtc_passes::pipeline::{WAVEFRONT, WAVEFRONT_O0, WAVEFRONT_STAGES, WAVEFRONT_STAGES_O0};
use rtc_passes::wavefront::{Divided, Undivided, divide, traces::divide_traces};
use rtc_tables::diagnostics as codes;

use super::Generation;
use crate::compilation::Compilation;
use crate::options::OptLevel;
use crate::report::Report;
use crate::run_passes::run_pipeline;

/// A module whose ray generation shaders are divided.
pub(super) struct Lowered {
    pub module: Module,
    /// What a package says about them.
    pub shaders: Vec<WavefrontShader>,
}

/// Lowers and divides; `None` after an error, `Some(None)` where no shader is divided. A shader that cannot be is lowered as without software
/// reordering, and a warning says why.
pub(super) fn lower(g: &Generation<'_>, c: &mut Compilation) -> Option<Option<Lowered>> {
    let (before, after) = match g.options.level {
        OptLevel::O0 => (&WAVEFRONT_O0, &WAVEFRONT_STAGES_O0),
        _ => (&WAVEFRONT, &WAVEFRONT_STAGES),
    };
    let mut excluded: Vec<Undivided> = Vec::new();
    let lowered = loop {
        let mut module = g.module.clone();
        let excludes = |f: &Function| excluded.iter().any(|u| u.shader == f.name);
        if g.options.vulkan.wavefront_traces {
            divide_traces(&mut module, &|f| !excludes(f) && !has_points(f));
        }
        drop_reorders_where(&mut module, &excludes);
        if !module.funcs.values().any(|f| f.stage == Stage::RayGeneration && has_points(f)) {
            break None;
        }
        run_pipeline(&mut module, before, c)?;
        let division = divide(&mut module);
        if division.undivided.is_empty() {
            run_pipeline(&mut module, after, c)?;
            for report in &mut c.reports {
                if let Report::Reorder(r) = report {
                    division.divided.iter().for_each(|d| r.note_saved(d, &c.sources));
                }
            }
            let shaders: Vec<WavefrontShader> = division.divided.into_iter().map(|d| described(d, division.index_read)).collect();
            break (!shaders.is_empty()).then_some(Lowered { module, shaders });
        }
        excluded.extend(division.undivided);
    };
    c.diagnostics.extend(excluded.into_iter().map(|u| {
        let message = format!("`{}` is not divided at its reorder points, so no rays are sorted there: {}", u.shader, u.reason);
        Diagnostic::new(&codes::W0925, u.span, message)
    }));
    Some(lowered)
}

fn has_points(f: &Function) -> bool {
    let mut any = false;
    f.for_each_inst(f.body, |_, i| any |= f.op(i) == Opcode::reorder);
    any
}

fn described(d: Divided, index_read: bool) -> WavefrontShader {
    let point = |p: rtc_passes::wavefront::DividedPoint| WavefrontPoint {
        resume: p.resume,
        words: p.words,
        row_bits: p.row_bits,
        hint_bits: p.hint_bits,
    };
    WavefrontShader { shader: d.shader, words: d.words, index_read, points: d.points.into_iter().map(point).collect() }
}
