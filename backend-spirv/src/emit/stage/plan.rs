//! The plan of a function's signature: which variables its elements are, and what each is like.

use rtc_ir::{ElementData, ElementPart, Function, InstData, Module, Opcode, Stage};
use rtc_tables::signature::Semantic;
use rustc_hash::FxHashSet;
use spirv::{BuiltIn, StorageClass};

use super::StageOptions;
use super::builtins::{Builtin, builtin, class_of, has_location};
use super::locations::{locations, spread_member};
use crate::emit::pipeline;

/// How the values of a variable differ from those of its element.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Form {
    /// Vectors of the element, by number and row.
    Plain,
    /// A boolean for an integer.
    Flag,
    /// The first member of an array.
    Mask,
    /// Members of an array of floats.
    Distances {
        /// The first of them.
        first: u32,
        /// The length of the array.
        all: u32,
    },
    /// The position of a fragment.
    FragCoord,
    /// A vertex or instance index minus its base, which is this builtin.
    Minus(BuiltIn),
    /// Tessellation factors: members of an array of floats.
    Factors,
    /// A position in a patch: the builtin has three components, the element the first two or all.
    TessCoord,
}

impl Form {
    fn of(f: &Function, e: &ElementData, own: Option<Builtin>, options: StageOptions) -> Form {
        match e.semantic {
            Semantic::IsFrontFace | Semantic::InnerCoverage if own.is_some() => Form::Flag,
            Semantic::Coverage => Form::Mask,
            Semantic::Position if f.stage == Stage::Pixel => Form::FragCoord,
            Semantic::TessFactor | Semantic::InsideTessFactor => Form::Factors,
            Semantic::DomainLocation => Form::TessCoord,
            Semantic::VertexId if options.base_vertex => Form::Minus(BuiltIn::BaseVertex),
            Semantic::InstanceId if options.base_instance => Form::Minus(BuiltIn::BaseInstance),
            Semantic::ClipDistance | Semantic::CullDistance => {
                let distances = distances(f, e);
                let first = distances.iter().take_while(|d| d.0 < e.index).map(|d| d.1).sum();
                Form::Distances { first, all: distances.iter().map(|d| d.1).sum() }
            }
            _ => Form::Plain,
        }
    }
}

/// The clip or cull distances that share a variable with `e`: for each element, or member of one that is spread, its first index and the
/// number of distances.
fn distances(f: &Function, e: &ElementData) -> Vec<(u32, u32)> {
    let all = f.elements.values().filter(|o| o.role == e.role && o.stream == e.stream && o.semantic == e.semantic);
    let mut all: Vec<(u32, u32)> = all
        .flat_map(|o| match o.spread {
            Some(_) => (0..o.count).map(|n| (o.index_of(n), o.rows * o.columns)).collect(),
            None => vec![(o.index, o.count * o.rows * o.columns)],
        })
        .collect();
    all.sort_unstable();
    all
}

/// Which parts of an element are variables.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Split {
    /// The whole element.
    Not,
    /// Each member.
    Members,
    /// Each row of a matrix: matrices do not share locations.
    Rows,
}

impl Split {
    fn of(e: &ElementData, stage: Stage, options: StageOptions) -> Split {
        let packed = options.packed && e.rows > 1 && has_location(e, stage);
        match (&e.spread, packed) {
            (Some(_), _) => Split::Members,
            (None, true) => Split::Rows,
            (None, false) => Split::Not,
        }
    }

    /// How many variables an element has.
    fn count(self, e: &ElementData) -> u32 {
        match self {
            Split::Not => 1,
            Split::Members => e.count,
            Split::Rows => e.count * e.rows,
        }
    }

    /// Variable `n` of an element as an element of its own, and its location, counted from that of the element.
    fn part(self, e: &ElementData, n: u32) -> (ElementData, u32) {
        match self {
            Split::Not => (e.clone(), 0),
            Split::Members => (spread_member(e, n), e.spread.as_ref().map_or(0, |s| s.locations[n as usize])),
            Split::Rows => (ElementData { count: 1, rows: 1, column_major: false, ..e.clone() }, n * e.row_locations()),
        }
    }
}

/// What a variable is like.
#[derive(Clone, Debug)]
pub(super) struct StageVar {
    /// What it has of the element, as an element of its own.
    pub element: ElementData,
    pub class: StorageClass,
    pub form: Form,
    pub builtin: Option<Builtin>,
    /// The location and the first component of what is no builtin. The source may give it another place.
    pub location: Option<(u32, u32)>,
    /// An array with the value at each vertex of the primitive; the input is its first element.
    pub per_vertex: bool,
    /// The length of an array with the value of each vertex of the primitive, or of each control point of the patch.
    pub vertices: Option<u32>,
}

/// The variables of the signature elements of a function.
#[derive(Clone, Debug, Default)]
pub(crate) struct StagePlan {
    /// By number of the element.
    elements: Vec<(Split, Vec<StageVar>)>,
}

impl StagePlan {
    /// The plan of `f`, a function of `m`.
    pub fn of(m: &Module, f: &Function, options: StageOptions) -> StagePlan {
        if f.elements.is_empty() {
            return StagePlan::default();
        }
        let locations = locations(f, options);
        let state = pipeline::entry_state(m, f);
        let at_vertices = read_at_vertices(f);
        let variables = |(n, e): (usize, &ElementData)| {
            let split = Split::of(e, f.stage, options);
            let variable = |member| {
                let (element, plus) = split.part(e, member);
                let builtin = builtin(&element, f.stage);
                StageVar {
                    class: class_of(&element, f.stage),
                    form: Form::of(f, &element, builtin, options),
                    builtin,
                    location: locations[n].map(|(location, component)| (location + plus, component)),
                    per_vertex: at_vertices.contains(&(n as u32)),
                    vertices: pipeline::vertices_of(&element, state),
                    element,
                }
            };
            (split, (0..split.count(e)).map(variable).collect())
        };
        StagePlan { elements: f.elements.values().enumerate().map(variables).collect() }
    }

    /// What of element `n` has a variable of its own.
    pub(super) fn split(&self, n: u32) -> Split {
        self.elements[n as usize].0
    }

    /// The variables of element `n`.
    pub(super) fn variables(&self, n: u32) -> &[StageVar] {
        &self.elements[n as usize].1
    }
}

/// The elements that are read vertex by vertex.
fn read_at_vertices(f: &Function) -> FxHashSet<u32> {
    let mut found = FxHashSet::default();
    f.for_each_inst(f.body, |_, i| {
        if let InstData::Many { op: Opcode::attribute_at_vertex, imm, .. } = f.insts[i] {
            found.insert(ElementPart::from_imm(imm).element);
        }
    });
    found
}
