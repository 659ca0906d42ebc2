//! Completion of registers, spaces and Vulkan bindings: the free ones.

use lsp_types::{CompletionItem, CompletionItemKind};
use rtc_frontend::hir::Global;
use rtc_tables::resources::ResourceClass;

use super::context::Annotated;
use super::plain;
use crate::features::bindings::{Range, class_of, count_of, descriptor, descriptors, first_free, registers, spaces};
use crate::snapshot::Snapshot;

/// The variable that an annotation is of. `after`: the bytes of an attribute that was taken out, after which it is declared.
fn declared<'a>(s: &'a Snapshot, file: usize, a: &Annotated) -> Option<&'a Global> {
    let at = |g: &&Global| s.place(g.span).filter(|p| p.file == file).map(|p| p.lo);
    let mut all = s.analysis.module.globals.values();
    match a.name {
        Some(name) => all.find(|g| at(g) == Some(name)),
        None => all.filter(|g| at(g).is_some_and(|lo| lo >= a.bytes.0)).min_by_key(at),
    }
}

/// What can be written in `register(…)`: registers of the declaration's class, then spaces.
pub fn of_register(s: &Snapshot, file: usize, a: &Annotated) -> Vec<CompletionItem> {
    let global = a.name.and_then(|_| declared(s, file, a));
    let class = global.and_then(|g| class_of(s, g));
    let classes = class.map_or_else(|| ResourceClass::ALL.to_vec(), |c| vec![c]);
    let count = global.map_or(Some(1), |g| count_of(s, g));
    let number = |prefix: &str| a.others.iter().find_map(|o| o.strip_prefix(prefix)?.parse::<u32>().ok());
    if a.argument > 0 {
        return of_space(s, &classes, number);
    }
    let space = number("space").unwrap_or(0);
    let mut out = Vec::new();
    for class in classes {
        let (letter, used) = (class.letter(), registers(s, class, space));
        let free = first_free(&used, count);
        let mut add = |n: u32, sort: &str, what: String| {
            let label = format!("{letter}{n}");
            let item = plain(&label, CompletionItemKind::VALUE, &what);
            out.push(CompletionItem { sort_text: Some(format!("{sort}{letter}")), preselect: (sort == "0").then_some(true), ..item });
        };
        let many = match count {
            Some(1) => String::new(),
            Some(n) => format!(" for {n} descriptors"),
            None => " for an array without a bound".into(),
        };
        if let Some(free) = free {
            add(free, "0", format!("the first free register{many} in space {space}"));
        }
        let last = used.iter().filter_map(|r| r.first.checked_add(r.count?)).max().filter(|_| used.iter().all(|r| r.count.is_some()));
        if let Some(last) = last.filter(|l| Some(*l) != free) {
            add(last, "1", format!("the register after the last one of space {space}"));
        }
    }
    out
}

fn of_space(s: &Snapshot, classes: &[ResourceClass], number: impl Fn(&str) -> Option<u32>) -> Vec<CompletionItem> {
    let used = spaces(s);
    let mut out = Vec::new();
    let next = (0..=u32::MAX).find(|n| !used.contains(n));
    let all = [0].into_iter().chain(used.iter().copied()).chain(next);
    let mut seen = Vec::new();
    for space in all {
        if seen.contains(&space) {
            continue;
        }
        seen.push(space);
        // Whether the register that is written is free there.
        let taken = classes.iter().find_map(|&c| {
            let n = number(&c.letter().to_string())?;
            registers(s, c, space).into_iter().find(|r| r.has(n)).map(|r| format!("; {}{n} is `{}`", c.letter(), r.name))
        });
        let what = match used.contains(&space) {
            true => format!("in use{}", taken.unwrap_or_default()),
            false => "a space that nothing uses".into(),
        };
        let item = plain(&format!("space{space}"), CompletionItemKind::VALUE, &what);
        out.push(CompletionItem { sort_text: Some(format!("{space:010}")), ..item });
    }
    out
}

/// What can be written in `[[vk::binding(…)]]`: free bindings of the set, then sets; in `[[vk::counter_binding(…)]]`: free bindings.
pub fn of_binding(s: &Snapshot, file: usize, a: &Annotated, counter: bool) -> Vec<CompletionItem> {
    let number = |n: usize| a.others.get(n).and_then(|o| o.parse::<u32>().ok());
    if a.argument > 0 {
        let used: Vec<u32> = descriptors(s).into_iter().map(|d| d.0).collect();
        let next = (0..=u32::MAX).find(|n| !used.contains(n)).unwrap_or(0);
        let mut sets: Vec<u32> = used.iter().copied().chain([0, next]).collect();
        sets.sort_unstable();
        sets.dedup();
        let item = |set: u32| {
            let n = used.iter().filter(|u| **u == set).count();
            let what = if n == 0 { "a set that nothing uses".to_owned() } else { format!("a set with {n} bindings") };
            CompletionItem { sort_text: Some(format!("{set:010}")), ..plain(&set.to_string(), CompletionItemKind::VALUE, &what) }
        };
        return sets.into_iter().map(item).collect();
    }
    // A counter is in the set of its buffer: that of its binding, or else the space of its register.
    let own = || declared(s, file, a).and_then(descriptor).map(|d| d.0);
    let set = if counter { number(1).or_else(own) } else { number(0) }.unwrap_or(0);
    let mut used: Vec<Range> = descriptors(s).into_iter().filter(|d| d.0 == set).map(|d| d.1).collect();
    // The attribute with the binding of the buffer was taken out.
    used.extend(number(0).filter(|_| counter).map(|first| Range { first, count: Some(1), name: String::new() }));
    let mut out = Vec::new();
    let free = first_free(&used, Some(1));
    let last = used.iter().filter_map(|r| r.first.checked_add(1)).max();
    for (n, what) in [(free, "first free binding"), (last.filter(|l| Some(*l) != free), "binding after the last one")] {
        if let Some(n) = n {
            let item = plain(&n.to_string(), CompletionItemKind::VALUE, &format!("the {what} of set {set}"));
            out.push(CompletionItem { sort_text: Some(format!("{n:010}")), preselect: out.is_empty().then_some(true), ..item });
        }
    }
    out
}
