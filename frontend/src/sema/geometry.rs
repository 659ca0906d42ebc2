//! Geometry shaders: the vertices or control points of their primitive, the streams that they append vertices to, and their attributes.

use rtc_base::Span;
use rtc_ir::{ElementRole, GeometryState, StageState};
use rtc_tables::attributes::AttributeId;
use rtc_tables::limits::{GEOMETRY_INSTANCES, GEOMETRY_SCALARS, GEOMETRY_STREAMS, GEOMETRY_VERTICES};
use rtc_tables::pipeline::{InputPrimitive, StreamTopology};
use rtc_tables::signature::SigPoint;
use rtc_tables::stages::Stage;

use super::context::Sema;
use super::errors::geometry as err;
use super::errors::stmts as err_stmts;
use super::errors::tessellation as err_tessellation;
use super::stage_builder::{Builder, Declared};
use crate::hir::{self, FuncId, Pass, StageNode, Ty, TyKind};
use crate::syntax::ast::{self, Specs};

/// The specifiers of primitives.
const PRIMITIVES: &[(Specs, InputPrimitive)] = &[
    (Specs::POINT, InputPrimitive::Point),
    (Specs::LINE, InputPrimitive::Line),
    (Specs::TRIANGLE, InputPrimitive::Triangle),
    (Specs::LINEADJ, InputPrimitive::LineAdjacency),
    (Specs::TRIANGLEADJ, InputPrimitive::TriangleAdjacency),
];

/// The primitive and the streams of a geometry shader, as its parameters declare them.
#[derive(Default)]
pub struct Primitives {
    input: Option<(InputPrimitive, Span)>,
    streams: Vec<(StreamTopology, Ty, Span)>,
}

/// The primitive that specifiers name.
fn primitive(specs: Specs) -> Option<InputPrimitive> {
    PRIMITIVES.iter().find(|p| specs.contains(p.0)).map(|p| p.1)
}

impl Sema<'_> {
    /// The attribute `name` of a function; of several the last counts.
    pub fn stage_attribute(&self, f: FuncId, id: AttributeId) -> Option<ast::Attr> {
        self.funcs[f].attrs.iter().rfind(|a| self.attribute_id(a) == Some(id)).copied()
    }

    /// The number in an attribute, in a range; `None` if there is no such attribute, or a wrong one, which is reported.
    pub fn number_attribute(&mut self, f: FuncId, id: AttributeId, range: std::ops::RangeInclusive<u32>) -> Option<u32> {
        let a = self.stage_attribute(f, id)?;
        let want = format!("a number from {} to {}", range.start(), range.end());
        let n = self.numbers(&a, 1, 1, &want)?[0];
        if !range.contains(&n) {
            self.report(err_stmts::attribute_argument(a.span, id.row().name, &want));
            return None;
        }
        Some(n)
    }

    /// The nodes of a parameter of a geometry shader that is a stream or consists of vertices; `None` for any other one.
    pub fn primitive_parameter(
        &mut self,
        b: &mut Builder,
        all: &mut Primitives,
        stage: Stage,
        p: &hir::Param,
        specs: Specs,
        declared: Declared,
    ) -> Option<(StageNode, StageNode)> {
        let absent = Some((StageNode::Absent, StageNode::Absent));
        let word = primitive(specs);
        if stage != Stage::Geometry {
            if let Some(w) = word {
                self.report(err::misplaced_primitive(p.span, w.word(), stage.name()));
                return absent;
            }
            if let TyKind::Stream(..) = self.kind(p.ty) {
                let ty = self.show(p.ty);
                self.report(err::misplaced_object(p.span, &ty, stage.name()));
                return absent;
            }
            return None;
        }
        match (self.kind(p.ty), word) {
            (TyKind::Stream(topology, vertex), _) => {
                if all.streams.len() == GEOMETRY_STREAMS {
                    self.report(err::too_many_streams(p.span, GEOMETRY_STREAMS));
                    return absent;
                }
                (b.point, b.role, b.stream) = (SigPoint::GsOut, ElementRole::Output, all.streams.len() as u32);
                all.streams.push((topology, p.ty, p.span));
                let node = self.stage_node(b, vertex, declared, &mut None);
                b.stream = 0;
                Some((StageNode::Absent, node))
            }
            (TyKind::Patch(false, vertex, n), None) => {
                let primitive = InputPrimitive::Patch(n as u8);
                if p.pass != Pass::In {
                    let ty = self.show(p.ty);
                    self.report(err_tessellation::patch_passing(p.span, &ty));
                } else if self.opts.spirv {
                    self.report(err::patch_in_vulkan(p.span));
                }
                match all.input.replace((primitive, p.span)) {
                    Some((InputPrimitive::Patch(_), first)) => {
                        self.report(err_tessellation::two_patches(p.span, "a geometry shader", first));
                    }
                    Some((other, first)) => self.report(err::two_primitives(p.span, "InputPatch", first, other.word())),
                    None => {}
                }
                (b.point, b.role) = (SigPoint::GsVIn, ElementRole::Input);
                let node = self.stage_node(b, vertex, declared, &mut None);
                Some((StageNode::Vertices(node.into()), StageNode::Absent))
            }
            (TyKind::Patch(..), None) => {
                all.input.get_or_insert((InputPrimitive::Point, p.span));
                let ty = self.show(p.ty);
                self.report(err::misplaced_object(p.span, &ty, stage.name()));
                absent
            }
            (TyKind::Array(vertex, n), Some(primitive)) => {
                match all.input {
                    Some((other, first)) if other != primitive => {
                        self.report(err::two_primitives(p.span, primitive.word(), first, other.word()));
                    }
                    Some(_) => {}
                    None => all.input = Some((primitive, p.span)),
                }
                (b.point, b.role) = (SigPoint::GsVIn, ElementRole::Input);
                let first = b.out.elements.len();
                let node = self.stage_node(b, vertex, declared, &mut None);
                // What has no members may have any number of them in Vulkan.
                let empty = self.opts.spirv && n.is_some() && b.out.elements.len() == first && node.is_whole();
                if n != Some(primitive.vertices()) && !empty {
                    self.report(err::wrong_vertices(p.span, primitive.word(), primitive.vertices()));
                    return absent;
                }
                Some((StageNode::Vertices(node.into()), StageNode::Absent))
            }
            (_, Some(primitive)) => {
                all.input.get_or_insert((primitive, p.span));
                self.report(err::wrong_vertices(p.span, primitive.word(), primitive.vertices()));
                absent
            }
            (TyKind::Array(..), None) if p.pass == Pass::In => {
                all.input.get_or_insert((InputPrimitive::Point, p.span));
                let words: Vec<&str> = InputPrimitive::words().collect();
                self.report(err::no_primitive(p.span, &words));
                absent
            }
            _ if p.pass != Pass::In => {
                self.report(err::geometry_output(p.span));
                absent
            }
            _ => None,
        }
    }

    /// The state of a geometry shader, after its parameters.
    pub fn geometry_state(&mut self, f: FuncId, b: &mut Builder, all: &Primitives) {
        let (span, ret) = (self.m.funcs[f].span, self.m.funcs[f].ret);
        if ret != Ty::VOID && ret != Ty::ERROR {
            let at = self.funcs[f].decl.as_ref().map_or(span, |d| self.ast.types[d.0.ret].span);
            self.report(err::geometry_result(at));
        }
        let broken = self.m.funcs[f].params.iter().any(|p| p.ty == Ty::ERROR);
        if all.input.is_none() && !broken {
            self.report(err::no_vertices(span));
        }
        if all.streams.is_empty() && !broken {
            self.report(err::no_stream(span));
        }
        if let [(_, _, first), (_, _, second), ..] = all.streams[..]
            && let Some(&(_, ty, at)) = all.streams.iter().find(|s| s.0 != StreamTopology::Points)
        {
            let text = self.show(ty);
            self.report(err::several_streams(at, &text, if at == first { second } else { first }));
        }
        if self.stage_attribute(f, AttributeId::MaxVertexCount).is_none() {
            self.report(err::missing_attribute(span, "geometry", "maxvertexcount(n)"));
        }
        let vertices = self.number_attribute(f, AttributeId::MaxVertexCount, 1..=GEOMETRY_VERTICES);
        // Vulkan devices say how many they run.
        let most = if self.opts.spirv { u32::from(u16::MAX) } else { GEOMETRY_INSTANCES };
        let instances = self.number_attribute(f, AttributeId::Instance, 1..=most);
        let outputs = b.out.elements.iter().filter(|e| e.role == ElementRole::Output);
        let scalars: u32 = outputs.map(|e| e.count * e.rows * e.columns).sum();
        if let (Some(n), Some(a)) = (vertices, self.stage_attribute(f, AttributeId::MaxVertexCount))
            && n.saturating_mul(scalars) > GEOMETRY_SCALARS
        {
            self.report(err::too_many_scalars(a.span, n, scalars, GEOMETRY_SCALARS));
        }
        if let (Some((primitive, _)), Some(&(topology, ..))) = (all.input, all.streams.first()) {
            b.out.state = StageState::Geometry(GeometryState {
                primitive,
                topology,
                max_vertices: vertices.unwrap_or(1),
                instances: instances.unwrap_or(1),
                streams: (1 << all.streams.len()) - 1,
            });
        }
    }
}
