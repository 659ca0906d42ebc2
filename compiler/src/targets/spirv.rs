//! The target SPIR-V: a module for the whole library. Packages start from it too.

use rtc_base::Diagnostic;
use rtc_dxil_container::HitGroupType;
use rtc_dxil_container::debug_module::SourceInfo;
use rtc_dxil_container::rdat::{Rdat, Subobject, SubobjectValue};
use rtc_ir::Module;
use rtc_passes::pipeline::{CONVERGED, CONVERGED_O0, FUSE_HIT_OBJECTS, LOWER_HIT_OBJECTS, LOWER_HIT_OBJECTS_O0, PLAIN_OUTCOMES};
use rtc_spirv::Purpose;
use rtc_tables::diagnostics as codes;

use super::wavefront::{self, Lowered};
use super::{Generation, forms, report_dxil_errors};
use crate::compilation::{Compilation, Product, SpirvModule, SpirvRequirement};
use crate::options::{HostHitGroup, OptLevel, Ser, Target};
use crate::outputs::texts;
use crate::report::Report;
use crate::run_passes::run_pipeline;

pub(super) fn generate(g: &Generation<'_>, c: &mut Compilation) -> Option<Product> {
    let (_, output) = forms::first(g, c, compile)?;
    let requirements = output.map.requirements.into_iter();
    let requirements = requirements.map(|r| SpirvRequirement { name: format!("{} {}", r.kind, r.name), reason: r.reason });
    Some(Product::Spirv(SpirvModule { words: output.words, requirements: requirements.collect() }))
}

/// Compiles the module to SPIR-V. RDAT is that of the library as written, because scenes and subobjects refer to its shaders; what
/// is compiled may be without hit objects, or with fewer.
pub(super) fn compile(g: &Generation<'_>, c: &mut Compilation) -> Option<(Rdat, rtc_spirv::Output)> {
    let o = g.options;
    // A module alone takes from RDAT what its subobjects say of its shaders.
    let needed = o.target == Target::Package || !g.module.subobjects.is_empty() || !o.vulkan.hit_groups.is_empty();
    let made = match needed {
        true => rtc_dxil_lower::library_rdat_sharing(g.module, o.dxil.validator, o.dxil.root_version),
        false => rtc_dxil_lower::check_library(g.module, o.dxil.root_version).map(|shared| (Rdat::default(), shared)),
    };
    let rdat = match made {
        Ok((_, shared)) if o.target == Target::Package && !shared.is_empty() => {
            report_dxil_errors(c, shared);
            return None;
        }
        Ok((rdat, shared)) => {
            let warn = |e: rtc_dxil_lower::LowerError| Diagnostic::new(&codes::W0603, e.span, e.message);
            c.diagnostics.extend(shared.into_iter().map(warn));
            rdat
        }
        Err(errors) => {
            report_dxil_errors(c, errors);
            return None;
        }
    };
    let mut lowered = None;
    let mut divided = Vec::new();
    if o.vulkan.ser == Ser::Wavefront
        && let Some(Lowered { module, shaders }) = wavefront::lower(g, c)?
    {
        (lowered, divided) = (Some(module), shaders);
    }
    let ser = o.ser_extension();
    let pipeline = match (ser, o.level) {
        (None, OptLevel::O0) => Some(&LOWER_HIT_OBJECTS_O0),
        (None, _) => Some(&LOWER_HIT_OBJECTS),
        (Some(_), OptLevel::O0) => None,
        (Some(_), _) => Some(&FUSE_HIT_OBJECTS),
    };
    let outcomes = (o.vulkan.plain_outcomes && ser.is_some() && o.level != OptLevel::O0).then_some(&PLAIN_OUTCOMES);
    let pipelines: Vec<_> = pipeline.into_iter().chain(outcomes).collect();
    if lowered.is_none() && !pipelines.is_empty() && rtc_passes::uses_hit_objects(g.module) {
        let mut module = g.module.clone();
        for pipeline in pipelines {
            run_pipeline(&mut module, pipeline, c)?;
        }
        lowered = Some(module);
    }
    let (converged, null_misses) = converged(g, lowered.as_ref().unwrap_or(g.module), c)?;
    lowered = converged.or(lowered);
    let made_for = if o.target == Target::Package { Purpose::PACKAGE } else { Purpose::HOST };
    let purpose = Purpose { ser: ser.unwrap_or(made_for.ser), unoptimised: o.level == OptLevel::O0, ..made_for };
    let requested = o.spirv.debug != rtc_spirv::Content::default();
    let sources = if requested { texts(g.name, o, &c.sources) } else { SourceInfo::default() };
    let version = 600 + 10 * o.profile.minor;
    let input = rtc_spirv::DebugInput { content: o.spirv.debug, places: &c.sources, sources: &sources, version };
    let debug = requested.then_some(&input);
    let diagnostics = |all: Vec<rtc_spirv::Error>| all.into_iter().map(|e| Diagnostic::new(e.code, e.span, e.message));
    let groups = with_groups(&rdat, &o.vulkan.hit_groups);
    match rtc_spirv::compile_with_debug(lowered.as_ref().unwrap_or(g.module), &groups, &o.spirv, purpose, debug) {
        Ok(mut output) => {
            c.diagnostics.extend(diagnostics(std::mem::take(&mut output.warnings)));
            output.map.wavefront = divided;
            output.map.null_misses = null_misses;
            Some((rdat, output))
        }
        Err(errors) => {
            c.diagnostics.extend(diagnostics(errors));
            None
        }
    }
}

/// The module with traces that all lanes of a wave execute, as far as the options say, and how many records without a shader its miss table has before those of
/// the application. Nothing and nothing if there are none.
fn converged(g: &Generation<'_>, module: &Module, c: &mut Compilation) -> Option<(Option<Module>, Option<u32>)> {
    let Some(choice) = g.options.vulkan.converge_traces.choice() else { return Some((None, None)) };
    let mut module = module.clone();
    let outcomes = rtc_passes::converge::converge(&mut module, choice);
    for report in &mut c.reports {
        if let Report::Reorder(r) = report {
            outcomes.all.iter().for_each(|o| r.note_converged(o, &c.sources));
        }
    }
    if !outcomes.any() {
        return Some((None, None));
    }
    let pipeline = if g.options.level == OptLevel::O0 { &CONVERGED_O0 } else { &CONVERGED };
    run_pipeline(&mut module, pipeline, c)?;
    Some((Some(module), Some(u32::from(outcomes.null_miss))))
}

/// RDAT with the hit groups of the host, for associations with them.
fn with_groups(rdat: &Rdat, groups: &[HostHitGroup]) -> Rdat {
    let mut out = rdat.clone();
    out.subobjects.extend(groups.iter().map(|g| Subobject {
        name: g.name.clone(),
        value: SubobjectValue::HitGroup {
            ty: if g.intersection.is_empty() { HitGroupType::Triangle } else { HitGroupType::Procedural },
            any_hit: g.any_hit.clone(),
            closest_hit: g.closest_hit.clone(),
            intersection: g.intersection.clone(),
        },
    }));
    out
}
