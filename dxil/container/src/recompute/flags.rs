//! The shader flags of one function, by its own instructions.
//!
//! Flags are those of entry property 0 ([`crate::shader_flags`] names them). The rules are the reference validator's, its
//! slips included: of several comparisons with gradient or bias the last sampling instruction decides, and a handle made of
//! an element of an array is not followed to its resource.

use rtc_tables::dxil_ops::{DxOp, flag, op};
use rtc_tables::resources::ResourceKind;
use rustc_hash::{FxHashMap, FxHashSet};

use super::uses::instructions;
use crate::metadata::{Info, Resource};
use crate::shader_flags::bit;
use crate::{ResourceClass, ShaderKind};
use rtc_dxil_module::{BinOp, Body, CastOp, ConstKind, Func, GROUPSHARED, Global, Inst, Module, Op, Type, TypeKind, Value};

/// What flags of functions are found from.
pub struct Collector<'m> {
    m: &'m Module,
    known: &'m Info,
    uav_of: FxHashMap<Global, usize>,
    uav_at: FxHashMap<(u32, u32, u32), usize>,
    has_uavs: bool,
    multisampled: bool,
    may_alias: bool,
    /// Numbers of UAVs (rows of [`Info::resources`]) that 64-bit atomics are used on.
    pub atomic64: FxHashSet<usize>,
}

/// What a handle is of.
#[derive(Clone, Copy, Default)]
struct Handle {
    uav: bool,
    kind: Option<ResourceKind>,
    components: u32,
}

impl<'m> Collector<'m> {
    /// Prepares for a module.
    pub fn new(m: &'m Module, known: &'m Info) -> Self {
        let (mut uav_of, mut uav_at) = (FxHashMap::default(), FxHashMap::default());
        let (mut has_uavs, mut multisampled) = (false, false);
        for (row, r) in known.resources.iter().enumerate().filter(|(_, r)| r.class == ResourceClass::Uav) {
            has_uavs = true;
            multisampled |= r.kind.is_multisampled();
            if let Some(g) = r.global {
                uav_of.entry(g).or_insert(row);
            }
            uav_at.entry((r.space, r.lower, r.upper())).or_insert(row);
        }
        Collector { m, known, uav_of, uav_at, has_uavs, multisampled, may_alias: known.may_alias, atomic64: FxHashSet::default() }
    }

    /// The flags of a function with a body.
    pub fn function(&mut self, func: Func, body: &'m Body) -> u64 {
        let newer = self.known.since(8);
        let mut f = Function {
            m: self.m,
            func,
            body,
            flags: 0,
            tiled_by_clamp: newer,
            uavs: !newer && self.has_uavs,
            multisampled: !newer && self.multisampled,
        };
        for i in instructions(body) {
            self.instruction(&mut f, i);
        }
        let mut flags = f.flags;
        if !newer {
            // Before 1.8 the instructions themselves set the bit, in shaders of these stages only.
            if flags & bit::DERIVATIVES != 0 && matches!(self.known.kind, ShaderKind::Mesh | ShaderKind::Amplification) {
                flags |= bit::MESH_DERIVATIVES;
            }
            flags &= !bit::FUNCTION_ONLY;
        }
        if !self.known.since(9) || self.known.first_release {
            flags &= !bit::SAMPLER_FEEDBACK;
        }
        if !self.known.since(6) {
            flags &= !bit::BARYCENTRICS;
        }
        if f.multisampled {
            flags |= bit::WRITEABLE_MSAA;
        }
        let dxil_1_7 = self.known.dxil.major > 1 || self.known.dxil.minor >= 7;
        if f.uavs && dxil_1_7 && !self.may_alias {
            flags |= bit::UAVS_DO_NOT_ALIAS;
        }
        // The flags of the whole module apply to each function.
        flags | self.known.flags() & (bit::NATIVE_LOW_PRECISION | bit::DISABLE_OPTIMIZATIONS | bit::ALL_RESOURCES_BOUND)
    }

    fn instruction(&mut self, f: &mut Function<'m>, i: Inst) {
        let data = f.body.insts[i];
        let call = match data.op {
            Op::Call { callee: Value::Func(callee), args, .. } if self.m.is_dx_op(callee) => Some(f.body.values(args)),
            // Of what is not a DXIL operation nothing is seen but its body.
            Op::Call { .. } => return,
            _ => None,
        };
        let mut types = Seen::default();
        types.add(self.m, data.ty);
        let picks = matches!(data.op, Op::ExtractElement { .. } | Op::InsertElement { .. });
        if !picks {
            f.body.operands(i, |v| {
                if let Some(ty) = self.m.value_type(Some(f.func), v) {
                    types.add(self.m, ty);
                }
            });
        }
        if types.shared {
            f.flags |= bit::NEEDS_GROUP;
        }
        if picks {
            return;
        }
        if types.double {
            f.flags |= bit::DOUBLES;
            let more = match data.op {
                Op::Binary { op, .. } => op == BinOp::SDiv,
                Op::Cast { op, .. } => matches!(op, CastOp::UiToFp | CastOp::SiToFp | CastOp::FpToUi | CastOp::FpToSi),
                _ => false,
            };
            if more {
                f.flags |= bit::DOUBLE_EXTENSIONS;
            }
        }
        if types.wide {
            f.flags |= bit::INT64;
            if matches!(data.op, Op::AtomicRmw { .. } | Op::CmpXchg { .. }) {
                f.flags |= bit::ATOMIC64_GROUPSHARED;
            }
        }
        if types.low {
            f.flags |= bit::LOW_PRECISION;
        }
        if let Some(args) = call {
            self.operation(f, args, &types);
        }
    }

    fn operation(&mut self, f: &mut Function<'m>, args: &[Value], types: &Seen) {
        let Some(opcode) = self.opcode(args) else { return };
        let row = opcode.row();
        if row.flags & flag::WAVE != 0 {
            f.flags |= bit::WAVE;
        }
        if row.flags & flag::FEEDBACK != 0 {
            f.flags |= bit::SAMPLER_FEEDBACK;
        }
        let handle = args.get(1).copied();
        match opcode {
            op::CHECK_ACCESS_FULLY_MAPPED => f.flags |= bit::TILED,
            op::MSAD => f.flags |= bit::MSAD,
            op::TEXTURE_LOAD | op::BUFFER_LOAD => {
                if opcode == op::TEXTURE_LOAD && f.variable(args, 6) {
                    f.flags |= bit::ADVANCED_TEXTURE;
                }
                let loaded = handle.map(|h| self.handle(f, h)).unwrap_or_default();
                let typed = loaded.kind.is_some_and(is_typed) && loaded.components > 1;
                if loaded.uav && (typed || !self.known.since(1)) {
                    f.flags |= bit::TYPED_UAV_LOAD;
                }
            }
            op::FMA if types.double => f.flags |= bit::DOUBLE_EXTENSIONS,
            op::INNER_COVERAGE => f.flags |= bit::INNER_COVERAGE,
            op::VIEW_ID => f.flags |= bit::VIEW_ID,
            op::ALLOCATE_RAY_QUERY | op::ALLOCATE_RAY_QUERY_2 | op::GEOMETRY_INDEX => f.flags |= bit::RAYTRACING_TIER_1_1,
            op::ATTRIBUTE_AT_VERTEX => f.flags |= bit::BARYCENTRICS,
            op::ATOMIC_BIN_OP | op::ATOMIC_COMPARE_EXCHANGE if types.wide => {
                let Some(made) = handle.and_then(|h| f.creation(h)) else { return };
                if self.created(f, made).kind.is_some_and(is_typed) {
                    f.flags |= bit::ATOMIC64_TYPED;
                }
                match self.resource(f, made) {
                    Some(row) => drop(self.atomic64.insert(row)),
                    None => f.flags |= bit::ATOMIC64_HEAP,
                }
            }
            op::SAMPLE_LEVEL | op::SAMPLE_CMP_LEVEL_ZERO => f.offsets(args),
            op::SAMPLE_GRAD | op::SAMPLE_CMP_GRAD => {
                f.offsets(args);
                f.clamp(args);
                f.gradient_or_bias(opcode == op::SAMPLE_CMP_GRAD);
            }
            op::SAMPLE | op::SAMPLE_BIAS | op::SAMPLE_CMP | op::SAMPLE_CMP_BIAS => {
                f.offsets(args);
                f.clamp(args);
                f.gradient_or_bias(opcode == op::SAMPLE_CMP_BIAS);
                f.flags |= bit::DERIVATIVES;
            }
            op::DERIV_COARSE_X | op::DERIV_COARSE_Y | op::DERIV_FINE_X | op::DERIV_FINE_Y | op::CALCULATE_LOD => {
                f.flags |= bit::DERIVATIVES;
            }
            op::CREATE_HANDLE_FROM_HEAP => {
                let sampler = args.get(2).and_then(|&v| self.m.int_of(v)).is_some_and(|n| n != 0);
                f.flags |= if sampler { bit::SAMPLER_HEAP } else { bit::RESOURCE_HEAP };
            }
            op::CREATE_HANDLE | op::CREATE_HANDLE_FOR_LIB | op::ANNOTATE_HANDLE => {
                let made = self.created(f, args);
                if made.uav {
                    f.uavs = true;
                    // Validators before 1.8 go by the declared resources alone.
                    f.multisampled |= self.known.since(8) && made.kind.is_some_and(ResourceKind::is_multisampled);
                }
            }
            op::TEXTURE_STORE_SAMPLE => {
                f.multisampled = true;
                f.flags |= bit::ADVANCED_TEXTURE;
            }
            op::SAMPLE_CMP_LEVEL | op::TEXTURE_GATHER_RAW => f.flags |= bit::ADVANCED_TEXTURE,
            op::START_VERTEX_LOCATION | op::START_INSTANCE_LOCATION => f.flags |= bit::EXTENDED_COMMAND_INFO,
            op::GET_GROUP_WAVE_INDEX | op::GET_GROUP_WAVE_COUNT => f.flags |= bit::NEEDS_GROUP,
            _ if super::barrier::needs_group(self.m, opcode, args) => f.flags |= bit::NEEDS_GROUP,
            _ => {}
        }
    }

    /// The opcode of a call with these arguments.
    fn opcode(&self, args: &[Value]) -> Option<DxOp> {
        DxOp::from_u32(self.m.int_of(*args.first()?)? as u32)
    }

    fn handle(&self, f: &Function<'m>, handle: Value) -> Handle {
        f.creation(handle).map(|args| self.created(f, args)).unwrap_or_default()
    }

    /// What the handle is of that a call with these arguments makes.
    fn created(&self, f: &Function<'m>, args: &[Value]) -> Handle {
        let number = |n: usize| args.get(n).and_then(|&v| self.m.int_of(v));
        let of = |r: Option<&Resource>| r.map(|r| self.properties(r)).unwrap_or_default();
        match self.opcode(args) {
            Some(op::CREATE_HANDLE) => {
                let class = match number(1) {
                    Some(0) => ResourceClass::Srv,
                    Some(1) => ResourceClass::Uav,
                    _ => return Handle::default(),
                };
                let range = args.get(2).and_then(|&v| f.some_int(v));
                of(range.and_then(|n| self.known.of_class(class).nth(n as usize)))
            }
            Some(op::CREATE_HANDLE_FOR_LIB) => of(args.get(1).and_then(|&v| self.loaded_uav(f, v)).map(|row| &self.known.resources[row])),
            Some(op::ANNOTATE_HANDLE) => {
                let Some([basic, detail]) = args.get(2).and_then(|&v| two_words(self.m, v)) else {
                    return Handle::default();
                };
                Handle { uav: basic >> 12 & 1 != 0, kind: ResourceKind::from_number(basic & 0xff), components: detail >> 8 & 0xff }
            }
            _ => Handle::default(),
        }
    }

    fn properties(&self, r: &Resource) -> Handle {
        let components = if is_typed(r.kind) { r.components(self.m) } else { 0 };
        Handle { uav: r.class == ResourceClass::Uav, kind: Some(r.kind), components }
    }

    /// The UAV whose variable, itself and not an element of it, is loaded.
    fn loaded_uav(&self, f: &Function<'m>, value: Value) -> Option<usize> {
        let Value::Inst(i) = value else { return None };
        let Op::Load { ptr: Value::Global(g), .. } = f.body.insts[i].op else { return None };
        self.uav_of.get(&g).copied()
    }

    /// The UAV of an annotated handle, if it comes from a binding or a variable.
    fn resource(&self, f: &Function<'m>, annotated: &[Value]) -> Option<usize> {
        if self.opcode(annotated) != Some(op::ANNOTATE_HANDLE) {
            return None;
        }
        let inner = f.call(*annotated.get(1)?)?;
        match self.opcode(inner)? {
            op::CREATE_HANDLE_FROM_BINDING => {
                let words = words(self.m, *inner.get(1)?)?;
                let &[lower, upper, space, class] = words.as_slice() else { return None };
                (class & 0xff == ResourceClass::Uav.number()).then(|| self.uav_at.get(&(space, lower, upper)).copied())?
            }
            op::CREATE_HANDLE_FOR_LIB => self.loaded_uav(f, *inner.get(1)?),
            _ => None,
        }
    }
}

/// Whether the validator counts it as typed: buffers of texels and textures, feedback included.
fn is_typed(kind: ResourceKind) -> bool {
    kind.is_typed() || matches!(kind, ResourceKind::FeedbackTexture2D | ResourceKind::FeedbackTexture2DArray)
}

/// The types of an instruction and its operands.
#[derive(Default)]
struct Seen {
    double: bool,
    wide: bool,
    low: bool,
    shared: bool,
}

impl Seen {
    fn add(&mut self, m: &Module, ty: Type) {
        match m.types[ty] {
            TypeKind::Double => self.double = true,
            TypeKind::Half | TypeKind::Int(16) => self.low = true,
            TypeKind::Int(64) => self.wide = true,
            TypeKind::Pointer { space: GROUPSHARED, .. } => self.shared = true,
            _ => {}
        }
    }
}

/// The integers of a constant structure.
pub fn words(m: &Module, value: Value) -> Option<Vec<u32>> {
    let Value::Const(c) = value else { return None };
    match &m.consts[c].kind {
        ConstKind::Aggregate(values) => values.iter().map(|&v| m.int_of(v).map(|n| n as u32)).collect(),
        ConstKind::Null => Some(vec![0; m.types.fields(m.consts[c].ty)?.types.len()]),
        _ => None,
    }
}

fn two_words(m: &Module, value: Value) -> Option<[u32; 2]> {
    <[u32; 2]>::try_from(words(m, value)?).ok()
}

/// The function whose flags are collected.
struct Function<'m> {
    m: &'m Module,
    func: Func,
    body: &'m Body,
    flags: u64,
    tiled_by_clamp: bool,
    uavs: bool,
    multisampled: bool,
}

impl<'m> Function<'m> {
    /// The arguments of a call of a function.
    fn call(&self, value: Value) -> Option<&'m [Value]> {
        let Value::Inst(i) = value else { return None };
        match self.body.insts[i].op {
            Op::Call { args, .. } => Some(self.body.values(args)),
            _ => None,
        }
    }

    /// The first of the values that a value may be, as long as phis and selects lead to others.
    fn first(&self, mut value: Value) -> Value {
        let mut seen = FxHashSet::default();
        while let Value::Inst(i) = value
            && seen.insert(i)
        {
            value = match self.body.insts[i].op {
                Op::Phi(list) => match self.body.values(list).first() {
                    Some(&v) => v,
                    None => return value,
                },
                Op::Select { then, .. } => then,
                _ => return value,
            };
        }
        value
    }

    /// Some call that makes a handle.
    fn creation(&self, handle: Value) -> Option<&'m [Value]> {
        self.call(self.first(handle))
    }

    fn some_int(&self, value: Value) -> Option<i64> {
        self.m.int_of(self.first(value))
    }

    /// Whether one of three offsets is no constant.
    fn variable(&self, args: &[Value], at: usize) -> bool {
        args.get(at..at + 3).is_some_and(|o| o.iter().any(|v| !matches!(v, Value::Const(_))))
    }

    fn offsets(&mut self, args: &[Value]) {
        if self.variable(args, 7) {
            self.flags |= bit::ADVANCED_TEXTURE;
        }
    }

    fn clamp(&mut self, args: &[Value]) {
        let Some(&last) = args.last() else { return };
        let clamps = match last {
            Value::Const(c) => match self.m.consts[c].kind {
                ConstKind::Float(bits) => bits & 0x7fff_ffff != 0,
                ConstKind::Undef => false,
                _ => true,
            },
            _ => true,
        };
        if clamps && self.tiled_by_clamp {
            self.flags |= bit::TILED;
        }
    }

    fn gradient_or_bias(&mut self, yes: bool) {
        self.flags &= !bit::SAMPLE_CMP_GRADIENT_OR_BIAS;
        if yes {
            self.flags |= bit::SAMPLE_CMP_GRADIENT_OR_BIAS;
        }
    }
}
