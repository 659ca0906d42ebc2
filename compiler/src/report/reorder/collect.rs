//! From the analyses of [`rtc_passes::reorder`] to the report: numbers become names and places.

use rtc_base::{SourceMap, Span};
use rtc_ir::{Effects, Function, Inst, InstData, Module, Opcode, Root, Stage, SubobjectKind};
use rtc_passes::ranges::Ranges;
use rtc_passes::reorder::{LiveState, Moving, across_points, groups, points};
use rustc_hash::FxHashMap;

use super::items::{Items, bytes_of};
use super::{FunctionReport, Group, Item, Live, Place, Point, Report, Suggestion};

/// Spans to places. Remembers which files occur.
pub(super) struct Places<'a> {
    map: &'a SourceMap,
    files: Vec<rtc_base::FileId>,
}

impl Places<'_> {
    pub fn place(&mut self, span: Span) -> Option<Place> {
        if span.is_none() {
            return None;
        }
        let (id, range) = self.map.range(span)?;
        let loc = self.map.loc_in(id, range.start);
        let line = self.map.file(id).line_starts().partition_point(|&s| s as usize <= range.start) as u32;
        let file = match self.files.iter().position(|&f| f == id) {
            Some(n) => n,
            None => {
                self.files.push(id);
                self.files.len() - 1
            }
        };
        Some(Place { file: loc.file, line: loc.line, column: loc.column, source: (file as u32, line) })
    }

    /// The text of an expression, on one line and not too long.
    pub fn snippet(&self, span: Span) -> String {
        const MAX: usize = 48;
        if span.is_none() || self.map.range(span).is_none() {
            return String::new();
        }
        let words: Vec<&str> = self.map.snippet(span).split_whitespace().collect();
        let text = words.join(" ");
        match text.char_indices().nth(MAX) {
            None => text,
            Some((end, _)) => format!("{}…", &text[..end]),
        }
    }
}

/// Reports on `after`; `before` is the same program without the passes that shrink what is live.
pub fn collect(file: &str, before: &Module, after: &Module, map: &SourceMap) -> Report {
    let mut places = Places { map, files: Vec::new() };
    let (moving, moving_before) = (Moving::of(after), Moving::of(before));
    let mut out = Report { file: file.into(), ..Report::default() };
    for f in after.funcs.values() {
        let states = across_points(after, f, &moving);
        if states.is_empty() {
            let count = points(f, &moving).len();
            if count > 0 {
                let too_large = Some(count);
                let place = places.place(f.span);
                out.functions.push(FunctionReport {
                    name: f.name.clone(),
                    stage: f.stage.name(),
                    place,
                    points: Vec::new(),
                    groups: Vec::new(),
                    stack: 0,
                    too_large,
                });
            }
            continue;
        }
        let old = before.funcs.values().find(|o| o.symbol == f.symbol);
        let mut earlier: FxHashMap<Key, Vec<Live>> = FxHashMap::default();
        if let Some(o) = old {
            let mut items = Items::new(before, o, &mut places);
            for s in across_points(before, o, &moving_before).iter().rev() {
                earlier.entry(key(o, s.point)).or_default().push(items.live(s));
            }
        }
        out.functions.push(function(after, f, &states, earlier, &mut places));
    }
    out.pipeline_stack = pipeline_stack(after, &out.functions);
    out.sources = places.files.iter().map(|&id| (map.file(id).name.clone(), map.file(id).text.to_string())).collect();
    out
}

/// The default size of the pipeline's stack (DXR specification, default pipeline stack size) with what the frames need at least.
fn pipeline_stack(m: &Module, functions: &[FunctionReport]) -> Option<(u32, u64)> {
    let depth = m.subobjects.iter().find_map(|s| match s.kind {
        SubobjectKind::PipelineConfig(depth) | SubobjectKind::PipelineConfig1(depth, _) => Some(depth),
        _ => None,
    })?;
    let most = |stage: Stage| {
        let frames = functions.iter().filter(|f| f.stage == stage.name()).map(|f| u64::from(f.stack));
        frames.max().unwrap_or(0)
    };
    let shading = most(Stage::ClosestHit).max(most(Stage::Miss));
    let first = shading.max(most(Stage::Intersection) + most(Stage::AnyHit));
    let traces = first * u64::from(depth.min(1)) + shading * u64::from(depth.saturating_sub(1));
    Some((depth, most(Stage::RayGeneration) + traces + 2 * most(Stage::Callable)))
}

/// What tells points of two versions of a function apart.
type Key = (Opcode, Span, Vec<Span>);

fn key(f: &Function, i: Inst) -> Key {
    let chain = f.debug.as_ref().map_or(Vec::new(), |d| d.chain(i).iter().map(|s| s.span).collect());
    (f.op(i), f.spans[i], chain)
}

/// What HLSL calls a point.
fn kind(op: Opcode) -> &'static str {
    match op {
        Opcode::trace_ray => "TraceRay",
        Opcode::call_shader => "CallShader",
        Opcode::report_hit => "ReportHit",
        Opcode::hit_trace => "HitObject::TraceRay",
        Opcode::hit_invoke => "HitObject::Invoke",
        Opcode::reorder => "MaybeReorderThread",
        Opcode::call => "call",
        other => other.name(),
    }
}

fn function(m: &Module, f: &Function, states: &[LiveState], mut earlier: FxHashMap<Key, Vec<Live>>, places: &mut Places) -> FunctionReport {
    let uses = first_uses(f);
    let ranges = Ranges::of(&m.types, f);
    let mut points = Vec::new();
    let mut stack = 0;
    for s in states {
        let i = s.point;
        let before = earlier.get_mut(&key(f, i)).and_then(Vec::pop);
        let chain = f.debug.as_ref().map_or(Vec::new(), |d| d.chain(i).iter().map(|c| (c.callee.clone(), places.place(c.span))).collect());
        let passes = match f.insts[i] {
            InstData::Slot { slot, .. } => bytes_of(m, f.slots[slot].ty),
            _ => 0,
        };
        let mut items = Items::new(m, f, places);
        let after = items.live(s);
        let suggestions = suggestions(m, f, s, &mut items, &uses, &ranges);
        if f.op(i).effects().contains(Effects::RUNS_SHADERS) {
            stack = stack.max(after.bytes.saturating_add(passes));
        }
        points.push(Point { kind: kind(f.op(i)), place: places.place(f.spans[i]), chain, before, after, passes, suggestions });
    }
    let number = |i: &Inst| states.iter().position(|s| s.point == *i);
    let groups = groups(m, f)
        .iter()
        .map(|g| Group {
            points: g.points.iter().filter_map(number).collect(),
            broken_by: g.between.iter().map(|&i| (obstacle(m, f, i), places.place(f.spans[i]))).collect(),
        })
        .collect();
    FunctionReport { name: f.name.clone(), stage: f.stage.name(), place: places.place(f.span), points, groups, stack, too_large: None }
}

/// Why an instruction may not stand between the calls of a group.
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

/// Where in the text each value is first used.
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

/// Computing a value again is suggested if it is no more work than this.
const MAX_WORK: u32 = 12;

/// What could be done about what is live across `s`.
fn suggestions(
    m: &Module,
    f: &Function,
    s: &LiveState,
    items: &mut Items,
    (at, first): &(FxHashMap<Inst, u32>, FxHashMap<rtc_ir::Value, u32>),
    ranges: &Ranges,
) -> Vec<Suggestion> {
    let mut out = Vec::new();
    let (mut flags, mut flag_place) = (Vec::new(), None);
    let (mut again, mut all_work, mut again_saves, mut again_place) = (Vec::<String>::new(), 0, 0, None);
    for v in &s.values {
        let item = items.value(v);
        let Item { name, bytes, .. } = &item;
        let place = item.set.clone().or(item.declared.clone());
        if let Some(work) = v.recompute.filter(|&w| w <= MAX_WORK) {
            if !again.contains(name) {
                again.push(name.clone());
            }
            all_work += work;
            again_saves += bytes;
            again_place = again_place.or(place);
            continue;
        }
        let loaded = f.def_inst(v.value).filter(|&d| {
            let e = f.op(d).effects();
            e.contains(Effects::READS_PLACEMENT) && !e.intersects(Effects::REORDERS | Effects::CONVERGENT | Effects::WRITES_MEM)
        });
        if loaded.is_some() && first.get(&v.value) > at.get(&s.point) {
            let text = format!(
                "{name} is read above the point and used only behind it: reading it there keeps {bytes} bytes less alive, if the access is no more coherent above"
            );
            out.push(Suggestion { kind: "move", text, saves: *bytes, place });
            continue;
        }
        match m.types.numeric(f.ty(v.value)) {
            Some((rtc_ir::Scalar::Bool, n @ 1..=4)) => {
                let n = if n == 1 { 1 } else { v.components.count_ones() };
                flags.extend(std::iter::repeat_n(name.clone(), n as usize));
                flag_place = flag_place.or(place);
            }
            Some((rtc_ir::Scalar::I32, 1)) => {
                let width = ranges.at(v.value, s.point).width();
                let fits = [8, 16].into_iter().find(|&w| width <= w);
                if let Some(w) = fits {
                    let text = format!("{name} needs {width} bits: packed with others into {w} bits it takes {} bytes less", 4 - w / 8);
                    out.push(Suggestion { kind: "compress", text, saves: 4 - w / 8, place });
                }
            }
            _ => {}
        }
    }
    if !again.is_empty() {
        let text = format!("compute {} again behind the point: {} instead of {again_saves} bytes", again.join(", "), operations(all_work));
        out.push(Suggestion { kind: "recompute", text, saves: again_saves, place: again_place });
    }
    if flags.len() > 1 {
        let saves = 4 * (flags.len() as u32 - flags.len().div_ceil(32) as u32);
        flags.dedup();
        let text = format!("pack the flags {} into bits of one number", flags.join(", "));
        out.push(Suggestion { kind: "compress", text, saves, place: flag_place });
    }
    for p in &s.parts {
        // Payloads are what shaders agreed upon; a local array is the function's own.
        if let Root::Local(_) = p.part.root
            && p.bytes > 64
        {
            let item = items.part(p);
            let text = format!(
                "{} takes {} bytes because it is indexed by what is known only when running; smaller elements or a smaller array help most",
                item.name, item.bytes
            );
            out.push(Suggestion { kind: "compress", text, saves: 0, place: item.declared });
        }
    }
    out.sort_by_key(|s| std::cmp::Reverse(s.saves));
    out
}

/// `1 operation`, `3 operations`.
pub(super) fn operations(n: u32) -> String {
    format!("{n} operation{}", if n == 1 { "" } else { "s" })
}
