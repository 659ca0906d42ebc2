//! The reorder report: every reorder point, what is live across it before and after the passes that shrink it, and what
//! could be done about the rest.
//!
//! Points are those of the finished program: everything is inlined, so a point in a helper occurs once for each chain of
//! calls that leads to it. *Before* is the same program without the passes of [`rtc_passes::reorder::SHRINKING`].

mod collect;
pub mod html;
mod items;
pub mod json;
pub mod text;

pub use collect::collect;

/// A place in the source.
#[derive(Clone, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub struct Place {
    /// The file, after `#line`.
    pub file: String,
    /// The line.
    pub line: u32,
    /// The column, in characters.
    pub column: u32,
    /// Where it really is: number of the file in [`Report::sources`], and the line there.
    pub source: (u32, u32),
}

/// The report on one compilation.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Report {
    /// The source that was compiled.
    pub file: String,
    /// Entry points and exported functions that have reorder points.
    pub functions: Vec<FunctionReport>,
    /// The pipeline's default stack by these frames, if the library says how deep traces nest: depth and bytes.
    pub pipeline_stack: Option<(u32, u64)>,
    /// The files in which something of this report is: name and text.
    pub sources: Vec<(String, String)>,
}

/// One function.
#[derive(Clone, PartialEq, Debug)]
pub struct FunctionReport {
    /// Its name.
    pub name: String,
    /// Its stage.
    pub stage: &'static str,
    /// Where it is.
    pub place: Option<Place>,
    /// Its reorder points, in the order of the text.
    pub points: Vec<Point>,
    /// Traces, reorders and invokes that belong together.
    pub groups: Vec<Group>,
    /// Bytes that its stack frame needs at least when it calls other shaders: the most that is live across such a call,
    /// with the payload or parameter of the call. An estimate: what a device saves is its own affair.
    pub stack: u32,
    /// So many points with so much live across them that nothing more is said.
    pub too_large: Option<usize>,
}

/// One reorder point.
#[derive(Clone, PartialEq, Debug)]
pub struct Point {
    /// As HLSL calls it: `TraceRay`, `HitObject::Invoke`.
    pub kind: &'static str,
    /// Where.
    pub place: Option<Place>,
    /// The calls that lead to it, from the entry point on: the function and where it is called.
    pub chain: Vec<(String, Option<Place>)>,
    /// What is live across it before shrinking; `None` if the passes made another program of the function, in which there is no such point.
    pub before: Option<Live>,
    /// What is live across it in the finished program.
    pub after: Live,
    /// Bytes that it hands to other shaders: its payload, parameter or attributes.
    pub passes: u32,
    /// What could make it cheaper.
    pub suggestions: Vec<Suggestion>,
}

/// What is live across a point.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Live {
    /// All bytes; what has no size counts nothing.
    pub bytes: u32,
    /// The largest first.
    pub items: Vec<Item>,
}

/// What kind of thing is live.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum What {
    /// A variable, or a part of one.
    Variable,
    /// A part of a payload or callable parameter: of the caller, or of another trace or call.
    Payload,
    /// The value of an expression that no variable holds.
    Temporary,
    /// A hit object. Its size is the device's affair.
    HitObject,
    /// A ray query. Its size is the device's affair.
    RayQuery,
}

impl What {
    /// In words.
    pub fn name(self) -> &'static str {
        match self {
            What::Variable => "variable",
            What::Payload => "payload",
            What::Temporary => "temporary",
            What::HitObject => "hit object",
            What::RayQuery => "ray query",
        }
    }
}

/// One thing that is live across a point.
#[derive(Clone, PartialEq, Debug)]
pub struct Item {
    /// Its name: `ray.Origin`, `stack[]`; of temporaries the text of the expression.
    pub name: String,
    /// Further names of the same value.
    pub also: Vec<String>,
    /// Its type as HLSL spells it, as far as known.
    pub ty: String,
    /// What it is.
    pub what: What,
    /// Bytes of what is live of it.
    pub bytes: u32,
    /// Where the variable is declared.
    pub declared: Option<Place>,
    /// Where the value comes from.
    pub set: Option<Place>,
    /// It can be computed again from what is live anyway, constants and constant buffers, with about so many operations.
    pub recompute: Option<u32>,
}

/// Traces, reorders and invokes that belong together.
#[derive(Clone, PartialEq, Debug)]
pub struct Group {
    /// Which points: their numbers.
    pub points: Vec<usize>,
    /// What stands between them; none: the device can take them as one point.
    pub broken_by: Vec<(String, Option<Place>)>,
}

/// What could make a point cheaper.
#[derive(Clone, PartialEq, Debug)]
pub struct Suggestion {
    /// `recompute`, `compress` or `move`.
    pub kind: &'static str,
    /// A sentence.
    pub text: String,
    /// Bytes that it saves.
    pub saves: u32,
    /// Where the change would be made.
    pub place: Option<Place>,
}

impl Report {
    /// Bytes live across all points, before (as far as known) and after.
    pub fn total(&self) -> (u64, u64) {
        let points = || self.functions.iter().flat_map(|f| &f.points);
        let before = points().map(|p| u64::from(p.before.as_ref().map_or(p.after.bytes, |b| b.bytes)));
        (before.sum(), points().map(|p| u64::from(p.after.bytes)).sum())
    }
}
