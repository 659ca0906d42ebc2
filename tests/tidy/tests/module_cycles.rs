//! No file of a crate depends on itself through other files, parents and children aside.
//!
//! The graph is read from the text: a file has an edge to every file that a path beginning with `crate::` or `super::` names in it, in code
//! that is not under `#[cfg(test)]`. Edges between a module and a module inside it are left out: those two are one unit to a reader.
//! A re-export in the crate's root counts as the root, so the graph has fewer edges than the compiler sees, never more.
//!
//! `RTC_CYCLES=CRATE` prints every edge inside the cycles of a crate.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use rtc_tidy::{Kind, Token, files, lex, without_tests};

/// A file of a crate as a module: its path in the crate (`["lower", "control"]`; the root is empty), and its tokens.
struct Module<'a> {
    file: &'a str,
    path: Vec<String>,
    tokens: Vec<Token<'a>>,
}

/// An edge of the graph: the module that is named, and where.
#[derive(Clone, Debug)]
struct Use {
    to: usize,
    line: usize,
    path: String,
}

/// The module path of a file below `src/`; none for programs in `src/bin/`, which are crates of their own.
fn module_path(file: &str) -> Option<Vec<String>> {
    let stem = file.strip_suffix(".rs")?;
    let mut parts: Vec<String> = stem.split('/').map(str::to_owned).collect();
    if parts.first().is_some_and(|p| p == "bin") {
        return None;
    }
    if parts.last().is_some_and(|p| p == "mod") || (parts.len() == 1 && (parts[0] == "lib" || parts[0] == "main")) {
        parts.pop();
    }
    Some(parts)
}

/// The modules of the crate in `folder`, without those that are declared under `#[cfg(test)]`.
fn modules<'a>(folder: &str, all: &'a [(String, String)]) -> Vec<Module<'a>> {
    let mut out = Vec::new();
    let mut of_tests: Vec<Vec<String>> = Vec::new();
    for (file, text) in all {
        let Some(path) = file.strip_prefix(folder).and_then(|f| f.strip_prefix("/src/")).and_then(module_path) else { continue };
        let (tokens, tests) = without_tests(&lex(text));
        of_tests.extend(tests.into_iter().map(|t| [&path[..], &[t.to_owned()]].concat()));
        out.push(Module { file, path, tokens });
    }
    out.retain(|m| !of_tests.iter().any(|t| m.path.starts_with(t)));
    out
}

/// The paths that begin with `crate` or `super`, as names from the crate's root, each with its line. A group in braces gives one path for each
/// member.
fn paths(m: &Module<'_>) -> Vec<(Vec<String>, usize)> {
    let t = &m.tokens;
    let mut out = Vec::new();
    let is = |at: usize, text: &str| t.get(at).is_some_and(|t| t.kind == Kind::Punct && t.text == text);
    let word = |at: usize| t.get(at).filter(|t| t.kind == Kind::Ident).map(|t| t.text);
    // Modules in braces: a `super` inside of one is the file's own module.
    let mut inline: Vec<usize> = Vec::new();
    let mut depth = 0;
    let mut at = 0;
    while at < t.len() {
        if is(at, "{") {
            if at >= 2 && word(at - 2) == Some("mod") {
                inline.push(depth);
            }
            depth += 1;
        } else if is(at, "}") {
            depth -= 1;
            inline.pop_if(|d| *d == depth);
        }
        let after_colons = at >= 2 && is(at - 1, ":") && is(at - 2, ":");
        let begins = !after_colons && (at == 0 || !is(at - 1, "$"));
        let visibility = at >= 1 && (is(at - 1, "(") && at >= 2 && word(at - 2) == Some("pub") || word(at - 1) == Some("in"));
        let path = is(at + 1, ":") && is(at + 2, ":");
        let base = match word(at) {
            Some("crate") if path => Some(Vec::new()),
            Some("super") if path => {
                let mut own = m.path.clone();
                if inline.is_empty() {
                    own.pop();
                }
                Some(own)
            }
            _ => None,
        };
        let Some(base) = base.filter(|_| begins && !visibility) else {
            at += 1;
            continue;
        };
        members(t, at + 3, base, &mut out);
        at += 1;
    }
    out
}

/// Follows a path from token `at` on, which is after a `::`; gives the number of the token after it.
fn members(t: &[Token<'_>], mut at: usize, mut base: Vec<String>, out: &mut Vec<(Vec<String>, usize)>) -> usize {
    let is = |at: usize, text: &str| t.get(at).is_some_and(|t| t.kind == Kind::Punct && t.text == text);
    let line = t.get(at.min(t.len() - 1)).map_or(0, |t| t.line);
    loop {
        if is(at, "{") {
            at += 1;
            while at < t.len() && !is(at, "}") {
                at = if is(at, ",") { at + 1 } else { members(t, at, base.clone(), out) };
            }
            return at + 1;
        }
        match t.get(at).filter(|t| t.kind == Kind::Ident).map(|t| t.text) {
            Some("super") => _ = base.pop(),
            Some("self") => {}
            Some(name) => base.push(name.to_owned()),
            // `*`, or a generic argument.
            None => {}
        }
        let more = is(at + 1, ":") && is(at + 2, ":");
        at += if more { 3 } else { 1 };
        if !more {
            out.push((base, line));
            // `x as y`
            while at < t.len()
                && !is(at, ",")
                && !is(at, "}")
                && t[at].kind == Kind::Ident
                && (t[at].text == "as" || t[at - 1].text == "as")
            {
                at += 1;
            }
            return at;
        }
    }
}

/// The uses of each module: the longest prefix of each path that is a module, unless one of the two is inside the other.
fn graph(all: &[Module<'_>]) -> Vec<Vec<Use>> {
    let numbers: BTreeMap<&[String], usize> = all.iter().enumerate().map(|(n, m)| (&m.path[..], n)).collect();
    let related = |a: &[String], b: &[String]| a.starts_with(b) || b.starts_with(a);
    let mut out = Vec::new();
    for m in all {
        let mut uses: BTreeMap<usize, Use> = BTreeMap::new();
        for (path, line) in paths(m) {
            let Some(to) = (0..=path.len()).rev().find_map(|n| numbers.get(&path[..n]).copied()) else { continue };
            if !related(&all[to].path, &m.path) {
                uses.entry(to).or_insert_with(|| Use { to, line, path: path.join("::") });
            }
        }
        out.push(uses.into_values().collect());
    }
    out
}

/// The strongly connected components of more than one module.
fn components(graph: &[Vec<Use>]) -> Vec<Vec<usize>> {
    let reach = |from: usize| {
        let (mut seen, mut list) = (BTreeSet::new(), VecDeque::from([from]));
        while let Some(n) = list.pop_front() {
            for u in &graph[n] {
                if seen.insert(u.to) {
                    list.push_back(u.to);
                }
            }
        }
        seen
    };
    let reached: Vec<BTreeSet<usize>> = (0..graph.len()).map(reach).collect();
    let (mut out, mut done) = (Vec::new(), BTreeSet::new());
    for n in 0..graph.len() {
        if reached[n].contains(&n) && !done.contains(&n) {
            let own: Vec<usize> = (0..graph.len()).filter(|&o| reached[n].contains(&o) && reached[o].contains(&n)).collect();
            done.extend(own.iter().copied());
            out.push(own);
        }
    }
    out
}

/// The shortest cycle in a component: its edges.
fn shortest(graph: &[Vec<Use>], component: &[usize]) -> Vec<(usize, Use)> {
    let cycle = |from: usize| {
        let mut came: BTreeMap<usize, (usize, Use)> = BTreeMap::new();
        let mut list = VecDeque::from([from]);
        while let Some(n) = list.pop_front() {
            for u in graph[n].iter().filter(|u| component.contains(&u.to)) {
                if u.to == from {
                    let (mut out, mut at) = (vec![(n, u.clone())], n);
                    while at != from {
                        let edge = came[&at].clone();
                        at = edge.0;
                        out.push(edge);
                    }
                    out.reverse();
                    return out;
                }
                if let std::collections::btree_map::Entry::Vacant(e) = came.entry(u.to) {
                    e.insert((n, u.clone()));
                    list.push_back(u.to);
                }
            }
        }
        Vec::new()
    };
    let all = component.iter().map(|&n| cycle(n)).filter(|c| !c.is_empty());
    all.min_by_key(Vec::len).expect("a component has a cycle")
}

/// The cycles of a crate as text, one for each component.
fn report(name: &str, all: &[Module<'_>], verbose: bool) -> Vec<String> {
    let graph = graph(all);
    let edge = |(from, u): &(usize, Use)| format!("  {}:{} uses {} ({})", all[*from].file, u.line, all[u.to].file, u.path);
    let mut out = Vec::new();
    for component in components(&graph) {
        let mut lines = vec![format!("crate in `{name}/`: {} files in one cycle; the shortest one in it:", component.len())];
        lines.extend(shortest(&graph, &component).iter().map(edge));
        if verbose {
            lines.push("all edges:".into());
            let inside = |n: &usize| graph[*n].iter().filter(|u| component.contains(&u.to)).map(|u| (*n, u.clone())).collect::<Vec<_>>();
            lines.extend(component.iter().flat_map(inside).map(|e| edge(&e)));
        }
        out.push(lines.join("\n"));
    }
    out
}

/// The folders that hold a crate.
fn crates() -> Vec<String> {
    let manifests = files("toml");
    manifests.iter().filter_map(|(f, _)| f.strip_suffix("/Cargo.toml").map(str::to_owned)).collect()
}

#[test]
fn modules_of_a_crate_form_no_cycle() {
    let sources = files("rs");
    let wanted = std::env::var("RTC_CYCLES").ok();
    let mut bad = Vec::new();
    for name in crates() {
        let all = modules(&name, &sources);
        bad.extend(report(&name, &all, wanted.as_ref() == Some(&name)));
    }
    assert!(bad.is_empty(), "{} cycles:\n{}", bad.len(), bad.join("\n"));
}

/// Two small crates: what counts as a cycle and what does not.
#[test]
fn cycles_are_found() {
    let crate_of =
        |files: &[(&str, &str)]| -> Vec<(String, String)> { files.iter().map(|(f, t)| (format!("c/src/{f}"), (*t).to_owned())).collect() };
    let cycles = |files: &[(&str, &str)]| {
        let sources = crate_of(files);
        report("c", &modules("c", &sources), false)
    };
    let found = cycles(&[("lib.rs", "mod a; mod b;"), ("a.rs", "use crate::b::{self, X as Y};"), ("b/mod.rs", "fn f() { super::a::g() }")]);
    assert_eq!(found.len(), 1);
    assert!(found[0].contains("c/src/a.rs:1 uses c/src/b/mod.rs (b)"), "{}", found[0]);
    assert!(found[0].contains("c/src/b/mod.rs:1 uses c/src/a.rs (a::g)"), "{}", found[0]);
    let grouped = cycles(&[("a.rs", "use crate::{z::Q, b::X};"), ("b.rs", "use {crate::a::X, std::fmt};"), ("z.rs", "")]);
    assert_eq!(grouped.len(), 1, "{grouped:?}");
    for none in [
        // Parent and child.
        &[("a/mod.rs", "mod b; use b::X;"), ("a/b.rs", "use super::Y; use crate::a::Z;")][..],
        // Tests, comments and strings.
        &[
            ("a.rs", "use crate::b::X;"),
            ("b.rs", "#[cfg(test)]\nmod tests { use crate::a::Y; }\n// crate::a::Z\nconst S: &str = \"crate::a::Z\";"),
        ],
        &[("a.rs", "use crate::b::X;"), ("b/mod.rs", "#[cfg(test)] mod tests;"), ("b/tests.rs", "use crate::a::X;")],
        // `super` in a module in braces is the file itself, and visibility is no use.
        &[("a.rs", "use crate::b::X;"), ("b.rs", "mod inner { use super::a; } pub(in crate::a) fn f() {}")],
    ] {
        assert_eq!(cycles(none), Vec::<String>::new());
    }
}
