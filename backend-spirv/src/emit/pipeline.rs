//! Geometry, hull and domain shaders: their execution modes, streams, arrays of vertices and control points, and the entry point of a hull
//! shader, which calls two functions.
//!
//! A hull shader's entry point calls the function of the control points, waits for the others of its patch, and then the first
//! thread calls the patch constant function. Each output belongs to one stream, builtins too; several streams
//! need the capability `GeometryStreams`.

use rtc_ir::{ElementData, ElementRole, Function, Module, Opcode, Stage, StageState};
use rtc_tables::pipeline::{Domain, InputPrimitive, Partitioning, StreamTopology, TessellatorOutput};
use rtc_tables::signature::SigPoint;
use spirv::{BuiltIn, Capability as C, Decoration as D, ExecutionMode as M, Op, Scope, StorageClass};

use super::{Emitter, EntryVariables, FuncEmitter};
use crate::words::{Id, NONE, TypeId, operands, put, put_result};

/// Emits the functions of a hull shader, and one that calls them, whose id it gives.
pub(crate) fn emit_hull(e: &mut Emitter<'_>, points: &Function, constants: &Function, shared: &mut EntryVariables) -> Id {
    let id = e.w.id();
    shared.entry = Some(id);
    let points = FuncEmitter::emit_function(e, points, shared);
    let constants = FuncEmitter::emit_function(e, constants, shared);
    let (void, word, flag) = (e.w.void_ty(), e.w.u32_ty(), e.w.bool_ty());
    let function = e.w.ty(Op::TypeFunction, &[void]);
    let number = shared.builtin(e, BuiltIn::InvocationId, word);
    let (workgroup, invocation, zero) = (e.w.u32(Scope::Workgroup as u32), e.w.u32(Scope::Invocation as u32), e.w.u32(0));
    let [begin, then, merge, first, called, loaded, done] = [(); 7].map(|()| e.w.id());
    let out = &mut e.w.functions;
    put_result(out, Op::Function, void, id, &operands![spirv::FunctionControl::NONE, function]);
    put(out, Op::Label, &[begin]);
    put_result(out, Op::FunctionCall, void, called, &[points]);
    put(out, Op::ControlBarrier, &[workgroup, invocation, zero]);
    put_result(out, Op::Load, word, loaded, &[number]);
    put_result(out, Op::IEqual, flag, first, &[loaded, zero]);
    put(out, Op::SelectionMerge, &operands![merge, spirv::SelectionControl::NONE]);
    put(out, Op::BranchConditional, &[first, then, merge]);
    put(out, Op::Label, &[then]);
    put_result(out, Op::FunctionCall, void, done, &[constants]);
    put(out, Op::Branch, &[merge]);
    put(out, Op::Label, &[merge]);
    put(out, Op::Return, NONE);
    put(out, Op::FunctionEnd, NONE);
    id
}

impl EntryVariables {
    /// The variable of a builtin input.
    fn builtin(&mut self, e: &mut Emitter<'_>, b: BuiltIn, ty: TypeId) -> Id {
        if let Some(&v) = self.builtins.get(&b) {
            return v;
        }
        let v = e.w.variable(StorageClass::Input, ty, None);
        e.w.decorate(v, D::BuiltIn, &[b as u32]);
        e.reflect_builtin(v, b);
        self.interface.insert(v);
        self.builtins.insert(b, v);
        v
    }
}

/// The number of vertices, control points or primitives that each have an element of their own; none if there is one element in all. `state` is that
/// of the entry point.
pub(super) fn vertices_of(e: &ElementData, state: StageState) -> Option<u32> {
    match (e.point, state) {
        (SigPoint::GsVIn, StageState::Geometry(s)) => Some(s.primitive.vertices()),
        (SigPoint::HsCpIn, StageState::Hull(s)) => Some(s.input_points),
        (SigPoint::HsCpOut, StageState::Hull(s)) => Some(s.output_points),
        (SigPoint::DsCpIn, StageState::Domain(s)) => Some(s.input_points),
        (SigPoint::MsOut, StageState::Mesh(s)) => Some(s.max_vertices),
        (SigPoint::MsPOut, StageState::Mesh(s)) => Some(s.max_primitives),
        _ => None,
    }
}

/// The state of the entry point that `f`, a function of `m`, belongs to.
pub(super) fn entry_state(m: &Module, f: &Function) -> StageState {
    if f.state != StageState::PatchConstants {
        return f.state;
    }
    let own = |e: &&Function| match e.state {
        StageState::Hull(s) => s.patch_constants.is_some_and(|p| std::ptr::eq(&m.funcs[p], f)),
        _ => false,
    };
    m.funcs.values().find(own).map_or(StageState::None, |e| e.state)
}

impl FuncEmitter<'_, '_> {
    /// Execution modes and capabilities of stages before the rasteriser.
    pub(crate) fn pipeline_modes(&mut self, id: Id) {
        let mut modes: Vec<(M, Option<u32>)> = Vec::new();
        match self.f.state {
            StageState::Geometry(s) => {
                let primitive = match s.primitive {
                    InputPrimitive::Point => M::InputPoints,
                    InputPrimitive::Line => M::InputLines,
                    InputPrimitive::Triangle => M::Triangles,
                    InputPrimitive::LineAdjacency => M::InputLinesAdjacency,
                    InputPrimitive::TriangleAdjacency => M::InputTrianglesAdjacency,
                    // The front end refuses it.
                    InputPrimitive::Patch(_) => rtc_base::bug!("a geometry shader of patches in Vulkan"),
                };
                modes.push((primitive, None));
                modes.push(match s.topology {
                    StreamTopology::Points => (M::OutputPoints, None),
                    StreamTopology::Lines => (M::OutputLineStrip, None),
                    StreamTopology::Triangles => (M::OutputTriangleStrip, None),
                });
                modes.extend([(M::Invocations, Some(s.instances)), (M::OutputVertices, Some(s.max_vertices))]);
            }
            StageState::Hull(s) => {
                modes.extend(s.domain.map(domain));
                match s.partitioning {
                    None => {}
                    Some(Partitioning::Integer) => modes.push((M::SpacingEqual, None)),
                    Some(Partitioning::FractionalOdd) => modes.push((M::SpacingFractionalOdd, None)),
                    Some(Partitioning::FractionalEven) => modes.push((M::SpacingFractionalEven, None)),
                    Some(Partitioning::PowerOfTwo) => {
                        self.span = self.f.span;
                        self.error("SPIR-V has no `[partitioning(\"pow2\")]`: take \"integer\", and factors that are powers of two");
                    }
                }
                match s.output {
                    None => {}
                    Some(TessellatorOutput::Point) => modes.push((M::PointMode, None)),
                    Some(TessellatorOutput::Line) => {}
                    Some(TessellatorOutput::Clockwise) => modes.push((M::VertexOrderCw, None)),
                    Some(TessellatorOutput::Counterclockwise) => modes.push((M::VertexOrderCcw, None)),
                }
                modes.push((M::OutputVertices, Some(s.output_points)));
            }
            StageState::Domain(s) => modes.push(domain(s.domain)),
            _ => {}
        }
        let capability = match self.stage() {
            Stage::Geometry => Some(C::Geometry),
            Stage::Hull | Stage::Domain => Some(C::Tessellation),
            _ => None,
        };
        if let Some(c) = capability {
            let why = format!("`{}` is a {} shader", self.f.name, self.stage().name());
            self.e.w.capability(c, || why);
        }
        for (mode, number) in modes {
            self.e.w.execution_mode(id, mode, number.as_slice());
        }
    }

    /// The control point that this thread makes.
    pub(crate) fn own_control_point(&mut self) -> Id {
        let word = self.e.w.u32_ty();
        self.builtin_value(BuiltIn::InvocationId, word)
    }

    /// Whether the shader makes vertices of several streams.
    fn has_streams(&self) -> bool {
        matches!(self.f.state, StageState::Geometry(s) if s.streams.count_ones() > 1)
    }

    /// Decorations of an element's variable: its stream, or that it belongs to the patch.
    pub(crate) fn decorate_pipeline(&mut self, id: Id, e: &ElementData) {
        let tessellation = matches!(self.stage(), Stage::Hull | Stage::Domain);
        if e.role == ElementRole::Patch && tessellation && e.interpretation.is_in_signature() {
            self.e.w.decorate(id, D::Patch, &[]);
        }
        if e.role == ElementRole::Output && self.has_streams() {
            self.e.w.decorate(id, D::Stream, &[e.stream]);
        }
    }

    /// Reports a builtin that several streams have.
    pub(crate) fn check_streams(&mut self) {
        let outputs: Vec<&ElementData> = self.f.elements.values().filter(|e| e.role == ElementRole::Output).collect();
        let builtin = |e: &ElementData| super::stage::is_builtin(e, self.f.stage);
        let twice = outputs.iter().find(|e| builtin(e) && outputs.iter().any(|o| o.semantic == e.semantic && o.stream < e.stream));
        if let Some(e) = twice {
            let message = format!("`{}` is in several streams: in SPIR-V a system value belongs to one of them", e.name);
            self.span = e.span;
            self.error(message);
        }
    }

    /// Makes a vertex, or ends a strip.
    pub(crate) fn stream_inst(&mut self, op: Opcode, stream: u32) {
        let emits = op == Opcode::emit_stream;
        if !self.has_streams() {
            return self.stmt(if emits { Op::EmitVertex } else { Op::EndPrimitive }, NONE);
        }
        let why = self.reason("several streams");
        self.e.w.capability(C::GeometryStreams, || why);
        let stream = self.e.w.u32(stream);
        self.stmt(if emits { Op::EmitStreamVertex } else { Op::EndStreamPrimitive }, &[stream]);
    }
}

/// The execution mode of a patch's shape.
fn domain(d: Domain) -> (M, Option<u32>) {
    let mode = match d {
        Domain::Isoline => M::Isolines,
        Domain::Triangle => M::Triangles,
        Domain::Quad => M::Quads,
    };
    (mode, None)
}
