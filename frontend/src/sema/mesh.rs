//! Mesh and amplification shaders: their attributes, the arrays of vertices, indices and primitives, payloads (mesh shader
//! specification, "Mesh shader", "Amplification shader").

use rtc_base::Span;
use rtc_ir::{ElementRole, MeshState, StageState};
use rtc_tables::attributes::AttributeId;
use rtc_tables::limits::{MESH_BYTES, MESH_GROUP_THREADS, MESH_OUTPUT_BYTES, MESH_OUTPUT_GRANULE, MESH_OUTPUTS, MESH_PAYLOAD_BYTES};
use rtc_tables::pipeline::MeshTopology;
use rtc_tables::signature::SigPoint;
use rtc_tables::stages::{Stage, StageMask};

use super::context::{Sema, Use};
use super::errors::mesh as err;
use super::stage_builder::{Builder, Declared};
use crate::hir::layout::{Rules, size_of};
use crate::hir::{FuncId, Param, Pass, StageNode, Ty, TyKind};
use crate::syntax::ast::{self, Specs};

/// The arrays of a mesh shader so far.
#[derive(Default)]
pub struct MeshArrays {
    vertices: Option<(u32, Span)>,
    indices: Option<(u32, Ty, Span)>,
    primitives: Option<(u32, Span)>,
    payload: Option<Span>,
    /// Bytes of the payload.
    payload_bytes: u32,
    /// A parameter is wrong, so that not all is known.
    wrong: bool,
}

/// The specifier of a parameter that only mesh shaders have.
fn word(specs: Specs) -> Option<&'static str> {
    let all = [(Specs::VERTICES, "vertices"), (Specs::INDICES, "indices"), (Specs::PRIMITIVES, "primitives"), (Specs::PAYLOAD, "payload")];
    all.iter().find(|w| specs.contains(w.0)).map(|w| w.1)
}

impl Sema<'_> {
    /// Checks the attributes and the result of a mesh or amplification shader.
    pub fn mesh_attributes(&mut self, f: FuncId, stage: Stage) {
        let span = self.m.funcs[f].span;
        match self.m.funcs[f].entry.numthreads {
            None => self.report(err::no_numthreads(span, stage.name())),
            Some(n) if n.iter().map(|&n| u64::from(n)).product::<u64>() > MESH_GROUP_THREADS => {
                self.report(err::numthreads(span, stage.name()));
            }
            Some(_) => {}
        }
        let ret = self.m.funcs[f].ret;
        if ret != Ty::VOID && ret != Ty::ERROR {
            let at = self.funcs[f].decl.as_ref().map_or(span, |d| self.ast.types[d.0.ret].span);
            self.report(err::result(at, stage.name()));
        }
    }

    /// A parameter of a mesh shader that no other stage has; none if it is an input as in other stages.
    pub fn mesh_parameter(
        &mut self,
        b: &mut Builder,
        arrays: &mut MeshArrays,
        stage: Stage,
        p: &Param,
        specs: Specs,
        declared: Declared,
    ) -> Option<(StageNode, StageNode)> {
        let none = Some((StageNode::Absent, StageNode::Absent));
        let group = StageMask::MESH_PIPELINE.has(stage);
        let Some(word) = word(specs) else {
            if group && p.pass != Pass::In {
                arrays.wrong = true;
                self.report(err::plain_out(p.span));
                return none;
            }
            return None;
        };
        if stage != Stage::Mesh {
            self.report(err::other_stage(p.span, word, stage.name()));
            return none;
        }
        if specs.contains(Specs::PAYLOAD) {
            self.mesh_payload(arrays, p);
            return Some((StageNode::Payload, StageNode::Absent));
        }
        if p.pass != Pass::Out {
            arrays.wrong = true;
            self.report(err::not_out(p.span, word));
            return none;
        }
        let (elem, count) = match self.kind(p.ty) {
            TyKind::Array(elem, Some(n)) if (1..=MESH_OUTPUTS).contains(&n) => (elem, n),
            _ => {
                arrays.wrong = true;
                let text = self.show(p.ty);
                self.report(err::array(p.span, word, &text));
                return none;
            }
        };
        let first = match word {
            "vertices" => arrays.vertices.replace((count, p.span)).map(|a| a.1),
            "indices" => arrays.indices.replace((count, elem, p.span)).map(|a| a.2),
            _ => arrays.primitives.replace((count, p.span)).map(|a| a.1),
        };
        if let Some(first) = first {
            self.report(err::twice(p.span, word, first));
            return none;
        }
        if word == "indices" {
            return Some((StageNode::Absent, StageNode::Indices));
        }
        b.point = if word == "vertices" { SigPoint::MsOut } else { SigPoint::MsPOut };
        b.role = ElementRole::of(b.point);
        let node = self.stage_node(b, elem, declared, &mut None);
        Some((StageNode::Absent, StageNode::Outputs(node.into())))
    }

    fn mesh_payload(&mut self, arrays: &mut MeshArrays, p: &Param) {
        if p.pass != Pass::In {
            self.report(err::payload_passing(p.span));
        }
        if let Some(first) = arrays.payload.replace(p.span) {
            self.report(err::second_payload(p.span, first));
        }
        if self.check_mesh_payload(p.ty, p.span) {
            arrays.payload_bytes = size_of(&self.m.types, p.ty, Rules::Scalar).size;
        }
    }

    /// Whether a type can be given to `DispatchMesh`. The limit counts where an amplification shader reaches the call.
    pub fn check_dispatched_payload(&mut self, ty: Ty, span: Span) -> bool {
        let large = ty != Ty::ERROR && size_of(&self.m.types, ty, Rules::Scalar).size > MESH_PAYLOAD_BYTES;
        if large {
            self.used(Use::LargePayload(ty, span));
        }
        if large { self.check_udt(ty, span, "payload", false) } else { self.check_mesh_payload(ty, span) }
    }

    /// Whether a type can be passed from amplification to mesh shaders.
    fn check_mesh_payload(&mut self, ty: Ty, span: Span) -> bool {
        if ty == Ty::ERROR || !self.check_udt(ty, span, "payload", false) {
            return false;
        }
        let bytes = size_of(&self.m.types, ty, Rules::Scalar).size;
        if bytes > MESH_PAYLOAD_BYTES {
            self.report_payload_size(ty, span);
        }
        bytes <= MESH_PAYLOAD_BYTES
    }

    /// Reports a payload of mesh shaders that is too large.
    pub fn report_payload_size(&mut self, ty: Ty, span: Span) {
        let bytes = size_of(&self.m.types, ty, Rules::Scalar).size;
        let text = self.show(ty);
        self.report(err::payload_size(span, &text, bytes));
    }

    /// What a mesh shader makes, once all parameters are known.
    pub fn mesh_limits(&mut self, f: FuncId, b: &mut Builder, arrays: &MeshArrays) {
        let span = self.m.funcs[f].span;
        let topology = self.mesh_topology(f, span);
        if arrays.wrong {
            return;
        }
        let Some(topology) = topology else { return };
        // A shader without an array makes none of what is in it.
        let vertices = arrays.vertices.map_or(0, |v| v.0);
        let count = arrays.indices.map(|i| i.0).or(arrays.primitives.map(|p| p.0)).unwrap_or(0);
        if let Some((_, elem, at)) = arrays.indices {
            let n = topology.vertices();
            let fits = self.m.types.shape(elem) == Some((1, n)) && self.m.types.elem(elem) == Some(crate::hir::Scalar::Uint);
            if !fits {
                let (text, want) = (self.show(elem), if n > 1 { format!("uint{n}") } else { "uint".into() });
                self.report(err::indices(at, &text, &want, topology.word()));
            }
        }
        if let (Some((primitives, at_primitives)), Some((count, _, at))) = (arrays.primitives, arrays.indices)
            && primitives != count
        {
            self.report(err::different_sizes(at_primitives, primitives, at, count));
        }
        let scalars = |role| {
            let all = b.out.elements.iter().filter(|e| e.role == role);
            all.map(|e| u64::from(e.registers() * e.register_components())).sum::<u64>()
        };
        let rounded = |n: u32| u64::from(n.next_multiple_of(MESH_OUTPUT_GRANULE));
        let bytes = 4 * (scalars(ElementRole::Output) * rounded(vertices) + scalars(ElementRole::Patch) * rounded(count));
        if bytes > MESH_OUTPUT_BYTES {
            self.report(err::too_large(span, bytes, MESH_OUTPUT_BYTES));
        } else if bytes + u64::from(arrays.payload_bytes) > MESH_BYTES {
            self.report(err::too_large_with_payload(span, bytes, arrays.payload_bytes, MESH_BYTES));
        }
        // The type of the payload is known when there are types of the IR.
        b.out.state = StageState::Mesh(MeshState { max_vertices: vertices, max_primitives: count, topology, payload: None });
    }

    /// `[outputtopology("…")]`
    fn mesh_topology(&mut self, f: FuncId, span: Span) -> Option<MeshTopology> {
        let named = |a: &&ast::Attr| self.attribute_id(a) == Some(AttributeId::OutputTopology);
        let Some(a) = self.funcs[f].attrs.iter().find(named).copied() else {
            self.report(err::no_topology(span));
            return None;
        };
        let text = self.ast.text_argument(&a).map(|t| self.str(t).to_ascii_lowercase());
        let found = text.and_then(|t| MeshTopology::named(&t));
        match found {
            Some(MeshTopology::Point) if !self.opts.spirv => {
                self.report(err::points(a.span));
                return None;
            }
            Some(_) => {}
            None => self.report(err::topology(a.span)),
        }
        found
    }
}
