//! [`Builder`]: appends instructions to a block, working out result types.

use super::attrs::Attrs;
use super::inst::{BinOp, CastOp, CmpPred, Op, Ordering, RmwOp, Tail, cmpxchg};
use super::value_numbering::{ValueNumbers, is_computation};
use super::{Block, Body, DebugLoc, Func, Inst, Loc, Module, Type, TypeKind, Value};
use rtc_base::bug;
use rtc_tables::dxil_ops::DxOp;

/// Appends instructions to one block of one function. Operands are taken on trust: what they must
/// look like is the verifier's business.
pub struct Builder<'a> {
    /// The module.
    pub module: &'a mut Module,
    /// The function.
    pub func: Func,
    block: Block,
    loc: Option<Loc>,
    numbers: Option<&'a mut ValueNumbers>,
}

impl<'a> Builder<'a> {
    pub(super) fn new(module: &'a mut Module, func: Func, block: Block) -> Self {
        Self { module, func, block, loc: None, numbers: None }
    }

    /// Reuses instructions of `numbers` instead of appending redundant ones, and adds new instructions to it.
    #[must_use]
    pub fn with_value_numbers(mut self, numbers: &'a mut ValueNumbers) -> Self {
        self.numbers = Some(numbers);
        self
    }

    /// The code that is being added to.
    pub fn body(&mut self) -> &mut Body {
        self.module.funcs[self.func].body.get_or_insert_default()
    }

    /// A new empty block at the end of the function.
    pub fn new_block(&mut self) -> Block {
        self.body().new_block()
    }

    /// The block that is appended to.
    pub fn block(&self) -> Block {
        self.block
    }

    /// Appends to another block from now on.
    pub fn switch_to(&mut self, block: Block) {
        self.block = block;
    }

    /// Gives instructions this source position from now on.
    pub fn set_loc(&mut self, loc: Option<DebugLoc>) {
        self.loc = loc.map(|l| self.body().locs.push(l));
    }

    /// Gives an argument, instruction or block a name; without one it is numbered.
    pub fn set_name(&mut self, value: Value, name: &str) {
        self.body().names.insert(value, name.into());
    }

    /// Whether the block has its terminator.
    pub fn is_terminated(&mut self) -> bool {
        let block = self.block;
        self.body().terminator(block).is_some()
    }

    /// The type of a value.
    pub fn type_of(&self, value: Value) -> Type {
        let ty = self.module.value_type(Some(self.func), value);
        ty.expect("an operand with a type")
    }

    /// Appends any instruction with a given result type.
    pub fn append(&mut self, ty: Type, op: Op) -> Inst {
        let (block, loc) = (self.block, self.loc);
        let body = self.body();
        let inst = body.append(block, ty, op);
        body.insts[inst].loc = loc.into();
        inst
    }

    fn value(&mut self, ty: Type, op: Op) -> Value {
        match is_computation(&op) {
            true => self.computation(ty, op),
            false => Value::Inst(self.append(ty, op)),
        }
    }

    /// Appends an instruction whose result depends on its operands alone, or returns an available equal one.
    fn computation(&mut self, ty: Type, op: Op) -> Value {
        let Some(numbers) = self.numbers.as_deref_mut() else {
            return Value::Inst(self.append(ty, op));
        };
        let (block, loc) = (self.block, self.loc);
        let body = self.module.funcs[self.func].body.get_or_insert_default();
        let make = |body: &mut Body| {
            let inst = body.append(block, ty, op);
            body.insts[inst].loc = loc.into();
            inst
        };
        Value::Inst(numbers.get_or(body, ty, op, make))
    }

    fn void(&mut self, op: Op) -> Inst {
        let ty = self.module.types.void();
        self.append(ty, op)
    }

    /// `ret`.
    pub fn ret(&mut self, value: Option<Value>) -> Inst {
        self.void(Op::Ret(value))
    }

    /// `br` to a block.
    pub fn br(&mut self, to: Block) -> Inst {
        self.void(Op::Br(to))
    }

    /// `br` by a condition.
    pub fn cond_br(&mut self, cond: Value, then: Block, other: Block) -> Inst {
        self.void(Op::CondBr { cond, then, other })
    }

    /// `switch`; the cases are constants of the type of `value`.
    pub fn switch(&mut self, value: Value, default: Block, cases: &[(Value, Block)]) -> Inst {
        let flat: Vec<Value> = cases.iter().flat_map(|&(v, b)| [v, Value::Block(b)]).collect();
        let cases = self.body().list(&flat);
        self.void(Op::Switch { value, default, cases })
    }

    /// `unreachable`.
    pub fn unreachable(&mut self) -> Inst {
        self.void(Op::Unreachable)
    }

    /// An operation on two numbers, with [`super::flags`].
    pub fn binary(&mut self, op: BinOp, lhs: Value, rhs: Value, flags: u8) -> Value {
        let ty = self.type_of(lhs);
        self.value(ty, Op::Binary { op, flags, lhs, rhs })
    }

    /// A conversion; the value itself when a bit cast changes nothing.
    pub fn cast(&mut self, op: CastOp, value: Value, ty: Type) -> Value {
        if op == CastOp::BitCast && self.type_of(value) == ty {
            return value;
        }
        self.value(ty, Op::Cast { op, value })
    }

    /// `icmp` or `fcmp`, with [`super::flags`].
    pub fn cmp(&mut self, pred: CmpPred, lhs: Value, rhs: Value, flags: u8) -> Value {
        let operands = self.type_of(lhs);
        let i1 = self.module.types.i1();
        let ty = self.module.types.reshape(operands, i1);
        self.value(ty, Op::Cmp { pred, flags, lhs, rhs })
    }

    /// `select`.
    pub fn select(&mut self, cond: Value, then: Value, other: Value) -> Value {
        let ty = self.type_of(then);
        self.value(ty, Op::Select { cond, then, other })
    }

    /// `phi`; more incoming values can follow with [`Body::add_incoming`].
    pub fn phi(&mut self, ty: Type, incoming: &[(Value, Block)]) -> Inst {
        let flat: Vec<Value> = incoming.iter().flat_map(|&(v, b)| [v, Value::Block(b)]).collect();
        let list = self.body().list(&flat);
        self.append(ty, Op::Phi(list))
    }

    /// `alloca` of one `ty`, aligned to `align` bytes.
    pub fn alloca(&mut self, ty: Type, align: u32) -> Value {
        let count = self.module.i32(1);
        let ptr = self.module.types.ptr(ty);
        self.value(ptr, Op::Alloca { allocated: ty, count, align })
    }

    /// `load`, aligned to `align` bytes (0: not said).
    pub fn load(&mut self, ptr: Value, align: u32) -> Value {
        let ptr_ty = self.type_of(ptr);
        let ty = self.module.types.pointee(ptr_ty).expect("a load through a pointer");
        self.value(ty, Op::Load { ptr, align, volatile: false })
    }

    /// `load` of memory that no instruction writes, through a constant.
    pub fn load_constant(&mut self, ptr: Value, align: u32) -> Value {
        let ptr_ty = self.type_of(ptr);
        let ty = self.module.types.pointee(ptr_ty).expect("a load through a pointer");
        self.computation(ty, Op::Load { ptr, align, volatile: false })
    }

    /// `store`, aligned to `align` bytes (0: not said).
    pub fn store(&mut self, value: Value, ptr: Value, align: u32) -> Inst {
        self.void(Op::Store { ptr, value, align, volatile: false })
    }

    /// `getelementptr`: the first index counts whole objects, the others descend.
    pub fn gep(&mut self, inbounds: bool, base: Value, indices: &[Value]) -> Value {
        let base_ty = self.type_of(base);
        let TypeKind::Pointer { pointee: source, space } = self.module.types[base_ty] else {
            bug!("an address computed from something that is no pointer");
        };
        let mut at = source;
        for &index in indices.get(1..).unwrap_or_default() {
            let n = match index {
                Value::Const(c) => match self.module.consts[c].kind {
                    super::ConstKind::Int(n) => n as u64,
                    _ => 0,
                },
                _ => 0,
            };
            at = self.module.types.element(at, n).expect("an index that fits the type");
        }
        let ty = self.module.types.ptr_in(at, space);
        let mut operands = Vec::with_capacity(indices.len() + 1);
        operands.push(base);
        operands.extend_from_slice(indices);
        let operands = self.body().list(&operands);
        self.value(ty, Op::Gep { inbounds, source, operands })
    }

    /// `call` of a function of this module, with its calling convention.
    pub fn call(&mut self, callee: Func, args: &[Value]) -> Value {
        self.call_with(callee, args, None.into(), Tail::No)
    }

    /// `call` with attributes of its own.
    pub fn call_with(&mut self, callee: Func, args: &[Value], attrs: Attrs, tail: Tail) -> Value {
        let (ret, op) = self.call_op(callee, args, attrs, tail);
        self.value(ret, op)
    }

    /// `call` of a function whose result depends on its arguments alone.
    pub fn call_pure(&mut self, callee: Func, args: &[Value]) -> Value {
        let (ret, op) = self.call_op(callee, args, None.into(), Tail::No);
        self.computation(ret, op)
    }

    fn call_op(&mut self, callee: Func, args: &[Value], attrs: Attrs, tail: Tail) -> (Type, Op) {
        let ty = self.module.funcs[callee].ty;
        let cc = self.module.funcs[callee].cc as u16;
        let (ret, _, _) = self.module.types.signature(ty).expect("a function type");
        let args = self.body().list(args);
        let callee = Value::Func(callee);
        (ret, Op::Call { callee, ty, attrs, args, cc, tail })
    }

    /// Calls a DXIL operation: `args` are the arguments after the opcode. See [`Module::dx_op`] for
    /// the overload.
    ///
    /// # Panics
    /// When the operation cannot have these overloads.
    #[track_caller]
    pub fn dx_call(&mut self, opcode: DxOp, overload: &[Type], args: &[Value]) -> Value {
        let callee = match self.module.dx_op(opcode, overload) {
            Ok(func) => func,
            Err(e) => bug!("{e}"),
        };
        let mut all = Vec::with_capacity(args.len() + 1);
        all.push(self.module.i32(opcode.number() as i32));
        all.extend_from_slice(args);
        self.call(callee, &all)
    }

    /// `extractvalue` of field `index`.
    pub fn extract_value(&mut self, value: Value, index: u32) -> Value {
        let from = self.type_of(value);
        let ty = self.module.types.element(from, index.into()).expect("a field that exists");
        let path = self.body().indices(&[index]);
        self.value(ty, Op::ExtractValue { value, path })
    }

    /// `insertvalue` at field `index`.
    pub fn insert_value(&mut self, value: Value, field: Value, index: u32) -> Value {
        let ty = self.type_of(value);
        let path = self.body().indices(&[index]);
        self.value(ty, Op::InsertValue { value, field, path })
    }

    /// `extractelement`.
    pub fn extract_element(&mut self, vector: Value, index: Value) -> Value {
        let from = self.type_of(vector);
        let ty = self.module.types.scalar(from);
        self.value(ty, Op::ExtractElement { vector, index })
    }

    /// `insertelement`.
    pub fn insert_element(&mut self, vector: Value, value: Value, index: Value) -> Value {
        let ty = self.type_of(vector);
        self.value(ty, Op::InsertElement { vector, value, index })
    }

    /// `shufflevector`; the mask is a constant vector of `i32`.
    pub fn shuffle_vector(&mut self, lhs: Value, rhs: Value, mask: Value) -> Value {
        let (from, mask_ty) = (self.type_of(lhs), self.type_of(mask));
        let elem = self.module.types.scalar(from);
        let ty = self.module.types.reshape(mask_ty, elem);
        self.value(ty, Op::ShuffleVector { lhs, rhs, mask })
    }

    /// `atomicrmw`, seen by all threads.
    pub fn atomic_rmw(&mut self, op: RmwOp, ptr: Value, value: Value, ordering: Ordering) -> Value {
        let ty = self.type_of(value);
        let volatile = false;
        self.value(ty, Op::AtomicRmw { op, ptr, value, ordering, volatile, cross_thread: true })
    }

    /// `fence`, among all threads.
    pub fn fence(&mut self, ordering: Ordering) -> Inst {
        self.void(Op::Fence { ordering, cross_thread: true })
    }

    /// `cmpxchg`, seen by all threads; the result is what was there and whether it stored.
    pub fn cmpxchg(&mut self, ptr: Value, expected: Value, new: Value, ordering: Ordering) -> Value {
        let value_ty = self.type_of(new);
        let i1 = self.module.types.i1();
        let ty = self.module.types.anon_struct(&[value_ty, i1]);
        let flags = cmpxchg::CROSS_THREAD;
        let (success, failure) = (ordering, ordering);
        self.value(ty, Op::CmpXchg { ptr, expected, new, success, failure, flags })
    }
}
