//! The reorder report: every reorder point, what is live across it before and after the passes that shrink it, and suggestions
//! for the rest.
//!
//! The points are those of the optimised program: everything is inlined, so a point in a helper function occurs once for each
//! chain of calls that leads to it. *Before* is the same program compiled without the passes with [`rtc_passes::PassTraits::SHRINKS_LIVE_STATE`].

mod collect;
pub mod html;
mod items;
pub mod json;
mod locations;
mod saved;
pub mod text;

pub use collect::collect;

/// A source location.
#[derive(Clone, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub struct SourceLocation {
    /// The file, after `#line`.
    pub file: String,
    /// The line, after `#line`.
    pub line: u32,
    /// The column, in characters.
    pub column: u32,
    /// The file without regard to `#line`: its index in [`Report::sources`].
    pub physical_file: u32,
    /// The line in that file.
    pub physical_line: u32,
}

/// The report on one compilation.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Report {
    /// The source that was compiled.
    pub file: String,
    /// Entry points and exported functions that have reorder points.
    pub functions: Vec<FunctionReport>,
    /// The pipeline's default stack with these frames, if the library declares a recursion depth.
    pub pipeline_stack: Option<PipelineStack>,
    /// The files that contain a location of this report.
    pub sources: Vec<SourceText>,
}

/// The default size of a pipeline's stack (DXR, default pipeline stack size).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PipelineStack {
    /// The declared maximum trace recursion depth.
    pub depth: u32,
    /// Bytes, estimated from the stack frames of the report.
    pub bytes: u64,
}

/// A source file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SourceText {
    /// Its name.
    pub name: String,
    /// Its contents.
    pub text: String,
}

/// One function.
#[derive(Clone, PartialEq, Debug)]
pub struct FunctionReport {
    /// Its name.
    pub name: String,
    /// Its stage.
    pub stage: &'static str,
    /// Its declaration.
    pub location: Option<SourceLocation>,
    /// Its reorder points, in source order.
    pub points: Vec<ReorderPoint>,
    /// Traces, reorders and invokes of the same hit object.
    pub groups: Vec<Group>,
    /// A lower bound on the bytes of its stack frame when it calls other shaders: the maximum over those calls of the live bytes plus
    /// the payload or parameter of the call. An estimate: drivers decide what is saved.
    pub stack: u32,
    /// The number of points, if there are too many with too much live across them for a report on each.
    pub too_large: Option<usize>,
}

/// One reorder point.
#[derive(Clone, PartialEq, Debug)]
pub struct ReorderPoint {
    /// Its HLSL name: `TraceRay`, `HitObject::Invoke`.
    pub kind: &'static str,
    /// The call in the source.
    pub location: Option<SourceLocation>,
    /// The inlined calls that lead to it, outermost first.
    pub calls: Vec<InlinedCall>,
    /// What is live across it before shrinking; `None` if optimisation removed the corresponding point.
    pub before: Option<LiveSet>,
    /// What is live across it in the optimised program.
    pub after: LiveSet,
    /// Bytes that it passes to other shaders: its payload, parameter or attributes.
    pub passed_bytes: u32,
    /// Words that a ray saves there if rays are sorted in software.
    pub saved_words: Option<u32>,
    /// If not all lanes of a wave come to it together: what diverges, and what is done about it.
    pub divergence: Option<Divergence>,
    /// Changes of the source that would make it cheaper.
    pub suggestions: Vec<Suggestion>,
}

/// Divergent control flow around a point.
#[derive(Clone, PartialEq, Debug)]
pub struct Divergence {
    /// The constructs in which lanes part, outermost first.
    pub causes: Vec<Parting>,
    /// About how many instructions are executed afterwards while the wave is split.
    pub work: u64,
    /// What becomes of it.
    pub fate: Fate,
}

/// A construct in which the lanes of a wave part.
#[derive(Clone, PartialEq, Debug)]
pub struct Parting {
    /// `if`, `switch`, `loop` or `block`.
    pub kind: &'static str,
    /// The construct.
    pub location: Option<SourceLocation>,
    /// The text of the expression that differs between lanes; empty if it is none of the source.
    pub value: String,
}

impl Parting {
    /// In words, in a report on file `main`.
    pub fn text(&self, main: &str) -> String {
        let place = self.location.as_ref().map_or(String::new(), |l| format!(" in {}", l.line_of(main)));
        let value = if self.value.is_empty() { String::new() } else { format!(" (`{}`)", self.value) };
        format!("`{}`{place}{value}", self.kind)
    }
}

impl Divergence {
    /// What diverges and how much follows, in words, in a report on file `main`.
    pub fn text(&self, main: &str) -> String {
        let causes: Vec<String> = self.causes.iter().map(|c| c.text(main)).collect();
        let plural = if self.work == 1 { "" } else { "s" };
        format!("{}; about {} instruction{plural} follow in a split wave", causes.join(", "), self.work)
    }
}

impl SourceLocation {
    /// `line 7`, or `file:7` in another file than `main`.
    pub fn line_of(&self, main: &str) -> String {
        match self.file == main {
            true => format!("line {}", self.line),
            false => format!("{}:{}", self.file, self.line),
        }
    }
}

/// What becomes of a point under divergent control flow ([`rtc_passes::converge`]).
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fate {
    /// All lanes could execute it.
    Possible,
    /// All lanes execute it.
    Converged,
    /// It stays divergent, and why.
    Kept(String),
}

impl Fate {
    /// In words.
    pub fn text(&self) -> String {
        match self {
            Fate::Possible => "all lanes could trace (-fspv-converge-traces)".into(),
            Fate::Converged => "all lanes trace".into(),
            Fate::Kept(why) => format!("stays divergent: {why}"),
        }
    }
}

/// The lanes of the waves that break-evens are about.
pub const WAVE: u32 = 32;

impl ReorderPoint {
    /// The instructions that a wave of [`WAVE`] lanes must save afterwards for the point to pay ([`rtc_tables::reorder_cost`]): where hardware
    /// reorders, and where the runtime sorts rays. None of a point that does more than reorder.
    pub fn break_even(&self) -> Option<[u32; 2]> {
        use rtc_tables::reorder_cost::{hardware, wavefront};
        let live = self.after.bytes;
        (self.kind == rtc_ir::Opcode::reorder.hlsl_name())
            .then(|| [hardware(WAVE, live).ceil() as u32, wavefront(WAVE, live).ceil() as u32])
    }
}

/// A call that was inlined.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InlinedCall {
    /// The name of the called function.
    pub callee: String,
    /// The call in the source.
    pub location: Option<SourceLocation>,
}

/// The values and variables that are live across a point.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct LiveSet {
    /// All bytes; items without a known size count as zero.
    pub bytes: u32,
    /// The largest first.
    pub items: Vec<Item>,
}

/// The kind of a live item.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ItemKind {
    /// A variable, or a part of one.
    Variable,
    /// A part of a payload or callable parameter: of the caller, or of another trace or call.
    Payload,
    /// The value of an expression that no variable holds.
    Temporary,
    /// A hit object. Its size depends on the device.
    HitObject,
    /// A ray query. Its size depends on the device.
    RayQuery,
}

impl ItemKind {
    /// In words.
    pub fn name(self) -> &'static str {
        match self {
            ItemKind::Variable => "variable",
            ItemKind::Payload => "payload",
            ItemKind::Temporary => "temporary",
            ItemKind::HitObject => "hit object",
            ItemKind::RayQuery => "ray query",
        }
    }
}

/// A value or a part of a variable that is live across a point.
#[derive(Clone, PartialEq, Debug)]
pub struct Item {
    /// Its name: `ray.Origin`, `stack[]`; for temporaries the text of the expression.
    pub name: String,
    /// Further names of the same value.
    pub also: Vec<String>,
    /// Its HLSL type, as far as the IR has it.
    pub ty: String,
    /// Its kind.
    pub kind: ItemKind,
    /// Its live bytes.
    pub bytes: u32,
    /// The declaration of the variable.
    pub declared: Option<SourceLocation>,
    /// The definition of the value.
    pub set: Option<SourceLocation>,
    /// It can be rematerialised from values that are live anyway, constants and constant buffers, by about this many operations.
    pub recompute: Option<u32>,
}

/// A trace, reorder and invoke of the same hit object.
#[derive(Clone, PartialEq, Debug)]
pub struct Group {
    /// Indices into [`FunctionReport::points`].
    pub points: Vec<usize>,
    /// The instructions between them that keep the device from treating them as one point.
    pub separators: Vec<Separator>,
}

/// An instruction between the points of a group.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Separator {
    /// What it does.
    pub description: String,
    /// Its source location.
    pub location: Option<SourceLocation>,
}

/// A change of the source that would make a point cheaper.
#[derive(Clone, PartialEq, Debug)]
pub struct Suggestion {
    /// `recompute`, `compress` or `move`.
    pub kind: &'static str,
    /// A sentence.
    pub text: String,
    /// Bytes that it saves.
    pub saves: u32,
    /// The source location of the change.
    pub location: Option<SourceLocation>,
}

/// The sum of the live bytes over all points.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TotalBytes {
    /// Before shrinking; points without such a set count as they are after it.
    pub before: u64,
    /// In the optimised program.
    pub after: u64,
}

impl Report {
    /// The bytes that are live across all points.
    pub fn total(&self) -> TotalBytes {
        let points = || self.functions.iter().flat_map(|f| &f.points);
        let before = points().map(|p| u64::from(p.before.as_ref().map_or(p.after.bytes, |b| b.bytes)));
        TotalBytes { before: before.sum(), after: points().map(|p| u64::from(p.after.bytes)).sum() }
    }
}

/// `1 operation`, `3 operations`.
fn operations(n: u32) -> String {
    format!("{n} operation{}", if n == 1 { "" } else { "s" })
}
