//! What a host sees of SPIR-V is what the reference compiler makes: sets, bindings, storage classes, types with names, offsets and
//! strides, decorations, entry points with their modes and system values. Every sample and every shader that runs, compared by
//! structure, not by ids.
//!
//! `RTC_INTERFACE=name` compares the shaders with that in their names only.

#[path = "shared/compilers.rs"]
mod compilers;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use compilers::{Compiler, compile};
use rspirv::dr::{Instruction, Module, Operand};
use rspirv::spirv::{Decoration, ExecutionMode, Op, StorageClass};
use rtc_oracles::selection::Filter;
use rtc_oracles::skip;

/// Execution modes that the pinned reference does not have: its derivatives in compute shaders are undefined, and it lets drivers fold NaN.
const NEWER_MODES: [ExecutionMode; 3] =
    [ExecutionMode::DerivativeGroupQuadsKHR, ExecutionMode::DerivativeGroupLinearKHR, ExecutionMode::SignedZeroInfNanPreserve];

/// Not a test of its own: the process that the test below starts.
#[test]
fn reference_compiler_process() {
    compilers::be_the_reference();
}

/// A source and the options that it asks for.
struct Case {
    name: String,
    source: PathBuf,
    options: Vec<String>,
}

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace").to_path_buf()
}

fn scratch(name: &str) -> PathBuf {
    let dir = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("interface");
    std::fs::create_dir_all(&dir).expect("a folder");
    dir.join(name)
}

/// All cases: samples, with the options of their first lines, and the shaders of `lit-tests/tests/run`.
fn cases() -> Vec<Case> {
    let wanted = Filter::new("RTC_INTERFACE");
    let words = |line: &str| line.split_whitespace().map(str::to_string).collect::<Vec<_>>();
    let mut all = Vec::new();
    for entry in std::fs::read_dir(workspace().join("samples")).expect("the samples").flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let source = entry.path().join(format!("{name}.hlsl"));
        let Ok(text) = std::fs::read_to_string(&source) else { continue };
        let options = text.lines().next().and_then(|l| l.strip_prefix("// rtc ")).map_or_else(|| words("-T lib_6_3"), words);
        all.push(Case { name, source, options });
    }
    let folder = workspace().join("lit-tests/tests/run");
    let prelude = std::fs::read_to_string(folder.join("Inputs/out.hlsli")).expect("out.hlsli");
    for entry in std::fs::read_dir(&folder).expect("the folder of shaders").flatten() {
        let path = entry.path();
        if path.extension().is_none_or(|e| e != "hlsl") {
            continue;
        }
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&path).expect("a shader").replace("#include \"Inputs/out.hlsli\"", &prelude);
        if text.contains("\n// reference SPIR-V: no") {
            continue;
        }
        let source = scratch(&format!("{name}.hlsl"));
        std::fs::write(&source, &text).expect("the expanded source");
        let mut options = text.lines().find_map(|l| l.strip_prefix("// options: ")).map_or_else(Vec::new, words);
        if !options.iter().any(|o| o == "-T") {
            options.extend(words("-T lib_6_3"));
        }
        if !options.iter().any(|o| o == "-HV") {
            options.extend(words("-HV 2021"));
        }
        // The name of our default; the reference has none for its own.
        options.retain(|o| o != "-fvk-use-vulkan-layout");
        all.push(Case { name, source, options });
    }
    all.retain(|c| wanted.takes(&c.name));
    wanted.must_have_matched();
    all.sort_by(|a, b| a.name.cmp(&b.name));
    all
}

/// The module that a compiler generates from a case.
fn compiled(case: &Case, compiler: Compiler) -> Result<Module, String> {
    let out = scratch(&format!("{}.{}.spv", case.name, if compiler == Compiler::Reference { "reference" } else { "ours" }));
    let mut args = case.options.clone();
    args.extend(["-spirv", "-fspv-target-env=vulkan1.2", "-Vd"].map(str::to_string));
    let bytes = compile(compiler, &args, &case.source, &out)?;
    let words: Vec<u32> = bytes.chunks_exact(4).map(|c| u32::from_le_bytes([c[0], c[1], c[2], c[3]])).collect();
    rspirv::dr::load_words(words).map_err(|e| e.to_string())
}

/// A module with its names and decorations by id.
struct Reader<'m> {
    module: &'m Module,
    types: BTreeMap<u32, &'m Instruction>,
    names: BTreeMap<u32, String>,
    members: BTreeMap<(u32, u32), String>,
    decorations: BTreeMap<u32, Vec<String>>,
    member_decorations: BTreeMap<(u32, u32), Vec<String>>,
}

/// A decoration as text; `None` for those that are no interface.
fn decoration(operands: &[Operand]) -> Option<String> {
    let Some(Operand::Decoration(d)) = operands.first() else { return None };
    if matches!(d, Decoration::RelaxedPrecision | Decoration::Aliased | Decoration::Restrict | Decoration::NoContraction) {
        return None;
    }
    let rest: String = operands[1..].iter().map(|o| format!(" {o}")).collect();
    Some(format!("{d:?}{rest}"))
}

impl<'m> Reader<'m> {
    fn new(module: &'m Module) -> Reader<'m> {
        let mut r = Reader {
            module,
            types: module.types_global_values.iter().filter_map(|i| Some((i.result_id?, i))).collect(),
            names: BTreeMap::new(),
            members: BTreeMap::new(),
            decorations: BTreeMap::new(),
            member_decorations: BTreeMap::new(),
        };
        for i in &module.debug_names {
            match i.operands[..] {
                [Operand::IdRef(id), Operand::LiteralString(ref s)] => _ = r.names.insert(id, s.clone()),
                [Operand::IdRef(id), Operand::LiteralBit32(n), Operand::LiteralString(ref s)] => _ = r.members.insert((id, n), s.clone()),
                _ => {}
            }
        }
        for i in &module.annotations {
            match (i.class.opcode, &i.operands[..]) {
                (Op::Decorate, [Operand::IdRef(id), rest @ ..]) => {
                    r.decorations.entry(*id).or_default().extend(decoration(rest));
                }
                (Op::MemberDecorate, [Operand::IdRef(id), Operand::LiteralBit32(n), rest @ ..]) => {
                    r.member_decorations.entry((*id, *n)).or_default().extend(decoration(rest));
                }
                _ => {}
            }
        }
        r.decorations.values_mut().for_each(|d| d.sort());
        r.member_decorations.values_mut().for_each(|d| d.sort());
        r
    }

    fn decorated(&self, id: u32) -> String {
        // Ours has `NonWritable` at the variable as well as at the members, where the reference has it too.
        let shown = |d: &&String| *d != "NonWritable";
        self.decorations.get(&id).map_or(String::new(), |d| d.iter().filter(shown).map(|d| format!(" {d}")).collect())
    }

    fn constant(&self, id: u32) -> String {
        match self.types.get(&id).map(|i| &i.operands[..]) {
            Some([Operand::LiteralBit32(n)]) => n.to_string(),
            _ => "?".into(),
        }
    }

    /// A type as text, with all that a host sees.
    fn ty(&self, id: u32) -> String {
        let Some(i) = self.types.get(&id) else { return "?".into() };
        let inner = |n: usize| match i.operands[n] {
            Operand::IdRef(t) => self.ty(t),
            _ => "?".into(),
        };
        match (i.class.opcode, &i.operands[..]) {
            (Op::TypeInt, [Operand::LiteralBit32(bits), Operand::LiteralBit32(sign)]) => {
                format!("{}{bits}", if *sign == 1 { "i" } else { "u" })
            }
            (Op::TypeFloat, [Operand::LiteralBit32(bits), ..]) => format!("f{bits}"),
            (Op::TypeVector, [_, Operand::LiteralBit32(n)]) => format!("{}x{n}", inner(0)),
            (Op::TypeMatrix, [_, Operand::LiteralBit32(n)]) => format!("{n} of {}", inner(0)),
            (Op::TypeArray, [_, Operand::IdRef(n)]) => format!("{}[{}]{}", inner(0), self.constant(*n), self.decorated(id)),
            (Op::TypeRuntimeArray, _) => format!("{}[]{}", inner(0), self.decorated(id)),
            (Op::TypeStruct, members) => {
                let mut text = format!("{}{} {{", self.names.get(&id).map_or("", |n| n), self.decorated(id));
                for n in 0..members.len() {
                    let key = (id, n as u32);
                    let name = self.members.get(&key).map_or("", |n| n);
                    let decorations = self.member_decorations.get(&key).map_or(String::new(), |d| d.join(" "));
                    text += &format!(" {name}: {} {decorations};", inner(n));
                }
                text + " }"
            }
            (Op::TypeImage, [_, rest @ ..]) => {
                format!("image {} {}", inner(0), rest.iter().map(|o| format!("{o:?} ")).collect::<String>())
            }
            (op, _) => format!("{op:?}"),
        }
    }

    /// The variables that a host binds or provides, by name, as text.
    fn resources(&self) -> BTreeMap<String, String> {
        let mut all = BTreeMap::new();
        for i in &self.module.types_global_values {
            let (Op::Variable, Some(id), Some(pointer)) = (i.class.opcode, i.result_id, i.result_type) else { continue };
            let Some(Operand::StorageClass(class)) = i.operands.first() else { continue };
            use StorageClass as C;
            if !matches!(class, C::UniformConstant | C::Uniform | C::StorageBuffer | C::PushConstant | C::ShaderRecordBufferKHR) {
                continue;
            }
            let Some(Operand::IdRef(ty)) = self.types.get(&pointer).and_then(|p| p.operands.get(1)) else { continue };
            let name = self.names.get(&id).cloned().unwrap_or_default();
            all.entry(name).or_insert_with(|| format!("{class:?}{} {}", self.decorated(id), self.ty(*ty)));
        }
        all
    }

    /// The entry points by name: model and modes, and the system values that the interface lists.
    fn entries(&self) -> BTreeMap<String, (String, BTreeSet<String>)> {
        let mut all = BTreeMap::new();
        for i in &self.module.entry_points {
            let [Operand::ExecutionModel(model), Operand::IdRef(f), Operand::LiteralString(name), interface @ ..] = &i.operands[..] else {
                continue;
            };
            let modes = self.module.execution_modes.iter().filter(|m| m.operands.first() == Some(&Operand::IdRef(*f)));
            let modes = modes.filter(|m| !NEWER_MODES.iter().any(|&n| m.operands.get(1) == Some(&Operand::ExecutionMode(n))));
            let mut modes: Vec<String> = modes.map(|m| m.operands[1..].iter().map(|o| format!("{o:?} ")).collect()).collect();
            modes.sort();
            let builtins: BTreeSet<String> = interface
                .iter()
                .filter_map(|o| match o {
                    Operand::IdRef(v) => self.decorations.get(v)?.iter().find(|d| d.starts_with("BuiltIn")).cloned(),
                    _ => None,
                })
                .collect();
            all.insert(name.clone(), (format!("{model:?} {modes:?}"), builtins));
        }
        all
    }
}

#[test]
fn hosts_see_what_they_see_of_the_reference() {
    if let Err(missing) = rtc_oracles::Dxc::load() {
        return skip::skip(missing);
    }
    let (mut wrong, mut compared, mut resources) = (Vec::new(), 0, 0);
    for case in cases() {
        let Ok(theirs) = compiled(&case, Compiler::Reference) else { continue };
        let ours = match compiled(&case, Compiler::Rtc) {
            Ok(m) => m,
            Err(e) => {
                wrong.push(format!("{}: {e}", case.name));
                continue;
            }
        };
        compared += 1;
        let (ours, theirs) = (Reader::new(&ours), Reader::new(&theirs));
        let (a, b) = (ours.resources(), theirs.resources());
        for (name, x) in &a {
            match b.get(name) {
                Some(y) if x == y => resources += 1,
                Some(y) => wrong.push(format!("{}: resource `{name}`\n    ours   {x}\n    theirs {y}", case.name)),
                // One of the optimisers found that it is not used.
                None => {}
            }
        }
        let b = theirs.entries();
        for (name, (x, used)) in ours.entries() {
            // The reference lists the system values of all shaders of a library in each of its entry points.
            match b.get(&name) {
                Some((y, listed)) if x == *y && used.is_subset(listed) => {}
                other => wrong.push(format!("{}: entry point `{name}`\n    ours   {x} {used:?}\n    theirs {other:?}", case.name)),
            }
        }
    }
    assert!(wrong.is_empty(), "{} differences in {compared} modules\n{}", wrong.len(), wrong.join("\n"));
    if Filter::new("RTC_INTERFACE").is_set() && compared == 0 {
        return skip::skip("the reference compiles none of these");
    }
    assert!(resources > 0, "nothing was compared");
    // The reference crashes on some libraries in SPIR-V, not on most.
    assert!(Filter::new("RTC_INTERFACE").is_set() || compared >= 50, "the reference compiled {compared} modules only");
}
