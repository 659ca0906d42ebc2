//! The writer of function bodies.
//!
//! A value is written as the distance back from the next value to be defined, in 32 bits that wrap
//! around for a value still to come; where the reader could not know the type of such a value, the
//! type follows.

use super::number::{LocalNumbers, Numbers, param_count};
use super::records::{Record, function, metadata, symtab};
use super::write::{Writer, align_code, signed};
use crate::{Body, DebugLoc, Func, Inst, Op, Tail, Type, TypeKind, Value, cmpxchg};
use rtc_base::entity::EntityRef;

/// Where the body of a function is being written.
struct Here<'b> {
    func: Func,
    body: &'b Body,
    local: LocalNumbers,
    /// The number of the next value.
    next: u32,
}

impl Writer<'_> {
    pub(super) fn body(&mut self, func: Func, body: &Body) {
        self.bits.enter(&function::BLOCK);
        self.bits.record(&function::DECLAREBLOCKS, &[body.blocks.len() as u64]);
        let first_arg = self.numbers.module_values();
        let first_const = first_arg + param_count(self.module, func);
        let consts = self.numbers.enter(body, first_const);
        self.constants(&consts);
        let next = first_const + consts.len() as u32;
        let local = LocalNumbers::new(self.module, body, first_arg, next);
        let mut here = Here { func, body, local, next };
        self.local_metadata(&here);
        let mut last_loc = None;
        for &inst in body.blocks.values().flatten() {
            self.inst(&mut here, inst);
            if let Some(loc) = body.insts[inst].loc.expand() {
                self.debug_loc(body.locs[loc], &mut last_loc);
            }
        }
        self.local_symbols(&here);
        self.attached(body);
        self.numbers.leave(&consts);
        self.bits.exit();
    }

    fn type_of(&self, here: &Here<'_>, value: Value) -> Type {
        match self.module.value_type(Some(here.func), value) {
            Some(ty) => ty,
            None => rtc_base::bug!("{value:?} as an operand"),
        }
    }

    fn inst(&mut self, here: &mut Here<'_>, inst: Inst) {
        let data = here.body.insts[inst];
        let mut f = Fields { numbers: &self.numbers, here, out: std::mem::take(&mut self.scratch) };
        f.out.clear();
        let ty = |v| self.numbers.ty(self.type_of(here, v));
        let record = self.fields(&mut f, data.op, self.numbers.ty(data.ty), ty);
        let out = f.out;
        self.bits.record(record, &out);
        self.scratch = out;
        if self.module.types[data.ty] != TypeKind::Void {
            here.next += 1;
        }
    }

    /// The record of an instruction, its fields in `f`.
    fn fields(&self, f: &mut Fields<'_, '_>, op: Op, result: u64, ty: impl Fn(Value) -> u64) -> &'static Record {
        match op {
            Op::Ret(value) => {
                if let Some(value) = value {
                    f.typed(value, &ty);
                }
                &function::RET
            }
            Op::Br(to) => {
                f.push(to.index());
                &function::BR
            }
            Op::CondBr { cond, then, other } => {
                f.push(then.index());
                f.push(other.index());
                f.value(cond);
                &function::BR
            }
            Op::Switch { value, default, cases } => {
                f.out.push(ty(value));
                f.value(value);
                f.push(default.index());
                for &case in f.here.body.values(cases) {
                    match case {
                        Value::Block(to) => f.push(to.index()),
                        constant => f.absolute(constant),
                    }
                }
                &function::SWITCH
            }
            Op::Unreachable => &function::UNREACHABLE,
            Op::Binary { op, flags, lhs, rhs } => {
                f.typed(lhs, &ty);
                f.value(rhs);
                f.out.push(op.code());
                if flags != 0 {
                    f.out.push(flags.into());
                }
                &function::BINOP
            }
            Op::Cast { op, value } => {
                f.typed(value, &ty);
                f.out.extend([result, op.code()]);
                &function::CAST
            }
            Op::Cmp { pred, flags, lhs, rhs } => {
                f.typed(lhs, &ty);
                f.value(rhs);
                f.out.push(pred.code());
                if flags != 0 {
                    f.out.push(flags.into());
                }
                &function::CMP2
            }
            Op::Select { cond, then, other } => {
                f.typed(then, &ty);
                f.value(other);
                f.typed(cond, &ty);
                &function::VSELECT
            }
            Op::Phi(list) => {
                f.out.push(result);
                for &value in f.here.body.values(list) {
                    match value {
                        Value::Block(from) => f.push(from.index()),
                        value => f.signed(value),
                    }
                }
                &function::PHI
            }
            Op::Alloca { allocated, count, align } => {
                const EXPLICIT_TYPE: u64 = 1 << 6;
                f.out.extend([self.numbers.ty(allocated), ty(count)]);
                f.absolute(count);
                f.out.push(align_code(align) | EXPLICIT_TYPE);
                &function::ALLOCA
            }
            Op::Load { ptr, align, volatile } => {
                f.typed(ptr, &ty);
                f.out.extend([result, align_code(align), volatile.into()]);
                &function::LOAD
            }
            Op::Store { ptr, value, align, volatile } => {
                f.typed(ptr, &ty);
                f.typed(value, &ty);
                f.out.extend([align_code(align), volatile.into()]);
                &function::STORE
            }
            Op::Gep { inbounds, source, operands } => {
                f.out.extend([inbounds.into(), self.numbers.ty(source)]);
                for &value in f.here.body.values(operands) {
                    f.typed(value, &ty);
                }
                &function::GEP
            }
            Op::Call { callee, ty: fn_ty, attrs, args, cc, tail } => {
                const EXPLICIT_TYPE: u64 = 1 << 15;
                let tail = match tail {
                    Tail::No => 0,
                    Tail::Tail => 1,
                    Tail::Must => 1 | 1 << 14,
                };
                let cc = u64::from(cc) << 1 | tail | EXPLICIT_TYPE;
                f.out.extend([self.attrs(attrs), cc, self.numbers.ty(fn_ty)]);
                f.typed(callee, &ty);
                let fixed = self.module.types.signature(fn_ty).map_or(0, |(_, p, _)| p.len());
                for (i, &arg) in f.here.body.values(args).iter().enumerate() {
                    match arg {
                        Value::Block(to) => f.push(to.index()),
                        _ if i < fixed => f.value(arg),
                        _ => f.typed(arg, &ty),
                    }
                }
                &function::CALL
            }
            Op::ExtractValue { value, path } => {
                f.typed(value, &ty);
                f.out.extend(f.here.body.path(path).iter().map(|&i| u64::from(i)));
                &function::EXTRACTVAL
            }
            Op::InsertValue { value, field, path } => {
                f.typed(value, &ty);
                f.typed(field, &ty);
                f.out.extend(f.here.body.path(path).iter().map(|&i| u64::from(i)));
                &function::INSERTVAL
            }
            Op::ExtractElement { vector, index } => {
                f.typed(vector, &ty);
                f.typed(index, &ty);
                &function::EXTRACTELT
            }
            Op::InsertElement { vector, value, index } => {
                f.typed(vector, &ty);
                f.value(value);
                f.typed(index, &ty);
                &function::INSERTELT
            }
            Op::ShuffleVector { lhs, rhs, mask } => {
                f.typed(lhs, &ty);
                f.value(rhs);
                f.typed(mask, &ty);
                &function::SHUFFLEVEC
            }
            Op::AtomicRmw { op, ptr, value, ordering, volatile, cross_thread } => {
                f.typed(ptr, &ty);
                f.value(value);
                let flags = [op.code(), volatile.into(), ordering.code(), cross_thread.into()];
                f.out.extend(flags);
                &function::ATOMICRMW
            }
            Op::CmpXchg { ptr, expected, new, success, failure, flags } => {
                let flag = |bit: u8| u64::from(flags & bit != 0);
                f.typed(ptr, &ty);
                f.typed(expected, &ty);
                f.value(new);
                f.out.extend([flag(cmpxchg::VOLATILE), success.code(), flag(cmpxchg::CROSS_THREAD), failure.code(), flag(cmpxchg::WEAK)]);
                &function::CMPXCHG
            }
            Op::Fence { ordering, cross_thread } => {
                f.out.extend([ordering.code(), cross_thread.into()]);
                &function::FENCE
            }
        }
    }

    fn debug_loc(&mut self, loc: DebugLoc, last: &mut Option<DebugLoc>) {
        if last.replace(loc) == Some(loc) {
            return self.bits.record(&function::DEBUG_LOC_AGAIN, &[]);
        }
        let meta = |m: Option<_>| m.map_or(0, |m| self.numbers.meta(m) + 1);
        let fields = [loc.line.into(), loc.column.into(), meta(loc.scope), meta(loc.inlined_at)];
        self.bits.record(&function::DEBUG_LOC, &fields);
    }

    fn local_metadata(&mut self, here: &Here<'_>) {
        if here.body.local_meta.is_empty() {
            return;
        }
        self.bits.enter(&metadata::BLOCK);
        for &value in &here.body.local_meta {
            let ty = self.numbers.ty(self.type_of(here, value));
            let id = here.local.value(&self.numbers, value);
            self.bits.record(&metadata::VALUE, &[ty, id.into()]);
        }
        self.bits.exit();
    }

    fn local_symbols(&mut self, here: &Here<'_>) {
        if here.body.names.is_empty() {
            return;
        }
        let mut values = Vec::new();
        let mut blocks = Vec::new();
        for (&value, name) in &here.body.names {
            match value {
                Value::Block(b) => blocks.push((b.index() as u64, &**name)),
                _ => {
                    values.push((u64::from(here.local.value(&self.numbers, value)), &**name));
                }
            }
        }
        values.sort_unstable();
        blocks.sort_unstable();
        self.bits.enter(&symtab::BLOCK);
        for (id, name) in values {
            self.symbol(&symtab::ENTRY, id, name);
        }
        for (id, name) in blocks {
            self.symbol(&symtab::BBENTRY, id, name);
        }
        self.bits.exit();
    }

    fn attached(&mut self, body: &Body) {
        if body.attached.is_empty() && body.attached_to_function.is_empty() {
            return;
        }
        let mut rows: Vec<Vec<u64>> = Vec::new();
        if !body.attached_to_function.is_empty() {
            let pairs = body.attached_to_function.iter();
            let row = pairs.flat_map(|&(kind, node)| [kind.into(), self.numbers.meta(node)]);
            rows.push(row.collect());
        }
        let mut attached: Vec<_> = body.attached.clone();
        attached.sort_by_key(|&(inst, _, _)| inst);
        for (number, &inst) in body.blocks.values().flatten().enumerate() {
            let from = attached.partition_point(|&(i, _, _)| i < inst);
            let mine = attached[from..].iter().take_while(|&&(i, _, _)| i == inst);
            let pairs = mine.flat_map(|&(_, kind, node)| [kind.into(), self.numbers.meta(node)]);
            let mut row = vec![number as u64];
            row.extend(pairs);
            if row.len() > 1 {
                rows.push(row);
            }
        }
        self.attachments(&rows);
    }
}

/// The fields of an instruction's record.
struct Fields<'n, 'b> {
    numbers: &'n Numbers<'n>,
    here: &'b Here<'b>,
    out: Vec<u64>,
}

impl Fields<'_, '_> {
    fn push(&mut self, index: usize) {
        self.out.push(index as u64);
    }

    fn id(&self, value: Value) -> u32 {
        self.here.local.value(self.numbers, value)
    }

    fn absolute(&mut self, value: Value) {
        let id = self.id(value);
        self.out.push(id.into());
    }

    /// A value whose type the reader knows.
    fn value(&mut self, value: Value) {
        let id = self.id(value);
        self.out.push(self.here.next.wrapping_sub(id).into());
    }

    /// A value whose type the reader learns from the value, or from us if that is yet to come.
    fn typed(&mut self, value: Value, ty: impl Fn(Value) -> u64) {
        let id = self.id(value);
        self.out.push(self.here.next.wrapping_sub(id).into());
        if id >= self.here.next {
            self.out.push(ty(value));
        }
    }

    fn signed(&mut self, value: Value) {
        let id = self.id(value);
        self.out.push(signed(i64::from(self.here.next) - i64::from(id)));
    }
}
