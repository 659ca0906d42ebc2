//! What Windows has of its own: names, drives, other machines, long paths, files in use, command lines, ends of lines, processes.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use rtc_oracles::artefacts::workspace_root;

use super::wine::{SERVER, compile, windows};
use super::{Finding, Setup};
use crate::plan;

/// A shader that includes a header and uses a macro.
const SOURCE: &str =
    "#include \"sub\\value.hlsli\"\nRWByteAddressBuffer Out : register(u0);\n[numthreads(1, 1, 1)] void main() { Out.Store(0, VALUE); }\n";
const HEADER: &str = "#pragma once\n#define VALUE 7\n";

/// A folder with that shader, in which the program runs.
struct Bench<'a> {
    s: &'a Setup,
    folder: PathBuf,
    passed: usize,
}

/// How a run ended.
struct Ran {
    code: Option<i32>,
    out: String,
    err: String,
}

impl<'a> Bench<'a> {
    fn new(s: &'a Setup, name: &str) -> Result<Bench<'a>, String> {
        let bench = Bench { s, folder: s.folder.join(name), passed: 0 };
        _ = fs::remove_dir_all(&bench.folder);
        bench.write("a.hlsl", SOURCE.as_bytes())?;
        bench.write("sub/value.hlsli", HEADER.as_bytes())?;
        Ok(bench)
    }

    fn write(&self, name: &str, bytes: &[u8]) -> Result<(), String> {
        let path = self.folder.join(name);
        let made = path.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| fs::write(&path, bytes));
        made.map_err(|e| format!("cannot write {}: {e}", path.display()))
    }

    fn read(&self, name: &str) -> Result<Vec<u8>, String> {
        fs::read(self.folder.join(name)).map_err(|e| format!("cannot read {name}: {e}"))
    }

    /// The command `rtc.exe` with arguments, in the folder.
    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = self.s.wine.command(&self.s.built.join("rtc.exe"));
        command
            .args(arguments)
            .current_dir(&self.folder)
            .env("RTC_CACHE_DIR", windows(&self.folder.join("cache")))
            .env_remove("RTC_CACHE_URL");
        command
    }

    fn rtc(&self, arguments: &[&str]) -> Result<Ran, String> {
        let done = self.s.wine.output(self.command(arguments))?;
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Ok(Ran { code: done.status.code(), out: text(&done.stdout), err: text(&done.stderr) })
    }

    /// Compiles with these arguments, and compares the object `out` with the one that this system makes of the shader.
    fn compiles(&mut self, arguments: &[&str], out: &str) -> Result<(), String> {
        let ran = self.rtc(&[&["-T", "cs_6_6"], arguments].concat())?;
        let expected = self.folder.join("expected.dxil");
        let mut here = Command::new(plan::program("rtc", false));
        here.args(["-T", "cs_6_6", "a.hlsl", "-Fo"]).arg(&expected).current_dir(&self.folder);
        let done = here.output().map_err(|e| format!("cannot start rtc: {e}"))?;
        if !done.status.success() {
            return Err(String::from_utf8_lossy(&done.stderr).into_owned());
        }
        let equal = self.read("expected.dxil")? == self.read(out).unwrap_or_default();
        self.holds(ran.code == Some(0) && equal, &format!("{arguments:?} makes the object: {:?} {}", ran.code, ran.err))
    }

    /// Fails with this error.
    fn fails(&mut self, arguments: &[&str], error: &str) -> Result<(), String> {
        let ran = self.rtc(arguments)?;
        self.holds(
            ran.code == Some(1) && ran.err.contains(error),
            &format!("{arguments:?} fails with `{error}`: {:?} {}", ran.code, ran.err),
        )
    }

    fn holds(&mut self, holds: bool, what: &str) -> Result<(), String> {
        self.passed += 1;
        if holds { Ok(()) } else { Err(what.to_owned()) }
    }

    fn found(self) -> Finding {
        Finding { passed: self.passed, skipped: Vec::new() }
    }
}

/// Drives, backslashes, other machines, letter case, more than 260 characters, names of devices.
pub fn paths(s: &Setup) -> Result<Finding, String> {
    let mut b = Bench::new(s, "paths")?;
    let drive = windows(&b.folder);
    for (source, out) in [
        ("a.hlsl".to_owned(), "1.dxil".to_owned()),
        (r".\sub\..\a.hlsl".to_owned(), r".\sub\2.dxil".to_owned()),
        (format!(r"{drive}\a.hlsl"), format!(r"{drive}\3.dxil")),
        (format!("{}/a.hlsl", drive.replace('\\', "/")), "4.dxil".to_owned()),
        ("A.HLSL".to_owned(), "5.DXIL".to_owned()),
        (format!(r"\\?\{drive}\a.hlsl"), "6.dxil".to_owned()),
    ] {
        let name = out.rsplit('\\').next().unwrap_or_default().to_owned();
        let made = if out.contains("sub") { format!("sub/{name}") } else { name };
        b.compiles(&[&source, "-Fo", &out], &made)?;
    }
    // A folder of another machine, for the source and for what it includes.
    s.wine.share(&b.folder)?;
    b.compiles(&[&format!(r"\\{SERVER}\share\a.hlsl"), "-Fo", &format!(r"\\{SERVER}\share\7.dxil")], "7.dxil")?;
    // A header by two paths that differ in letter case is one file.
    let twice = "#include \"sub/value.hlsli\"\n#include \"SUB/Value.hlsli\"\nRWByteAddressBuffer Out : register(u0);\n[numthreads(1, 1, 1)] void main() { Out.Store(0, VALUE); }\n";
    b.write("twice.hlsl", twice.as_bytes())?;
    b.compiles(&["twice.hlsl", "-Fo", "8.dxil"], "8.dxil")?;
    // More characters than programs of Windows could name once.
    let long = (0..12).map(|n| format!("a_folder_with_a_long_name_{n:02}")).collect::<Vec<_>>().join("/");
    b.write(&format!("{long}/a.hlsl"), SOURCE.as_bytes())?;
    b.write(&format!("{long}/sub/value.hlsli"), HEADER.as_bytes())?;
    let deep = format!("{drive}\\{}", long.replace('/', "\\"));
    b.holds(deep.len() > 300, "the path is long")?;
    b.compiles(&[&format!("{deep}\\a.hlsl"), "-Fo", &format!("{deep}\\9.dxil")], &format!("{long}/9.dxil"))?;
    // Devices: `NUL` takes what is written, other names are no files.
    let ran = b.rtc(&["-T", "cs_6_6", "a.hlsl", "-Fo", "NUL"])?;
    b.holds(ran.code == Some(0) && !b.folder.join("NUL").exists(), &format!("NUL is a device: {:?} {}", ran.code, ran.err))?;
    b.fails(&["-T", "cs_6_6", "a.hlsl", "-Fo", "aux.dxil"], "cannot write `aux.dxil`: `aux` is the name of a device on Windows")?;
    b.fails(&["-T", "cs_6_6", "con.hlsl"], "`con` is the name of a device on Windows")?;
    b.write("includes.hlsl", b"#include \"con.hlsli\"\n")?;
    b.fails(&["-T", "cs_6_6", "includes.hlsl"], "`con` is the name of a device on Windows")?;
    let project = |name: &str| {
        format!(
            "out = 'out'\n[shader.a]\nsource = 'a.hlsl'\nprofile = 'cs_6_6'\nname = '{name}'\n[shader.b]\nsource = 'a.hlsl'\nprofile = 'cs_6_6'\nname = 'Blur'\n"
        )
    };
    b.write("rtc.toml", project("aux").as_bytes())?;
    b.fails(&["build"], "`aux` is the name of a device on Windows; give it another name")?;
    b.write("rtc.toml", project("blur").as_bytes())?;
    b.fails(&["build"], "`Blur.dxil` would be written by")?;
    b.fails(&["-T", "cs_6_6", "."], "it is a directory")?;
    b.fails(&["-T", "cs_6_6", "a.hlsl", "-Fo", r"no\such\folder\a.dxil"], "cannot write `no\\such\\folder\\a.dxil`")?;
    Ok(b.found())
}

/// Files that are read-only, or that another program has open; caches, and builds at the same time.
pub fn files(s: &Setup) -> Result<Finding, String> {
    let mut b = Bench::new(s, "files")?;
    let set = |b: &Bench<'_>, name: &str, readonly: bool| {
        let path = b.folder.join(name);
        let changed = fs::metadata(&path).and_then(|m| {
            let mut p = m.permissions();
            p.set_readonly(readonly);
            fs::set_permissions(&path, p)
        });
        changed.map_err(|e| format!("cannot change {name}: {e}"))
    };
    b.write("old.dxil", b"old")?;
    set(&b, "old.dxil", true)?;
    b.fails(&["-T", "cs_6_6", "a.hlsl", "-Fo", "old.dxil"], "cannot write `old.dxil`: it is read-only")?;
    let old = b.read("old.dxil")?;
    b.holds(old == b"old", "what was there is there")?;
    set(&b, "old.dxil", false)?;
    let holder = b.folder.join("holder.exe");
    compile(&super::source("holder.c"), &holder, &[], &[])?;
    let hold = |b: &Bench<'_>, milliseconds: &str| {
        let mut command = b.s.wine.command(&holder);
        command.args(["old.dxil", milliseconds]).current_dir(&b.folder).stdout(Stdio::piped());
        let mut child = command.spawn().map_err(|e| format!("cannot start the holder: {e}"))?;
        let mut line = String::new();
        child.stdout.take().map(|out| BufReader::new(out).read_line(&mut line));
        if line.trim() == "open" { Ok(child) } else { Err("the holder does not open the file".to_owned()) }
    };
    // For a moment, as programs that look for viruses do.
    let mut child = hold(&b, "300")?;
    b.compiles(&["a.hlsl", "-Fo", "old.dxil"], "old.dxil")?;
    _ = child.wait();
    // For longer.
    b.write("old.dxil", b"old")?;
    let mut child = hold(&b, "20000")?;
    b.fails(&["-T", "cs_6_6", "a.hlsl", "-Fo", "old.dxil"], "cannot write `old.dxil`: ")?;
    let left =
        fs::read_dir(&b.folder).into_iter().flatten().flatten().filter(|f| f.file_name().to_string_lossy().ends_with(".rtc-tmp")).count();
    let old = b.read("old.dxil")?;
    b.holds(old == b"old" && left == 0, "what was there is there, and nothing else")?;
    _ = child.kill();
    _ = child.wait();
    // The cache and the state of builds, and two builds into one folder at the same time.
    b.write("rtc.toml", b"out = 'out'\n[shader.a]\nsource = 'a.hlsl'\nprofile = 'cs_6_6'\nmatrix = { N = [0, 1, 2, 3, 4, 5, 6, 7] }\n")?;
    let ran = b.rtc(&["build"])?;
    b.holds(ran.code == Some(0), &format!("a build: {}", ran.err))?;
    let ran = b.rtc(&["build"])?;
    b.holds(ran.err.contains("8 up to date"), &format!("a second build: {}", ran.err))?;
    fs::remove_dir_all(b.folder.join("out")).map_err(|e| format!("cannot remove the outputs: {e}"))?;
    let ran = b.rtc(&["build"])?;
    b.holds(ran.err.contains("from the cache") && !ran.err.contains("compiled"), &format!("from the cache: {}", ran.err))?;
    let spawn = |b: &Bench<'_>| {
        b.command(&["build", "--force", "--no-cache"]).stderr(Stdio::piped()).spawn().map_err(|e| format!("cannot start rtc: {e}"))
    };
    for child in [spawn(&b)?, spawn(&b)?, spawn(&b)?] {
        let done = child.wait_with_output().map_err(|e| format!("a build: {e}"))?;
        b.holds(done.status.success(), &format!("builds at the same time: {}", String::from_utf8_lossy(&done.stderr)))?;
    }
    // A watched build sees a change.
    let object = || fs::read(b.folder.join("out/a_N_0.dxil")).or_else(|_| first_object(&b.folder.join("out"))).ok();
    let before = object();
    let mut child =
        b.command(&["build", "--watch", "--quiet"]).stderr(Stdio::null()).spawn().map_err(|e| format!("cannot start rtc: {e}"))?;
    std::thread::sleep(Duration::from_secs(2));
    b.write("sub/value.hlsli", b"#pragma once\n#define VALUE 8\n")?;
    let started = Instant::now();
    while object() == before && started.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(100));
    }
    let changed = object() != before;
    _ = child.kill();
    _ = child.wait();
    b.holds(changed, "a watched build sees a change")?;
    Ok(b.found())
}

/// An object of a folder.
fn first_object(folder: &Path) -> std::io::Result<Vec<u8>> {
    let mut all: Vec<PathBuf> =
        fs::read_dir(folder)?.flatten().map(|e| e.path()).filter(|p| p.extension().is_some_and(|e| e == "dxil")).collect();
    all.sort();
    fs::read(all.first().ok_or(std::io::ErrorKind::NotFound)?)
}

/// Characters of other languages, ends of lines, response files, long command lines, messages that Visual Studio reads.
pub fn text(s: &Setup) -> Result<Finding, String> {
    let mut b = Bench::new(s, "text")?;
    b.write("\u{6f22}\u{5b57} \u{e9}.hlsl", SOURCE.as_bytes())?;
    b.compiles(&["\u{6f22}\u{5b57} \u{e9}.hlsl", "-Fo", "\u{f6}\u{1f600}.dxil"], "\u{f6}\u{1f600}.dxil")?;
    b.fails(&["-T", "cs_6_6", "\u{6f22}.hlsl"], "cannot read `\u{6f22}.hlsl`: no such file or directory")?;
    // Ends of lines of Windows, in continued lines too.
    b.write("crlf.hlsl", SOURCE.replace('\n', "\r\n").as_bytes())?;
    b.write("sub/value.hlsli", b"#pragma once\r\n#define VALUE \\\r\n    7\r\n")?;
    b.compiles(&["crlf.hlsl", "-Fo", "crlf.dxil"], "crlf.dxil")?;
    let ran = b.rtc(&["-T", "cs_6_6", "-fdiagnostics-format=msvc", "crlf.hlsl", "-D", "VALUE=7 +"])?;
    b.holds(!ran.err.contains('\r'), &format!("messages have no carriage return: {:?}", ran.err))?;
    // Response files, by the rules of Windows, in UTF-8 and UTF-16.
    let words =
        format!("-D \"TEXT=\\\"a b\\\"\"\r\n\"{}\\a.hlsl\"\t-Fo \"{}\\response file.dxil\"\r\n", windows(&b.folder), windows(&b.folder));
    b.write("utf8.rsp", words.as_bytes())?;
    b.compiles(&["@utf8.rsp"], "response file.dxil")?;
    let wide: Vec<u8> =
        [0xfeff].into_iter().chain(words.replace("response file", "wide").encode_utf16()).flat_map(u16::to_le_bytes).collect();
    b.write("utf16.rsp", &wide)?;
    b.compiles(&["@utf16.rsp"], "wide.dxil")?;
    // As long as a command line may be, and longer in a file.
    let many = |count: usize| (0..count).map(|n| format!("-DA_MACRO_WITH_A_NAME_{n}={n}")).collect::<Vec<_>>();
    let long = many(1000);
    let long: Vec<&str> = long.iter().map(String::as_str).chain(["a.hlsl", "-Fo", "long.dxil"]).collect();
    b.holds(long.join(" ").len() > 28_000, "the command line is long")?;
    b.compiles(&long, "long.dxil")?;
    b.write("long.rsp", format!("{}\r\na.hlsl -Fo longer.dxil\r\n", many(20_000).join("\r\n")).as_bytes())?;
    b.compiles(&["@long.rsp"], "longer.dxil")?;
    // Visual Studio jumps to `FILE(LINE,COLUMN): error CODE: TEXT`.
    b.write("wrong.hlsl", b"[numthreads(1, 1, 1)]\r\nvoid main() { wrong = 1; }\r\n")?;
    let file = format!("{}\\wrong.hlsl", windows(&b.folder));
    let ran = b.rtc(&["-T", "cs_6_6", "-fdiagnostics-format=msvc", &file])?;
    let jumps = ran
        .err
        .lines()
        .any(|l| l.strip_prefix(&format!("{file}(2,15")).is_some_and(|rest| rest.starts_with(") : error") || rest.starts_with("): error")));
    b.holds(jumps, &format!("the error list jumps: {}", ran.err))?;
    // A rule for make has slashes, since backslashes are escapes there.
    let ran = b.rtc(&["-T", "cs_6_6", "-MF", "a.d", "-Fo", "a.dxil", &format!("{}\\a.hlsl", windows(&b.folder))])?;
    let rule = String::from_utf8_lossy(&b.read("a.d")?).into_owned();
    b.holds(
        ran.code == Some(0) && rule.contains("/a.hlsl") && !rule.replace("\\\n", "").contains('\\'),
        &format!("a rule for make: {} {rule}", ran.err),
    )?;
    let ran = b.rtc(&["--version"])?;
    b.holds(ran.out.contains(super::TARGET) && ran.out.contains("compared with dxc"), &format!("the version: {}", ran.out))?;
    let ran = b.rtc(&["build", "--help"])?;
    b.holds(ran.code == Some(0), "the help of builds")?;
    Ok(b.found())
}

/// `rtc run`: the devices that there are, the one that there is not, and the end of a process that is not waited for.
pub fn processes(s: &Setup) -> Result<Finding, String> {
    let mut b = Bench::new(s, "processes")?;
    let mut skipped = Vec::new();
    let ran = b.rtc(&["run", "--device", "list"])?;
    b.holds(
        ran.code == Some(0) && ran.out.contains("this build has none"),
        &format!("the list of devices: {:?} {} {}", ran.code, ran.out, ran.err),
    )?;
    let scene = workspace_root().join("samples/hello/scene.toml");
    let scene = windows(&scene);
    let ran = b.rtc(&["run", &scene, "--device", "cpu", "-o", "out"])?;
    b.holds(ran.code.is_some_and(|c| c != 0) && ran.err.contains("CPU device"), &format!("no CPU device: {:?} {}", ran.code, ran.err))?;
    let done = s.wine.output(b.command(&["run", &scene, "--device", "vulkan", "-o", "out"]))?;
    let said = String::from_utf8_lossy(&done.stderr).into_owned();
    if done.status.success() {
        let picture = fs::metadata(b.folder.join("out/hello.png")).map_or(0, |m| m.len());
        b.holds(picture > 1000, "a picture by vulkan-1.dll")?;
    } else {
        b.holds(said.contains("Vulkan") || said.contains("vulkan-1.dll"), &format!("why there is no Vulkan device: {said}"))?;
        let display = if s.wine.has_display() { "" } else { "; there is no Xvfb (Debian's package: xvfb)" };
        skipped.push(format!("a picture by vulkan-1.dll: {}{display}", said.lines().next().unwrap_or_default()));
    }
    // What `rtc` started ends with it, however it ends: here the file that says that it lives is removed.
    let sign = b.folder.join("sign");
    b.write("sign", b"")?;
    let mut command = s.wine.command(&s.built.join("rtc-run.exe"));
    command
        .arg(&scene)
        .args(["--watch", "-o", "out"])
        .current_dir(&b.folder)
        .env("RTC_PARENT", windows(&sign))
        .stdout(Stdio::null())
        .stderr(Stdio::piped());
    let mut child = command.spawn().map_err(|e| format!("cannot start rtc-run: {e}"))?;
    // It runs, whether it has a device or not.
    let mut lines = BufReader::new(child.stderr.take().ok_or("no standard error")?).lines().map_while(Result::ok);
    let alive = lines.any(|l| l.contains("waiting for changes")) && child.try_wait().is_ok_and(|s| s.is_none());
    _ = fs::remove_file(&sign);
    let started = Instant::now();
    let mut ended = None;
    while ended.is_none() && started.elapsed() < Duration::from_secs(30) {
        ended = child.try_wait().ok().flatten();
        std::thread::sleep(Duration::from_millis(50));
    }
    _ = child.kill();
    _ = child.wait();
    b.holds(alive && ended.is_some(), "what rtc started ends with it")?;
    let ran = b.rtc(&["frobnicate"])?;
    b.holds(ran.code == Some(1), "an unknown command")?;
    Ok(Finding { skipped, ..b.found() })
}

/// Graphs for other build systems: no command needs a shell. `RTC_NINJA_EXE` names a ninja for Windows, which then runs one.
pub fn graphs(s: &Setup) -> Result<Finding, String> {
    let mut b = Bench::new(s, "graphs")?;
    let mut skipped = Vec::new();
    b.write("in c/value.hlsli", b"#define VALUE 1\n")?;
    b.write("b.hlsl", b"#include \"value.hlsli\"\nRWByteAddressBuffer Out : register(u0);\n[numthreads(1, 1, 1)] void main() { Out.Store(0, VALUE + NUMBER); }\n")?;
    b.write("rtc.toml", b"out = 'out'\n[shader.b]\nsource = 'b.hlsl'\nprofile = 'cs_6_6'\ninclude_dirs = ['in c']\nmatrix = { NUMBER = ['(1 + 1)', '3'] }\n")?;
    let ran = b.rtc(&["build", "--emit", "ninja"])?;
    b.holds(ran.code == Some(0), &format!("a graph: {}", ran.err))?;
    let graph = String::from_utf8_lossy(&b.read("build.ninja")?).into_owned();
    let needs_shell = graph.lines().find(|l| l.contains("&&") || l.contains('\''));
    b.holds(needs_shell.is_none(), &format!("no command needs a shell: {needs_shell:?}"))?;
    match std::env::var_os("RTC_NINJA_EXE").map(PathBuf::from) {
        Some(ninja) => {
            let mut command = s.wine.command(&ninja);
            command.current_dir(&b.folder);
            let done = s.wine.output(command)?;
            let objects = fs::read_dir(b.folder.join("out")).into_iter().flatten().flatten();
            let objects = objects.filter(|f| f.path().extension().is_some_and(|e| e == "dxil")).count();
            b.holds(done.status.success() && objects == 2, &format!("ninja: {}", String::from_utf8_lossy(&done.stdout)))?;
        }
        None => skipped.push("ninja.exe: RTC_NINJA_EXE does not name one".to_owned()),
    }
    for (system, file) in [("fastbuild", "fbuild.bff"), ("bazel", "BUILD.bazel")] {
        b.write("rtc.toml", b"out = 'out'\n[shader.a]\nsource = 'a.hlsl'\nprofile = 'cs_6_6'\n")?;
        let ran = b.rtc(&["build", "--emit", system])?;
        let graph = b.read(file).unwrap_or_default();
        b.holds(ran.code == Some(0) && !String::from_utf8_lossy(&graph).contains(r"sub\value"), &format!("{system}: {}", ran.err))?;
    }
    Ok(Finding { skipped, ..b.found() })
}
