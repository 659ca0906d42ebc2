//! What goes to the entry block: allocas, and loop-invariant addresses hoisted to it.
//!
//! An address with constant indices only, the load of a resource's variable, and outside of libraries the handle of a resource that is known,
//! are computed once in the entry block, after the allocas: they are invariant across control flow and reorder points, and they need not be
//! saved across the latter.

use super::{EmitResult, Emitter};
use rtc_dxil_module::{Block, Builder, CastOp, Op, Type, TypeKind, Value};
use rtc_tables::dxil_ops::DxOp;

impl Emitter<'_> {
    /// Allocates a `ty` at the start of the entry block.
    pub fn alloca(&mut self, ty: Type, align: u32) -> Value {
        let count = self.out.i32(1);
        let ptr = self.out.types.ptr(ty);
        let at = self.allocas;
        self.allocas += 1;
        let mut b = self.b();
        let body = b.body();
        let Some(entry) = body.blocks.keys().next() else {
            rtc_base::bug!("a body without blocks");
        };
        let alloca = Op::Alloca { allocated: ty, count, align };
        let inst = body.append(entry, ptr, alloca);
        let list = &mut body.blocks[entry];
        list.pop();
        list.insert(at, inst);
        Value::Inst(inst)
    }

    /// Room for a `ty`. An array of arrays is no variable of DXIL (TYPES.NOMULTIDIM): one array of all elements is, seen as that.
    pub fn room(&mut self, ty: Type, align: u32) -> Value {
        let (mut elem, mut count, mut dimensions) = (ty, 1u64, 0);
        while let TypeKind::Array { elem: inner, len } = self.out.types[elem] {
            (elem, count, dimensions) = (inner, count.saturating_mul(len), dimensions + 1);
        }
        if dimensions < 2 {
            return self.alloca(ty, align);
        }
        let all = self.out.types.array(elem, count);
        let room = self.alloca(all, align);
        let ptr = self.out.types.ptr(ty);
        self.b().cast(CastOp::BitCast, room, ptr)
    }

    /// The address that `path` leads to from `base`. Outside of an array it is one of memory that nothing else uses: what is read there
    /// is undefined, and what is written is lost; validators refuse the address itself, even in code that never runs.
    pub fn address_of(&mut self, base: Value, path: &[Value]) -> Value {
        match (self.limited(base, path), base) {
            (None, _) => self.address_inside(base, path),
            (Some((_, ty, 0)), Value::Inst(_) | Value::Arg(_)) => self.alloca(ty, 8),
            // A constant is not written, and after that no group-shared memory is defined.
            (Some((inside, ..)), _) => self.address_inside(base, &inside),
        }
    }

    /// If a constant index is not in its array: the path with indices that are, the type that it leads to, and the address space.
    fn limited(&mut self, base: Value, path: &[Value]) -> Option<(Vec<Value>, Type, u32)> {
        let pointer = self.b().type_of(base);
        let TypeKind::Pointer { pointee, space } = self.out.types[pointer] else {
            rtc_base::bug!("an address computed from something that is no pointer");
        };
        let (mut at, mut inside) = (pointee, None::<Vec<Value>>);
        for (k, &index) in path.iter().enumerate().skip(1) {
            let n = self.int_const(index).map(|n| n as i32 as u32);
            if let (TypeKind::Array { len, .. }, Some(n)) = (&self.out.types[at], n)
                && u64::from(n) >= *len
            {
                let last = len.saturating_sub(1) as i32;
                inside.get_or_insert_with(|| path.to_vec())[k] = self.out.i32(last);
            }
            at = match self.out.types.element(at, n.unwrap_or(0).into()) {
                Some(part) => part,
                None => rtc_base::bug!("an index that does not fit the type"),
            };
        }
        inside.map(|inside| (inside, at, space))
    }

    fn address_inside(&mut self, base: Value, path: &[Value]) -> Value {
        let everywhere = match base {
            Value::Inst(i) => matches!(self.b().body().insts[i].op, Op::Alloca { .. }),
            _ => true,
        };
        if !everywhere || !path.iter().all(|v| matches!(v, Value::Const(_))) {
            return self.b().gep(true, base, path);
        }
        self.everywhere(|b| b.gep(true, base, path))
    }

    /// What the variable of a resource holds, which never changes.
    pub fn resource_variable(&mut self, pointer: Value) -> Value {
        match pointer {
            Value::Inst(_) => self.b().load(pointer, 4),
            _ => self.everywhere(|b| b.load_constant(pointer, 4)),
        }
    }

    /// Calls a DXIL operation without overloads that is pure, and whose operands are constants or come from the entry block, there.
    ///
    /// # Errors
    /// The operation has overloads.
    pub fn dx_everywhere(&mut self, opcode: DxOp, args: &[Value]) -> EmitResult<Value> {
        let (callee, all) = self.dx_callee(opcode, None, args)?;
        Ok(self.everywhere(|b| b.call_pure(callee, &all)))
    }

    /// Hoists the instruction that `make` emits, whose operands are invariant, to the entry block.
    fn everywhere(&mut self, make: impl FnOnce(&mut Builder<'_>) -> Value) -> Value {
        // It is emitted at the end of the current block and removed from there.
        let block = self.block;
        let mut b = match self.out.edit(self.func, block) {
            Some(b) => b.with_value_numbers(&mut self.available_in_entry),
            None => rtc_base::bug!("writing into a function without body"),
        };
        let before = b.body().blocks[block].len();
        let made = make(&mut b);
        let list = &mut b.body().blocks[block];
        if list.len() > before
            && let Some(inst) = list.pop()
        {
            self.hoisted.push(inst);
        }
        made
    }

    /// Emits what `make` does in the entry block at once, after the allocas.
    pub fn after_allocas<T>(&mut self, make: impl FnOnce(&mut Builder<'_>) -> T) -> T {
        let entry = self.entry();
        let Some(mut b) = self.out.edit(self.func, entry) else {
            rtc_base::bug!("writing into a function without body");
        };
        let before = b.body().blocks[entry].len();
        let made = make(&mut b);
        let insts = &mut b.body().blocks[entry];
        let new = insts.split_off(before);
        insts.splice(self.allocas..self.allocas, new);
        made
    }

    fn entry(&self) -> Block {
        let body = self.out.funcs[self.func].body.as_ref();
        body.and_then(|b| b.blocks.keys().next()).unwrap_or(self.block)
    }

    /// Inserts the hoisted instructions.
    pub(super) fn insert_hoisted(&mut self) {
        let (entry, at) = (self.entry(), self.allocas);
        let hoisted = std::mem::take(&mut self.hoisted);
        self.b().body().blocks[entry].splice(at..at, hoisted);
    }
}
