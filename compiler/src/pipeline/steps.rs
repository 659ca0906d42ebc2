//! The steps of a compilation that are not passes: payload layouts, checks of the program as it was written, warnings and reports about reorder
//! points, code.

use rtc_base::{Diagnostic, Span};
use rtc_dxil_container::Version;
use rtc_frontend::hir::LateRule;
use rtc_ir::SubobjectKind;
use rtc_package::layouts::BufferLayout;
use rtc_passes::{AuditState, PassTraits, StageName, pack_payload, run_passes};
use rtc_rootsig::{Scope, record_layout};
use rtc_tables::diagnostics as codes;

use super::step::{FOLDED, State};
use crate::compilation::Product;
use crate::front_end::Front;
use crate::options::{ProfileKind, Target};
use crate::payloads::{self, Packing};
use crate::report::{self, Report};
use crate::run_passes::{PASS_CTX, checked};
use crate::targets::{self, Generation};
use crate::{late_rules, resource_indices, snapshots, warnings};

pub fn has_no_hit_objects(s: &State<'_>) -> bool {
    !rtc_passes::uses_hit_objects(&s.front.module)
}

pub fn has_matrices(s: &State<'_>) -> bool {
    rtc_passes::uses_matrices(&s.front.module)
}

pub fn has_no_matrices(s: &State<'_>) -> bool {
    !has_matrices(s)
}

pub fn accesses_no_vectors(s: &State<'_>) -> bool {
    !rtc_dxil_lower::accesses_vectors(&s.front.module)
}

pub fn check_payloads(s: &mut State<'_>) -> Option<()> {
    s.c.diagnostics.extend(rtc_passes::paq_liveness::check(&s.front.module).warnings);
    s.c.diagnostics.extend(crate::paq::perf(&s.front, &s.c.sources));
    Some(())
}

pub fn report_payloads(s: &mut State<'_>) -> Option<()> {
    s.c.reports.push(Report::Paq(report::paq::collect(s.name, &s.front, &s.c.sources)));
    Some(())
}

pub fn choose_layouts(s: &mut State<'_>) -> Option<()> {
    s.packing = payloads::packing(s.o, &s.front, &mut s.c.sources, &mut s.c.diagnostics)?;
    s.whole = matches!(s.packing, Packing::Whole(_)).then(|| payloads::whole::Whole::of(&s.front, &s.c.sources));
    if !s.o.warnings.none && s.packing != Packing::Declared {
        s.c.diagnostics.extend(payloads::unpacked(&s.packing, &s.front));
    }
    Some(())
}

pub fn first_snapshot(s: &mut State<'_>) -> Option<()> {
    snapshots::take("", &s.front.module, s.o, s.c);
    Some(())
}

/// Ends the audit of what ran since it began.
pub fn audit(s: &mut State<'_>) -> Option<()> {
    let audited = std::mem::take(&mut s.audit).finish(&s.front.module);
    checked(audited, s.c)
}

pub fn pack_payloads(s: &mut State<'_>) -> Option<()> {
    let module = &mut s.front.module;
    if let (Some(whole), Packing::Whole(plans)) = (s.whole.take(), &mut s.packing) {
        let (planned, kept) = whole.plans(module);
        *plans = planned;
        if !s.o.warnings.none {
            s.c.diagnostics.extend(kept.iter().map(|(name, at, why)| payloads::keeps(name, *at, &why.to_string())));
        }
    }
    s.recorded = payloads::record(module, &s.packing);
    match &s.packing {
        Packing::Declared => {}
        Packing::Own => _ = pack_payload::pack_payloads(module, None),
        Packing::Shared(all) => _ = pack_payload::pack_payloads(module, Some(all)),
        Packing::Whole(plans) => _ = pack_payload::pack_planned(module, plans),
    }
    s.audit = AuditState::default();
    Some(())
}

/// Checks the program as it was written, before it is optimised. An error that the type checker reported for a part of a call is not
/// reported again for the call.
pub fn check_as_written(s: &mut State<'_>) -> Option<()> {
    let module = &s.front.module;
    let vulkan = matches!(s.o.target, Target::Spirv | Target::Package);
    let local = module.subobjects.iter().filter_map(|o| match &o.kind {
        SubobjectKind::LocalRootSignature(text) => {
            let signature = rtc_rootsig::parse(text, s.o.dxil.root_version, Scope::Local).ok()?;
            Some(record_layout(&signature).ok()?.size)
        }
        _ => None,
    });
    let diagnostics = rtc_passes::check_rays(module, local.max(), vulkan);
    let inside = |a: Span, b: Span| a.lo >= b.lo && a.hi <= b.hi;
    let reported = |d: &Diagnostic, all: &[Diagnostic]| all.iter().any(|e| e.code.id == d.code.id && inside(e.span(), d.span()));
    let new: Vec<Diagnostic> = diagnostics.into_iter().filter(|d| !reported(d, &s.c.diagnostics)).collect();
    s.c.diagnostics.extend(new);
    Some(())
}

pub fn check_late_rules(s: &mut State<'_>) -> Option<()> {
    let validator = s.o.dxil.validator;
    let applies = |rule: &LateRule| rule.validator == 0 || validator >= Version::new(1, rule.validator.into());
    let rules = std::mem::take(&mut s.front.hir.late).into_iter().filter(applies).collect();
    if late_rules::check(&mut s.front.module, rules, s.o.level, s.c) {
        s.audit = AuditState::default();
    }
    (!s.c.failed()).then_some(())
}

pub fn make_nothing(s: &mut State<'_>) -> Option<()> {
    s.product = Some(Product::Nothing);
    Some(())
}

pub fn keep_unoptimised(s: &mut State<'_>) -> Option<()> {
    s.unoptimised = Some(s.front.module.clone());
    Some(())
}

/// Collects warnings about reorder points, while no access was hoisted or sunk.
pub fn find_warnings(s: &mut State<'_>) -> Option<()> {
    if !s.o.warnings.none {
        s.warnings = rtc_passes::reorder::warnings(&s.front.module);
    }
    if warnings::may_show(&codes::W0862, &s.o.warnings, s.pragmas) {
        s.warnings.extend(rtc_passes::converge::warnings(&s.front.module));
    }
    Some(())
}

/// Collects warnings about resource indices that differ between lanes.
pub fn check_indices(s: &mut State<'_>) -> Option<()> {
    if warnings::may_show(&codes::W0863, &s.o.warnings, s.pragmas) {
        s.warnings.extend(resource_indices::check(&s.front.module, s.o.dxil.root_version, &s.c.sources));
    }
    Some(())
}

/// Shows the warnings about reorder points and indices, and makes the report about them.
pub fn report_points(s: &mut State<'_>) -> Option<()> {
    s.c.diagnostics.append(&mut s.warnings);
    if let Some(mut unshrunk) = s.unoptimised.take() {
        let stages = [StageName::Simplify, StageName::Optimise];
        let rest = rtc_passes::pipeline(s.o.level).passes_without(&stages, PassTraits::SHRINKS_LIVE_STATE);
        // No pass requires one that is left out, so this succeeds where the whole pipeline did.
        if run_passes(&mut unshrunk, &rest, &PASS_CTX).is_ok() {
            s.c.reports.push(Report::Reorder(report::reorder::collect(s.name, &unshrunk, &s.front.module, &s.c.sources)));
        }
    }
    Some(())
}

pub fn find_rolled(s: &mut State<'_>) -> Option<()> {
    s.c.diagnostics.extend(rtc_passes::still_rolled(&s.front.module));
    Some(())
}

pub fn assign_registers(s: &mut State<'_>) -> Option<()> {
    debug_assert!(s.o.auto_space.is_some() || s.o.profile.kind != ProfileKind::Library);
    let errors = rtc_dxil_lower::bind_all(&mut s.front.module, s.o.reserves_unused);
    s.c.diagnostics.extend(errors.into_iter().map(|e| Diagnostic::new(e.code, e.span, e.message)));
    (!s.c.failed()).then_some(())
}

pub fn generate(s: &mut State<'_>) -> Option<()> {
    let layouts = layouts(s);
    s.product = generated(s, &layouts);
    Some(())
}

/// Resources that only dead code uses need no place, and what only dead code does need not be possible: with folding, a shader may fit its root
/// signature, its registers and its target.
pub fn generate_or_fold(s: &mut State<'_>) -> Option<()> {
    let layouts = layouts(s);
    let before = s.c.diagnostics.clone();
    s.product = generated(s, &layouts);
    if !s.c.diagnostics[before.len()..].iter().any(|d| codes::is_refusal(d.code)) {
        return Some(());
    }
    let as_written = std::mem::replace(&mut s.c.diagnostics, before);
    if run_passes(&mut s.front.module, FOLDED, &PASS_CTX).is_ok() {
        s.product = generated(s, &layouts);
        if s.product.is_some() && !s.c.failed() {
            return Some(());
        }
    }
    s.c.diagnostics = as_written;
    None
}

/// What a package records about constant buffers, which code does not need.
fn layouts(s: &mut State<'_>) -> Vec<BufferLayout> {
    if s.o.target == Target::Package { targets::layouts::take(&mut s.front.module) } else { Vec::new() }
}

fn generated(s: &mut State<'_>, layouts: &[BufferLayout]) -> Option<Product> {
    let Front { module, roots, .. } = &s.front;
    let (roots, recorded) = (roots.clone(), s.recorded.clone());
    targets::generate(Generation { name: s.name, options: s.o, module, roots, recorded, layouts: layouts.to_vec() }, s.c)
}
