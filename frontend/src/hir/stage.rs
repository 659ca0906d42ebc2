//! What an entry point of the graphics pipeline receives and gives: its signature elements, and the tree of elements that each
//! parameter and the result consist of.

use std::sync::Arc;

use rtc_ir::{ElementData, StageState};

use super::FuncId;

/// The elements that a parameter, result or part of one consists of.
#[derive(Clone, Debug, Default)]
pub enum StageNode {
    /// It is not in this signature: a parameter that is only read, among the outputs.
    #[default]
    Absent,
    /// One element, by its number in [`StageInterface::elements`]: a number, or an array of some.
    Element(u32),
    /// An array of which every member is an element.
    Split(Arc<[u32]>),
    /// A structure: the nodes of its fields.
    Fields(Arc<[StageNode]>),
    /// An array with a member for each vertex or primitive that a mesh shader makes: the node of each.
    Outputs(Arc<StageNode>),
    /// The vertices of the primitives that a mesh shader makes.
    Indices,
    /// What an amplification shader passes.
    Payload,
    /// An array with a member for each vertex of a primitive or control point of a patch: the node of each.
    Vertices(Arc<StageNode>),
}

impl StageNode {
    /// Whether each member has an element; others have an error that is reported.
    pub fn is_whole(&self) -> bool {
        match self {
            StageNode::Absent => false,
            StageNode::Element(_) | StageNode::Split(_) => true,
            StageNode::Fields(list) => list.iter().all(StageNode::is_whole),
            StageNode::Vertices(each) => each.is_whole(),
            StageNode::Outputs(each) => each.is_whole(),
            StageNode::Indices | StageNode::Payload => true,
        }
    }
    /// The numbers of its elements.
    pub fn elements(&self) -> Vec<u32> {
        match self {
            StageNode::Element(n) => vec![*n],
            StageNode::Split(list) => list.to_vec(),
            StageNode::Fields(list) => list.iter().flat_map(StageNode::elements).collect(),
            StageNode::Vertices(each) | StageNode::Outputs(each) => each.elements(),
            StageNode::Absent | StageNode::Indices | StageNode::Payload => Vec::new(),
        }
    }
    /// The same tree with elements `numbers`.
    pub fn renumbered(&self, numbers: &[u32]) -> StageNode {
        let number = |n: &u32| numbers.get(*n as usize).copied();
        match self {
            StageNode::Absent => StageNode::Absent,
            StageNode::Element(n) => number(n).map_or(StageNode::Absent, StageNode::Element),
            StageNode::Split(list) => StageNode::Split(list.iter().filter_map(number).collect()),
            StageNode::Fields(list) => StageNode::Fields(list.iter().map(|n| n.renumbered(numbers)).collect()),
            StageNode::Vertices(each) => StageNode::Vertices(each.renumbered(numbers).into()),
            StageNode::Outputs(each) => StageNode::Outputs(each.renumbered(numbers).into()),
            StageNode::Indices => StageNode::Indices,
            StageNode::Payload => StageNode::Payload,
        }
    }
}

/// The interface of an entry point.
#[derive(Clone, Debug, Default)]
pub struct StageInterface {
    /// The elements, the result's first, then parameter by parameter.
    pub elements: Vec<ElementData>,
    /// The result.
    pub result: StageNode,
    /// The parameters: inputs and outputs of each.
    pub params: Vec<(StageNode, StageNode)>,
    /// The state of the stage; the patch constant function is not in it.
    pub state: StageState,
    /// The patch constant function of a hull shader.
    pub patch_constants: Option<PatchConstants>,
    /// What `[clipplanes(…)]` adds to the outputs of a vertex shader.
    pub clip: Option<ClipPlanes>,
}

/// Clip distances that follow from the position.
#[derive(Clone, Debug)]
pub struct ClipPlanes {
    /// The element of the position.
    pub position: u32,
    /// The elements of the distances, one for each plane.
    pub distances: Vec<u32>,
}

/// The interface of a patch constant function. Its elements are among those of the hull shader.
#[derive(Clone, Debug)]
pub struct PatchConstants {
    /// The function.
    pub func: FuncId,
    /// The result.
    pub result: StageNode,
    /// The parameters: inputs and outputs of each.
    pub params: Vec<(StageNode, StageNode)>,
}
