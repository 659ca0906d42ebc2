//! Inputs and outputs of the graphics pipeline: a variable for each signature element, with a location or as a builtin.
//!
//! Locations are counted in the order of the source, or of the semantics (`-fvk-stage-io-order=alpha`); each row of a matrix and
//! each member of an array takes one. Builtins take none. The types of variables are those of the source, signs included, because
//! hosts match them with vertex formats. All clip distances are one array, and so are all cull distances.

use rtc_ir::{ElementData, ElementPart, ElementRole, Inst, Opcode, Scalar, Stage, Type, Value};
use rtc_tables::resources::CompType;
use rtc_tables::signature::{Semantic, SigPoint};
use rtc_tables::stages::StageMask;
use rtc_tables::vk_builtins::VkBuiltin;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use spirv::{BuiltIn, Capability as C, Decoration as D, ExecutionMode, GlslStd450Op, Op, StorageClass};

use super::FuncEmitter;
use crate::words::put;

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

/// How the values of a variable differ from those of its element.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Form {
    /// Vectors of the element, by number and row.
    Plain,
    /// A boolean for an integer.
    Flag,
    /// The first member of an array.
    Mask,
    /// Members of an array of floats, from this one on.
    Distances(u32),
    /// The position of a fragment.
    FragCoord,
    /// A vertex or instance index minus its base, which is this builtin.
    Minus(BuiltIn),
    /// Tessellation factors: members of an array of floats.
    Factors,
    /// A position in a patch: the builtin has three components, the element the first two or all.
    TessCoord,
}

/// The variable of an element.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Var {
    id: u32,
    class: StorageClass,
    form: Form,
    /// The type of a component in it.
    scalar: u32,
    /// An array with the value at each vertex of the primitive; the input is its first element.
    per_vertex: bool,
    /// An array with the value of each vertex of the primitive, or of each control point of the patch.
    vertices: bool,
}

/// The builtin of a system value, with the capability and the extension that it needs.
fn builtin(e: &ElementData, stage: Stage) -> Option<(BuiltIn, Option<C>, Option<&'static str>)> {
    use Semantic as S;
    let input = class_of(e, stage) == StorageClass::Input;
    let pixel = stage == Stage::Pixel;
    let own = matches!(stage, Stage::Pixel | Stage::Geometry | Stage::Mesh);
    let rate = Some("SPV_KHR_fragment_shading_rate");
    if let Some(b) = e.builtin {
        return Some(vk_builtin(b, stage));
    }
    Some(match e.semantic {
        S::VertexId => (BuiltIn::VertexIndex, None, None),
        S::InstanceId => (BuiltIn::InstanceIndex, None, None),
        S::StartVertexLocation => (BuiltIn::BaseVertex, Some(C::DrawParameters), None),
        S::StartInstanceLocation => (BuiltIn::BaseInstance, Some(C::DrawParameters), None),
        S::Position if pixel && input => (BuiltIn::FragCoord, None, None),
        S::Position => (BuiltIn::Position, None, None),
        S::ClipDistance => (BuiltIn::ClipDistance, Some(C::ClipDistance), None),
        S::CullDistance => (BuiltIn::CullDistance, Some(C::CullDistance), None),
        // Vulkan has them between the last stage before the rasteriser and the pixel shader alone.
        S::RenderTargetArrayIndex | S::ViewportArrayIndex | S::ShadingRate if is_passed_on(e, stage) => return None,
        S::RenderTargetArrayIndex => (BuiltIn::Layer, Some(if own { C::Geometry } else { C::ShaderLayer }), None),
        S::ViewportArrayIndex => (BuiltIn::ViewportIndex, Some(if own { C::MultiViewport } else { C::ShaderViewportIndex }), None),
        S::PrimitiveId => (BuiltIn::PrimitiveId, own.then_some(C::Geometry), None),
        S::GsInstanceId | S::OutputControlPointId => (BuiltIn::InvocationId, None, None),
        S::DomainLocation => (BuiltIn::TessCoord, None, None),
        S::TessFactor => (BuiltIn::TessLevelOuter, None, None),
        S::InsideTessFactor => (BuiltIn::TessLevelInner, None, None),
        S::SampleIndex => (BuiltIn::SampleId, Some(C::SampleRateShading), None),
        // What a geometry shader says of it reaches no pixel shader.
        S::IsFrontFace if pixel => (BuiltIn::FrontFacing, None, None),
        S::Coverage => (BuiltIn::SampleMask, None, None),
        S::InnerCoverage => (BuiltIn::FullyCoveredEXT, Some(C::FragmentFullyCoveredEXT), Some("SPV_EXT_fragment_fully_covered")),
        S::Depth | S::DepthGreaterEqual | S::DepthLessEqual => (BuiltIn::FragDepth, None, None),
        S::StencilRef => (BuiltIn::FragStencilRefEXT, Some(C::StencilExportEXT), Some("SPV_EXT_shader_stencil_export")),
        S::ViewId => (BuiltIn::ViewIndex, Some(C::MultiView), Some("SPV_KHR_multiview")),
        S::Barycentrics => {
            let b = if e.interpolation.is_noperspective() { BuiltIn::BaryCoordNoPerspKHR } else { BuiltIn::BaryCoordKHR };
            (b, Some(C::FragmentBarycentricKHR), Some("SPV_KHR_fragment_shader_barycentric"))
        }
        S::CullPrimitive => (BuiltIn::CullPrimitiveEXT, None, None),
        S::ShadingRate if input => (BuiltIn::ShadingRateKHR, Some(C::FragmentShadingRateKHR), rate),
        S::ShadingRate => (BuiltIn::PrimitiveShadingRateKHR, Some(C::FragmentShadingRateKHR), rate),
        _ => return None,
    })
}

/// Whether an element is a system value of the rasteriser where it is none yet: what a stage before the last one writes, and what a stage reads
/// of the one before. Such values have locations.
fn is_passed_on(e: &ElementData, stage: Stage) -> bool {
    use Semantic as S;
    let layer = matches!(e.semantic, S::RenderTargetArrayIndex | S::ViewportArrayIndex);
    let passed = match (class_of(e, stage), stage) {
        (StorageClass::Input, _) => stage != Stage::Pixel,
        (_, Stage::Hull) => true,
        // A domain shader has no shading rate of primitives.
        (_, Stage::Domain) => e.semantic == S::ShadingRate,
        _ => false,
    };
    passed && (layer || e.semantic == S::ShadingRate)
}

/// `[[vk::builtin("…")]]`
fn vk_builtin(b: VkBuiltin, stage: Stage) -> (BuiltIn, Option<C>, Option<&'static str>) {
    match b {
        VkBuiltin::PointSize => {
            let capability = match stage {
                Stage::Geometry => Some(C::GeometryPointSize),
                Stage::Hull | Stage::Domain => Some(C::TessellationPointSize),
                _ => None,
            };
            (BuiltIn::PointSize, capability, None)
        }
        VkBuiltin::HelperInvocation => (BuiltIn::HelperInvocation, None, None),
        VkBuiltin::BaseVertex => (BuiltIn::BaseVertex, Some(C::DrawParameters), None),
        VkBuiltin::BaseInstance => (BuiltIn::BaseInstance, Some(C::DrawParameters), None),
        VkBuiltin::DrawIndex => (BuiltIn::DrawIndex, Some(C::DrawParameters), None),
        VkBuiltin::DeviceIndex => (BuiltIn::DeviceIndex, Some(C::DeviceGroup), None),
        VkBuiltin::ViewportMaskNv => (BuiltIn::ViewportMaskNV, Some(C::ShaderViewportMaskNV), Some("SPV_NV_viewport_array2")),
    }
}

/// Whether attributes say where the variable of an element is: `[[vk::ext_decorate(…)]]` with a location or builtin.
fn is_decorated_with_place(e: &ElementData) -> bool {
    e.decorations.iter().any(|d| d.number == D::Location as u32 || d.number == D::BuiltIn as u32)
}

/// Whether a decoration of inline SPIR-V makes a variable the size of a point.
fn is_point_size(d: &rtc_ir::inline::Decoration) -> bool {
    let point_size = rtc_ir::inline::DecorationOperands::Words(vec![BuiltIn::PointSize as u32]);
    d.number == D::BuiltIn as u32 && d.operands == point_size
}

/// Whether an element gets a location.
fn has_location(e: &ElementData, stage: Stage) -> bool {
    builtin(e, stage).is_none() && !is_decorated_with_place(e)
}

/// Member `n` of a spread element, as an element of its own.
fn spread_member(e: &ElementData, n: u32) -> ElementData {
    ElementData { index: e.index_of(n), numbered: true, count: 1, spread: None, ..e.clone() }
}

/// Which parts of an element are variables.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Split {
    /// The whole element.
    Not,
    /// Each member.
    Members,
    /// Each row of a matrix: matrices do not share locations.
    Rows,
}

/// Location, number and data of each element of an entry point that has a location. A spread element gives one entry for each member.
pub(crate) fn located(f: &rtc_ir::Function, options: StageOptions) -> impl Iterator<Item = (u32, usize, ElementData)> {
    let numbered = f.elements.values().enumerate();
    locations(f, options).into_iter().zip(numbered).filter_map(|(at, (n, e))| Some((at?.0, n, e))).flat_map(|(at, n, e)| {
        let Some(spread) = &e.spread else { return vec![(at, n, e.clone())] };
        let members = spread.locations.iter().enumerate();
        members.map(|(m, plus)| (at + plus, n, spread_member(e, m as u32))).collect()
    })
}

/// Whether an element is a builtin.
pub(crate) fn is_builtin(e: &ElementData, stage: Stage) -> bool {
    builtin(e, stage).is_some()
}

/// The storage class of an element's variable.
fn class_of(e: &ElementData, stage: Stage) -> StorageClass {
    match e.role {
        ElementRole::Input => StorageClass::Input,
        // Patch constants come from the hull shader.
        ElementRole::Patch if stage == Stage::Domain => StorageClass::Input,
        _ => StorageClass::Output,
    }
}

/// Whether an element is an output: those of a patch or primitive are, except in domain shaders.
pub(crate) fn is_output(e: &ElementData, stage: Stage) -> bool {
    class_of(e, stage) == StorageClass::Output
}

/// The locations of the elements of `f` that have some. Elements of one storage class either all have `[[vk::location]]` or none. Between
/// hull and domain shaders, whose patch constants and control points are declared apart, the order is always that of semantics.
/// Each comes with the first component, which is not 0 only if variables share locations.
fn locations(f: &rtc_ir::Function, options: StageOptions) -> Vec<Option<(u32, u32)>> {
    let mut out = vec![None; f.elements.len()];
    for class in [StorageClass::Input, StorageClass::Output] {
        let mut all: Vec<(usize, &ElementData)> =
            f.elements.values().enumerate().filter(|(_, e)| class_of(e, f.stage) == class && has_location(e, f.stage)).collect();
        if f.stage == Stage::Mesh {
            // Vertices first, then primitives.
            all.sort_by_key(|(_, e)| e.role == ElementRole::Patch);
        }
        // The stage before may have written a builtin, which takes no location: those of the others do not depend on it.
        let passed_on = |(_, e): &(usize, &ElementData)| e.location.is_none() && is_passed_on(e, f.stage);
        let tessellation = matches!((f.stage, class), (Stage::Hull, StorageClass::Output) | (Stage::Domain, StorageClass::Input));
        let kept = |e: &ElementData| e.location.is_some() || matches!(e.point, SigPoint::VsIn | SigPoint::PsOut);
        if options.packed && !options.alphabetical && !all.iter().any(|(_, e)| kept(e)) {
            all.sort_by_key(passed_on);
            pack(&mut all, &mut out);
            continue;
        }
        if options.alphabetical || tessellation {
            all.sort_by_key(|(_, e)| first_of_array(f, e).written());
        }
        all.sort_by_key(passed_on);
        let mut next = 0;
        let mut arrays: Vec<(u32, u32)> = Vec::new();
        for (n, e) in all {
            if let Some(s) = &e.spread {
                // The elements of an array of structures share its locations.
                let base = match arrays.iter().find(|a| a.0 == s.array) {
                    Some(a) => a.1,
                    None => {
                        let base = e.location.unwrap_or(next);
                        next += s.size;
                        arrays.push((s.array, base));
                        base
                    }
                };
                out[n] = Some((base, 0));
                continue;
            }
            let own = e.location.or((e.semantic == Semantic::Target).then_some(e.index));
            out[n] = Some((own.unwrap_or(next), 0));
            next += e.locations();
        }
    }
    out
}

/// Locations that elements share: each goes to the first ones with enough free components, after those of the elements before. Patch
/// constants come first.
fn pack(all: &mut [(usize, &ElementData)], out: &mut [Option<(u32, u32)>]) {
    const COMPONENTS: u32 = 4;
    all.sort_by_key(|(_, e)| !matches!(e.point, SigPoint::PcOut | SigPoint::DsIn));
    // The first free component of each location.
    let mut free: Vec<u32> = Vec::new();
    let mut arrays: Vec<(u32, u32)> = Vec::new();
    for &mut (n, e) in all {
        if let Some(s) = &e.spread {
            let known = arrays.iter().find(|a| a.0 == s.array).map(|a| a.1);
            let base = known.unwrap_or_else(|| {
                free.extend((0..s.size).map(|_| COMPONENTS));
                free.len() as u32 - s.size
            });
            arrays.push((s.array, base));
            out[n] = Some((base, 0));
            continue;
        }
        let size = e.locations() as usize;
        // Components of 64 bits are two, and begin at an even one.
        let (columns, align) = match e.scalar().bits() {
            64 => (2 * e.columns / e.row_locations(), 2),
            _ => (e.columns, 1),
        };
        let found = (0..free.len()).find_map(|at| {
            let list = free.get(at..at + size)?;
            let first = list.iter().copied().max().unwrap_or(0).next_multiple_of(align);
            (e.row_locations() == 1 && first + columns <= COMPONENTS).then_some((at, first))
        });
        let (at, first) = found.unwrap_or_else(|| {
            free.extend((0..size).map(|_| 0));
            (free.len() - size, 0)
        });
        free[at..at + size].fill(if e.row_locations() > 1 { COMPONENTS } else { first + columns });
        out[n] = Some((at as u32, first));
    }
}

/// The first element of the array of structures that an element is a part of; it itself if it is none.
fn first_of_array<'f>(f: &'f rtc_ir::Function, e: &'f ElementData) -> &'f ElementData {
    let array = |e: &ElementData| e.spread.as_ref().map(|s| s.array);
    match array(e) {
        Some(_) => f.elements.values().find(|o| array(o) == array(e)).unwrap_or(e),
        None => e,
    }
}

impl FuncEmitter<'_, '_> {
    /// Execution modes of the entry point with this id.
    pub(crate) fn stage_modes(&mut self, id: u32) {
        if StageMask::MESH_PIPELINE.has(self.stage()) {
            return self.mesh_modes(id);
        }
        if self.stage() != Stage::Pixel {
            return self.pipeline_modes(id);
        }
        let outputs = |s: Semantic| self.f.elements.values().any(|e| e.role == ElementRole::Output && e.semantic == s);
        let (less, greater) = (outputs(Semantic::DepthLessEqual), outputs(Semantic::DepthGreaterEqual));
        let modes = [
            (ExecutionMode::OriginUpperLeft, true),
            (ExecutionMode::EarlyFragmentTests, self.f.early_depth_stencil),
            (ExecutionMode::DepthReplacing, less || greater || outputs(Semantic::Depth)),
            (ExecutionMode::DepthGreater, greater),
            (ExecutionMode::DepthLess, less),
        ];
        for (mode, _) in modes.iter().filter(|m| m.1) {
            put(&mut self.e.w.modes, Op::ExecutionMode, &[id, *mode as u32]);
        }
        self.ordered_modes(id);
        self.helper_modes(id);
    }

    /// Declares the outputs, so that the interface has them whether or not they are written, and checks the elements.
    pub(crate) fn declare_outputs(&mut self) {
        self.check_streams();
        self.check_locations();
        for n in 0..self.f.elements.len() as u32 {
            let e = self.element(n);
            if class_of(e, self.f.stage) != StorageClass::Output {
                continue;
            }
            for member in 0..self.variables_of(e) {
                self.element_var(n, member);
            }
        }
    }

    /// Explicit locations are those of all inputs or outputs, and each is of one.
    fn check_locations(&mut self) {
        for class in [StorageClass::Input, StorageClass::Output] {
            let all = || {
                let elements = self.f.elements.values();
                elements.filter(|e| class_of(e, self.f.stage) == class && has_location(e, self.f.stage))
            };
            let with = all().filter(|e| e.location.is_some()).count();
            if with != 0
                && with != all().count()
                && let Some(e) = all().find(|e| e.location.is_none())
            {
                self.span = e.span;
                self.error("either all inputs and all outputs of a shader have `[[vk::location]]`, or none has");
                continue;
            }
            if with == 0 {
                continue;
            }
            let mut taken: FxHashMap<(u32, u32), usize> = FxHashMap::default();
            let list: Vec<_> = located(self.f, self.e.stage).filter(|(_, _, e)| class_of(e, self.f.stage) == class).collect();
            let mut clash = None;
            for (at, n, e) in &list {
                for location in *at..*at + e.locations() {
                    let first = *taken.entry((location, e.blend_index.unwrap_or(0))).or_insert(*n);
                    if first != *n {
                        clash = clash.or(Some((e.span, e.written(), location, self.element(first as u32).written())));
                    }
                }
            }
            if let Some((span, name, location, first)) = clash {
                self.span = span;
                self.error(format!("`{name}` has location {location}, which `{first}` has too"));
            }
        }
    }

    /// What of an element has a variable of its own.
    fn split_of(&self, e: &ElementData) -> Split {
        let packed = self.e.stage.packed && e.rows > 1 && has_location(e, self.f.stage);
        match (&e.spread, packed) {
            (Some(_), _) => Split::Members,
            (None, true) => Split::Rows,
            (None, false) => Split::Not,
        }
    }

    /// Variable `n` of an element as an element of its own, and its location, counted from that of the element.
    fn variable_of(&self, e: &ElementData, n: u32) -> (ElementData, u32) {
        match self.split_of(e) {
            Split::Not => (e.clone(), 0),
            Split::Members => (spread_member(e, n), e.spread.as_ref().map_or(0, |s| s.locations[n as usize])),
            Split::Rows => (ElementData { count: 1, rows: 1, column_major: false, ..e.clone() }, n * e.row_locations()),
        }
    }

    /// How many variables an element has.
    fn variables_of(&self, e: &ElementData) -> u32 {
        match self.split_of(e) {
            Split::Not => 1,
            Split::Members => e.count,
            Split::Rows => e.count * e.rows,
        }
    }

    fn element(&self, n: u32) -> &ElementData {
        self.f.elements.values().nth(n as usize).unwrap_or_else(|| rtc_base::bug!("there is no signature element {n}"))
    }

    /// The type of a component of an element, as the source has it.
    fn element_scalar(&mut self, c: CompType) -> u32 {
        let native = self.m.native_16bit;
        let w = &mut self.e.w;
        let small = native && matches!(c, CompType::F16 | CompType::I16 | CompType::U16);
        if small {
            let why = || "16-bit inputs and outputs".into();
            w.capability(C::StorageInputOutput16, why);
            w.extension("SPV_KHR_16bit_storage", why);
        }
        match c {
            CompType::F16 if small => self.e.scalar(Scalar::F16, true),
            CompType::U16 if small => self.e.scalar(Scalar::I16, true),
            CompType::I16 if small => {
                self.e.scalar(Scalar::I16, true);
                self.e.w.ty(Op::TypeInt, &[16, 1])
            }
            CompType::F16 | CompType::F32 => w.f32_ty(),
            CompType::I16 | CompType::I32 => w.ty(Op::TypeInt, &[32, 1]),
            CompType::F64 => self.e.scalar(Scalar::F64, true),
            CompType::U64 => self.e.scalar(Scalar::I64, true),
            CompType::I64 => {
                self.e.scalar(Scalar::I64, true);
                self.e.w.ty(Op::TypeInt, &[64, 1])
            }
            _ => w.u32_ty(),
        }
    }

    /// The variable of element `n`; `member`: which one if it has several.
    fn element_var(&mut self, n: u32, member: u32) -> Var {
        if let Some(&v) = self.elements.get(&(n, member)) {
            return v;
        }
        let (e, plus) = self.variable_of(self.element(n), member);
        let stage = self.stage();
        let class = class_of(&e, stage);
        let distances = matches!(e.semantic, Semantic::ClipDistance | Semantic::CullDistance);
        let own = builtin(&e, stage);
        let scalar = if e.component == CompType::I1 {
            self.e.ty(Type::BOOL)
        } else if own.is_some() {
            // Builtins have 32 bits.
            if matches!(e.component, CompType::F16 | CompType::F32) { self.e.w.f32_ty() } else { self.e.w.u32_ty() }
        } else {
            self.element_scalar(e.component)
        };
        let form = match e.semantic {
            Semantic::IsFrontFace | Semantic::InnerCoverage if own.is_some() => Form::Flag,
            Semantic::Coverage => Form::Mask,
            Semantic::Position if stage == Stage::Pixel => Form::FragCoord,
            Semantic::TessFactor | Semantic::InsideTessFactor => Form::Factors,
            Semantic::DomainLocation => Form::TessCoord,
            Semantic::VertexId if self.e.stage.base_vertex => Form::Minus(BuiltIn::BaseVertex),
            Semantic::InstanceId if self.e.stage.base_instance => Form::Minus(BuiltIn::BaseInstance),
            _ if distances => Form::Distances(self.first_distance(&e)),
            _ => Form::Plain,
        };
        let vertices = self.vertices_of(&e);
        if let Some(shared) = own.and_then(|own| self.shared_builtin(&e, own.0)) {
            let v = Var { id: shared, class, form, scalar, per_vertex: false, vertices: vertices.is_some() };
            self.elements.insert((n, member), v);
            return v;
        }
        let per_vertex = self.f.elements.values().nth(n as usize).is_some() && self.is_per_vertex(n);
        let mut ty = match form {
            Form::Flag => self.e.ty(Type::BOOL),
            Form::Mask => {
                let one = self.e.w.u32(1);
                self.e.w.ty(Op::TypeArray, &[scalar, one])
            }
            Form::Distances(_) => {
                let all = self.all_distances(&e);
                let all = self.e.w.u32(all);
                self.e.w.ty(Op::TypeArray, &[scalar, all])
            }
            Form::Factors => {
                let all = self.e.w.u32(if e.semantic == Semantic::TessFactor { 4 } else { 2 });
                self.e.w.ty(Op::TypeArray, &[scalar, all])
            }
            Form::TessCoord => self.e.w.vector_ty(scalar, 3),
            _ => {
                let mut ty = if e.columns > 1 { self.e.w.vector_ty(scalar, e.columns) } else { scalar };
                if e.rows > 1 {
                    let floats = matches!(e.component, CompType::F32 | CompType::F16 | CompType::F64) && e.columns > 1;
                    ty = if floats {
                        self.e.w.ty(Op::TypeMatrix, &[ty, e.rows])
                    } else {
                        let rows = self.e.w.u32(e.rows);
                        self.e.w.ty(Op::TypeArray, &[ty, rows])
                    };
                }
                if e.count > 1 {
                    let count = self.e.w.u32(e.count);
                    ty = self.e.w.ty(Op::TypeArray, &[ty, count]);
                }
                ty
            }
        };
        if per_vertex {
            let three = self.e.w.u32(3);
            ty = self.e.w.ty(Op::TypeArray, &[ty, three]);
        }
        if let Some(count) = vertices {
            let count = self.e.w.u32(count);
            ty = self.e.w.ty(Op::TypeArray, &[ty, count]);
        }
        let id = self.e.w.variable(class, ty, None);
        self.interface.insert(id);
        let direction = if class == StorageClass::Input { "in" } else { "out" };
        match own {
            Some((b, capability, extension)) => {
                let why = self.reason(&format!("`{}`", e.name));
                if let Some(c) = capability {
                    self.e.w.capability(c, || why.clone());
                }
                if let Some(x) = extension {
                    self.e.w.extension(x, || why);
                }
                self.e.w.decorate(id, D::BuiltIn, &[b as u32]);
            }
            None => {
                self.e.w.name(id, &format!("{direction}.var.{}", e.written()));
                if let Some((location, component)) = locations(self.f, self.e.stage)[n as usize] {
                    self.e.w.decorate(id, D::Location, &[location + plus]);
                    if component > 0 {
                        self.e.w.decorate(id, D::Component, &[component]);
                    }
                }
                if let Some(index) = e.blend_index {
                    self.e.w.decorate(id, D::Index, &[index]);
                }
                if !self.m.native_16bit && matches!(e.component, CompType::F16 | CompType::I16 | CompType::U16) {
                    self.e.w.decorate(id, D::RelaxedPrecision, &[]);
                }
            }
        }
        self.interpolate(id, &e, own.is_some(), per_vertex);
        if e.point == SigPoint::MsPOut {
            self.e.w.decorate(id, D::PerPrimitiveEXT, &[]);
        }
        self.decorate_pipeline(id, &e);
        self.e.inline_decorations(id, &e.decorations);
        let v = Var { id, class, form, scalar, per_vertex, vertices: vertices.is_some() };
        self.elements.insert((n, member), v);
        v
    }

    /// Decorations of interpolation.
    fn interpolate(&mut self, id: u32, e: &ElementData, builtin: bool, per_vertex: bool) {
        let pixel_input = self.stage() == Stage::Pixel && e.role == ElementRole::Input;
        let between = pixel_input || !matches!(self.stage(), Stage::Pixel | Stage::Hull) && e.role == ElementRole::Output;
        if !between || e.point == SigPoint::MsPOut {
            return;
        }
        if per_vertex {
            let why = self.reason("attributes of vertices");
            self.e.w.capability(C::FragmentBarycentricKHR, || why.clone());
            self.e.w.extension("SPV_KHR_fragment_shader_barycentric", || why);
            return self.e.w.decorate(id, D::PerVertexKHR, &[]);
        }
        let mode = e.interpolation;
        let floats = matches!(e.component, CompType::F32 | CompType::F16);
        let wide = e.component == CompType::F64;
        let all = [
            (D::Flat, mode == rtc_tables::signature::Interpolation::Constant || (builtin || wide) && pixel_input && !floats),
            (D::NoPerspective, mode.is_noperspective() && !builtin),
            (D::Centroid, mode.is_centroid() && (!builtin || pixel_input)),
            (D::Sample, mode.is_sample() && (!builtin || pixel_input)),
        ];
        for (d, _) in all.iter().filter(|a| a.1) {
            self.e.w.decorate(id, *d, &[]);
        }
        // The decoration needs it of any stage, the built-in variable only where it is read.
        if mode.is_sample() && (!builtin || pixel_input) {
            let why = self.reason("interpolation at each sample");
            self.e.w.capability(C::SampleRateShading, || why);
        }
    }

    /// Whether an element is read vertex by vertex.
    fn is_per_vertex(&self, n: u32) -> bool {
        let f = self.f;
        let mut found = false;
        f.for_each_inst(f.body, |_, i| {
            if let rtc_ir::InstData::Many { op: Opcode::attribute_at_vertex, imm, .. } = f.insts[i] {
                found |= ElementPart::from_imm(imm).element == n;
            }
        });
        found
    }

    /// The clip or cull distances that share a variable with `e`: for each element, or member of one that is spread, its first index and the
    /// number of distances.
    fn distances(&self, e: &ElementData) -> Vec<(u32, u32)> {
        let all = self.f.elements.values().filter(|o| o.role == e.role && o.stream == e.stream && o.semantic == e.semantic);
        let mut all: Vec<(u32, u32)> = all
            .flat_map(|o| match o.spread {
                Some(_) => (0..o.count).map(|n| (o.index_of(n), o.rows * o.columns)).collect(),
                None => vec![(o.index, o.count * o.rows * o.columns)],
            })
            .collect();
        all.sort_unstable();
        all
    }

    fn all_distances(&self, e: &ElementData) -> u32 {
        self.distances(e).iter().map(|d| d.1).sum()
    }

    fn first_distance(&self, e: &ElementData) -> u32 {
        self.distances(e).iter().take_while(|d| d.0 < e.index).map(|d| d.1).sum()
    }

    /// The variable that another element with the same builtin made: distances, factors, what both functions of a hull shader read.
    fn shared_builtin(&mut self, e: &ElementData, own: BuiltIn) -> Option<u32> {
        if own == BuiltIn::InvocationId {
            // Control points are stored by their number.
            let word = self.e.w.u32_ty();
            return Some(self.builtin_var(own, word));
        }
        let stage = self.stage();
        let same = |o: &ElementData| builtin(o, stage).is_some_and(|b| b.0 == own) && class_of(o, stage) == class_of(e, stage);
        let others = self.f.elements.values().enumerate().filter(|(_, o)| same(o));
        let numbers = others.flat_map(|(n, o)| (0..o.count).map(move |member| (n as u32, member)));
        numbers.filter_map(|n| self.elements.get(&n)).map(|v| v.id).next()
    }

    /// A pointer into a variable.
    fn stage_pointer(&mut self, v: Var, ty: u32, path: &[u32]) -> u32 {
        if path.is_empty() {
            return v.id;
        }
        let pointer = self.e.w.pointer_ty(v.class, ty);
        let mut operands = vec![v.id];
        operands.extend_from_slice(path);
        self.op(Op::AccessChain, pointer, &operands)
    }

    /// The indices of a vector in a variable of vectors.
    fn vector_path(&mut self, e: &ElementData, part: ElementPart, number: Option<Value>, vertex: Option<u32>) -> Vec<u32> {
        let mut path: Vec<u32> = vertex.into_iter().collect();
        if matches!(e.semantic, Semantic::TessFactor | Semantic::InsideTessFactor) {
            let first = self.e.w.u32(e.index);
            let Some(number) = number.map(|n| self.val(n)) else {
                path.push(first);
                return path;
            };
            let word = self.e.w.u32_ty();
            path.push(if e.index == 0 { number } else { self.op(Op::IAdd, word, &[number, first]) });
            return path;
        }
        if let (true, Some(number)) = (e.count > 1, number) {
            path.push(self.val(number));
        }
        if e.rows > 1 {
            path.push(self.e.w.u32(part.row));
        }
        path
    }

    /// An instruction on a signature element.
    pub(crate) fn stage_inst(&mut self, i: Inst, op: Opcode, imm: u32, args: &[Value]) {
        let part = ElementPart::from_imm(imm);
        let e = self.element(part.element).clone();
        let result = (op != Opcode::store_output).then(|| self.f.result(i));
        let id = if self.split_of(&e) != Split::Not {
            self.split_inst(&e, part, op, result, args)
        } else {
            let v = self.element_var(part.element, 0);
            self.element_inst(&e, v, part, op, result, Some(args[0]), args)
        };
        if let (Some(result), Some(id)) = (result, id) {
            self.set(result, id);
        }
    }

    /// An instruction on an element with several variables: on the one that the number says.
    fn split_inst(&mut self, e: &ElementData, part: ElementPart, op: Opcode, result: Option<Value>, args: &[Value]) -> Option<u32> {
        let one = |this: &mut Self, n: u32| {
            let (n, part) = match this.split_of(e) {
                Split::Rows => (n * e.rows + part.row, ElementPart { row: 0, ..part }),
                _ => (n, part),
            };
            let v = this.element_var(part.element, n);
            this.element_inst(&this.variable_of(e, n).0, v, part, op, result, None, args)
        };
        if let Some(n) = self.f.as_const(args[0]) {
            // What is beyond the end is undefined.
            let last = u64::from(e.count) - 1;
            return one(self, n.min(last) as u32);
        }
        let number = self.val(args[0]);
        let flag = self.e.ty(Type::BOOL);
        let mut whole = None;
        for n in 0..e.count {
            let this = self.e.w.u32(n);
            let is = self.op(Op::IEqual, flag, &[number, this]);
            let Some(result) = result else {
                let (then, merge) = (self.e.w.id(), self.e.w.id());
                self.stmt(Op::SelectionMerge, &[merge, 0]);
                self.stmt(Op::BranchConditional, &[is, then, merge]);
                self.begin_block(then);
                one(self, n);
                self.stmt(Op::Branch, &[merge]);
                self.begin_block(merge);
                continue;
            };
            let value = one(self, n);
            let (Some(before), Some(id)) = (whole, value) else {
                whole = value;
                continue;
            };
            let ty = self.ty_of(result);
            let is = if e.columns > 1 {
                let flags = self.e.w.vector_ty(flag, e.columns);
                self.op(Op::CompositeConstruct, flags, &vec![is; e.columns as usize])
            } else {
                is
            };
            whole = Some(self.op(Op::Select, ty, &[is, id, before]));
        }
        whole
    }

    /// An instruction on the variable of an element; `number`: the member if it is an array. Gives what it loads.
    #[allow(clippy::too_many_arguments)]
    fn element_inst(
        &mut self,
        e: &ElementData,
        v: Var,
        part: ElementPart,
        op: Opcode,
        result: Option<Value>,
        number: Option<Value>,
        args: &[Value],
    ) -> Option<u32> {
        if result.is_none() {
            self.store_element(e, v, part, number, args);
            return None;
        }
        Some(match v.form {
            Form::TessCoord => {
                let whole = self.e.w.vector_ty(v.scalar, 3);
                let whole = self.op(Op::Load, whole, &[v.id]);
                let ty = self.e.w.vector_ty(v.scalar, e.columns);
                let id = match e.columns {
                    1 => self.op(Op::CompositeExtract, ty, &[whole, 0]),
                    2 => self.op(Op::VectorShuffle, ty, &[whole, whole, 0, 1]),
                    _ => whole,
                };
                self.loaded_vector(e, id)
            }
            Form::Plain | Form::FragCoord | Form::Minus(_) | Form::Factors => self.load_vector(e, v, part, op, number, args),
            Form::Flag => {
                let flag = self.e.ty(Type::BOOL);
                let flag = self.op(Op::Load, flag, &[v.id]);
                let (one, zero) = (self.e.w.u32(1), self.e.w.u32(0));
                let id = self.op(Op::Select, v.scalar, &[flag, one, zero]);
                self.loaded_vector(e, id)
            }
            Form::Mask => {
                let zero = self.e.w.u32(0);
                let at = self.stage_pointer(v, v.scalar, &[zero]);
                let id = self.op(Op::Load, v.scalar, &[at]);
                self.loaded_vector(e, id)
            }
            Form::Distances(first) => {
                let vertex = v.vertices.then(|| self.val(args[1]));
                let parts: Vec<u32> = (0..e.columns)
                    .map(|c| {
                        let at = self.distance(e, v, first, ElementPart { column: c, ..part }, number, vertex);
                        self.op(Op::Load, v.scalar, &[at])
                    })
                    .collect();
                let ty = self.e.w.vector_ty(v.scalar, e.columns);
                let id = if let [one] = parts[..] { one } else { self.op(Op::CompositeConstruct, ty, &parts) };
                self.loaded_vector(e, id)
            }
        })
    }

    /// A pointer to a clip or cull distance.
    fn distance(&mut self, e: &ElementData, v: Var, first: u32, part: ElementPart, number: Option<Value>, vertex: Option<u32>) -> u32 {
        let plus = first + part.row * e.columns + part.column;
        let each = e.rows * e.columns;
        let word = self.e.w.u32_ty();
        let index = match number.map(|n| self.f.as_const(n).ok_or(n)) {
            None => self.e.w.u32(plus),
            Some(Ok(n)) => self.e.w.u32(plus + n as u32 * each),
            Some(Err(number)) => {
                let (n, each, plus) = (self.val(number), self.e.w.u32(each), self.e.w.u32(plus));
                let n = self.op(Op::IMul, word, &[n, each]);
                self.op(Op::IAdd, word, &[n, plus])
            }
        };
        let path: Vec<u32> = vertex.into_iter().chain([index]).collect();
        self.stage_pointer(v, v.scalar, &path)
    }

    fn load_vector(&mut self, e: &ElementData, v: Var, part: ElementPart, op: Opcode, number: Option<Value>, args: &[Value]) -> u32 {
        let ty = if e.columns > 1 { self.e.w.vector_ty(v.scalar, e.columns) } else { v.scalar };
        let vertex = match op {
            Opcode::attribute_at_vertex => Some(self.val(args[1])),
            _ if v.per_vertex => Some(self.e.w.u32(0)),
            _ if v.vertices => Some(self.val(args[1])),
            _ => None,
        };
        let evaluated = matches!(op, Opcode::eval_centroid | Opcode::eval_sample_index | Opcode::eval_snapped);
        if evaluated && e.component == CompType::F16 && !self.is_widened(e) {
            self.error("Vulkan evaluates attributes of 32 bits alone: declare this one with `float`");
            return self.e.w.constant(Op::Undef, ty, &[]);
        }
        let path = self.vector_path(e, part, number, vertex);
        let at = self.stage_pointer(v, ty, &path);
        let mut id = match op {
            Opcode::eval_centroid | Opcode::eval_sample_index | Opcode::eval_snapped => {
                let why = self.reason("evaluation of attributes");
                self.e.w.capability(C::InterpolationFunction, || why);
                match op {
                    Opcode::eval_centroid => self.glsl(GlslStd450Op::InterpolateAtCentroid, ty, &[at]),
                    Opcode::eval_sample_index => {
                        let sample = self.val(args[1]);
                        self.glsl(GlslStd450Op::InterpolateAtSample, ty, &[at, sample])
                    }
                    _ => {
                        let offset = self.snapped(args[1], args[2]);
                        self.glsl(GlslStd450Op::InterpolateAtOffset, ty, &[at, offset])
                    }
                }
            }
            _ => self.op(Op::Load, ty, &[at]),
        };
        if let Form::Minus(base) = v.form {
            let why = self.reason("the first vertex or instance of a draw");
            self.e.w.capability(C::DrawParameters, || why);
            let base = self.builtin_value(base, ty);
            id = self.op(Op::ISub, ty, &[id, base]);
        }
        if v.form == Form::FragCoord && self.e.stage.dx_position_w {
            let f32 = self.e.w.f32_ty();
            let w = self.op(Op::CompositeExtract, f32, &[id, 3]);
            let one = self.e.constant(Type::F32, 1f32.to_bits().into());
            let w = self.op(Op::FDiv, f32, &[one, w]);
            id = self.op(Op::CompositeInsert, ty, &[w, id, 3]);
        }
        self.loaded_vector(e, id)
    }

    /// Sixteenths of a pixel as an offset.
    fn snapped(&mut self, x: Value, y: Value) -> u32 {
        let f32 = self.e.w.f32_ty();
        let sixteenth = self.e.constant(Type::F32, 0.0625f32.to_bits().into());
        let parts: Vec<u32> = [x, y]
            .into_iter()
            .map(|v| {
                let v = self.val(v);
                let v = self.op(Op::ConvertSToF, f32, &[v]);
                self.op(Op::FMul, f32, &[v, sixteenth])
            })
            .collect();
        let two = self.e.w.vector_ty(f32, 2);
        self.op(Op::CompositeConstruct, two, &parts)
    }

    /// Whether the variable of an element of 16 bits has 32.
    fn is_widened(&self, e: &ElementData) -> bool {
        !self.m.native_16bit || builtin(e, self.stage()).is_some()
    }

    /// A vector of a variable as the IR has it: without signs, and of 16 bits where it is.
    fn loaded_vector(&mut self, e: &ElementData, id: u32) -> u32 {
        let small = self.is_widened(e);
        let scalar = self.e.scalar(e.scalar(), false);
        let ty = if e.columns > 1 { self.e.w.vector_ty(scalar, e.columns) } else { scalar };
        match e.component {
            CompType::F16 if small => self.op(Op::FConvert, ty, &[id]),
            CompType::U16 if small => self.op(Op::UConvert, ty, &[id]),
            CompType::I16 if small => {
                // The result of a signed conversion may be unsigned.
                self.op(Op::SConvert, ty, &[id])
            }
            CompType::I16 | CompType::I32 | CompType::I64 if builtin(e, self.stage()).is_none() => self.op(Op::Bitcast, ty, &[id]),
            _ => id,
        }
    }

    /// The other way round; `n` components.
    fn stored_vector(&mut self, e: &ElementData, v: Var, id: u32, n: u32) -> u32 {
        let small = self.is_widened(e);
        let ty = if n > 1 { self.e.w.vector_ty(v.scalar, n) } else { v.scalar };
        match e.component {
            CompType::F16 if small => self.op(Op::FConvert, ty, &[id]),
            CompType::U16 if small => self.op(Op::UConvert, ty, &[id]),
            CompType::I16 if small => self.op(Op::SConvert, ty, &[id]),
            CompType::I16 | CompType::I32 | CompType::I64 if builtin(e, self.stage()).is_none() => self.op(Op::Bitcast, ty, &[id]),
            _ => id,
        }
    }

    fn store_element(&mut self, e: &ElementData, v: Var, part: ElementPart, number: Option<Value>, args: &[Value]) {
        let value = args[1];
        if self.f.is_undef(value) {
            return;
        }
        let n = self.m.types.numeric(self.f.ty(value)).map_or(1, |t| t.1);
        let id = self.val(value);
        let mut id = self.stored_vector(e, v, id, n);
        let ty = if n > 1 { self.e.w.vector_ty(v.scalar, n) } else { v.scalar };
        let vertex = match args.get(2) {
            Some(&v) => Some(self.val(v)),
            None => v.vertices.then(|| self.own_control_point()),
        };
        match v.form {
            Form::Mask => {
                let zero = self.e.w.u32(0);
                let at = self.stage_pointer(v, v.scalar, &[zero]);
                return self.stmt(Op::Store, &[at, id]);
            }
            Form::Distances(first) => {
                for c in 0..n {
                    let x = if n > 1 { self.op(Op::CompositeExtract, v.scalar, &[id, c]) } else { id };
                    let at = self.distance(e, v, first, ElementPart { column: part.column + c, ..part }, number, vertex);
                    self.stmt(Op::Store, &[at, x]);
                }
                return;
            }
            _ => {}
        }
        if e.semantic == Semantic::Position && self.e.stage.invert_y && self.stage() != Stage::Hull && n == 1 {
            if part.column == 1 {
                let f32 = self.e.w.f32_ty();
                id = self.op(Op::FNegate, f32, &[id]);
            }
        } else if e.semantic == Semantic::Position && self.e.stage.invert_y && self.stage() != Stage::Hull {
            let f32 = self.e.w.f32_ty();
            let y = self.op(Op::CompositeExtract, f32, &[id, 1]);
            let y = self.op(Op::FNegate, f32, &[y]);
            id = self.op(Op::CompositeInsert, ty, &[y, id, 1]);
        }
        let mut path = self.vector_path(e, part, number, vertex);
        if n < e.columns {
            path.push(self.e.w.u32(part.column));
        }
        let at = self.stage_pointer(v, ty, &path);
        self.stmt(Op::Store, &[at, id]);
    }

    /// Gives points their size in HLSL, if the shader may be the last one before the rasteriser and gives none. Other stages than that of
    /// vertices need a feature of the device to give one, without which points have size 1.
    pub(crate) fn default_point_size(&mut self) {
        if !self.e.stage.point_size || self.stage() != Stage::Vertex {
            return;
        }
        let elements = self.f.elements.values();
        let says = elements.flat_map(|e| &e.decorations).chain(self.m.globals.values().flat_map(|g| &g.decorations)).any(is_point_size);
        if says || self.f.elements.values().any(|e| e.builtin == Some(VkBuiltin::PointSize)) {
            return;
        }
        let f32 = self.e.w.f32_ty();
        let size = self.e.w.variable(StorageClass::Output, f32, None);
        self.e.w.decorate(size, D::BuiltIn, &[BuiltIn::PointSize as u32]);
        self.interface.insert(size);
        let one = self.e.constant(Type::F32, 1f32.to_bits().into());
        self.stmt(Op::Store, &[size, one]);
    }

    // Pixel shaders --------------------------------------------------------------------------------------

    /// Ends the thread, or makes it a helper, if a condition holds.
    pub(crate) fn discard(&mut self, cond: Value) {
        let always = self.f.as_const(cond) == Some(1);
        let cond = self.val(cond);
        let demotes = self.e.stage.demotion != Demotion::Ends;
        if demotes {
            self.helper_capability("`discard`");
            if always {
                return self.stmt(Op::DemoteToHelperInvocation, &[]);
            }
        }
        let (then, merge) = (self.e.w.id(), self.e.w.id());
        self.stmt(Op::SelectionMerge, &[merge, 0]);
        self.stmt(Op::BranchConditional, &[cond, then, merge]);
        self.begin_block(then);
        if demotes {
            self.stmt(Op::DemoteToHelperInvocation, &[]);
            self.stmt(Op::Branch, &[merge]);
        } else {
            self.stmt(Op::Kill, &[]);
        }
        self.begin_block(merge);
    }

    /// An instruction of pixel shaders without operands.
    pub(crate) fn pixel_inst(&mut self, i: Inst, op: Opcode) {
        if op != Opcode::is_helper_lane {
            let result = self.f.result(i);
            let none = self.ty_of(result);
            let none = self.e.w.constant(Op::Undef, none, &[]);
            self.set(result, none);
            return self.error("SPIR-V has no samples of the render target: pass them in a constant buffer");
        }
        let ty = self.e.ty(Type::BOOL);
        let result = self.f.result(i);
        if self.stage() != Stage::Pixel {
            let no = self.e.constant(Type::BOOL, 0);
            return self.set(result, no);
        }
        let id = if self.e.stage.demotion == Demotion::Core {
            let var = self.builtin_var(BuiltIn::HelperInvocation, ty);
            let volatile = spirv::MemoryAccess::VOLATILE.bits();
            self.op(Op::Load, ty, &[var, volatile])
        } else {
            self.helper_capability("`IsHelperLane`");
            self.op(Op::IsHelperInvocationEXT, ty, &[])
        };
        self.set(result, id);
    }

    /// Asks for threads that become helpers.
    fn helper_capability(&mut self, what: &str) {
        let why = self.reason(what);
        self.e.w.capability(C::DemoteToHelperInvocation, || why.clone());
        if self.e.stage.demotion != Demotion::Core {
            self.e.w.extension(Demotion::EXTENSION, || why);
        }
    }

    /// What `[WaveOpsIncludeHelperLanes]` asks for: quads stay together, helpers with them.
    fn helper_modes(&mut self, id: u32) {
        if !self.f.helper_lanes {
            return;
        }
        let why = self.reason("`[WaveOpsIncludeHelperLanes]`");
        self.e.w.capability(C::QuadControlKHR, || why.clone());
        for extension in ["SPV_KHR_maximal_reconvergence", "SPV_KHR_quad_control"] {
            self.e.w.extension(extension, || why.clone());
        }
        for mode in [ExecutionMode::MaximallyReconvergesKHR, ExecutionMode::RequireFullQuadsKHR] {
            put(&mut self.e.w.modes, Op::ExecutionMode, &[id, mode as u32]);
        }
    }
}
