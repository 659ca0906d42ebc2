//! How many instructions both compilers make of the same source: all in function bodies of the DXIL part, both
//! at `-O3` and for the same profile, counted in the listing that `rtc dis` prints of either's container. Calls of debug
//! intrinsics are no instructions.
//!
//! The pinned reference compiles what it can; the rest goes to the program that `RTC_DXC` names. What neither compiles is
//! *skipped*, with the reason.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use rtc_oracles::DxcProgram;
use rtc_oracles::artefacts::workspace_root;
use rtc_oracles::facts;

use super::shaders;
use crate::plan::{self, Sample};
use crate::progress::Step;

/// Set to anything, it makes the benchmark print where the counts differ, by operation.
const BY_OPERATION: &str = "RTC_BENCH_OPERATIONS";

/// Names a list of command lines, as `bench shaders` reads it, whose shaders are counted too. Lists of public projects are not part of this
/// one.
const LIST: &str = "RTC_BENCH_LIST";

/// The last profile's version that the pinned reference compiles: its support of the next one is preliminary.
const PINNED: (u32, u32) = (6, 6);

/// One source, and the arguments for both compilers.
struct Source {
    name: String,
    args: Vec<String>,
    /// Where the compilers run.
    folder: PathBuf,
}

/// Sources that are averaged together.
struct Group {
    title: &'static str,
    sources: Vec<Source>,
}

/// Counts by operation: the mnemonic, or the name of a DXIL operation.
type Counts = BTreeMap<String, usize>;

/// Compares all sources whose names contain `wanted`.
///
/// # Errors
/// When rtc does not compile a source, or a listing cannot be made.
pub fn run(samples: &[Sample], wanted: &str, dir: &Path) -> Result<(), String> {
    println!("instructions in function bodies of DXIL at -O3; ratio: rtc's count through the reference's");
    let mut failed = Vec::new();
    for group in groups(samples)? {
        let (mut sum, mut count) = (0.0, 0_u32);
        let mut totals = (0, 0);
        println!("\n{:<28} {:>8} {:>10} {:>8}", group.title, "rtc", "reference", "ratio");
        for source in group.sources.iter().filter(|s| s.name.contains(wanted)) {
            let step = Step::new(format!("Compiling {}", source.name));
            let ours = counted(Command::new(plan::program("rtc", false)), source, &dir.join("rtc.dxil"));
            let theirs = reference(source, &dir.join("reference.dxil"));
            step.done();
            let ours = match ours {
                Ok(ours) => ours,
                Err(e) if theirs.is_err() && group.title == LIST_TITLE => {
                    println!("{:<28} {:>8} {:>10} {:>8}  skipped, neither compiles it: {e}", source.name, "-", "-", "-");
                    continue;
                }
                Err(e) => {
                    failed.push(format!("{}: {e}", source.name));
                    continue;
                }
            };
            let total: usize = ours.values().sum();
            match theirs {
                Err(why) => println!("{:<28} {total:>8} {:>10} {:>8}  skipped, {why}", source.name, "-", "-"),
                Ok(theirs) => {
                    let other: usize = theirs.values().sum();
                    let ratio = total as f64 / other.max(1) as f64;
                    totals = (totals.0 + total, totals.1 + other);
                    sum += ratio.ln();
                    count += 1;
                    println!("{:<28} {total:>8} {other:>10} {ratio:>8.3}", source.name);
                    if std::env::var_os(BY_OPERATION).is_some() {
                        print!("{}", differences(&ours, &theirs));
                    }
                }
            }
        }
        if count != 0 {
            println!("{:<28} {:>8} {:>10} {:>8.3}", "all", totals.0, totals.1, totals.0 as f64 / totals.1.max(1) as f64);
            println!("{:<28} {:>8} {:>10} {:>8.3}  of {count}", "geometric mean", "", "", (sum / f64::from(count)).exp());
        }
    }
    match failed.is_empty() {
        true => Ok(()),
        false => Err(format!("rtc failed:\n  {}", failed.join("\n  "))),
    }
}

/// The title of the shaders of a list.
const LIST_TITLE: &str = "list";

/// The samples, the sources of the reference containers, the shaders that tests run, and those of a list.
fn groups(samples: &[Sample]) -> Result<Vec<Group>, String> {
    let of_sample = |s: &Sample| {
        let args = ["-T", &s.profile].into_iter().chain(s.args.iter().map(String::as_str));
        Source::new(s.name.clone(), &s.hlsl, args.map(str::to_string).collect())
    };
    let mut all = vec![Group { title: "samples", sources: samples.iter().map(of_sample).collect() }];
    all.push(Group { title: "reference", sources: sources(&facts::reference(), &["// ", "dxc ", "rtc "])? });
    let tests = workspace_root().join("lit-tests/tests/run");
    all.push(Group { title: "lit-tests/tests/run", sources: sources(&tests, &["// RUN: %rtc "])? });
    if let Some(list) = std::env::var_os(LIST) {
        all.push(Group { title: LIST_TITLE, sources: listed(Path::new(&list))? });
    }
    Ok(all)
}

impl Source {
    /// A file with absolute name.
    fn new(name: String, file: &Path, mut args: Vec<String>) -> Source {
        args.push(file.to_string_lossy().into_owned());
        Source { name, args, folder: workspace_root() }
    }
}

/// The shaders of a list that are compiled to DXIL.
fn listed(list: &Path) -> Result<Vec<Source>, String> {
    let fails = |e| format!("cannot read {}: {e}", list.display());
    let list = list.canonicalize().map_err(fails)?;
    let folder = list.parent().unwrap_or(Path::new("/"));
    let text = fs::read_to_string(&list).map_err(fails)?;
    let lines = text.lines().filter_map(shaders::line).filter(|l| !l.args.iter().any(|a| a == "-spirv"));
    Ok(lines.map(|l| Source { name: l.name, args: l.args, folder: folder.to_owned() }).collect())
}

/// The shaders of a folder, by name, with the arguments that a line of theirs has after one of `marks`.
fn sources(folder: &Path, marks: &[&str]) -> Result<Vec<Source>, String> {
    let fails = |e| format!("cannot read {}: {e}", folder.display());
    let mut all = Vec::new();
    for entry in fs::read_dir(folder).map_err(fails)?.flatten() {
        let file = entry.path();
        if file.extension().is_none_or(|e| e != "hlsl") {
            continue;
        }
        let text = fs::read_to_string(&file).map_err(fails)?;
        let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if let Some(args) = arguments(&text, marks) {
            all.push(Source::new(name, &file, args));
        }
    }
    all.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(all)
}

/// The arguments that the first lines of a shader give, or the default profile.
fn arguments(text: &str, marks: &[&str]) -> Option<Vec<String>> {
    let line = text.lines().take(8).find_map(|l| {
        let at = l.find("-T ")?;
        marks.iter().any(|m| l.starts_with(m)).then_some(&l[at..])
    });
    let words: Vec<String> = line.unwrap_or("-T lib_6_3").split_whitespace().map(str::to_string).collect();
    let mut args = Vec::new();
    let mut rest = words.into_iter();
    while let Some(word) = rest.next() {
        match word.as_str() {
            // What is written is decided here.
            "-Fo" | "-Fc" | "-validator-version" => _ = rest.next(),
            "-Zi" | "-Qembed_debug" | "-Od" | "-spirv" | "-no-warnings" | "%s" => {}
            w if w.ends_with(".hlsl") => {}
            _ => args.push(word),
        }
    }
    if !args.iter().any(|a| a == "-HV") {
        args.extend(["-HV".to_string(), "2021".to_string()]);
    }
    Some(args)
}

/// The counts of a reference compiler that compiles the source: the pinned one, else the newer one.
fn reference(source: &Source, out: &Path) -> Result<Counts, String> {
    let profile = source.args.iter().skip_while(|a| *a != "-T").nth(1).map_or("", String::as_str);
    let mut numbers = profile.split('_').skip(1).filter_map(|n| n.parse::<u32>().ok());
    let version = (numbers.next().unwrap_or(6), numbers.next().unwrap_or(3));
    let pinned = if version <= PINNED {
        let mut command = Command::new(plan::program("rtc-oracle", false));
        command.arg("compile");
        counted(command, source, out)
    } else {
        Err(format!("the pinned reference does not know {profile}; RTC_DXC may name a newer one"))
    };
    pinned.or_else(|why| match DxcProgram::find() {
        Ok(newer) => counted(newer.command(), source, out),
        Err(_) => Err(why),
    })
}

/// Compiles `source` by `compiler` and counts.
fn counted(mut compiler: Command, source: &Source, out: &Path) -> Result<Counts, String> {
    // The output of an earlier source must not be counted.
    let _ = fs::remove_file(out);
    compiler.args(&source.args).args(["-O3", "-no-warnings", "-Vd", "-Fo"]).arg(out).current_dir(&source.folder);
    output(&mut compiler)?;
    let listing = output(Command::new(plan::program("rtc", false)).arg("dis").arg(out))?;
    Ok(count(&listing))
}

/// What a command prints.
fn output(command: &mut Command) -> Result<String, String> {
    let done =
        command.stdin(Stdio::null()).output().map_err(|e| format!("cannot start {}: {e}", command.get_program().to_string_lossy()))?;
    if done.status.success() {
        return Ok(String::from_utf8_lossy(&done.stdout).into_owned());
    }
    let said = String::from_utf8_lossy(&done.stderr);
    let first = said.lines().find(|l| l.contains("error")).or(said.lines().next());
    Err(first.unwrap_or("it fails without a word").trim().to_string())
}

/// The instructions of a listing, by operation: lines of a function's body that are indented by two. A `switch` has its cases
/// further in.
fn count(listing: &str) -> Counts {
    let mut counts = Counts::new();
    let mut inside = false;
    for line in listing.lines() {
        if line.starts_with("define ") {
            inside = true;
        } else if line == "}" {
            inside = false;
        }
        let Some(text) = line.strip_prefix("  ").filter(|t| inside && !t.starts_with([' ', ']'])) else {
            continue;
        };
        let text = match text.split_once(" = ") {
            Some((result, rest)) if result.starts_with('%') => rest,
            _ => text,
        };
        if text.contains("@llvm.dbg.") {
            continue;
        }
        *counts.entry(operation(text).to_string()).or_default() += 1;
    }
    counts
}

/// What a line does: the operation of a call, or the mnemonic.
fn operation(text: &str) -> &str {
    let mnemonic = text.split(' ').next().unwrap_or(text);
    let named = text.split_once("  ; ").and_then(|(_, comment)| comment.split('(').next());
    match mnemonic {
        "call" | "tail" => named.unwrap_or(mnemonic),
        _ => mnemonic,
    }
}

/// A line with the operations that one of the two has more of, the largest differences first.
fn differences(ours: &Counts, theirs: &Counts) -> String {
    let names = ours.keys().chain(theirs.keys().filter(|k| !ours.contains_key(*k)));
    let of = |c: &Counts, name: &str| c.get(name).map_or(0, |n| i64::try_from(*n).unwrap_or(i64::MAX));
    let mut all: Vec<(i64, &String)> = names.map(|n| (of(ours, n) - of(theirs, n), n)).filter(|d| d.0 != 0).collect();
    all.sort_by_key(|d| (-d.0.abs(), d.1));
    let mut line = String::from("   ");
    for (by, name) in all {
        let _ = write!(line, " {name} {by:+}");
    }
    line + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    const LISTING: &str = "; comment\n@x = external global i32\ndefine void @f() {\n  %1 = call float @dx.op.unary.f32(i32 13, float 1.0)  ; Sin(value)\n  call void @llvm.dbg.value(metadata i32 0)  ; var:\"x\"\n  switch i32 %2, label %3 [\n    i32 0, label %4\n  ]\n; <label>:3  ; preds = %0\n  %5 = fadd fast float %1, %1\n  ret void\n}\n  declare\n";

    #[test]
    fn counts_what_stands_in_bodies() {
        let counts = count(LISTING);
        let list: Vec<(&str, usize)> = counts.iter().map(|(k, n)| (k.as_str(), *n)).collect();
        assert_eq!(list, [("Sin", 1), ("fadd", 1), ("ret", 1), ("switch", 1)]);
    }

    #[test]
    fn says_where_the_difference_is() {
        let (mut a, mut b) = (count(LISTING), count(LISTING));
        a.insert("fadd".to_string(), 4);
        b.insert("phi".to_string(), 2);
        assert_eq!(differences(&a, &b), "    fadd +3 phi -2\n");
    }

    #[test]
    fn arguments_stand_in_a_line_of_the_source() {
        let marks = ["// RUN: %rtc "];
        let args = |text| arguments(text, &marks).map(|a| a.join(" "));
        assert_eq!(
            args("// x\n// RUN: %rtc -T cs_6_0 -E Main -HV 2018 -validator-version 1.6 %s -Fo %t.dxil\n").as_deref(),
            Some("-T cs_6_0 -E Main -HV 2018")
        );
        assert_eq!(args("// -T lib_6_6\n").as_deref(), Some("-T lib_6_3 -HV 2021"));
    }
}
