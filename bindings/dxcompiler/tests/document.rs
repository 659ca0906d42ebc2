//! The tables of `docs/dxcompiler.md`: classes, interfaces and methods, as the built library and the code have them. `UPDATE=1` writes them.
// Every block calls through the table of an object that the library gave, with arguments that outlive the call.
#![allow(unsafe_code, clippy::undocumented_unsafe_blocks)]

mod client;

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use client::create_instance;
use rtc_com::base::interface::{IUnknown, Interface};
use rtc_com::base::reference::Ref;
use rtc_com::base::table::InterfaceInfo;
use rtc_com::{ABSENT, ABSENT_INTERFACES, CLASSES, call, interfaces, reflection};

/// Interfaces that clients have, not the library.
const OF_CLIENTS: &[&str] = &["IMalloc"];

fn all() -> Vec<InterfaceInfo> {
    interfaces::ALL.iter().chain(reflection::interfaces::ALL).copied().collect()
}

/// The functions of the crate that answer nothing but `E_NOTIMPL`.
fn not_implemented() -> BTreeSet<String> {
    fn walk(folder: &Path, found: &mut BTreeSet<String>) {
        for entry in std::fs::read_dir(folder).expect("a folder").map(|e| e.expect("an entry").path()) {
            if entry.is_dir() {
                walk(&entry, found);
                continue;
            }
            let text = std::fs::read_to_string(&entry).expect("text");
            for (before, _) in text.match_indices("{\n        E_NOTIMPL\n    }").map(|(at, _)| text.split_at(at)) {
                let (_, name) = before.rsplit_once("unsafe fn ").expect("a method");
                found.insert(name.split('(').next().expect("a name").to_owned());
            }
        }
    }
    let mut found = BTreeSet::new();
    walk(&Path::new(env!("CARGO_MANIFEST_DIR")).join("com/src"), &mut found);
    found
}

fn classes(out: &mut String) {
    out.push_str("| class | in `libdxil` | interfaces |\n|---|---|---|\n");
    for class in CLASSES {
        let mut object = std::ptr::null_mut();
        assert_eq!(unsafe { create_instance()(&class.id, &IUnknown::IID, &mut object) }, 0);
        let object = unsafe { Ref::<IUnknown>::take(object) }.expect("not null");
        let answers = |i: &InterfaceInfo| {
            let mut place = std::ptr::null_mut();
            let done = unsafe { call!(object, query_interface(&i.iid, &mut place)) };
            drop(unsafe { Ref::<IUnknown>::take(place) });
            done == 0
        };
        let names: Vec<&str> = interfaces::ALL.iter().filter(|i| answers(i)).map(|i| i.name).collect();
        _ = writeln!(out, "| {} | {} | {} |", class.name, if class.in_dxil { "yes" } else { "" }, names.join(", "));
    }
}

fn methods(out: &mut String) {
    let missing = not_implemented();
    let (mut count, mut without) = (0, 0);
    let mut rows = String::new();
    for i in all().iter().filter(|i| !OF_CLIENTS.contains(&i.name)) {
        let is_missing = |n: &usize| missing.contains(i.functions[*n]);
        let (no, yes): (Vec<usize>, Vec<usize>) = (0..i.methods.len()).partition(is_missing);
        count += i.methods.len();
        without += no.len();
        let list = |numbers: &[usize]| numbers.iter().map(|n| i.methods[*n]).collect::<Vec<_>>().join(", ");
        _ = writeln!(rows, "| {} | {} | {} |", i.name, list(&yes), list(&no));
    }
    _ = writeln!(out, "{count} methods, {without} of which answer `E_NOTIMPL`. Those of a base are not repeated.\n");
    out.push_str("| interface | methods | `E_NOTIMPL` |\n|---|---|---|\n");
    out.push_str(&rows);
    let known: BTreeSet<&str> = all().iter().flat_map(|i| i.functions.iter().copied()).collect();
    for name in &missing {
        assert!(known.contains(name.as_str()), "{name} is a method of an interface");
    }
}

fn absent(out: &mut String) {
    out.push_str("| not here | why |\n|---|---|\n");
    for (name, why) in ABSENT.iter().chain(ABSENT_INTERFACES) {
        _ = writeln!(out, "| {name} | {why} |");
    }
}

#[test]
fn the_document_has_the_tables_of_the_code() {
    let path: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/dxcompiler.md");
    let text = std::fs::read_to_string(&path).expect("the document");
    let mut wanted = text.clone();
    for (name, write) in [("classes", classes as fn(&mut String)), ("methods", methods), ("absent", absent)] {
        let (begin, end) = (format!("<!-- {name} -->\n"), format!("<!-- end of {name} -->\n"));
        let (from, to) = (wanted.find(&begin).expect("a mark") + begin.len(), wanted.find(&end).expect("a mark"));
        let mut table = String::new();
        write(&mut table);
        wanted.replace_range(from..to, &table);
    }
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&path, &wanted).expect("it is written");
    } else {
        assert!(text == wanted, "docs/dxcompiler.md is not up to date: run this test with UPDATE=1");
    }
}

/// The order of the tables is that of the list of facts, which was read in the reference's header.
#[test]
fn tables_are_in_the_order_of_the_facts() {
    let Ok(folder) = rtc_oracles::shared_dir().map_err(rtc_oracles::skip) else { return };
    let facts = rtc_oracles::facts::read(&folder.join("facts/dxcompiler_abi.md"));
    let mut seen = 0;
    for i in all() {
        let Some(row) = facts.lines().find(|l| l.starts_with(&format!("| {} (", i.name))) else { continue };
        let mut rest = row;
        for method in i.methods {
            let found = rest.match_indices(method).find(|(at, _)| {
                let letter = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric());
                !letter(rest[..*at].chars().next_back()) && !letter(rest[at + method.len()..].chars().next())
            });
            let (at, _) = found.unwrap_or_else(|| panic!("{}: {method} is not in its place", i.name));
            rest = &rest[at + method.len()..];
        }
        seen += 1;
        assert!(facts.contains(&i.iid.to_string()), "{}: {}", i.name, i.iid);
    }
    assert!(seen >= 28, "{seen} interfaces were found in the facts");
}
