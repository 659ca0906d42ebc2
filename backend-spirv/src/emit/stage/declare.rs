//! The variables of signature elements: their types and decorations, as [`super::plan`] says.

use rtc_ir::{ElementData, ElementRole, Scalar, Stage, Type};
use rtc_tables::diagnostics::E0677;
use rtc_tables::resources::CompType;
use rtc_tables::signature::{Semantic, SigPoint};
use rtc_tables::stages::StageMask;
use rtc_tables::vk_builtins::VkBuiltin;
use rustc_hash::FxHashMap;
use spirv::{BuiltIn, Capability as C, Decoration as D, ExecutionMode, Op, StorageClass};

use super::builtins::{builtin, class_of, has_location, is_point_size};
use super::locations::located;
use super::plan::{Form, StageVar};
use crate::emit::FuncEmitter;
use crate::words::{Id, TypeId};

/// The variable of an element, once it is declared.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Var {
    pub(super) id: Id,
    pub(super) class: StorageClass,
    pub(super) form: Form,
    /// The type of a component in it.
    pub(super) scalar: TypeId,
    /// An array with the value at each vertex of the primitive; the input is its first element.
    pub(super) per_vertex: bool,
    /// An array with the value of each vertex of the primitive, or of each control point of the patch.
    pub(super) vertices: bool,
}

impl FuncEmitter<'_, '_> {
    /// Execution modes of the entry point with this id.
    pub(crate) fn stage_modes(&mut self, id: Id) {
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
            self.e.w.execution_mode(id, *mode, &[]);
        }
        self.ordered_modes(id);
        self.helper_modes(id);
    }

    /// Declares the outputs, so that the interface has them whether or not they are written, and checks the elements.
    pub(crate) fn declare_outputs(&mut self) {
        self.check_streams();
        self.check_locations();
        for n in 0..self.f.elements.len() as u32 {
            if class_of(self.element(n), self.f.stage) != StorageClass::Output {
                continue;
            }
            for member in 0..self.plan.variables(n).len() as u32 {
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
                self.error_of(&E0677, "either all inputs and all outputs of a shader have `[[vk::location]]`, or none has");
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
                self.error_of(&E0677, format!("`{name}` has location {location}, which `{first}` has too"));
            }
        }
    }

    pub(super) fn element(&self, n: u32) -> &ElementData {
        self.f.elements.values().nth(n as usize).unwrap_or_else(|| rtc_base::bug!("there is no signature element {n}"))
    }

    /// The type of a component of an element, as the source has it.
    fn element_scalar(&mut self, c: CompType) -> TypeId {
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
                self.e.w.int_ty(16, true)
            }
            CompType::F16 | CompType::F32 => w.f32_ty(),
            CompType::I16 | CompType::I32 => w.int_ty(32, true),
            CompType::F64 => self.e.scalar(Scalar::F64, true),
            CompType::U64 => self.e.scalar(Scalar::I64, true),
            CompType::I64 => {
                self.e.scalar(Scalar::I64, true);
                self.e.w.int_ty(64, true)
            }
            _ => w.u32_ty(),
        }
    }

    /// The variable of element `n`; `member`: which one if it has several.
    pub(super) fn element_var(&mut self, n: u32, member: u32) -> Var {
        if let Some(&v) = self.elements.get(&(n, member)) {
            return v;
        }
        let planned = self.plan.variables(n)[member as usize].clone();
        let StageVar { element: e, class, form, builtin, per_vertex, vertices, .. } = &planned;
        let scalar = if e.component == CompType::I1 {
            self.e.ty(Type::BOOL)
        } else if builtin.is_some() {
            // Builtins have 32 bits.
            if matches!(e.component, CompType::F16 | CompType::F32) { self.e.w.f32_ty() } else { self.e.w.u32_ty() }
        } else {
            self.element_scalar(e.component)
        };
        let (class, form, vertices) = (*class, *form, vertices.is_some());
        let v = match builtin.and_then(|own| self.shared_builtin(e, own.0)) {
            Some(id) => Var { id, class, form, scalar, per_vertex: false, vertices },
            None => {
                let ty = self.variable_type(&planned, scalar);
                let id = self.e.w.variable(class, ty, None);
                self.interface.insert(id);
                self.decorate_element(id, &planned);
                Var { id, class, form, scalar, per_vertex: *per_vertex, vertices }
            }
        };
        self.elements.insert((n, member), v);
        v
    }

    /// The type of a variable with components of type `scalar`.
    fn variable_type(&mut self, v: &StageVar, scalar: TypeId) -> TypeId {
        let e = &v.element;
        let mut ty = match v.form {
            Form::Flag => self.e.ty(Type::BOOL),
            Form::Mask => self.array_of(scalar, 1),
            Form::Distances { all, .. } => self.array_of(scalar, all),
            Form::Factors => self.array_of(scalar, if e.semantic == Semantic::TessFactor { 4 } else { 2 }),
            Form::TessCoord => self.e.w.vector_ty(scalar, 3),
            Form::Plain | Form::FragCoord | Form::Minus(_) => {
                let mut ty = if e.columns > 1 { self.e.w.vector_ty(scalar, e.columns) } else { scalar };
                if e.rows > 1 {
                    let floats = matches!(e.component, CompType::F32 | CompType::F16 | CompType::F64) && e.columns > 1;
                    ty = if floats { self.e.w.matrix_ty(ty, e.rows) } else { self.array_of(ty, e.rows) };
                }
                if e.count > 1 {
                    ty = self.array_of(ty, e.count);
                }
                ty
            }
        };
        if v.per_vertex {
            ty = self.array_of(ty, 3);
        }
        match v.vertices {
            Some(count) => self.array_of(ty, count),
            None => ty,
        }
    }

    fn array_of(&mut self, ty: TypeId, length: u32) -> TypeId {
        let length = self.e.w.u32(length);
        self.e.w.array_ty(ty, length)
    }

    /// The name and the decorations of a variable.
    fn decorate_element(&mut self, id: Id, v: &StageVar) {
        let e = &v.element;
        match v.builtin {
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
                let direction = if v.class == StorageClass::Input { "in" } else { "out" };
                self.e.w.name(id, &format!("{direction}.var.{}", e.written()));
                if let Some((location, component)) = v.location {
                    self.e.w.decorate(id, D::Location, &[location]);
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
        self.interpolate(id, e, v.builtin.is_some(), v.per_vertex);
        let said = e.decorations.iter().any(|d| d.number == D::PerPrimitiveEXT as u32);
        if !said && (e.point == SigPoint::MsPOut || v.builtin.is_none() && self.reads_primitives(e)) {
            self.e.w.decorate(id, D::PerPrimitiveEXT, &[]);
        }
        self.decorate_pipeline(id, e);
        self.e.inline_decorations(id, &e.decorations);
    }

    /// Whether an element is an input of a pixel shader that shaders of this module write for primitives alone. HLSL says so of the output, SPIR-V of
    /// both. The pixel shader of a module without such an output has no mesh shader to be used with, as far as the module knows.
    fn reads_primitives(&self, e: &ElementData) -> bool {
        if self.stage() != Stage::Pixel || e.role != ElementRole::Input {
            return false;
        }
        let own = e.indices();
        let is_its = |o: &&ElementData| o.name.eq_ignore_ascii_case(&e.name) && o.indices().iter().any(|i| own.contains(i));
        let before = self.m.funcs.values().filter(|f| f.stage != Stage::Pixel).flat_map(|f| f.elements.values());
        let mut writers = before.filter(|o| o.role == ElementRole::Output || o.point == SigPoint::MsPOut).filter(is_its).peekable();
        writers.peek().is_some() && writers.all(|o| o.point == SigPoint::MsPOut)
    }

    /// Decorations of interpolation.
    fn interpolate(&mut self, id: Id, e: &ElementData, builtin: bool, per_vertex: bool) {
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

    /// The variable that another element with the same builtin made: distances, factors, what both functions of a hull shader read.
    fn shared_builtin(&mut self, e: &ElementData, own: BuiltIn) -> Option<Id> {
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
}
