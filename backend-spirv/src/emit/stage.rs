//! Inputs and outputs of the graphics pipeline: a variable for each signature element, with a location or as a builtin.
//!
//! Locations are counted in the order of the source, or of the semantics (`-fvk-stage-io-order=alpha`); each row of a matrix and
//! each member of an array takes one. Builtins take none. The types of variables are those of the source, signs included, because
//! hosts match them with vertex formats. All clip distances are one array, and so are all cull distances.

use rtc_ir::{ElementData, ElementPart, ElementRole, Inst, Opcode, Scalar, Stage, Type, Value};
use rtc_tables::resources::CompType;
use rtc_tables::signature::{Semantic, SigPoint};
use rtc_tables::stages::StageMask;
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
    /// `-fvk-support-nonzero-base-vertex`: vertex ids count from the first vertex of a draw.
    pub base_vertex: bool,
    /// `-fvk-support-nonzero-base-instance`: instance ids count from the first instance of a draw.
    pub base_instance: bool,
    /// Demotion to helper threads is core, as in SPIR-V 1.6.
    pub demotes: bool,
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
    /// An index without what it begins with.
    Minus(BuiltIn),
    /// Tessellation factors: members of an array of floats.
    Factors,
    /// A place in a patch, of which the first components count.
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
    /// One value for each vertex of the primitive, of which the first is the input's.
    per_vertex: bool,
    /// One value for each vertex of the primitive or control point of the patch.
    vertices: bool,
}

/// The builtin of a system value, with the capability and the extension that it needs.
fn builtin(e: &ElementData, stage: Stage) -> Option<(BuiltIn, Option<C>, Option<&'static str>)> {
    use Semantic as S;
    let input = class_of(e, stage) == StorageClass::Input;
    let pixel = stage == Stage::Pixel;
    let own = matches!(stage, Stage::Pixel | Stage::Geometry | Stage::Mesh);
    let rate = Some("SPV_KHR_fragment_shading_rate");
    Some(match e.semantic {
        S::VertexId => (BuiltIn::VertexIndex, None, None),
        S::InstanceId => (BuiltIn::InstanceIndex, None, None),
        S::StartVertexLocation => (BuiltIn::BaseVertex, Some(C::DrawParameters), None),
        S::StartInstanceLocation => (BuiltIn::BaseInstance, Some(C::DrawParameters), None),
        S::Position if pixel && input => (BuiltIn::FragCoord, None, None),
        S::Position => (BuiltIn::Position, None, None),
        S::ClipDistance => (BuiltIn::ClipDistance, Some(C::ClipDistance), None),
        S::CullDistance => (BuiltIn::CullDistance, Some(C::CullDistance), None),
        S::RenderTargetArrayIndex => (BuiltIn::Layer, Some(if own { C::Geometry } else { C::ShaderLayer }), None),
        S::ViewportArrayIndex => (BuiltIn::ViewportIndex, Some(if own { C::MultiViewport } else { C::ShaderViewportIndex }), None),
        S::PrimitiveId => (BuiltIn::PrimitiveId, own.then_some(C::Geometry), None),
        S::GsInstanceId | S::OutputControlPointId => (BuiltIn::InvocationId, None, None),
        S::DomainLocation => (BuiltIn::TessCoord, None, None),
        S::TessFactor => (BuiltIn::TessLevelOuter, None, None),
        S::InsideTessFactor => (BuiltIn::TessLevelInner, None, None),
        S::SampleIndex => (BuiltIn::SampleId, Some(C::SampleRateShading), None),
        S::IsFrontFace => (BuiltIn::FrontFacing, None, None),
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

/// The elements of an entry point that have locations: the first location, and the element's number.
pub(crate) fn located(f: &rtc_ir::Function, alphabetical: bool) -> impl Iterator<Item = (u32, usize, &ElementData)> {
    let numbered = f.elements.values().enumerate();
    locations(f, alphabetical).into_iter().zip(numbered).filter_map(|(at, (n, e))| Some((at?, n, e)))
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

/// The locations of the elements of `f` that have some. Elements of one storage class either all have `[[vk::location]]` or none. Between
/// hull and domain shaders, whose patch constants and control points are declared apart, the order is always that of semantics.
fn locations(f: &rtc_ir::Function, alphabetical: bool) -> Vec<Option<u32>> {
    let mut out = vec![None; f.elements.len()];
    for class in [StorageClass::Input, StorageClass::Output] {
        let mut all: Vec<(usize, &ElementData)> =
            f.elements.values().enumerate().filter(|(_, e)| class_of(e, f.stage) == class && builtin(e, f.stage).is_none()).collect();
        if f.stage == Stage::Mesh {
            // Vertices first, then primitives.
            all.sort_by_key(|(_, e)| e.role == ElementRole::Patch);
        }
        let tessellation = matches!((f.stage, class), (Stage::Hull, StorageClass::Output) | (Stage::Domain, StorageClass::Input));
        if alphabetical || tessellation {
            all.sort_by_key(|(_, e)| e.written());
        }
        let mut next = 0;
        for (n, e) in all {
            let own = e.location.or((e.semantic == Semantic::Target).then_some(e.index));
            out[n] = Some(own.unwrap_or(next));
            next += e.count * e.rows;
        }
    }
    out
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
    }

    /// Declares the outputs, so that the interface has them whether or not they are written, and checks the elements.
    pub(crate) fn declare_outputs(&mut self) {
        self.check_streams();
        for class in [StorageClass::Input, StorageClass::Output] {
            let all = || {
                let elements = self.f.elements.values();
                elements.filter(|e| class_of(e, self.f.stage) == class && builtin(e, self.f.stage).is_none())
            };
            let with = all().filter(|e| e.location.is_some()).count();
            if with != 0
                && with != all().count()
                && let Some(e) = all().find(|e| e.location.is_none())
            {
                self.span = e.span;
                self.error("either all inputs and all outputs of a shader have `[[vk::location]]`, or none has");
            }
        }
        for n in 0..self.f.elements.len() as u32 {
            if class_of(self.element(n), self.f.stage) == StorageClass::Output {
                self.element_var(n);
            }
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
            _ => w.u32_ty(),
        }
    }

    /// The variable of element `n`.
    fn element_var(&mut self, n: u32) -> Var {
        if let Some(&v) = self.elements.get(&n) {
            return v;
        }
        let e = self.element(n).clone();
        let stage = self.stage();
        let class = class_of(&e, stage);
        let distances = matches!(e.semantic, Semantic::ClipDistance | Semantic::CullDistance);
        let own = builtin(&e, stage);
        let scalar = if e.component == CompType::I1 {
            self.e.ty(Type::BOOL)
        } else if own.is_some() && e.component != CompType::F32 {
            self.e.w.u32_ty()
        } else {
            self.element_scalar(e.component)
        };
        let form = match e.semantic {
            Semantic::IsFrontFace | Semantic::InnerCoverage => Form::Flag,
            Semantic::Coverage => Form::Mask,
            Semantic::Position if stage == Stage::Pixel => Form::FragCoord,
            Semantic::TessFactor | Semantic::InsideTessFactor => Form::Factors,
            Semantic::DomainLocation => Form::TessCoord,
            Semantic::VertexId if self.e.stage.base_vertex => Form::Minus(BuiltIn::BaseVertex),
            Semantic::InstanceId if self.e.stage.base_instance => Form::Minus(BuiltIn::BaseInstance),
            _ if distances => Form::Distances(self.first_distance(n)),
            _ => Form::Plain,
        };
        let vertices = self.vertices_of(&e);
        if let Some(shared) = own.and_then(|own| self.shared_builtin(&e, own.0)) {
            let v = Var { id: shared, class, form, scalar, per_vertex: false, vertices: vertices.is_some() };
            self.elements.insert(n, v);
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
                    let floats = matches!(e.component, CompType::F32 | CompType::F16) && e.columns > 1;
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
                let location = locations(self.f, self.e.stage.alphabetical)[n as usize].unwrap_or(0);
                self.e.w.decorate(id, D::Location, &[location]);
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
        self.elements.insert(n, v);
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
        let all = [
            (D::Flat, mode == rtc_tables::signature::Interpolation::Constant || builtin && pixel_input && !floats),
            (D::NoPerspective, mode.is_noperspective() && !builtin),
            (D::Centroid, mode.is_centroid() && (!builtin || pixel_input)),
            (D::Sample, mode.is_sample() && (!builtin || pixel_input)),
        ];
        for (d, _) in all.iter().filter(|a| a.1) {
            self.e.w.decorate(id, *d, &[]);
        }
        if mode.is_sample() && pixel_input {
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

    /// The clip or cull distances that share a variable with `e`, by index.
    fn distances(&self, e: &ElementData) -> Vec<(u32, &ElementData)> {
        let all = self.f.elements.values().enumerate();
        let mut all: Vec<(u32, &ElementData)> =
            all.filter(|(_, o)| o.role == e.role && o.semantic == e.semantic).map(|(n, o)| (n as u32, o)).collect();
        all.sort_by_key(|(_, o)| o.index);
        all
    }

    fn all_distances(&self, e: &ElementData) -> u32 {
        self.distances(e).iter().map(|(_, o)| o.count * o.rows * o.columns).sum()
    }

    fn first_distance(&self, n: u32) -> u32 {
        let all = self.distances(self.element(n));
        all.iter().take_while(|(m, _)| *m != n).map(|(_, o)| o.count * o.rows * o.columns).sum()
    }

    /// The variable that another element with the same builtin made: distances, factors, what both functions of a hull shader read.
    fn shared_builtin(&mut self, e: &ElementData, own: BuiltIn) -> Option<u32> {
        if own == BuiltIn::InvocationId {
            // Control points are stored by their number.
            let word = self.e.w.u32_ty();
            return Some(self.builtin_var(own, word));
        }
        let stage = self.stage();
        let same = |o: &ElementData| o.semantic == e.semantic && class_of(o, stage) == class_of(e, stage);
        let others = self.f.elements.values().enumerate().filter(|(_, o)| same(o) && builtin(o, stage).is_some());
        others.filter_map(|(n, _)| self.elements.get(&(n as u32))).map(|v| v.id).next()
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
    fn vector_path(&mut self, e: &ElementData, part: ElementPart, number: Value, vertex: Option<u32>) -> Vec<u32> {
        let mut path: Vec<u32> = vertex.into_iter().collect();
        if matches!(e.semantic, Semantic::TessFactor | Semantic::InsideTessFactor) {
            let first = self.e.w.u32(e.index);
            let number = self.val(number);
            let word = self.e.w.u32_ty();
            path.push(if e.index == 0 { number } else { self.op(Op::IAdd, word, &[number, first]) });
            return path;
        }
        if e.count > 1 {
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
        let v = self.element_var(part.element);
        if op == Opcode::store_output {
            return self.store_element(&e, v, part, args);
        }
        let result = self.f.result(i);
        let id = match v.form {
            Form::TessCoord => {
                let whole = self.e.w.vector_ty(v.scalar, 3);
                let whole = self.op(Op::Load, whole, &[v.id]);
                let ty = self.ty_of(result);
                match e.columns {
                    1 => self.op(Op::CompositeExtract, ty, &[whole, 0]),
                    2 => self.op(Op::VectorShuffle, ty, &[whole, whole, 0, 1]),
                    _ => whole,
                }
            }
            Form::Plain | Form::FragCoord | Form::Minus(_) | Form::Factors => self.load_vector(&e, v, part, op, args),
            Form::Flag => {
                let flag = self.e.ty(Type::BOOL);
                let flag = self.op(Op::Load, flag, &[v.id]);
                let (one, zero) = (self.e.w.u32(1), self.e.w.u32(0));
                self.op(Op::Select, v.scalar, &[flag, one, zero])
            }
            Form::Mask => {
                let zero = self.e.w.u32(0);
                let at = self.stage_pointer(v, v.scalar, &[zero]);
                self.op(Op::Load, v.scalar, &[at])
            }
            Form::Distances(first) => {
                let vertex = v.vertices.then(|| self.val(args[1]));
                let parts: Vec<u32> = (0..e.columns)
                    .map(|c| {
                        let at = self.distance(&e, v, first, ElementPart { column: c, ..part }, args[0], vertex);
                        self.op(Op::Load, v.scalar, &[at])
                    })
                    .collect();
                let ty = self.ty_of(result);
                if let [one] = parts[..] { one } else { self.op(Op::CompositeConstruct, ty, &parts) }
            }
        };
        self.set(result, id);
    }

    /// A pointer to a clip or cull distance.
    fn distance(&mut self, e: &ElementData, v: Var, first: u32, part: ElementPart, number: Value, vertex: Option<u32>) -> u32 {
        let plus = first + part.row * e.columns + part.column;
        let each = e.rows * e.columns;
        let word = self.e.w.u32_ty();
        let index = match self.f.as_const(number) {
            Some(n) => self.e.w.u32(plus + n as u32 * each),
            None => {
                let (n, each, plus) = (self.val(number), self.e.w.u32(each), self.e.w.u32(plus));
                let n = self.op(Op::IMul, word, &[n, each]);
                self.op(Op::IAdd, word, &[n, plus])
            }
        };
        let path: Vec<u32> = vertex.into_iter().chain([index]).collect();
        self.stage_pointer(v, v.scalar, &path)
    }

    fn load_vector(&mut self, e: &ElementData, v: Var, part: ElementPart, op: Opcode, args: &[Value]) -> u32 {
        let ty = if e.columns > 1 { self.e.w.vector_ty(v.scalar, e.columns) } else { v.scalar };
        let vertex = match op {
            Opcode::attribute_at_vertex => Some(self.val(args[1])),
            _ if v.per_vertex => Some(self.e.w.u32(0)),
            _ if v.vertices => Some(self.val(args[1])),
            _ => None,
        };
        let path = self.vector_path(e, part, args[0], vertex);
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

    /// A vector of a variable as the IR has it: without signs, and of 16 bits where it is.
    fn loaded_vector(&mut self, e: &ElementData, id: u32) -> u32 {
        let small = !self.m.native_16bit;
        let scalar = self.e.scalar(e.scalar(), false);
        let ty = if e.columns > 1 { self.e.w.vector_ty(scalar, e.columns) } else { scalar };
        match e.component {
            CompType::F16 if small => self.op(Op::FConvert, ty, &[id]),
            CompType::U16 if small => self.op(Op::UConvert, ty, &[id]),
            CompType::I16 if small => {
                // The result of a signed conversion may be unsigned.
                self.op(Op::SConvert, ty, &[id])
            }
            CompType::I16 | CompType::I32 if builtin(e, self.stage()).is_none() => self.op(Op::Bitcast, ty, &[id]),
            _ => id,
        }
    }

    /// The other way round; `n` components.
    fn stored_vector(&mut self, e: &ElementData, v: Var, id: u32, n: u32) -> u32 {
        let small = !self.m.native_16bit;
        let ty = if n > 1 { self.e.w.vector_ty(v.scalar, n) } else { v.scalar };
        match e.component {
            CompType::F16 if small => self.op(Op::FConvert, ty, &[id]),
            CompType::U16 if small => self.op(Op::UConvert, ty, &[id]),
            CompType::I16 if small => self.op(Op::SConvert, ty, &[id]),
            CompType::I16 | CompType::I32 if builtin(e, self.stage()).is_none() => self.op(Op::Bitcast, ty, &[id]),
            _ => id,
        }
    }

    fn store_element(&mut self, e: &ElementData, v: Var, part: ElementPart, args: &[Value]) {
        let value = args[1];
        if self.f.is_undef(value) {
            return;
        }
        let n = self.m.types.numeric(self.f.ty(value)).map_or(1, |t| t.1);
        let mut id = self.val(value);
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
                    let at = self.distance(e, v, first, ElementPart { column: part.column + c, ..part }, args[0], vertex);
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
            let ty = self.ty_of(value);
            id = self.op(Op::CompositeInsert, ty, &[y, id, 1]);
        }
        let mut path = self.vector_path(e, part, args[0], vertex);
        if n < e.columns {
            path.push(self.e.w.u32(part.column));
        }
        let id = self.stored_vector(e, v, id, n);
        let ty = if n > 1 { self.e.w.vector_ty(v.scalar, n) } else { v.scalar };
        let at = self.stage_pointer(v, ty, &path);
        self.stmt(Op::Store, &[at, id]);
    }

    // Pixel shaders --------------------------------------------------------------------------------------

    /// Ends the thread, or makes it a helper, if a condition holds.
    pub(crate) fn discard(&mut self, cond: Value) {
        let always = self.f.as_const(cond) == Some(1);
        let cond = self.val(cond);
        let demotes = self.e.stage.demotes;
        if demotes {
            let why = self.reason("`discard`");
            self.e.w.capability(C::DemoteToHelperInvocation, || why);
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
        let var = self.builtin_var(BuiltIn::HelperInvocation, ty);
        let volatile = spirv::MemoryAccess::VOLATILE.bits();
        let id = match self.e.stage.demotes {
            true => self.op(Op::Load, ty, &[var, volatile]),
            false => self.op(Op::Load, ty, &[var]),
        };
        self.set(result, id);
    }
}
