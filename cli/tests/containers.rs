//! Options for containers at the command line: parts that are added, extracted and removed, PDBs, root signatures, contradicting options, and that
//! a failed run writes nothing.

use std::process::{Command, Output};

/// A folder of its own for a test, removed at the end. Programs run in it.
struct Folder(rtc_test_support::Folder);

const COMPUTE: &str = "#define RS \"UAV(u0), \" CBV(b1)\n#define WRONG \"UAV(u9)\"\nRWByteAddressBuffer b : register(u0);\n\
    [RootSignature(\"UAV(u0)\")] [numthreads(1, 1, 1)] void main() { b.Store(0, 1); }\n";
const LIBRARY: &str = "struct P { int n; }; [shader(\"miss\")] void M(inout P p) { p.n = 1; }\n";

impl Folder {
    fn new(name: &str) -> Folder {
        let f = Folder(rtc_test_support::Folder::new(name));
        f.write("cs.hlsl", COMPUTE);
        f.write("lib.hlsl", LIBRARY);
        f
    }
    fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        self.0.write(name, bytes);
    }
    fn read(&self, name: &str) -> Vec<u8> {
        self.0.read(name)
    }
    fn list(&self) -> Vec<String> {
        self.0.list()
    }
    fn run(&self, args: &str) -> Output {
        Command::new(env!("CARGO_BIN_EXE_rtc")).args(args.split(' ')).current_dir(&self.0).output().unwrap()
    }
    /// Runs what must work; gives standard output.
    #[track_caller]
    fn ok(&self, args: &str) -> String {
        let out = self.run(args);
        assert!(out.status.success(), "{args}\n{}", String::from_utf8_lossy(&out.stderr));
        String::from_utf8_lossy(&out.stdout).into_owned()
    }
    /// Runs what must fail and leave no file; gives the message.
    #[track_caller]
    fn fails(&self, args: &str) -> String {
        let before = self.list();
        let out = self.run(args);
        let text = String::from_utf8_lossy(&out.stderr).into_owned();
        assert_eq!(out.status.code(), Some(1), "{args}\n{text}");
        assert!(text.contains("error") && !text.contains("panicked"), "{args}\n{text}");
        assert_eq!(self.list(), before, "{args}");
        text
    }
    /// The names of a container's parts, and the state of its digest.
    #[track_caller]
    fn parts(&self, name: &str) -> (Vec<String>, String) {
        let text = self.ok(&format!("container {name}"));
        let mut names: Vec<String> = text.lines().skip(2).filter_map(|l| Some(l.split_whitespace().nth(1)?.to_owned())).collect();
        names.pop();
        (names, text.lines().last().unwrap().replace("; digest: ", ""))
    }
}

#[test]
fn private_data_comes_and_goes() {
    let f = Folder::new("private");
    f.write("secret", "odd size");
    f.ok("-T cs_6_6 cs.hlsl -Fo a.dxil -setprivate secret");
    let all = ["SFI0", "ISG1", "OSG1", "PSV0", "RTS0", "STAT", "HASH", "DXIL", "PRIV"];
    assert_eq!(f.parts("a.dxil"), (all.map(String::from).to_vec(), "valid".into()));
    f.ok("-dumpbin a.dxil -getprivate out");
    assert_eq!(f.read("out"), b"odd size");
    f.ok("-T lib_6_3 lib.hlsl -setprivate secret -getprivate again -Fo l.dxil");
    assert_eq!(f.read("again"), b"odd size");
    f.ok("-dumpbin a.dxil -Qstrip_priv -Fo b.dxil");
    f.ok("-T cs_6_6 cs.hlsl -Fo plain.dxil");
    assert_eq!(f.read("b.dxil"), f.read("plain.dxil"));
    f.write("other", "another");
    f.ok("-dumpbin a.dxil -setprivate other -Fo c.dxil");
    f.ok("container c.dxil -extract PRIV -o extracted");
    assert_eq!((f.read("extracted"), f.parts("c.dxil").1), (b"another".to_vec(), "valid".into()));
    assert!(f.fails("-dumpbin b.dxil -Qstrip_priv -Fo d.dxil").contains("no private data"));
    assert!(f.fails("-dumpbin b.dxil -getprivate d").contains("no private data"));
    assert!(f.fails("-T cs_6_6 cs.hlsl -getprivate d -Fo d.dxil").contains("no private data"));
    assert!(f.fails("-T cs_6_6 cs.hlsl -Qstrip_priv -setprivate secret -Fo d.dxil").contains("contradict"));
    assert!(f.fails("-T cs_6_6 cs.hlsl -setprivate missing -Fo d.dxil").contains("missing"));
    assert!(f.fails("container c.dxil -extract NONE -o x").contains("NONE"));
    assert!(f.fails("container cs.hlsl").contains("cs.hlsl"));
}

#[test]
fn parts_are_left_out_and_the_digest_follows() {
    let f = Folder::new("strip");
    f.ok("-T cs_6_6 cs.hlsl -Zi -Qembed_debug -Fo a.dxil");
    f.ok("-dumpbin a.dxil -Qstrip_debug -Qstrip_reflect -Qstrip_rootsignature -Fo b.dxil");
    let left = ["SFI0", "ISG1", "OSG1", "PSV0", "ILDN", "HASH", "DXIL"].map(String::from).to_vec();
    assert_eq!(f.parts("b.dxil"), (left, "valid".into()));
    f.ok("-T cs_6_6 cs.hlsl -Vd -Fo unsigned.dxil");
    f.ok("-dumpbin unsigned.dxil -Qstrip_reflect -Fo c.dxil");
    assert!(f.parts("c.dxil").1.starts_with("none"));
    f.ok("-T cs_6_6 cs.hlsl -Qstrip_rootsignature -Frs root -Fo d.dxil");
    assert!(!f.parts("d.dxil").0.contains(&"RTS0".to_owned()));
    assert_eq!(f.parts("root"), (vec!["RTS0".into()], "valid".into()));
    assert!(f.fails("-dumpbin b.dxil -Qstrip_debug -Fo x").contains("ILDB"));
    assert!(f.fails("-dumpbin a.dxil -Qstrip_debug").contains("-Fo"));
    assert!(f.fails("-dumpbin -T cs_6_6 a.dxil").contains("-T applies to compilation"));
    assert!(f.fails("-dumpbin -Zi a.dxil").contains("-Zi applies to compilation"));
    assert!(f.fails("-dumpbin cs.hlsl").contains("cs.hlsl"));
    assert!(f.ok("-dumpbin a.dxil").contains("define void @main"));
    f.ok("-dumpbin a.dxil -Fc a.txt -Fh a.h -Vn Name");
    assert!(String::from_utf8(f.read("a.h")).unwrap().contains("const unsigned char Name[] = {\n  0x44, 0x58, 0x42, 0x43,"));
    // Names of fields in the program too.
    f.write("cb.hlsl", "cbuffer C { uint fieldName; } RWByteAddressBuffer b; [numthreads(1, 1, 1)] void main() { b.Store(0, fieldName); }");
    f.ok("-T cs_6_6 cb.hlsl -Qkeep_reflect_in_dxil -Qstrip_reflect -Fo kept.dxil");
    f.ok("-T cs_6_6 cb.hlsl -Qstrip_reflect -Fo bare.dxil");
    assert!(f.ok("dis kept.dxil").contains("fieldName") && !f.ok("dis bare.dxil").contains("fieldName"));
}

#[test]
fn files_for_tools() {
    let f = Folder::new("files");
    f.ok("-T lib_6_3 lib.hlsl -Fre refl -Fsh hash -Fo a.dxil");
    f.ok("container a.dxil -extract STAT -o stat");
    f.ok("container a.dxil -extract RDAT -o rdat");
    f.ok("container a.dxil -extract HASH -o part");
    let header = |name: &[u8], data: &[u8]| [name, &(data.len() as u32).to_le_bytes(), data].concat();
    assert_eq!(f.read("refl"), [header(b"STAT", &f.read("stat")), header(b"RDAT", &f.read("rdat"))].concat());
    assert_eq!(f.read("hash"), f.read("part"));
    // Also where the container has none.
    f.ok("-T lib_6_3 lib.hlsl -Qstrip_reflect -validator-version 1.4 -Fre refl4 -Fsh hash4 -Fo b.dxil");
    assert_eq!((f.parts("b.dxil").0.join(" "), f.read("hash4").len()), ("SFI0 RDAT DXIL".into(), 20));
    assert!(f.read("refl4").starts_with(b"STAT"));
    let out = f.run("-T lib_6_3 lib.hlsl -Frs none -Fo c.dxil");
    assert!(out.status.success() && String::from_utf8_lossy(&out.stderr).contains("no root signature"));
    assert!(!f.list().contains(&"none".to_owned()));
    assert!(f.fails("-T lib_6_3 lib.hlsl -spirv -Fre x").contains("-Fre"));
    assert!(f.fails("-T lib_6_3 lib.hlsl -Vn x").contains("-Fh"));
}

#[test]
fn all_files_or_none() {
    let f = Folder::new("all");
    f.write("old.dxil", "old");
    assert!(f.fails("-T cs_6_6 cs.hlsl -Fo new.dxil -Fc list.txt -Fre no/such/folder/r -Fsh hash").contains("no/such/folder"));
    assert!(f.fails("-T cs_6_6 cs.hlsl -Fo old.dxil -Fsh old.dxil").contains("different contents"));
    assert!(f.fails("-T cs_6_6 cs.hlsl -Fo old.dxil -Zs -Fd no/such/folder/").contains("no/such/folder"));
    assert_eq!(f.read("old.dxil"), b"old");
    f.ok("-T cs_6_6 cs.hlsl -Fo old.dxil -Fsh /dev/null");
    assert!(f.read("old.dxil").starts_with(b"DXBC"));
}

#[test]
fn pdbs() {
    let f = Folder::new("pdbs");
    f.ok("-T cs_6_6 cs.hlsl -Zs -Fd slim.pdb -Fo a.dxil");
    assert_eq!(f.parts("slim.pdb").0, ["ILDN", "HASH", "SRCI", "STAT", "VERS"]);
    let text = f.ok("dis slim.pdb");
    assert!(text.contains("; Arguments: -E main -T cs_6_6 -Zs -Fd slim.pdb -Fo a.dxil"), "{text}");
    assert!(text.contains("; Source cs.hlsl (") && text.contains("; RWByteAddressBuffer b : register(u0);"), "{text}");
    f.ok("-T cs_6_6 cs.hlsl -Zi -Fd full.pdb -Fo b.dxil");
    assert_eq!(f.parts("full.pdb").0, ["ILDN", "HASH", "SRCI", "VERS", "ILDB"]);
    assert!(f.ok("-dumpbin full.pdb").contains("define void @main"));
    std::fs::create_dir(f.0.join("folder")).unwrap();
    f.ok("-T cs_6_6 cs.hlsl -Zs -Zss -Fd folder/ -Fo c.dxil -Fsh hash");
    let hash: String = f.read("hash")[4..].iter().map(|b| format!("{b:02x}")).collect();
    assert_eq!(f.read("hash")[..4], [1, 0, 0, 0]);
    assert!(f.read(&format!("folder/{hash}.pdb")).starts_with(b"Microsoft C/C++ MSF 7.00"));
    assert!(f.ok("dis c.dxil").contains(&format!("; shader debug name: {hash}.pdb")));
    f.write("same.hlsl", format!("// not the same source\n{COMPUTE}"));
    f.ok("-T cs_6_6 same.hlsl -Zs -Zss -Fd other.pdb -Fo d.dxil -Fsh hash2");
    f.ok("-T cs_6_6 same.hlsl -Zs -Zsb -Fd other.pdb -Fo e.dxil -Fsh hash3");
    f.ok("-T cs_6_6 cs.hlsl -Fsh hash4 -Fo g.dxil");
    assert_ne!(f.read("hash"), f.read("hash2"));
    assert_eq!(f.read("hash3"), f.read("hash4"));
    for wrong in ["-Zi -Zs", "-Zs -Zss -Zsb", "-Zss", "-Fd x.pdb", "-Zs -Qembed_debug"] {
        f.fails(&format!("-T cs_6_6 cs.hlsl {wrong} -Fo x.dxil"));
    }
    let cut = f.read("full.pdb");
    f.write("cut.pdb", &cut[..cut.len() / 2]);
    assert!(f.fails("dis cut.pdb").contains("PDB"));
}

#[test]
fn root_signatures() {
    let f = Folder::new("roots");
    f.ok("-T rootsig_1_1 -E RS cs.hlsl -Fo two.bin");
    f.ok("-T rootsig_1_1 -E WRONG cs.hlsl -Fo wrong.bin");
    assert_eq!(f.parts("two.bin"), (vec!["RTS0".into()], "valid".into()));
    assert!(f.ok("-T rootsig_1_0 -E RS cs.hlsl").contains("Root signature, version 1.0:\n;\n; UAV(u0), CBV(b1)"));
    assert!(f.ok("-T rootsig_1_2 -E RS cs.hlsl").contains("version 1.2"));
    f.ok("-T cs_6_6 cs.hlsl -rootsig-define RS -Frs defined.bin -Fo a.dxil");
    assert_eq!(f.read("defined.bin"), f.read("two.bin"));
    f.ok("-T cs_6_6 cs.hlsl -setrootsignature two.bin -Fo b.dxil");
    assert_eq!(f.read("a.dxil"), f.read("b.dxil"));
    f.ok("-T cs_6_6 cs.hlsl -Fo own.dxil");
    f.ok("-dumpbin own.dxil -setrootsignature two.bin -Fo c.dxil");
    assert_eq!(f.read("a.dxil"), f.read("c.dxil"));
    f.ok("-dumpbin own.dxil -Qstrip_rootsignature -Fo none.dxil");
    f.ok("-dumpbin none.dxil -setrootsignature two.bin -Fo d.dxil");
    assert_eq!(f.read("a.dxil"), f.read("d.dxil"));
    f.ok("-dumpbin a.dxil -extractrootsignature -Fo e.bin");
    assert_eq!(f.read("e.bin"), f.read("two.bin"));
    f.ok("-T cs_6_6 cs.hlsl -rootsig-define RS -extractrootsignature -Fo e2.bin");
    assert_eq!(f.read("e2.bin"), f.read("two.bin"));
    assert!(f.ok("-dumpbin own.dxil -verifyrootsignature two.bin").contains("succeeded"));
    f.ok("-T cs_6_6 cs.hlsl -force-rootsig-ver rootsig_1_0 -Frs old.bin -Fo g.dxil");
    f.ok("container old.bin -extract RTS0 -o old");
    assert_eq!(f.read("old")[0], 1);
    assert!(f.fails("-dumpbin own.dxil -verifyrootsignature wrong.bin").contains("u0"));
    assert!(f.fails("-dumpbin own.dxil -verifyrootsignature own.hlsl").contains("own.hlsl"));
    assert!(f.fails("-dumpbin own.dxil -setrootsignature wrong.bin -Fo x").contains("does not match"));
    assert!(f.fails("-T cs_6_6 cs.hlsl -setrootsignature wrong.bin -Fo x").contains("E0646"));
    assert!(f.fails("-T cs_6_6 cs.hlsl -rootsig-define WRONG -Fo x").contains("E0646"));
    assert!(f.fails("-T cs_6_6 cs.hlsl -rootsig-define Nothing -Fo x").contains("E0647"));
    assert!(f.fails("-dumpbin none.dxil -extractrootsignature -Fo x").contains("RTS0"));
    assert!(f.fails("-dumpbin own.dxil -extractrootsignature").contains("-Fo"));
    assert!(f.fails("-T cs_6_6 cs.hlsl -verifyrootsignature two.bin").contains("-dumpbin"));
    assert!(f.fails("-T cs_6_6 cs.hlsl -force-rootsig-ver 9 -Fo x").contains("rootsig_1_1"));
    assert!(f.fails("-T rootsig_1_3 -E RS cs.hlsl -Fo x").contains("rootsig_1_0"));
    // The root signature of another function is nobody's business.
    f.write("two.hlsl", "[RootSignature(\"nonsense\")] void Other() {}\n[RootSignature(\"CBV(b0)\")] [numthreads(1, 1, 1)] void main() {}");
    f.ok("-T cs_6_6 two.hlsl -Fo h.dxil");
    // A library has those of its compute shaders in their metadata, from shader model 6.7 on.
    f.write("mixed.hlsl", "[RootSignature(\"CBV(b0)\")] [shader(\"compute\")] [numthreads(1, 1, 1)] void main() {}");
    f.ok("-T lib_6_7 mixed.hlsl -Fo m.dxil");
    assert!(f.ok("dis m.dxil").contains(" x i8] c\"\\02\\00\\00\\00"));
    assert!(!f.ok("-T lib_6_6 mixed.hlsl").contains(" x i8] c\"\\02\\00\\00\\00"));
}

/// A shader of every graphics stage.
const GRAPHICS: &str = "\
struct V { float4 at : SV_Position; float2 uv : UV; };
struct C { float e[3] : SV_TessFactor; float i : SV_InsideTessFactor; float k : K; };
struct P { uint n; };
groupshared P sent;
cbuffer Numbers { float amount; }
[shader(\"vertex\")] V Vs(float4 a : A) { V v; v.at = a; v.uv = a.xy * amount; return v; }
[shader(\"pixel\")] float4 Ps(V v) : SV_Target { float2 local = ddx(v.uv); return local.xyxy * amount; }
[shader(\"geometry\")] [maxvertexcount(1)] void Gs(point V v[1], inout PointStream<V> s) { V made = v[0]; made.uv *= amount; s.Append(made); }
C Constants(InputPatch<V, 3> p) { C c; c.e[0] = c.e[1] = c.e[2] = c.i = amount; c.k = p[0].uv.x; return c; }
[shader(\"hull\")] [domain(\"tri\")] [partitioning(\"integer\")] [outputtopology(\"triangle_cw\")] [outputcontrolpoints(3)] [patchconstantfunc(\"Constants\")]
V Hs(InputPatch<V, 3> p, uint i : SV_OutputControlPointID) { V v = p[i]; v.uv *= amount; return v; }
[shader(\"domain\")] [domain(\"tri\")] V Ds(C c, float3 w : SV_DomainLocation, const OutputPatch<V, 3> p) { V v = p[0]; v.uv *= w.x * amount; return v; }
[shader(\"amplification\")] [numthreads(1, 1, 1)] void As(uint g : SV_GroupID) { sent.n = g; DispatchMesh(uint(amount), 1, 1, sent); }
[shader(\"mesh\")] [numthreads(3, 1, 1)] [outputtopology(\"triangle\")]
void Ms(uint i : SV_GroupIndex, in payload P p, out vertices V v[3], out indices uint3 t[1])
{ SetMeshOutputCounts(3, 1); v[i].at = p.n; v[i].uv = amount; if (i == 0) t[0] = uint3(0, 1, 2); }
";

/// A PDB has the debug information of a shader of each graphics stage, and what is left without it is the container that is compiled without.
#[test]
fn debug_information_of_graphics_stages_comes_and_goes() {
    let f = Folder::new("graphics");
    f.write("g.hlsl", GRAPHICS);
    let stages = [
        ("vs_6_5", "Vs", "var:\"v\""),
        ("ps_6_5", "Ps", "var:\"local\""),
        ("gs_6_5", "Gs", "var:\"made\""),
        ("hs_6_5", "Hs", "var:\"c\""),
        ("ds_6_5", "Ds", "var:\"v\""),
        ("as_6_5", "As", "var:\"g\""),
        ("ms_6_5", "Ms", "var:\"p\""),
    ];
    for (profile, entry, variable) in stages {
        let compile = format!("-T {profile} -E {entry} g.hlsl");
        f.ok(&format!("{compile} -Fo plain.dxil"));
        f.ok(&format!("{compile} -Zi -Qembed_debug -Fo a.dxil"));
        assert!(f.parts("a.dxil").0.contains(&"ILDB".to_owned()), "{profile}");
        assert!(f.ok("dis a.dxil").contains(variable), "{profile}");
        assert!(f.ok("validate a.dxil").starts_with("a.dxil: valid"), "{profile}");
        // Stripped at compilation and afterwards.
        f.ok(&format!("{compile} -Zi -Qembed_debug -Qstrip_debug -Fo b.dxil"));
        f.ok("-dumpbin a.dxil -Qstrip_debug -Fo c.dxil");
        assert_eq!(f.read("b.dxil"), f.read("c.dxil"), "{profile}");
        assert!(!f.parts("b.dxil").0.contains(&"ILDB".to_owned()), "{profile}");
        // In a file of its own.
        f.ok(&format!("{compile} -Zi -Fd a.pdb -Fo d.dxil"));
        let listing = f.ok("dis a.pdb");
        assert!(listing.contains("; PDB of a shader") && listing.contains(&format!("-E {entry}")), "{profile}");
        assert!(listing.contains(variable), "{profile}");
        // The code and what pipelines are made of are those without debug information.
        for part in ["DXIL", "ISG1", "OSG1", "PSV0", "SFI0"] {
            let extract = |from: &str| {
                f.ok(&format!("container {from} -extract {part} -o part"));
                f.read("part")
            };
            let plain = extract("plain.dxil");
            for other in ["a.dxil", "b.dxil", "d.dxil"] {
                assert_eq!(plain, extract(other), "{profile}: {part} of {other}");
            }
        }
        // Names of constants are gone with the reflection.
        f.ok(&format!("{compile} -Qstrip_reflect -Fo bare.dxil"));
        assert!(f.ok("dis plain.dxil").contains("float amount;"), "{profile}");
        assert!(!f.ok("dis bare.dxil").contains("amount"), "{profile}");
    }
}
