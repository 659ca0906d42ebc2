//! Inputs and outputs of the graphics pipeline: a variable for each signature element, with a location or as a builtin.
//!
//! [`plan`] decides once for each function which variables there are and what each is like; [`declare`] makes a variable when it is used for the
//! first time; [`access`] loads and stores. Locations are counted in the order of the source, or of the semantics (`-fvk-stage-io-order=alpha`);
//! each row of a matrix and each member of an array takes one. Builtins take none. The types of variables are those of the source, signs included,
//! because hosts match them with vertex formats. All clip distances are one array, and so are all cull distances.

mod access;
mod builtins;
mod declare;
mod locations;
mod pixel;
mod plan;

use rtc_ir::{Opcode, Stage};
use serde::{Deserialize, Serialize};

pub(crate) use builtins::{is_builtin, is_output};
pub(crate) use declare::Var;
pub(crate) use locations::located;
pub(crate) use plan::StagePlan;

/// What the options say of stages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct StageOptions {
    /// `-fvk-invert-y`: the y of positions is negated before the rasteriser.
    pub invert_y: bool,
    /// `-fvk-use-dx-position-w`: pixel shaders get 1 / w.
    pub dx_position_w: bool,
    /// `-fvk-stage-io-order=alpha`: locations in the order of semantics.
    pub alphabetical: bool,
    /// `-pack-optimized`: variables share locations.
    pub packed: bool,
    /// `-fvk-support-nonzero-base-vertex`: vertex ids count from the first vertex of a draw.
    pub base_vertex: bool,
    /// `-fvk-support-nonzero-base-instance`: instance ids count from the first instance of a draw.
    pub base_instance: bool,
    /// Vertex shaders without a point size write 1, the size of points in HLSL: Vulkan requires one of pipelines that draw points.
    pub point_size: bool,
    /// What becomes of a thread that discards.
    pub demotion: Demotion,
}

/// How `discard` turns a thread into a helper invocation, if it does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Demotion {
    /// It ends the thread.
    #[default]
    Ends,
    /// The thread goes on, by `SPV_EXT_demote_to_helper_invocation`.
    Extension,
    /// The thread goes on, as in every module of SPIR-V 1.6.
    Core,
}

impl Demotion {
    /// The extension of a module in which threads go on.
    pub const EXTENSION: &'static str = "SPV_EXT_demote_to_helper_invocation";

    /// What a module does: in SPIR-V before 1.6 threads go on if the extension is requested, or if the module asks which threads are helpers.
    pub fn of(m: &rtc_ir::Module, spirv: u32, requested: bool) -> Demotion {
        if spirv >= 6 {
            return Demotion::Core;
        }
        let queries = |f: &rtc_ir::Function| {
            let mut found = false;
            f.for_each_inst(f.body, |_, i| found |= f.op(i) == Opcode::is_helper_lane);
            found
        };
        let needed = m.funcs.values().any(|f| f.stage == Stage::Pixel && queries(f));
        if requested || needed { Demotion::Extension } else { Demotion::Ends }
    }
}
