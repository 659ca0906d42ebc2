//! Rules about root signatures of single shaders: valid, and every resource is bound.
//!
//! The stored one is in part `RTS0`, or, before a container is made of a module, in the entry point's properties. A resource
//! is bound if one range or root argument, visible to the stage, has all its registers. Buffers alone can be bound by address.

use crate::Cx;
use rtc_dxil_container::metadata::{Resource, tag};
use rtc_dxil_container::{Container, FourCc, ResourceClass, ResourceKind};
use rtc_dxil_module::ConstKind;
use rtc_dxil_module::{MetaNode, Value};
use rtc_rootsig::{self as rootsig, RootParamKind, RootSignature, UNBOUNDED, Visibility};
use rtc_tables::validation::rule;

/// Checks part `RTS0`, or else the root signature in the metadata.
pub(crate) fn root_signature(cx: &mut Cx<'_>, file: &Container) {
    if cx.info.is_library() {
        return;
    }
    if let Some(part) = file.part(FourCc::RTS0) {
        check_bytes(cx, "RTS0", &part.data);
    } else if let Some(bytes) = in_metadata(cx) {
        check_bytes(cx, "DXIL", &bytes);
    }
}

/// The bytes in the properties of the entry point.
fn in_metadata(cx: &Cx<'_>) -> Option<Vec<u8>> {
    let m = cx.m;
    let node = cx.info.entries.first()?.props.get(tag::ROOT_SIGNATURE)?;
    let value = match &m.meta[node] {
        MetaNode::Node { elems, .. } => elems.first().copied().flatten()?,
        _ => node,
    };
    let MetaNode::Value(Value::Const(c)) = m.meta[value] else { return None };
    match &m.consts[c].kind {
        ConstKind::Data(bytes) => Some(bytes.iter().map(|&b| b as u8).collect()),
        _ => None,
    }
}

fn check_bytes(cx: &mut Cx<'_>, part: &str, bytes: &[u8]) {
    let signature = match rootsig::read(bytes) {
        Ok(s) => s,
        Err(e) => return cx.part(rule::ROOT_SIGNATURE_INCOMPATIBLE, part, e.offset, e.reason),
    };
    if let Some(problem) = rootsig::check(&signature).into_iter().next() {
        return cx.part(rule::ROOT_SIGNATURE_INCOMPATIBLE, part, 0, problem.message);
    }
    let bound = Bound::new(&signature, rootsig::visibility_of(cx.info.kind));
    for r in &cx.info.resources {
        if let Err(reason) = bound.has(r) {
            let text = format!("{} `{}` {reason}", r.class, r.name.escape_debug());
            cx.part(rule::ROOT_SIGNATURE_INCOMPATIBLE, part, 0, text);
            return;
        }
    }
}

/// Registers that a root signature binds for all stages.
struct Bound {
    spans: Vec<Span>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Span {
    class: u32,
    space: u32,
    first: u32,
    last: u32,
    /// Bound by an address in the root.
    address: bool,
}

impl Bound {
    /// What a stage sees, which has a visibility of its own.
    fn new(signature: &RootSignature, stage: Visibility) -> Bound {
        let seen = |v: Visibility| v == Visibility::All || v == stage;
        let mut spans = Vec::new();
        let mut add = |class: ResourceClass, space: u32, first: u32, count: u32, address: bool| {
            let last = if count == UNBOUNDED { u32::MAX } else { first.saturating_add(count.saturating_sub(1)) };
            spans.push(Span { class: class.number(), space, first, last, address });
        };
        for param in signature.params.iter().filter(|p| seen(p.visibility)) {
            match &param.kind {
                RootParamKind::Table(ranges) => {
                    ranges.iter().for_each(|r| add(r.class, r.space, r.register, r.count, false));
                }
                RootParamKind::Constants { register, space, .. } => add(ResourceClass::Cbv, *space, *register, 1, false),
                RootParamKind::Cbv(d) => add(ResourceClass::Cbv, d.space, d.register, 1, false),
                RootParamKind::Srv(d) => add(ResourceClass::Srv, d.space, d.register, 1, true),
                RootParamKind::Uav(d) => add(ResourceClass::Uav, d.space, d.register, 1, true),
            }
        }
        for s in signature.samplers.iter().filter(|s| seen(s.visibility)) {
            add(ResourceClass::Sampler, s.space, s.register, 1, false);
        }
        spans.sort_unstable();
        Bound { spans }
    }

    /// Whether all registers of a resource are bound. Sound signatures have no registers twice, so the last span that
    /// begins at or before the resource is the only one that can have it.
    fn has(&self, r: &Resource) -> Result<(), String> {
        let class = r.class.number();
        // A range without bound asks for its first register alone.
        let last = if r.count == u32::MAX { r.lower } else { r.last() };
        let after = self.spans.partition_point(|s| (s.class, s.space, s.first) <= (class, r.space, r.lower));
        let span = after.checked_sub(1).map(|n| self.spans[n]);
        let span = span.filter(|s| (s.class, s.space) == (class, r.space) && s.last >= last);
        let Some(span) = span else {
            return Err(format!("(space {}, registers {}..{last}) is not bound as a whole", r.space, r.lower));
        };
        let raw = matches!(r.kind, ResourceKind::RawBuffer | ResourceKind::StructuredBuffer | ResourceKind::AccelerationStructure);
        if span.address && (!raw || r.counter) && matches!(r.class, ResourceClass::Srv | ResourceClass::Uav) {
            return Err("is bound by address, which raw and structured buffers without a counter alone can be".into());
        }
        Ok(())
    }
}
