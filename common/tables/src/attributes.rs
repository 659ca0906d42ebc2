//! Attributes without a namespace, `[name]`: what each is written on, the stages in which it has a meaning, and what it says. Those of Vulkan are
//! in [`crate::vk_attributes`].

use crate::stages::{EntryAttribute, StageMask};

/// What an attribute is written on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AttributeOn {
    /// A function.
    Function,
    /// A loop.
    Loop,
    /// An `if` or a `switch`.
    Branch,
    /// A `switch`.
    Switch,
    /// A structure.
    Structure,
}

impl AttributeOn {
    /// As messages say it.
    pub fn what(self) -> &'static str {
        match self {
            AttributeOn::Function => "a function",
            AttributeOn::Loop => "a loop",
            AttributeOn::Branch => "an `if` or `switch`",
            AttributeOn::Switch => "a `switch`",
            AttributeOn::Structure => "a structure",
        }
    }
}

/// An attribute by name, in the order of [`ATTRIBUTES`]. Code matches this and never the text of a source.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum AttributeId {
    /// `[shader]`
    Shader,
    /// `[numthreads]`
    NumThreads,
    /// `[WaveSize]`
    WaveSize,
    /// `[GroupSharedLimit]`
    GroupSharedLimit,
    /// `[WaveOpsIncludeHelperLanes]`
    HelperLanes,
    /// `[RootSignature]`
    RootSignature,
    /// `[noinline]`
    NoInline,
    /// `[earlydepthstencil]`
    EarlyDepthStencil,
    /// `[clipplanes]`
    ClipPlanes,
    /// `[domain]`
    Domain,
    /// `[partitioning]`
    Partitioning,
    /// `[outputtopology]`
    OutputTopology,
    /// `[outputcontrolpoints]`
    OutputControlPoints,
    /// `[patchconstantfunc]`
    PatchConstantFunc,
    /// `[maxtessfactor]`
    MaxTessFactor,
    /// `[maxvertexcount]`
    MaxVertexCount,
    /// `[instance]`
    Instance,
    /// `[raypayload]`
    RayPayload,
    /// `[unroll]`
    Unroll,
    /// `[loop]`
    Loop,
    /// `[fastopt]`
    FastOpt,
    /// `[allow_uav_condition]`
    AllowUavCondition,
    /// `[branch]`
    Branch,
    /// `[flatten]`
    Flatten,
    /// `[call]`
    Call,
    /// `[forcecase]`
    ForceCase,
}

impl AttributeId {
    /// Its row.
    pub fn row(self) -> &'static Attribute {
        &ATTRIBUTES[self as usize]
    }
}

/// An attribute.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Attribute {
    /// Which it is.
    pub id: AttributeId,
    /// Its name. Upper and lower case are alike.
    pub name: &'static str,
    /// What it is written on.
    pub on: AttributeOn,
    /// Of those on functions: the stages of entry points in which it has a meaning.
    pub stages: StageMask,
    /// The first shader model that has it: the minor number of 6.
    pub model: u32,
    /// How it is written.
    pub form: &'static str,
    /// What it says.
    pub about: &'static str,
}

const fn on_function(id: Id, name: &'static str, stages: StageMask, form: &'static str, about: &'static str) -> Attribute {
    Attribute { id, name, on: AttributeOn::Function, stages, model: 0, form, about }
}
const fn of_entry(id: Id, row: EntryAttribute, form: &'static str, about: &'static str) -> Attribute {
    Attribute { id, name: row.name, on: AttributeOn::Function, stages: row.stages, model: row.model, form, about }
}
const fn on(id: Id, on: AttributeOn, name: &'static str, form: &'static str, about: &'static str) -> Attribute {
    Attribute { id, name, on, stages: StageMask::ALL, model: 0, form, about }
}

use AttributeId as Id;
use AttributeOn::{Branch, Loop, Structure, Switch};

const PATCHES: StageMask = StageMask::HS.union(StageMask::DS);
const WITH_ROOT_SIGNATURE: StageMask = StageMask::GRAPHICS.union(StageMask::CS);

/// Every attribute.
#[rustfmt::skip]
pub const ATTRIBUTES: &[Attribute] = &[
    on_function(Id::Shader, "shader",      StageMask::ENTRIES,  "shader(\"closesthit\")", "The function is an entry point of this stage in a library."),
    on_function(Id::NumThreads, "numthreads",  StageMask::GROUPS,   "numthreads(8, 8, 1)",    "The size of a thread group: at most 1024 threads in compute shaders, 128 in mesh and amplification shaders."),
    of_entry(Id::WaveSize, EntryAttribute::WAVE_SIZE,             "WaveSize(32)",           "The lanes of a wave, a power of two. From shader model 6.8 on also the fewest, the most and the preferred number."),
    of_entry(Id::GroupSharedLimit, EntryAttribute::GROUPSHARED_LIMIT,     "GroupSharedLimit(65536)", "How many bytes of groupshared memory a thread group may have, in place of the usual limit."),
    of_entry(Id::HelperLanes, EntryAttribute::HELPER_LANES,          "WaveOpsIncludeHelperLanes", "Wave operations of the pixel shader count helper lanes as active ones."),
    on_function(Id::RootSignature, "RootSignature", WITH_ROOT_SIGNATURE, "RootSignature(\"CBV(b0)\")", "The root signature of the entry point, as text. Ray tracing shaders have subobjects in its place."),
    on_function(Id::NoInline, "noinline",    StageMask::ALL,      "noinline",               "A hint to keep calls of the function. rtc inlines what it compiles; linkers see the hint of an exported function."),
    on_function(Id::EarlyDepthStencil, "earlydepthstencil", StageMask::PS, "earlydepthstencil",      "Depth and stencil tests run before the pixel shader, also if it writes to resources."),
    on_function(Id::ClipPlanes, "clipplanes",  StageMask::VS,       "clipplanes(Plane)",      "Planes in constant buffers; the distance of the position to each is a clip distance."),
    on_function(Id::Domain, "domain",      PATCHES,             "domain(\"tri\")",        "The domain of the patch: `tri`, `quad` or `isoline`."),
    on_function(Id::Partitioning, "partitioning", StageMask::HS,      "partitioning(\"fractional_odd\")", "How edges are divided: `integer`, `fractional_even`, `fractional_odd` or `pow2`."),
    on_function(Id::OutputTopology, "outputtopology", StageMask::HS.union(StageMask::MESH), "outputtopology(\"triangle_cw\")", "What the stage makes: `point`, `line`, `triangle_cw` or `triangle_ccw` in hull shaders, `line` or `triangle` in mesh shaders."),
    on_function(Id::OutputControlPoints, "outputcontrolpoints", StageMask::HS, "outputcontrolpoints(3)", "How many control points the hull shader makes: it runs once for each."),
    on_function(Id::PatchConstantFunc, "patchconstantfunc", StageMask::HS, "patchconstantfunc(\"PatchConstants\")", "The function that gives the tessellation factors and what else belongs to the whole patch."),
    on_function(Id::MaxTessFactor, "maxtessfactor", StageMask::HS,     "maxtessfactor(64)",      "The largest tessellation factor that the hull shader gives, 1 to 64."),
    on_function(Id::MaxVertexCount, "maxvertexcount", StageMask::GS,    "maxvertexcount(6)",      "The most vertices that one run of the geometry shader gives."),
    on_function(Id::Instance, "instance",    StageMask::GS,       "instance(2)",            "How often the geometry shader runs for each primitive, 1 to 32; `SV_GSInstanceID` is the number of the run."),
    on(Id::RayPayload, Structure, "raypayload", "raypayload",                   "The structure is a ray payload: its members say which stages read and write them."),
    on(Id::Unroll, Loop, "unroll",       "unroll",                        "The loop is unrolled; `unroll(n)` at most n times."),
    on(Id::Loop, Loop, "loop",         "loop",                          "The loop is not unrolled."),
    on(Id::FastOpt, Loop, "fastopt",      "fastopt",                       "A hint to compile the loop quickly, which means not to unroll it."),
    on(Id::AllowUavCondition, Loop, "allow_uav_condition", "allow_uav_condition",    "The condition of the loop may depend on a resource that is written."),
    on(Id::Branch, Branch, "branch",       "branch",                        "Only the chosen side runs: the condition becomes a branch."),
    on(Id::Flatten, Branch, "flatten",      "flatten",                       "Both sides run, and the results of one are kept."),
    on(Id::Call, Switch, "call",         "call",                          "A hint to make a subroutine of each case."),
    on(Id::ForceCase, Switch, "forcecase",    "forcecase",                     "A hint to keep the `switch` as one instruction."),
];

/// The attribute of this name.
pub fn attribute(name: &str) -> Option<&'static Attribute> {
    ATTRIBUTES.iter().find(|r| r.name.eq_ignore_ascii_case(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_name_has_one_row_and_a_form_that_begins_with_it() {
        for (n, r) in ATTRIBUTES.iter().enumerate() {
            assert!(!ATTRIBUTES[..n].iter().any(|o| o.name.eq_ignore_ascii_case(r.name)), "{}", r.name);
            assert_eq!(r.id as usize, n, "{}", r.name);
            assert!(r.form.starts_with(r.name) && r.about.ends_with('.'), "{}", r.name);
        }
        assert_eq!(attribute("NUMTHREADS").map(|r| r.name), Some("numthreads"));
        assert!(attribute("no_such").is_none());
    }
}
