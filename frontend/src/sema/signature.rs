//! Inputs and outputs of the graphics pipeline: which elements an entry point's parameters and result consist of.
//!
//! A structure is a tree of elements, one for each member with a semantic. A semantic on a structure replaces those inside and
//! numbers the members one after the other. An array of structures is a structure of arrays. The table of [`rtc_tables::signature`] says what a name means at a signature point.

use rtc_base::Span;
use rtc_base::similar::nearest;
use rtc_ir::inline::Decoration;
use rtc_ir::{ElementData, ElementRole, Spread};
use rtc_tables::attributes::AttributeId;
use rtc_tables::limits::SEMANTIC_NAME;
use rtc_tables::resources::CompType;
use rtc_tables::signature::{Demand, Interpolation, Interpretation, Semantic, SigPoint};
use rtc_tables::stages::{Stage, StageMask};
use rtc_tables::vk_builtins::{BuiltinType, VK_BUILTINS, VkBuiltin};

use super::SemaOptions;
use super::context::Sema;
use super::errors::geometry as err_geometry;
use super::errors::signature as err;
use super::errors::stages as err_stages;
use super::errors::stmts as err_stmts;
use super::geometry::Primitives;
use super::mesh::MeshArrays;
use super::stage_builder::{Builder, Declared, Outer, split};
use super::tessellation::Patches;
use crate::hir::layout::bit_offsets;
use crate::hir::{FuncId, Param, Pass, RecordId, Scalar, StageNode, StagePlace, Ty, TyKind};
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
        let mut b = Builder::new(output, ElementRole::Output);
        let mut primitives = Primitives::default();
        let mut patches = Patches::default();
        let func = self.m.funcs[f].clone();
        let waves = |a: &&ast::Attr| self.attribute_id(a) == Some(AttributeId::WaveSize);
        if let Some(a) = self.funcs[f].attrs.iter().find(waves).copied() {
            self.report(err::wave_size(a.span, stage.name()));
        }
        if func.ret != Ty::VOID && func.ret != Ty::ERROR && stage != Stage::Geometry && !groups {
            let declared = self.declared_result(f);
            b.out.result = self.stage_node(&mut b, func.ret, declared, &mut None);
            let attrs = self.funcs[f].attrs.clone();
            let decorations = self.decorations(&attrs);
            b.decorate(0, &decorations);
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
        self.clip_distances(f, stage, &mut b);
        self.check_elements(&b.out.elements);
        self.m.funcs[f].interface = Some(std::sync::Arc::new(b.out));
    }

    /// What the declaration of the result says.
    pub fn declared_result(&mut self, f: FuncId) -> Declared {
        let attrs = self.funcs[f].attrs.clone();
        let place = self.stage_attributes(&attrs);
        let specs = self.funcs[f].decl.as_ref().map_or(Specs::empty(), |d| self.ast.types[d.0.ret].specs);
        let (semantic, span) = (self.m.funcs[f].ret_semantic, self.m.funcs[f].span);
        Declared { semantic, interpolation: interpolation(specs), place, span }
    }

    /// What the declaration of parameter `n` says, and its specifiers.
    pub fn declared_parameter(&mut self, f: FuncId, n: usize) -> (Declared, Specs) {
        let written = self.funcs[f].decl.as_ref().and_then(|d| self.ast.list(d.0.params).get(n).copied());
        let attrs = written.map_or(Vec::new(), |w| self.ast.list(w.attrs).to_vec());
        let place = self.stage_attributes(&attrs);
        let specs = written.map_or(Specs::empty(), |w| self.ast.types[w.ty].specs);
        let (semantic, span) = (self.m.funcs[f].params[n].semantic, self.m.funcs[f].params[n].span);
        (Declared { semantic, interpolation: interpolation(specs), place, span }, specs)
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

    /// `[[vk::location(n)]]`, `[[vk::index(n)]]` and `[[vk::builtin("…")]]`.
    pub fn stage_attributes(&mut self, attrs: &[ast::Attr]) -> StagePlace {
        let mut number = |name: &str| {
            let a = self.find_vk_attr(attrs, name)?;
            let n = match *self.ast.list(a.args) {
                [e] => self.constant_int(e).and_then(|n| u32::try_from(n).ok()),
                _ => None,
            };
            if n.is_none() {
                self.report(err_stmts::attribute_argument(a.span, &format!("vk::{name}"), "a number"));
            }
            n
        };
        let mut place = StagePlace { location: number("location"), blend_index: number("index"), builtin: None };
        if self.opts.spirv {
            place.builtin = self.stage_builtin(attrs);
            self.check_blend_index(attrs, place);
        }
        place
    }

    /// `[[vk::builtin("…")]]`.
    fn stage_builtin(&mut self, attrs: &[ast::Attr]) -> Option<VkBuiltin> {
        let a = self.find_vk_attr(attrs, "builtin")?;
        let text = self.ast.text_argument(&a).map(|t| self.str(t).to_string());
        let found = text.as_deref().and_then(VkBuiltin::named);
        if found.is_none() {
            let names: Vec<&str> = VK_BUILTINS.iter().map(|r| r.name).collect();
            let near = text.and_then(|t| nearest(&t, names.iter().copied()));
            self.report(err::unknown_builtin(a.span, &names, near));
        } else if self.find_vk_attr(attrs, "location").is_some() {
            self.report(err::builtin_with_location(a.span));
        }
        found
    }

    /// `[[vk::index(n)]]` is the number of a colour that is blended with location 0.
    fn check_blend_index(&mut self, attrs: &[ast::Attr], place: StagePlace) {
        let (Some(n), Some(a)) = (place.blend_index, self.find_vk_attr(attrs, "index")) else { return };
        if n > 1 {
            self.report(err_stmts::attribute_argument(a.span, "vk::index", "0 or 1"));
        } else if place.location != Some(0) {
            self.report(err::blend_location(a.span));
        }
    }

    /// The node of what is declared as `ty`. `outer`: the semantic of the structure around it.
    pub fn stage_node(&mut self, b: &mut Builder, ty: Ty, declared: Declared, outer: &mut Option<Outer>) -> StageNode {
        if ty == Ty::ERROR {
            return StageNode::Absent;
        }
        let inner = self.m.types.strip_arrays(ty);
        if self.m.types.as_record(inner.0).is_none() {
            return self.stage_numbers(b, ty, declared, outer);
        }
        let mut own = match (&outer, declared.semantic) {
            (None, Some(s)) => {
                let (name, next) = split(self.str(s));
                Some(Outer { name, next, locations: 0, depth: b.depth })
            }
            _ => None,
        };
        let passed = if own.is_some() { &mut own } else { outer };
        match self.kind(ty) {
            TyKind::Record(r) => self.stage_fields(b, r, declared, passed),
            TyKind::Array(elem, Some(n)) if n > 0 => self.stage_array(b, ty, (elem, n), declared, passed),
            _ => {
                let shown = self.show(ty);
                self.report(err::element_type(declared.span, &shown, "an array of unknown size"));
                StageNode::Absent
            }
        }
    }

    /// The nodes of the fields of a structure.
    fn stage_fields(&mut self, b: &mut Builder, r: RecordId, declared: Declared, outer: &mut Option<Outer>) -> StageNode {
        let mut nodes: Vec<StageNode> = Vec::new();
        let bits = bit_offsets(&self.m.types, r);
        for (field, bits) in self.m.types.records[r].fields.clone().into_iter().zip(bits) {
            // Bit-fields of one storage unit are one element.
            if let Some((1.., _)) = bits
                && let Some(unit) = nodes.last()
            {
                nodes.push(unit.clone());
                continue;
            }
            let inherits = field.interpolation == Interpolation::Undefined;
            let inner = Declared {
                semantic: field.semantic,
                interpolation: if inherits { declared.interpolation } else { field.interpolation },
                place: field.place,
                span: field.span,
            };
            if outer.is_some() && field.semantic.is_some() {
                let (name, span) = (self.str(field.name).to_string(), field.span);
                self.report(err::overridden_semantic(span, &name));
            }
            let first = b.out.elements.len();
            nodes.push(self.stage_node(b, field.ty, inner, outer));
            if let Some(inline) = &field.inline {
                b.decorate(first, &inline.decorations);
            }
        }
        StageNode::Fields(nodes.into())
    }

    /// The node of an array of `count` structures: that of one, whose elements have the members of all. A semantic around it numbers
    /// what is in the first structure, then what is in the second one; semantics of fields number the members of each.
    fn stage_array(
        &mut self,
        b: &mut Builder,
        ty: Ty,
        (elem, count): (Ty, u32),
        declared: Declared,
        outer: &mut Option<Outer>,
    ) -> StageNode {
        let (around, depth, first) = (b.members, b.depth, b.out.elements.len());
        let shown = self.show(ty);
        if around.saturating_mul(count) > MAX_MEMBERS {
            self.report(err::element_type(declared.span, &shown, "larger than the registers of a stage"));
            return StageNode::Absent;
        }
        (b.members, b.depth) = (around * count, depth + 1);
        let start = outer.as_ref().map(|o| (o.locations, o.depth));
        let mut node = self.stage_node(b, elem, declared, outer);
        if start.is_some() && node.is_whole() {
            for _ in 1..count {
                let end = b.out.elements.len();
                if !self.stage_node(b, elem, declared, outer).is_whole() {
                    node = StageNode::Absent;
                    break;
                }
                let next = b.out.elements.split_off(end);
                b.join(first, &next);
            }
        }
        (b.members, b.depth) = (around, depth);
        if !node.is_whole() {
            return StageNode::Absent;
        }
        match (start, outer) {
            (Some((start, begun)), Some(o)) if begun == depth => b.end_array(first, start, o.locations - start, declared.place),
            (Some(_), _) => {}
            (None, _) if b.out.elements[first..].iter().any(|e| e.spread.is_some()) => {
                self.report(err::element_type(
                    declared.span,
                    &shown,
                    "an array of structures with such arrays: it needs a semantic itself",
                ));
                return StageNode::Absent;
            }
            (None, _) => b.out.elements[first..].iter_mut().for_each(|e| e.count *= count),
        }
        if depth > 0 { node } else { b.split_targets(first, &node) }
    }

    /// The node of numbers: an element, or one for each render target.
    fn stage_numbers(&mut self, b: &mut Builder, ty: Ty, declared: Declared, outer: &mut Option<Outer>) -> StageNode {
        let (inner, count) = self.m.types.strip_arrays(ty);
        let shown = match b.members {
            1 => self.show(ty),
            n => format!("{}[{n}]", self.show(ty)),
        };
        let Some(count) = count else {
            self.report(err::element_type(declared.span, &shown, "an array of unknown size"));
            return StageNode::Absent;
        };
        if !self.check_long_vectors(inner, declared.span, "the interface of a shader") {
            return StageNode::Absent;
        }
        let (Some(scalar), Some((rows, columns))) = (self.m.types.elem(inner), self.m.types.shape(inner)) else {
            self.report(err::element_type(declared.span, &shown, "an object"));
            return StageNode::Absent;
        };
        if count.saturating_mul(b.members) > MAX_MEMBERS {
            self.report(err::element_type(declared.span, &shown, "larger than the registers of a stage"));
            return StageNode::Absent;
        }
        let column_major = matches!(self.kind(inner), TyKind::Matrix { row_major: false, .. });
        let Some(component) = self.opts.component(scalar) else {
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
        let older = if self.opts.older_semantics { Semantic::of_older(b.point, &text) } else { None };
        let text = match older {
            Some(semantic) => {
                let name = semantic.info().name;
                self.report(err::older_semantic(declared.span, &text, name));
                name.to_string()
            }
            None => text,
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
            location: declared.place.location,
            blend_index: declared.place.blend_index,
            builtin: declared.place.builtin,
            spread: None,
            decorations: Vec::new(),
            span: declared.span,
        };
        // The rasteriser uses it up; a structure that both stages share has it all the same.
        if element.builtin == Some(VkBuiltin::PointSize) && b.point == SigPoint::PsIn {
            return StageNode::Absent;
        }
        if index > LARGEST_INDEX {
            self.report(err::semantic_index(declared.span, &element.spelling(), LARGEST_INDEX));
            return StageNode::Absent;
        }
        if let Some(o) = outer {
            if b.depth > o.depth {
                let each = rows * element.row_locations();
                let (indices, locations) = (element.indices(), (0..count).map(|n| o.locations + n * each).collect());
                element.spread = Some(Box::new(Spread { indices, locations, ..Spread::default() }));
            }
            o.next += element.registers();
            o.locations += element.locations();
        }
        if !SEMANTIC_NAME.contains(&element.name.len()) {
            self.report(err::long_semantic(declared.span, *SEMANTIC_NAME.end()));
            return StageNode::Absent;
        }
        if !self.interpret(b.point, b.members, &mut element, scalar, &shown) {
            return StageNode::Absent;
        }
        let first = b.out.elements.len();
        b.out.elements.push(element);
        let node = StageNode::Element(first as u32);
        if b.depth > 0 { node } else { b.split_targets(first, &node) }
    }

    /// Finds out what an element's semantic means at `point`; `around`: how many members of arrays of structures it is in. Whether it may be
    /// there.
    fn interpret(&mut self, point: SigPoint, around: u32, e: &mut ElementData, scalar: Scalar, shown: &str) -> bool {
        if let Some(builtin) = e.builtin {
            return self.interpret_builtin(point, e, builtin, scalar, shown);
        }
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
            let members = if e.spread.is_some() { 1 } else { around };
            if semantic.largest_index().is_some_and(|most| e.index + e.registers() * members - 1 > most) {
                self.report(err::semantic_index(e.span, &text, semantic.largest_index().unwrap_or(0)));
                return false;
            }
            // The factors of a patch are one array.
            if interpretation == Interpretation::TessFactor && e.index > 0 {
                self.report(err::semantic_index(e.span, &text, 0));
                return false;
            }
            // A matrix of one column, which is one register: a vector, as it is where its value comes from.
            if point.is_output() && e.column_major && e.columns == 1 {
                (e.rows, e.columns, e.column_major) = (1, e.rows, false);
            }
            if let Some(want) = unmet(semantic.info().demand, around, e, scalar) {
                self.report(err::semantic_type(e.span, semantic.info().name, shown, &want));
                return false;
            }
            if semantic.info().demand == Demand::Bool {
                e.component = CompType::I1;
            }
        }
        let floats = matches!(e.component, CompType::F16 | CompType::F32 | CompType::F64);
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

    /// The same of an element that is a built-in variable of Vulkan.
    fn interpret_builtin(&mut self, point: SigPoint, e: &mut ElementData, builtin: VkBuiltin, scalar: Scalar, shown: &str) -> bool {
        let row = builtin.info();
        if !row.points.contains(&point) {
            let points: Vec<&str> = row.points.iter().map(|p| p.name()).collect();
            self.report(err::wrong_semantic(e.span, row.name, point.name(), Some(&points), None));
            return false;
        }
        let one = e.count == 1 && e.rows == 1 && e.columns == 1;
        let fits = match row.ty {
            BuiltinType::Flag => one && scalar == Scalar::Bool,
            BuiltinType::Float => one && e.component == CompType::F32,
            BuiltinType::Integer => one && matches!(scalar, Scalar::Int | Scalar::Uint),
            BuiltinType::Integers => e.count >= 1 && shown.ends_with(']') && e.rows == 1 && e.columns == 1 && scalar == Scalar::Int,
        };
        if !fits {
            self.report(err::semantic_type(e.span, row.name, shown, row.ty.text()));
            return false;
        }
        (e.interpretation, e.interpolation) = (Interpretation::Arbitrary, Interpolation::Undefined);
        true
    }

    /// Rules that concern several elements.
    fn check_elements(&mut self, all: &[ElementData]) {
        let mut seen: rustc_hash::FxHashMap<(SigPoint, u32, String, u32), Span> = rustc_hash::FxHashMap::default();
        let mut depth: Option<&ElementData> = None;
        for e in all {
            // In SPIR-V an array takes one index.
            for index in e.indices().into_iter().take(if self.opts.spirv { 1 } else { usize::MAX }) {
                let key = (e.point, e.stream, e.name.to_ascii_uppercase(), index);
                if let Some(&first) = seen.get(&key) {
                    let text = format!("{}{index}", e.name);
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
}

impl SemaOptions {
    /// The component type of a scalar in signatures; none of 64 bits.
    fn component(&self, s: Scalar) -> Option<CompType> {
        Some(match s.computed() {
            Scalar::Bool | Scalar::Uint | Scalar::Int8x4 | Scalar::Uint8x4 => CompType::U32,
            Scalar::Int | Scalar::LitInt => CompType::I32,
            Scalar::Int16 | Scalar::Min12Int | Scalar::Min16Int => CompType::I16,
            Scalar::Uint16 | Scalar::Min16Uint => CompType::U16,
            Scalar::Float16 | Scalar::Min10Float | Scalar::Min16Float => CompType::F16,
            Scalar::Half | Scalar::Float | Scalar::LitFloat => CompType::F32,
            // Vulkan has inputs and outputs of 64 bits.
            Scalar::Int64 if self.spirv => CompType::I64,
            Scalar::Uint64 if self.spirv => CompType::U64,
            Scalar::Double if self.spirv => CompType::F64,
            // 64 bits.
            _ => return None,
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
fn unmet(demand: Demand, around: u32, e: &ElementData, scalar: Scalar) -> Option<String> {
    let float = matches!(e.component, CompType::F32 | CompType::F16);
    let integer = scalar.is_int();
    let wide = !matches!(e.component, CompType::I16 | CompType::U16);
    let (count, rows, n) = (e.count, e.rows, e.columns);
    let single = count * around == 1 && rows == 1;
    let one = single && n == 1;
    let (fits, want) = match demand {
        Demand::Any => (true, String::new()),
        Demand::Uint => (one && integer && (wide || e.semantic != Semantic::Coverage), "uint".into()),
        Demand::Flag => (one && wide && (integer || scalar == Scalar::Bool), "bool".into()),
        Demand::Bool => (one && scalar == Scalar::Bool, "bool".into()),
        Demand::Float => (one && float, "float".into()),
        Demand::Floats(most) => (float && n <= u32::from(most), "float".into()),
        Demand::Vector(k) => (single && float && n == u32::from(k), format!("float{k}")),
        Demand::Target => (rows == 1 && (n == 1 || !e.column_major), "float4".into()),
    };
    (!fits).then_some(want)
}
