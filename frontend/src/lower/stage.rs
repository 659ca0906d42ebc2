//! Inputs and outputs of the graphics pipeline.
//!
//! A parameter that is only read is an l-value of its own kind ([`Input`]): what is loaded from it is loaded from the signature
//! element, so that unused parts are not read and an index stays one. Everything else is a variable: filled at the start if it is
//! an input, and put into its elements at every return if it is an output.

use std::rc::Rc;

use rtc_ir::{ElementPart, InstData, Opcode, Value};
use rtc_tables::resources::CompType;
use rtc_tables::signature::{Interpolation, Semantic};
use smallvec::SmallVec;

use super::call::Call;
use super::func::{Binding, FnCx};
use super::operand::{Index, Input, LValue, Rows, StageParam, Val};
use super::types::Shape;
use crate::hir::{self, FuncId, Pass, RecordId, Scalar, StageInterface, StageNode, Ty, TyKind};

impl<'a> FnCx<'_, 'a> {
    /// Binds the parameters and the result of entry point `f`, or of the patch constant function `f` of entry point `hull`.
    pub(super) fn stage_interface(&mut self, f: &'a hir::Function, hull: Option<FuncId>, interface: &Rc<StageInterface>) {
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
            let written = self.l.facts.is_modified(self.id, p.local);
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

    /// Puts the outputs into their elements, before the entry point ends.
    pub(super) fn give_outputs(&mut self) {
        for (node, from) in self.outputs.clone() {
            self.put_outputs(&node, &from, &mut 0);
        }
    }

    /// Puts the contents of `from` into its elements; `number` counts the members of an array.
    pub(super) fn put_outputs(&mut self, node: &StageNode, from: &LValue, number: &mut u32) {
        let kind = match from.shape() {
            Shape::Other(t) => Some(self.l.hir.types.kind(t)),
            _ => None,
        };
        match (node, kind) {
            (StageNode::Absent | StageNode::Vertices(_) | StageNode::Outputs(_) | StageNode::Indices | StageNode::Payload, _) => {}
            (StageNode::Fields(nodes), Some(TyKind::Record(r))) => self.give_fields(nodes, from, r),
            (_, Some(TyKind::Array(e, n))) => {
                for i in 0..n.unwrap_or(0) {
                    let part = self.element(from, Index::At(i), e);
                    self.put_outputs(node, &part, number);
                }
            }
            (StageNode::Element(e), _) => {
                self.give_number(*e, *number, from);
                *number += 1;
            }
            (StageNode::Split(list), _) => {
                if let Some(&e) = list.get(*number as usize) {
                    self.give_number(e, 0, from);
                }
                *number += 1;
            }
            (StageNode::Fields(_), _) => {}
        }
    }

    fn give_fields(&mut self, nodes: &[StageNode], from: &LValue, record: RecordId) {
        for (n, node) in nodes.iter().enumerate() {
            let part = self.field(from, record, n as u32);
            self.put_outputs(node, &part, &mut 0);
        }
    }

    /// Puts a scalar, vector or matrix into an element.
    fn give_number(&mut self, element: u32, number: u32, from: &LValue) {
        let (Shape::Vec(scalar, _) | Shape::Mat { scalar, .. }) = from.shape() else { return };
        let flag = self.func.elements.values().nth(element as usize).is_some_and(|e| e.component == CompType::I1);
        let rows = self.load(from).rows();
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
        if let (StageNode::Split(list), Index::At(n)) = (&p.node, index) {
            let node = list.get(n as usize).map_or(StageNode::Absent, |&e| StageNode::Element(e));
            return Input { node, shape, param: None, named, ..p.clone() };
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

    /// `EvaluateAttribute…`, `GetAttributeAtVertex`: the inputs in the first argument, evaluated by `op` with the other operands.
    pub(super) fn evaluate(&mut self, c: &Call, op: Opcode) -> Val {
        let mut more: SmallVec<[Value; 2]> = SmallVec::new();
        if c.args.len() > 1 {
            let at = c.one(1);
            more.extend(self.comps(at));
        }
        let whole = c.val(0);
        let mut inputs: Vec<u32> = Vec::new();
        let rows: Option<Rows> = whole.rows().iter().map(|&v| self.evaluated(v, op, &more, &mut inputs)).collect();
        let Some(rows) = rows else {
            let d = crate::sema::errors::signature::not_an_input(self.span, c.row.name);
            self.l.diags.push(d);
            return whole;
        };
        for input in inputs {
            self.check_evaluated(c, op, input);
        }
        if op == Opcode::attribute_at_vertex
            && let Some(vertex) = more.first().and_then(|&v| self.func.as_const(v)).filter(|&n| n > 2)
        {
            let d = crate::sema::errors::signature::no_such_vertex(self.span, c.row.name, vertex);
            self.l.diags.push(d);
        }
        match whole {
            Val::One(_) => Val::One(rows[0]),
            _ => Val::Rows(rows),
        }
    }

    /// Whether the input with this number can be evaluated by `op`.
    fn check_evaluated(&mut self, c: &Call, op: Opcode, input: u32) {
        use crate::sema::errors::signature as err;
        let Some(e) = self.func.elements.values().nth(input as usize) else { return };
        let (name, span, flat) = (c.row.name, self.span, e.interpolation == Interpolation::Constant);
        let d = match op {
            Opcode::attribute_at_vertex if !flat => err::interpolated_at_vertex(span, name, &e.written(), e.span),
            Opcode::attribute_at_vertex => return,
            _ if e.semantic == Semantic::Position => err::evaluated_position(span, name),
            _ if flat => err::evaluated_constant(span, name, &e.written(), e.span),
            _ => return,
        };
        self.l.diags.push(d);
    }

    /// The value `v` with its inputs evaluated by `op`; none if it is more than components of inputs. `inputs`: their numbers.
    fn evaluated(&mut self, v: Value, op: Opcode, more: &[Value], inputs: &mut Vec<u32>) -> Option<Value> {
        let ty = self.ty_of(v);
        let def = self.func.def_inst(v)?;
        match self.func.insts[def] {
            InstData::Many { op: Opcode::load_input, imm, args } => {
                let number = self.func.get(args)[0];
                let element = ElementPart::from_imm(imm).element;
                if !inputs.contains(&element) {
                    inputs.push(element);
                }
                let operands: SmallVec<[Value; 4]> = std::iter::once(number).chain(more.iter().copied()).collect();
                Some(self.b().many_value(op, imm, &operands, ty))
            }
            InstData::Many { op: Opcode::extract, imm, args } => {
                let whole = self.func.get(args)[0];
                let whole = self.evaluated(whole, op, more, inputs)?;
                Some(self.comp(whole, imm))
            }
            InstData::Many { op: Opcode::construct, args, .. } => {
                let parts = self.func.get(args).to_vec();
                let parts: Option<SmallVec<[Value; 4]>> = parts.iter().map(|&p| self.evaluated(p, op, more, inputs)).collect();
                Some(self.vector(&parts?))
            }
            _ => None,
        }
    }
}
