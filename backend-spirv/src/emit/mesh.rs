//! Mesh and amplification shaders: execution modes, counts, indices, payloads, and the instruction that ends an amplification shader.
//!
//! `OpEmitMeshTasksEXT` ends its block. `DispatchMesh` in HLSL does not: the groups are started where the shader ends, with the
//! numbers of the call.

use rtc_ir::analysis::RegionTree;
use rtc_ir::{Global, GlobalKind, Inst, InstData, Opcode, Root, StageState, Type, Value};
use rtc_tables::barriers::{memory, semantics};
use rtc_tables::pipeline::MeshTopology;
use spirv::{BuiltIn, Capability as C, Decoration as D, ExecutionMode, Op, StorageClass};

use super::FuncEmitter;
use crate::words::{Id, NONE, TypeId};

impl FuncEmitter<'_, '_> {
    /// Execution modes of a mesh shader, and what both stages need.
    pub(crate) fn mesh_modes(&mut self, id: Id) {
        let why = self.reason("mesh shaders");
        self.e.w.capability(C::MeshShadingEXT, || why.clone());
        self.e.w.extension("SPV_EXT_mesh_shader", || why);
        let StageState::Mesh(s) = self.f.state else { return };
        let topology = match s.topology {
            MeshTopology::Point => ExecutionMode::OutputPoints,
            MeshTopology::Line => ExecutionMode::OutputLinesEXT,
            MeshTopology::Triangle => ExecutionMode::OutputTrianglesEXT,
        };
        self.e.w.execution_mode(id, topology, &[]);
        // Vulkan has no shader that can make nothing.
        let (vertices, primitives) = (s.max_vertices.max(1), s.max_primitives.max(1));
        self.e.w.execution_mode(id, ExecutionMode::OutputVertices, &[vertices]);
        self.e.w.execution_mode(id, ExecutionMode::OutputPrimitivesEXT, &[primitives]);
    }

    /// The variable of the indices.
    fn indices_var(&mut self) -> (Id, TypeId) {
        let StageState::Mesh(s) = self.f.state else { rtc_base::bug!("indices outside a mesh shader") };
        let word = self.e.w.u32_ty();
        let n = s.topology.vertices();
        let ty = if n > 1 { self.e.w.vector_ty(word, n) } else { word };
        if let Some(v) = self.mesh_indices {
            return (v, ty);
        }
        let count = self.e.w.u32(s.max_primitives);
        let all = self.e.w.array_ty(ty, count);
        let v = self.e.w.variable(StorageClass::Output, all, None);
        let builtin = match s.topology {
            MeshTopology::Point => BuiltIn::PrimitivePointIndicesEXT,
            MeshTopology::Line => BuiltIn::PrimitiveLineIndicesEXT,
            MeshTopology::Triangle => BuiltIn::PrimitiveTriangleIndicesEXT,
        };
        self.e.w.decorate(v, D::BuiltIn, &[builtin as u32]);
        self.interface.insert(v);
        self.mesh_indices = Some(v);
        (v, ty)
    }

    /// `set_mesh_output_counts`, `emit_indices`.
    pub(crate) fn mesh_inst(&mut self, i: Inst, imm: u32, args: &[Value]) {
        let (a, b) = (self.val(args[0]), self.val(args[1]));
        if self.f.op(i) == Opcode::set_mesh_output_counts {
            // A call after another one has the same numbers, and calling it twice is undefined.
            let tree = RegionTree::of(self.f);
            let Some(region) = tree.region(i) else { return };
            if !self.mesh_counts.iter().any(|&outer| tree.contains(outer, region)) {
                self.mesh_counts.push(region);
                self.stmt(Op::SetMeshOutputsEXT, &[a, b]);
            }
            return;
        }
        let (var, ty) = self.indices_var();
        let word = self.e.w.u32_ty();
        let mut path = vec![var, a];
        let part = imm.checked_sub(1).filter(|_| ty != word);
        path.extend(part.map(|n| self.e.w.u32(n)));
        let pointer = self.e.w.pointer_ty(StorageClass::Output, if part.is_some() { word } else { ty });
        let at = self.op(Op::AccessChain, pointer, &path);
        self.stmt(Op::Store, &[at, b]);
    }

    /// `dispatch_mesh`: the groups wait for each other, and start mesh shaders in the end.
    pub(crate) fn dispatch_mesh(&mut self, g: Global, args: &[Value]) {
        let mut ids = self.vals(args);
        ids.push(self.payload_var(g));
        self.memory_barrier(memory::GROUPSHARED, semantics::GROUP_SYNC | semantics::GROUP_SCOPE);
        self.tasks = Some(ids.to_vec());
    }

    /// Ends the shader.
    pub(crate) fn return_or_start(&mut self) {
        match self.tasks.clone() {
            Some(ids) => self.stmt(Op::EmitMeshTasksEXT, &ids),
            None => self.stmt(Op::Return, NONE),
        }
    }

    /// Whether this amplification shader passes a groupshared variable.
    pub(crate) fn is_payload(&self, g: Global) -> bool {
        if self.stage() != rtc_ir::Stage::Amplification || !matches!(self.m.globals[g].kind, GlobalKind::GroupShared(_)) {
            return false;
        }
        let f = self.f;
        let mut found = false;
        f.for_each_inst(f.body, |_, i| {
            if let InstData::Access { op: Opcode::dispatch_mesh, place, .. } = f.insts[i] {
                found |= f.places[place].root == Root::Global(g);
            }
        });
        found
    }

    /// The variable of a payload, which every shader has for itself.
    pub(crate) fn payload_var(&mut self, g: Global) -> Id {
        if let Some(v) = self.mesh_payload {
            return v;
        }
        let ty: Type = self.m.globals[g].ty();
        let ty = self.e.interface_ty(ty);
        let v = self.e.w.variable(StorageClass::TaskPayloadWorkgroupEXT, ty, None);
        self.e.w.name(v, &self.m.globals[g].name);
        self.interface.insert(v);
        self.mesh_payload = Some(v);
        v
    }
}
