//! The folder that `cargo xtask web` builds, of which `RTC_WEB` names one: the module in it makes the bytes that this machine makes, and a browser shows them.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use rtc_explore_web::answer;
use rtc_oracles::artefacts::{oracle_dir, workspace_root};
use rtc_oracles::programs::find_program;
use rtc_oracles::skip;
use serde_json::{Map, Value, json};

const MISSING: &str =
    "RTC_WEB does not name a folder that `cargo xtask web` built; `cargo xtask check 'page without'` builds one and runs this";

fn built() -> Result<PathBuf, &'static str> {
    let folder = std::env::var_os("RTC_WEB").map(PathBuf::from).filter(|f| f.join("rtc.wasm").is_file());
    folder.ok_or(MISSING)
}

/// An empty folder for what a test writes.
fn scratch(name: &str) -> PathBuf {
    rtc_test_support::clean(env!("CARGO_TARGET_TMPDIR"), &format!("explore-web/{name}"))
}

fn said(done: &Output) -> String {
    format!("{}\n{}", String::from_utf8_lossy(&done.stdout).trim(), String::from_utf8_lossy(&done.stderr))
}

/// The shaders of a folder and its folders, by their paths from `root`.
fn shaders(root: &Path, folder: &Path, out: &mut Map<String, Value>) {
    let mut entries: Vec<PathBuf> = std::fs::read_dir(folder).expect("a folder").map(|e| e.expect("an entry").path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            shaders(root, &path, out);
        } else if path.extension().is_some_and(|e| e == "hlsl" || e == "hlsli") {
            // A file in another encoding is none that a browser has.
            if let Ok(text) = std::fs::read_to_string(&path) {
                out.insert(path.strip_prefix(root).expect("below").to_string_lossy().into_owned(), text.into());
            }
        }
    }
}

fn request(name: &str, files: &Map<String, Value>, options: Option<&str>) -> String {
    json!({ "make": "model", "name": name, "files": files, "options": options }).to_string()
}

/// Requests of all kinds: the samples at several levels, sources with errors, options that cannot be read, pages. `RTC_WEB_ALL` adds every shader of the lit tests.
fn requests() -> Vec<(String, String)> {
    let root = workspace_root();
    let mut samples = Map::new();
    shaders(&root.join("samples"), &root.join("samples"), &mut samples);
    let mut out = Vec::new();
    for name in samples.keys().filter(|n| n.ends_with(".hlsl")) {
        let text = samples[name].as_str().unwrap_or_default();
        // The large ones take seconds.
        let levels: &[Option<&str>] = if text.len() < 3000 { &[None, Some("-Od"), Some("-O1")] } else { &[None] };
        for &level in levels {
            let options = [(!text.starts_with("// rtc -T ")).then_some("-T lib_6_3"), level];
            let options = options.into_iter().flatten().collect::<Vec<_>>().join(" ");
            out.push((format!("{name} {options}"), request(name, &samples, Some(&options))));
        }
    }
    assert!(out.len() > 12, "the samples are there");
    let one = |text: &str| Map::from_iter([("a.hlsl".to_owned(), Value::from(text))]);
    let source = "RWByteAddressBuffer Out;\n[numthreads(8, 1, 1)] void main(uint n : SV_GroupIndex) { Out.Store(n * 4, asuint(sin(n * 0.3) + X)); }\n";
    for options in ["-T cs_6_6 -D X=1.5", "-T cs_6_6", "-T cs_9_9", "-T cs_6_6 -DX=1 -ftime-report", "-T cs_6_6 \"", "-T cs_6_6 @none"] {
        out.push((options.to_owned(), request("a.hlsl", &one(source), Some(options))));
    }
    let nested = |open: &str, close: &str, n: usize| format!("float f() {{ return {}1{}; }}", open.repeat(n), close.repeat(n));
    for text in ["", "float f( {", "#include \"absent.hlsli\"", "/* \u{3b1} \u{1f600} */ float \u{3b1};", &nested("(", ")", 100_000)] {
        out.push((text.chars().take(40).collect(), request("a.hlsl", &one(text), None)));
    }
    out.push((
        "a page".into(),
        request("a.hlsl", &one(source), Some("-T cs_6_6 -DX=2")).replace("\"make\":\"model\"", "\"make\":\"page\""),
    ));
    if std::env::var_os("RTC_WEB_ALL").is_some() {
        let mut all = Map::new();
        shaders(&root.join("lit-tests/tests"), &root.join("lit-tests/tests"), &mut all);
        for (name, text) in all.iter().filter(|(n, _)| n.ends_with(".hlsl")) {
            let profile = text.as_str().and_then(|t| t.split("-T ").nth(1)?.split_whitespace().next()).unwrap_or("lib_6_9");
            let mut files = all.clone();
            files.retain(|n, _| n == name || n.ends_with(".hlsli"));
            out.push((name.clone(), request(name, &files, Some(&format!("-T {profile}")))));
        }
    }
    out
}

/// The answers of the folder's worker in Node.js, and what the script prints.
fn in_node(
    folder: &Path,
    scratch: &Path,
    arguments: &[&str],
    requests: &[(String, String)],
    fault: Option<&str>,
) -> Result<(Vec<Vec<u8>>, String), String> {
    let node = find_program("node").ok_or("there is no `node` (Debian: nodejs)")?;
    let lines: Vec<&str> = requests.iter().map(|r| r.1.as_str()).collect();
    let list = scratch.join("requests.jsonl");
    std::fs::write(&list, lines.join("\n")).expect("a file");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/node.mjs");
    let done =
        Command::new(node).args(arguments).arg(script).args([folder, list.as_path(), scratch]).args(fault).output().expect("node runs");
    assert!(done.status.success(), "{}", said(&done));
    let read = |n: usize| std::fs::read(scratch.join(format!("{n}.json"))).expect("an answer");
    Ok(((0..requests.len()).map(read).collect(), said(&done)))
}

#[test]
fn the_module_answers_as_this_machine_does() {
    let folder = rtc_oracles::require!(built());
    let requests = requests();
    let (answers, said) = rtc_oracles::require!(in_node(&folder, &scratch("node"), &[], &requests, None));
    println!("{said}");
    let mut wrong = Vec::new();
    for ((name, request), there) in requests.iter().zip(answers) {
        let here = answer(request.as_bytes());
        if here != there {
            let at = here.iter().zip(&there).position(|(a, b)| a != b).unwrap_or(here.len().min(there.len()));
            let near =
                |text: &[u8]| String::from_utf8_lossy(&text[at.saturating_sub(80).min(text.len())..(at + 80).min(text.len())]).into_owned();
            wrong.push(format!("{name}: byte {at}:\n  here:  {}\n  there: {}", near(&here), near(&there)));
        }
    }
    assert!(wrong.is_empty(), "{} of {} differ:\n{}", wrong.len(), requests.len(), wrong.join("\n"));
}

/// Asks for a source that is too much with the fault, and for one that is not; the message for the first.
fn failing(name: &str, arguments: &[&str], fault: Option<&str>, source: &str) -> Result<String, String> {
    let folder = built()?;
    let small = "RWByteAddressBuffer O; [numthreads(1, 1, 1)] void main(uint n : SV_GroupIndex) { O.Store(n, 1); }";
    let one = |text: &str| request("a.hlsl", &Map::from_iter([("a.hlsl".to_owned(), text.into())]), Some("-T cs_6_6"));
    let requests = [("too much".to_owned(), one(source)), ("small".to_owned(), one(small))];
    let (answers, _) = in_node(&folder, &scratch(name), arguments, &requests, fault)?;
    let wrong: Value = serde_json::from_slice(&answers[0]).expect("JSON");
    let message = wrong["model"]["diagnostics"][0]["message"].as_str().or(wrong["error"].as_str());
    let right: Value = serde_json::from_slice(&answers[1]).expect("JSON");
    assert_eq!(right["model"]["diagnostics"], json!([]), "{wrong}");
    message.map(str::to_owned).ok_or_else(|| panic!("no message: {wrong}"))
}

/// `n` loops, each in the one before or after it.
fn loops(n: usize, nested: bool) -> String {
    let (open, close) = ("if (O.Load(n) > 1) { for (uint i = 0; i < n; i++) { O.Store(n, i); ", "}}");
    let body = if nested { open.repeat(n) + &close.repeat(n) } else { [open, close].concat().repeat(n) };
    format!("RWByteAddressBuffer O; [numthreads(1, 1, 1)] void main(uint n : SV_GroupIndex) {{ {body} }}")
}

/// An engine with too little stack for the compiler: the answer says so, and the next one is right.
#[test]
fn a_compiler_whose_stack_ends_is_an_answer() {
    let said = rtc_oracles::require!(failing("stack", &["--stack-size=100"], None, &loops(120, true)));
    assert_eq!(said, "The source nests too deeply for the stack that a browser gives a page.");
}

#[test]
fn a_compiler_whose_memory_ends_is_an_answer() {
    let said = rtc_oracles::require!(failing("memory", &[], Some("160"), &loops(3000, false)));
    assert_eq!(said, "The source needs more memory than the page may have.");
    // A request that does not fit at all.
    let said = rtc_oracles::require!(failing("large", &[], Some("160"), &format!("//{}", "-".repeat(20_000_000))));
    assert_eq!(said, "The source needs more memory than the page may have.");
}

#[test]
fn a_panic_is_an_answer() {
    let said = rtc_oracles::require!(failing("panic", &[], Some("panic"), "float x;"));
    assert!(said.starts_with("The compiler failed, which is a mistake of the compiler: ") && said.contains("capacity overflow"), "{said}");
}

#[test]
fn the_page_in_a_browser() {
    let folder = rtc_oracles::require!(built());
    let scratch = scratch("browser");
    // What the page has to show of its first sample.
    let samples: Value = serde_json::from_slice(&std::fs::read(folder.join("samples.json")).expect("samples")).expect("JSON");
    let mut wanted = samples[0].clone();
    wanted.as_object_mut().expect("a sample").remove("title");
    wanted["make"] = "model".into();
    std::fs::write(scratch.join("request.json"), wanted.to_string()).expect("a file");
    std::fs::write(scratch.join("answer.json"), answer(wanted.to_string().as_bytes())).expect("a file");
    let own = oracle_dir().join("servers/bin/python");
    let python = if own.is_file() { own } else { PathBuf::from("python3") };
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/web.py");
    let done = match Command::new(python).arg(script).args([&folder, &scratch]).output() {
        Ok(done) => done,
        Err(e) => return skip::skip(format!("python3: {e}")),
    };
    match done.status.code() {
        Some(77) => skip::skip(format!("the page needs {}", String::from_utf8_lossy(&done.stdout).trim())),
        _ => assert!(done.status.success(), "{}", said(&done)),
    }
    println!("{}", said(&done));
}
