//! Hull and domain shaders: their patches, their attributes, and the patch constant function, which is part of a hull shader.
//!
//! A patch constant function reads the control points of the hull shader: its patches are no elements of their own, but those of
//! the shader with the same semantics.

use rtc_base::Span;
use rtc_base::similar::nearest;
use rtc_ir::{DomainState, ElementData, ElementRole, HullState, StageState};
use rtc_tables::attributes::AttributeId;
use rtc_tables::limits::{PATCH_POINTS, TESSELLATION_FACTORS};
use rtc_tables::pipeline::{Domain, Partitioning, TessellatorOutput};
use rtc_tables::signature::{Semantic, SigPoint};
use rtc_tables::stages::Stage;

use super::context::Sema;
use super::errors::geometry as err_geometry;
use super::errors::stmts as err_stmts;
use super::errors::tessellation as err;
use super::stage_builder::{Builder, Declared, split};
use crate::hir::{self, FuncId, Pass, PatchConstants, StageNode, Ty, TyKind};
use crate::syntax::ast::ExprKind;

/// A patch of a shader.
#[derive(Clone)]
struct Patch {
    /// The type of the control points.
    point: Ty,
    /// Their number.
    count: u32,
    span: Span,
    node: StageNode,
}

/// The patch of a hull or domain shader, as its parameters declare it.
#[derive(Default)]
pub struct Patches {
    input: Option<Patch>,
}

const ABSENT: (StageNode, StageNode) = (StageNode::Absent, StageNode::Absent);

impl Sema<'_> {
    /// The nodes of a parameter that is a patch; `None` for any other one.
    pub fn patch_parameter(
        &mut self,
        b: &mut Builder,
        all: &mut Patches,
        stage: Stage,
        p: &hir::Param,
        declared: Declared,
    ) -> Option<(StageNode, StageNode)> {
        let TyKind::Patch(output, point, count) = self.kind(p.ty) else { return None };
        let ty = self.show(p.ty);
        let (at, what, want) = match stage {
            Stage::Hull => (SigPoint::HsCpIn, "a hull shader", "InputPatch"),
            Stage::Domain => (SigPoint::DsCpIn, "a domain shader", "OutputPatch"),
            _ => {
                self.report(err_geometry::misplaced_object(p.span, &ty, stage.name()));
                return Some(ABSENT);
            }
        };
        if p.pass != Pass::In {
            self.report(err::patch_passing(p.span, &ty));
        } else if output != (stage == Stage::Domain) {
            self.report(err::misplaced_patch(p.span, &ty, what, want));
        } else if let Some(first) = &all.input {
            let first = first.span;
            self.report(err::two_patches(p.span, what, first));
            return Some(ABSENT);
        }
        (b.point, b.role) = (at, ElementRole::Input);
        let node = self.stage_node(b, point, declared, &mut None);
        all.input = Some(Patch { point, count, span: p.span, node: node.clone() });
        Some((StageNode::Vertices(node.into()), StageNode::Absent))
    }

    /// The word in attribute `name`, as one of `words`; what is wrong is reported, also if there is no such attribute.
    fn word_attribute<T: Copy>(&mut self, f: FuncId, stage: Stage, id: AttributeId, words: &[(T, &'static str)]) -> Option<T> {
        let name = id.row().name;
        let Some(a) = self.stage_attribute(f, id) else {
            // In Vulkan the domain shader may say it; the reference asks hull shaders for the topology all the same.
            if self.opts.spirv && stage == Stage::Hull && id != AttributeId::OutputTopology {
                return None;
            }
            let example = format!("{name}(\"{}\")", words.last().map_or("", |w| w.1));
            let span = self.m.funcs[f].span;
            self.report(err_geometry::missing_attribute(span, stage.name(), &example));
            return None;
        };
        let text = match *self.ast.list(a.args) {
            [e] => match self.ast.exprs[e].kind {
                ExprKind::Str(s) => Some(self.str(s).to_ascii_lowercase()),
                _ => None,
            },
            _ => None,
        };
        let found = words.iter().find(|w| Some(w.1) == text.as_deref());
        if found.is_none() {
            let words: Vec<&str> = words.iter().map(|w| w.1).collect();
            self.report(err::unknown_word(a.span, name, &words));
        }
        found.map(|w| w.0)
    }

    /// `[maxtessfactor(x)]`, as the bits of a float.
    fn max_factor(&mut self, f: FuncId) -> Option<u32> {
        let a = self.stage_attribute(f, AttributeId::MaxTessFactor)?;
        let number = match *self.ast.list(a.args) {
            [e] => self.constant_as(e, Ty::FLOAT)?.first().map(|c| c.as_f64() as f32),
            _ => None,
        };
        let number = number.filter(|n| TESSELLATION_FACTORS.contains(n));
        if number.is_none() {
            let (least, most) = (TESSELLATION_FACTORS.start(), TESSELLATION_FACTORS.end());
            self.report(err_stmts::attribute_argument(
                a.span,
                AttributeId::MaxTessFactor.row().name,
                &format!("a number from {least} to {most}"),
            ));
        }
        number.map(f32::to_bits)
    }

    /// The state of a hull or domain shader, after its parameters.
    pub fn tessellation_state(&mut self, f: FuncId, stage: Stage, b: &mut Builder, all: &Patches) {
        let domain = self.word_attribute(f, stage, AttributeId::Domain, Domain::ALL);
        // A hull shader without a patch runs for one of a point that it does not read.
        let input_points = all.input.as_ref().map_or(u32::from(stage == Stage::Hull), |p| p.count);
        if stage == Stage::Domain {
            if let Some(domain) = domain {
                self.check_factors(&b.out.elements, domain, None);
                b.out.state = StageState::Domain(DomainState { domain, input_points });
            }
            return;
        }
        let span = self.m.funcs[f].span;
        let partitioning = self.word_attribute(f, stage, AttributeId::Partitioning, Partitioning::ALL);
        let output = self.word_attribute(f, stage, AttributeId::OutputTopology, TessellatorOutput::ALL);
        let max_factor = self.max_factor(f);
        if self.stage_attribute(f, AttributeId::OutputControlPoints).is_none() {
            self.report(err_geometry::missing_attribute(span, "hull", "outputcontrolpoints(n)"));
        }
        let output_points = self.number_attribute(f, AttributeId::OutputControlPoints, 1..=PATCH_POINTS);
        if let (Some(domain), Some(output), Some(a)) = (domain, output, self.stage_attribute(f, AttributeId::OutputTopology))
            && !outputs(domain).contains(&output)
            && !(self.opts.spirv && output == TessellatorOutput::Line)
        {
            let words: Vec<&str> = outputs(domain).iter().map(|o| o.word()).collect();
            self.report(err::output_of_domain(a.span, output.word(), domain.word(), &words));
        }
        if let Some((func, at)) = self.patch_constant_function(f) {
            let points = output_points.zip(self.stage_attribute(f, AttributeId::OutputControlPoints).map(|a| a.span));
            self.patch_constants(f, func, b, all, points);
            let whole = b.out.patch_constants.as_ref().is_some_and(|p| self.m.funcs[func].ret == Ty::VOID || p.result.is_whole());
            if let Some(domain) = domain.filter(|_| whole) {
                self.check_factors(&b.out.elements, domain, Some((func, at)));
            }
        }
        if let Some(output_points) = output_points {
            let state = HullState { patch_constants: None, input_points, output_points, domain, partitioning, output, max_factor };
            b.out.state = StageState::Hull(state);
        }
    }

    /// The function that `[patchconstantfunc]` names, and where it does.
    fn patch_constant_function(&mut self, f: FuncId) -> Option<(FuncId, Span)> {
        let Some(a) = self.stage_attribute(f, AttributeId::PatchConstantFunc) else {
            let span = self.m.funcs[f].span;
            self.report(err_geometry::missing_attribute(span, "hull", "patchconstantfunc(\"f\")"));
            return None;
        };
        let text = match *self.ast.list(a.args) {
            [e] => match self.ast.exprs[e].kind {
                ExprKind::Str(s) => Some(self.str(s).to_string()),
                _ => None,
            },
            _ => None,
        };
        let Some(name) = text else {
            self.report(err_stmts::attribute_argument(
                a.span,
                AttributeId::PatchConstantFunc.row().name,
                "the name of a function in quotation marks",
            ));
            return None;
        };
        let plain = |id: &FuncId| self.m.funcs[*id].method.is_none() && self.funcs[*id].defined;
        let named: Vec<FuncId> = self.m.funcs.keys().filter(plain).filter(|&id| self.m.funcs[id].qualified == name).collect();
        // Of several functions it is one with tessellation factors.
        let with_factors: Vec<FuncId> = named.iter().copied().filter(|&id| self.gives_factors(id)).collect();
        match (&named[..], &with_factors[..]) {
            ([own], _) if *own == f => self.report(err::own_function(a.span, &name)),
            (&[one], _) | (_, &[one]) => return Some((one, a.span)),
            ([], _) => {
                let declared = self.m.funcs.values().find(|f| f.method.is_none() && f.qualified == name).map(|f| f.span);
                let near = nearest(&name, self.m.funcs.keys().filter(plain).map(|id| self.m.funcs[id].qualified.as_str()));
                self.report(match declared {
                    Some(declared) => err::only_declared(a.span, &name, declared),
                    None => err::no_function(a.span, &name, near),
                });
            }
            (_, [.., other, last]) | ([.., other, last], []) => {
                let (first, second) = (self.m.funcs[*other].span, self.m.funcs[*last].span);
                self.report(err::several_functions(a.span, &name, first, second));
                return Some((*last, a.span));
            }
        }
        None
    }

    /// Whether a function gives tessellation factors.
    fn gives_factors(&self, f: FuncId) -> bool {
        let func = &self.m.funcs[f];
        let outputs = func.params.iter().filter(|p| p.pass != Pass::In).map(|p| (p.ty, p.semantic));
        outputs.chain([(func.ret, func.ret_semantic)]).any(|(ty, semantic)| self.has_factors(ty, semantic))
    }

    fn has_factors(&self, ty: Ty, semantic: Option<rtc_base::Symbol>) -> bool {
        let named = semantic.map(|s| split(self.str(s)).0).and_then(|name| Semantic::named(&name));
        if matches!(named, Some(Semantic::TessFactor | Semantic::InsideTessFactor)) {
            return true;
        }
        let Some(r) = self.m.types.as_record(ty) else { return false };
        self.m.types.records[r].fields.iter().any(|f| self.has_factors(f.ty, f.semantic))
    }

    /// The interface of the patch constant function `func` of hull shader `f`. `points`: how many control points that makes.
    fn patch_constants(&mut self, f: FuncId, func: FuncId, b: &mut Builder, all: &Patches, points: Option<(u32, Span)>) {
        let own = self.m.funcs[func].clone();
        let mut out = PatchConstants { func, result: StageNode::Absent, params: Vec::new() };
        if own.ret != Ty::VOID && own.ret != Ty::ERROR {
            let declared = self.declared_result(func);
            (b.point, b.role) = (SigPoint::PcOut, ElementRole::Patch);
            out.result = self.stage_node(b, own.ret, declared, &mut None);
        }
        let made = Patch {
            point: self.m.funcs[f].ret,
            count: points.map_or(0, |p| p.0),
            span: points.map_or(Span::NONE, |p| p.1),
            node: b.out.result.clone(),
        };
        for (n, p) in own.params.iter().enumerate() {
            let nodes = match self.kind(p.ty) {
                TyKind::Error => ABSENT,
                TyKind::Patch(output, point, count) => {
                    let (patch, role, what) = match output {
                        true => (points.map(|_| &made), ElementRole::Output, "the control points"),
                        false => (all.input.as_ref(), ElementRole::Input, "the inputs"),
                    };
                    match patch {
                        Some(patch) => {
                            let ty = self.show(p.ty);
                            if count != patch.count {
                                let of = if output { "`outputcontrolpoints`" } else { "the patch of the hull shader" };
                                self.report(err::patch_points(p.span, &ty, count, patch.count, of, patch.span));
                            }
                            let node = match point == patch.point {
                                true => patch.node.clone(),
                                false => self.matching(b, f, p, point, role, what),
                            };
                            (StageNode::Vertices(node.into()), StageNode::Absent)
                        }
                        None => {
                            if !output {
                                let (ty, span) = (self.show(p.ty), self.m.funcs[f].span);
                                self.report(err::no_patch(p.span, &ty, span));
                            }
                            ABSENT
                        }
                    }
                }
                _ => {
                    let (declared, _) = self.declared_parameter(func, n);
                    self.plain_parameter(b, (SigPoint::PcIn, SigPoint::PcOut), p, declared)
                }
            };
            out.params.push(nodes);
        }
        b.out.patch_constants = Some(out);
    }

    /// The node of a control point of type `point` whose members are found by their semantics among the elements of hull shader `f`.
    fn matching(&mut self, b: &mut Builder, f: FuncId, p: &hir::Param, point: Ty, role: ElementRole, what: &str) -> StageNode {
        let at = if role == ElementRole::Output { SigPoint::HsCpOut } else { SigPoint::HsCpIn };
        let mut own = Builder::new(at, role);
        let declared = Declared { span: p.span, semantic: p.semantic, ..Declared::default() };
        let node = self.stage_node(&mut own, point, declared, &mut None);
        let mut numbers = Vec::new();
        for e in &own.out.elements {
            let same = |o: &&ElementData| o.point == at && o.name.eq_ignore_ascii_case(&e.name) && o.index == e.index;
            let Some((n, found)) = b.out.elements.iter().enumerate().find(|(_, o)| same(o)) else {
                let (ty, span) = (self.show(p.ty), self.m.funcs[f].span);
                self.report(err::no_such_element(p.span, &e.written(), &ty, what, span));
                return StageNode::Absent;
            };
            let shape = |e: &ElementData| (e.component, e.count, e.rows, e.columns, e.column_major, e.indices());
            if shape(found) != shape(e) {
                let span = found.span;
                self.report(err::other_element(e.span, &e.written(), what, span));
                return StageNode::Absent;
            }
            numbers.push(n as u32);
        }
        node.renumbered(&numbers)
    }

    /// Checks the number of tessellation factors; a patch constant function must give all.
    fn check_factors(&mut self, elements: &[ElementData], domain: Domain, made: Option<(FuncId, Span)>) {
        let (edges, inside) = domain.factors();
        for (semantic, wanted) in [(Semantic::TessFactor, edges), (Semantic::InsideTessFactor, inside)] {
            let name = semantic.info().name;
            let factors: Vec<&ElementData> = elements.iter().filter(|e| e.semantic == semantic).collect();
            let have: u32 = factors.iter().map(|e| e.registers()).sum();
            if let [first, second, ..] = factors[..] {
                self.report(err::several_factors(second.span, name, first.span));
                continue;
            }
            match (factors.first(), made) {
                // Vulkan has room for those of every domain.
                (Some(_), _) if self.opts.spirv && have <= if semantic == Semantic::TessFactor { 4 } else { 2 } => {}
                (Some(e), _) if have != wanted => {
                    let span = e.span;
                    self.report(err::factor_count(span, name, have, wanted, domain.word()));
                }
                (None, Some((func, at))) if wanted > 0 && !(self.opts.spirv && semantic == Semantic::InsideTessFactor) => {
                    let span = self.m.funcs[func].span;
                    self.report(err::no_factors(span, name, wanted, domain.word(), at));
                }
                _ => {}
            }
        }
    }
}

/// What a domain can be tessellated into.
fn outputs(d: Domain) -> &'static [TessellatorOutput] {
    use TessellatorOutput::{Clockwise, Counterclockwise, Line, Point};
    match d {
        Domain::Isoline => &[Point, Line],
        Domain::Triangle | Domain::Quad => &[Point, Clockwise, Counterclockwise],
    }
}
