//! Collects the reorder report from the live-state analysis of [`rtc_passes::reorder`]: values get their names and source locations.

use rtc_base::{SourceMap, Span};
use rtc_ir::{Effects, Function, Inst, InstData, Module, Opcode, Root, Stage, SubobjectKind};
use rtc_passes::converge::{Cause, divergences};
use rtc_passes::ranges::Ranges;
use rtc_passes::reorder::{LiveState, ReorderingFuncs, across_points, distinct, groups, is_wave, points};
use rustc_hash::FxHashMap;

use super::items::{Items, bytes_of};
use super::locations::Locator;
use super::{
    Divergence, Fate, FunctionReport, Group, InlinedCall, Item, LiveSet, Parting, PipelineStack, ReorderPoint, Report, Separator,
    Suggestion, operations,
};

/// The report on `after`; `before` is the same program without the passes that shrink live state.
pub fn collect(file: &str, before: &Module, after: &Module, map: &SourceMap) -> Report {
    let mut locator = Locator::new(map);
    let (moving, moving_before) = (ReorderingFuncs::of(after), ReorderingFuncs::of(before));
    let mut out = Report { file: file.into(), ..Report::default() };
    for f in after.funcs.values() {
        let states = across_points(after, f, &moving);
        if states.is_empty() {
            let count = points(f, &moving).len();
            if count > 0 {
                out.functions.push(FunctionReport {
                    name: f.name.clone(),
                    stage: f.stage.name(),
                    location: locator.locate(f.span),
                    points: Vec::new(),
                    groups: Vec::new(),
                    stack: 0,
                    too_large: Some(count),
                });
            }
            continue;
        }
        let old = before.funcs.values().find(|o| o.symbol == f.symbol);
        let mut earlier: FxHashMap<Key, Vec<LiveSet>> = FxHashMap::default();
        if let Some(o) = old {
            let mut items = Items::new(before, o, &mut locator);
            for s in across_points(before, o, &moving_before).iter().rev() {
                earlier.entry(key(o, s.point)).or_default().push(items.live(s));
            }
        }
        out.functions.push(function(after, f, &states, earlier, &mut locator));
    }
    out.pipeline_stack = pipeline_stack(after, &out.functions);
    out.sources = locator.sources();
    out
}

/// The default size of the pipeline's stack by the formula of the DXR specification, with the lower bounds of the frames.
fn pipeline_stack(m: &Module, functions: &[FunctionReport]) -> Option<PipelineStack> {
    let depth = m.subobjects.iter().find_map(|s| match s.kind {
        SubobjectKind::PipelineConfig(depth) | SubobjectKind::PipelineConfig1(depth, _) => Some(depth),
        _ => None,
    })?;
    let frame = |stage: Stage| {
        let frames = functions.iter().filter(|f| f.stage == stage.name()).map(|f| u64::from(f.stack));
        frames.max().unwrap_or(0)
    };
    let shading = frame(Stage::ClosestHit).max(frame(Stage::Miss));
    let first = shading.max(frame(Stage::Intersection) + frame(Stage::AnyHit));
    let traces = first * u64::from(depth.min(1)) + shading * u64::from(depth.saturating_sub(1));
    Some(PipelineStack { depth, bytes: frame(Stage::RayGeneration) + traces + 2 * frame(Stage::Callable) })
}

/// What identifies a point in two versions of a function: the operation, its span and the spans of the inlined calls.
type Key = (Opcode, Span, Vec<Span>);

fn key(f: &Function, i: Inst) -> Key {
    let chain = f.debug.as_ref().map_or(Vec::new(), |d| d.chain(i).iter().map(|s| s.span).collect());
    (f.op(i), f.spans[i], chain)
}

fn function(
    m: &Module,
    f: &Function,
    states: &[LiveState],
    mut earlier: FxHashMap<Key, Vec<LiveSet>>,
    locator: &mut Locator,
) -> FunctionReport {
    let uses = first_uses(f);
    let (ranges, divergent) = (Ranges::of(&m.types, f), divergences(m, f));
    let mut points = Vec::new();
    let mut stack = 0;
    for s in states {
        let i = s.point;
        let before = earlier.get_mut(&key(f, i)).and_then(Vec::pop);
        let inlined = f.debug.as_ref().map_or(Vec::new(), |d| d.chain(i));
        let calls = inlined.iter().map(|c| InlinedCall { callee: c.callee.clone(), location: locator.locate(c.span) }).collect();
        let passed_bytes = match f.insts[i] {
            InstData::Slot { slot, .. } => bytes_of(m, f.slots[slot].ty),
            _ => 0,
        };
        let mut items = Items::new(m, f, locator);
        let after = items.live(s);
        let suggestions = suggestions(m, f, &distinct(m, f, s), &mut items, &uses, &ranges);
        if f.op(i).effects().contains(Effects::RUNS_SHADERS) {
            stack = stack.max(after.bytes.saturating_add(passed_bytes));
        }
        let location = locator.locate(f.spans[i]);
        let mut parting = |c: &Cause| Parting { kind: c.kind, location: locator.locate(c.span), value: locator.snippet(c.value) };
        let divergence = divergent.iter().find(|d| d.trace == i).map(|d| Divergence {
            causes: d.causes.iter().map(&mut parting).collect(),
            work: d.work,
            fate: d.obstacle.clone().map_or(Fate::Possible, Fate::Kept),
        });
        points.push(ReorderPoint {
            kind: f.op(i).hlsl_name(),
            location,
            calls,
            before,
            after,
            passed_bytes,
            saved_words: None,
            divergence,
            suggestions,
        });
    }
    let number = |i: &Inst| states.iter().position(|s| s.point == *i);
    let groups = groups(m, f)
        .iter()
        .map(|g| Group {
            points: g.points.iter().filter_map(number).collect(),
            separators: (g.between.iter())
                .map(|&i| Separator { description: obstacle(m, f, i), location: locator.locate(f.spans[i]) })
                .collect(),
        })
        .collect();
    FunctionReport { name: f.name.clone(), stage: f.stage.name(), location: locator.locate(f.span), points, groups, stack, too_large: None }
}

/// What an instruction between the calls of a group does that separates them.
fn obstacle(m: &Module, f: &Function, i: Inst) -> String {
    let e = rtc_ir::effects::of_inst(m, f, i);
    if f.owns_regions(i) {
        return "control flow".into();
    }
    let what = if e.contains(Effects::WRITES_MEM) {
        "a write to memory"
    } else if e.contains(Effects::READS_MEM) {
        "a read of memory that may change"
    } else if e.contains(Effects::CONVERGENT) {
        "an operation on the wave"
    } else if e.contains(Effects::READS_PLACEMENT) {
        "an access to a resource"
    } else {
        "an instruction with effects"
    };
    format!("{what} (`{}`)", f.op(i))
}

/// The position of each instruction, and of the first use of each value.
fn first_uses(f: &Function) -> (FxHashMap<Inst, u32>, FxHashMap<rtc_ir::Value, u32>) {
    let (mut at, mut first) = (FxHashMap::default(), FxHashMap::default());
    let mut n = 0;
    f.for_each_inst(f.body, |_, i| {
        at.insert(i, n);
        f.for_each_operand(i, |v| {
            first.entry(v).or_insert(n);
        });
        n += 1;
    });
    (at, first)
}

/// Rematerialisation is suggested up to this many operations.
const MAX_WORK: u32 = 12;

/// Suggestions for what is live across `s`.
fn suggestions(
    m: &Module,
    f: &Function,
    s: &LiveState,
    items: &mut Items,
    (at, first): &(FxHashMap<Inst, u32>, FxHashMap<rtc_ir::Value, u32>),
    ranges: &Ranges,
) -> Vec<Suggestion> {
    let mut out = Vec::new();
    let (mut flags, mut flag_location) = (Vec::new(), None);
    let (mut cheap, mut all_work, mut cheap_bytes, mut cheap_location) = (Vec::<String>::new(), 0, 0, None);
    for v in &s.values {
        let item = items.value(v);
        let Item { name, bytes, .. } = &item;
        let location = item.set.clone().or(item.declared.clone());
        if let Some(work) = v.recompute.filter(|&w| w <= MAX_WORK && v.bytes > 0) {
            if !cheap.contains(name) {
                cheap.push(name.clone());
            }
            all_work += work;
            cheap_bytes += bytes;
            cheap_location = cheap_location.or(location);
            continue;
        }
        // What a wave operation gives is another value after the point.
        let loaded = f.def_inst(v.value).filter(|&d| {
            let e = f.op(d).effects();
            !is_wave(f.op(d))
                && e.contains(Effects::READS_PLACEMENT)
                && !e.intersects(Effects::REORDERS | Effects::CONVERGENT | Effects::WRITES_MEM)
        });
        if loaded.is_some() && first.get(&v.value) > at.get(&s.point) {
            let text = format!(
                "{name} is loaded before the point and used only after it: loading it after the point keeps {bytes} bytes less live, unless the access is more coherent before it"
            );
            out.push(Suggestion { kind: "move", text, saves: *bytes, location });
            continue;
        }
        match m.types.numeric(f.ty(v.value)) {
            Some((rtc_ir::Scalar::Bool, n @ 1..=4)) => {
                let n = if n == 1 { 1 } else { v.components.count_ones() };
                flags.extend(std::iter::repeat_n(name.clone(), n as usize));
                flag_location = flag_location.or(location);
            }
            Some((rtc_ir::Scalar::I32, 1)) => {
                let width = ranges.at(v.value, s.point).width();
                let fits = [8, 16].into_iter().find(|&w| width <= w);
                if let Some(w) = fits {
                    let text = format!("{name} needs {width} bits: packed with others into {w} bits it takes {} bytes less", 4 - w / 8);
                    out.push(Suggestion { kind: "compress", text, saves: 4 - w / 8, location });
                }
            }
            _ => {}
        }
    }
    if !cheap.is_empty() {
        let text = format!("recompute {} after the point: {} instead of {cheap_bytes} bytes", cheap.join(", "), operations(all_work));
        out.push(Suggestion { kind: "recompute", text, saves: cheap_bytes, location: cheap_location });
    }
    if flags.len() > 1 {
        let saves = 4 * (flags.len() as u32 - flags.len().div_ceil(32) as u32);
        flags.dedup();
        let text = format!("pack the flags {} into bits of one number", flags.join(", "));
        out.push(Suggestion { kind: "compress", text, saves, location: flag_location });
    }
    for p in &s.parts {
        // The type of a payload is shared with other shaders; a local array belongs to the function.
        if let Root::Local(_) = p.part.root
            && p.bytes > 64
        {
            let item = items.part(p);
            let text =
                format!("{} takes {} bytes because its index is dynamic; use smaller elements or a smaller array", item.name, item.bytes);
            out.push(Suggestion { kind: "compress", text, saves: 0, location: item.declared });
        }
    }
    out.sort_by_key(|s| std::cmp::Reverse(s.saves));
    out
}
