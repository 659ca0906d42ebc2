//! Shared caches in real servers: what one machine compiles another one fetches; a cache that is down, silent or damaged costs bounded time.

use std::fs;
use std::net::TcpListener;
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::folder::{Folder, text};
use crate::servers::{self, Server};

/// A shader with 12 permutations.
fn machine() -> Folder {
    let f = Folder::new();
    f.write("a.hlsl", "RWByteAddressBuffer Out;\n[numthreads(1, 1, 1)] void main() { Out.Store(N, M); }\n");
    f.write("rtc.toml", "out = 'out'\n[shader.a]\nsource = 'a.hlsl'\nprofile = 'cs_6_6'\nmatrix = { N = [0, 1, 2], M = [1, 2, 3, 4] }\n");
    f
}

/// What a build did: the last event, and the warnings.
struct Build {
    ended: Value,
    warnings: Vec<String>,
    time: Duration,
}

impl Build {
    fn count(&self, what: &str) -> u64 {
        self.ended[what].as_u64().unwrap_or_else(|| panic!("{what} in {}", self.ended))
    }

    fn traffic(&self, what: &str) -> u64 {
        self.ended["shared_cache"][what].as_u64().unwrap_or_else(|| panic!("{what} in {}", self.ended))
    }
}

fn build(f: &Folder, url: &str, more: &[&str]) -> Build {
    build_with(f, url, more, &[])
}

fn build_with(f: &Folder, url: &str, more: &[&str], environment: &[(&str, &str)]) -> Build {
    let begin = Instant::now();
    let arguments = [&["build", "--json", "--cache-url", url], more].concat();
    let keys = [("AWS_ACCESS_KEY_ID", "key"), ("AWS_SECRET_ACCESS_KEY", "secret"), ("AWS_EC2_METADATA_DISABLED", "true")];
    let done = f.command(&arguments).envs(keys).envs(environment.iter().copied()).output().expect("rtc runs");
    let events: Vec<Value> = text(&done.stdout).lines().map(|l| serde_json::from_str(l).expect("each line is JSON")).collect();
    let warnings =
        events.iter().filter(|e| e["event"] == "warning").map(|e| e["message"].as_str().unwrap_or_default().to_owned()).collect();
    let ended = events.last().cloned().unwrap_or_else(|| panic!("{}", text(&done.stderr)));
    assert!(done.status.success() && ended["ok"] == true, "{ended} {}", text(&done.stderr));
    Build { ended, warnings, time: begin.elapsed() }
}

/// What every service must do. `damage` damages an entry on the server.
fn shares(url: &str, can_list: bool, damage: impl FnOnce()) {
    let (a, b) = (machine(), machine());
    let first = build(&a, url, &[]);
    assert_eq!((first.count("compiled"), first.traffic("misses"), first.traffic("uploaded")), (12, 12, 12), "{:?}", first.warnings);
    assert_eq!(first.warnings, [""; 0]);
    // Another machine has everything from the cache, the same bytes, and in its local cache afterwards.
    let second = build(&b, url, &["--cache-read-only"]);
    assert_eq!((second.count("fetched"), second.count("compiled"), second.traffic("hits")), (12, 0, 12), "{:?}", second.warnings);
    assert!(a.outputs() == b.outputs() && a.outputs().len() == 12);
    fs::remove_dir_all(b.0.join("out")).expect("it is there");
    let third = build(&b, url, &[]);
    assert_eq!((third.count("cached"), third.traffic("hits")), (12, 0));
    let rtc = |action: &str| {
        let mut command = b.command(&["cache", action, "--cache-url", url]);
        command.envs([("AWS_ACCESS_KEY_ID", "key"), ("AWS_SECRET_ACCESS_KEY", "secret")]).output().expect("rtc runs")
    };
    let stat = text(&rtc("stat").stdout);
    let expected = if can_list { ": 12 entries, " } else { ": it answers; this service cannot count entries" };
    assert!(stat.contains(expected) && !stat.contains("secret"), "{stat} {}", text(&rtc("stat").stderr));
    // A damaged entry is compiled again, reported once, and uploaded again.
    damage();
    fs::remove_dir_all(b.0.join("cache")).expect("it is there");
    let damaged = build(&b, url, &["--force"]);
    assert_eq!((damaged.count("fetched"), damaged.count("compiled"), damaged.traffic("damaged")), (11, 1, 1));
    assert!(
        matches!(&damaged.warnings[..], [told] if told.ends_with("has a damaged entry; it is compiled again")),
        "{:?}",
        damaged.warnings
    );
    assert!(a.outputs() == b.outputs());
    fs::remove_dir_all(b.0.join("cache")).expect("it is there");
    let repaired = build(&b, url, &["--force"]);
    assert_eq!(repaired.count("fetched"), 12, "{} {:?}", repaired.ended, repaired.warnings);
    let verified = rtc("verify");
    if can_list {
        assert!(verified.status.success() && text(&verified.stdout).contains("removed: 0 entries"), "{}", text(&verified.stdout));
    } else {
        assert!(text(&verified.stderr).contains("cannot list entries"), "{}", text(&verified.stderr));
    }
}

/// A service that is gone costs a moment, and is reported once.
fn survives(mut server: Server, url: &str) {
    server.stop();
    let f = machine();
    let done = build(&f, url, &["--cache-timeout", "2"]);
    assert_eq!(done.count("compiled"), 12);
    assert!(matches!(&done.warnings[..], [told] if told.contains("is not read for a while")), "{:?}", done.warnings);
    assert!(!done.warnings[0].contains("secret") && done.time < Duration::from_secs(20), "{:?} {:?}", done.warnings, done.time);
}

macro_rules! start {
    ($server:expr) => {{
        if !cfg!(feature = "remote") {
            return rtc_oracles::skip("rtc is built without the feature `remote`");
        }
        rtc_oracles::require!($server)
    }};
}

#[test]
fn redis_is_a_shared_cache() {
    let server = start!(servers::redis());
    let url = format!("redis://:secret@127.0.0.1:{}/2?prefix=team/", server.port);
    let cli = |arguments: &[&str]| {
        let port = server.port.to_string();
        let fixed = ["-p", &port, "-a", "secret", "--no-auth-warning", "-n", "2"];
        text(&Command::new("redis-cli").args(fixed).args(arguments).output().expect("it comes with the server").stdout)
    };
    shares(&url, false, || {
        let keys = cli(&["KEYS", "*"]);
        assert_eq!(keys.lines().count(), 12, "{keys}");
        let key = keys.lines().next().expect("there are keys");
        assert!(key.contains("team/"), "{key}");
        cli(&["SET", key, "damaged"]);
    });
    let wrong = url.replace("secret", "wrong");
    let f = machine();
    assert_eq!(build(&f, &wrong, &[]).count("compiled"), 12);
    survives(server, &url);
}

#[test]
fn webdav_is_a_shared_cache() {
    let server = start!(servers::nginx());
    let url = format!("dav://me:secret@127.0.0.1:{}/dav/rtc", server.port);
    let files = server.folder.0.join("files");
    shares(&url, true, || damage_a_file(&files.join("rtc")));
    // The same files over HTTP are only read.
    let read = format!("http://127.0.0.1:{}/read/rtc", server.port);
    let f = machine();
    assert_eq!(build(&f, &read, &[]).count("fetched"), 12);
    f.write("a.hlsl", "RWByteAddressBuffer Out;\n[numthreads(1, 1, 1)] void main() { Out.Store(N, M + 7); }\n");
    let changed = build(&f, &read, &[]);
    assert_eq!((changed.count("compiled"), changed.traffic("misses"), changed.traffic("uploaded")), (12, 12, 0));
    assert_eq!(changed.warnings, [""; 0]);
    // Credentials of the environment are sent where an option says so, never where a description does.
    let plain = url.replace("me:secret@", "");
    let g = machine();
    let secrets = [("RTC_CACHE_USER", "me"), ("RTC_CACHE_PASSWORD", "secret")];
    assert_eq!(build_with(&g, &plain, &[], &secrets).count("fetched"), 12);
    let denied = build(&machine(), &plain, &[]);
    assert!(
        matches!(&denied.warnings[..], [told] if told.ends_with("access is denied; are there credentials in the environment?")),
        "{:?}",
        denied.warnings
    );
    let h = machine();
    let described = fs::read_to_string(h.0.join("rtc.toml")).expect("it is there");
    h.write("rtc.toml", &format!("{described}[cache]\nurl = '{plain}'\n"));
    let done = h.command(&["build"]).envs(secrets).output().expect("rtc runs");
    assert!(done.status.success() && text(&done.stderr).contains("access is denied"), "{}", text(&done.stderr));
    survives(server, &url);
}

#[test]
fn s3_is_a_shared_cache() {
    let server = start!(servers::s3());
    let url = format!("s3://shaders/team/rtc?endpoint=http://127.0.0.1:{}&region=us-east-1", server.port);
    let port = server.port;
    shares(&url, true, || {
        let client = format!(
            "boto3.client('s3', endpoint_url='http://127.0.0.1:{port}', region_name='us-east-1', aws_access_key_id='key', aws_secret_access_key='secret')"
        );
        let program = format!(
            "import boto3; s3 = {client}; key = s3.list_objects_v2(Bucket='shaders')['Contents'][0]['Key']; \
             s3.put_object(Bucket='shaders', Key=key, Body=b'damaged'); print(key)"
        );
        let key = servers::python(&program).expect("the client comes with the server");
        assert!(key.starts_with("team/rtc/"), "{key}");
    });
    let missing = url.replace("shaders", "nothing");
    let done = build(&machine(), &missing, &[]);
    assert_eq!((done.count("compiled"), done.traffic("uploaded"), done.traffic("not_uploaded")), (12, 0, 12), "{:?}", done.warnings);
    survives(server, &url);
}

#[test]
fn folders_are_shared_caches() {
    let shared = Folder::new();
    let url = format!("file://{}/rtc", shared.0.display());
    shares(&url, true, || damage_a_file(&shared.0.join("rtc")));
    // The description may name it, the environment too, which comes first.
    let f = machine();
    let described = fs::read_to_string(f.0.join("rtc.toml")).expect("it is there");
    f.write("rtc.toml", &format!("{described}[cache]\nurl = '{url}'\nwrite = false\n"));
    let told = text(&f.rtc(&["build"]).stderr);
    assert!(told.contains("12 from the shared cache"), "{told}");
    let other = f.command(&["build", "--force"]).env("RTC_CACHE_URL", format!("{url}2")).env("RTC_CACHE_DIR", f.0.join("none")).output();
    assert!(text(&other.expect("rtc runs").stderr).contains("12 compiled"));
    let shadermake = || {
        let mut command =
            f.command(&["build", "shadermake", "-p", "DXIL", "-c", "a.cfg", "-o", "bin", "-B", "-m", "6_6", "--compiler", "dxc", "-f"]);
        command.env("RTC_CACHE_URL", &url).env("RTC_CACHE_DIR", Folder::new().0.join("none"));
        text(&command.output().expect("rtc runs").stderr)
    };
    f.write("a.cfg", "a.hlsl -T cs -D N=8 -D M={1,2}\n");
    let (first, second) = (shadermake(), shadermake());
    assert!(first.contains("2 compiled") && second.contains("2 from the shared cache"), "{first}{second}");
    let none = text(&f.command(&["build", "--force", "--no-cache"]).output().expect("rtc runs").stderr);
    assert!(none.contains("12 compiled"), "{none}");
}

/// A server that accepts connections and never answers.
#[test]
fn a_silent_server_costs_bounded_time() {
    if !cfg!(feature = "remote") {
        return rtc_oracles::skip("rtc is built without the feature `remote`");
    }
    let silent = TcpListener::bind("127.0.0.1:0").expect("there is a free port");
    let port = silent.local_addr().expect("it is bound").port();
    for url in [format!("http://127.0.0.1:{port}/x"), format!("redis://127.0.0.1:{port}"), format!("dav://127.0.0.1:{port}/x")] {
        let done = build(&machine(), &url, &["--cache-timeout", "0.5"]);
        assert_eq!(done.count("compiled"), 12);
        assert!(done.time < Duration::from_secs(15), "{url}: {:?}", done.time);
        assert!(matches!(&done.warnings[..], [told] if told.ends_with("there was no answer in 0.5 s")), "{url}: {:?}", done.warnings);
    }
}

/// A server whose answers are all wrong: a page to sign in, for example.
#[test]
fn a_server_with_other_answers_is_not_believed() {
    if !cfg!(feature = "remote") {
        return rtc_oracles::skip("rtc is built without the feature `remote`");
    }
    let server = TcpListener::bind("127.0.0.1:0").expect("there is a free port");
    let port = server.local_addr().expect("it is bound").port();
    std::thread::spawn(move || {
        use std::io::{Read, Write};
        for stream in server.incoming().flatten() {
            std::thread::spawn(move || {
                let mut stream = stream;
                _ = stream.read(&mut [0; 4096]);
                _ = stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 14\r\nConnection: close\r\n\r\nPlease sign in");
            });
        }
    });
    let done = build(&machine(), &format!("http://127.0.0.1:{port}/x"), &[]);
    assert_eq!(done.count("compiled"), 12);
    assert!((1..=12).contains(&done.traffic("damaged")) && done.warnings.len() == 1, "{:?}", done.warnings);
}

#[test]
fn mistakes_in_urls_are_errors() {
    let f = machine();
    let fails = |arguments: &[&str], expected: &str| {
        let done = f.rtc(arguments);
        let errors = text(&done.stderr);
        assert!(done.status.code() == Some(1) && errors.contains(expected), "{arguments:?}\n{errors}");
    };
    fails(&["build", "--cache-url", "/tmp/x"], "`/tmp/x` is no URL");
    fails(&["build", "--cache-url", "rediss://x"], "did you mean `redis`?");
    fails(&["build", "--cache-timeout", "0"], "not between 0.01 and 3600");
    fails(&["cache", "gc", "--cache-url", "file:///tmp/x"], "a shared cache is cleaned where it is");
    if cfg!(feature = "remote") {
        fails(&["build", "--cache-url", "redis://localhost/x"], "the path `/x` is no number of a database");
        fails(&["build", "--cache-url", "azblob://container"], "`azblob://container`: ");
    } else {
        fails(&["build", "--cache-url", "s3://bucket"], "built without caches of the network");
    }
}

/// Damages the first entry below a folder.
fn damage_a_file(folder: &std::path::Path) {
    let inside = |folder: &std::path::Path| {
        let mut all: Vec<_> = fs::read_dir(folder).expect("it is there").flatten().map(|f| f.path()).collect();
        all.sort();
        all
    };
    let entry = inside(&inside(folder)[0])[0].clone();
    fs::write(entry, "damaged").expect("it can be written");
}
