//! Facts of a function recomputed from its code, as a validator does: slower than [`super::super::facts`] and
//! independent of it.

use rtc_ir as ir;
use rtc_tables::dxil_ops::{DxOp, flag, stage};
use rtc_tables::resources::{ResourceClass, ResourceKind};

use crate::facts::Facts;
use crate::resources::Resource;
use rtc_dxil_container::shader_flags::bit;
use rtc_dxil_module::{BinOp, Body, CastOp, ConstKind, Func, GROUPSHARED, Module, Op, Type, TypeKind, Value};

/// What was found.
pub struct Recomputed {
    pub flags: u64,
    pub model: u32,
    pub stages: u32,
    pub resources: Vec<u32>,
}

/// Reads the code of `func`.
pub fn function(m: &ir::Module, facts: &Facts, out: &Module, func: Func) -> Recomputed {
    let body = out.funcs[func].body.as_ref().expect("a definition");
    let mut found = Recomputed { flags: 0, model: 0, stages: 0xffff, resources: Vec::new() };
    for list in body.blocks.values() {
        for &inst in list {
            let data = body.insts[inst];
            let mut types = vec![data.ty];
            body.operands(inst, |v| {
                types.extend(out.value_type(Some(func), v));
                if let Some(r) = global_of(out, facts, m, v) {
                    found.resources.push(r as u32);
                }
                if let Value::Global(g) = v
                    && out.globals[g].space == GROUPSHARED
                {
                    found.group();
                }
            });
            found.types(out, &types, &data.op);
            if let Op::Call { callee, args, .. } = data.op {
                found.call(m, facts, out, body, callee, body.values(args));
            }
            if let Op::AtomicRmw { value, .. } | Op::CmpXchg { new: value, .. } = data.op
                && out.value_type(Some(func), value).is_some_and(|t| is_i64(out, t))
            {
                found.flags |= bit::ATOMIC64_GROUPSHARED;
            }
        }
    }
    if found.flags & bit::LOW_PRECISION != 0 && m.native_16bit {
        found.flags |= bit::NATIVE_LOW_PRECISION;
    }
    found.resources.sort_unstable();
    found.resources.dedup();
    found
}

fn is_i64(out: &Module, t: Type) -> bool {
    out.types[t] == TypeKind::Int(64)
}

/// The row of the resource whose symbol a value is.
fn global_of(out: &Module, facts: &Facts, m: &ir::Module, v: Value) -> Option<usize> {
    let g = match v {
        Value::Global(g) => g,
        Value::Const(c) => match &out.consts[c].kind {
            ConstKind::Gep { operands, .. } => return global_of(out, facts, m, operands[0]),
            _ => return None,
        },
        _ => return None,
    };
    let name = &*out.globals[g].name;
    facts.resources.iter().position(|r| m.globals[r.global].symbol == name)
}

impl Recomputed {
    fn group(&mut self) {
        self.flags |= bit::NEEDS_GROUP;
        self.stages &= u32::from(stage::CS | stage::LIB | stage::MESH | stage::AMP | stage::NODE);
    }

    fn types(&mut self, out: &Module, types: &[Type], op: &Op) {
        let any = |k: TypeKind| types.iter().any(|&t| out.types[t] == k);
        if any(TypeKind::Double) {
            self.flags |= bit::DOUBLES;
            let extended = match op {
                Op::Binary { op: BinOp::SDiv, .. } => true,
                Op::Cast { op, .. } => matches!(op, CastOp::UiToFp | CastOp::SiToFp | CastOp::FpToUi | CastOp::FpToSi),
                _ => false,
            };
            if extended {
                self.flags |= bit::DOUBLE_EXTENSIONS;
            }
        }
        if any(TypeKind::Int(64)) {
            self.flags |= bit::INT64;
        }
        if any(TypeKind::Half) || any(TypeKind::Int(16)) {
            self.flags |= bit::LOW_PRECISION;
        }
    }

    fn call(&mut self, m: &ir::Module, facts: &Facts, out: &Module, body: &Body, callee: Value, args: &[Value]) {
        let Value::Func(f) = callee else { return };
        assert!(out.is_dx_op(f), "only DXIL operations are called");
        let Some(opcode) = int(out, args[0]) else {
            panic!("an opcode that is no constant");
        };
        let op = DxOp::from_u32(opcode as u32).expect("a known operation").row();
        assert!(out.funcs[f].name.starts_with(&format!("dx.op.{}", op.function)), "{} is not {}", out.funcs[f].name, op.name);
        assert_eq!(args.len(), op.params.len() + 1, "arguments of {}", op.name);
        self.model = self.model.max(op.min_sm_in_library.1.into());
        self.stages &= u32::from(op.stages);
        if op.flags & flag::GRADIENT != 0 {
            self.flags |= bit::DERIVATIVES;
        }
        let wide =
            || out.value_type(None, Value::Func(f)).and_then(|t| out.types.pointee(t)).and_then(|t| out.types.signature(t).map(|s| s.0));
        match op.name {
            "CheckAccessFullyMapped" => self.flags |= bit::TILED,
            "GeometryIndex" => self.flags |= bit::RAYTRACING_TIER_1_1,
            "Fma" => self.flags |= bit::DOUBLE_EXTENSIONS,
            "SampleCmpLevel" => self.flags |= bit::ADVANCED_TEXTURE,
            "Barrier" if int(out, args[1]).is_some_and(|n| n & !2 != 0) => self.group(),
            "BufferLoad" | "TextureLoad" => {
                let r = resource_of(m, facts, out, body, args[1]);
                if r.is_some_and(|r| r.class == ResourceClass::Uav && r.kind.is_typed() && r.lanes > 1) {
                    self.flags |= bit::TYPED_UAV_LOAD;
                }
            }
            "AtomicBinOp" | "AtomicCompareExchange" if wide().is_some_and(|t| is_i64(out, t)) => {
                self.model = self.model.max(6);
                let r = resource_of(m, facts, out, body, args[1]);
                let raw = |k| matches!(k, ResourceKind::RawBuffer | ResourceKind::StructuredBuffer);
                if r.is_some_and(|r| !raw(r.kind)) {
                    self.flags |= bit::ATOMIC64_TYPED;
                }
            }
            _ => {}
        }
    }
}

fn int(out: &Module, v: Value) -> Option<i64> {
    match v {
        Value::Const(c) => match out.consts[c].kind {
            ConstKind::Int(n) => Some(n),
            _ => None,
        },
        _ => None,
    }
}

/// The resource of a handle: back through annotation, creation, load and indexing to the symbol, or by class
/// and number.
fn resource_of<'f>(m: &ir::Module, facts: &'f Facts, out: &Module, body: &Body, handle: Value) -> Option<&'f Resource> {
    let mut v = handle;
    loop {
        let Value::Inst(i) = v else {
            return global_of(out, facts, m, v).map(|n| &facts.resources[n]);
        };
        v = match body.insts[i].op {
            Op::Call { args, .. } => {
                let args = body.values(args);
                match int(out, args[0])? {
                    57 => {
                        let (class, id) = (int(out, args[1])?, int(out, args[2])?);
                        let same = |r: &&Resource| r.class as i64 == class && i64::from(r.id) == id;
                        return facts.resources.iter().find(same);
                    }
                    217 => {
                        let Value::Const(c) = args[1] else {
                            return None;
                        };
                        let words = match &out.consts[c].kind {
                            ConstKind::Aggregate(words) => words.clone(),
                            _ => vec![args[1]; 4].into(),
                        };
                        let word = |n: usize| int(out, words[n]).unwrap_or(0) as u32;
                        let same = |r: &&Resource| (r.lower, r.space, r.class as u32) == (word(0), word(2), word(3));
                        return facts.resources.iter().find(same);
                    }
                    _ => args[1],
                }
            }
            Op::Load { ptr, .. } => ptr,
            Op::Gep { operands, .. } => body.values(operands)[0],
            _ => return None,
        };
    }
}
