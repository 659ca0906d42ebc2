//! Global variables of the DXIL module: the symbols of resources, and the memory of groupshared variables and constant tables.

use rtc_ir::{self as ir, GlobalKind, TypeKind};
use rtc_tables::dxil_ops::op;
use rtc_tables::insts::{HEAP_ALIGN, HEAP_NONUNIFORM};
use rtc_tables::resources::{ResourceClass, ResourceFlags, ResourceKind};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::func::{EmitResult, Writer};
use super::memory::Cell;
use super::module::Cx;
use super::resources::{self, Resource};
use super::scalar_allocas::flat;
use super::types::{self, TypeCache};
use super::{Profile, layout};
use rtc_dxil_module::{BinOp, CastOp, ConstKind, GROUPSHARED, Global, Linkage, Type, Value};

/// The global variables made so far.
#[derive(Default)]
pub struct Globals {
    symbols: FxHashMap<ir::Global, Symbol>,
    scalar_variables: FxHashMap<(ir::Global, SmallVec<[u32; 4]>), Value>,
}

/// The symbol of a resource.
#[derive(Clone, Copy)]
pub struct Symbol {
    /// The variable.
    pub var: Global,
    /// Declared as an array.
    pub array: bool,
}

impl Globals {
    /// The symbols of all used resources, in source order; none outside libraries.
    pub fn declare(&mut self, cx: &mut Cx, types: &mut TypeCache) {
        if !cx.is_library() {
            return;
        }
        let mut used: Vec<ir::Global> = cx.facts.resources.iter().map(|r| r.global).collect();
        used.sort_unstable();
        for g in used {
            let data = &cx.m.globals[g];
            let Some(decl) = data.resource() else {
                continue;
            };
            let class = types.class(cx.m, &mut cx.out, data);
            // From shader model 6.6 on, symbols are handles; metadata says what they are.
            let one = if cx.m.shader_model >= 6 { cx.out.handle_type() } else { class };
            let ty = if decl.array { cx.out.types.array(one, decl.count.unwrap_or(0).into()) } else { one };
            let var = cx.out.add_global(&data.symbol, ty, true);
            cx.out.globals[var].align = 4;
            self.symbols.insert(g, Symbol { var, array: decl.array });
        }
    }

    /// The symbol of a used resource.
    pub fn symbol(&self, g: ir::Global) -> Option<Symbol> {
        self.symbols.get(&g).copied()
    }

    /// The memory of one scalar field of a groupshared variable or table.
    pub fn scalar_memory(&mut self, cx: &mut Cx, g: ir::Global, fields: &SmallVec<[u32; 4]>) -> EmitResult<Value> {
        let key = (g, fields.clone());
        if let Some(&v) = self.scalar_variables.get(&key) {
            return Ok(v);
        }
        let data = &cx.m.globals[g];
        let (Cell::Number(scalar), count) = flat(cx.m, data.ty(), fields)? else {
            return Err("hit objects are local".into());
        };
        let elem = types::stored(&mut cx.out, scalar);
        let ty = match count {
            Some(n) => cx.out.types.array(elem, n),
            None => elem,
        };
        let mut name = data.symbol.clone();
        for n in fields {
            name += &format!(".{n}");
        }
        let var = match &data.kind {
            GlobalKind::GroupShared(_) => {
                let var = cx.out.add_global(&name, ty, false);
                cx.out.set_space(var, GROUPSHARED);
                var
            }
            GlobalKind::Table(t, bits) => {
                let mut ours = Vec::new();
                select(cx.m, *t, fields, bits, &mut ours);
                let init = table(cx, scalar, elem, ty, count.is_some(), &ours);
                let var = cx.out.add_global(&name, ty, true);
                let var_data = &mut cx.out.globals[var];
                var_data.linkage = Linkage::Internal;
                var_data.init = Some(init);
                var
            }
            _ => return Err("this variable has no memory".into()),
        };
        cx.out.globals[var].align = layout::scalar_bytes(cx.m, scalar);
        let v = Value::Global(var);
        self.scalar_variables.insert(key, v);
        Ok(v)
    }
}

/// The bits of one field, through all array dimensions. Gives what is left of `bits`.
fn select<'b>(m: &ir::Module, t: ir::Type, fields: &[u32], bits: &'b [u64], out: &mut Vec<u64>) -> &'b [u64] {
    match m.types.kind(t) {
        TypeKind::Array(e, n) => (0..n).fold(bits, |bits, _| select(m, e, fields, bits, out)),
        TypeKind::Struct(s) => {
            let mut bits = bits;
            for (n, f) in m.structs[s].fields.iter().enumerate() {
                let mut other = Vec::new();
                bits = match fields.split_first() {
                    Some((&first, rest)) if first as usize == n => select(m, f.ty, rest, bits, out),
                    _ => select(m, f.ty, &[], bits, &mut other),
                };
            }
            bits
        }
        _ => {
            let n = m.types.numeric(t).map_or(0, |n| n.1 as usize).min(bits.len());
            out.extend_from_slice(&bits[..n]);
            &bits[n..]
        }
    }
}

fn table(cx: &mut Cx, scalar: ir::Scalar, elem: Type, ty: Type, array: bool, bits: &[u64]) -> Value {
    let out = &mut cx.out;
    let width = if scalar == ir::Scalar::Bool { 32 } else { scalar.bits() };
    if array {
        return Value::Const(out.consts.data(ty, bits.to_vec(), width));
    }
    let one = bits.first().copied().unwrap_or(0);
    Value::Const(if scalar.is_float() { out.consts.float_bits(elem, one) } else { out.consts.int(&out.types, elem, one as i64) })
}

/// The two words of `%dx.types.ResourceProperties`.
pub fn properties(r: &Resource) -> (u32, u32) {
    let flag = |f, n: u32| u32::from(r.flags.contains(f)) << n;
    let mut first = r.kind as u32
        | u32::from(r.class == ResourceClass::Uav) << 12
        | flag(ResourceFlags::ROV, 13)
        | flag(ResourceFlags::COHERENT, 14)
        | flag(ResourceFlags::COUNTER, 15)
        | flag(ResourceFlags::COMPARISON, 15)
        | flag(ResourceFlags::REORDER_COHERENT, 16);
    let second = match r.kind {
        ResourceKind::StructuredBuffer => {
            first |= r.align_log2 << 8;
            r.stride
        }
        ResourceKind::CBuffer | ResourceKind::TBuffer => r.stride,
        ResourceKind::FeedbackTexture2D | ResourceKind::FeedbackTexture2DArray => r.samples,
        k if k.is_typed() => r.comp as u32 | r.lanes << 8 | r.samples << 16,
        _ => 0,
    };
    (first, second)
}

impl Writer<'_, '_> {
    /// The handle of a resource.
    pub fn resource(&mut self, g: ir::Global, index: Option<ir::Value>, nonuniform: bool) -> EmitResult<Value> {
        let facts = self.cx.facts;
        let Some(r) = facts.resource(g) else {
            return Err("resource without a declaration".into());
        };
        let index = index.map(|v| self.one(v));
        let handle = if self.cx.is_library() {
            self.handle_for_library(g, index, nonuniform)?
        } else {
            self.handle_from_registers(r, index, nonuniform)?
        };
        if self.cx.m.shader_model < 6 {
            return Ok(handle);
        }
        self.annotated(handle, r)
    }

    /// The handle of a resource of a descriptor heap.
    pub fn heap_resource(&mut self, i: ir::Inst, imm: u32, index: ir::Value) -> EmitResult {
        let result = self.f.result(i);
        let ty = self.resource_of(result)?;
        if self.cx.m.shader_model < 6 {
            return Err("descriptor heaps need shader model 6.6".into());
        }
        let sampler = ty.class == ResourceClass::Sampler;
        let index = self.one(index);
        let (sampler, nonuniform) = (self.cx.out.i1(sampler), self.cx.out.i1(imm & HEAP_NONUNIFORM != 0));
        let handle = self.dx(op::CREATE_HANDLE_FROM_HEAP, None, &[index, sampler, nonuniform])?;
        let lanes = ty.elem.filter(|_| ty.kind.is_typed());
        let lanes = lanes.and_then(|e| self.cx.m.types.numeric(e));
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
            comp: resources::comp_of(&ty),
            lanes: lanes.map_or(1, |n| n.1),
            stride: ty.stride,
            align_log2: imm >> HEAP_ALIGN,
            samples: ty.samples,
            flags,
            span: rtc_base::Span::NONE,
        };
        let handle = self.annotated(handle, &described)?;
        self.set(result, &[handle]);
        Ok(())
    }

    /// A handle with what it is of.
    fn annotated(&mut self, handle: Value, r: &Resource) -> EmitResult<Value> {
        let (a, b) = properties(r);
        let ty = self.cx.out.resource_properties_type();
        let words = [self.cx.out.i32(a as i32), self.cx.out.i32(b as i32)];
        let props = self.cx.out.aggregate(ty, &words);
        self.dx(op::ANNOTATE_HANDLE, None, &[handle, props])
    }

    fn handle_for_library(&mut self, g: ir::Global, index: Option<Value>, nonuniform: bool) -> EmitResult<Value> {
        let Some(symbol) = self.globals.symbol(g) else {
            return Err("a resource without a symbol".into());
        };
        let mut pointer = Value::Global(symbol.var);
        if symbol.array {
            let zero = self.cx.out.i32(0);
            let index = index.unwrap_or(zero);
            if self.int_const(index).is_some() {
                pointer = self.element_of(symbol.var, zero, index);
            } else {
                pointer = self.b().gep(true, pointer, &[zero, index]);
                if nonuniform {
                    self.mark_nonuniform(pointer);
                }
            }
        }
        let loaded = self.resource_variable(pointer);
        let ty = self.b().type_of(loaded);
        self.dx(op::CREATE_HANDLE_FOR_LIB, Some(ty), &[loaded])
    }

    /// The address of an element of a global array as a constant: instructions may not go beyond the
    /// bounds, which unbounded arrays declare as zero.
    fn element_of(&mut self, var: Global, zero: Value, index: Value) -> Value {
        let out = &mut self.cx.out;
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
        let kind = self.cx.out.meta.kind("dx.nonuniform");
        let one = self.cx.out.meta_i32(1);
        let node = self.cx.out.meta.node(&[Some(one)]);
        self.b().body().attach(inst, kind, node);
    }

    /// Outside libraries, resources are known by registers.
    fn handle_from_registers(&mut self, r: &Resource, index: Option<Value>, nonuniform: bool) -> EmitResult<Value> {
        let lower = self.cx.out.i32(r.lower as i32);
        let index = match index {
            None => lower,
            Some(i) => match self.int_const(i) {
                Some(n) => self.cx.out.i32((n as u32).wrapping_add(r.lower) as i32),
                None if r.lower == 0 => i,
                None => self.b().binary(BinOp::Add, i, lower, 0),
            },
        };
        let nonuniform = self.cx.out.i1(nonuniform);
        if self.cx.m.shader_model < 6 {
            let class = self.cx.out.i8(r.class as i8);
            let id = self.cx.out.i32(r.id as i32);
            return self.dx(op::CREATE_HANDLE, None, &[class, id, index, nonuniform]);
        }
        let ty = self.cx.out.res_bind_type();
        let words = [lower, self.cx.out.i32(r.upper() as i32), self.cx.out.i32(r.space as i32), self.cx.out.i8(r.class as i8)];
        let binding = self.cx.out.aggregate(ty, &words);
        self.dx(op::CREATE_HANDLE_FROM_BINDING, None, &[binding, index, nonuniform])
    }
}

/// What metadata says a resource's symbol is: the variable as a pointer to its class type, or nothing.
pub fn symbol_pointer(cx: &mut Cx, types: &mut TypeCache, globals: &Globals, g: ir::Global) -> Value {
    let data = &cx.m.globals[g];
    let decl = data.resource();
    let class = types.class(cx.m, &mut cx.out, data);
    let ty = match decl {
        Some(d) if d.array => cx.out.types.array(class, d.count.unwrap_or(0).into()),
        _ => class,
    };
    let ptr = cx.out.types.ptr(ty);
    match globals.symbol(g) {
        Some(s) if cx.profile == Profile::Library => cx.out.const_cast(CastOp::BitCast, Value::Global(s.var), ptr),
        _ => Value::Const(cx.out.consts.intern(ptr, ConstKind::Undef)),
    }
}
