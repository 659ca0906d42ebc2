//! The plan of a compilation after the front end: which steps it takes, in which order, under which conditions. Options alone decide it, and `-v`
//! prints it.

use rtc_passes::StageName;
use rtc_passes::pipeline::{COOPERATIVE_VECTORS, LOWER_LINEAR_ALGEBRA, MERGE_LOADS};

use super::step::{FOLDED, Step, Work};
use super::steps;
use crate::options::{LinearAlgebra, OptLevel, Options, PayloadLayout, ProfileKind, Target};
use crate::report::ReportKind;

/// For SPIR-V with payloads as declared: no driver knows their qualifiers there, so the code has to do what these say. Packed payloads have copies that do.
const PAYLOAD_INPUTS: &[&str] = &["payload_inputs"];

/// Keeps a shader from changing fields that its stage does not write. The program would be wrong without, so it runs at every level.
const PAYLOAD_OUTPUTS: &[&str] = &["payload_outputs"];

/// The steps of a compilation with these options, in order.
pub(crate) fn plan(o: &Options) -> Vec<Step> {
    let level = rtc_passes::pipeline(o.level);
    let optimised = o.level != OptLevel::O0;
    let vulkan = matches!(o.target, Target::Spirv | Target::Package);
    let library = o.profile.kind == ProfileKind::Library;
    let mut all = Vec::new();
    let mut add = |holds: bool, step: Step| all.extend(holds.then_some(step));

    // As written: before any pass, accesses to payloads are still those of the source.
    add(!o.warnings.none, Step::does("check payloads", steps::check_payloads).of_phase(Some("check payloads")));
    add(o.reports.contains(&ReportKind::Paq), Step::does("report payloads", steps::report_payloads).of_phase(None));
    add(true, Step::does("choose payload layouts", steps::choose_layouts).of_phase(None));
    add(o.snapshots, Step::does("keep the IR of the front end", steps::first_snapshot));
    let inline = Step::passes("inline", level.stage(StageName::Inline));
    add(true, if vulkan { inline.provided("there are no matrices", steps::has_no_matrices) } else { inline });
    let with_matrices = |step: Step| step.provided("there are matrices", steps::has_matrices);
    let matrices = if o.vulkan.linear_algebra == LinearAlgebra::Nv { COOPERATIVE_VECTORS } else { LOWER_LINEAR_ALGEBRA };
    add(vulkan, with_matrices(Step::passes("inline", matrices.stage(StageName::Inline))));
    add(vulkan, with_matrices(Step::passes("lower linear algebra", matrices.stage(StageName::Lower))));
    add(true, Step::does("audit reorder points", steps::audit));
    // The words of a whole layout have no qualifiers: what these do not permit is gone before.
    add(vulkan && o.payload_layout == PayloadLayout::Whole, Step::passes("keep payload qualifiers", PAYLOAD_OUTPUTS));
    // Payloads are packed as soon as each exit of a shader is its own, and before variables are split.
    add(true, Step::does("pack payloads", steps::pack_payloads));
    add(vulkan, Step::passes("keep payload qualifiers", PAYLOAD_OUTPUTS));
    add(true, Step::passes("make SSA", level.stage(StageName::Ssa)));
    add(true, Step::does("check the program as written", steps::check_as_written));
    add(true, Step::does("check rules that dead code does not break", steps::check_late_rules));
    if o.target == Target::Check && o.reports.is_empty() {
        add(true, Step::does("make nothing", steps::make_nothing));
        return all;
    }
    let reports_points = o.reports.contains(&ReportKind::Reorder);
    add(reports_points, Step::does("keep the program for the report", steps::keep_unoptimised));
    // With hit objects it runs after these have become plain traces.
    let shrinks = vulkan && optimised && o.payload_layout == PayloadLayout::Declared;
    add(shrinks, Step::passes("shrink payloads", PAYLOAD_INPUTS).provided("there are no hit objects", steps::has_no_hit_objects));
    let simplify = Step::passes("simplify", level.stage(StageName::Simplify));
    // A resource that was never assigned is no error where no thread comes.
    let work = Work::PassesOr(level.stage(StageName::Simplify), FOLDED);
    add(true, if optimised { simplify } else { simplify.by(work) });
    add(true, Step::does("look for costly reorder points", steps::find_warnings));
    // Indices of resources are checked where it is resolved which resources control flow selects, and nothing is hoisted yet.
    let optimise = level.stage(StageName::Optimise);
    let (resolve, optimise) = optimise.split_at(optimise.iter().position(|&p| p == "handles").map_or(0, |at| at + 1));
    add(true, Step::passes("resolve handles", resolve));
    add(true, Step::does("check indices of resources", steps::check_indices));
    add(true, Step::passes("optimise", optimise));
    // Where vectors have operations of their own, merged loads would require a newer model than the function of a library does.
    let merge = Step::passes("merge loads", MERGE_LOADS.stage(StageName::Lower));
    let merge = if library { merge.provided("no access is of a vector", steps::accesses_no_vectors) } else { merge };
    add(o.target == Target::Dxil && optimised, merge);
    add(true, Step::does("audit reorder points", steps::audit));
    add(true, Step::does("show what was found of reorder points", steps::report_points));
    add(optimised, Step::does("look for loops that stay", steps::find_rolled));
    let assigns = o.auto_space.is_some() || o.reserves_unused && !library;
    add(assigns && o.target == Target::Dxil, Step::does("assign registers", steps::assign_registers));
    let generate = match optimised {
        true => Step::does("generate code", steps::generate),
        false => Step::does("generate code, or where the target cannot express it, fold and generate code", steps::generate_or_fold),
    };
    add(true, generate.of_phase(Some("generate code")));
    all
}

/// The plan as `-v` prints it, a line for each step.
pub(crate) fn lines(o: &Options) -> Vec<String> {
    let runs = |s: &Step| !matches!(s.work, Work::Passes([]));
    plan(o).iter().filter(|s| runs(s)).map(|s| format!("plan: {s}")).collect()
}
