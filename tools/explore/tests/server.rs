//! The server: what it answers, and what it refuses.
#![cfg(feature = "server")]

use rtc::{NoIncludes, compile};
use rtc_explore::{Explored, Listed, Model, Permutation, Request, Scene, SceneState, Server, listed, model};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::Arc;

struct Fixed {
    scene: Scene,
    permutations: Vec<Permutation>,
}

impl Explored for Fixed {
    fn model(&mut self, options: Option<Vec<String>>) -> Model {
        let source = "RWByteAddressBuffer Out; [numthreads(1, 1, 1)] void main() { Out.Store(0, N); }";
        let arguments = options.unwrap_or_else(|| vec!["-Tcs_6_6".into(), "-DN=1".into()]);
        let request = Request { name: "a.hlsl".into(), source: source.into(), arguments };
        model(&request, &mut NoIncludes, &mut |o| Ok(compile("a.hlsl", source.as_bytes(), &mut NoIncludes, o)))
    }

    fn version(&mut self) -> String {
        "v1".into()
    }

    fn scene(&mut self) -> Option<&Scene> {
        Some(&self.scene)
    }

    fn permutations(&mut self, filter: &str) -> Listed<'_> {
        listed(&self.permutations, filter)
    }
}

/// Sends a request and reads the whole answer.
fn ask(address: &str, request: &str) -> String {
    let mut stream = TcpStream::connect(address).expect("a connection");
    stream.write_all(request.as_bytes()).expect("it is sent");
    let mut out = Vec::new();
    stream.read_to_end(&mut out).expect("an answer");
    String::from_utf8_lossy(&out).into_owned()
}

#[test]
fn answers() {
    let server = Arc::new(Server::new(0).expect("a port"));
    let url = server.url();
    let address = url.trim_start_matches("http://").trim_end_matches('/').to_owned();
    assert!(address.starts_with("127.0.0.1:"));
    let thread = std::thread::spawn({
        let server = server.clone();
        let scene = Scene { number: 7, ..Scene::new(SceneState::Failed, Some("too dark".into())) };
        let of = |name: &str| Permutation { name: name.into(), arguments: vec!["-Tcs_6_6".into()] };
        let mut fixed = Fixed { scene, permutations: vec![of("a B=1"), of("a B=2 é")] };
        move || server.serve(&mut fixed).expect("it serves")
    });
    let get = |path: &str| ask(&address, &format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n"));
    let starts = |answer: &str, status: &str| assert!(answer.starts_with(&format!("HTTP/1.1 {status}")), "{status}: {answer}");
    let home = get("/");
    starts(&home, "200");
    assert!(home.contains("id=\"live\">\"v1\"") && home.contains("Cache-Control: no-store"));
    assert!(get("/version").ends_with("v1"));
    let other = get("/model.json?options=-T+cs_6_2%20-DN%3D77");
    starts(&other, "200");
    assert!(other.contains("\"cs_6_2\"") && other.contains("i32 77") && other.contains("\"version\":\"v1\""));
    starts(&get("/model.json?options=%22"), "400");
    starts(&get("/model.json?options=%zz"), "400");
    // A scene is sent to those that have not seen it.
    for (path, has) in [("/scene.json", true), ("/scene.json?seen=6", true), ("/scene.json?seen=7", false), ("/scene.json?seen=", true)] {
        let answer = get(path);
        starts(&answer, "200");
        assert_eq!(answer.contains("\"failed\"") && answer.contains("too dark"), has, "{path}: {answer}");
        assert!(has || answer.ends_with("null"));
    }
    assert!(get("/permutations.json").contains("\"matching\":2"));
    let some = get("/permutations.json?filter=%C3%A9+b%3D2");
    assert!(some.contains("\"matching\":1") && some.contains("\"name\":\"a B=2 é\""), "{some}");
    starts(&get("/permutations.json?filter=%f"), "400");
    starts(&get("/../etc/passwd"), "404");
    starts(&ask(&address, &format!("POST / HTTP/1.1\r\nHost: {address}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")), "405");
    // A foreign name that resolves to this machine.
    starts(&ask(&address, "GET / HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n"), "403");
    starts(&ask(&address, "GET / HTTP/1.1\r\nConnection: close\r\n\r\n"), "403");
    let port = address.rsplit(':').next().expect("a port");
    starts(&ask(&address, &format!("GET /version HTTP/1.1\r\nHost: localhost:{port}\r\nConnection: close\r\n\r\n")), "200");
    // The port is taken now.
    assert!(Server::new(port.parse().expect("a number")).is_err());
    server.stop();
    thread.join().expect("it ends");
}
