//! Remote execution by a real server and by workers as processes: the same bytes as here, and a build that goes on here whatever happens there.

use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::folder::{Folder, text};
use crate::servers::{self, Access, Proxy, Server, Worker};

/// A shader with a warning, and 12 permutations; a header in a folder of includes.
fn machine() -> Folder {
    let f = Folder::new();
    fs::create_dir(f.0.join("inc")).expect("the folder can be made");
    f.write("inc/scale.hlsli", "#define SCALE 3\n");
    f.write("a.hlsl", "#include \"scale.hlsli\"\nRWByteAddressBuffer Out;\n[numthreads(1, 1, 1)] void main(uint3 at : SV_DispatchThreadID) {\n    int narrow = N * 1.5f;\n    Out.Store(at.x * 4, narrow * SCALE + M);\n}\n");
    f.write("rtc.toml", "out = 'out'\n[shader.a]\nsource = 'a.hlsl'\nprofile = 'cs_6_6'\noptions = ['-Wconversion']\ninclude_dirs = ['inc']\nmatrix = { N = [1, 2, 3], M = [1, 2, 3, 4] }\n");
    f
}

/// This program without debug information, which is what an installed one is: it is uploaded.
fn program() -> &'static PathBuf {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM.get_or_init(|| {
        let stripped = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("rtc-stripped");
        let done = Command::new("strip").arg("-o").arg(&stripped).arg(env!("CARGO_BIN_EXE_rtc")).status();
        if done.is_ok_and(|s| s.success()) { stripped } else { PathBuf::from(env!("CARGO_BIN_EXE_rtc")) }
    })
}

/// What a build did.
struct Build {
    ended: Value,
    warnings: Vec<String>,
    messages: Vec<Value>,
    time: Duration,
}

impl Build {
    fn count(&self, what: &str) -> u64 {
        self.ended[what].as_u64().unwrap_or_else(|| panic!("{what} in {}", self.ended))
    }

    fn farm(&self, what: &str) -> u64 {
        self.ended["farm"][what].as_u64().unwrap_or_else(|| panic!("{what} in {}", self.ended))
    }
}

fn command(f: &Folder, arguments: &[&str]) -> Command {
    let mut command = Command::new(program());
    command.current_dir(&f.0).args(["build", "--json", "--no-cache", "--force"]).args(arguments);
    command.env_remove("RTC_CACHE_URL").env_remove("RTC_REMOTE_TOKEN");
    command
}

fn build(f: &Folder, arguments: &[&str]) -> Build {
    finish(command(f, arguments))
}

fn finish(mut command: Command) -> Build {
    let begin = Instant::now();
    let done = command.output().expect("rtc runs");
    let events: Vec<Value> = text(&done.stdout).lines().map(|l| serde_json::from_str(l).expect("each line is JSON")).collect();
    let ended = events.last().cloned().unwrap_or_else(|| panic!("{}", text(&done.stderr)));
    assert!(done.status.success() && ended["ok"] == true, "{} {}", text(&done.stdout), text(&done.stderr));
    let of = |kind: &'static str| events.iter().filter(move |e| e["event"] == kind);
    Build {
        ended,
        warnings: of("warning").map(|e| e["text"].as_str().unwrap_or_default().to_owned()).collect(),
        messages: of("task").map(|e| e["messages"].clone()).collect(),
        time: begin.elapsed(),
    }
}

fn url(port: u16) -> String {
    format!("grpc://127.0.0.1:{port}")
}

macro_rules! start {
    ($access:expr) => {{
        if !cfg!(feature = "remote") {
            return rtc_oracles::skip("rtc is built without the feature `remote`");
        }
        rtc_oracles::require!(servers::buildgrid($access))
    }};
}

#[test]
fn workers_compile_what_this_machine_compiles() {
    let server = start!(Access::Open);
    let _workers = [Worker::start(&server, "one", &[]), Worker::start(&server, "two", &[])];
    let (here, there, later) = (machine(), machine(), machine());
    let local = build(&here, &[]);
    assert_eq!(local.count("compiled"), 12);
    let url = url(server.port);
    let remote = build(&there, &["--remote", &url]);
    assert_eq!((remote.count("remote"), remote.count("compiled"), remote.farm("executed")), (12, 0, 12), "{:?}", remote.warnings);
    assert_eq!(remote.warnings, [""; 0]);
    assert!(there.outputs() == here.outputs() && here.outputs().len() == 12);
    assert!(remote.farm("bytes_up") > 1_000_000 && remote.farm("bytes_down") > 1000);
    // Warnings come back with them.
    let first = |b: &Build| b.messages.iter().map(|m| m[0]["text"].as_str().unwrap_or_default().to_owned()).max();
    assert!(first(&remote).is_some_and(|t| !t.is_empty()) && first(&remote) == first(&local));
    // Another machine gets the outcomes of the first one, and uploads nothing.
    let known = build(&later, &["--remote", &url]);
    assert_eq!((known.farm("known"), known.farm("executed"), known.farm("bytes_up")), (12, 0, 0), "{:?}", known.warnings);
    assert!(later.outputs() == here.outputs());
    // A header that changes makes other actions; one that is not read does not.
    later.write("inc/other.hlsli", "#define OTHER\n");
    assert_eq!(build(&later, &["--remote", &url]).farm("known"), 12);
    later.write("inc/scale.hlsli", "#define SCALE 4\n");
    let changed = build(&later, &["--remote", &url]);
    assert_eq!((changed.farm("executed"), changed.farm("known")), (12, 0));
    // Paths that leave the current folder are found; absolute ones stay here.
    fs::create_dir(there.0.join("sub")).expect("the folder can be made");
    let described = fs::read_to_string(there.0.join("rtc.toml")).expect("it is there");
    there.write("sub/rtc.toml", &described.replace("'a.hlsl'", "'../a.hlsl'").replace("'inc'", "'../inc'"));
    let mut above = command(&there, &["--remote", &url]);
    above.current_dir(there.0.join("sub"));
    let above = finish(above);
    assert_eq!((above.count("remote"), above.count("compiled")), (12, 0), "{:?}", above.warnings);
    let absolute = there.0.join("rtc.toml").to_string_lossy().into_owned();
    let absolute = build(&there, &["--remote", &url, &absolute]);
    assert_eq!((absolute.count("compiled"), absolute.farm("fallbacks")), (12, 12));
    assert!(matches!(&absolute.warnings[..], [told] if told.contains("has absolute paths")), "{:?}", absolute.warnings);
    // A mistake is found here.
    there.write("a.hlsl", "#include \"scale.hlsli\"\nfloat x = y;\n");
    let failed = command(&there, &["--remote", &url]).output().expect("rtc runs");
    assert!(!failed.status.success() && text(&failed.stdout).contains("`y`"), "{}", text(&failed.stdout));
}

#[test]
fn tokens_are_sent_and_may_expire() {
    let server = start!(Access::TlsAndTokens);
    let url = format!("grpcs://localhost:{}", server.port);
    let certificate = server.folder.0.join("cert.pem");
    let f = machine();
    let file = f.0.join("token");
    let with_token = |token: &str| {
        fs::write(&file, token).expect("it can be written");
        let mut command = command(&f, &["--remote", &url, "--remote-timeout", "2", "--remote-token-file", "token"]);
        command.env("SSL_CERT_FILE", &certificate);
        finish(command)
    };
    for token in [servers::token(-100), Ok("nonsense".to_owned())] {
        let refused = with_token(&token.expect("it can be made"));
        assert_eq!((refused.count("compiled"), refused.farm("fallbacks")), (12, 12));
        assert!(matches!(&refused.warnings[..], [told] if told.contains("the token is refused or missing")), "{:?}", refused.warnings);
        assert!(!refused.warnings[0].contains("nonsense"), "{:?}", refused.warnings);
    }
    // A right token is accepted: what is missing are workers.
    let accepted = with_token(&servers::token(1000).expect("it can be made"));
    assert!(matches!(&accepted.warnings[..], [told] if told.contains("no worker was done in 2 s")), "{:?}", accepted.warnings);
    // An unknown certificate is refused.
    let unknown = build(&f, &["--remote", &url]);
    assert!(unknown.count("compiled") == 12 && unknown.warnings.len() == 1, "{:?}", unknown.warnings);
    // A token is not sent in the open.
    let open = command(&f, &["--remote", "grpc://example.org", "--remote-token-file", "token"]).output().expect("rtc runs");
    assert!(!open.status.success() && text(&open.stderr).contains("a token is sent over TLS alone"), "{}", text(&open.stderr));
}

#[test]
fn the_build_goes_on_when_workers_or_the_server_end() {
    let mut server = start!(Access::Open);
    let mut worker = Worker::start(&server, "mortal", &["--die-after", "2"]);
    let f = machine();
    let url = url(server.port);
    let done = build(&f, &["--remote", &url, "--remote-timeout", "6"]);
    assert!(worker.ended());
    assert_eq!(done.count("remote") + done.count("compiled"), 12);
    assert!(done.count("remote") <= 2 && done.warnings.len() == 1, "{:?} {}", done.warnings, done.ended);
    assert!(done.time < Duration::from_secs(40), "{:?}", done.time);
    let expected = machine();
    build(&expected, &[]);
    assert!(f.outputs() == expected.outputs());
    // The server ends in the middle.
    let worker = Worker::start(&server, "slow", &["--delay", "0.5"]);
    f.write("inc/scale.hlsli", "#define SCALE 5\n");
    expected.write("inc/scale.hlsli", "#define SCALE 5\n");
    let done = std::thread::scope(|scope| {
        let running = scope.spawn(|| build(&f, &["--remote", &url, "--remote-timeout", "6"]));
        worker.wait_for("task");
        server.stop();
        running.join().expect("the build does not panic")
    });
    assert_eq!(done.count("remote") + done.count("compiled"), 12);
    assert!(done.count("compiled") > 0 && done.warnings.len() == 1, "{:?}", done.warnings);
    build(&expected, &[]);
    assert!(f.outputs() == expected.outputs());
    // It is gone.
    let done = build(&f, &["--remote", &url]);
    assert_eq!(done.count("compiled"), 12);
    assert!(matches!(&done.warnings[..], [told] if told.contains("it cannot be reached")), "{:?}", done.warnings);
    assert!(done.time < Duration::from_secs(20), "{:?}", done.time);
}

/// Connections that break while workers are at work: the streams are taken up again.
#[test]
fn broken_streams_are_taken_up_again() {
    let server = start!(Access::Open);
    let worker = Worker::start(&server, "slow", &["--delay", "0.4"]);
    let proxy = Proxy::start(server.port, Duration::ZERO);
    let f = machine();
    let done = std::thread::scope(|scope| {
        let running = scope.spawn(|| build(&f, &["--remote", &url(proxy.port)]));
        worker.wait_for("task");
        std::thread::sleep(Duration::from_millis(500));
        proxy.cut();
        running.join().expect("the build does not panic")
    });
    assert_eq!((done.count("remote"), done.count("compiled")), (12, 0), "{:?}", done.warnings);
}

/// A server of another version, and one whose outcomes are wrong.
#[test]
fn servers_that_lie_are_not_believed() {
    if !cfg!(feature = "remote") {
        return rtc_oracles::skip("rtc is built without the feature `remote`");
    }
    for (major, expected) in [(3, "it speaks the versions 3.0 to 3.0 of the Remote Execution API"), (2, "it does not do what is requested")]
    {
        let server = rtc_oracles::require!(servers::liar(major));
        let f = machine();
        let done = build(&f, &["--remote", &url(server.port)]);
        assert_eq!((done.count("compiled"), done.farm("fallbacks")), (12, 12));
        assert!(matches!(&done.warnings[..], [warning] if warning.contains(expected)), "{:?}", done.warnings);
    }
}

/// What is no server of the API, or none at all.
#[test]
fn other_servers_are_told() {
    if !cfg!(feature = "remote") {
        return rtc_oracles::skip("rtc is built without the feature `remote`");
    }
    let f = machine();
    let silent = std::net::TcpListener::bind("127.0.0.1:0").expect("there is a free port");
    let silent_port = silent.local_addr().expect("it is bound").port();
    for (port, limit) in [(silent_port, "2"), (servers::free_port(), "20")] {
        let done = build(&f, &["--remote", &url(port), "--remote-timeout", limit]);
        assert_eq!(done.count("compiled"), 12);
        assert!(done.warnings.len() == 1 && done.time < Duration::from_secs(20), "{:?} {:?}", done.warnings, done.time);
    }
    let fails = |arguments: &[&str], expected: &str| {
        let done = f.rtc(arguments);
        assert!(!done.status.success() && text(&done.stderr).contains(expected), "{}", text(&done.stderr));
    };
    fails(&["build", "--remote", "http://x"], "a farm is written `grpc://HOST:PORT/INSTANCE`");
    fails(&["build", "--remote-jobs", "3"], "--remote");
    fails(&["build", "--remote", "grpc://x", "--remote-property", "x"], "expected NAME=VALUE");
    fails(&["build", "--remote", "grpc://127.0.0.1", "--remote-token-file", "none"], "the token in `none` cannot be read: no such file");
    fails(&["build-task", "x"], "its arguments are wrong");
}

/// Prints the times of a build of `RTC_FARM` permutations with 1, 2 and 4 workers, and with 20 ms there and back. The workers take
/// `RTC_FARM_DELAY` seconds longer for each task, as for larger shaders.
#[test]
#[ignore = "measures"]
fn measure_a_farm() {
    let permutations = std::env::var("RTC_FARM").ok().and_then(|n| n.parse::<usize>().ok()).unwrap_or(96);
    let longer = std::env::var("RTC_FARM_DELAY").unwrap_or_else(|_| "0".to_owned());
    for (workers, delay) in [(1, 0), (2, 0), (4, 0), (4, 20)] {
        let server: Server = start!(Access::Open);
        let _workers: Vec<Worker> = (0..workers).map(|n| Worker::start(&server, &format!("w{n}"), &["--delay", &longer])).collect();
        let proxy = Proxy::start(server.port, Duration::from_millis(delay));
        let f = machine();
        let described = fs::read_to_string(f.0.join("rtc.toml")).expect("it is there");
        let values = |n: usize| (0..n).map(|v| v.to_string()).collect::<Vec<_>>().join(", ");
        let axis = permutations / 12;
        f.write("rtc.toml", &described.replace("M = [1, 2, 3, 4]", &format!("M = [1, 2, 3, 4], K = [{}]", values(axis))));
        let source = fs::read_to_string(f.0.join("a.hlsl")).expect("it is there");
        f.write("a.hlsl", &source.replace("+ M", "+ M + K"));
        for pass in ["executed", "known"] {
            let done = build(&f, &["--remote", &url(proxy.port), "--remote-timeout", "600"]);
            eprintln!(
                "{workers} workers, {delay} ms, {pass}: {} of {} in {:.2} s; up {} KB, down {} KB",
                done.farm(pass),
                axis * 12,
                done.time.as_secs_f64(),
                done.farm("bytes_up") / 1000,
                done.farm("bytes_down") / 1000
            );
        }
    }
}
