//! Which set and binding each resource gets.
//!
//! The reference compiler's rule ([`Numbering::Declared`]): explicit bindings first, then registers plus the shift of their class,
//! then, in order of declaration, all that have neither take the lowest free numbers of their sets (those of an array whose elements are bound separately are consecutive). Every declared resource takes a
//! number, used or not, so all entry points of a file share a layout. Numbers that collide stay; [`super::overlap`] warns of them. An array takes one
//! number, but in a module with a structure of resources as many as it has elements.
//!
//! The rule of packages ([`Numbering::Distinct`]): the same, but what would share a binding moves to the next free one, since Vulkan has
//! one number space where HLSL has four.

use std::collections::{BTreeMap, BTreeSet};

use rtc_base::Span;
use rtc_ir::{BindPlace, DeclKind, Global, InstData, Module, Opcode, ResourceDecl};
use rtc_package::records::LibraryRecords;
use rtc_rootsig::RecordParamKind;
use rtc_tables::diagnostics::E0507;
use rtc_tables::resources::{ResourceClass, ResourceKind};
use rustc_hash::FxHashMap;

use super::{DescriptorBinding, RegisterBinding, class_of, in_record};
use crate::Options;
use crate::error::Error;

/// How bindings are numbered.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Numbering {
    /// By the reference compiler's rule, collisions included.
    #[default]
    Declared,
    /// Without collisions.
    Distinct,
}

/// Sets and bindings.
#[derive(Clone, Default, Debug)]
pub struct Slots {
    /// Of resources.
    pub descriptors: FxHashMap<Global, (u32, u32)>,
    /// Of hidden counters.
    pub counters: FxHashMap<Global, (u32, u32)>,
    /// Of the heaps: resources, samplers, hidden counters.
    pub heaps: [(u32, u32); 3],
}

/// The bindings that are taken, by set.
#[derive(Default)]
struct Taken(BTreeMap<u32, BTreeSet<u32>>);

impl Taken {
    fn take(&mut self, set: u32, binding: u32) {
        self.0.entry(set).or_default().insert(binding);
    }

    /// The lowest free binding of a set from a number on, taken.
    fn next(&mut self, set: u32, from: u32) -> u32 {
        let taken = self.0.entry(set).or_default();
        let mut free = from;
        for &used in taken.range(from..) {
            if used != free {
                break;
            }
            free = free.saturating_add(1);
        }
        taken.insert(free);
        free
    }

    /// The first of `count` consecutive bindings that are free, from a number on; they are taken.
    fn next_run(&mut self, set: u32, from: u32, count: u32) -> u32 {
        let taken = self.0.entry(set).or_default();
        let mut first = from;
        for &used in taken.range(from..) {
            if used.saturating_sub(first) >= count {
                break;
            }
            first = used.saturating_add(1);
        }
        taken.extend((0..count).map(|n| first.saturating_add(n)));
        first
    }
}

/// One that gets a number: a resource, or its hidden counter.
struct Numbered<'m> {
    global: Global,
    decl: &'m ResourceDecl,
    counter: bool,
}

/// Numbers the resources of a module. Errors: registers that `-fvk-bind-register` leaves without a binding.
pub fn assign(m: &Module, records: &LibraryRecords, options: &Options, numbering: Numbering, errors: &mut Vec<Error>) -> Slots {
    let distinct = numbering == Numbering::Distinct;
    let mut out = Slots::default();
    let mut taken = Taken::default();
    let used = heaps_used(m, records);
    let wanted = [options.resource_heap, options.sampler_heap, options.counter_heap];
    for (n, w) in wanted.iter().enumerate() {
        if let Some(DescriptorBinding { binding, set }) = *w {
            out.heaps[n] = (set, binding);
            if used[n] || !distinct {
                taken.take(set, binding);
            }
        }
    }
    let all = numbered(m, distinct);
    if options.registers.is_empty() || distinct {
        by_rule(m, &all, options, distinct, &mut taken, &mut out);
    } else {
        one_by_one(m, &all, options, used, &mut out, errors);
    }
    for (n, w) in wanted.iter().enumerate() {
        if used[n] && w.is_none() {
            out.heaps[n] = (0, taken.next(0, 0));
        }
    }
    out
}

/// What gets numbers, in order: resources as declared, the counter of an append or consume buffer after it, those of other buffers at
/// the end. `distinct`: all counters are at the end, and only those that are used.
fn numbered(m: &Module, distinct: bool) -> Vec<Numbered<'_>> {
    let early = |d: &ResourceDecl| !distinct && d.kind.is_append_or_consume();
    let mut all = Vec::new();
    for (global, data) in &m.globals {
        let Some(decl) = data.resource().filter(|d| d.binding.place == BindPlace::Registers) else { continue };
        all.push(Numbered { global, decl, counter: false });
        if early(decl) {
            all.push(Numbered { global, decl, counter: true });
        }
    }
    for global in counted(m) {
        let Some(decl) = m.globals[global].resource().filter(|d| !early(d)) else { continue };
        all.push(Numbered { global, decl, counter: true });
    }
    all
}

/// The rules of the module's documentation.
fn by_rule(m: &Module, all: &[Numbered<'_>], options: &Options, distinct: bool, taken: &mut Taken, out: &mut Slots) {
    let put = |out: &mut Slots, n: &Numbered<'_>, set: u32, binding: u32| {
        let to = if n.counter { &mut out.counters } else { &mut out.descriptors };
        to.insert(n.global, (set, binding));
    };
    let set_of = |n: &Numbered<'_>| n.decl.binding.vk.map_or(n.decl.binding.space, |(_, set)| set);
    let structures = !distinct && all.iter().any(|n| is_member(m, n));
    let numbers_of = |n: &Numbered<'_>| if structures && !n.counter { n.decl.count.unwrap_or(1).max(1) } else { 1 };
    let take = |taken: &mut Taken, n: &Numbered<'_>, set: u32, binding: u32| {
        (0..numbers_of(n)).for_each(|at| taken.take(set, binding.saturating_add(at)));
    };
    // Explicit bindings.
    for n in all {
        let explicit = if n.counter { n.decl.binding.counter } else { n.decl.binding.vk.map(|(binding, _)| binding) };
        if let Some(binding) = explicit {
            take(taken, n, set_of(n), binding);
            put(out, n, set_of(n), binding);
        }
    }
    let resources = || all.iter().filter(|n| !n.counter && n.decl.binding.vk.is_none());
    for n in resources().filter(|_| distinct) {
        let given = options.registers.iter().find(|b| is_register(b, m, n.decl));
        let loose = options.globals.filter(|_| n.decl.kind == DeclKind::Loose);
        if let Some(DescriptorBinding { binding, set }) = given.map(|b| b.to).or(loose) {
            taken.take(set, binding);
            put(out, n, set, binding);
        }
    }
    // Registers.
    for n in resources() {
        let Some(register) = n.decl.binding.register else { continue };
        if out.descriptors.contains_key(&n.global) {
            continue;
        }
        let set = n.decl.binding.space;
        let wanted = register.saturating_add(options.shifts.of(written_class(m, n.decl), set));
        let binding = if distinct { taken.next(set, wanted) } else { wanted };
        take(taken, n, set, binding);
        put(out, n, set, binding);
    }
    // The rest, in order.
    let mut first_of_elements = 0u32;
    for n in all {
        let known = if n.counter { &out.counters } else { &out.descriptors };
        if known.contains_key(&n.global) {
            continue;
        }
        let set = if n.counter && distinct { out.descriptors.get(&n.global).map_or(0, |d| d.0) } else { set_of(n) };
        let shift = if options.auto_shift && !(n.counter && distinct) { auto_shift(m, n.decl, options, set, distinct) } else { 0 };
        if let Some(DescriptorBinding { binding, set }) = options.globals.filter(|_| n.decl.kind == DeclKind::Loose) {
            let shift = if options.auto_shift { options.shifts.of(ResourceClass::Cbv, set) } else { 0 };
            put(out, n, set, binding.saturating_add(shift));
            continue;
        }
        let binding = match n.decl.binding.element.filter(|_| !distinct) {
            Some((0, count)) => {
                let first = taken.next_run(set, shift, count);
                first_of_elements = first;
                first
            }
            // The elements of an array follow each other.
            Some((at, _)) => first_of_elements.saturating_add(at),
            None => taken.next_run(set, shift, numbers_of(n)),
        };
        put(out, n, set, binding);
    }
}

/// Whether a resource is a member of a structure outside of functions, not of a constant buffer: its name has those of the variable and the member.
fn is_member(m: &Module, n: &Numbered<'_>) -> bool {
    let Some((variable, _)) = m.globals[n.global].name.split_once('.') else { return false };
    !m.globals.values().any(|g| g.name == variable && g.resource().is_some())
}

/// The shift of a resource without a register. Acceleration structures have none by the reference's rule.
fn auto_shift(m: &Module, decl: &ResourceDecl, options: &Options, set: u32, distinct: bool) -> u32 {
    let kind = m.types.as_resource(decl.ty).map(|r| r.kind);
    if kind == Some(ResourceKind::AccelerationStructure) && !distinct {
        return 0;
    }
    options.shifts.of(class_of(m, decl), set)
}

/// With `-fvk-bind-register`, every resource needs one.
fn one_by_one(m: &Module, all: &[Numbered<'_>], options: &Options, heaps: [bool; 3], out: &mut Slots, errors: &mut Vec<Error>) {
    for n in all {
        let data = &m.globals[n.global];
        let given = options.registers.iter().find(|b| is_register(b, m, n.decl));
        if n.counter {
            let set = out.descriptors.get(&n.global).map_or(0, |d| d.0);
            match n.decl.binding.counter {
                Some(binding) => _ = out.counters.insert(n.global, (set, binding)),
                None => {
                    let message = format!(
                        "the counter of `{}` has no binding: -fvk-bind-register gives none to counters; write [[vk::counter_binding(n)]]",
                        data.name
                    );
                    errors.push(Error::coded(&E0507, data.span, message));
                }
            }
        } else if let Some(b) = given {
            out.descriptors.insert(n.global, (b.to.set, b.to.binding));
        } else if n.decl.kind == DeclKind::Loose {
            match options.globals {
                Some(DescriptorBinding { binding, set }) => _ = out.descriptors.insert(n.global, (set, binding)),
                None => {
                    let message = "with -fvk-bind-register, the buffer of loose variables needs -fvk-bind-globals";
                    errors.push(Error::coded(&E0507, data.span, message));
                }
            }
        } else if let Some((binding, set)) = n.decl.binding.vk {
            out.descriptors.insert(n.global, (set, binding));
        } else {
            let message = match n.decl.binding.register {
                Some(_) => format!("no -fvk-bind-register gives a binding to the register of `{}`", data.name),
                None => format!("with -fvk-bind-register, `{}` needs a register", data.name),
            };
            errors.push(Error::coded(&E0507, data.span, message));
        }
    }
    for (n, heap) in [options.resource_heap, options.sampler_heap, options.counter_heap].into_iter().enumerate() {
        let option = ["-fvk-bind-resource-heap", "-fvk-bind-sampler-heap", "-fvk-bind-counter-heap"][n];
        if heap.is_none() && heaps[n] {
            errors.push(Error::coded(&E0507, Span::NONE, format!("with -fvk-bind-register, the descriptor heap needs {option}")));
        }
    }
}

fn is_register(b: &RegisterBinding, m: &Module, decl: &ResourceDecl) -> bool {
    Some(b.register) == decl.binding.register && b.space == decl.binding.space && b.class == written_class(m, decl)
}

/// The class of the letter of a register.
fn written_class(m: &Module, decl: &ResourceDecl) -> ResourceClass {
    match class_of(m, decl) {
        // Of both halves of a combined image sampler.
        _ if decl.binding.combined => ResourceClass::Srv,
        ResourceClass::Srv if decl.binding.other_letter => ResourceClass::Sampler,
        ResourceClass::Sampler if decl.binding.other_letter => ResourceClass::Srv,
        class => class,
    }
}

/// The resources whose hidden counters are used, in source order.
fn counted(m: &Module) -> Vec<Global> {
    let mut all = Vec::new();
    for f in m.funcs.values() {
        f.for_each_inst(f.body, |_, i| {
            if f.op(i) == Opcode::counter_add
                && let Some(by) = f.def_inst(f.operands(i)[0])
                && let InstData::Resource { global, .. } = f.insts[by]
            {
                all.push(global);
            }
        });
    }
    all.sort_unstable();
    all.dedup();
    all
}

/// Whether entry points take resources, samplers and counters from the heaps, themselves or through tables of their records.
fn heaps_used(m: &Module, records: &LibraryRecords) -> [bool; 3] {
    let mut used = [false; 3];
    for f in m.funcs.values() {
        f.for_each_inst(f.body, |_, i| {
            if f.op(i) == Opcode::counter_add
                && let Some(by) = f.def_inst(f.operands(i)[0])
            {
                used[2] |= matches!(f.insts[by], InstData::Many { op: Opcode::heap_resource, .. });
            }
            let from_heap = match f.insts[i] {
                InstData::Many { op: Opcode::heap_resource, .. } => true,
                InstData::Resource { global, .. } => {
                    in_record(records, global, f, m).is_some_and(|r| r.param.kind == RecordParamKind::Table)
                }
                _ => false,
            };
            if from_heap && let Some(r) = m.types.as_resource(f.ty(f.result(i))) {
                used[usize::from(r.class == ResourceClass::Sampler)] = true;
            }
        });
    }
    used
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lowest_free_binding_is_next() {
        let mut t = Taken::default();
        for b in [0, 1, 3] {
            t.take(0, b);
        }
        assert_eq!(t.next_run(0, 0, 2), 4);
        assert_eq!([t.next(0, 0), t.next(0, 0), t.next(1, 0), t.next(0, 100), t.next(0, 100)], [2, 6, 0, 100, 101]);
    }
}
