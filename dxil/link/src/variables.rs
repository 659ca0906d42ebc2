//! Debug information of allocas that SROA splits or mem2reg promotes.
//!
//! A declaration (`llvm.dbg.declare`) names an alloca. When that is split, each part is declared as a piece of the
//! variable; when it becomes values, `llvm.dbg.value` binds each value at its definition. Of the reference compiler's libraries, the
//! latter names addresses too, and means the value stored there.

use rustc_hash::{FxHashMap, FxHashSet};

use super::debug_info::is_said;
use rtc_dxil_container::metadata::debug_records::{BIT_PIECE, declare_intrinsic, push, value_intrinsic};
use rtc_dxil_container::recompute::layout::Sizes;
use rtc_dxil_module::pieces::Pieces;
use rtc_dxil_module::{Body, DebugNode, Func, Inst, InstData, Meta, MetaNode, Module, Op, Tail, Type, TypeKind, Value};

/// The declarations of a body.
pub struct Variables {
    /// By the place on the stack.
    declared: FxHashMap<Inst, Vec<Inst>>,
    sizes: Sizes,
    /// Calls to be inserted, by the instruction that they follow.
    following: FxHashMap<Inst, Vec<Inst>>,
    locals: FxHashMap<Value, u32>,
}

impl Variables {
    /// Finds them.
    pub fn new(m: &Module, body: &Body) -> Self {
        let mut declared: FxHashMap<Inst, Vec<Inst>> = FxHashMap::default();
        if !body.local_meta.is_empty() {
            let mut seen = FxHashSet::default();
            for &i in body.blocks.values().flatten() {
                if is_said(m, &body.insts[i].op)
                    && let Op::Call { args, .. } = body.insts[i].op
                    && let [Value::LocalMeta(at), ..] = *body.values(args)
                    && let Some(&Value::Inst(slot)) = body.local_meta.get(at as usize)
                    && matches!(body.insts[slot].op, Op::Alloca { .. })
                    && let Some(what) = Self::parts(body, i)
                    && seen.insert((slot, what, body.insts[i].loc))
                {
                    declared.entry(slot).or_default().push(i);
                }
            }
        }
        let (following, locals) = Default::default();
        Variables { declared, sizes: Sizes::default(), following, locals }
    }

    /// Whether nothing is declared.
    pub fn is_empty(&self) -> bool {
        self.declared.is_empty()
    }

    fn call(&mut self, m: &mut Module, body: &mut Body, like: Inst, callee: Func, args: &[Value]) -> Inst {
        let args = body.list(args);
        let (ty, loc) = (m.funcs[callee].ty, body.insts[like].loc);
        let op = Op::Call { callee: Value::Func(callee), ty, attrs: None.into(), args, cc: 0, tail: Tail::No };
        body.insts.push(InstData { op, ty: m.types.void(), loc })
    }

    fn local(&mut self, body: &mut Body, v: Value) -> Value {
        Value::LocalMeta(*self.locals.entry(v).or_insert_with(|| {
            body.local_meta.push(v);
            body.local_meta.len() as u32 - 1
        }))
    }

    /// What a declaration declares: variable and expression.
    fn parts(body: &Body, declaration: Inst) -> Option<(Meta, Meta)> {
        let Op::Call { args, .. } = body.insts[declaration].op else { return None };
        match *body.values(args) {
            [.., Value::Meta(variable), Value::Meta(expression)] => Some((variable, expression)),
            _ => None,
        }
    }

    /// `slot` replaces a field of the alloca `whole`, a variable of type `ty`; `path` as an address has it.
    pub fn split(&mut self, m: &mut Module, body: &mut Body, (whole, ty): (Inst, Type), path: &[i64], slot: (Inst, Type)) {
        for declaration in self.declared.get(&whole).cloned().unwrap_or_default() {
            let Some((variable, expression)) = Self::parts(body, declaration) else { continue };
            let piece = self.piece(m, ty, path.get(1..).unwrap_or_default());
            let size = self.sizes.of(m, slot.1);
            let Some(expression) = piece.zip(size).and_then(|(at, size)| inside(m, expression, at * 8, size * 8)) else { continue };
            let address = self.local(body, Value::Inst(slot.0));
            let callee = declare_intrinsic(m);
            let call = self.call(m, body, declaration, callee, &[address, Value::Meta(variable), Value::Meta(expression)]);
            self.following.entry(declaration).or_default().push(call);
        }
    }

    /// `slot` replaces a part of the alloca `whole`: so many bytes from a byte on.
    pub fn part(&mut self, m: &mut Module, body: &mut Body, whole: Inst, (at, size): (u64, u64), slot: Inst) {
        for declaration in self.declared.get(&whole).cloned().unwrap_or_default() {
            let Some((variable, expression)) = Self::parts(body, declaration) else { continue };
            let Some(expression) = inside(m, expression, at * 8, size.saturating_mul(8)) else { continue };
            let address = self.local(body, Value::Inst(slot));
            let callee = declare_intrinsic(m);
            let call = self.call(m, body, declaration, callee, &[address, Value::Meta(variable), Value::Meta(expression)]);
            self.following.entry(declaration).or_default().push(call);
        }
    }

    /// Bytes from the start of a type to a field.
    fn piece(&mut self, m: &Module, ty: Type, path: &[i64]) -> Option<u64> {
        let (mut at, mut ty) = (0u64, ty);
        for &n in path {
            let n = u64::try_from(n).ok()?;
            let (from, field) = match m.types[ty] {
                TypeKind::Array { elem, .. } | TypeKind::Vector { elem, .. } => (self.sizes.of(m, elem)?.checked_mul(n)?, elem),
                _ => {
                    let n = usize::try_from(n).ok()?;
                    (self.sizes.field(m, ty, n)?, *m.types.fields(ty)?.types.get(n)?)
                }
            };
            (at, ty) = (at.checked_add(from)?, field);
        }
        (at <= u64::from(u32::MAX)).then_some(at)
    }

    /// From `at` on, the variable in the alloca `slot` has the value `value`.
    pub fn say(&mut self, m: &mut Module, body: &mut Body, at: Inst, slot: Inst, value: Value) {
        for declaration in self.declared.get(&slot).cloned().unwrap_or_default() {
            let Some((variable, expression)) = Self::parts(body, declaration) else { continue };
            let value = match value {
                Value::Inst(_) | Value::Arg(_) => self.local(body, value),
                v => Value::Meta(m.meta.value(v)),
            };
            let callee = value_intrinsic(m);
            let zero = m.const_int(64, 0);
            let call = self.call(m, body, declaration, callee, &[value, zero, Value::Meta(variable), Value::Meta(expression)]);
            self.following.entry(at).or_default().push(call);
        }
    }

    /// Divides the debug records of values that are split among their pieces.
    pub fn divide(m: &mut Module, body: &mut Body, pieces: &Pieces) {
        let said: Vec<(Inst, Inst)> = body
            .blocks
            .values()
            .flatten()
            .filter_map(|&i| match body.insts[i].op {
                Op::Call { args, .. } if is_said(m, &body.insts[i].op) => match *body.values(args).first()? {
                    Value::LocalMeta(at) => match *body.local_meta.get(at as usize)? {
                        Value::Inst(of) if pieces.contains_key(&of) => Some((i, of)),
                        _ => None,
                    },
                    _ => None,
                },
                _ => None,
            })
            .collect();
        if said.is_empty() {
            return;
        }
        let mut all = Variables::new(m, body);
        for &(call, of) in &said {
            let Some((variable, expression)) = Self::parts(body, call) else { continue };
            let mut at = 0;
            for &piece in pieces[&of].iter() {
                let ty = match piece {
                    Value::Inst(i) => Some(body.insts[i].ty),
                    v => m.value_type(None, v),
                };
                let Some(size) = ty.and_then(|ty| all.sizes.of(m, ty)) else { break };
                let Some(expression) = inside(m, expression, at * 8, size * 8) else { break };
                at += size;
                let value = match piece {
                    Value::Inst(_) | Value::Arg(_) => all.local(body, piece),
                    v => Value::Meta(m.meta.value(v)),
                };
                let (callee, zero) = (value_intrinsic(m), m.const_int(64, 0));
                let made = all.call(m, body, call, callee, &[value, zero, Value::Meta(variable), Value::Meta(expression)]);
                all.following.entry(call).or_default().push(made);
            }
        }
        all.place(body);
        body.blocks.values_mut().for_each(|b| b.retain(|i| !said.iter().any(|s| s.0 == *i)));
    }

    /// Puts the calls in their places.
    pub fn place(&mut self, body: &mut Body) {
        let blocks: Vec<_> = body.blocks.keys().collect();
        for block in blocks {
            let old = std::mem::take(&mut body.blocks[block]);
            let (mut new, mut start) = (Vec::with_capacity(old.len()), Vec::new());
            for i in old {
                let own = self.following.remove(&i).unwrap_or_default();
                if matches!(body.insts[i].op, Op::Phi(_)) {
                    // Phis begin the block.
                    start.extend(own);
                    new.push(i);
                } else {
                    new.append(&mut start);
                    new.push(i);
                    new.extend(own);
                }
            }
            new.append(&mut start);
            body.blocks[block] = new;
        }
    }
}

/// Removes the debug intrinsics whose instructions are in no block any more.
pub fn forget_lost(m: &mut Module, func: Func) {
    let Some(mut body) = m.funcs[func].body.take() else { return };
    if !body.local_meta.is_empty() {
        let there: FxHashSet<Inst> = body.blocks.values().flatten().copied().collect();
        let is_lost = |v: &Value| matches!(v, Value::Inst(i) if !there.contains(i));
        let speaks = |v: Value| matches!(v, Value::LocalMeta(at) if body.local_meta.get(at as usize).is_none_or(is_lost));
        let all = body.blocks.values().flatten().copied().filter(|&i| is_said(m, &body.insts[i].op));
        let gone: FxHashSet<Inst> = all.filter(|&i| any_operand(&body, i, speaks)).collect();
        body.blocks.values_mut().for_each(|b| b.retain(|i| !gone.contains(i)));
        body.attached.retain(|a| !gone.contains(&a.0));
        // No intrinsic refers to them, but the writer still writes them.
        let undefined = m.i32(0);
        body.local_meta.iter_mut().filter(|v| is_lost(v)).for_each(|v| *v = undefined);
    }
    m.funcs[func].body = Some(body);
}

fn any_operand(body: &Body, inst: Inst, is: impl Fn(Value) -> bool) -> bool {
    let mut any = false;
    body.operands(inst, |v| any |= is(v));
    any
}

/// The expression of a piece of what `expression` describes. None if it describes something else than a variable or a piece.
fn inside(m: &mut Module, expression: Meta, offset: u64, size: u64) -> Option<Meta> {
    let MetaNode::Debug { fields, .. } = &m.meta[expression] else { return None };
    let offset = match **fields {
        [_] => offset,
        [_, BIT_PIECE, from, _] => from.checked_add(offset)?,
        _ => return None,
    };
    Some(push(m, DebugNode::Expression, &[0, BIT_PIECE, offset, size]))
}
