//! Loads and stores of signature elements.

use rtc_ir::{ElementData, ElementPart, Inst, Opcode, Stage, Type, Value};
use rtc_tables::resources::CompType;
use rtc_tables::signature::Semantic;
use spirv::{Capability as C, GlslStd450Op, Op};

use super::builtins::builtin;
use super::declare::Var;
use super::plan::{Form, Split};
use crate::emit::FuncEmitter;
use crate::words::{Id, TypeId, operands};

impl FuncEmitter<'_, '_> {
    /// A pointer into a variable.
    fn stage_pointer(&mut self, v: Var, ty: TypeId, path: &[Id]) -> Id {
        if path.is_empty() {
            return v.id;
        }
        let pointer = self.e.w.pointer_ty(v.class, ty);
        let mut operands = vec![v.id];
        operands.extend_from_slice(path);
        self.op(Op::AccessChain, pointer, &operands)
    }

    /// The indices of a vector in a variable of vectors.
    fn vector_path(&mut self, e: &ElementData, part: ElementPart, number: Option<Value>, vertex: Option<Id>) -> Vec<Id> {
        let mut path: Vec<Id> = vertex.into_iter().collect();
        if matches!(e.semantic, Semantic::TessFactor | Semantic::InsideTessFactor) {
            let first = self.e.w.u32(e.index);
            let Some(number) = number.map(|n| self.val(n)) else {
                path.push(first);
                return path;
            };
            let word = self.e.w.u32_ty();
            path.push(if e.index == 0 { number } else { self.op(Op::IAdd, word, &[number, first]) });
            return path;
        }
        if let (true, Some(number)) = (e.count > 1, number) {
            path.push(self.val(number));
        }
        if e.rows > 1 {
            path.push(self.e.w.u32(part.row));
        }
        path
    }

    /// An instruction on a signature element.
    pub(crate) fn stage_inst(&mut self, i: Inst, op: Opcode, imm: u32, args: &[Value]) {
        let part = ElementPart::from_imm(imm);
        let e = self.element(part.element).clone();
        let result = (op != Opcode::store_output).then(|| self.f.result(i));
        let id = if self.plan.split(part.element) != Split::Not {
            self.split_inst(&e, part, op, result, args)
        } else {
            let v = self.element_var(part.element, 0);
            self.element_inst(&e, v, part, op, result, Some(args[0]), args)
        };
        if let (Some(result), Some(id)) = (result, id) {
            self.set(result, id);
        }
    }

    /// An instruction on an element with several variables: on the one that the number says.
    fn split_inst(&mut self, e: &ElementData, part: ElementPart, op: Opcode, result: Option<Value>, args: &[Value]) -> Option<Id> {
        let one = |this: &mut Self, n: u32| {
            let (n, part) = match this.plan.split(part.element) {
                Split::Rows => (n * e.rows + part.row, ElementPart { row: 0, ..part }),
                _ => (n, part),
            };
            let v = this.element_var(part.element, n);
            let element = this.plan.variables(part.element)[n as usize].element.clone();
            this.element_inst(&element, v, part, op, result, None, args)
        };
        if let Some(n) = self.f.as_const(args[0]) {
            // What is beyond the end is undefined.
            let last = u64::from(e.count) - 1;
            return one(self, n.min(last) as u32);
        }
        let number = self.val(args[0]);
        let flag = self.e.ty(Type::BOOL);
        let mut whole = None;
        for n in 0..e.count {
            let this = self.e.w.u32(n);
            let is = self.op(Op::IEqual, flag, &[number, this]);
            let Some(result) = result else {
                let (then, merge) = (self.e.w.id(), self.e.w.id());
                self.stmt(Op::SelectionMerge, &operands![merge, spirv::SelectionControl::NONE]);
                self.stmt(Op::BranchConditional, &[is, then, merge]);
                self.begin_block(then);
                one(self, n);
                self.stmt(Op::Branch, &[merge]);
                self.begin_block(merge);
                continue;
            };
            let value = one(self, n);
            let (Some(before), Some(id)) = (whole, value) else {
                whole = value;
                continue;
            };
            let ty = self.ty_of(result);
            let is = if e.columns > 1 {
                let flags = self.e.w.vector_ty(flag, e.columns);
                self.composite(flags, &vec![is; e.columns as usize])
            } else {
                is
            };
            whole = Some(self.op(Op::Select, ty, &[is, id, before]));
        }
        whole
    }

    /// An instruction on the variable of an element; `number`: the member if it is an array. Gives what it loads.
    #[allow(clippy::too_many_arguments)]
    fn element_inst(
        &mut self,
        e: &ElementData,
        v: Var,
        part: ElementPart,
        op: Opcode,
        result: Option<Value>,
        number: Option<Value>,
        args: &[Value],
    ) -> Option<Id> {
        if result.is_none() {
            self.store_element(e, v, part, number, args);
            return None;
        }
        Some(match v.form {
            Form::TessCoord => {
                let whole = self.e.w.vector_ty(v.scalar, 3);
                let whole = self.op(Op::Load, whole, &[v.id]);
                let ty = self.e.w.vector_ty(v.scalar, e.columns);
                let id = match e.columns {
                    1 => self.extract(ty, whole, &[0]),
                    2 => self.shuffle(ty, [whole, whole], &[0, 1]),
                    _ => whole,
                };
                self.loaded_vector(e, id)
            }
            Form::Plain | Form::FragCoord | Form::Minus(_) | Form::Factors => self.load_vector(e, v, part, op, number, args),
            Form::Flag => {
                let flag = self.e.ty(Type::BOOL);
                let flag = self.op(Op::Load, flag, &[v.id]);
                let (one, zero) = (self.e.w.u32(1), self.e.w.u32(0));
                let id = self.op(Op::Select, v.scalar, &[flag, one, zero]);
                self.loaded_vector(e, id)
            }
            Form::Mask => {
                let zero = self.e.w.u32(0);
                let at = self.stage_pointer(v, v.scalar, &[zero]);
                let id = self.op(Op::Load, v.scalar, &[at]);
                self.loaded_vector(e, id)
            }
            Form::Distances { first, .. } => {
                let vertex = v.vertices.then(|| self.val(args[1]));
                let parts: Vec<Id> = (0..e.columns)
                    .map(|c| {
                        let at = self.distance(e, v, first, ElementPart { column: c, ..part }, number, vertex);
                        self.op(Op::Load, v.scalar, &[at])
                    })
                    .collect();
                let ty = self.e.w.vector_ty(v.scalar, e.columns);
                let id = if let [one] = parts[..] { one } else { self.composite(ty, &parts) };
                self.loaded_vector(e, id)
            }
        })
    }

    /// A pointer to a clip or cull distance.
    fn distance(&mut self, e: &ElementData, v: Var, first: u32, part: ElementPart, number: Option<Value>, vertex: Option<Id>) -> Id {
        let plus = first + part.row * e.columns + part.column;
        let each = e.rows * e.columns;
        let word = self.e.w.u32_ty();
        let index = match number.map(|n| self.f.as_const(n).ok_or(n)) {
            None => self.e.w.u32(plus),
            Some(Ok(n)) => self.e.w.u32(plus + n as u32 * each),
            Some(Err(number)) => {
                let (n, each, plus) = (self.val(number), self.e.w.u32(each), self.e.w.u32(plus));
                let n = self.op(Op::IMul, word, &[n, each]);
                self.op(Op::IAdd, word, &[n, plus])
            }
        };
        let path: Vec<Id> = vertex.into_iter().chain([index]).collect();
        self.stage_pointer(v, v.scalar, &path)
    }

    fn load_vector(&mut self, e: &ElementData, v: Var, part: ElementPart, op: Opcode, number: Option<Value>, args: &[Value]) -> Id {
        let ty = if e.columns > 1 { self.e.w.vector_ty(v.scalar, e.columns) } else { v.scalar };
        let vertex = match op {
            Opcode::attribute_at_vertex => Some(self.val(args[1])),
            _ if v.per_vertex => Some(self.e.w.u32(0)),
            _ if v.vertices => Some(self.val(args[1])),
            _ => None,
        };
        let evaluated = matches!(op, Opcode::eval_centroid | Opcode::eval_sample_index | Opcode::eval_snapped);
        if evaluated && e.component == CompType::F16 && !self.is_widened(e) {
            self.error("Vulkan evaluates attributes of 32 bits alone: declare this one with `float`");
            return self.e.w.undef(ty);
        }
        let path = self.vector_path(e, part, number, vertex);
        let at = self.stage_pointer(v, ty, &path);
        let mut id = match op {
            Opcode::eval_centroid | Opcode::eval_sample_index | Opcode::eval_snapped => {
                let why = self.reason("evaluation of attributes");
                self.e.w.capability(C::InterpolationFunction, || why);
                match op {
                    Opcode::eval_centroid => self.glsl(GlslStd450Op::InterpolateAtCentroid, ty, &[at]),
                    Opcode::eval_sample_index => {
                        let sample = self.val(args[1]);
                        self.glsl(GlslStd450Op::InterpolateAtSample, ty, &[at, sample])
                    }
                    _ => {
                        let offset = self.snapped(args[1], args[2]);
                        self.glsl(GlslStd450Op::InterpolateAtOffset, ty, &[at, offset])
                    }
                }
            }
            _ => self.op(Op::Load, ty, &[at]),
        };
        if let Form::Minus(base) = v.form {
            let why = self.reason("the first vertex or instance of a draw");
            self.e.w.capability(C::DrawParameters, || why);
            let base = self.builtin_value(base, ty);
            id = self.op(Op::ISub, ty, &[id, base]);
        }
        if v.form == Form::FragCoord && self.e.stage.dx_position_w {
            let f32 = self.e.w.f32_ty();
            let w = self.extract(f32, id, &[3]);
            let one = self.e.constant(Type::F32, 1f32.to_bits().into());
            let w = self.op(Op::FDiv, f32, &[one, w]);
            id = self.insert(ty, w, id, 3);
        }
        self.loaded_vector(e, id)
    }

    /// Sixteenths of a pixel as an offset.
    fn snapped(&mut self, x: Value, y: Value) -> Id {
        let f32 = self.e.w.f32_ty();
        let sixteenth = self.e.constant(Type::F32, 0.0625f32.to_bits().into());
        let parts: Vec<Id> = [x, y]
            .into_iter()
            .map(|v| {
                let v = self.val(v);
                let v = self.op(Op::ConvertSToF, f32, &[v]);
                self.op(Op::FMul, f32, &[v, sixteenth])
            })
            .collect();
        let two = self.e.w.vector_ty(f32, 2);
        self.composite(two, &parts)
    }

    /// Whether the variable of an element of 16 bits has 32.
    fn is_widened(&self, e: &ElementData) -> bool {
        !self.m.native_16bit || builtin(e, self.stage()).is_some()
    }

    /// A vector of a variable as the IR has it: without signs, and of 16 bits where it is.
    fn loaded_vector(&mut self, e: &ElementData, id: Id) -> Id {
        let small = self.is_widened(e);
        let scalar = self.e.scalar(e.scalar(), false);
        let ty = if e.columns > 1 { self.e.w.vector_ty(scalar, e.columns) } else { scalar };
        match e.component {
            CompType::F16 if small => self.op(Op::FConvert, ty, &[id]),
            CompType::U16 if small => self.op(Op::UConvert, ty, &[id]),
            CompType::I16 if small => {
                // The result of a signed conversion may be unsigned.
                self.op(Op::SConvert, ty, &[id])
            }
            CompType::I16 | CompType::I32 | CompType::I64 if builtin(e, self.stage()).is_none() => self.op(Op::Bitcast, ty, &[id]),
            _ => id,
        }
    }

    /// The other way round; `n` components.
    fn stored_vector(&mut self, e: &ElementData, v: Var, id: Id, n: u32) -> Id {
        let small = self.is_widened(e);
        let ty = if n > 1 { self.e.w.vector_ty(v.scalar, n) } else { v.scalar };
        match e.component {
            CompType::F16 if small => self.op(Op::FConvert, ty, &[id]),
            CompType::U16 if small => self.op(Op::UConvert, ty, &[id]),
            CompType::I16 if small => self.op(Op::SConvert, ty, &[id]),
            CompType::I16 | CompType::I32 | CompType::I64 if builtin(e, self.stage()).is_none() => self.op(Op::Bitcast, ty, &[id]),
            _ => id,
        }
    }

    fn store_element(&mut self, e: &ElementData, v: Var, part: ElementPart, number: Option<Value>, args: &[Value]) {
        let value = args[1];
        if self.f.is_undef(value) {
            return;
        }
        let n = self.m.types.numeric(self.f.ty(value)).map_or(1, |t| t.1);
        let id = self.val(value);
        let mut id = self.stored_vector(e, v, id, n);
        let ty = if n > 1 { self.e.w.vector_ty(v.scalar, n) } else { v.scalar };
        let vertex = match args.get(2) {
            Some(&v) => Some(self.val(v)),
            None => v.vertices.then(|| self.own_control_point()),
        };
        match v.form {
            Form::Mask => {
                let zero = self.e.w.u32(0);
                let at = self.stage_pointer(v, v.scalar, &[zero]);
                return self.stmt(Op::Store, &[at, id]);
            }
            Form::Distances { first, .. } => {
                for c in 0..n {
                    let x = if n > 1 { self.extract(v.scalar, id, &[c]) } else { id };
                    let at = self.distance(e, v, first, ElementPart { column: part.column + c, ..part }, number, vertex);
                    self.stmt(Op::Store, &[at, x]);
                }
                return;
            }
            _ => {}
        }
        if e.semantic == Semantic::Position && self.e.stage.invert_y && self.stage() != Stage::Hull && n == 1 {
            if part.column == 1 {
                let f32 = self.e.w.f32_ty();
                id = self.op(Op::FNegate, f32, &[id]);
            }
        } else if e.semantic == Semantic::Position && self.e.stage.invert_y && self.stage() != Stage::Hull {
            let f32 = self.e.w.f32_ty();
            let y = self.extract(f32, id, &[1]);
            let y = self.op(Op::FNegate, f32, &[y]);
            id = self.insert(ty, y, id, 1);
        }
        let mut path = self.vector_path(e, part, number, vertex);
        if n < e.columns {
            path.push(self.e.w.u32(part.column));
        }
        let at = self.stage_pointer(v, ty, &path);
        self.stmt(Op::Store, &[at, id]);
    }
}
