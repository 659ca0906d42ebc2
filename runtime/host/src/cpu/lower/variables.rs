//! Static and group-shared variables: a static becomes a stack variable of each invocation, group-shared memory an offset in the
//! group's memory. References are replaced by these addresses.

use super::{Refusal, initializers, layout, memory};
use crate::cpu::thread;
use rtc_dxil_container::ShaderKind;
use rtc_dxil_module::{Builder, CastOp, ConstKind, Func, Global, Inst, InstData, Linkage, Module, Op, Value};
use rustc_hash::{FxHashMap, FxHashSet};

/// The address space of group-shared memory.
const SHARED: u32 = 3;

/// The global variables of a module.
pub struct Variables {
    /// Offset in group-shared memory.
    shared: FxHashMap<Global, u64>,
    /// Statics, with a constant for their initial value if it is not zero.
    statics: FxHashMap<Global, Option<Global>>,
    /// Constants, as addresses of bytes.
    pub constants: FxHashMap<Global, Value>,
    /// Size of group-shared memory in bytes.
    pub shared_bytes: usize,
}

/// Maximum size of group-shared memory.
const MAX_SHARED: u64 = 1 << 26;

/// The addresses of variables in a shader.
#[derive(Default)]
struct Addresses {
    of: FxHashMap<Global, Value>,
    /// Those on the stack.
    insts: FxHashSet<Inst>,
}

impl Variables {
    /// Collects the variables; constants become bytes.
    ///
    /// # Errors
    /// An unsupported initialiser.
    pub fn collect(m: &mut Module) -> Result<Variables, Refusal> {
        let mut out =
            Variables { shared: FxHashMap::default(), statics: FxHashMap::default(), constants: FxHashMap::default(), shared_bytes: 0 };
        let mut size = 0u64;
        for g in m.globals.keys().collect::<Vec<_>>() {
            let (bytes, align) = layout::of(m, m.globals[g].ty);
            let var = &mut m.globals[g];
            var.section = 0;
            // Already called by every shader: see `super::inline`.
            if &*var.name == "llvm.global_ctors" {
                var.name = "rtc.set_up".into();
                var.init = None;
                var.linkage = Linkage::External;
                continue;
            }
            if var.space == SHARED {
                size = size.next_multiple_of(align.max(16));
                out.shared.insert(g, size);
                size += bytes;
                if size > MAX_SHARED {
                    return Err(format!("group-shared memory exceeds {MAX_SHARED} bytes").into());
                }
                continue;
            }
            let (ty, ptr_ty, constant, name) = (var.ty, var.ptr_ty, var.constant, var.name.to_string());
            let init = var.init.take();
            // Symbols of resources are declared. The reference compiler's constant buffers are no constants and have the type of their contents, an array of
            // unknown size that of as many as there can be.
            let resource = init.is_none() && var.linkage == Linkage::External;
            var.linkage = Linkage::External;
            let contents = match init {
                Some(init) if constant || !initializers::is_zero(m, init) => Some(initializers::constant(m, &name, ty, init)?),
                _ => None,
            };
            match (constant, contents) {
                (true, None) => {}
                _ if resource => {}
                (true, Some(bytes)) => {
                    let address = m.const_cast(CastOp::BitCast, Value::Global(bytes), ptr_ty);
                    out.constants.insert(g, address);
                }
                (false, contents) => drop(out.statics.insert(g, contents)),
            }
        }
        out.shared_bytes = size as usize;
        Ok(out)
    }

    /// Replaces variables by their addresses in a shader. Returns the stack variables that it creates: they are initialised.
    ///
    /// # Errors
    /// A use that is not supported.
    pub fn replace(&self, m: &mut Module, func: Func, kind: ShaderKind) -> Result<FxHashSet<Inst>, Refusal> {
        let mut used: Vec<Value> = Vec::new();
        let Some(body) = &m.funcs[func].body else { return Ok(FxHashSet::default()) };
        for &i in body.blocks.values().flatten() {
            body.operands(i, |v| {
                if !used.contains(&v) && self.mentions(m, v) {
                    used.push(v);
                }
            });
        }
        if used.is_empty() {
            return Ok(FxHashSet::default());
        }
        let shared = |g: &Global| self.shared.contains_key(g);
        if kind != ShaderKind::Compute && used.iter().any(|&v| named(m, v).as_ref().is_some_and(shared)) {
            return Err("group-shared memory outside of a compute shader".into());
        }
        let Some(entry) = body.blocks.keys().next() else { return Ok(FxHashSet::default()) };
        // The new code goes before the rest of the entry block.
        let rest = std::mem::take(&mut m.funcs[func].body.get_or_insert_default().blocks[entry]);
        let mut addresses = Addresses::default();
        let mut made = FxHashMap::default();
        for &value in &used {
            let by = self.address(m, func, entry, value, &mut addresses)?;
            made.insert(value, by);
        }
        let body = m.funcs[func].body.get_or_insert_default();
        let front = body.blocks[entry].clone();
        body.blocks[entry].extend(rest);
        // The new addresses refer to the variables themselves, which must not be replaced there.
        let kept: Vec<InstData> = front.iter().map(|&i| body.insts[i]).collect();
        let lists: Vec<(rtc_dxil_module::List, Vec<Value>)> = kept
            .iter()
            .filter_map(|d| if let Op::Gep { operands, .. } = d.op { Some((operands, body.values(operands).to_vec())) } else { None })
            .collect();
        body.map_values(|v| made.get(&v).copied().unwrap_or(v));
        for (&i, data) in front.iter().zip(kept) {
            body.insts[i] = data;
        }
        for (list, values) in lists {
            body.values_mut(list).copy_from_slice(&values);
        }
        Ok(addresses.insts)
    }

    fn mentions(&self, m: &Module, value: Value) -> bool {
        match value {
            Value::Global(g) => self.shared.contains_key(&g) || self.statics.contains_key(&g),
            Value::Const(c) => m.consts[c].kind.operands().iter().any(|&v| self.mentions(m, v)),
            _ => false,
        }
    }

    /// The address of a variable, or of a constant expression of variables.
    fn address(
        &self,
        m: &mut Module,
        func: Func,
        block: rtc_dxil_module::Block,
        value: Value,
        addresses: &mut Addresses,
    ) -> Result<Value, Refusal> {
        match value {
            Value::Global(g) => {
                if let Some(&there) = addresses.of.get(&g) {
                    return Ok(there);
                }
                let there = self.variable(m, func, block, g, addresses)?;
                addresses.of.insert(g, there);
                Ok(there)
            }
            Value::Const(c) if self.mentions(m, value) => {
                let data = m.consts[c].clone();
                let op = match data.kind {
                    ConstKind::Cast { op, value } => Op::Cast { op, value: self.address(m, func, block, value, addresses)? },
                    ConstKind::Gep { source, operands, .. } => {
                        let mut values = Vec::with_capacity(operands.len());
                        for &v in &operands {
                            values.push(self.address(m, func, block, v, addresses)?);
                        }
                        let operands = m.funcs[func].body.get_or_insert_default().list(&values);
                        Op::Gep { inbounds: false, source, operands }
                    }
                    _ => return Err("unsupported constant expression of a variable's address".into()),
                };
                let body = m.funcs[func].body.get_or_insert_default();
                Ok(Value::Inst(body.append(block, data.ty, op)))
            }
            v => Ok(v),
        }
    }

    fn variable(
        &self,
        m: &mut Module,
        func: Func,
        block: rtc_dxil_module::Block,
        g: Global,
        addresses: &mut Addresses,
    ) -> Result<Value, Refusal> {
        let (ty, ptr_ty) = (m.globals[g].ty, m.globals[g].ptr_ty);
        let byte = m.types.i8();
        let bytes = m.types.ptr(byte);
        let Some(&offset) = self.shared.get(&g) else {
            let size = layout::size(m, ty);
            let mut b = m.edit(func, block).ok_or("a function without code")?;
            let (words, _) = memory::words(&mut b, size)?;
            b.body().blocks[block].push(words);
            addresses.insts.insert(words);
            // It is zeroed where it is allocated, see `super::safety`.
            if let Some(Some(contents)) = self.statics.get(&g) {
                let to = b.cast(CastOp::BitCast, Value::Inst(words), bytes);
                copy(&mut b, to, *contents, size);
            }
            return Ok(b.cast(CastOp::BitCast, Value::Inst(words), ptr_ty));
        };
        let holder = m.types.ptr(bytes);
        let at = m.i32(thread::layout::SHARED as i32);
        let offset = m.const_int(64, offset as i64);
        let mut b = m.edit(func, block).ok_or("a function without code")?;
        let from = b.gep(false, Value::Arg(0), &[at]);
        let from = b.cast(CastOp::BitCast, from, holder);
        let base = b.load(from, 8);
        let there = b.gep(false, base, &[offset]);
        let here = b.module.types.ptr(ty);
        let there = b.cast(CastOp::BitCast, there, here);
        Ok(b.cast(CastOp::AddrSpaceCast, there, ptr_ty))
    }
}

/// The variable of an address.
fn named(m: &Module, value: Value) -> Option<Global> {
    let mut value = value;
    loop {
        match value {
            Value::Global(g) => return Some(g),
            Value::Const(c) => value = *m.consts[c].kind.operands().first()?,
            _ => return None,
        }
    }
}

/// Copies an initial value to a variable.
fn copy(b: &mut Builder<'_>, to: Value, contents: Global, size: u64) {
    let m = &mut *b.module;
    let (byte, i64_ty, i32_ty, i1, void) = (m.types.i8(), m.types.i64(), m.types.i32(), m.types.i1(), m.types.void());
    let bytes = m.types.ptr(byte);
    let name = "llvm.memcpy.p0i8.p0i8.i64";
    let callee = match m.find_function(name) {
        Some(f) => f,
        None => {
            let ty = m.types.function(void, &[bytes, bytes, i64_ty, i32_ty, i1]);
            m.add_function(name, ty)
        }
    };
    let from = m.const_cast(CastOp::BitCast, Value::Global(contents), bytes);
    let (size, align, no) = (m.const_int(64, size as i64), m.i32(1), m.i1(false));
    b.call(callee, &[to, from, size, align, no]);
}
