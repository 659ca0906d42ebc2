//! Global variables of the DXIL module: the symbols of resources, and the memory of groupshared variables, constant tables and
//! static variables that functions of other libraries see.

use rtc_ir::{self as ir, GlobalKind, TypeKind};
use rtc_tables::resources::{ResourceClass, ResourceFlags, ResourceKind};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::context::Cx;
use super::emitter::{EmitError, EmitResult};
use super::frame::{Cell, flat};
use super::resources::Resource;
use super::types::{self, TypeCache};
use super::{Profile, layout};
use rtc_dxil_module::{CastOp, ConstKind, GROUPSHARED, Global, Linkage, Module, Type, Value};

/// The global variables made so far.
#[derive(Default)]
pub struct Globals {
    symbols: FxHashMap<ir::Global, Symbol>,
    scalar_variables: FxHashMap<(ir::Global, SmallVec<[u32; 4]>), Value>,
    /// Groupshared arrays of vectors that operations on matrices take: they stay what they are.
    whole: Option<FxHashMap<ir::Global, Option<Value>>>,
    payloads: FxHashMap<ir::Global, Value>,
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
            let var = cx.out.add_global(&unused_name(&cx.out, &data.symbol), ty, true);
            cx.out.globals[var].align = 4;
            self.symbols.insert(g, Symbol { var, array: decl.array });
        }
    }

    /// The symbol of a used resource.
    pub fn symbol(&self, g: ir::Global) -> Option<Symbol> {
        self.symbols.get(&g).copied()
    }

    /// The memory of a groupshared variable that is passed to mesh shaders.
    pub fn payload_memory(&mut self, m: &ir::Module, out: &mut Module, g: ir::Global) -> Value {
        *self.payloads.entry(g).or_insert_with(|| super::task_payload::payload_variable(m, out, g))
    }

    /// The memory of a groupshared array of vectors, if an operation on matrices takes it.
    pub fn whole_array(&mut self, m: &ir::Module, out: &mut Module, g: ir::Global) -> Option<Value> {
        let whole = self.whole.get_or_insert_with(|| arrays_of_vectors(m));
        let known = whole.get_mut(&g)?;
        if known.is_none() {
            let data = &m.globals[g];
            let TypeKind::Array(elem, len) = m.types.kind(data.ty()) else { return None };
            let (scalar, lanes) = m.types.numeric(elem)?;
            let stored = types::stored(out, scalar);
            let vector = out.types.vector(stored, lanes);
            let ty = out.types.array(vector, len.into());
            let var = out.add_global(&data.symbol, ty, false);
            out.set_space(var, GROUPSHARED);
            out.globals[var].align = layout::scalar_bytes(m, scalar);
            *known = Some(Value::Global(var));
        }
        *known
    }

    /// The memory of one scalar field of a groupshared variable, table or shared static variable.
    ///
    /// # Errors
    /// The variable has no such field of numbers, or no memory.
    pub fn scalar_memory(&mut self, m: &ir::Module, out: &mut Module, g: ir::Global, fields: &SmallVec<[u32; 4]>) -> EmitResult<Value> {
        let key = (g, fields.clone());
        if let Some(&v) = self.scalar_variables.get(&key) {
            return Ok(v);
        }
        let data = &m.globals[g];
        let (Cell::Number(scalar), count) = flat(m, data.ty(), fields)? else {
            return Err("hit objects are local".into());
        };
        let elem = types::stored(out, scalar);
        let ty = match count {
            Some(n) => out.types.array(elem, n),
            None => elem,
        };
        if let Some(whole) = self.whole_array(m, out, g) {
            let ptr = out.types.ptr_in(ty, GROUPSHARED);
            let v = out.const_cast(CastOp::BitCast, whole, ptr);
            self.scalar_variables.insert(key, v);
            return Ok(v);
        }
        let mut name = data.symbol.clone();
        for n in fields {
            name += &format!(".{n}");
        }
        let var = match &data.kind {
            GlobalKind::GroupShared(_) => {
                let var = out.add_global(&name, ty, false);
                out.set_space(var, GROUPSHARED);
                var
            }
            GlobalKind::Table(t, bits) | GlobalKind::Private(t, Some(bits)) => {
                let constant = matches!(data.kind, GlobalKind::Table(..));
                let mut ours = Vec::new();
                select(m, *t, fields, bits, &mut ours);
                let init = table(out, scalar, elem, ty, count.is_some(), &ours);
                let var = out.add_global(&name, ty, constant);
                let var_data = &mut out.globals[var];
                var_data.linkage = Linkage::Internal;
                var_data.init = Some(init);
                var
            }
            _ => return Err(EmitError::internal("this variable has no memory")),
        };
        out.globals[var].align = layout::scalar_bytes(m, scalar);
        let v = Value::Global(var);
        self.scalar_variables.insert(key, v);
        Ok(v)
    }
}

/// The groupshared arrays of vectors that operations on matrices take.
fn arrays_of_vectors(m: &ir::Module) -> FxHashMap<ir::Global, Option<Value>> {
    let mut out = FxHashMap::default();
    for f in m.funcs.values() {
        f.for_each_inst(f.body, |_, i| {
            if let ir::InstData::Access { op, place, .. } = f.insts[i]
                && op.family() == ir::Family::Linalg
                && let ir::Root::Global(g) = f.places[place].root
                && let TypeKind::Array(elem, _) = m.types.kind(m.globals[g].ty())
                && matches!(m.types.kind(elem), TypeKind::Vector(..))
            {
                out.insert(g, None);
            }
        });
    }
    out
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

fn table(out: &mut Module, scalar: ir::Scalar, elem: Type, ty: Type, array: bool, bits: &[u64]) -> Value {
    let width = if scalar == ir::Scalar::Bool { 32 } else { scalar.bits() };
    if array && scalar == ir::Scalar::F16 {
        let values: Vec<_> = bits.iter().map(|&b| Value::Const(out.consts.float_bits(elem, b))).collect();
        return Value::Const(out.consts.aggregate(&out.types, ty, &values));
    }
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

/// The name, or where it is taken with the first number that makes it new, as LLVM does: several constant buffers may have one name.
fn unused_name(out: &Module, name: &str) -> String {
    let taken = |name: &str| out.globals.values().any(|g| *g.name == *name);
    let numbered = (1..).map(|n| format!("{name}.{n}"));
    std::iter::once(name.to_owned()).chain(numbered).find(|name| !taken(name)).unwrap_or_default()
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
