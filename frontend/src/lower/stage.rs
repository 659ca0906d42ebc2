//! Inputs and outputs of the graphics pipeline.
//!
//! A parameter that is only read is an l-value of its own kind ([`Input`]): what is loaded from it is loaded from the signature
//! element, so that unused parts are not read and an index stays one. Everything else is a variable: filled at the start if it is
//! an input, and put into its elements at every return if it is an output.

use std::sync::Arc;

use rtc_ir::{ElementPart, Opcode, Value};
use rtc_tables::insts::EVALUATIONS;
use rtc_tables::resources::CompType;
use rtc_tables::signature::Semantic;
use rtc_tables::vk_builtins::VkBuiltin;
use smallvec::SmallVec;

use super::call::Call;
use super::func::{Binding, FnCx};
use super::operand::{Index, Input, LValue, Rows, StageParam, Val};
use super::types::Shape;
use crate::hir::{self, FuncId, Pass, Scalar, StageInterface, StageNode, Ty, TyKind};

impl<'a> FnCx<'_, 'a> {
    /// Binds the parameters and the result of entry point `f`, or of the patch constant function `f` of entry point `hull`.
    pub(super) fn stage_interface(&mut self, f: &'a hir::Function, hull: Option<FuncId>, interface: &Arc<StageInterface>) {
        self.func.elements = interface.elements.iter().cloned().collect();
        let (result, params) = match (&interface.patch_constants, hull) {
            (Some(patch), Some(_)) => (&patch.result, &patch.params),
            _ => (&interface.result, &interface.params),
        };
        if f.ret != Ty::VOID {
            let shape = self.l.shape(f.ret);
            let to = self.temp(shape);
            self.outputs.push((result.clone(), to.clone()));
            self.ret = Some(to);
        }
        for (n, (p, (input, output))) in f.params.iter().zip(params).enumerate() {
            self.span = p.span;
            let of = StageParam { entry: hull.unwrap_or(self.id), patch_constants: hull.is_some(), number: n };
            if self.l.hir.types.is_stage_object(p.ty) {
                self.stage_argument(p, of);
                continue;
            }
            let name = self.l.names.str(f.body.locals[p.local].name).to_string();
            let shape = self.l.shape(p.ty);
            let own = [input, output].into_iter().find(|n| matches!(n, StageNode::Outputs(_) | StageNode::Indices | StageNode::Payload));
            if let Some(node) = own {
                let binding = self.mesh_binding(p, of, node, &name);
                self.bind(p.local, binding);
                continue;
            }
            let read = LValue::Input(Input::whole(input.clone(), shape));
            // Whether a thread is a helper is what it is at the start.
            let early = input.elements().iter().any(|&e| interface.elements[e as usize].builtin == Some(VkBuiltin::HelperInvocation));
            let written = early || self.l.facts.is_modified(self.id, p.local);
            let value = self.l.is_value(p.ty);
            let binding = match p.pass {
                Pass::In if written => {
                    let x = self.load(&read);
                    self.own_copy(&x, shape, &name)
                }
                Pass::In if value => Binding::Value(self.load(&read).one()),
                Pass::In => Binding::LValue(read),
                _ => {
                    let ty = self.l.shape_ty(shape);
                    let local = self.func.add_local(ty, name);
                    self.func.locals[local].precise = f.body.locals[p.local].precise;
                    let to = self.local_lvalue(local, shape);
                    if p.pass == Pass::InOut {
                        self.copy(&to, &read);
                    }
                    self.outputs.push((output.clone(), to.clone()));
                    Binding::LValue(to)
                }
            };
            self.bind(p.local, binding);
        }
        self.mesh_state(interface);
    }

    /// Puts the outputs into their elements, and what `precise` parameters are into these, before the function ends.
    pub(super) fn give_outputs(&mut self) {
        for (from, to) in self.copies_out.clone() {
            self.copy(&to, &from);
        }
        for (node, from) in self.outputs.clone() {
            self.put_outputs(&node, &from, 0);
        }
        self.give_clip_distances();
    }

    /// Puts the clip distances that follow from the position into their elements.
    fn give_clip_distances(&mut self) {
        let function = &self.l.hir.funcs[self.id];
        let Some(clip) = function.interface.as_ref().and_then(|i| i.clip.clone()) else { return };
        let Some(position) = self.position else { return };
        for (&element, &plane) in clip.distances.iter().zip(&function.body.clip_planes) {
            let plane = self.expr(plane).one();
            let distance = self.bin(Opcode::dot, position, plane);
            let at = self.int(0);
            let imm = ElementPart { element, row: 0, column: 0 }.imm();
            self.b().many(Opcode::store_output, imm, &[at, distance], &[]);
        }
    }

    /// Puts the contents of `from` into its elements; `number`: of the member of the arrays around it.
    pub(super) fn put_outputs(&mut self, node: &StageNode, from: &LValue, number: u32) {
        let kind = match from.shape() {
            Shape::Other(t) => Some(self.l.hir.types.kind(t)),
            _ => None,
        };
        match (node, kind) {
            (StageNode::Absent | StageNode::Vertices(_) | StageNode::Outputs(_) | StageNode::Indices | StageNode::Payload, _) => {}
            (StageNode::Fields(nodes), Some(TyKind::Record(r))) => {
                for (n, node) in nodes.iter().enumerate() {
                    if let Some(part) = self.storage_unit(from, r, n as u32) {
                        self.put_outputs(node, &part, number);
                    }
                }
            }
            (_, Some(TyKind::Array(e, n))) => {
                let count = n.unwrap_or(0);
                for i in 0..count {
                    let part = self.element(from, Index::At(i), e);
                    self.put_outputs(node, &part, number * count + i);
                }
            }
            (StageNode::Element(e), _) => self.give_number(*e, number, from),
            (StageNode::Split(list), _) => {
                if let Some(&e) = list.get(number as usize) {
                    self.give_number(e, 0, from);
                }
            }
            (StageNode::Fields(_), _) => {}
        }
    }

    /// Puts a scalar, vector or matrix into an element.
    fn give_number(&mut self, element: u32, number: u32, from: &LValue) {
        let (Shape::Vec(scalar, _) | Shape::Mat { scalar, .. }) = from.shape() else { return };
        let flag = self.func.elements.values().nth(element as usize).is_some_and(|e| e.component == CompType::I1);
        let mut rows = self.load(from).rows();
        let columns = self.func.elements.values().nth(element as usize).map_or(1, |e| e.columns);
        if rows.len() > 1 && columns as usize == rows.len() && matches!(from.shape(), Shape::Mat { cols: 1, .. }) {
            // A matrix of one column is a vector in the signature.
            let vector = self.vector(&rows);
            rows = SmallVec::from_slice(&[vector]);
        }
        let clip = self.l.hir.funcs[self.id].interface.as_ref().and_then(|i| i.clip.as_ref());
        if clip.is_some_and(|clip| clip.position == element) {
            self.position = Some(rows[0]);
        }
        for (row, &x) in rows.iter().enumerate() {
            let x = if scalar == Scalar::Bool && !flag { self.convert(x, Scalar::Bool, Scalar::Uint) } else { x };
            let at = self.int(number);
            let imm = ElementPart { element, row: row as u32, column: 0 }.imm();
            self.b().many(Opcode::store_output, imm, &[at, x], &[]);
        }
    }

    /// Loads from an input.
    pub(super) fn load_input(&mut self, p: &Input) -> Val {
        match (p.shape, &p.node) {
            (Shape::Vec(s, n), StageNode::Element(e)) if self.is_group_value(*e) => Val::One(self.group_vector(*e, s, n)),
            (Shape::Vec(s, _), StageNode::Element(e)) => {
                let x = self.input_vector(p, *e, p.row.unwrap_or(0), s);
                if let Some(named) = &p.named {
                    self.func.name_value(x, named);
                }
                Val::One(x)
            }
            (Shape::Mat { scalar, rows, .. }, StageNode::Element(e)) => {
                let load = |row| {
                    let x = self.input_vector(p, *e, row, scalar);
                    if let Some(named) = p.named_part(Index::At(row)) {
                        self.func.name_value(x, &named);
                    }
                    x
                };
                Val::Rows((0..rows).map(load).collect())
            }
            (Shape::Other(_), _) => {
                let to = self.temp(p.shape);
                self.copy(&to, &LValue::Input(p.clone()));
                Val::Agg(to)
            }
            (shape, _) => self.undef_of(shape),
        }
    }

    fn input_vector(&mut self, p: &Input, element: u32, row: u32, scalar: Scalar) -> Value {
        let Some(e) = self.func.elements.values().nth(element as usize).cloned() else {
            rtc_base::bug!("an input of an element that does not exist");
        };
        if e.semantic == Semantic::CullPrimitive {
            // A primitive that is culled has no fragments.
            return self.func.const_bool(false);
        }
        if e.builtin == Some(VkBuiltin::HelperInvocation) {
            return self.b().nullary(Opcode::is_helper_lane);
        }
        let ty = self.l.out.types.vector(e.scalar(), e.columns);
        let mut at: SmallVec<[Value; 2]> = SmallVec::from_slice(&[self.index_value(p.number)]);
        if let Some(vertex) = p.vertex {
            at.push(self.index_value(vertex));
        }
        let imm = ElementPart { element, row, column: 0 }.imm();
        let x = self.b().many_value(Opcode::load_input, imm, &at, ty);
        if scalar == Scalar::Bool { self.convert(x, Scalar::Uint, Scalar::Bool) } else { x }
    }

    /// Member `index` of an array of `len` in an input.
    pub(super) fn input_element(&mut self, p: &Input, index: Index, len: u32, shape: Shape) -> Input {
        let named = p.named_part(index);
        if let StageNode::Vertices(each) = &p.node {
            return Input { node: (**each).clone(), vertex: Some(index), shape, param: None, named, ..p.clone() };
        }
        let number = self.nested_index(p.number, index, len);
        Input { number, shape, param: None, named, ..p.clone() }
    }

    /// The number of member `inner` of an array of `len` that is member `outer` of one.
    pub(super) fn nested_index(&mut self, outer: Index, inner: Index, len: u32) -> Index {
        match (outer, inner) {
            (Index::At(a), Index::At(b)) => Index::At(a * len + b),
            (Index::At(0), Index::By(b)) => Index::By(b),
            (a, b) => {
                let (a, b, len) = (self.index_value(a), self.index_value(b), self.int(len));
                let a = self.bin(Opcode::imul, a, len);
                Index::By(self.bin(Opcode::iadd, a, b))
            }
        }
    }

    // Functions of pixel shaders -------------------------------------------------------------------------

    /// Whether some thread may be a helper: in pixel shaders, and functions that they may call.
    pub(super) fn helpers(&self) -> bool {
        let entries: SmallVec<[_; 4]> = self.l.hir.entries().map(|e| e.1.stage).collect();
        entries.contains(&rtc_tables::stages::Stage::Pixel)
    }

    /// `discard`
    pub(super) fn discard(&mut self) {
        let always = self.func.const_bool(true);
        self.b().many(Opcode::discard, 0, &[always], &[]);
    }

    /// `clip(x)`: discards if a component is negative.
    pub(super) fn clip(&mut self, c: &Call) -> Val {
        let mut any: Option<Value> = None;
        for row in c.val(0).rows() {
            for n in 0..self.lanes(row) {
                let x = self.comp(row, n);
                let zero = self.num(x, 0.0);
                let below = self.bin(Opcode::flt, x, zero);
                any = Some(match any {
                    Some(before) => self.bin(Opcode::or, before, below),
                    None => below,
                });
            }
        }
        if let Some(arg) = any {
            self.b().many(Opcode::discard, 0, &[arg], &[]);
        }
        Val::Void
    }

    /// `EvaluateAttribute…`, `GetAttributeAtVertex`: the inputs that the first argument consists of, evaluated by `op` with the other
    /// operands. Which they are is known when calls are inlined.
    pub(super) fn evaluate(&mut self, c: &Call, op: Opcode) -> Val {
        let mut more: SmallVec<[Value; 2]> = SmallVec::new();
        if c.args.len() > 1 {
            let at = c.one(1);
            more.extend(self.comps(at));
        }
        let kind = EVALUATIONS.iter().position(|&e| e == op).map_or(0, |n| n as u32);
        let whole = c.val(0);
        let mut rows = Rows::new();
        for v in whole.rows() {
            let operands: SmallVec<[Value; 4]> = std::iter::once(v).chain(more.iter().copied()).collect();
            let ty = self.ty_of(v);
            rows.push(self.b().many_value(Opcode::evaluate, kind, &operands, ty));
        }
        match whole {
            Val::One(_) => Val::One(rows[0]),
            _ => Val::Rows(rows),
        }
    }
}
