//! The rules of associations over scopes: one row each.
//!
//! A row is what is declared, in lines. `lib` begins a library and lists its exports; a hit group is `G(AnyHit,Hit)`. `obj` is what the state
//! object declares itself. `coll` begins a collection, to which the `clib` and `cobj` lines after it belong. In each line, after `|`, are
//! subobjects `NAME=VALUE` and associations `NAME:EXPORT,EXPORT`; without exports, it is a default. A value is a number (a local root
//! signature), `sN` (a shader config with payloads of N bytes), `pN` (a pipeline config of recursion N) or `gN` (a global root
//! signature). What must come out is a list of exports with the local root signature of each (`-`: none), or a part of the message.

use super::*;
use crate::testing::{associate, function, sub};
use rtc_dxil_container::{HitGroupType, ShaderKind};

fn value(text: &str) -> SubobjectValue {
    let number = |t: &str| t.parse::<u32>().unwrap_or_else(|_| panic!("{text} is no value"));
    match text.split_at(1) {
        ("s", n) => SubobjectValue::ShaderConfig { max_payload: number(n), max_attributes: 8 },
        ("p", n) => SubobjectValue::PipelineConfig { max_recursion: number(n) },
        ("g", n) => SubobjectValue::GlobalRootSignature { data: vec![number(n) as u8] },
        _ => SubobjectValue::LocalRootSignature { data: vec![number(text) as u8] },
    }
}

fn kind(name: &str) -> ShaderKind {
    match name.trim_end_matches(|c: char| c.is_ascii_digit()) {
        "Gen" => ShaderKind::RayGeneration,
        "Sky" => ShaderKind::Miss,
        "Any" => ShaderKind::AnyHit,
        "Is" => ShaderKind::Intersection,
        "Call" => ShaderKind::Callable,
        "Plain" => ShaderKind::Library,
        _ => ShaderKind::ClosestHit,
    }
}

/// Declarations after `|`.
fn declarations(text: &str) -> Vec<Subobject> {
    let mut out: Vec<Subobject> = Vec::new();
    for word in text.split_whitespace() {
        if let Some((name, v)) = word.split_once('=') {
            out.push(sub(name, value(v)));
        } else if let Some((name, exports)) = word.split_once(':') {
            let exports: Vec<&str> = exports.split(',').filter(|e| !e.is_empty()).collect();
            let a = associate(name, &exports);
            out.push(Subobject { name: format!("{} {}", a.name, out.len()), ..a });
        } else {
            out.push(group(word));
        }
    }
    out
}

fn group(word: &str) -> Subobject {
    let (name, shaders) = word.strip_suffix(')').and_then(|w| w.split_once('(')).unwrap_or_else(|| panic!("`{word}`"));
    let mut it = shaders.split(',').map(str::to_string);
    let mut next = || it.next().unwrap_or_default();
    let (any_hit, closest_hit, intersection) = (next(), next(), next());
    let ty = if intersection.is_empty() { HitGroupType::Triangle } else { HitGroupType::Procedural };
    sub(name, SubobjectValue::HitGroup { ty, any_hit, closest_hit, intersection })
}

fn rdat(text: &str) -> Rdat {
    let (exports, rest) = text.split_once('|').unwrap_or((text, ""));
    let (groups, functions): (Vec<&str>, Vec<&str>) = exports.split_whitespace().partition(|w| w.contains('('));
    let mut subobjects: Vec<Subobject> = groups.into_iter().map(group).collect();
    subobjects.extend(declarations(rest));
    Rdat { functions: functions.into_iter().map(|f| function(f, kind(f))).collect(), subobjects, ..Rdat::default() }
}

fn scope(text: &str) -> Scope {
    let mut out = Scope::default();
    for line in text.lines().map(str::trim).filter(|l| !l.is_empty()) {
        let (head, rest) = line.split_once(' ').unwrap_or((line, ""));
        let rest_of = |t: &str| declarations(t.trim_start_matches('|'));
        match head {
            "lib" => out.libraries.push(rdat(rest)),
            "obj" => out.subobjects.extend(rest_of(rest)),
            "coll" => out.collections.push(Scope::default()),
            "clib" => out.collections.last_mut().expect("a collection").libraries.push(rdat(rest)),
            "cobj" => out.collections.last_mut().expect("a collection").subobjects.extend(rest_of(rest)),
            other => panic!("`{other}`"),
        }
    }
    out
}

/// What the flattened subobjects give each export that `expected` names.
fn found(rdat: &Rdat, expected: &str, slot: Slot) -> String {
    let associations = associate::resolve(rdat);
    assert!(associations.problems.is_empty(), "{:?}", associations.problems);
    let shown = |name: &str| {
        let export = associations.export(name).unwrap_or_else(|| panic!("no export {name}"));
        match export.get(slot).map(|i| &rdat.subobjects[i].value) {
            None => format!("{name}=-"),
            Some(SubobjectValue::LocalRootSignature { data }) => format!("{name}={}", data[0]),
            Some(SubobjectValue::GlobalRootSignature { data }) => format!("{name}=g{}", data[0]),
            Some(SubobjectValue::ShaderConfig { max_payload, .. }) => format!("{name}=s{max_payload}"),
            Some(SubobjectValue::PipelineConfig { max_recursion }) => format!("{name}=p{max_recursion}"),
            Some(other) => panic!("{other:?}"),
        }
    };
    let names = expected.split_whitespace().map(|w| w.split_once('=').expect("an export and its value").0);
    names.map(shown).collect::<Vec<_>>().join(" ")
}

#[track_caller]
fn check(rows: &[(&str, &str, &str)], executable: bool) {
    for (what, text, expected) in rows {
        let outcome = resolve(&scope(text), executable);
        match (expected.strip_prefix("error: "), outcome) {
            (Some(message), Err(problems)) => {
                assert!(problems.iter().any(|p| p.contains(message)), "{what}: {problems:?} instead of {message}");
            }
            (Some(message), Ok(_)) => panic!("{what}: resolved, instead of {message}"),
            (None, Err(problems)) => panic!("{what}: {problems:?}"),
            (None, Ok(rdat)) => {
                let slot = match expected.split_once('=').map_or("", |(_, v)| &v[..1]) {
                    "s" => Slot::ShaderConfig,
                    "p" => Slot::PipelineConfig,
                    "g" => Slot::GlobalRootSignature,
                    _ => Slot::LocalRootSignature,
                };
                assert_eq!(found(&rdat, expected, slot), *expected, "{what}");
            }
        }
    }
}

#[rustfmt::skip]
const IN_ONE_LIBRARY: [(&str, &str, &str); 14] = [
    ("nothing is declared",             "lib Gen Hit",                                        "Gen=- Hit=-"),
    ("a subobject alone is a default",  "lib Gen Hit Sky | A=1",                              "Gen=1 Hit=1 Sky=1"),
    ("a default by an empty list",      "lib Gen Hit | A=1 A:",                               "Gen=1 Hit=1"),
    ("explicit for one export",         "lib Gen Hit | A=1 A:Hit",                            "Gen=- Hit=1"),
    ("explicit before a default",       "lib Gen Hit Sky | A=1 B=2 B:Hit",                    "Gen=1 Hit=2 Sky=1"),
    ("explicit and default of one",     "lib Gen Hit Sky | A=1 A:Hit A:",                     "Gen=1 Hit=1 Sky=1"),
    ("several associations of one",     "lib Gen Hit Sky | A=1 A:Hit A:Sky",                  "Gen=- Hit=1 Sky=1"),
    ("one export named twice",          "lib Gen Hit | A=1 A:Hit A:Hit",                      "Gen=- Hit=1"),
    ("equal definitions agree",         "lib Hit Sky | A=1 B=1 A:Hit B:Hit,Sky",              "Hit=1 Sky=1"),
    ("different ones conflict",         "lib Hit Sky | A=1 B=2 A:Hit B:Hit",                  "error: 'A' and 'B' are both associated with 'Hit'"),
    ("two defaults conflict",           "lib Hit Sky | A=1 B=2",                              "error: 'A' and 'B' are both defaults"),
    ("two equal defaults agree",        "lib Hit Sky | A=1 B=1",                              "Hit=1 Sky=1"),
    ("two defaults, neither needed",    "lib Hit | A=1 B=2 C=3 C:Hit",                        "Hit=3"),
    ("kinds do not mix",                "lib Hit Sky | A=1 S=s4 S:Hit T=s8 T:Sky",            "Hit=1 Sky=1"),
];

#[rustfmt::skip]
const HIT_GROUPS: [(&str, &str, &str); 10] = [
    ("from the group to its shaders",    "lib Any Hit G(Any,Hit) | A=1 A:G",                   "G=1 Any=1 Hit=1"),
    ("from a shader to its group",       "lib Any Hit G(Any,Hit) | A=1 A:Hit",                 "G=1 Hit=1"),
    ("both, equal",                      "lib Any Hit G(Any,Hit) | A=1 B=1 A:G B:Hit",         "G=1 Any=1 Hit=1"),
    ("both, different",                  "lib Any Hit G(Any,Hit) | A=1 B=2 A:G B:Hit",         "error: both associated with 'Hit'"),
    ("shaders that differ",              "lib Any Hit G(Any,Hit) | A=1 B=2 A:Any B:Hit",       "error: associated with different subobjects"),
    ("a default reaches groups",         "lib Any Hit G(Any,Hit) | A=1",                       "G=1 Any=1 Hit=1"),
    ("a shader in two groups",           "lib Hit G(,Hit) H(,Hit) | A=1 A:G",                  "G=1 Hit=1 H=1"),
    ("two groups that differ",           "lib Hit G(,Hit) H(,Hit) | A=1 B=2 A:G B:H",          "error: both associated with 'Hit'"),
    ("a group that the object declares", "lib Any Hit | A=1 A:Hit,Any\nobj | G(Any,Hit)",      "G=1 Any=1 Hit=1"),
    ("an override through a group",      "lib Any Hit G(Any,Hit) | A=1 A:Hit,Any\nobj | B=2 B:G", "G=2 Any=2 Hit=2"),
];

#[rustfmt::skip]
const OVER_SCOPES: [(&str, &str, &str); 18] = [
    ("a default stays in its library",    "lib Gen | A=1\nlib Hit",                               "Gen=1 Hit=-"),
    ("each library has its default",      "lib Gen | A=1\nlib Hit | A=2",                         "Gen=1 Hit=2"),
    ("explicit reaches other libraries",  "lib Gen | A=1 A:Hit\nlib Hit",                         "Gen=- Hit=1"),
    ("it wins over a default there",      "lib Gen | A=1 A:Hit\nlib Hit Sky | B=2",               "Hit=1 Sky=2"),
    ("named elsewhere, default at home",  "lib Gen Sky | A=1\nlib Hit | A:Hit",                   "Gen=1 Sky=1 Hit=1"),
    ("libraries that conflict",           "lib Gen | A=1 A:Hit\nlib Hit | B=2 B:Hit",             "error: `A` and `B` are both associated with `Hit`"),
    ("libraries that agree",              "lib Gen | A=1 A:Hit\nlib Hit | B=1 B:Hit",             "Hit=1"),
    ("the object's default reaches in",   "lib Gen\nlib Hit\nobj | A=1",                          "Gen=1 Hit=1"),
    ("explicit of the object",            "lib Gen Hit\nobj | A=1 A:Hit",                         "Gen=- Hit=1"),
    ("it overrides explicit of DXIL",     "lib Gen Hit | A=1 A:Gen,Hit\nobj | B=2 B:Hit",         "Gen=1 Hit=2"),
    ("it overrides a default of DXIL",    "lib Gen Hit | A=1\nobj | B=2 B:Hit",                   "Gen=1 Hit=2"),
    ("a default overrides DXIL",          "lib Gen Hit | A=1 A:Hit\nobj | B=2",                   "Gen=2 Hit=2"),
    ("also what another library says",    "lib Gen | A=1 A:Hit\nlib Hit\nobj | B=2 B:Hit",        "Gen=- Hit=2"),
    ("with a subobject of DXIL",          "lib Gen Hit | A=1 A:Hit B=2 B:Gen\nobj | B:Hit",       "Gen=2 Hit=2"),
    ("the object contradicts itself",     "lib Hit\nobj | A=1 B=2 A:Hit B:Hit",                   "error: `A` and `B` are both associated with `Hit`"),
    ("two defaults of the object",        "lib Hit\nobj | A=1 B=2",                               "error: `A` and `B` are both defaults"),
    ("a broken library stays broken",     "lib Hit | A=1 B=2 A:Hit B:Hit\nobj | C=3 C:Hit",       "error: 'A' and 'B' are both associated with 'Hit'"),
    ("other kinds are not overridden",    "lib Hit Sky | S=s4\nobj | A=1 A:Hit",                  "Hit=s4 Sky=s4"),
];

#[rustfmt::skip]
const COLLECTIONS: [(&str, &str, &str); 13] = [
    ("a collection keeps what it has",    "coll\nclib Hit | A=1\nlib Gen",                                "Gen=- Hit=1"),
    ("its default is not for others",     "coll\nclib Hit\ncobj | A=1\nlib Gen",                          "Gen=- Hit=1"),
    ("it overrides its own libraries",    "coll\nclib Hit | A=1 A:Hit\ncobj | B=2 B:Hit\nlib Gen",        "Gen=- Hit=2"),
    ("the object's default fills gaps",   "coll\nclib Hit\nlib Gen\nobj | A=1",                           "Gen=1 Hit=1"),
    ("but changes nothing",               "coll\nclib Hit Sky | A=1 A:Hit\nlib Gen\nobj | B=2",           "Gen=2 Hit=1 Sky=2"),
    ("explicit on a collection's gap",    "coll\nclib Hit\nobj | A=1 A:Hit",                              "Hit=1"),
    ("explicit cannot override it",       "coll\nclib Hit | A=1 A:Hit\nobj | B=2 B:Hit",                  "error: `A` and `B` are both associated with `Hit`"),
    ("nor override its defaults",         "coll\nclib Hit | A=1\nobj | B=2 B:Hit",                        "error: `A` and `B` are both associated with `Hit`"),
    ("equal definitions are no override", "coll\nclib Hit | A=1\nobj | B=1 B:Hit",                        "Hit=1"),
    ("a library on a collection",         "coll\nclib Hit | A=1\nlib Gen | B=2 B:Hit",                    "error: both associated with `Hit`"),
    ("a collection on a library",         "coll\nclib Hit\ncobj | A=1 A:Gen\nlib Gen | B=2 B:Gen",        "error: both associated with `Gen`"),
    ("two collections, two defaults",     "coll\nclib Hit | A=1\ncoll\nclib Sky | A=2\nlib Gen",          "Gen=- Hit=1 Sky=2"),
    ("a name in both",                    "coll\nclib Hit\ncoll\nclib Hit",                               "error: `Hit` is exported twice"),
];

#[rustfmt::skip]
const UNRESOLVED: [(&str, &str, &str); 4] = [
    ("an export that nothing has",        "lib Hit | A=1 A:Hit,Gone",                      "error: `A` is associated with `Gone`, which nothing exports"),
    ("a subobject that nothing has",      "lib Hit\nobj | A:Hit",                          "error: there is no subobject `A`"),
    ("a hit group as a subobject",        "lib Hit G(,Hit)\nobj | G:Hit",                  "error: `G` is a"),
    ("a function that traces no rays",    "lib Hit Plain | A=1 A:Hit,Plain",               "Hit=1"),
];

#[test]
fn in_one_library() {
    check(&IN_ONE_LIBRARY, true);
}

#[test]
fn hit_groups() {
    check(&HIT_GROUPS, true);
}

#[test]
fn over_scopes() {
    check(&OVER_SCOPES, true);
}

#[test]
fn collections() {
    check(&COLLECTIONS, true);
}

#[test]
fn unresolved_names() {
    check(&UNRESOLVED, true);
    // A collection may leave them to the state object that it will be in.
    check(&[("a collection waits", "lib Hit | A=1 A:Hit,Gone", "Hit=1")], false);
    check(&[("until there is one", "coll\nclib Hit | A=1 A:Hit,Sky\nlib Sky", "Hit=1 Sky=1")], true);
}

/// Configurations are associated like root signatures.
#[test]
fn other_kinds() {
    check(
        &[
            ("shader configs", "lib Gen Hit | S=s4\nobj | T=s8 T:Gen,Hit", "Gen=s8 Hit=s8"),
            ("pipeline configs", "lib Gen | P=p1\nlib Hit | Q=p1", "Gen=p1 Hit=p1"),
            ("global root signatures", "lib Gen Hit | R=g1 R:Gen\nobj | T=g2 T:Hit", "Gen=g1 Hit=g2"),
        ],
        true,
    );
}
