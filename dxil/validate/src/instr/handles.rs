//! Maps each handle to the properties of its resource.
//!
//! One pass over a function's instructions finds, for every instruction that makes a handle, the properties of the
//! resource: those in an `annotateHandle`, or those of the record that a `createHandle` names, or of the record whose
//! global a `createHandleForLib` gets. Handles are not followed through anything else, as they must come from a call.

use super::*;
use rtc_dxil_container::metadata::Resource;
use rtc_dxil_container::{ComponentType, ResourceKind};
use rtc_dxil_module::CastOp;
use rtc_tables::dxil_ops::op;

/// The properties of a resource, as `annotateHandle` has them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Props {
    basic: u32,
    detail: u32,
}

const UAV: u32 = 1 << 12;
const ROV: u32 = 1 << 13;
const COHERENT: u32 = 1 << 14;
const COMPARISON_OR_COUNTER: u32 = 1 << 15;
const REORDER_COHERENT: u32 = 1 << 16;

impl Props {
    /// The shape; `Invalid` if unknown.
    pub(super) fn kind(self) -> ResourceKind {
        ResourceKind::from_number(self.basic & 0xFF).unwrap_or(ResourceKind::Invalid)
    }

    /// The class; none of nothing.
    pub(super) fn class(self) -> Option<ResourceClass> {
        match self.kind() {
            ResourceKind::Invalid => None,
            ResourceKind::CBuffer => Some(ResourceClass::Cbv),
            ResourceKind::Sampler => Some(ResourceClass::Sampler),
            _ if self.is_uav() => Some(ResourceClass::Uav),
            _ => Some(ResourceClass::Srv),
        }
    }

    /// Whether it says UAV.
    pub(super) fn is_uav(self) -> bool {
        self.basic & UAV != 0
    }

    /// Sampler: comparison. UAV: it has a counter.
    pub(super) fn comparison_or_counter(self) -> bool {
        self.basic & COMPARISON_OR_COUNTER != 0
    }

    /// Whether it is `reordercoherent`.
    pub(super) fn reorder_coherent(self) -> bool {
        self.basic & REORDER_COHERENT != 0
    }

    /// The component type of a typed resource.
    pub(super) fn component(self) -> ComponentType {
        ComponentType::from_number(self.detail & 0xFF).unwrap_or(ComponentType::Invalid)
    }

    /// Bytes of a constant buffer.
    pub(super) fn size(self) -> u32 {
        self.detail
    }

    /// The properties of a declared resource.
    fn of(r: &Resource) -> Props {
        let bit = |on: bool, bit: u32| if on { bit } else { 0 };
        let mut p = Props { basic: r.kind.number(), detail: 0 };
        match r.class {
            ResourceClass::Cbv => p.detail = r.size,
            ResourceClass::Sampler => p.basic |= bit(r.sampler == 1, COMPARISON_OR_COUNTER),
            ResourceClass::Srv | ResourceClass::Uav => {
                if r.class == ResourceClass::Uav {
                    p.basic |= UAV
                        | bit(r.coherent, COHERENT)
                        | bit(r.counter, COMPARISON_OR_COUNTER)
                        | bit(r.rov, ROV)
                        | bit(r.reorder_coherent, REORDER_COHERENT);
                }
                p.detail = match r.kind {
                    ResourceKind::StructuredBuffer => r.size,
                    _ => r.component.number(),
                };
            }
        }
        p
    }

    /// The properties that a constant holds.
    pub(super) fn constant(m: &Module, value: Value) -> Option<Props> {
        let [basic, detail] = m.int_pair_of(value)?.map(|n| n as u32);
        Some(Props { basic, detail })
    }
}

/// A handle.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Handle {
    /// Its resource; nothing for instructions that are no handle, or one that says nothing yet.
    pub props: Props,
    /// One more than the number within the class of the record that a `createHandle` names.
    pub range: u32,
}

/// Which resource's global an address comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Origin {
    /// Not looked at yet.
    #[default]
    Unknown,
    /// No resource's.
    Other,
    /// The resource with this index.
    Resource(u32),
}

/// Loads of addresses of loads: how far to look back.
const FAR: u32 = 16;

/// What resources as such must be, and which global stands for which.
pub(super) fn declared(cx: &mut Cx<'_>) {
    for (n, r) in cx.info.resources.iter().enumerate() {
        cx.instr.records.entry((r.class, r.id)).or_insert(n as u32);
        if r.reorder_coherent && !since(cx, 9) {
            cx.module(rule::INSTR_REORDER_COHERENT, format!("'{}' is reordercoherent", r.name.escape_debug()));
        }
        if !cx.info.is_library() {
            continue;
        }
        let Some(g) = r.global else { continue };
        let first = *cx.instr.globals.entry(g).or_insert(n as u32);
        if Props::of(&cx.info.resources[first as usize]) != Props::of(r) {
            let text = format!("'{}' stands for several resources", cx.m.globals[g].name.escape_debug());
            cx.module(rule::INSTR_RESOURCE_SINGLE_ENTRY, text);
        }
    }
}

/// Finds the resource of every handle of a function.
pub(super) fn resolve(cx: &mut Cx<'_>, here: Here<'_>) {
    let count = here.body.insts.len();
    cx.instr.handles.clear();
    cx.instr.handles.resize(count, Handle::default());
    cx.instr.origins.clear();
    if !cx.instr.globals.is_empty() {
        cx.instr.origins.resize(count, Origin::Unknown);
    }
    for &inst in here.body.blocks.values().flatten() {
        let data = &here.body.insts[inst];
        if cx.instr.class(data.ty) == TypeClass::Handle
            && let Some(call) = cx.call(here.body, inst)
        {
            cx.instr.handles[inst.index()] = made(cx, here, call);
        }
    }
}

/// The handle that a call makes.
fn made(cx: &mut Cx<'_>, here: Here<'_>, call: Call<'_>) -> Handle {
    let mut handle = Handle::default();
    match (call.op.opcode, call.args) {
        (op::ANNOTATE_HANDLE, &[_, _, props]) => handle.props = Props::constant(cx.m, props).unwrap_or_default(),
        (op::CREATE_HANDLE_FOR_LIB, &[_, value]) => {
            if let Some(n) = origin(cx, here, value) {
                handle.props = Props::of(&cx.info.resources[n as usize]);
            }
        }
        (op::CREATE_HANDLE, &[_, class, range, ..]) if !cx.info.is_library() => {
            if let (Some(class), Some(range)) = (unsigned(cx, class), unsigned(cx, range))
                && let Some(class) = ResourceClass::from_number(class & 0xFF)
                && let Some(r) = record(cx, class, range)
            {
                handle = Handle { props: Props::of(r), range: range.wrapping_add(1) };
            }
        }
        _ => {}
    }
    handle
}

/// The record of a class with a number.
pub(super) fn record<'a>(cx: &Cx<'a>, class: ResourceClass, number: u32) -> Option<&'a Resource> {
    cx.instr.records.get(&(class, number)).map(|&n| &cx.info.resources[n as usize])
}

/// The handle that a value is.
pub(super) fn of(cx: &Cx<'_>, value: Value) -> Handle {
    match value {
        Value::Inst(i) => cx.instr.handles.get(i.index()).copied().unwrap_or_default(),
        _ => Handle::default(),
    }
}

/// The resource whose global an address, or a value loaded from one, comes from.
fn origin(cx: &mut Cx<'_>, here: Here<'_>, value: Value) -> Option<u32> {
    let mut v = value;
    let mut found = Origin::Other;
    for _ in 0..FAR {
        match v {
            Value::Global(g) => {
                if let Some(&n) = cx.instr.globals.get(&g) {
                    found = Origin::Resource(n);
                }
                break;
            }
            Value::Const(c) => match &cx.m.consts[c].kind {
                ConstKind::Gep { operands, .. } if !operands.is_empty() => v = operands[0],
                _ => break,
            },
            Value::Inst(i) => {
                match cx.instr.origins.get(i.index()) {
                    None => break,
                    Some(Origin::Unknown) => {}
                    Some(&known) => {
                        found = known;
                        break;
                    }
                }
                match here.body.insts[i].op {
                    Op::Load { ptr, .. } => v = ptr,
                    Op::Gep { operands, .. } => match here.body.values(operands).first() {
                        Some(&base) => v = base,
                        None => break,
                    },
                    _ => break,
                }
            }
            _ => break,
        }
    }
    if let Value::Inst(i) = value
        && let Some(slot) = cx.instr.origins.get_mut(i.index())
    {
        *slot = found;
    }
    match found {
        Origin::Resource(n) => Some(n),
        _ => None,
    }
}

/// The global of a resource is indexed, loaded and passed to calls, nothing else.
pub(super) fn users(cx: &mut Cx<'_>, here: Here<'_>, inst: Inst) {
    if cx.instr.globals.is_empty() {
        return;
    }
    let op = &here.body.insts[inst].op;
    if matches!(op, Op::Gep { .. } | Op::Load { .. } | Op::Call { .. }) {
        return;
    }
    let mut wrong = None;
    here.body.op_operands(op, |value| {
        let of = match value {
            Value::Const(c) => match cx.m.consts[c].kind {
                ConstKind::Cast { op: CastOp::BitCast, value } => value,
                _ => value,
            },
            _ => value,
        };
        if matches!(of, Value::Inst(_) | Value::Global(_) | Value::Const(_)) {
            wrong = wrong.or(origin(cx, here, of));
        }
    });
    if let Some(n) = wrong {
        let name = cx.info.resources[n as usize].name.escape_debug();
        cx.inst(rule::INSTR_RESOURCE_USER, here, inst, format!("resource '{name}' is neither indexed nor loaded here"));
    }
}
