//! `[clipplanes(…)]` of vertex shaders: planes in constant buffers, each of which adds a clip distance to the outputs, which is the product
//! of the position and the plane.

use rtc_base::Span;
use rtc_ir::{ElementData, ElementRole};
use rtc_tables::attributes::AttributeId;
use rtc_tables::limits::CLIP_PLANES;
use rtc_tables::resources::CompType;
use rtc_tables::signature::{Interpolation, Interpretation, Semantic, SigPoint};
use rtc_tables::stages::Stage;

use super::context::Sema;
use super::errors::signature as err;
use super::errors::stmts as err_stmts;
use super::stage_builder::Builder;
use crate::hir::{ClipPlanes, FuncId, Scalar, Ty};
use crate::syntax::ast::ExprKind;

impl Sema<'_> {
    /// Checks the planes that function `f` names, in whose body they become expressions.
    pub fn clip_planes(&mut self, f: FuncId) {
        let Some(a) = self.stage_attribute(f, AttributeId::ClipPlanes) else { return };
        let planes = self.ast.list(a.args).to_vec();
        if planes.is_empty() || planes.len() > CLIP_PLANES {
            return self.report(err_stmts::attribute_argument(
                a.span,
                AttributeId::ClipPlanes.row().name,
                &format!("1 to {CLIP_PLANES} planes"),
            ));
        }
        let float4 = self.m.types.vector(Scalar::Float, 4);
        for plane in planes {
            let mut at = plane;
            // A variable, or a member of one.
            let is_path = loop {
                match self.ast.exprs[at].kind {
                    ExprKind::Path(_) => break true,
                    ExprKind::Member(base, _) => at = base,
                    ExprKind::Index(base, _) => at = base,
                    _ => break false,
                }
            };
            let span = self.ast.exprs[plane].span;
            let e = if is_path { self.expr(plane) } else { return self.report(err::clip_plane(span)) };
            match self.body.exprs[e].ty {
                Ty::ERROR => {}
                ty if ty == float4 => self.body.clip_planes.push(e),
                _ => return self.report(err::clip_plane(span)),
            }
        }
    }

    /// Adds the clip distances of entry point `f`.
    pub fn clip_distances(&mut self, f: FuncId, stage: Stage, b: &mut Builder) {
        let count = self.m.funcs[f].body.clip_planes.len() as u32;
        let Some(a) = self.stage_attribute(f, AttributeId::ClipPlanes).filter(|_| count > 0) else { return };
        if stage != Stage::Vertex {
            return self.report(err::clip_planes_of_stage(a.span, stage.name()));
        }
        let position = |e: &ElementData| e.role == ElementRole::Output && e.semantic == Semantic::Position;
        let Some(position) = b.out.elements.iter().position(position) else {
            return self.report(err::clip_planes_without_position(a.span));
        };
        let first = b.out.elements.len() as u32;
        b.out.elements.extend((0..count).map(|n| clip_distance(n, a.span)));
        b.out.clip = Some(ClipPlanes { position: position as u32, distances: (first..first + count).collect() });
    }
}

fn clip_distance(index: u32, span: Span) -> ElementData {
    ElementData {
        role: ElementRole::Output,
        point: SigPoint::VsOut,
        stream: 0,
        name: Semantic::ClipDistance.info().name.to_string(),
        index,
        numbered: true,
        semantic: Semantic::ClipDistance,
        interpretation: Interpretation::ClipCull,
        component: CompType::F32,
        count: 1,
        rows: 1,
        columns: 1,
        column_major: false,
        interpolation: Interpolation::Linear,
        location: None,
        blend_index: None,
        builtin: None,
        spread: None,
        decorations: Vec::new(),
        span,
    }
}
