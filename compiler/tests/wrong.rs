//! Invalid programs with one error each, and the expected diagnostics with their locations. Every diagnostic code occurs in one of them or in
//! a lit test.
//!
//! The files in `wrong/` have many cases. A case begins with `// CASE name options`; lines under the code have the
//! diagnostics, as [`annotate`] writes them:
//!
//! ```text
//! // CASE undeclared -T lib_6_6
//! float f() { return colr; }
//! //                 ^^^^ E0301 use of undeclared identifier `colr`
//! // = note: a further label, a note or a fix of the diagnostic above
//! // @1 E0202 …       a column too far to the left for a caret; `@0` is no location
//! // FILE a.hlsli     begins a file that the case includes
//! ```
//!
//! `//-` begins a remark on the case. A case reports exactly one error, or none and some warnings, unless its options say `errors=N`.
//! `RTC_BLESS=1` rewrites the annotations; read the difference.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use libtest_mimic::{Arguments, Failed, Trial};
use rtc::{Compilation, Define, Environment, Options, PayloadLayout, Profile, Ser, Style, Target, Virtual};

/// One case of a file.
#[derive(Clone)]
struct Case {
    name: String,
    options: String,
    text: String,
}

/// Codes that no program in a test can produce, with the reason.
const UNREACHABLE: &[(&str, &str)] = &[
    ("E0109", "requires a source of 60 MB; `too_many_tokens_end_in_a_diagnostic` of the frontend produces it"),
    ("E0840", "an error of the compiler itself: `passes/tests/audit/main.rs` builds it"),
    ("E0841", "an error of the compiler itself: `passes/tests/audit/main.rs` builds it"),
    ("E0842", "an error of the compiler itself: `passes/tests/audit/main.rs` builds it"),
    ("E0901", "an error of the compiler itself: the mutations look for it"),
];

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/wrong");
    let mut files: Vec<PathBuf> = match std::fs::read_dir(&folder) {
        Ok(entries) => entries.flatten().map(|e| e.path()).collect(),
        Err(e) => {
            eprintln!("error: {}: {e}", folder.display());
            return ExitCode::FAILURE;
        }
    };
    files.sort();
    let bless = std::env::var("RTC_BLESS").is_ok_and(|v| v == "1");
    let mut trials = Vec::new();
    let (mut names, mut codes) = (BTreeSet::new(), BTreeSet::new());
    for path in files {
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        let (head, cases) = split(&text);
        let stem = path.file_stem().map_or(String::new(), |s| s.to_string_lossy().into_owned());
        if bless {
            let new: String = cases.iter().map(|c| annotate(c).0).collect();
            if let Err(e) = std::fs::write(&path, head + &new) {
                eprintln!("error: {}: {e}", path.display());
                return ExitCode::FAILURE;
            }
        }
        let (_, cases) = split(&std::fs::read_to_string(&path).unwrap_or_default());
        for case in cases {
            let name = format!("{stem}::{}", case.name);
            codes.extend(case.text.lines().filter_map(annotation).filter_map(code_of));
            let twice = !names.insert(name.clone());
            trials.push(Trial::test(name, move || match twice {
                true => Err(Failed::from("two cases have this name")),
                false => check(&case),
            }));
        }
    }
    codes_of_lit_tests(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../lit-tests/tests"), &mut codes);
    trials.push(Trial::test("every_code_is_produced", move || every_code_is_produced(&codes)));
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// The codes that lit tests check: `[E0301]` in a file below `folder`.
fn codes_of_lit_tests(folder: &Path, codes: &mut BTreeSet<String>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            codes_of_lit_tests(&path, codes);
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        for part in text.split('[').skip(1) {
            let is_code = part.get(5..6) == Some("]") && part.starts_with(['E', 'W']);
            if is_code && part[1..5].bytes().all(|b| b.is_ascii_digit()) {
                codes.insert(part[..5].to_owned());
            }
        }
    }
}

/// The text before the first case, and the cases.
fn split(text: &str) -> (String, Vec<Case>) {
    let mut head = String::new();
    let mut cases: Vec<Case> = Vec::new();
    for line in text.split_inclusive('\n') {
        if let Some(title) = line.strip_prefix("// CASE ") {
            let (name, options) = title.trim().split_once(' ').unwrap_or((title.trim(), ""));
            cases.push(Case { name: name.into(), options: options.into(), text: line.into() });
        } else if let Some(case) = cases.last_mut() {
            case.text.push_str(line);
        } else {
            head.push_str(line);
        }
    }
    (head, cases)
}

/// The text of an annotation after its column; `None` for a line of code.
fn annotation(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("//")?;
    let trimmed = rest.trim_start();
    if rest.starts_with(" = ") {
        return Some("");
    }
    if let Some(at) = rest.strip_prefix(" @") {
        return at.split_once(' ').map(|(_, said)| said);
    }
    trimmed.starts_with('^').then(|| trimmed.trim_start_matches('^').trim_start())
}

fn code_of(said: &str) -> Option<String> {
    said.split(' ').next().filter(|c| c.len() == 5).map(str::to_owned)
}

fn options(text: &str) -> Result<(Options, usize), String> {
    let mut words = text.split_whitespace();
    let mut o = Options::new(Profile::parse("lib_6_6").map_err(|e| e.to_string())?);
    let mut errors = 1;
    while let Some(w) = words.next() {
        let mut value = || words.next().ok_or(format!("`{w}` requires a value"));
        match w {
            "-T" => {
                o.profile = Profile::parse(value()?).map_err(|e| e.to_string())?;
                o.dxil.validator = Options::new(o.profile).dxil.validator;
            }
            "-E" => o.entry = value()?.into(),
            "-rootsig-define" => o.root_define = Some(value()?.into()),
            "-binding-table-define" => o.binding_table = Some(rtc::options::BindingTable::Macro(value()?.into())),
            "-Gec" => o.older_semantics = true,
            "-HV" => o.hlsl_version = value()?.parse().map_err(|_| "a bad -HV")?,
            "-D" => o.defines.push(Define::parse(value()?)),
            "-spirv" => o.target = Target::Spirv,
            "-Fo" if value()?.ends_with(".rtp") => o.target = Target::Package,
            "-fspv-target-env=vulkan1.0" => o.spirv.environment = Environment::named("vulkan1.0"),
            "-fspv-linalg=nv" => o.vulkan.linear_algebra = rtc::options::LinearAlgebra::Nv,
            w if w.starts_with("-fspv-ser=") => {
                let known = Ser::ALL.iter().find(|(n, _)| *n == &w["-fspv-ser=".len()..]);
                o.vulkan.ser = known.ok_or("a bad -fspv-ser")?.1;
            }
            "-enable-payload-qualifiers" => o.payload_qualifiers = Some(true),
            "-disable-payload-qualifiers" => o.payload_qualifiers = Some(false),
            "-payload-layout=packed" => o.payload_layout = PayloadLayout::Packed,
            "-enable-16bit-types" => o.native_16bit = true,
            w if w.starts_with("-W") => o.warnings.groups.push(w[2..].into()),
            w => match w.strip_prefix("errors=").and_then(|n| n.parse().ok()) {
                Some(n) => errors = n,
                None => return Err(format!("unknown option `{w}` of a case")),
            },
        }
    }
    Ok((o, errors))
}

/// Compiles a case. Gives its text with the annotations that are right, and the number of errors.
fn annotate(case: &Case) -> (String, usize) {
    let mut files: Vec<(String, Vec<&str>)> = vec![("main.hlsl".into(), Vec::new())];
    let mut lines = case.text.lines();
    let title = lines.next().unwrap_or("");
    let mut trailing = Vec::new();
    for line in lines {
        if annotation(line).is_some() || line.starts_with("//-") {
            if line.starts_with("//-") {
                trailing.push(line);
            }
        } else if let Some(name) = line.strip_prefix("// FILE ") {
            files.push((name.trim().into(), Vec::new()));
        } else if let Some(f) = files.last_mut() {
            f.1.push(line);
        }
    }
    let text = |lines: &[&str]| lines.iter().map(|l| format!("{l}\n")).collect::<String>();
    let c = match options(&case.options) {
        Ok((o, _)) => {
            let texts: Vec<(&str, String)> = files[1..].iter().map(|(n, l)| (n.as_str(), text(l))).collect();
            let mut includes = Virtual::new(texts.iter().map(|(n, t)| (*n, t.as_str())));
            rtc::compile("main.hlsl", text(&files[0].1).as_bytes(), &mut includes, &o)
        }
        Err(e) => return (format!("{e}\n{}", case.text), 0),
    };
    let mut out = format!("{title}\n");
    for line in trailing {
        _ = writeln!(out, "{line}");
    }
    for d in c.diagnostics.iter().filter(|d| c.sources.loc(d.span()).is_none()) {
        _ = writeln!(out, "// @0 {} {}", d.code.id, d.message);
        out.push_str(&further(&c, d));
    }
    for (name, lines) in &files {
        if name != "main.hlsl" {
            _ = writeln!(out, "// FILE {name}");
        }
        for (i, line) in lines.iter().enumerate() {
            _ = writeln!(out, "{line}");
            for d in &c.diagnostics {
                out.push_str(&said_of(&c, d, name, i));
            }
        }
        for d in &c.diagnostics {
            out.push_str(&said_of(&c, d, name, lines.len()));
        }
    }
    (out, c.diagnostics.iter().filter(|d| d.is_error()).count())
}

/// The annotation of `d` if it is about line `index` of `file`.
fn said_of(c: &Compilation, d: &rtc::Diagnostic, file: &str, index: usize) -> String {
    let Some((id, range)) = c.sources.range(d.span()) else { return String::new() };
    let f = c.sources.file(id);
    let line = f.line_starts().partition_point(|&s| s as usize <= range.start) - 1;
    if f.name != file || line != index {
        return String::new();
    }
    let start = f.line_starts()[line] as usize;
    let column = f.text[start..range.start].chars().count();
    let end = f.text[range.start..].find('\n').map_or(f.text.len(), |n| range.start + n);
    let width = f.text[range.start..range.end.clamp(range.start, end)].chars().count().max(1);
    let place = match column {
        0..3 => format!(" @{}", column + 1),
        _ => " ".repeat(column - 2) + &"^".repeat(width),
    };
    format!("//{place} {} {}\n{}", d.code.id, d.message, further(c, d))
}

/// The other places, notes and fixes of `d`.
fn further(c: &Compilation, d: &rtc::Diagnostic) -> String {
    let shown = rtc::render(&c.sources, d, Style::Short);
    let here = d.labels.first().filter(|l| !l.message.is_empty()).map(|l| format!("here: {}", l.message));
    let notes = shown.lines().filter(|l| l.contains("note: ")).map(|l| l.strip_prefix("main.hlsl:").unwrap_or(l).to_owned());
    here.into_iter().chain(notes).map(|l| format!("// = {l}\n")).collect()
}

fn check(case: &Case) -> Result<(), Failed> {
    let (_, expected) = options(&case.options)?;
    let (text, errors) = annotate(case);
    if text != case.text {
        return Err(Failed::from(format!(
            "expected\n{}\nfound\n{text}\nIf the new text is right, run the test again with RTC_BLESS=1.",
            case.text
        )));
    }
    if !case.text.lines().any(|l| annotation(l).is_some()) {
        return Err(Failed::from("nothing is reported"));
    }
    if errors != expected && !(errors == 0 && expected == 1) {
        return Err(Failed::from(format!("{errors} errors, expected {expected}: one mistake gives one error\n{text}")));
    }
    Ok(())
}

fn every_code_is_produced(produced: &BTreeSet<String>) -> Result<(), Failed> {
    let excused = |id: &str| UNREACHABLE.iter().any(|(c, _)| *c == id);
    let missing: Vec<&str> =
        rtc_tables::diagnostics::ALL.iter().map(|c| c.id).filter(|id| !produced.contains(*id) && !excused(id)).collect();
    let needless: Vec<&str> = UNREACHABLE.iter().map(|c| c.0).filter(|id| produced.contains(*id)).collect();
    if missing.is_empty() && needless.is_empty() {
        return Ok(());
    }
    Err(Failed::from(format!("no case produces {missing:?}; produced although listed as unreachable: {needless:?}")))
}
