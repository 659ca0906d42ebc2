//! A compilation: front end, pipeline of passes, target. What happens between the stages of the pipeline is here: packing of payloads,
//! checks of the program as it was written, warnings and reports about reorder points.

use rtc_base::timing::{phase, record};
use rtc_base::{Diagnostic, SourceMap, Span};
use rtc_dxil_container::Version;
use rtc_frontend::hir::LateRule;
use rtc_frontend::preprocess::{Includes, Pragmas};
use rtc_ir::{Module, SubobjectKind};
use rtc_passes::pipeline::MERGE_LOADS;
use rtc_passes::{AuditState, Changed, PassTraits, PipelineError, StageName, pack_payload, run_passes};
use rtc_rootsig::{Scope, record_layout};
use rtc_tables::diagnostics as codes;

use crate::compilation::{Compilation, Product};
use crate::front_end::{self, Front, front};
use crate::options::{OptLevel, Options, ProfileKind, Target};
use crate::payloads::{self, Packing};
use crate::report::{self, Report, ReportKind};
use crate::run_passes::{PASS_CTX, checked};
use crate::targets::{self, Generation};
use crate::{late_rules, resource_indices, root_signatures, snapshots, warnings};

#[cfg(test)]
mod tests;

/// Compiles the source `name` of these bytes.
pub fn compile(name: &str, bytes: &[u8], includes: &mut dyn Includes, o: &Options) -> Compilation {
    if o.times {
        let (mut c, times) = record(|| compile(name, bytes, includes, &Options { times: false, ..o.clone() }));
        c.times = times;
        return c;
    }
    let mut c = Compilation { sources: SourceMap::new(), ..Compilation::default() };
    let mut pragmas = Pragmas::default();
    c.product = match o.profile.kind {
        ProfileKind::RootSignature => root_signatures::compile(name, bytes, includes, o, &mut c),
        _ => {
            let front = {
                let _phase = phase("front end");
                front(name, bytes, includes, o, &mut c, &mut pragmas, false)
            };
            front.and_then(|front| run(name, front, o, &pragmas, &mut c))
        }
    };
    finish(c, o, &pragmas)
}

/// Compiles several entry points of a source, each with the other options of `o`, in the order of `entries`. The source is preprocessed and
/// parsed once, if no option depends on the entry point there.
pub fn compile_entries(name: &str, bytes: &[u8], includes: &mut dyn Includes, o: &Options, entries: &[&str]) -> Vec<Compilation> {
    let options = |entry: &&str| Options { entry: (*entry).to_owned(), ..o.clone() };
    if o.times || !matches!(o.profile.kind, ProfileKind::Shader(_)) {
        return entries.iter().map(|entry| compile(name, bytes, includes, &options(entry))).collect();
    }
    let mut shared = Compilation { sources: SourceMap::new(), ..Compilation::default() };
    let mut pragmas = Pragmas::default();
    let source = front_end::parse(name, bytes, includes, o, None, &mut shared, &mut pragmas);
    let compile = |entry: &&str| {
        let o = options(entry);
        let (sources, includes) = (shared.sources.clone(), shared.includes.clone());
        let mut c = Compilation { sources, includes, diagnostics: shared.diagnostics.clone(), ..Compilation::default() };
        c.product = source.as_ref().and_then(|s| {
            let front = s.analyse(&o, &mut c)?;
            run(name, front, &o, &pragmas, &mut c)
        });
        finish(c, &o, &pragmas)
    };
    entries.iter().map(compile).collect()
}

/// Applies the options for warnings. After an error there is no product.
fn finish(mut c: Compilation, o: &Options, pragmas: &Pragmas) -> Compilation {
    let all = std::mem::take(&mut c.diagnostics);
    c.diagnostics = warnings::apply(all, &o.warnings, pragmas, &c.sources);
    if c.failed() {
        c.product = None;
    }
    c
}

fn run(name: &str, front: Front, o: &Options, pragmas: &Pragmas, c: &mut Compilation) -> Option<Product> {
    if !o.warnings.none {
        let _phase = phase("check payloads");
        // Before any pass: accesses to payloads are still those of the source.
        c.diagnostics.extend(rtc_passes::paq_liveness::check(&front.module).warnings);
        c.diagnostics.extend(crate::paq::perf(&front, &c.sources));
    }
    if o.reports.contains(&ReportKind::Paq) {
        c.reports.push(Report::Paq(report::paq::collect(name, &front, &c.sources)));
    }
    let mut packing = payloads::packing(o, &front, &mut c.sources, &mut c.diagnostics)?;
    let whole = matches!(packing, Packing::Whole(_)).then(|| payloads::whole::Whole::of(&front, &c.sources));
    if !o.warnings.none && packing != Packing::Declared {
        c.diagnostics.extend(payloads::unpacked(&packing, &front));
    }
    let Front { mut module, roots, hir, .. } = front;
    let passes = phase("passes");
    let pipeline = rtc_passes::pipeline(o.level);
    snapshots::take("", &module, o, c);
    let mut audit = AuditState::default();
    let inlined = snapshots::run(&mut module, pipeline.stage(StageName::Inline), &mut audit, o, c);
    checked(inlined.and_then(|_| audit.finish(&module)), c)?;

    let vulkan = matches!(o.target, crate::Target::Spirv | crate::Target::Package);
    // The words of a whole layout have no qualifiers: what these do not permit is gone before.
    if vulkan && whole.is_some() {
        let mut audit = AuditState::default();
        let kept = snapshots::run(&mut module, PAYLOAD_OUTPUTS, &mut audit, o, c);
        checked(kept, c)?;
    }
    // Payloads are packed as soon as each exit of a shader is its own, and before variables are split.
    if let (Some(whole), Packing::Whole(plans)) = (whole, &mut packing) {
        let (planned, kept) = whole.plans(&module);
        *plans = planned;
        if !o.warnings.none {
            c.diagnostics.extend(kept.iter().map(|(name, at, why)| payloads::keeps(name, *at, &why.to_string())));
        }
    }
    let recorded = payloads::record(&module, &packing);
    match &packing {
        Packing::Declared => {}
        Packing::Own => _ = pack_payload::pack_payloads(&mut module, None),
        Packing::Shared(all) => _ = pack_payload::pack_payloads(&mut module, Some(all)),
        Packing::Whole(plans) => _ = pack_payload::pack_planned(&mut module, plans),
    }
    let mut audit = AuditState::default();
    let kept = if vulkan { snapshots::run(&mut module, PAYLOAD_OUTPUTS, &mut audit, o, c) } else { Ok(Changed::No) };
    let promoted = kept.and_then(|_| snapshots::run(&mut module, pipeline.stage(StageName::Ssa), &mut audit, o, c));
    checked(promoted, c)?;

    check_as_written(&module, o.root_version, vulkan, c);
    let applies = |rule: &LateRule| rule.validator == 0 || o.validator >= Version::new(1, rule.validator.into());
    if late_rules::check(&mut module, hir.late.into_iter().filter(applies).collect(), o.level, c) {
        audit = AuditState::default();
    }
    if c.failed() {
        return None;
    }
    if o.target == Target::Check && o.reports.is_empty() {
        return Some(Product::Nothing);
    }
    let unoptimised = o.reports.contains(&ReportKind::Reorder).then(|| module.clone());
    // With hit objects it runs after these have become plain traces.
    if vulkan && o.level != OptLevel::O0 && packing == Packing::Declared && !rtc_passes::uses_hit_objects(&module) {
        let shrunk = snapshots::run(&mut module, PAYLOAD_INPUTS, &mut audit, o, c);
        checked(shrunk, c)?;
    }
    let simplify = pipeline.stage(StageName::Simplify);
    // A resource that was never assigned is no error where no thread comes.
    let fallback = (o.level == OptLevel::O0).then(|| module.clone());
    let simplified = snapshots::run(&mut module, simplify, &mut audit, o, c);
    match (simplified, fallback) {
        (Err(PipelineError::Invalid(_)), Some(before)) => {
            module = before;
            audit = AuditState::default();
            let folded = snapshots::run(&mut module, FOLDED, &mut audit, o, c);
            checked(folded, c)?;
        }
        (simplified, _) => checked(simplified, c)?,
    }

    let mut reorder_warnings = if o.warnings.none { Vec::new() } else { rtc_passes::reorder::warnings(&module) };
    if warnings::may_show(&codes::W0862, &o.warnings, pragmas) {
        reorder_warnings.extend(rtc_passes::converge::warnings(&module));
    }
    // Indices of resources are checked where it is resolved which resources control flow selects, and nothing is hoisted yet.
    let optimise = pipeline.stage(StageName::Optimise);
    let (resolve, optimise) = optimise.split_at(optimise.iter().position(|&p| p == "handles").map_or(0, |at| at + 1));
    let mut optimised = snapshots::run(&mut module, resolve, &mut audit, o, c);
    if optimised.is_ok() && warnings::may_show(&codes::W0863, &o.warnings, pragmas) {
        reorder_warnings.extend(resource_indices::check(&module, o.root_version, &c.sources));
    }
    if optimised.is_ok() {
        optimised = snapshots::run(&mut module, optimise, &mut audit, o, c);
    }
    // Where vectors have operations of their own, merged loads would require a newer model than the function of a library does.
    let newer = o.profile.kind == ProfileKind::Library && rtc_dxil_lower::accesses_vectors(&module);
    let merges = o.target == Target::Dxil && o.level != OptLevel::O0 && !newer;
    if merges && optimised.is_ok() {
        optimised = snapshots::run(&mut module, MERGE_LOADS.stage(StageName::Lower), &mut audit, o, c);
    }
    checked(optimised.and_then(|_| audit.finish(&module)), c)?;
    c.diagnostics.extend(reorder_warnings);
    if let Some(mut unshrunk) = unoptimised {
        let rest = pipeline.passes_without(&[StageName::Simplify, StageName::Optimise], PassTraits::SHRINKS_LIVE_STATE);
        // No pass requires one that is left out, so this succeeds where the whole pipeline did.
        if run_passes(&mut unshrunk, &rest, &PASS_CTX).is_ok() {
            c.reports.push(Report::Reorder(report::reorder::collect(name, &unshrunk, &module, &c.sources)));
        }
    }
    if o.level != OptLevel::O0 {
        c.diagnostics.extend(rtc_passes::still_rolled(&module));
    }
    let registers = o.auto_space.is_some() || o.reserves_unused && o.profile.kind != ProfileKind::Library;
    if registers && o.target == Target::Dxil {
        let errors = rtc_dxil_lower::bind_all(&mut module, o.reserves_unused);
        c.diagnostics.extend(errors.into_iter().map(|e| Diagnostic::new(&codes::E0902, e.span, e.message)));
        if c.failed() {
            return None;
        }
    }
    drop(passes);
    let _phase = phase("generate code");
    let layouts = if o.target == Target::Package { targets::layouts::take(&mut module) } else { Vec::new() };
    if o.level != OptLevel::O0 {
        return targets::generate(Generation { name, options: o, module: &module, roots, recorded, layouts }, c);
    }
    let before = c.diagnostics.clone();
    let product = targets::generate(
        Generation { name, options: o, module: &module, roots: roots.clone(), recorded: recorded.clone(), layouts: layouts.clone() },
        c,
    );
    let impossible = |d: &Diagnostic| [codes::E0646.id, codes::E0902.id, codes::E0903.id].contains(&d.code.id);
    if !c.diagnostics[before.len()..].iter().any(impossible) {
        return product;
    }
    // Resources that only dead code uses need no place, and what only dead code does need not be possible: with folding, the shader may fit its root
    // signature, its registers and its target.
    let as_written = std::mem::replace(&mut c.diagnostics, before);
    if run_passes(&mut module, FOLDED, &PASS_CTX).is_ok()
        && let Some(product) = targets::generate(Generation { name, options: o, module: &module, roots, recorded, layouts }, c)
        && !c.failed()
    {
        return Some(product);
    }
    c.diagnostics = as_written;
    None
}

/// For SPIR-V with payloads as declared: no driver knows their qualifiers there, so the code has to do what these say. Packed payloads have copies that do.
const PAYLOAD_INPUTS: &[&str] = &["payload_inputs"];

/// Keeps a shader from changing fields that its stage does not write. The program would be wrong without, so it runs at every level.
const PAYLOAD_OUTPUTS: &[&str] = &["payload_outputs"];

/// Passes for an unoptimised program that is invalid only because of code that never runs.
const FOLDED: &[&str] = &["optimize", "constant_operands", "handles", "dce"];

/// Checks the program as it was written, before it is optimised. An error that the type checker reported for a part of a call is not
/// reported again for the call. `vulkan`: the result is for Vulkan alone.
fn check_as_written(module: &Module, roots: crate::RootVersion, vulkan: bool, c: &mut Compilation) {
    let local = module.subobjects.iter().filter_map(|s| match &s.kind {
        SubobjectKind::LocalRootSignature(text) => {
            let signature = rtc_rootsig::parse(text, roots, Scope::Local).ok()?;
            Some(record_layout(&signature).ok()?.size)
        }
        _ => None,
    });
    let diagnostics = rtc_passes::check_rays(module, local.max(), vulkan);
    let inside = |a: Span, b: Span| a.lo >= b.lo && a.hi <= b.hi;
    let reported = |d: &Diagnostic, all: &[Diagnostic]| all.iter().any(|e| e.code.id == d.code.id && inside(e.span(), d.span()));
    let new: Vec<Diagnostic> = diagnostics.into_iter().filter(|d| !reported(d, &c.diagnostics)).collect();
    c.diagnostics.extend(new);
}
