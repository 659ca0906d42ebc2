//! The compile server: jobs have the outcome that a process of its own has, whatever happens to the server, its socket, its clients and the files.
#![cfg(target_os = "linux")]

mod bazel;
mod nonsense;
mod worker;
mod world;

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use world::{Done, PATIENCE, World};

/// Sources with includes in folders, mistakes, warnings, and what arguments name.
fn sources() -> World {
    let w = World::new();
    let functions: String = (0..60).map(|n| format!("float f{n}(float x) {{ return x * {n} + SCALE; }}\n")).collect();
    w.write("inc/common.hlsli", &format!("#pragma once\n#ifndef SCALE\n#define SCALE 1\n#endif\n#include \"../value.hlsli\"\n{functions}"));
    w.write("value.hlsli", "#define VALUE 1\n");
    w.write(
        "a.hlsl",
        "#include \"inc/common.hlsli\"\nRWByteAddressBuffer Out : register(u0);\n#ifndef N\n#define N 0\n#endif\n\
         [RootSignature(\"UAV(u0)\")] [numthreads(1, 1, 1)] void main() { Out.Store(N, asuint(f3(f7(VALUE)))); }\n",
    );
    w.write(
        "sub/deep.hlsl",
        "#include \"../inc/common.hlsli\"\n#include <value.hlsli>\nexport float g(float x) { return f1(x) * VALUE; }\n",
    );
    w.write("wrong.hlsl", "#include \"inc/common.hlsli\"\nexport float g(float x) { return f1(y) + f2(z); }\n");
    w.write("missing.hlsl", "#include \"inc/comon.hlsli\"\nexport float g(float x) { return x; }\n");
    w.write("case.hlsl", "#include \"INC/Common.hlsli\"\nexport float g(float x) { return f1(x); }\n");
    w.write("warns.hlsl", "#include \"inc/common.hlsli\"\nexport float2 g(float4 x) { return x; }\n");
    w.write("verify.hlsl", "export float f() { return b; } // expected-error {{undeclared}}\n");
    w.write("syntax.hlsl", "#include \"inc/common.hlsli\"\nvoid main( { }\n#error no\n");
    w.write("args.rsp", "-T cs_6_6 a.hlsl -DN=8 -Fo from-file.dxil\n");
    symlink("/proc/self/fd/0", w.folder.join("link.hlsl")).expect("it can be made");
    w.write("private.bin", "private");
    w.write("with space.hlsl", "#include \"value.hlsli\"\nexport float g() { return VALUE; }\n");
    w
}

/// Command lines, each with its standard input, and whether the server declines it.
const JOBS: &[(&str, Option<&str>, bool)] = &[
    ("-T cs_6_6 a.hlsl -Fo a.dxil", None, false),
    ("-T cs_6_6 a.hlsl", None, false),
    ("-T cs_6_6 a.hlsl -Fo -", None, false),
    ("-T cs_6_6 a.hlsl -DN=4 -Fo a.dxil -Fc a.txt -Fh a.h -Vn bytes", None, false),
    ("-T cs_6_6 a.hlsl -DN=4 -DSCALE=3 -Fo a.dxil -Fre a.ref -Fsh a.hash -Frs a.rs", None, false),
    ("-T cs_6_6 a.hlsl -Zi -Fd a.pdb -Fo a.dxil", None, false),
    ("-T cs_6_6 a.hlsl -Zi -Fd pdbs/ -Fo a.dxil", None, false),
    ("-T cs_6_6 a.hlsl -Zs -Fd a.pdb -Fo a.dxil", None, false),
    ("-T cs_6_6 a.hlsl -Zi -Qembed_debug -Fo a.dxil", None, false),
    ("-T cs_6_6 a.hlsl -Od -Fo a.dxil", None, false),
    ("-T cs_6_6 a.hlsl -spirv -Fo a.spv", None, false),
    ("-T cs_6_6 a.hlsl -spirv -fspv-debug=vulkan-with-source -Fo a.spv", None, false),
    ("-T cs_6_6 a.hlsl -spirv -why-capability -Fo a.spv", None, false),
    ("-T cs_6_6 a.hlsl -P -Fi a.i", None, false),
    ("-T cs_6_6 a.hlsl -P", None, false),
    ("-T cs_6_6 a.hlsl -P -Fi -", None, false),
    ("-T cs_6_6 a.hlsl -M", None, false),
    ("-T cs_6_6 a.hlsl -MD -Fo a.dxil", None, false),
    ("-T cs_6_6 a.hlsl -MF a.d -Fo a.dxil", None, false),
    ("-T cs_6_6 a.hlsl -H -Fo a.dxil", None, false),
    ("-T cs_6_6 a.hlsl -v -Fo a.dxil", None, false),
    ("-T cs_6_6 a.hlsl -setprivate private.bin -getprivate out.bin -Fo a.dxil", None, false),
    ("-T cs_6_6 ./a.hlsl -I. -Iinc -Fo out.dxil", None, false),
    ("-T cs_6_6 a.hlsl -Fo none/a.dxil", None, false),
    ("-T cs_6_6 a.hlsl -Fo /dev/full", None, false),
    ("-T cs_6_6 a.hlsl -Fo /dev/null", None, false),
    ("-T cs_6_6 - -Fo a.dxil", Some("RWByteAddressBuffer Out; [numthreads(1, 1, 1)] void main() { Out.Store(0, 1); }"), false),
    ("-T cs_6_6 - -Fo a.dxil", Some("#include \"value.hlsli\"\n[numthreads(1, 1, 1)] void main() { x = 1; }"), false),
    ("-T cs_6_6 /dev/stdin -Fo a.dxil", Some("RWByteAddressBuffer Out; [numthreads(1, 1, 1)] void main() { Out.Store(0, 1); }"), true),
    ("-T cs_6_6 link.hlsl -Fo a.dxil", Some("RWByteAddressBuffer Out; [numthreads(1, 1, 1)] void main() { Out.Store(0, 2); }"), true),
    ("-T lib_6_6 sub/deep.hlsl -I. -Fo a.dxil", None, false),
    ("-T lib_6_6 sub/deep.hlsl -Fo a.dxil", None, false),
    ("-T lib_6_6 wrong.hlsl -Fo a.dxil", None, false),
    ("-T lib_6_6 wrong.hlsl -fdiagnostics-format=json", None, false),
    ("-T lib_6_6 wrong.hlsl -fdiagnostics-format=rich", None, false),
    ("-T lib_6_6 wrong.hlsl -Fe errors.txt -Fo a.dxil", None, false),
    ("-T lib_6_6 missing.hlsl -Fo a.dxil", None, false),
    ("-T lib_6_6 case.hlsl -Fo a.dxil", None, false),
    ("-T lib_6_6 warns.hlsl -Fo a.dxil", None, false),
    ("-T lib_6_6 warns.hlsl -WX -Fo a.dxil", None, false),
    ("-T lib_6_6 warns.hlsl -no-warnings -Fo a.dxil", None, false),
    ("-T lib_6_6 syntax.hlsl -Fo a.dxil", None, false),
    ("-T lib_6_6 verify.hlsl -verify", None, false),
    ("-T lib_6_6 a.hlsl -verify", None, false),
    ("-T lib_6_6 a.hlsl -report reorder", None, false),
    ("@args.rsp", None, false),
    ("@none.rsp", None, true),
    ("-T cs_6_6 none.hlsl", None, true),
    ("-T cs_6_6 inc", None, true),
    ("-T cs_6_6 a.hlsl -bogus", None, true),
    ("-T cs_9_9 a.hlsl", None, true),
    ("-T cs_6_6", None, true),
    ("--version", None, true),
    ("-T cs_6_6 a.hlsl -ftime-report -Fo /none/a", None, true),
    ("-T cs_6_6 a.hlsl -memory-limit=1000 -Fo a.dxil", None, true),
];

fn words(line: &str) -> Vec<&str> {
    line.split(' ').filter(|w| !w.is_empty()).collect()
}

/// The outcome of a line in a process of its own.
fn alone(w: &World, line: &str, input: Option<&str>) -> Done {
    w.done(w.command(&words(line)), input)
}

/// The outcome of a line with the server.
fn served(w: &World, line: &str, input: Option<&str>) -> Done {
    w.done(w.command(&[&["--server"], &words(line)[..]].concat()), input)
}

#[test]
fn jobs_have_the_outcome_of_a_process() {
    let w = sources();
    fs::create_dir_all(w.folder.join("pdbs")).expect("it can be made");
    w.start();
    for (line, input, declined) in JOBS {
        let before = w.count("declined");
        let mut expected = alone(&w, line, *input);
        if line.contains("-ftime-report") {
            expected.2 = String::new();
        }
        // The third one goes on from a preamble.
        for attempt in 0..3 {
            let mut found = served(&w, line, *input);
            if line.contains("-ftime-report") {
                found.2 = String::new();
            }
            assert!(found == expected, "{line} ({attempt}):\n{found:?}\n{expected:?}");
        }
        assert_eq!(w.count("declined") - before, if *declined { 3 } else { 0 }, "{line}");
    }
    assert!(w.count("compilations began with a preamble") > 20, "{:?}", w.status());
    // With the variable, from another folder, with absolute paths.
    let line = format!("-T cs_6_6 {} -Fo a.dxil", w.folder.join("a.hlsl").display());
    let expected = alone(&w, &line, None);
    let (mut command, done) = (w.command(&words(&line)), w.count("jobs done"));
    command.env("RTC_SERVER", "1");
    assert_eq!(w.done(command, None), expected);
    assert_eq!(w.count("jobs done"), done + 1);
    let mut command = w.command(&words("-T lib_6_6 deep.hlsl -I.. -Fo a.dxil"));
    command.current_dir(w.folder.join("sub"));
    let expected = w.done(command, None);
    let mut command = w.command(&words("--server -T lib_6_6 deep.hlsl -I.. -Fo a.dxil"));
    command.current_dir(w.folder.join("sub"));
    assert!(expected.0 == Some(0) && w.done(command, None) == expected);
    let spaces = ["-T", "lib_6_6", "with space.hlsl", "-MD", "-Fo", "with space.dxil"];
    assert_eq!(w.done(w.command(&[&["--server"], &spaces[..]].concat()), None), w.done(w.command(&spaces), None));
}

#[test]
fn a_command_called_dxc_has_its_messages() {
    let w = sources();
    let dxc = w.folder.join("dxc");
    symlink(env!("CARGO_BIN_EXE_rtc"), &dxc).expect("it can be made");
    w.start();
    for line in ["-T lib_6_6 wrong.hlsl -Fo a.dxil", "-T lib_6_6 warns.hlsl -Fo a.dxil"] {
        let expected = w.done(w.command_of(&dxc, &words(line)), None);
        let mut command = w.command_of(&dxc, &words(line));
        command.env("RTC_SERVER", "1");
        assert_eq!(w.done(command, None), expected);
        assert_ne!(expected, alone(&w, line, None), "quotes differ");
    }
    assert_eq!(w.count("declined"), 0);
}

/// Within the same second, with the same length, with the time put back; by another file, a link, a file that comes or goes.
#[test]
fn files_that_change_are_seen() {
    let w = sources();
    w.start();
    let line = "-T cs_6_6 a.hlsl -I first -I second -Fo a.dxil";
    w.write("a.hlsl", "#include <value.hlsli>\nRWByteAddressBuffer Out;\n[numthreads(1, 1, 1)] void main() { Out.Store(0, VALUE); }\n");
    w.write("second/value.hlsli", "#define VALUE 1000\n");
    fs::create_dir_all(w.folder.join("first")).expect("it can be made");
    let time = std::time::SystemTime::UNIX_EPOCH + Duration::from_secs(1_600_000_000);
    let header = w.folder.join("second/value.hlsli");
    for n in 0..30 {
        match n % 6 {
            0 | 1 => w.write("second/value.hlsli", &format!("#define VALUE {}\n", 1001 + n)),
            2 => {
                w.write("other.hlsli", &format!("#define VALUE {}\n", 1001 + n));
                fs::rename(w.folder.join("other.hlsli"), &header).expect("it can be renamed");
            }
            3 => {
                w.write("target.hlsli", &format!("#define VALUE {}\n", 1001 + n));
                fs::remove_file(&header).expect("it can be removed");
                symlink(w.folder.join("target.hlsli"), &header).expect("it can be made");
            }
            4 => {
                fs::remove_file(&header).expect("it can be removed");
                w.write("second/value.hlsli", &format!("#define VALUE {}\n", 1001 + n));
                w.write("first/value.hlsli", &format!("#define VALUE {}\n", 2001 + n));
            }
            _ => fs::remove_file(w.folder.join("first/value.hlsli")).expect("it can be removed"),
        }
        let file = fs::File::options().write(true).open(&header).expect("it can be opened");
        file.set_modified(time).expect("it can be set");
        let found = served(&w, line, None);
        assert!(found.0 == Some(0) && found == alone(&w, line, None), "{n}: {found:?}");
    }
    assert_eq!(w.count("declined"), 0);
}

/// A program that writes a file in turns while it is compiled: each object is that of one version.
#[test]
fn objects_are_of_one_version_of_a_file() {
    let w = sources();
    w.start();
    // Long, so that a write is not one step of the system.
    let version = |n: usize| {
        format!("#define VALUE {n}\n{}#if VALUE != {n}\n#error mixture\n#endif\n#define LAST {n}\n", "// a line of text\n".repeat(20_000))
    };
    w.write("a.hlsl", "#include \"v.hlsli\"\nRWByteAddressBuffer Out;\n[numthreads(1, 1, 1)] void main() { Out.Store(VALUE, LAST); }\n");
    let expected: Vec<Done> = (1..3)
        .map(|n| {
            w.write("v.hlsli", &version(n));
            alone(&w, "-T cs_6_6 a.hlsl -Fo -", None)
        })
        .collect();
    assert!(expected[0] != expected[1] && expected[0].0 == Some(0));
    let over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for n in (1..3).cycle() {
                // As editors do it.
                w.write("next", &version(n));
                fs::rename(w.folder.join("next"), w.folder.join("v.hlsli")).expect("it can be renamed");
                if over.load(Ordering::Relaxed) {
                    break;
                }
            }
        });
        for _ in 0..30 {
            let output = w.run(&words("--server -T cs_6_6 a.hlsl -Fo -"));
            let stdout = String::from_utf8_lossy(&output.stdout).into_owned();
            assert!(expected.iter().any(|e| e.1 == stdout), "{output:?}");
        }
        over.store(true, Ordering::Relaxed);
    });
}

/// Servers and clients are killed while builds run: `RTC_SERVER_KILLS` says how often.
#[test]
fn killed_servers_and_clients_harm_nothing() {
    let kills: usize = std::env::var("RTC_SERVER_KILLS").ok().and_then(|v| v.parse().ok()).unwrap_or(100);
    let w = sources();
    let line = |n: usize| format!("-T cs_6_6 a.hlsl -DN={} -Fo out-{n}.dxil", n % 7 * 4);
    let expected: Vec<Vec<u8>> = (0..7).map(|n| alone(&w, &line(n), None).3.into_values().next().expect("an object")).collect();
    w.start();
    let (over, done) = (AtomicBool::new(false), AtomicUsize::new(0));
    std::thread::scope(|scope| {
        for thread in 0..3 {
            let (w, over, done, expected) = (&w, &over, &done, &expected);
            scope.spawn(move || {
                for n in (thread..).step_by(3) {
                    if over.load(Ordering::Relaxed) {
                        break;
                    }
                    let output = w.run(&[&["--server"], &words(&line(n))[..]].concat());
                    assert!(output.status.success() && output.stdout.is_empty() && output.stderr.is_empty(), "{output:?}");
                    let file = w.folder.join(format!("out-{n}.dxil"));
                    assert!(fs::read(&file).expect("it is there") == expected[n % 7], "{n}");
                    fs::remove_file(file).expect("it can be removed");
                    done.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
        let mut state = 0x9e37_79b9_7f4a_7c15_u64;
        let mut random = |below: u64| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state % below
        };
        let begin = Instant::now();
        for n in 0.. {
            // Clients are slow where much else runs.
            if n >= kills && (done.load(Ordering::Relaxed) > 10 || begin.elapsed() > PATIENCE) {
                break;
            }
            std::thread::sleep(Duration::from_millis(random(60)));
            if random(2) == 0 {
                // Its files stay; the next one begins with them.
                if let Some(process) = w.process() {
                    _ = Command::new("kill").args(["-9", &process]).stderr(Stdio::null()).status();
                }
            } else {
                let out = format!("killed-{}-{n}.dxil", n % 7);
                let arguments = format!("--server -T cs_6_6 a.hlsl -DN={} -Fo {out}", n % 7 * 4);
                let mut child = w.command(&words(&arguments)).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts");
                std::thread::sleep(Duration::from_micros(random(20_000)));
                _ = child.kill();
                _ = child.wait();
                if let Ok(bytes) = fs::read(w.folder.join(&out)) {
                    assert!(bytes == expected[n % 7], "a file is whole or not there");
                    fs::remove_file(w.folder.join(&out)).expect("it can be removed");
                }
            }
        }
        over.store(true, Ordering::Relaxed);
    });
    assert!(done.into_inner() > 10, "the builds went on");
    w.wait("one server at most", || w.servers().len() <= 1);
}

#[test]
fn many_clients_at_once() {
    let w = sources();
    let expected: Vec<Done> = (0..4).map(|n| alone(&w, &format!("-T cs_6_6 a.hlsl -DN={} -Fo -", 4 * n), None)).collect();
    // Without a server each compiles itself, and one of them starts it.
    for _ in 0..2 {
        let children: Vec<_> = (0..100)
            .map(|n| {
                let line = format!("--server -T cs_6_6 a.hlsl -DN={} -Fo -", n % 4 * 4);
                w.command(&words(&line)).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts")
            })
            .collect();
        for (n, child) in children.into_iter().enumerate() {
            let output = child.wait_with_output().expect("it ends");
            assert!(output.status.success(), "{output:?}");
            assert_eq!(String::from_utf8_lossy(&output.stdout), expected[n % 4].1, "{n}");
        }
        w.wait("a server is there", || w.status().is_some());
        // Two that were started at once know after a moment which of them it is.
        w.wait("there is one server", || w.servers().len() == 1);
    }
}

#[test]
fn a_job_ends_with_its_client() {
    let w = World::new();
    let body: String = (0..400).map(|n| format!("  for (uint i{n} = 0; i{n} < 40; ++i{n}) x = x * {n}.5 + sin(x + i{n});\n")).collect();
    w.write(
        "long.hlsl",
        &format!("RWStructuredBuffer<float> Out;\n[numthreads(1, 1, 1)] void main() {{ float x = Out[0];\n{body} Out[0] = x; }}\n")
            .replace("for (", "[unroll] for ("),
    );
    w.start();
    let mut child = w.command(&words("--server -T cs_6_6 long.hlsl -Fo long.dxil")).spawn().expect("it starts");
    w.wait("the job runs", || w.count("running") == 1);
    child.kill().expect("it can be killed");
    child.wait().expect("it ends");
    w.wait("the job ends", || w.count("running") == 0);
    // A job that is cancelled is declined; one that has ended is not.
    assert!(w.count("declined") == 1 && !w.folder.join("long.dxil").exists());
}

#[test]
fn a_server_ends_when_it_is_idle_or_large_or_old() {
    let w = sources();
    let line = words("--server -T cs_6_6 a.hlsl -Fo -");
    for (name, value) in [("RTC_SERVER_IDLE", "4"), ("RTC_SERVER_MEMORY", "8")] {
        let mut command = w.command(&line);
        command.env(name, value).stdout(Stdio::null());
        assert!(command.status().expect("rtc runs").success());
        w.wait("a server is there", || w.status().is_some() || name == "RTC_SERVER_MEMORY");
        // A status is no work, but it is a client: it is not requested until the server is gone.
        std::thread::sleep(Duration::from_secs(1));
        w.wait("it ends", || {
            // It looks once a second; one that is large works meanwhile.
            if name == "RTC_SERVER_MEMORY" && w.servers().len() == 1 {
                let mut command = w.command(&line);
                assert!(command.env(name, value).stdout(Stdio::null()).status().expect("rtc runs").success());
            }
            std::thread::sleep(Duration::from_millis(300));
            w.servers().is_empty()
        });
    }
    // A program that is built again has another server, and the old one ends.
    let program = w.folder.join("rtc-copy");
    fs::copy(env!("CARGO_BIN_EXE_rtc"), &program).expect("it can be copied");
    w.start();
    assert!(w.command_of(&program, &line).stdout(Stdio::null()).status().expect("it runs").success());
    w.wait("two versions have two servers", || w.servers().len() == 2);
    let other = w.folder.join("rtc-other");
    fs::copy(&program, &other).expect("it can be copied");
    fs::rename(&other, &program).expect("it can be renamed");
    w.wait("the old one ends", || w.servers().len() == 1);
    fs::remove_file(&program).expect("it can be removed");
}

/// A pipe that the server keeps open would be one that never ends.
#[test]
fn a_server_keeps_no_descriptor_of_its_client() {
    let w = sources();
    let script = "exec 5>&1 6>&1; \"$0\" --server -T cs_6_6 a.hlsl -Fo a.dxil";
    let begin = Instant::now();
    let mut command = w.command_of(Path::new("sh"), &["-c", script, env!("CARGO_BIN_EXE_rtc")]);
    let output = command.output().expect("it runs");
    assert!(output.status.success() && begin.elapsed() < Duration::from_secs(60), "{output:?}");
    w.wait("a server is there", || w.status().is_some());
}

#[test]
fn folders_of_others_and_what_is_no_socket() {
    let w = sources();
    let line = "-T cs_6_6 a.hlsl -Fo a.dxil";
    let expected = alone(&w, line, None);
    w.start();
    let socket = nonsense::socket(&w);
    w.stop();
    w.wait("it ends", || w.servers().is_empty());
    let folder = |mode: u32| {
        fs::create_dir_all(&w.sockets).expect("it can be made");
        fs::set_permissions(&w.sockets, fs::Permissions::from_mode(mode)).expect("it is ours");
    };
    // A socket without a server, a file in its place: the next server removes them.
    for is_socket in [true, false] {
        folder(0o700);
        if is_socket {
            drop(std::os::unix::net::UnixListener::bind(&socket).expect("it can be bound"));
        } else {
            fs::write(&socket, "").expect("it can be written");
        }
        fs::write(socket.with_extension("lock"), "").expect("it can be written");
        assert_eq!(served(&w, line, None), expected);
        w.wait("a server is there", || w.status().is_some());
        assert_eq!(served(&w, line, None), expected);
        w.stop();
    }
    // Others may open the folder: there is no server.
    folder(0o755);
    assert_eq!(served(&w, line, None), expected);
    assert!(w.servers().is_empty() && fs::read_dir(&w.sockets).expect("it is there").next().is_none());
    fs::remove_dir(&w.sockets).expect("it is empty");
    // Neither is there one where none can be made.
    let mut command = w.command(&[&["--server"], &words(line)[..]].concat());
    command.env("RTC_SERVER_DIR", "/proc/none");
    assert_eq!(w.done(command, None), expected);
}
