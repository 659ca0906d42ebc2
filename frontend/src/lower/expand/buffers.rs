//! Expansion of the methods of structured and byte-address buffers, and of memory at addresses.

use rtc_ir::{Opcode as O, Type, Value};

use crate::lower::call::Call;
use crate::lower::func::FnCx;
use crate::lower::operand::{LValue, Mem, Val};
use crate::lower::types::Shape;

/// The alignment of `vk::RawBufferLoad` and `vk::RawBufferStore` without an argument for it.
const DEFAULT_ALIGNMENT: u32 = 4;

impl FnCx<'_, '_> {
    fn buffer(&self, c: &Call) -> Value {
        match c.object {
            Some(h) => h,
            None => rtc_base::bug!("`{}` without a buffer", c.row.name),
        }
    }

    /// Elements or bytes, then the stride if there is an argument for it.
    pub(super) fn buf_size(&mut self, c: &Call) -> Val {
        let handle = self.buffer(c);
        let n = self.b().many_value(O::buf_size, 0, &[handle], Type::I32);
        self.give(c, 0, &Val::One(n));
        if c.args.len() > 1 {
            let stride = self.l.out.types.as_resource(self.ty_of(handle)).map_or(0, |r| r.stride);
            let stride = self.int(stride);
            self.give(c, 1, &Val::One(stride));
        }
        Val::Void
    }

    /// Loads from an l-value; argument `n`, if there is one, gets the residency status.
    fn load_checked(&mut self, c: &Call, mut m: Mem, n: usize) -> Val {
        m.status = c.args.len() > n;
        let outer = self.resident.take();
        let checked = m.status;
        let x = self.load(&LValue::Mem(m));
        let resident = std::mem::replace(&mut self.resident, outer);
        if checked {
            let resident = match resident {
                Some(v) => v,
                None => self.func.const_bool(true),
            };
            self.store_status(c, n, resident);
        }
        x
    }

    pub(super) fn buf_load(&mut self, c: &Call) -> Val {
        let handle = self.buffer(c);
        let m = Mem::new(handle, Some(c.one(0)), None, self.rules_of(handle), c.ret);
        self.load_checked(c, m, 1)
    }

    /// A matrix is read row by row, whatever its packing; one in a structure lies as declared.
    pub(super) fn raw_load(&mut self, c: &Call) -> Val {
        let handle = self.buffer(c);
        let shape = match c.ret {
            Shape::Mat { scalar, rows, cols, .. } => Shape::Mat { scalar, rows, cols, row_major: true },
            shape => shape,
        };
        let m = Mem::raw(handle, c.one(0), self.l.layout.storage, shape);
        self.load_checked(c, m, 1)
    }

    pub(super) fn raw_store(&mut self, c: &Call) -> Val {
        let handle = self.buffer(c);
        let to = LValue::Mem(Mem::raw(handle, c.one(0), self.l.layout.storage, c.args[1].shape));
        self.store(&to, &c.val(1));
        Val::Void
    }

    /// An l-value at a 64-bit address, of which argument `n`, if there is one, says the alignment.
    fn at_address(&mut self, c: &Call, n: usize, shape: Shape) -> LValue {
        let align = match c.args.get(n) {
            // A checked constant.
            Some(a) => self.func.as_const(a.val.one()).map_or(1, |n| n as u32),
            None => DEFAULT_ALIGNMENT,
        };
        LValue::Mem(Mem::at_address(c.one(0), align, self.l.layout.storage, shape))
    }

    pub(super) fn address_load(&mut self, c: &Call) -> Val {
        let from = self.at_address(c, 1, c.ret);
        self.load(&from)
    }

    pub(super) fn address_store(&mut self, c: &Call) -> Val {
        let to = self.at_address(c, 2, c.args[1].shape);
        self.store(&to, &c.val(1));
        Val::Void
    }

    fn count(&mut self, c: &Call, step: i8) -> Value {
        let handle = self.buffer(c);
        self.b().many_value(O::counter_add, i32::from(step) as u32, &[handle], Type::I32)
    }

    pub(super) fn counter(&mut self, c: &Call, step: i8) -> Val {
        Val::One(self.count(c, step))
    }

    pub(super) fn append(&mut self, c: &Call) -> Val {
        let handle = self.buffer(c);
        let index = self.count(c, 1);
        let to = LValue::Mem(Mem::new(handle, Some(index), None, self.rules_of(handle), c.args[0].shape));
        self.store(&to, &c.val(0));
        Val::Void
    }

    pub(super) fn consume(&mut self, c: &Call) -> Val {
        let handle = self.buffer(c);
        let index = self.count(c, -1);
        let shape: Shape = c.ret;
        self.load(&LValue::Mem(Mem::new(handle, Some(index), None, self.rules_of(handle), shape)))
    }
}
