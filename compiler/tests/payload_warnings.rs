//! Warnings about payloads are true: every warning for the cases of `wrong/`, the lit tests and the samples is observed when an interpreter runs the
//! shader alone with random inputs. (Tests of the analysis check the warnings of random libraries on all paths.)
//!
//! Checked: a read that is reported as undefined reads an undefined value, a trace that is reported to pass an undefined value does so, a field that
//! is reported as left undefined is, and a write that is reported as lost is lost in some run. Not checked: that no shader has read the value
//! before.

#[path = "packed/alone.rs"]
mod alone;
#[allow(dead_code)]
#[path = "packed/machine.rs"]
mod machine;
#[allow(dead_code)]
#[path = "packed/traces.rs"]
mod traces;

use std::path::{Path, PathBuf};

use alone::Alone;
use machine::{Layouts, Machine, hash};
use rtc::Disk;
use rtc_base::{Diagnostic, Interner, SourceMap};
use rtc_frontend::preprocess::PreprocessOptions;
use rtc_frontend::{lower, sema};
use rtc_ir::Module;

/// Each shader runs so often.
const RUNS: u64 = 300;

/// The front end; `None` after an error.
fn module(path: &Path, text: &str, minor: u8) -> Option<(SourceMap, Module)> {
    let (mut sources, mut names) = (SourceMap::new(), Interner::new());
    let main = sources.add_file(path.to_string_lossy(), text, None)?;
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../samples");
    let options = PreprocessOptions { include_dirs: vec![root.to_string_lossy().into_owned()], ..PreprocessOptions::default() };
    let parsed = rtc_frontend::parse(&mut sources, &mut names, main, &options, &mut Disk);
    let wrong = |all: &[Diagnostic]| all.iter().any(Diagnostic::is_error);
    if wrong(&parsed.diagnostics) {
        return None;
    }
    let native_16bit = text.contains("16_t") || text.contains("-enable-16bit-types");
    let options =
        sema::SemaOptions { shader_model: minor, native_16bit, payload_qualifiers: Some(minor >= 6), ..sema::SemaOptions::default() };
    let (typed, found) = sema::check(&parsed.ast, &sources, &mut names, &options);
    if wrong(&found) {
        return None;
    }
    let lowering = lower::Options {
        shader_model: minor.into(),
        native_16bit,
        layout: rtc::BufferLayout::DX,
        payload_qualifiers: minor >= 6,
        ..lower::Options::default()
    };
    let (module, found) = lower::lower(&typed, &names, &lowering);
    (!wrong(&found)).then_some((sources, module))
}

/// What happens in the shaders of a module.
fn observed(m: &Module) -> Alone {
    let layouts = Layouts::new(m);
    let mut all = Alone::default();
    for (id, f) in m.funcs.iter().filter(|(_, f)| f.is_entry()) {
        let name: u64 = f.name.bytes().map(u64::from).sum();
        for n in 0..RUNS {
            let mut machine = Machine::new(m, &layouts, hash(n, name), n, true, 5000);
            machine.alone = Some(std::mem::take(&mut all));
            machine.run_alone(id);
            all = machine.alone.take().expect("it ran alone");
        }
    }
    all
}

/// Whether it happened.
fn is_true(d: &Diagnostic, seen: &Alone) -> bool {
    let at = d.span().lo.raw();
    let named = |name: &str| d.message.contains(&format!("`{name}`"));
    match d.code.id {
        "W0710" | "W0711" => seen.undefined_reads.contains(&at),
        "W0712" | "W0713" => seen.lost.contains(&at),
        "W0714" | "W0715" => seen.undefined_in.iter().any(|(place, field)| *place == at && named(field)),
        "W0716" => seen.undefined_out.iter().any(|(shader, field)| named(shader) && named(field)),
        other => panic!("{other} is no warning about payloads"),
    }
}

/// Those that did not happen, and how many did.
fn refuted(path: &Path, text: &str, minor: u8) -> Option<(Vec<String>, usize)> {
    let (sources, m) = module(path, text, minor)?;
    let warnings = rtc_passes::paq_liveness::check(&m).warnings;
    if warnings.is_empty() {
        return Some((Vec::new(), 0));
    }
    let seen = observed(&m);
    let (mut wrong, mut right) = (Vec::new(), 0);
    for d in &warnings {
        if is_true(d, &seen) {
            right += 1;
        } else {
            wrong.push(rtc::render(&sources, d, rtc::Style::Short));
        }
    }
    Some((wrong, right))
}

fn files(dir: &Path, out: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(dir) else { return };
    for e in entries.flatten() {
        let path = e.path();
        if path.is_dir() {
            files(&path, out);
        } else if path.extension().is_some_and(|e| e == "hlsl") {
            out.push(path);
        }
    }
    out.sort();
}

fn cases() -> Vec<(String, u8)> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/wrong/payload_access.hlsl");
    let text = std::fs::read_to_string(path).expect("the cases");
    let case = |c: &str| {
        let (head, body) = c.split_once('\n').unwrap_or((c, ""));
        let minor = head.split("lib_6_").nth(1).and_then(|m| m[..1].parse().ok()).unwrap_or(7);
        (body.to_owned(), minor)
    };
    text.split("// CASE ").skip(1).map(case).collect()
}

/// Where everything comes in and out, hardly any of the warnings happens: this test can fail.
#[test]
fn warnings_about_something_else_are_refuted() {
    let (mut wrong, mut all) = (0, 0);
    for (text, minor) in cases() {
        let (_, mut m) = module(Path::new("case.hlsl"), &text, minor).expect("a case");
        let warnings = rtc_passes::paq_liveness::check(&m).warnings;
        for q in m.structs.values_mut().flat_map(|s| &mut s.fields).filter_map(|f| f.paq.as_mut()) {
            (q.read, q.write) = (15, 15);
        }
        let seen = observed(&m);
        all += warnings.len();
        wrong += warnings.iter().filter(|d| !is_true(d, &seen)).count();
    }
    println!("{wrong} of {all}");
    assert!(wrong * 10 > all * 7, "{wrong} of {all} are refuted");
}

#[test]
fn warnings_happen() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut wrong = Vec::new();
    let (mut right, mut programs, mut in_cases) = (0, 0, 0);
    let mut take = |found: Option<(Vec<String>, usize)>| {
        let Some((mut refuted, n)) = found else { return 0 };
        wrong.append(&mut refuted);
        right += n;
        programs += 1;
        n
    };
    for (text, minor) in cases() {
        in_cases += take(refuted(Path::new("case.hlsl"), &text, minor));
    }
    let mut all = Vec::new();
    files(&root.join("../lit-tests/tests"), &mut all);
    files(&root.join("../samples"), &mut all);
    for path in all {
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        for minor in [9, 7, 6, 5] {
            let found = refuted(&path, &text, minor);
            if found.is_some() {
                take(found);
                break;
            }
        }
    }
    println!("{programs} programs, {right} warnings, {in_cases} of them in cases");
    assert!(wrong.is_empty(), "these do not happen:\n{}", wrong.join("\n"));
    assert!(in_cases >= 20 && right > in_cases && programs > 200, "{in_cases} {right} {programs}");
}
