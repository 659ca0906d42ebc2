//! Scalarised allocas: a local variable becomes one array of scalars for each scalar field, with all its array
//! dimensions (vector components among them) flattened into one.

use rtc_ir::{self as ir, GlobalKind, Root, Step, TypeKind};
use smallvec::SmallVec;

use super::emitter::{EmitError, EmitResult};
use super::frame::{Address, Cell, Location, flat};
use super::func::Writer;
use rtc_dxil_module::{BinOp, Value};

impl Writer<'_, '_> {
    /// An access path in a scalarised variable.
    pub(super) fn scattered(&mut self, data: &ir::PlaceData, dynamic: &[Value]) -> EmitResult<Location> {
        let m = self.m;
        let mut t = self.root_type(data.root);
        let mut dynamic = dynamic.iter();
        let mut fields: SmallVec<[u32; 4]> = SmallVec::new();
        // The index is `variable + fixed`, in elements of what `t` is so far.
        let (mut fixed, mut variable): (u64, Option<Value>) = (0, None);
        let mut indexed = false;
        for &step in &data.steps {
            let len = match m.types.kind(t) {
                TypeKind::Array(_, len) | TypeKind::Vector(_, len) => Some(len),
                _ => None,
            };
            match (len, step) {
                (Some(len), step) => {
                    indexed = true;
                    fixed = fixed.wrapping_mul(len.into());
                    if let Some(v) = variable {
                        let len = self.e.out.i32(len as i32);
                        variable = Some(self.e.b().binary(BinOp::Mul, v, len, 0));
                    }
                    match step {
                        Step::At(n) => fixed += u64::from(n),
                        Step::Dyn => {
                            let index = *dynamic.next().ok_or("missing index")?;
                            match self.e.int_const(index) {
                                Some(n) => fixed = fixed.wrapping_add(n as u64),
                                None => {
                                    variable = Some(match variable {
                                        Some(v) => self.e.b().binary(BinOp::Add, v, index, 0),
                                        None => index,
                                    });
                                }
                            }
                        }
                    }
                    t = m.part(t, None).ok_or("invalid access path")?;
                }
                (None, Step::At(n)) => {
                    fields.push(n);
                    t = m.part(t, Some(n)).ok_or("invalid access path")?;
                }
                (None, Step::Dyn) => return Err("a field cannot be chosen at run time".into()),
            }
        }
        let (cell, lanes) = self.cell_type(t)?;
        if lanes > 1 {
            indexed = true;
            fixed = fixed.wrapping_mul(lanes.into());
            if let Some(v) = variable {
                let len = self.e.out.i32(lanes as i32);
                variable = Some(self.e.b().binary(BinOp::Mul, v, len, 0));
            }
        }
        let array = self.scalar_memory(data.root, fields)?;
        let first = if indexed {
            let fixed_value = self.e.out.i32(fixed as i32);
            Some(match variable {
                None => fixed_value,
                Some(v) if fixed == 0 => v,
                Some(v) => self.e.b().binary(BinOp::Add, v, fixed_value, 0),
            })
        } else {
            None
        };
        Ok(Location { cell, lanes, address: Address::Elements { array, first } })
    }

    /// The memory of one scalar field of a variable.
    fn scalar_memory(&mut self, root: Root, fields: SmallVec<[u32; 4]>) -> EmitResult<Value> {
        let l = match root {
            Root::Local(l) => l,
            Root::Global(g) => {
                if matches!(self.m.globals[g].kind, GlobalKind::Private(_, None)) {
                    return Err(EmitError::internal("unexpected private global"));
                }
                return self.globals.scalar_memory(self.m, self.e.out, g, &fields);
            }
            Root::Slot(_) => return Err(EmitError::internal("slot without memory")),
        };
        let key = (l, fields);
        if let Some(v) = self.frame.scalar_alloca(&key) {
            return Ok(v);
        }
        let (cell, count) = flat(self.m, self.f.locals[l].ty, &key.1)?;
        let v = self.alloca_cells(cell, count);
        self.note_alloca(l, &key.1, count, v);
        self.frame.set_scalar_alloca(key, v);
        Ok(v)
    }

    /// Allocates one scalar or array of scalars at the start of the entry block.
    fn alloca_cells(&mut self, cell: Cell, count: Option<u64>) -> Value {
        let elem = cell.stored(self.e.out);
        let ty = match count {
            Some(n) => self.e.out.types.array(elem, n),
            None => elem,
        };
        let align = cell.align(self.m);
        self.e.alloca(ty, align)
    }
}
