//! Bazel's persistent workers, with a client of our own in both protocols.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use super::{alone, sources, words};
use crate::world::World;

/// A worker that Bazel would start.
struct Bazel {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    json: bool,
}

/// Exit code, output, number, whether it was cancelled.
type Response = (i64, String, i64, bool);

impl Bazel {
    fn start(w: &World, arguments: &[&str], json: bool) -> Bazel {
        let mut command = w.command(&[&["--persistent_worker"], arguments].concat());
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it starts");
        let (input, output) = (child.stdin.take(), child.stdout.take().expect("a pipe"));
        Bazel { child, input, output: BufReader::new(output), json }
    }

    fn send(&mut self, arguments: &[&str], id: i64, cancel: bool, sandbox: &str) {
        let bytes = if self.json {
            let request = serde_json::json!({
                "arguments": arguments, "inputs": [{ "path": "a.hlsl", "digest": "x" }], "requestId": id, "cancel": cancel, "sandboxDir": sandbox
            });
            format!("{request}\n").into_bytes()
        } else {
            let mut fields = Vec::new();
            let text = |number: u8, text: &str| [&[number << 3 | 2], &varint(text.len() as u64)[..], text.as_bytes()].concat();
            arguments.iter().for_each(|a| fields.extend(text(1, a)));
            fields.extend(text(2, "\x0a\x01a"));
            fields.extend([&[3 << 3][..], &varint(id as u64)].concat());
            fields.extend([4 << 3, u8::from(cancel)]);
            fields.extend(text(6, sandbox));
            [&varint(fields.len() as u64)[..], &fields].concat()
        };
        let input = self.input.as_mut().expect("it is open");
        input.write_all(&bytes).and_then(|()| input.flush()).expect("it reads");
    }

    fn receive(&mut self) -> Response {
        if self.json {
            let mut line = String::new();
            self.output.read_line(&mut line).expect("a line");
            let v: serde_json::Value = serde_json::from_str(&line).expect("JSON");
            let number = |name: &str| v[name].as_i64().expect("a number");
            return (number("exitCode"), v["output"].as_str().expect("text").to_owned(), number("requestId"), v["wasCancelled"] == true);
        }
        let length = read_varint(&mut self.output);
        let mut bytes = vec![0; length as usize];
        self.output.read_exact(&mut bytes).expect("a message");
        let (mut fields, mut response) = (bytes.as_slice(), Response::default());
        while !fields.is_empty() {
            let tag = read_varint(&mut fields);
            let value = read_varint(&mut fields);
            match tag {
                0x08 => response.0 = value as i64,
                0x12 => {
                    let (text, rest) = fields.split_at(value as usize);
                    response.1 = String::from_utf8_lossy(text).into_owned();
                    fields = rest;
                }
                0x18 => response.2 = value as i64,
                0x20 => response.3 = value != 0,
                _ => panic!("field {tag}"),
            }
        }
        response
    }

    fn end(mut self) {
        self.input = None;
        assert!(self.child.wait().expect("it ends").success());
        let mut rest = Vec::new();
        self.output.read_to_end(&mut rest).expect("it can be read");
        assert!(rest.is_empty(), "nothing but responses");
    }
}

fn varint(mut value: u64) -> Vec<u8> {
    let mut out = Vec::new();
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
    out
}

fn read_varint(input: &mut impl Read) -> u64 {
    let mut value = 0;
    for shift in (0..).step_by(7) {
        let mut byte = [0];
        input.read_exact(&mut byte).expect("a byte");
        value |= u64::from(byte[0] & 0x7f) << shift;
        if byte[0] < 0x80 {
            break;
        }
    }
    value
}

const LINES: &[&str] = &[
    "-T cs_6_6 a.hlsl -Fo a.dxil",
    "-T cs_6_6 a.hlsl -DN=4 -Fo a.dxil -MF a.d",
    "-T cs_6_6 a.hlsl -Zi -Fd a.pdb -Fo a.dxil",
    "-T lib_6_6 wrong.hlsl -Fo a.dxil",
    "-T lib_6_6 warns.hlsl -Fo a.dxil",
    "-T cs_6_6 a.hlsl -P -Fi -",
    "-T cs_6_6 a.hlsl -bogus",
    "-T cs_6_6 none.hlsl",
    "--version",
];

#[test]
fn requests_have_the_outcome_of_a_process() {
    let w = sources();
    for json in [false, true] {
        let mut bazel = Bazel::start(&w, &["-DSCALE=5"], json);
        for line in LINES.iter().chain(LINES) {
            let before = w.files();
            bazel.send(&words(line), 0, false, "");
            let (code, output, id, cancelled) = bazel.receive();
            let mut made = w.files();
            made.retain(|name, bytes| before.get(name) != Some(bytes));
            made.keys().for_each(|name| std::fs::remove_file(w.folder.join(name)).expect("it is there"));
            let expected = alone(&w, &format!("-DSCALE=5 {line}"), None);
            assert_eq!((Some(code as i32), output), (expected.0, expected.1 + &expected.2), "{line}");
            assert!(made == expected.3 && id == 0 && !cancelled, "{line}");
        }
        bazel.end();
    }
}

#[test]
fn numbered_requests_run_at_once_in_their_folders() {
    let w = sources();
    for json in [false, true] {
        let mut bazel = Bazel::start(&w, if json { &["--worker_protocol=json"] } else { &["--worker_protocol=proto"] }, json);
        for n in 0..12 {
            let sandbox = format!("sandbox/{n}");
            w.write(
                &format!("{sandbox}/a.hlsl"),
                "#include \"v.hlsli\"\nRWByteAddressBuffer Out; [numthreads(1, 1, 1)] void main() { Out.Store(0, V); }\n",
            );
            w.write(&format!("{sandbox}/v.hlsli"), &format!("#define V {n}\n"));
            bazel.send(&words("-T cs_6_6 a.hlsl -Fo a.dxil"), n + 1, false, &sandbox);
        }
        let mut ids: Vec<i64> =
            (0..12).map(|_| bazel.receive()).map(|r| if r.0 == 0 && r.1.is_empty() { r.2 } else { panic!("{r:?}") }).collect();
        ids.sort();
        assert!(ids.into_iter().eq(1..13));
        for n in 0..12 {
            let folder = w.folder.join(format!("sandbox/{n}"));
            let found = std::fs::read(folder.join("a.dxil")).expect("it is there");
            let mut command = w.command(&words("-T cs_6_6 a.hlsl -Fo b.dxil"));
            assert!(command.current_dir(&folder).status().expect("it runs").success());
            assert!(found == std::fs::read(folder.join("b.dxil")).expect("it is there"), "{n}");
        }
        bazel.end();
        std::fs::remove_dir_all(w.folder.join("sandbox")).expect("it is there");
    }
}

#[test]
fn a_request_that_is_cancelled_writes_nothing() {
    let w = World::new();
    let body: String =
        (0..400).map(|n| format!("  [unroll] for (uint i{n} = 0; i{n} < 40; ++i{n}) x = x * {n}.5 + sin(x + i{n});\n")).collect();
    w.write(
        "long.hlsl",
        &format!("RWStructuredBuffer<float> Out;\n[numthreads(1, 1, 1)] void main() {{ float x = Out[0];\n{body} Out[0] = x; }}\n"),
    );
    let mut bazel = Bazel::start(&w, &[], false);
    bazel.send(&words("-T cs_6_6 long.hlsl -Fo long.dxil"), 7, false, "");
    bazel.send(&[], 7, true, "");
    assert_eq!(bazel.receive(), (0, String::new(), 7, true));
    // One that is over, or never was, is none.
    bazel.send(&[], 9, true, "");
    bazel.end();
    assert!(!w.folder.join("long.dxil").exists());
}

#[test]
fn nonsense_ends_a_worker_with_an_error() {
    let w = sources();
    for input in [&b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"[..], b"{\"arguments\": 7}\n", b"\x02\x0a\x05", b"\xff\xff\xff\xff\x0f"] {
        let mut child = w
            .command(&["--persistent_worker"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts");
        child.stdin.take().expect("a pipe").write_all(input).expect("it reads");
        let output = child.wait_with_output().expect("it ends");
        assert_eq!(output.status.code(), Some(1));
        assert!(String::from_utf8_lossy(&output.stderr).contains("rtc: error: "), "{output:?}");
    }
    let output = w.run(&["--persistent_worker", "--worker_protocol=xml"]);
    assert!(String::from_utf8_lossy(&output.stderr).contains("expected `proto` or `json`"));
}
