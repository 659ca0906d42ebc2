//! `rtc validate`: output for valid files, for invalid ones with the line of HLSL, for files of other kinds, and the exit codes.

use std::process::{Command, Output};

use rtc_dxil_container::program::Program;
use rtc_dxil_container::{self as container, Container, FourCc, Signing};
use rtc_dxil_module::bitcode;
use rtc_dxil_module::{Op, Value};

/// A folder of its own for a test, removed at the end.
struct Folder(rtc_test_support::Folder);

impl Folder {
    fn new(name: &str) -> Folder {
        Folder(rtc_test_support::Folder::new(name))
    }
    fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> String {
        self.0.write(name, bytes)
    }
    fn path(&self, name: &str) -> String {
        self.0.path(name)
    }
    /// Compiles a source and gives the name of the output.
    fn compile(&self, name: &str, source: &str, args: &[&str]) -> String {
        let (source, out) = (self.write("source.hlsl", source), self.path(name));
        let done = Command::new(env!("CARGO_BIN_EXE_rtc")).args(args).args([&source, "-Fo", &out]).output().unwrap();
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        out
    }
}

fn validate(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_rtc")).arg("validate").args(args).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

const LIB: &str = "[shader(\"raygeneration\")] void Gen() {}\n";
const QUERY: &str = "RaytracingAccelerationStructure s;
RWByteAddressBuffer b;
[numthreads(32, 1, 1)] void main(uint i : SV_GroupIndex) {
    RayDesc r;
    r.Origin = 0; r.Direction = float3(0, 0, 1); r.TMin = 0; r.TMax = i;
    RayQuery<RAY_FLAG_NONE> q;
    q.TraceRayInline(s, 0, 255, r);
    q.Proceed();
    b.Store(0, q.CommittedStatus());
}
";

/// Lets the ray query begin with flags that are no constant.
fn break_query(data: &[u8]) -> Vec<u8> {
    let file = Container::parse(data).unwrap();
    let break_part = |part: &[u8]| {
        let program = Program::read("DXIL", part).unwrap();
        let mut m = bitcode::read(program.bitcode).unwrap();
        let main = m.funcs.iter().find(|(_, f)| f.body.is_some()).unwrap().0;
        let find = |name: &str| {
            let body = m.funcs[main].body.as_ref().unwrap();
            let calls = |i: &&_| match body.insts[**i].op {
                Op::Call { callee: Value::Func(f), .. } => &*m.funcs[f].name == name,
                _ => false,
            };
            *body.blocks.values().flatten().find(calls).unwrap()
        };
        let (query, index) = (find("dx.op.allocateRayQuery"), find("dx.op.flattenedThreadIdInGroup.i32"));
        let body = m.funcs[main].body.as_mut().unwrap();
        let entry = body.blocks.keys().next().unwrap();
        body.blocks[entry].retain(|&i| i != index);
        body.blocks[entry].insert(0, index);
        let Op::Call { args, .. } = body.insts[query].op else { unreachable!() };
        body.values_mut(args)[1] = Value::Inst(index);
        let code = bitcode::write(&m);
        Program { bitcode: &code, ..program }.write()
    };
    let parts: Vec<(FourCc, Vec<u8>)> = file
        .parts
        .iter()
        .map(|p| match p.name {
            FourCc::DXIL | FourCc::ILDB => (p.name, break_part(&p.data)),
            _ => (p.name, p.data.clone()),
        })
        .collect();
    container::write(&parts, Signing::Digest).unwrap()
}

#[test]
fn valid_files_are_called_valid() {
    let f = Folder::new("valid");
    let one = f.compile("one.dxil", LIB, &["-T", "lib_6_6"]);
    let two = f.compile("two.dxil", LIB, &["-T", "lib_6_3", "-Vd"]);
    let out = validate(&[&one, &two]);
    assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
    assert_eq!(text(&out.stdout), format!("{one}: valid\n{two}: valid (it is not signed)\n"));
    assert!(out.stderr.is_empty());
}

#[test]
fn one_broken_file_among_others() {
    let f = Folder::new("broken");
    let good = f.compile("good.dxil", LIB, &["-T", "lib_6_6"]);
    let mut data = std::fs::read(&good).unwrap();
    let part = Container::parse(&data).unwrap().part(FourCc::SFI0).unwrap().offset;
    data[part] |= 1;
    let bad = f.write("bad.dxil", &data);
    let out = validate(&[&bad, &good]);
    assert_eq!(out.status.code(), Some(1));
    assert_eq!(text(&out.stdout), format!("{good}: valid\n"));
    let said = text(&out.stderr);
    assert!(said.starts_with(&format!("{bad}: not valid\nits digest belongs to different content\n")), "{said}");
    assert!(said.contains("SFI0 at byte 0x0: ") && said.contains("[CONTAINER.PARTMATCHES]"), "{said}");
}

/// No loader takes a container with the digest of other content, though no rule of DXIL is about that; one without a digest says so.
#[test]
fn a_digest_of_other_content_is_an_error() {
    let f = Folder::new("digest");
    let good = f.compile("good.dxil", LIB, &["-T", "lib_6_6"]);
    let data = std::fs::read(&good).unwrap();
    let mut other = data.clone();
    other[4] ^= 1;
    let mut none = data;
    none[4..20].fill(0);
    let (other, none) = (f.write("other.dxil", other), f.write("none.dxil", none));
    let out = validate(&[&other, &none]);
    assert_eq!(out.status.code(), Some(1));
    assert_eq!(text(&out.stderr), format!("{other}: not valid\nits digest belongs to different content\n"));
    assert_eq!(text(&out.stdout), format!("{none}: valid (it is not signed)\n"));
    assert_eq!(validate(&[&none]).status.code(), Some(0));
    let said: serde_json::Value = serde_json::from_slice(&validate(&["-json", &other]).stdout).expect("JSON");
    assert_eq!(said[0]["valid"], false, "{said}");
    assert_eq!(said[0]["errors"][0], "its digest belongs to different content", "{said}");
}

/// What reads containers reads those that have changed, says so, and links none; without a digest there is nothing to say.
#[test]
fn whatever_reads_a_container_looks_at_its_digest() {
    let f = Folder::new("readers");
    let good = f.compile("good.dxil", LIB, &["-T", "lib_6_6"]);
    let data = std::fs::read(&good).unwrap();
    let change = |name: &str, digest: &dyn Fn(&mut [u8])| {
        let mut data = data.clone();
        digest(&mut data[4..20]);
        f.write(name, data)
    };
    let (other, none) = (change("other.dxil", &|d| d[0] ^= 1), change("none.dxil", &|d| d.fill(0)));
    let run = |args: &[&str]| Command::new(env!("CARGO_BIN_EXE_rtc")).args(args).output().unwrap();
    let warning = format!("rtc: warning: `{other}`: its digest belongs to different content\n");
    for command in [&["dis"][..], &["reflect"], &["reflect", "-text"]] {
        let read = |file: &str| run(&[command, &[file]].concat());
        let (of_good, of_other, of_none) = (read(&good), read(&other), read(&none));
        assert!(of_good.status.success() && of_other.status.success() && of_none.status.success(), "{command:?}");
        assert_eq!(text(&of_other.stderr), warning, "{command:?}");
        assert_eq!((text(&of_good.stderr), text(&of_none.stderr)), (String::new(), String::new()), "{command:?}");
        assert_eq!((&of_other.stdout, &of_none.stdout), (&of_good.stdout, &of_good.stdout), "{command:?}");
    }
    let says = |file: &str, what: &str| assert!(text(&run(&["container", file]).stdout).contains(what), "{file}");
    says(&good, "digest: valid");
    says(&other, "digest: invalid: the container was changed after it was signed");
    says(&none, "digest: none: the container is not signed");
    let link = |file: &str| run(&["link", "-T", "lib_6_6", file, "-Fo", &f.path("linked.dxil")]).status.code();
    assert_eq!([link(&good), link(&other), link(&none)], [Some(0), Some(1), Some(0)]);
}

#[test]
fn findings_name_the_line_of_hlsl() {
    let f = Folder::new("lines");
    for (name, args, line) in
        [("with.dxil", &["-T", "cs_6_6", "-Zi", "-Qembed_debug"][..], true), ("without.dxil", &["-T", "cs_6_6"], false)]
    {
        let path = f.compile(name, QUERY, args);
        let path = f.write(name, break_query(&std::fs::read(&path).unwrap()));
        let out = validate(&[&path]);
        let said = text(&out.stderr);
        assert_eq!(out.status.code(), Some(1), "{said}");
        assert!(said.contains("[DECL.ALLOCATERAYQUERYFLAGSARECONST]"), "{said}");
        assert!(said.contains("function 'main': ") && said.contains("@dx.op.allocateRayQuery"), "{said}");
        assert_eq!(said.contains("source.hlsl:6:"), line, "{said}");
    }
}

#[test]
fn json_says_the_same() {
    let f = Folder::new("json");
    let good = f.compile("good.dxil", LIB, &["-T", "lib_6_6"]);
    let path = f.compile("query.dxil", QUERY, &["-T", "cs_6_6", "-Zi", "-Qembed_debug"]);
    let bad = f.write("bad.dxil", break_query(&std::fs::read(&path).unwrap()));
    let other = f.write("other.txt", "no container");
    let out = validate(&["-json", &good, &bad, &other]);
    assert_eq!(out.status.code(), Some(1), "{}", text(&out.stderr));
    let said: serde_json::Value = serde_json::from_slice(&out.stdout).expect("JSON");
    assert_eq!(said[0]["valid"], true);
    assert_eq!(said[1]["valid"], false);
    let finding = &said[1]["findings"][0];
    assert_eq!(finding["rule"], "DECL.ALLOCATERAYQUERYFLAGSARECONST");
    assert_eq!(finding["function"], "main");
    assert_eq!(finding["source"]["line"], 6);
    assert!(said[2]["error"].as_str().is_some_and(|e| e.contains("no DXIL container")), "{said}");
}

#[test]
fn other_files_are_refused_by_name() {
    let f = Folder::new("kinds");
    let good = f.compile("good.dxil", LIB, &["-T", "lib_6_6"]);
    let package = f.compile("package.rtp", LIB, &["-T", "lib_6_6", "-spirv"]);
    let cases = [
        (f.write("a.spv", [3, 2, 0x23, 7, 0, 0, 0, 0]), "SPIR-V module"),
        (f.write("a.bc", b"BC\xC0\xDE...."), "without a container"),
        (f.write("a.pdb", b"Microsoft C/C++ MSF 7.00\r\n"), "PDB file"),
        (f.write("a.hlsl", LIB), "no DXIL container"),
        (f.write("empty", ""), "no DXIL container"),
        (package, "runtime package"),
        (f.path("missing.dxil"), "missing.dxil"),
    ];
    for (file, why) in cases {
        let out = validate(&[&file, &good]);
        let said = text(&out.stderr);
        assert_eq!(out.status.code(), Some(1), "{file}: {said}");
        assert!(said.starts_with("error: ") && said.contains(why), "{file}: {said}");
        assert_eq!(text(&out.stdout), format!("{good}: valid\n"), "{file}");
    }
}

#[test]
fn truncated_containers_are_validated() {
    let f = Folder::new("cut");
    let good = f.compile("good.dxil", LIB, &["-T", "lib_6_6"]);
    let data = std::fs::read(&good).unwrap();
    let files: Vec<String> = (4..data.len()).step_by(97).map(|n| f.write(&format!("{n}.dxil"), &data[..n])).collect();
    let out = validate(&files.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(out.status.code(), Some(1));
    assert_eq!(text(&out.stderr).matches(": not valid").count(), files.len());
}

#[test]
fn wrong_use() {
    for args in [&[][..], &["-frobnicate", "a.dxil"]] {
        let out = validate(args);
        assert_eq!(out.status.code(), Some(1));
        assert!(text(&out.stderr).contains("usage: rtc validate"), "{}", text(&out.stderr));
    }
    assert_eq!(validate(&["-help"]).status.code(), Some(0));
}
