//! `rtc build` and `rtc cache` as processes: arguments, reports, exit codes, and builds that are killed.

use std::fs;
use std::process::Command;
use std::time::Duration;

#[path = "shared/folder.rs"]
mod folder;

use folder::{Folder, text};

/// A shader with 24 permutations, of which the four with `WRONG` and `N=1` fail.
fn folder() -> Folder {
    let f = Folder::new();
    f.write("a.hlsl", "RWByteAddressBuffer Out;\n[numthreads(1, 1, 1)] void main() {\n#if defined(WRONG) && N == 1\n    Out.Stor(0, 1);\n#endif\n    Out.Store(N, M);\n}\n");
    f.write("rtc.toml", "out = 'out'\n[shader.a]\nsource = 'a.hlsl'\nprofile = 'cs_6_6'\nmatrix = { N = [0, 1, 2], M = [1, 2, 3, 4], WRONG = [false, true] }\nexclude = [{ N = 2, M = 4 }]\ninclude = [{ N = 7, M = 7 }]\n");
    f
}

#[test]
fn a_build_says_what_it_did() {
    let f = folder();
    let list = text(&f.rtc(&["build", "--list"]).stdout);
    assert_eq!((list.lines().count(), list.lines().next()), (23, Some("a:main M=1 N=0")));
    let done = f.rtc(&["build", "-j", "2"]);
    let errors = text(&done.stderr);
    assert_eq!(done.status.code(), Some(1));
    assert_eq!(errors.matches("error:").count(), 1, "one message for four permutations: {errors}");
    assert!(
        errors.contains("a.hlsl:4:9: error:")
            && errors.contains("  in a:main M=1 N=1 WRONG; a:main M=2 N=1 WRONG")
            && errors.contains(", and 1 more"),
        "{errors}"
    );
    assert!(errors.contains("12 compiled") && errors.contains("4 failed"), "{errors}");
    // Events, SARIF and annotations say the same.
    let done = f.rtc(&["build", "--json", "--sarif", "a.sarif"]);
    let events: Vec<serde_json::Value> = text(&done.stdout).lines().map(|l| serde_json::from_str(l).expect("each line is JSON")).collect();
    assert_eq!((events[0]["event"].as_str(), events[0]["outdated"].as_u64(), events.len()), (Some("begun"), Some(4), 25));
    let failed: Vec<_> = events.iter().filter(|e| e["event"] == "task" && e["ok"] == false).collect();
    assert_eq!((failed.len(), failed[0]["messages"][0]["line"].as_u64()), (4, Some(4)));
    let sarif: serde_json::Value = serde_json::from_slice(&fs::read(f.0.join("a.sarif")).expect("it is written")).expect("it is JSON");
    let results = sarif["runs"][0]["results"].as_array().expect("there are results");
    assert_eq!((results.len(), results[0]["properties"]["permutations"].as_array().map(Vec::len)), (1, Some(4)));
    assert_eq!(results[0]["locations"][0]["physicalLocation"]["region"]["startLine"], 4);
    let notes = text(&f.rtc(&["build", "--github"]).stdout);
    assert!(notes.starts_with("::error file=a.hlsl,line=4,col=9,title="), "{notes}");
    // Repaired: the rest is up to date or in the cache.
    f.write("a.hlsl", &fs::read_to_string(f.0.join("a.hlsl")).expect("it is there").replace("Stor(", "Store("));
    let done = f.rtc(&["build"]);
    assert!(done.status.success(), "{}", text(&done.stderr));
    let done = f.rtc(&["build"]);
    assert!(text(&done.stderr).contains("rtc: 23 up to date"), "{}", text(&done.stderr));
    fs::remove_dir_all(f.0.join("out")).expect("it is there");
    let done = text(&f.rtc(&["build"]).stderr);
    assert!(!done.contains("compiled") && done.contains("from the cache"), "{done}");
}

#[test]
fn mistakes_are_errors_with_fixes() {
    let f = folder();
    let fails = |arguments: &[&str], expected: &str| {
        let done = f.rtc(arguments);
        let errors = text(&done.stderr);
        assert!(done.status.code() == Some(1) && errors.contains(expected), "{arguments:?}\n{errors}");
    };
    fails(&["build", "none.toml"], "cannot read `none.toml`: no such file");
    fails(&["build", "--shader", "b"], "there is no shader `b`");
    fails(&["build", "--max", "20"], "there are 25 permutations, and the limit is 20 (--max)");
    fails(&["build", "--frob"], "unexpected argument '--frob'");
    fails(&["build", "-j", "x"], "invalid value 'x'");
    fails(&["build", "shadermake", "-p", "DXIL"], "required arguments were not provided");
    fails(&["cache", "frob"], "invalid value 'frob'");
    fails(&["cache", "gc", "--size", "1X"], "expected a number with K, M, G or T");
    f.write("wrong.toml", "[shader.a]\nsorce = 'a.hlsl'\n");
    fails(&["build", "wrong.toml"], "wrong.toml:2:1: unknown key `sorce`; did you mean `source`?");
    f.write("file", "");
    fails(&["build", "--out", "file"], "`file`:");
    assert!(text(&f.rtc(&["build", "--help"]).stdout).contains("Usage: rtc build"));
}

#[test]
fn the_cache_is_looked_at_and_cleaned() {
    let f = folder();
    f.rtc(&["build"]);
    let stat = text(&f.rtc(&["cache", "stat"]).stdout);
    assert!(stat.contains(": 12 entries"), "{stat}");
    assert!(text(&f.rtc(&["cache", "gc", "--size", "1"]).stdout).contains("removed: 12 entries"));
    f.rtc(&["build", "--force"]);
    let entry = fs::read_dir(f.0.join("cache")).expect("it is there").flatten().next().expect("there are entries").path();
    let entry = fs::read_dir(entry).expect("it is there").flatten().next().expect("there are entries").path();
    fs::write(entry, "damaged").expect("it can be written");
    let verified = f.rtc(&["cache", "verify"]);
    assert!(!verified.status.success() && text(&verified.stdout).contains("removed: 1 entries"), "{}", text(&verified.stdout));
    assert!(f.rtc(&["cache", "verify"]).status.success());
}

#[test]
fn configurations_of_shadermake_are_built() {
    let f = folder();
    f.write("shaders.cfg", "// permutations\na.hlsl -T cs -D N={0,2} -D M={1,2}\n#ifdef NEVER\nmissing.hlsl -T cs\n#endif\n");
    let done = f.rtc(&[
        "build",
        "shadermake",
        "-p",
        "SPIRV",
        "-c",
        "shaders.cfg",
        "-o",
        "bin",
        "-B",
        "-m",
        "6_5",
        "--compiler",
        "dxc",
        "--vulkanVersion",
        "1.2",
    ]);
    assert!(done.status.success(), "{}", text(&done.stderr));
    let blob = fs::read(f.0.join("bin/a.spirv")).expect("it is written");
    assert!(blob.starts_with(b"NVSP\x07\0\0\0") && blob[12..].starts_with(b"M=1 N=0\x03\x02\x23\x07"));
}

/// A build is killed at random moments, as often as `RTC_KILLS` says; the next one makes exactly what an undisturbed one makes.
#[test]
fn killed_builds_leave_nothing_half_written() {
    let (whole, f) = (folder(), folder());
    for each in [&whole, &f] {
        let text = fs::read_to_string(each.0.join("rtc.toml")).expect("it is there");
        each.write(
            "rtc.toml",
            &text.replace("WRONG = [false, true]", "X = [0, 1, 2]").replace("[shader.a]", "[shader.a]\noutputs = ['object', 'blob']"),
        );
    }
    // The first build of a program may take much longer than the others, which then are over before they are killed.
    let time = |_| {
        _ = fs::remove_dir_all(whole.0.join("out"));
        let begin = std::time::Instant::now();
        assert!(whole.rtc(&["build", "--no-cache"]).status.success());
        u64::try_from(begin.elapsed().as_micros()).expect("it does not last long")
    };
    let mut all = (0..4).map(time).min().expect("four builds");
    let expected = whole.outputs();
    let kills = std::env::var("RTC_KILLS").ok().and_then(|n| n.parse().ok()).unwrap_or(40u32);
    let mut random = 0x9e37_79b9_7f4a_7c15u64;
    let mut interrupted = 0;
    for n in 0..20 * kills {
        if n >= kills && interrupted > kills / 4 {
            break;
        }
        if n % 5 == 0 {
            _ = fs::remove_dir_all(f.0.join("out"));
        }
        if n % 10 == 0 {
            _ = fs::remove_dir_all(f.0.join("cache"));
        }
        let mut child = f.command(&["build", "-q"]).spawn().expect("rtc runs");
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        std::thread::sleep(Duration::from_micros((random >> 33) % (all * 5 / 4)));
        _ = child.kill();
        let killed = !child.wait().expect("it ends").success();
        interrupted += u32::from(killed);
        // The load of the machine changes, and with it how long a build from the beginning takes.
        if n % 5 == 0 {
            all = if killed { all + all / 16 + 1 } else { all - all / 8 }.max(100);
        }
        // What is there under a name of an output is whole.
        for (name, bytes) in f.outputs() {
            assert!(expected.get(&name) == Some(&bytes), "{name}");
        }
        if n % 20 == 19 {
            assert!(f.rtc(&["build", "-q"]).status.success() && f.outputs() == expected);
        }
    }
    assert!(interrupted > kills / 4, "{interrupted} were killed at work, of {kills} and more");
    let done = f.rtc(&["build", "-q"]);
    assert!(done.status.success(), "{}", text(&done.stderr));
    assert!(f.outputs() == expected);
    let verified = f.rtc(&["cache", "verify"]);
    assert!(verified.status.success(), "{}", text(&verified.stdout));
}

/// The graph for ninja makes the same objects, and again only what a changed header affects.
#[test]
fn ninja_builds_the_emitted_graph() {
    let ninja = |f: &Folder, arguments: &[&str]| Command::new("ninja").current_dir(&f.0).args(arguments).output();
    let f = folder_with_header("in c");
    if !ninja(&f, &["--version"]).is_ok_and(|o| o.status.success()) {
        return rtc_oracles::skip::skip("there is no ninja");
    }
    assert!(f.rtc(&["build", "--emit", "ninja"]).status.success());
    let built = ninja(&f, &[]).expect("ninja runs");
    assert!(built.status.success(), "{}", text(&built.stdout));
    let objects = || {
        let files = fs::read_dir(f.0.join("out")).expect("it is there").flatten();
        let mut all: Vec<_> = files
            .filter(|e| e.path().extension().is_some_and(|x| x == "dxil"))
            .map(|e| (e.file_name(), fs::read(e.path()).expect("it can be read")))
            .collect();
        all.sort();
        all
    };
    let by_ninja = objects();
    assert_eq!(by_ninja.len(), 3);
    fs::remove_dir_all(f.0.join("out")).expect("it is there");
    assert!(f.rtc(&["build"]).status.success());
    assert!(objects() == by_ninja);
    ninja(&f, &[]).expect("ninja runs");
    // Times of files are no finer than this.
    std::thread::sleep(Duration::from_millis(50));
    f.write("in c/value.hlsli", "#define VALUE 100\n");
    let again = text(&ninja(&f, &["-v"]).expect("ninja runs").stdout);
    assert!(again.contains("[2/2]"), "two of three depend on the header: {again}");
    f.write("rtc.toml", "[shader.a]\nsource = 'a.hlsl'\nprofile = 'cs_6_6'\noutputs = ['blob']\n");
    assert!(text(&f.rtc(&["build", "--emit", "ninja"]).stderr).contains("blobs and archives need `rtc build`"));
}

/// A watched build is done again after a change, also one that repairs a mistake, and when the description changes.
#[test]
fn watched_files_are_built_again() {
    let f = Folder::new();
    let source = |value: &str| {
        f.write("a.hlsl", &format!("RWByteAddressBuffer Out;\n[numthreads(1, 1, 1)] void main() {{ Out.Store(0, {value}); }}\n"))
    };
    let description = |more: &str| f.write("rtc.toml", &format!("out = 'out'\n[shader.a]\nsource = 'a.hlsl'\nprofile = 'cs_6_6'\n{more}"));
    source("1");
    description("");
    let mut child = f.command(&["build", "--watch", "--quiet"]).stderr(std::process::Stdio::null()).spawn().expect("rtc runs");
    let object = || fs::read(f.0.join("out/a.dxil")).ok();
    let changed = |what: &str, from: &Option<Vec<u8>>| {
        let begin = std::time::Instant::now();
        while begin.elapsed() < Duration::from_secs(120) {
            let now = object();
            if now.is_some() && now != *from {
                return now;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        panic!("{what}: nothing is built");
    };
    let first = changed("the first build", &None);
    source("2");
    let second = changed("a change", &first);
    source("wrong");
    source("3");
    let third = changed("a mistake that is repaired", &second);
    description("options = [");
    description("entry = 'main'\noptions = ['-Zi', '-Qembed_debug']");
    changed("another description", &third);
    child.kill().expect("it still runs");
    child.wait().expect("it ends");
}

/// Two shaders, one of which includes a header from a folder, with a define that every tool must quote.
fn folder_with_header(headers: &str) -> Folder {
    let f = Folder::new();
    fs::create_dir(f.0.join(headers)).expect("the folder can be made");
    f.write(&format!("{headers}/value.hlsli"), "#define VALUE 1\n");
    f.write(
        "a.hlsl",
        "#include \"value.hlsli\"\nRWByteAddressBuffer Out;\n[numthreads(1, 1, 1)] void main() { Out.Store(0, VALUE + NUMBER); }\n",
    );
    f.write("b.hlsl", "RWByteAddressBuffer Out;\n[numthreads(1, 1, 1)] void main() { Out.Store(0, 1); }\n");
    f.write(
        "rtc.toml",
        &format!(
            "out = 'out'\n[shader.a]\nsource = 'a.hlsl'\nprofile = 'cs_6_6'\ninclude_dirs = ['{headers}']\nmatrix = {{ NUMBER = ['(1 + 1)', '3'] }}\n[shader.b]\nsource = 'b.hlsl'\nprofile = 'cs_6_6'\n"
        ),
    );
    f
}

/// The graph for Bazel makes the same objects in its sandbox, which has the declared files alone, and again only what a changed header affects.
#[test]
fn bazel_builds_the_emitted_graph() {
    let Some(bazel) = rtc_oracles::programs::find_program("bazel") else { return rtc_oracles::skip("there is no `bazel`") };
    let f = folder_with_header("inc");
    assert!(f.rtc(&["build"]).status.success());
    let expected = f.outputs();
    assert_eq!(expected.len(), 3);
    fs::remove_dir_all(f.0.join("out")).expect("it is there");
    let emitted = f.rtc(&["build", "--emit", "bazel"]);
    assert!(emitted.status.success(), "{}", text(&emitted.stderr));
    fs::create_dir(f.0.join("compiler")).expect("the folder can be made");
    fs::copy(env!("CARGO_BIN_EXE_rtc"), f.0.join("compiler/rtc")).expect("it can be copied");
    f.write("compiler/WORKSPACE", "");
    f.write("compiler/BUILD.bazel", "exports_files([\"rtc\"], visibility = [\"//visibility:public\"])\n");
    f.write("WORKSPACE", "local_repository(name = \"rtc\", path = \"compiler\")\n");
    f.write(".bazelignore", "compiler\ncache\nbazel-root\n");
    let build = || {
        let root = format!("--output_user_root={}", f.0.join("bazel-root").display());
        let mut command = Command::new(&bazel);
        command.current_dir(&*f.0).args([&root, "--batch", "build", "--color=no", "--curses=no", "--subcommands", "//:shaders"]);
        let done = command.env("HOME", &*f.0).output().expect("bazel runs");
        assert!(done.status.success(), "{}", text(&done.stderr));
        text(&done.stderr).matches("SUBCOMMAND: ").count()
    };
    assert_eq!(build(), 3);
    for (name, bytes) in &expected {
        assert!(fs::read(f.0.join("bazel-bin/out").join(name)).expect("it is made") == *bytes, "{name}");
    }
    f.write("inc/value.hlsli", "#define VALUE 100\n");
    assert_eq!(build(), 2, "two of three depend on the header");
    // Files of Bazel's are read-only.
    _ = Command::new("chmod").args(["-R", "u+w"]).arg(f.0.join("bazel-root")).status();
}

/// The graph for FASTBuild has exact inputs, those of each task alone.
#[test]
fn fastbuild_gets_exact_inputs() {
    let f = folder_with_header("inc");
    let emitted = f.rtc(&["build", "--emit", "fastbuild"]);
    assert!(emitted.status.success(), "{}", text(&emitted.stderr));
    let graph = fs::read_to_string(f.0.join("fbuild.bff")).expect("it is written");
    let inputs: Vec<String> = graph
        .split(".ExecInput =\n    {\n")
        .skip(1)
        .map(|rest| {
            rest.split('}').next().unwrap_or_default().lines().skip(1).map(str::trim).collect::<Vec<_>>().join(" ").trim().to_owned()
        })
        .collect();
    assert_eq!(inputs, ["'a.hlsl' 'inc/value.hlsli'", "'a.hlsl' 'inc/value.hlsli'", "'b.hlsl'"]);
    assert!(graph.contains("\"NUMBER=(1 + 1)\""), "{graph}");
    f.write("a.hlsl", "#include \"nowhere.hlsli\"\n");
    let failed = text(&f.rtc(&["build", "--emit", "fastbuild"]).stderr);
    assert!(failed.contains("the headers of `a:main NUMBER=") && failed.contains("nowhere.hlsli"), "{failed}");
}

/// Three sources that include one header with a mistake and a warning.
fn folder_with_mistake() -> Folder {
    let f = Folder::new();
    fs::create_dir(f.0.join("inc")).expect("the folder can be made");
    f.write("inc/shared.hlsli", "int half_of(float x) { int unused_one; return x; }\nfloat wrong() { return colr; }\n");
    for name in ["a", "b", "c"] {
        f.write(
            &format!("{name}.hlsl"),
            "#include \"./inc/../inc/shared.hlsli\"\nRWByteAddressBuffer Out;\n[numthreads(1, 1, 1)] void main() { Out.Store(0, half_of(wrong())); }\n",
        );
    }
    f.write("rtc.toml", "out = 'out'\n[shader.all]\nsource = '*.hlsl'\nprofile = 'cs_6_6'\n");
    f
}

#[test]
fn a_mistake_in_a_header_is_one_message_in_every_format() {
    let f = folder_with_mistake();
    let done = f.rtc(&["build"]);
    let errors = text(&done.stderr);
    assert_eq!(done.status.code(), Some(1), "{errors}");
    assert_eq!(errors.matches(": error: ").count(), 1, "{errors}");
    assert!(errors.contains("inc/shared.hlsli:2:24: error: ") && !errors.contains(".."), "{errors}");
    assert!(["all/a:main", "all/b:main", "all/c:main"].iter().all(|user| errors.contains(user)), "{errors}");
    f.rtc(&["build", "--sarif", "a.sarif"]);
    let sarif: serde_json::Value = serde_json::from_slice(&fs::read(f.0.join("a.sarif")).expect("it is written")).expect("it is JSON");
    let results = sarif["runs"][0]["results"].as_array().expect("there are results");
    let failed: Vec<_> = results.iter().filter(|r| r["level"] == "error").collect();
    assert_eq!((failed.len(), failed[0]["properties"]["permutations"].as_array().map(Vec::len)), (1, Some(3)), "{sarif}");
    assert_eq!(failed[0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], "inc/shared.hlsli");
    let notes = text(&f.rtc(&["build", "--github"]).stdout);
    assert_eq!(notes.matches("::error file=inc/shared.hlsli,line=2").count(), 1, "{notes}");
    let msvc = text(&f.rtc(&["build", "--diagnostics-format", "msvc-code"]).stderr);
    assert_eq!(msvc.matches("inc/shared.hlsli(2,24): error E0301: ").count(), 1, "{msvc}");
}

#[test]
fn a_build_that_has_nothing_to_do_repeats_nothing() {
    let f = folder_with_mistake();
    f.write("inc/shared.hlsli", "int half_of(float x) { return x; }\nfloat wrong() { return float2(1, 2); }\n");
    let first = text(&f.rtc(&["build"]).stderr);
    assert_eq!(first.matches(": warning: ").count(), 1, "{first}");
    let second = text(&f.rtc(&["build"]).stderr);
    assert_eq!(second.lines().count(), 1, "{second}");
    assert!(second.contains("3 up to date") && second.contains("--all-messages"), "{second}");
    let all = text(&f.rtc(&["build", "--all-messages"]).stderr);
    assert_eq!(all.matches(": warning: ").count(), 1, "{all}");
}

#[test]
fn sources_are_lists_and_patterns() {
    let f = Folder::new();
    for folder in ["passes/deep", "post"] {
        fs::create_dir_all(f.0.join(folder)).expect("the folder can be made");
    }
    for (n, file) in ["passes/blur.hlsl", "passes/deep/fog.hlsl", "post/tone.hlsl"].iter().enumerate() {
        f.write(file, &format!("RWByteAddressBuffer Out;\n[numthreads(1, 1, 1)] void main() {{ Out.Store(0, {n}); }}\n"));
    }
    f.write(
        "rtc.toml",
        "out = 'out'\n[shader.all]\nsource = ['passes/**/*.hlsl', 'post/tone.hlsl']\nprofile = 'cs_6_6'\noutputs = ['object', 'dxc-header']\n",
    );
    let list = text(&f.rtc(&["build", "--list"]).stdout);
    assert_eq!(list.lines().collect::<Vec<_>>(), ["all/passes/blur:main", "all/passes/deep/fog:main", "all/post/tone:main"]);
    // The description is found from a folder below.
    let mut below = f.command(&["build"]);
    let done = below.current_dir(f.0.join("passes")).output().expect("rtc runs");
    assert!(done.status.success(), "{}", text(&done.stderr));
    let header = fs::read_to_string(f.0.join("out/all/passes/blur.dxil.h")).expect("it is written");
    assert!(header.contains("const unsigned char g_") && header.contains("dx.op"), "{header}");
    assert!(f.0.join("out/all/post/tone.dxil").is_file());
    // What is gone from the description goes from the outputs.
    fs::remove_file(f.0.join("passes/deep/fog.hlsl")).expect("it is there");
    let done = text(&f.rtc(&["build"]).stderr);
    assert!(done.contains("2 files removed of shaders that are gone") && !f.0.join("out/all/passes/deep/fog.dxil").exists(), "{done}");
    let done = f.rtc(&["build", "--shader", "all/passes/*", "--list"]);
    assert_eq!(text(&done.stdout).lines().count(), 1);
    assert!(f.rtc(&["build", "--clean"]).status.success());
    assert!(!f.0.join("out/all/post/tone.dxil").exists());
    f.write("rtc.toml", "out = 'out'\n[shader.all]\nsource = 'none/*.hlsl'\nprofile = 'cs_6_6'\n");
    let done = text(&f.rtc(&["build"]).stderr);
    assert!(done.contains("rtc.toml:3:") && done.contains("none/*.hlsl"), "{done}");
}

#[test]
fn a_source_is_never_written() {
    let f = Folder::new();
    let source = "RWByteAddressBuffer Out;\n[numthreads(1, 1, 1)] void main() { Out.Store(0, 1); }\n";
    f.write("a.dxil", source);
    f.write("rtc.toml", "out = '.'\n[shader.a]\nsource = 'a.dxil'\nprofile = 'cs_6_6'\n");
    let done = f.rtc(&["build"]);
    let errors = text(&done.stderr);
    assert!(done.status.code() == Some(1) && errors.contains("a.dxil") && errors.contains("source"), "{errors}");
    assert_eq!(fs::read_to_string(f.0.join("a.dxil")).expect("it is there"), source);
}

/// The graph names the compiler as an input, and makes itself again when the description changes.
#[test]
fn the_ninja_graph_follows_the_compiler_and_the_description() {
    let f = folder_with_header("inc");
    assert!(f.rtc(&["build", "--emit", "ninja"]).status.success());
    let graph = fs::read_to_string(f.0.join("build.ninja")).expect("it is written");
    let builds: Vec<&str> = graph.lines().filter(|l| l.starts_with("build out")).collect();
    let program = std::path::Path::new(env!("CARGO_BIN_EXE_rtc")).file_name().expect("a name").to_string_lossy().into_owned();
    assert!(builds.len() == 3 && builds.iter().all(|l| l.contains(" | ") && l.contains(&program)), "{graph}");
    assert!(graph.contains("generator = 1") && graph.contains("build build.ninja"), "{graph}");
    assert!(graph.lines().filter(|l| l.trim_start().starts_with("command")).all(|l| !l.contains("&&") && !l.contains("sh -c")), "{graph}");
}
