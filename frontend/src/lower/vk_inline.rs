//! Lowering of inline SPIR-V: a call of an instruction is a call of a declared function of the IR, one for each combination of
//! literals and types of operands.

use rtc_ir::inline::{InlineAction, InlineInst, InlineOperand, InlineType, InlineTypeOperand};
use rtc_ir::{self as ir, Param, RefMode, Root, Step, Type, TypeKind, Value};
use rtc_tables::inline_spirv;
use rtc_tables::resources::AtomicOp;
use rtc_tables::stages::Stage;
use rtc_tables::vk_builtins::PIXEL_MODES;
use smallvec::SmallVec;

use super::Lowerer;
use super::func::FnCx;
use super::operand::{Base, LValue, Mem, Val, Var};
use super::types::Shape;
use crate::hir::inline::{InlineFunction, InlineParam, SpirvTypeOperand, words};
use crate::hir::{self, Arg, Const, ExprId, ExprKind, FuncId, Scalar, SpirvTypeId, Ty};

/// What tells instructions of one function apart.
pub type Key = (Option<FuncId>, InlineAction, Vec<InlineOperand>, Vec<Type>, Vec<(Type, RefMode)>);

/// Operands as they are collected.
#[derive(Default)]
struct Operands {
    kinds: Vec<InlineOperand>,
    values: Vec<Value>,
    refs: Vec<(Var, RefMode)>,
}

impl Lowerer<'_> {
    /// The type made of an instruction of SPIR-V.
    pub(super) fn spirv_ty(&mut self, id: SpirvTypeId) -> Type {
        let types = &self.hir.types;
        self.out.requirements.add(&types.spirv_requirements[id]);
        let data = &types.spirv[id];
        if data.opcode == 0 {
            self.unsupported(types.spirv_spans[id], "a `vk::ext_type` without a function that defines it");
        }
        let mut operands = Vec::new();
        for o in &data.operands {
            match *o {
                SpirvTypeOperand::Type(t) => operands.push(InlineTypeOperand::Type(self.ty(t))),
                SpirvTypeOperand::Constant(c) => operands.push(InlineTypeOperand::Constant(self.vec_ty(c.scalar, 1), c.bits)),
                SpirvTypeOperand::Literal(c) => operands.extend(words(c).into_iter().map(InlineTypeOperand::Literal)),
            }
        }
        let t = self.out.inline_types.push(InlineType {
            opcode: data.opcode,
            operands,
            size: data.size,
            align: data.align,
            span: types.spirv_spans[id],
        });
        self.out.types.spirv(t)
    }
}

impl FnCx<'_, '_> {
    /// A call of an instruction.
    pub(super) fn inline_call(&mut self, e: ExprId, id: FuncId, inline: &InlineFunction, args: &[Arg]) -> Val {
        let hir = self.l.hir;
        let f = &hir.funcs[id];
        self.l.out.requirements.add(&f.requirements);
        if inline.defines.is_some() {
            return Val::Void;
        }
        let mut given = Operands::default();
        for (n, (arg, how)) in args.iter().zip(&inline.params).enumerate() {
            match how {
                InlineParam::Literal => self.inline_literal(&mut given, arg.expr),
                InlineParam::Reference => self.inline_reference(&mut given, arg.expr),
                InlineParam::Value => {
                    let later: SmallVec<[ExprId; 8]> = args[n + 1..].iter().map(|a| a.expr).collect();
                    self.inline_value(&mut given, arg, &later);
                }
            }
        }
        given.kinds.extend(inline.fixed.iter().map(|&w| InlineOperand::Literal(w)));
        self.span = self.body.exprs[e].span;
        let shape = self.l.shape(f.ret);
        let (mut ret, mut result) = (None, None);
        if f.ret != Ty::VOID {
            match self.l.is_value(f.ret) {
                true => ret = Some(self.l.shape_ty(shape)),
                false => result = Some(self.temp(shape)),
            }
        }
        if let Some(LValue::Var(v)) = &result {
            given.refs.push((v.clone(), RefMode::Out));
        }
        let matrix = result.is_some() && matches!(shape, Shape::Mat { .. });
        let func = self.inline_declaration(Some(id), &inline.action, &given, ret, result.is_some(), matrix);
        let places: Vec<_> = given.refs.iter().map(|r| self.parts(&r.0)).collect();
        let refs: Vec<(Root, &[Step], &[Value])> = places.iter().map(|p| (p.0, &p.1[..], &p.2[..])).collect();
        let i = self.b().call(func, &given.values, &refs, ret);
        match (ret, result) {
            (Some(_), _) => Val::One(self.func.result(i)),
            (None, Some(p)) => self.load(&p),
            (None, None) => Val::Void,
        }
    }

    /// `printf("…", …)`: an instruction that prints.
    pub(super) fn print(&mut self, e: ExprId, args: &[Arg]) -> Val {
        let text = |e: ExprId| match self.body.exprs[e].kind {
            ExprKind::Str(s) => Some(s),
            // A variable outside of functions, which is a constant.
            ExprKind::Global(g) => match self.l.hir.globals[g].kind {
                hir::GlobalKind::Static { init: Some(init), .. } => match self.l.hir.inits.exprs[init].kind {
                    ExprKind::Str(s) => Some(s),
                    _ => None,
                },
                _ => None,
            },
            _ => None,
        };
        let Some((format, rest)) = args.split_first().and_then(|(f, rest)| Some((text(f.expr)?, rest))) else {
            self.l.unsupported(self.body.exprs[e].span, "a format that is no string literal");
            return Val::Void;
        };
        let mut given = Operands::default();
        for (n, arg) in rest.iter().enumerate() {
            let later: SmallVec<[ExprId; 8]> = rest[n + 1..].iter().map(|a| a.expr).collect();
            self.inline_value(&mut given, arg, &later);
        }
        self.span = self.body.exprs[e].span;
        let action = InlineAction::Print(self.l.names.str(format).to_owned());
        let func = self.inline_declaration(None, &action, &given, None, false, false);
        self.b().call(func, &given.values, &[], None);
        Val::Void
    }

    /// The execution modes that attributes of an entry point ask for; those of pixel shaders mean nothing to others.
    pub(super) fn execution_modes(&mut self, modes: &[u32]) {
        let pixel = self.func.stage == Stage::Pixel;
        for &mode in modes {
            let row = PIXEL_MODES.iter().find(|row| row.mode == mode);
            if row.is_some() && !pixel {
                continue;
            }
            if let Some(extension) = row.and_then(|row| row.extension) {
                self.l.out.requirements.extensions.insert(extension.to_string());
            }
            let func = self.inline_declaration(None, &InlineAction::ExecutionMode(mode, false), &Operands::default(), None, false, false);
            self.b().call(func, &[], &[], None);
        }
    }

    /// A read-modify-write at the address that `m` is at: `values` are compare and value, or the value. Gives the old value.
    pub(super) fn address_atomic(&mut self, m: &Mem, op: AtomicOp, s: Scalar, values: &[Value]) -> Value {
        let ty = self.l.vec_ty(s, 1);
        if m.alignment(m.offset) < s.bytes() {
            self.error("an atomic operation on memory that its pointer does not promise to be aligned: name a greater alignment");
        }
        if s.bits() == 64 {
            self.l.out.requirements.capabilities.entry(inline_spirv::INT64_ATOMICS).or_insert(self.span);
        }
        let (byte, mut given) = (self.address(m, m.offset), Operands::default());
        let (scope, relaxed) = (self.int(inline_spirv::DEVICE), self.int(0));
        let address = self.moved(m.handle, byte);
        given.values.extend([address, scope, relaxed]);
        match *values {
            [compare, value] => given.values.extend([relaxed, value, compare]),
            _ => given.values.extend(values),
        }
        given.kinds.push(InlineOperand::Address(ty));
        given.kinds.resize(given.values.len(), InlineOperand::Value);
        let action = InlineAction::Core(inline_spirv::atomic(op));
        let func = self.inline_declaration(None, &action, &given, Some(ty), false, false);
        let i = self.b().call(func, &given.values, &[], Some(ty));
        self.func.result(i)
    }

    /// The function of the IR that is this instruction with these operands.
    fn inline_declaration(
        &mut self,
        id: Option<FuncId>,
        action: &InlineAction,
        given: &Operands,
        ret: Option<Type>,
        result: bool,
        matrix_result: bool,
    ) -> ir::Func {
        let values: Vec<Type> = given.values.iter().map(|&v| self.func.ty(v)).collect();
        let refs: Vec<(Type, RefMode)> = given.refs.iter().map(|(v, mode)| (self.var_ty(v), *mode)).collect();
        let key = (id, action.clone(), given.kinds.clone(), values, refs);
        if let Some(&func) = self.l.inline.get(&key) {
            return func;
        }
        let (name, symbol, span) = match id {
            Some(id) => {
                let f = &self.l.hir.funcs[id];
                (f.qualified.clone(), f.symbol.clone(), f.span)
            }
            None => ("vk".to_string(), "vk".to_string(), self.span),
        };
        let mut out = ir::Function::new(name, Stage::Library);
        out.symbol = format!("{symbol}.{}", self.l.inline.len());
        out.span = span;
        out.declared = true;
        out.ret = ret;
        for &ty in &key.3 {
            let body = out.body;
            let v = out.add_param(body, ty);
            out.params.push(Param::Value(v));
        }
        for (n, &(ty, mode)) in key.4.iter().enumerate() {
            let last = result && n + 1 == key.4.len();
            let l = out.add_local(ty, if last { ir::RESULT } else { "" });
            out.locals[l].param = Some(mode);
            out.params.push(Param::Ref(l));
        }
        out.inline = Some(Box::new(InlineInst { action: action.clone(), operands: given.kinds.clone(), matrix_result }));
        let func = self.l.out.funcs.push(out);
        self.l.inline.insert(key, func);
        func
    }

    fn inline_literal(&mut self, given: &mut Operands, e: ExprId) {
        let expr = self.body.exprs[e];
        if let (ExprKind::Const(bits), Some(scalar)) = (expr.kind, self.l.hir.types.elem(expr.ty)) {
            given.kinds.extend(words(Const { scalar, bits }).into_iter().map(InlineOperand::Literal));
        }
    }

    fn inline_value(&mut self, given: &mut Operands, arg: &Arg, later: &[ExprId]) {
        let x = self.expr_before(arg.expr, later);
        match &x {
            Val::Void => {}
            Val::One(v) => {
                given.values.push(*v);
                given.kinds.push(InlineOperand::Value);
            }
            Val::Rows(_) => self.inline_copy(given, &x, self.l.shape(arg.ty), InlineOperand::Matrix),
            Val::Agg(LValue::Var(v)) if self.has_own_place(v) => {
                given.refs.push((v.clone(), RefMode::In));
                given.kinds.push(InlineOperand::Loaded);
            }
            Val::Agg(_) => self.inline_copy(given, &x, self.l.shape(arg.ty), InlineOperand::Loaded),
        }
    }

    /// A copy of `x` in a fresh local as an operand.
    fn inline_copy(&mut self, given: &mut Operands, x: &Val, shape: Shape, kind: InlineOperand) {
        let to = self.temp(shape);
        self.store(&to, x);
        if let LValue::Var(v) = to {
            given.refs.push((v, RefMode::In));
            given.kinds.push(kind);
        }
    }

    fn is_query_or_hit(&mut self, v: &Var) -> bool {
        let ty = self.var_ty(v);
        matches!(self.l.out.types.kind(ty), TypeKind::RayQuery(..) | TypeKind::HitObject)
    }

    fn has_own_place(&self, v: &Var) -> bool {
        !v.view && matches!(v.base, Base::Root(_))
    }

    fn inline_reference(&mut self, given: &mut Operands, e: ExprId) {
        let p = self.lvalue(e);
        self.span = self.body.exprs[e].span;
        match &p {
            // Their values are variables of SPIR-V.
            LValue::Var(v) if self.is_query_or_hit(v) => {
                let v = self.load(&p).one();
                given.values.push(v);
                given.kinds.push(InlineOperand::Value);
            }
            LValue::Var(v) if self.has_own_place(v) => {
                let constant = match v.base {
                    Base::Root(Root::Local(l)) => self.func.locals[l].param == Some(RefMode::In),
                    Base::Root(Root::Slot(s)) => self.func.slots[s].role == ir::SlotRole::AttrIn,
                    _ => false,
                };
                given.refs.push((v.clone(), if constant { RefMode::In } else { RefMode::InOut }));
                given.kinds.push(InlineOperand::Place);
            }
            LValue::Var(_) | LValue::Cbuf(_) | LValue::Input(_) | LValue::MeshOutput(_) => {
                // Constants: a copy serves as well.
                let x = self.load(&p);
                let x = match x {
                    Val::Agg(p) => Val::Agg(self.snapshot(&p)),
                    x => x,
                };
                self.inline_copy(given, &x, p.shape(), InlineOperand::Place);
            }
            LValue::Mem(m) => {
                let natural = m.stride == m.shape.natural_stride();
                let Shape::Vec(s, n) = m.shape else {
                    return self.error("a structure, array or matrix in a buffer has no pointer here: name a number in it");
                };
                if !natural || s == Scalar::Bool {
                    return self.error("this number in a buffer has no pointer here");
                }
                let ty = self.l.vec_ty(s, n);
                let byte = self.address(m, m.offset);
                if self.ty_of(m.handle) == Type::I64 {
                    let address = self.moved(m.handle, byte);
                    given.values.push(address);
                    given.kinds.push(InlineOperand::Address(ty));
                    return;
                }
                let zero = self.int(0);
                given.values.extend([m.handle, m.index.unwrap_or(zero), byte]);
                given.kinds.push(InlineOperand::Element(ty));
            }
            LValue::Res(_) => {
                let v = self.load(&p).one();
                given.values.push(v);
                given.kinds.push(InlineOperand::Descriptor);
            }
            LValue::Texel(_) | LValue::Part(..) | LValue::Stream(..) | LValue::View(_) | LValue::Chosen(..) => {
                self.error("this has no pointer in SPIR-V: copy it to a variable first")
            }
        }
    }
}
