//! The same bytes from a process, through the compile server and from the library: permutations of the sources of samples and lit tests.
//!
//! `RTC_PERMUTATIONS=5000 cargo test -p rtc-dxcompiler --test agree -- --nocapture` compares more of them, and prints how many there were.
// Every block calls through the table of an object that the library gave, with arguments that outlive the call.
#![allow(unsafe_code, clippy::undocumented_unsafe_blocks)]
#![cfg(target_os = "linux")]

mod client;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::{AtomicUsize, Ordering};

use client::*;
use rtc_com::base::interface::Interface;
use rtc_com::call;
use rtc_com::interfaces::*;
use rtc_com::wide::WChar;
use rtc_oracles::selection::number;

/// What permutations of a source have in addition to its own arguments. A define of another value goes with each.
const VARIANTS: [&[&str]; 6] = [&[], &["-Od"], &["-spirv"], &["-O1", "-Zpr"], &["-Zi", "-Qembed_debug"], &["-spirv", "-O0"]];

/// Longer sources are left out: builds without optimisation take their time with them.
const MAX_BYTES: u64 = 24 << 10;

/// The sources below some folders, relative to the root of the repository, with the arguments that they name.
fn sources(root: &Path) -> Vec<(String, Vec<String>)> {
    let mut out = Vec::new();
    let mut todo: Vec<PathBuf> = ["samples", "lit-tests/tests"].map(|f| root.join(f)).into();
    while let Some(folder) = todo.pop() {
        for path in std::fs::read_dir(folder).expect("it is there").flatten().map(|e| e.path()) {
            if path.is_dir() {
                todo.push(path);
                continue;
            }
            let is_source = path.extension().is_some_and(|e| e == "hlsl");
            if !is_source || path.metadata().is_ok_and(|m| m.len() > MAX_BYTES) {
                continue;
            }
            let text = std::fs::read_to_string(&path).expect("text");
            let words = |line: &str| -> Vec<String> {
                let own = line.split([' ', '|']).filter(|w| !w.is_empty());
                own.take_while(|w| *w != "%s" && !w.contains('%') && !w.starts_with("-F")).map(str::to_owned).collect()
            };
            let line = text.lines().find_map(|l| l.strip_prefix("// rtc -T ").or_else(|| l.strip_prefix("// RUN: %rtc -T ")));
            if let Some(line) = line {
                let name = path.strip_prefix(root).expect("it is below").to_string_lossy().into_owned();
                out.push((name, [vec!["-T".to_owned()], words(line)].concat()));
            }
        }
    }
    out.sort();
    out
}

/// The object; nothing if the source is refused.
type Product = Option<Vec<u8>>;

fn by_library(source: &[u8], arguments: &[&str]) -> Product {
    let utils = create::<IDxcUtils>(UTILS);
    let files =
        get::<IDxcIncludeHandler>(|out| unsafe { call!(utils, create_include_handler(out)) }).expect("a handler").expect("not null");
    let compiler = create::<IDxcCompiler3>(COMPILER);
    let strings: Vec<Vec<WChar>> = arguments.iter().map(|a| wide(a)).collect();
    let pointers: Vec<Wide> = strings.iter().map(|s| s.as_ptr()).collect();
    let buffer = DxcBuffer { data: source.as_ptr().cast(), size: source.len(), encoding: 0 };
    let count = pointers.len() as u32;
    let made =
        get::<IDxcResult>(|out| unsafe { call!(compiler, compile(&buffer, pointers.as_ptr(), count, files.raw(), &IDxcResult::IID, out)) });
    let result = made.ok()?.expect("success is not null");
    let mut status = -1;
    assert_eq!(unsafe { (result.table().get_status)(result.this(), &mut status) }, 0);
    if status < 0 {
        return None;
    }
    /// The kind of an object, as in the reference's header.
    const OBJECT: u32 = 1;
    let object = get::<IDxcBlob>(|out| unsafe { call!(result, get_output(OBJECT, &IDxcBlob::IID, out, std::ptr::null_mut())) });
    Some(bytes(&object.ok()??))
}

/// Processes of the command in a folder, with a server of their own.
struct Rtc {
    program: PathBuf,
    root: PathBuf,
    folder: PathBuf,
}

impl Rtc {
    fn command(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(&self.program);
        command.args(arguments).current_dir(&self.root).env_remove("RTC_SERVER").env("RTC_SERVER_DIR", self.folder.join("server"));
        command.output().expect("rtc runs")
    }

    /// What a process makes with these arguments, whose last one is the file of the object, and what it says.
    fn make(&self, first: &[&str], arguments: &[&str]) -> (Product, String) {
        let file = arguments.last().expect("a file");
        _ = std::fs::remove_file(file);
        let done = self.command(&[first, arguments].concat());
        let made = done.status.success().then(|| std::fs::read(file).unwrap_or_default());
        (made, String::from_utf8_lossy(&[done.stdout, done.stderr].concat()).into_owned())
    }

    fn status(&self) -> Option<String> {
        let done = self.command(&["server", "status"]);
        done.status.success().then(|| String::from_utf8_lossy(&done.stdout).into_owned())
    }
}

impl Drop for Rtc {
    fn drop(&mut self) {
        self.command(&["server", "stop"]);
        _ = std::fs::remove_dir_all(&self.folder);
    }
}

#[test]
fn processes_server_and_library_make_the_same_bytes() {
    let count = number("RTC_PERMUTATIONS", 60) as usize;
    let exe = std::env::current_exe().expect("the test has a path");
    let program = exe.parent().and_then(Path::parent).expect("a folder").join("rtc");
    if !program.exists() {
        return rtc_oracles::skip("`rtc` was not built next to the test");
    }
    let root = rtc_oracles::artefacts::workspace_root().canonicalize().expect("it is there");
    // Names of sources are relative to it, in this process as in others.
    std::env::set_current_dir(&root).expect("it is there");
    let folder = std::env::temp_dir().join(format!("rtc-agree-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("it can be made");
    let rtc = Rtc { program, root: root.clone(), folder };
    for _ in 0..600 {
        if rtc.status().is_some() {
            break;
        }
        rtc.command(&["--server", "--version"]);
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
    let all = sources(&root);
    assert!(all.len() > 300, "{} sources", all.len());
    let (next, objects, refused) = (AtomicUsize::new(0), AtomicUsize::new(0), AtomicUsize::new(0));
    let one = |n: usize, thread: usize| {
        // Neighbours are permutations of one source, so that they share what can be shared; few of them are of sources from everywhere.
        let per_source = count.div_ceil(all.len()).max(3);
        let step = (all.len() * per_source / count).max(1);
        let ((name, own), variant) = (&all[n / per_source * step % all.len()], n % per_source);
        let define = format!("-DRTC_PERMUTATION={variant}");
        let own: Vec<&str> = own.iter().map(String::as_str).collect();
        // Debug information has the arguments, so that they are the same everywhere.
        let file = rtc.folder.join(thread.to_string()).to_string_lossy().into_owned();
        let arguments = [&own[..], VARIANTS[variant % VARIANTS.len()], &[&define, name, "-Fo", &file]].concat();
        let (plain, said) = rtc.make(&[], &arguments);
        let (served, also) = rtc.make(&["--server"], &arguments);
        assert!(plain == served && said == also, "{name} {arguments:?}: with the server\n{said}\n{also}");
        let source = std::fs::read(root.join(name)).expect("it is there");
        let called = by_library(&source, &arguments);
        // The command writes a text where there is no object.
        if called.is_some() || plain.is_none() {
            assert!(plain == called, "{name} {arguments:?}: through the library");
        }
        if called.is_some() { &objects } else { &refused }.fetch_add(1, Ordering::Relaxed);
    };
    std::thread::scope(|scope| {
        for thread in 0..std::thread::available_parallelism().map_or(2, usize::from) {
            let (one, next) = (&one, &next);
            scope.spawn(move || {
                loop {
                    let n = next.fetch_add(1, Ordering::Relaxed);
                    if n >= count {
                        break;
                    }
                    one(n, thread);
                }
            });
        }
    });
    let (objects, refused) = (objects.into_inner(), refused.into_inner());
    println!(
        "{count} permutations of {} sources: {objects} objects, {refused} refused or without one; {}",
        all.len(),
        rtc.status().unwrap_or_default()
    );
    assert!(objects > count / 2, "{objects} of {count}");
}
