//! Inputs and outputs of the graphics pipeline: which elements an entry point's parameters and result consist of.
//!
//! A structure is a tree of elements, one for each member with a semantic. A semantic on a structure replaces those inside and
//! numbers the members one after the other. The table of [`rtc_tables::signature`] says what a name means at a signature point.

use rtc_base::Span;
use rtc_base::similar::nearest;
use rtc_ir::inline::Decoration;
use rtc_ir::{ElementData, ElementRole};
use rtc_tables::limits::SEMANTIC_NAME;
use rtc_tables::resources::CompType;
use rtc_tables::signature::{Demand, Interpolation, Interpretation, Semantic, SigPoint};
use rtc_tables::stages::{Stage, StageMask};

use super::context::Sema;
use super::errors::geometry as err_geometry;
use super::errors::signature as err;
use super::errors::stages as err_stages;
use super::geometry::Primitives;
use super::mesh::MeshArrays;
use super::stage_builder::{Builder, Declared, Outer};
use super::tessellation::Patches;
use crate::hir::{FuncId, Param, Pass, Scalar, StageInterface, StageNode, Ty, TyKind};
use crate::syntax::ast::{self, Specs};

/// More members than all registers of a signature hold.
const MAX_MEMBERS: u32 = 4096;

/// The largest index of a semantic.
const LARGEST_INDEX: u32 = 0xffff;

/// The interpolation mode that specifiers ask for; none: undefined.
pub fn interpolation(specs: Specs) -> Interpolation {
    let flat = specs.contains(Specs::NOINTERPOLATION);
    let other = specs.intersects(Specs::INTERPOLATION - Specs::NOINTERPOLATION);
    let mode = match () {
        () if flat => Interpolation::Constant,
        () if !other => return Interpolation::Undefined,
        () if specs.contains(Specs::SAMPLE) => Interpolation::LinearSample,
        () if specs.contains(Specs::CENTROID) => Interpolation::LinearCentroid,
        () => Interpolation::Linear,
    };
    if specs.contains(Specs::NOPERSPECTIVE) { mode.noperspective() } else { mode }
}

impl Sema<'_> {
    /// The interface of an entry point of the graphics pipeline.
    pub fn graphics_entry(&mut self, f: FuncId, stage: Stage) {
        let Some(input) = SigPoint::of_stage(stage, false) else { return };
        // Amplification shaders have no outputs.
        let output = SigPoint::of_stage(stage, true).unwrap_or(input);
        let groups = StageMask::MESH_PIPELINE.has(stage);
        if groups {
            self.mesh_attributes(f, stage);
        }
        let mut arrays = MeshArrays::default();
        let mut b = Builder { out: StageInterface::default(), point: output, role: ElementRole::Output, stream: 0 };
        let mut primitives = Primitives::default();
        let mut patches = Patches::default();
        let func = self.m.funcs[f].clone();
        let waves = |a: &&ast::Attr| a.scope.is_none() && self.str(a.name.sym).eq_ignore_ascii_case("wavesize");
        if let Some(a) = self.funcs[f].attrs.iter().find(waves).copied() {
            self.report(err::wave_size(a.span, stage.name()));
        }
        if func.ret != Ty::VOID && func.ret != Ty::ERROR && stage != Stage::Geometry && !groups {
            let declared = self.declared_result(f);
            b.out.result = self.stage_node(&mut b, func.ret, declared, &mut None);
        }
        for (n, p) in func.params.iter().enumerate() {
            let mut nodes = (StageNode::Absent, StageNode::Absent);
            if p.ty != Ty::ERROR {
                let (declared, specs) = self.declared_parameter(f, n);
                let first = b.out.elements.len();
                let own = self.primitive_parameter(&mut b, &mut primitives, stage, p, specs, declared);
                let own = own.or_else(|| self.mesh_parameter(&mut b, &mut arrays, stage, p, specs, declared));
                let own = own.or_else(|| self.patch_parameter(&mut b, &mut patches, stage, p, declared));
                nodes = own.unwrap_or_else(|| self.plain_parameter(&mut b, (input, output), p, declared));
                let decorations = self.parameter_decorations(f, n);
                b.decorate(first, &decorations);
            }
            b.out.params.push(nodes);
        }
        if stage == Stage::Mesh {
            self.mesh_limits(f, &mut b, &arrays);
        }
        if stage == Stage::Geometry {
            self.geometry_state(f, &mut b, &primitives);
        }
        if matches!(stage, Stage::Hull | Stage::Domain) {
            self.tessellation_state(f, stage, &mut b, &patches);
        }
        self.check_elements(&b.out.elements);
        self.m.funcs[f].interface = Some(std::rc::Rc::new(b.out));
    }

    /// What the declaration of the result says.
    pub fn declared_result(&mut self, f: FuncId) -> Declared {
        let attrs = self.funcs[f].attrs.clone();
        let (location, blend_index) = self.stage_attributes(&attrs);
        let specs = self.funcs[f].decl.as_ref().map_or(Specs::empty(), |d| self.ast.types[d.0.ret].specs);
        let (semantic, span) = (self.m.funcs[f].ret_semantic, self.m.funcs[f].span);
        Declared { semantic, interpolation: self.interpolation_of(specs, span), location, blend_index, span }
    }

    /// What the declaration of parameter `n` says, and its specifiers.
    pub fn declared_parameter(&mut self, f: FuncId, n: usize) -> (Declared, Specs) {
        let written = self.funcs[f].decl.as_ref().and_then(|d| self.ast.list(d.0.params).get(n).copied());
        let attrs = written.map_or(Vec::new(), |w| self.ast.list(w.attrs).to_vec());
        let (location, blend_index) = self.stage_attributes(&attrs);
        let specs = written.map_or(Specs::empty(), |w| self.ast.types[w.ty].specs);
        let (semantic, span) = (self.m.funcs[f].params[n].semantic, self.m.funcs[f].params[n].span);
        (Declared { semantic, interpolation: self.interpolation_of(specs, span), location, blend_index, span }, specs)
    }

    /// What attributes of parameter `n` decorate its variables with.
    fn parameter_decorations(&mut self, f: FuncId, n: usize) -> Vec<Decoration> {
        let written = self.funcs[f].decl.as_ref().and_then(|d| self.ast.list(d.0.params).get(n).copied());
        let attrs = written.map_or(Vec::new(), |w| self.ast.list(w.attrs).to_vec());
        self.decorations(&attrs)
    }

    /// The nodes of a parameter of numbers, whose inputs and outputs are at these signature points.
    pub fn plain_parameter(
        &mut self,
        b: &mut Builder,
        (input, output): (SigPoint, SigPoint),
        p: &Param,
        declared: Declared,
    ) -> (StageNode, StageNode) {
        let mut nodes = (StageNode::Absent, StageNode::Absent);
        if matches!(p.pass, Pass::In | Pass::InOut) {
            (b.point, b.role) = (input, ElementRole::of(input));
            nodes.0 = self.stage_node(b, p.ty, declared, &mut None);
        }
        if matches!(p.pass, Pass::Out | Pass::InOut) {
            (b.point, b.role) = (output, ElementRole::of(output));
            nodes.1 = self.stage_node(b, p.ty, declared, &mut None);
        }
        nodes
    }

    /// The mode that specifiers ask for.
    fn interpolation_of(&mut self, specs: Specs, span: Span) -> Interpolation {
        let flat = specs.contains(Specs::NOINTERPOLATION);
        if flat && specs.intersects(Specs::INTERPOLATION - Specs::NOINTERPOLATION) {
            self.report(err::contradicting_interpolation(span));
        }
        interpolation(specs)
    }

    /// `[[vk::location(n)]]` and `[[vk::index(n)]]`.
    pub fn stage_attributes(&mut self, attrs: &[ast::Attr]) -> (Option<u32>, Option<u32>) {
        let mut number = |name: &str| {
            let a = self.find_vk_attr(attrs, name)?;
            let n = match *self.ast.list(a.args) {
                [e] => self.constant_int(e).and_then(|n| u32::try_from(n).ok()),
                _ => None,
            };
            if n.is_none() {
                self.report(super::errors::stmts::attribute_argument(a.span, &format!("vk::{name}"), "a number"));
            }
            n
        };
        (number("location"), number("index"))
    }

    /// The node of what is declared as `ty`. `outer`: the semantic of the structure around it.
    pub fn stage_node(&mut self, b: &mut Builder, ty: Ty, declared: Declared, outer: &mut Option<Outer>) -> StageNode {
        if ty == Ty::ERROR {
            return StageNode::Absent;
        }
        if let Some(r) = self.m.types.as_record(ty) {
            let mut own = match (&outer, declared.semantic) {
                (None, Some(s)) => {
                    let (name, next) = split(self.str(s));
                    Some(Outer { name, next })
                }
                _ => None,
            };
            let passed = if own.is_some() { &mut own } else { outer };
            let mut nodes = Vec::new();
            for field in self.m.types.records[r].fields.clone() {
                let inherits = field.interpolation == Interpolation::Undefined;
                let inner = Declared {
                    semantic: field.semantic,
                    interpolation: if inherits { declared.interpolation } else { field.interpolation },
                    location: field.location,
                    blend_index: field.blend_index,
                    span: field.span,
                };
                let first = b.out.elements.len();
                nodes.push(self.stage_node(b, field.ty, inner, passed));
                if let Some(inline) = &field.inline {
                    b.decorate(first, &inline.decorations);
                }
            }
            return StageNode::Fields(nodes.into());
        }
        let (inner, count) = self.m.types.strip_arrays(ty);
        let shown = self.show(ty);
        let Some(count) = count else {
            self.report(err::element_type(declared.span, &shown, "an array of unknown size"));
            return StageNode::Absent;
        };
        if self.m.types.as_record(inner).is_some() {
            self.report(err::array_of_structures(declared.span, &shown));
            return StageNode::Absent;
        }
        let (Some(scalar), Some((rows, columns))) = (self.m.types.elem(inner), self.m.types.shape(inner)) else {
            self.report(err::element_type(declared.span, &shown, "an object"));
            return StageNode::Absent;
        };
        if count > MAX_MEMBERS {
            self.report(err::element_type(declared.span, &shown, "larger than the registers of a stage"));
            return StageNode::Absent;
        }
        let column_major = matches!(self.kind(inner), TyKind::Matrix { row_major: false, .. });
        let Some(component) = self.component(scalar) else {
            self.report(err::element_type(declared.span, &shown, "64 bits wide"));
            return StageNode::Absent;
        };
        let (text, index, numbered) = match (outer.as_mut(), declared.semantic) {
            (Some(o), _) => (o.name.clone(), o.next, true),
            (None, Some(s)) => {
                let text = self.str(s);
                let (name, index) = split(text);
                let numbered = name.len() < text.len();
                (name, index, numbered)
            }
            (None, None) => {
                self.report(err::no_semantic(declared.span, b.point.name()));
                return StageNode::Absent;
            }
        };
        let mut element = ElementData {
            role: b.role,
            point: b.point,
            stream: b.stream,
            name: text,
            index,
            numbered,
            semantic: Semantic::Arbitrary,
            interpretation: Interpretation::Arbitrary,
            component,
            count,
            rows,
            columns,
            column_major,
            interpolation: declared.interpolation,
            location: declared.location,
            blend_index: declared.blend_index,
            decorations: Vec::new(),
            span: declared.span,
        };
        if index > LARGEST_INDEX {
            self.report(err::semantic_index(declared.span, &element.spelling(), LARGEST_INDEX));
            return StageNode::Absent;
        }
        if let Some(o) = outer {
            o.next += element.registers();
        }
        if !SEMANTIC_NAME.contains(&element.name.len()) {
            self.report(err::long_semantic(declared.span, *SEMANTIC_NAME.end()));
            return StageNode::Absent;
        }
        if !self.interpret(b.point, &mut element, scalar, &shown) {
            return StageNode::Absent;
        }
        let first = b.out.elements.len() as u32;
        if element.interpretation == Interpretation::Target && element.registers() > 1 {
            // Each target is an element; the last comes first.
            for n in (0..element.registers()).rev() {
                b.out.elements.push(ElementData { index: index + n, numbered: true, count: 1, rows: 1, ..element.clone() });
            }
            return StageNode::Split((0..element.registers()).map(|n| first + element.registers() - 1 - n).collect());
        }
        b.out.elements.push(element);
        StageNode::Element(first)
    }

    /// Finds out what an element's semantic means at `point`. Whether it may be there.
    fn interpret(&mut self, point: SigPoint, e: &mut ElementData, scalar: Scalar, shown: &str) -> bool {
        let at = |s: &Semantic| s.at(point);
        let found = Semantic::named(&e.name);
        let Some((semantic, interpretation)) = found.and_then(|s| Some((s, at(&s)?))) else {
            if let Some((vertices, what, example)) = of_vertices_only(point)
                && found.is_some_and(|s| s.at(vertices).is_some())
            {
                self.report(err_geometry::of_vertices_only(e.span, &e.name, what, example));
                return false;
            }
            let near = nearest(&e.name, Semantic::names_at(point));
            let compiled = |p: &SigPoint| Stage::from_profile(p.stage().info().profile).is_some();
            let points = SigPoint::ALL.iter().map(|r| r.0).filter(compiled);
            let elsewhere: Option<Vec<&str>> = found.map(|s| points.filter(|&p| s.at(p).is_some()).map(SigPoint::name).collect());
            self.report(err::wrong_semantic(e.span, &e.name, point.name(), elsewhere.as_deref(), near));
            return false;
        };
        e.interpretation = interpretation;
        // An arbitrary name keeps its spelling, and its meaning is that of no system value.
        if interpretation != Interpretation::Arbitrary {
            e.semantic = semantic;
            e.name = semantic.info().name.to_string();
            let model = semantic.info().model;
            if self.opts.available_model() < model {
                self.report(err_stages::needs_model(e.span, semantic.info().name, model, self.opts.shader_model));
            }
            let text = e.spelling();
            if semantic.largest_index().is_some_and(|most| e.index + e.registers() - 1 > most) {
                self.report(err::semantic_index(e.span, &text, semantic.largest_index().unwrap_or(0)));
                return false;
            }
            // The factors of a patch are one array.
            if interpretation == Interpretation::TessFactor && e.index > 0 {
                self.report(err::semantic_index(e.span, &text, 0));
                return false;
            }
            if let Some(want) = unmet(semantic.info().demand, e, scalar) {
                self.report(err::semantic_type(e.span, semantic.info().name, shown, &want));
                return false;
            }
            if semantic.info().demand == Demand::Bool {
                e.component = CompType::I1;
            }
        }
        let floats = matches!(e.component, CompType::F16 | CompType::F32);
        if !point.interpolates() || interpretation == Interpretation::NotInSignature {
            e.interpolation = Interpolation::Undefined;
        } else if e.interpolation == Interpolation::Undefined {
            // Primitives have one value each.
            let varies = floats && point != SigPoint::MsPOut;
            e.interpolation = if varies { Interpolation::Linear } else { Interpolation::Constant };
        } else if point == SigPoint::MsPOut && e.interpolation != Interpolation::Constant {
            self.report(err::interpolated_primitive(e.span, &e.spelling()));
            return false;
        } else if !floats && e.interpolation != Interpolation::Constant {
            let text = e.spelling();
            self.report(err::interpolated_integer(e.span, &text, shown));
            return false;
        }
        if e.semantic == Semantic::Barycentrics && e.interpolation == Interpolation::Constant {
            self.report(err::constant_system_value(e.span, e.semantic));
            return false;
        }
        if e.semantic == Semantic::Position {
            if e.interpolation == Interpolation::Constant {
                self.report(err::constant_system_value(e.span, e.semantic));
                return false;
            }
            e.interpolation = e.interpolation.noperspective();
        }
        true
    }

    /// Rules that concern several elements.
    fn check_elements(&mut self, all: &[ElementData]) {
        let mut seen: rustc_hash::FxHashMap<(SigPoint, u32, String, u32), Span> = rustc_hash::FxHashMap::default();
        let mut depth: Option<&ElementData> = None;
        for e in all {
            for n in 0..e.registers() {
                let key = (e.point, e.stream, e.name.to_ascii_uppercase(), e.index + n);
                if let Some(&first) = seen.get(&key) {
                    let text = format!("{}{}", e.name, e.index + n);
                    self.report(err::overlapping_semantics(e.span, &text, first));
                    break;
                }
                seen.insert(key, e.span);
            }
            if e.semantic.is_depth() {
                if let Some(first) = depth {
                    self.report(err::two_depths(e.span, &e.name, first.span, &first.name));
                }
                depth = Some(e);
            }
        }
        let mut barycentrics = all.iter().filter(|e| e.semantic == Semantic::Barycentrics);
        if let (Some(a), Some(b)) = (barycentrics.next(), barycentrics.next())
            && a.interpolation.is_noperspective() == b.interpolation.is_noperspective()
        {
            self.report(err::two_barycentrics(b.span, a.span, a.interpolation.is_noperspective()));
        }
        let input = |s: Semantic| all.iter().find(|e| e.role == ElementRole::Input && e.semantic == s);
        if let (Some(a), Some(b)) = (input(Semantic::Coverage), input(Semantic::InnerCoverage)) {
            self.report(err::two_coverages(b.span, a.span));
        }
        // A bound of the depth holds for each sample, or for the place in the pixel that is covered.
        let per_sample =
            |e: &ElementData| e.role == ElementRole::Input && (e.semantic == Semantic::SampleIndex || e.interpolation.is_sample());
        if let (Some(depth), Some(at)) = (depth.filter(|d| d.semantic != Semantic::Depth), input(Semantic::Position))
            && at.interpolation == Interpolation::LinearNoperspective
            && !all.iter().any(per_sample)
        {
            self.report(err::position_in_the_middle(at.span, depth.span, &depth.name));
        }
    }

    /// The component type of a scalar in signatures; none of 64 bits.
    fn component(&self, s: Scalar) -> Option<CompType> {
        Some(match s {
            Scalar::Bool | Scalar::Uint | Scalar::Int8x4 | Scalar::Uint8x4 => CompType::U32,
            Scalar::Int | Scalar::LitInt => CompType::I32,
            Scalar::Int16 | Scalar::Min12Int | Scalar::Min16Int => CompType::I16,
            Scalar::Uint16 | Scalar::Min16Uint => CompType::U16,
            Scalar::Float16 | Scalar::Min10Float | Scalar::Min16Float => CompType::F16,
            Scalar::Half | Scalar::Float | Scalar::LitFloat => CompType::F32,
            Scalar::Int64 | Scalar::Uint64 | Scalar::Double => return None,
        })
    }
}

/// For a signature point that has few system values: where other inputs are declared, what it is, and how they are declared.
fn of_vertices_only(point: SigPoint) -> Option<(SigPoint, &'static str, &'static str)> {
    Some(match point {
        SigPoint::GsIn => (SigPoint::GsVIn, "a geometry shader", "triangle Vertex v[3]"),
        SigPoint::HsIn => (SigPoint::HsCpIn, "a hull shader", "InputPatch<Vertex, 3> v"),
        SigPoint::PcIn => (SigPoint::HsCpIn, "a patch constant function", "InputPatch<Vertex, 3> v"),
        _ => return None,
    })
}

/// The type that a system value must have, unless the element has it.
fn unmet(demand: Demand, e: &ElementData, scalar: Scalar) -> Option<String> {
    let float = matches!(e.component, CompType::F32 | CompType::F16);
    let integer = scalar.is_int();
    let wide = !matches!(e.component, CompType::I16 | CompType::U16);
    let (count, rows, n) = (e.count, e.rows, e.columns);
    let single = count == 1 && rows == 1;
    let one = single && n == 1;
    let (fits, want) = match demand {
        Demand::Any => (true, String::new()),
        Demand::Uint => (one && integer && (wide || e.semantic != Semantic::Coverage), "uint".into()),
        Demand::Flag => (one && wide && (integer || scalar == Scalar::Bool), "bool".into()),
        Demand::Bool => (one && scalar == Scalar::Bool, "bool".into()),
        Demand::Float => (one && float, "float".into()),
        Demand::Floats(most) => (float && n <= u32::from(most), "float".into()),
        Demand::Vector(k) => (single && float && n == u32::from(k), format!("float{k}")),
        Demand::Target => (rows == 1, "float4".into()),
    };
    (!fits).then_some(want)
}

/// A semantic's name and its index: the digits at its end.
pub fn split(text: &str) -> (String, u32) {
    let name = text.trim_end_matches(|c: char| c.is_ascii_digit());
    match text[name.len()..].parse() {
        Ok(n) => (name.to_string(), n),
        Err(_) => (name.to_string(), 0),
    }
}
