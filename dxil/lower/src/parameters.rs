//! The parameters of a function where they come in: values in components, memory by pointer, matrices by value.

use rtc_ir::{self as ir, Local, Param, Root};

use super::frame::Memory;
use super::func::Writer;
use super::layout;
use super::live::has_lane;
use super::signature::{PassedAs, Signature, shape};
use super::types::{self, is_rows};
use super::values::Components;
use rtc_dxil_module::{CastOp, Type, Value};

impl Writer<'_, '_> {
    /// Takes over the parameters of the function.
    pub(super) fn parameters(&mut self, sig: &Signature) {
        let (m, f) = (self.m, self.f);
        for (n, p) in sig.params.iter().enumerate() {
            let arg = Value::Arg(n as u32);
            let name = match p.what {
                PassedAs::Value(v) => {
                    self.set_argument(v, arg);
                    continue;
                }
                PassedAs::Query(v) => {
                    let number = self.number_of_query(arg);
                    let number = self.e.b().load(number, 4);
                    self.set(v, &[number]);
                    continue;
                }
                PassedAs::Pointer(root @ Root::Local(l)) => {
                    let shape = shape(m, &f.locals[l]);
                    self.set_pointer(root, Memory { pointer: arg, matrix: shape, by_value: false }, false);
                    &f.locals[l].name
                }
                PassedAs::Pointer(root) => {
                    self.set_pointer(root, Memory::at(arg), false);
                    match root {
                        Root::Slot(s) => &f.slots[s].name,
                        _ => continue,
                    }
                }
                PassedAs::Matrix(l) => {
                    let room = self.matrix_room(l, p.ty);
                    let align = layout::align(m, f.locals[l].ty);
                    self.e.b().store(arg, room.pointer, align);
                    &f.locals[l].name
                }
            };
            // The reference's name of what it returns through a pointer.
            let name = if name == ir::RESULT { "agg.result" } else { name.as_str() };
            if !name.is_empty() {
                self.e.b().body().names.insert(arg, name.into());
            }
        }
        if let Some((n, class)) = sig.result
            && let Param::Ref(l) = f.params[n]
        {
            let room = self.matrix_room(l, class);
            self.frame.set_result(room.pointer);
        }
    }

    /// The address of the number of the ray query that a pointer leads to.
    pub(super) fn number_of_query(&mut self, pointer: Value) -> Value {
        let zero = self.e.out.i32(0);
        self.e.address_of(pointer, &[zero, zero])
    }

    /// Room for a matrix that is passed by value.
    fn matrix_room(&mut self, l: Local, class: Type) -> Memory {
        let data = &self.f.locals[l];
        let memory = self.room_by_value(data, class);
        self.set_pointer(Root::Local(l), memory, true);
        memory
    }

    /// Room for the matrix that a parameter is by value.
    pub(super) fn room_by_value(&mut self, data: &ir::LocalData, class: Type) -> Memory {
        let m = self.m;
        let pointer = self.e.alloca(class, layout::align(m, data.ty));
        Memory { pointer, matrix: shape(m, data), by_value: true }
    }

    /// Room for what a reference parameter points to, which is of type `ty` there. A matrix is as large as its components, which the
    /// class of booleans is not.
    pub(super) fn room_by_reference(&mut self, data: &ir::LocalData, ty: Type) -> Memory {
        let m = self.m;
        let align = layout::align(m, data.ty);
        let shape = shape(m, data);
        let pointer = match (shape.filter(|_| is_rows(m, data.ty)), m.types.kind(data.ty)) {
            (Some(of), ir::TypeKind::Array(row, _)) => {
                let scalar = m.types.numeric(row).map_or(ir::Scalar::I32, |n| n.0);
                let elem = types::stored(self.e.out, scalar);
                let vector = self.e.out.types.vector(elem, of.rows * of.cols);
                let room = self.e.alloca(vector, align);
                let ptr = self.e.out.types.ptr(ty);
                self.e.b().cast(CastOp::BitCast, room, ptr)
            }
            _ => self.e.room(ty, align),
        };
        Memory { pointer, matrix: shape, by_value: false }
    }

    /// The matrix that the function returns, if it does.
    pub(super) fn matrix_result(&mut self) -> Option<Value> {
        let room = self.frame.result()?;
        Some(self.e.b().load(room, 4))
    }

    /// A parameter passed by value, in components.
    fn set_argument(&mut self, v: ir::Value, arg: Value) {
        let lanes = self.m.types.numeric(self.f.ty(v)).map_or(1, |n| n.1);
        if lanes == 1 {
            return self.set(v, &[arg]);
        }
        let mut parts = Components::new();
        let used = self.facts.live.lanes(v);
        for c in 0..lanes {
            parts.push(if !has_lane(used, c as usize) {
                self.undef_parts(self.f.ty(v))[0]
            } else {
                let n = self.e.out.i32(c as i32);
                self.e.b().extract_element(arg, n)
            });
        }
        self.set(v, &parts);
    }
}
