//! The page in headless Chromium, driven by Playwright: `browser.py` is what a person does. Screenshots are in `target/tmp/explore/`.
#![cfg(feature = "server")]

use rtc::{NoIncludes, compile};
use rtc_explore::{Explored, Model, Request, Server, model, page};
use rtc_oracles::skip;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

const TRACES: &str = include_str!("traces.hlsl");

fn explore(name: &str, source: &str, arguments: Vec<String>) -> Model {
    let request = Request { name: name.into(), source: source.into(), arguments };
    model(&request, &mut NoIncludes, &mut |o| Ok(compile(name, source.as_bytes(), &mut NoIncludes, o)))
}

fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("explore").join(name);
    _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).expect("a folder");
    path
}

/// Runs the script; skips the test if there is no browser.
fn browse(arguments: &[&str]) {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/browser.py");
    // `cargo xtask setup` makes an environment with Playwright.
    let own = rtc_oracles::artefacts::oracle_dir().join("servers/bin/python");
    let python = if own.is_file() { own } else { PathBuf::from("python3") };
    let done = match Command::new(python).arg(script).args(arguments).output() {
        Ok(done) => done,
        Err(e) => return skip::skip(format!("python3: {e}")),
    };
    let said = String::from_utf8_lossy(&done.stdout);
    match done.status.code() {
        Some(77) => skip::skip(format!("the page needs {}", said.trim())),
        _ => assert!(done.status.success(), "{said}\n{}", String::from_utf8_lossy(&done.stderr)),
    }
}

#[test]
fn the_page_stands_alone() {
    let folder = folder("alone");
    let file = folder.join("page.html");
    std::fs::write(&file, page(&explore("traces.hlsl", TRACES, Vec::new()), None)).expect("a file");
    browse(&["alone", &file.to_string_lossy(), &folder.to_string_lossy()]);
}

/// A source that is read anew for each model.
struct Edited(PathBuf);

impl Explored for Edited {
    fn model(&mut self, options: Option<Vec<String>>) -> Model {
        match std::fs::read_to_string(&self.0) {
            Ok(text) => explore("traces.hlsl", &text, options.unwrap_or_default()),
            Err(e) => {
                let request = Request { name: "traces.hlsl".into(), source: String::new(), arguments: Vec::new() };
                model(&request, &mut NoIncludes, &mut |_| Err(format!("cannot read: {e}")))
            }
        }
    }

    fn version(&mut self) -> String {
        format!("{:?}", std::fs::metadata(&self.0).ok().and_then(|m| Some((m.len(), m.modified().ok()?))))
    }
}

#[test]
fn the_page_follows_its_source() {
    let folder = folder("served");
    let source = folder.join("traces.hlsl");
    std::fs::write(&source, TRACES).expect("a file");
    let server = Arc::new(Server::new(0).expect("a port"));
    let thread = std::thread::spawn({
        let (server, source) = (server.clone(), source.clone());
        move || server.serve(&mut Edited(source)).expect("it serves")
    });
    browse(&["served", &server.url(), &source.to_string_lossy(), &folder.to_string_lossy()]);
    server.stop();
    thread.join().expect("it ends");
}
