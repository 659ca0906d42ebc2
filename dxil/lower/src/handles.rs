//! Handles of resources: by the symbols of libraries, by registers, from descriptor heaps.

use rtc_ir as ir;
use rtc_tables::diagnostics::E0604;
use rtc_tables::dxil_ops::{DxOp, op};
use rtc_tables::insts::{HEAP_ALIGN, HEAP_NONUNIFORM};
use rtc_tables::limits::HEAP_MODEL;
use rtc_tables::resources::{ResourceClass, ResourceFlags};

use super::emitter::{EmitError, EmitResult};
use super::func::Writer;
use super::globals::properties;
use super::resources::{self, Resource};
use rtc_dxil_module::{BinOp, ConstKind, Global, Value};

impl Writer<'_, '_> {
    /// The handle of a resource.
    pub(super) fn resource(&mut self, g: ir::Global, index: Option<ir::Value>, nonuniform: bool) -> EmitResult<Value> {
        let facts = self.module_facts;
        let Some(r) = facts.resource(g) else {
            return Err(EmitError::internal("resource without a declaration"));
        };
        let index = index.map(|v| self.one(v));
        let known = !self.is_library() && !nonuniform && index.is_none_or(|v| matches!(v, Value::Const(_)));
        let handle = if self.is_library() {
            self.handle_for_library(g, index, nonuniform)?
        } else {
            self.handle_from_registers(r, index, nonuniform, known)?
        };
        if self.m.shader_model < 6 {
            return Ok(handle);
        }
        self.annotated(handle, r, known)
    }

    /// The handle of a resource of a descriptor heap.
    pub(super) fn heap_resource(&mut self, i: ir::Inst, imm: u32, index: ir::Value) -> EmitResult {
        let result = self.f.result(i);
        let ty = self.resource_of(result)?;
        if self.m.shader_model < HEAP_MODEL {
            return Err(EmitError::new(&E0604, format!("descriptor heaps need shader model 6.{HEAP_MODEL}")));
        }
        let sampler = ty.class == ResourceClass::Sampler;
        let index = self.one(index);
        let (sampler, nonuniform) = (self.e.out.i1(sampler), self.e.out.i1(imm & HEAP_NONUNIFORM != 0));
        let handle = self.e.dx(op::CREATE_HANDLE_FROM_HEAP, None, &[index, sampler, nonuniform])?;
        let lanes = ty.elem.filter(|_| ty.kind.is_typed());
        let lanes = lanes.and_then(|e| self.m.types.numeric(e));
        let mut flags = ty.flags;
        if !self.facts.counts(result) {
            flags.remove(ResourceFlags::COUNTER);
        }
        let described = Resource {
            counts_both_directions: false,
            global: ir::Global::from_u32(0),
            class: ty.class,
            kind: ty.kind,
            id: 0,
            space: 0,
            lower: 0,
            count: 1,
            name: String::new(),
            loose: false,
            comp: resources::comp_of(&ty),
            lanes: lanes.map_or(1, |n| n.1),
            stride: ty.stride,
            align_log2: imm >> HEAP_ALIGN,
            samples: ty.samples,
            flags,
            span: rtc_base::Span::NONE,
        };
        let handle = self.annotated(handle, &described, false)?;
        self.set(result, &[handle]);
        Ok(())
    }

    /// A handle with what it is of. `known`: it is made in the entry block.
    fn annotated(&mut self, handle: Value, r: &Resource, known: bool) -> EmitResult<Value> {
        let (a, b) = properties(r);
        let ty = self.e.out.resource_properties_type();
        let words = [self.e.out.i32(a as i32), self.e.out.i32(b as i32)];
        let props = self.e.out.aggregate(ty, &words);
        self.handle_by(op::ANNOTATE_HANDLE, &[handle, props], known)
    }

    fn handle_for_library(&mut self, g: ir::Global, index: Option<Value>, nonuniform: bool) -> EmitResult<Value> {
        let Some(symbol) = self.globals.symbol(g) else {
            return Err(EmitError::internal("a resource without a symbol"));
        };
        let mut pointer = Value::Global(symbol.var);
        if symbol.array {
            let zero = self.e.out.i32(0);
            let index = index.unwrap_or(zero);
            if self.e.int_const(index).is_some() {
                pointer = self.element_of(symbol.var, zero, index);
            } else {
                pointer = self.e.b().gep(true, pointer, &[zero, index]);
                if nonuniform {
                    self.mark_nonuniform(pointer);
                }
            }
        }
        let loaded = self.e.resource_variable(pointer);
        let ty = self.e.b().type_of(loaded);
        self.e.dx(op::CREATE_HANDLE_FOR_LIB, Some(ty), &[loaded])
    }

    /// The address of an element of a global array as a constant: instructions may not go beyond the
    /// bounds, which unbounded arrays declare as zero.
    fn element_of(&mut self, var: Global, zero: Value, index: Value) -> Value {
        let out = &mut *self.e.out;
        let source = out.globals[var].ty;
        let Some(elem) = out.types.element(source, 0) else {
            rtc_base::bug!("an array without elements");
        };
        let ptr = out.types.ptr(elem);
        let operands = Box::new([Value::Global(var), zero, index]);
        Value::Const(out.consts.intern(ptr, ConstKind::Gep { inbounds: true, source, operands }))
    }

    fn mark_nonuniform(&mut self, v: Value) {
        let Value::Inst(inst) = v else { return };
        let kind = self.e.out.meta.kind("dx.nonuniform");
        let one = self.e.out.meta_i32(1);
        let node = self.e.out.meta.node(&[Some(one)]);
        self.e.b().body().attach(inst, kind, node);
    }

    /// Calls an operation that gives a handle, in the entry block if it is of a resource that is known.
    fn handle_by(&mut self, op: DxOp, args: &[Value], known: bool) -> EmitResult<Value> {
        if known { self.e.dx_everywhere(op, args) } else { self.e.dx(op, None, args) }
    }

    /// Outside libraries, resources are known by registers.
    fn handle_from_registers(&mut self, r: &Resource, index: Option<Value>, nonuniform: bool, known: bool) -> EmitResult<Value> {
        let lower = self.e.out.i32(r.lower as i32);
        let index = match index {
            None => lower,
            Some(i) => match self.e.int_const(i) {
                Some(n) => self.e.out.i32((n as u32).wrapping_add(r.lower) as i32),
                None if r.lower == 0 => i,
                None => self.e.b().binary(BinOp::Add, i, lower, 0),
            },
        };
        let nonuniform = self.e.out.i1(nonuniform);
        if self.m.shader_model < 6 {
            let class = self.e.out.i8(r.class as i8);
            let id = self.e.out.i32(r.id as i32);
            return self.handle_by(op::CREATE_HANDLE, &[class, id, index, nonuniform], known);
        }
        let ty = self.e.out.res_bind_type();
        let words = [lower, self.e.out.i32(r.upper() as i32), self.e.out.i32(r.space as i32), self.e.out.i8(r.class as i8)];
        let binding = self.e.out.aggregate(ty, &words);
        self.handle_by(op::CREATE_HANDLE_FROM_BINDING, &[binding, index, nonuniform], known)
    }
}
