//! The annotation of members of constant buffers that the code reads: reflection tells it of buffers with several members.

use rtc_dxil_container::metadata::{Info, field_tag, int, tuple};
use rtc_dxil_container::recompute::buffer_members::used_members;
use rtc_dxil_module::{LAYOUT_NATIVE_16BIT, Meta, MetaNode, Module, Type, Value};

/// The tag of the annotation, which comes after those with smaller numbers.
const USED: i64 = field_tag::USED as i64;

/// Adds it to the annotations that the module has.
pub fn mark(out: &mut Module) {
    let used = used_members(out, &Info::read(out), &*out.data_layout == LAYOUT_NATIVE_16BIT);
    if !used.values().flatten().any(|u| *u) {
        return;
    }
    let mut nodes = out.meta.named("dx.typeAnnotations").to_vec();
    for node in &mut nodes {
        let mut elems = out.meta.elems(*node).to_vec();
        // 0: structures; 1: functions.
        if int(out, elems.first().copied().flatten()) != Some(0) {
            continue;
        }
        for pair in elems[1..].chunks_exact_mut(2) {
            let members = structure(out, pair[0]).and_then(|ty| used.get(&ty));
            if let (Some(members), Some(note)) = (members, tuple(out, pair[1]).map(<[_]>::to_vec)) {
                pair[1] = Some(marked(out, note, members));
            }
        }
        *node = out.meta.node(&elems);
    }
    out.meta.set_named("dx.typeAnnotations", &nodes);
}

/// The type that an undefined value stands for.
fn structure(m: &Module, meta: Option<Meta>) -> Option<Type> {
    match m.meta[meta?] {
        MetaNode::Value(Value::Const(c)) => Some(m.consts[c].ty),
        _ => None,
    }
}

/// The note of a structure with those of its members marked. Nodes are shared, so new ones are made.
fn marked(out: &mut Module, mut note: Vec<Option<Meta>>, members: &[bool]) -> Meta {
    for (field, _) in note[1..].iter_mut().zip(members).filter(|(_, used)| **used) {
        let Some(mut tags) = tuple(out, *field).map(<[_]>::to_vec) else { continue };
        let after = tags.chunks_exact(2).position(|pair| int(out, pair[0]).is_some_and(|tag| tag > USED));
        let at = after.map_or(tags.len(), |pair| 2 * pair);
        let (tag, yes) = (out.meta_i32(USED as i32), out.meta_i1(true));
        tags.splice(at..at, [Some(tag), Some(yes)]);
        *field = Some(out.meta.node(&tags));
    }
    out.meta.node(&note)
}
