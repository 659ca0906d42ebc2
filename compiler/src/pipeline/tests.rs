//! How HLSL spells types decides nothing: with every such string of a module replaced, targets make the same objects.

use std::path::{Path, PathBuf};

use rtc_ir::{GlobalKind, Module};
use rtc_test_support::Random;

use super::*;
use crate::NoIncludes;
use crate::arguments::Invocation;
use crate::options::Target;

/// Spellings that would mean something to whoever reads them.
const SPELLINGS: [&str; 12] = [
    "",
    "cbuffer",
    "tbuffer",
    "$Globals",
    "uint",
    "float1",
    "row_major float2x3",
    "column_major uint4x1[2]",
    "AppendStructuredBuffer<float>",
    "ConsumeStructuredBuffer<uint3>",
    "StructuredBuffer<row_major float3x3>",
    "int64_t1[3]",
];

/// Gives each member and each resource of `m` another spelling: which, `seed` decides. Returns how many there are.
fn respell(m: &mut Module, seed: u64) -> usize {
    let fields = m.structs.values_mut().flat_map(|s| &mut s.fields).map(|f| &mut f.hlsl);
    let resources = m.globals.values_mut().filter_map(|g| match &mut g.kind {
        GlobalKind::Resource(decl) => Some(&mut decl.hlsl),
        _ => None,
    });
    let mut random = Random::of_seed(seed);
    let mut count = 0;
    for hlsl in fields.chain(resources) {
        random.of(&SPELLINGS).clone_into(hlsl);
        count += 1;
    }
    count
}

/// The sources of lit tests that compile something, with the arguments of the first such line.
fn sources() -> Vec<(PathBuf, Vec<String>)> {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("../lit-tests/tests");
    let folders = ["lang", "compute", "graphics", "payload"].map(|f| tests.join(f));
    let mut files: Vec<PathBuf> =
        folders.iter().flat_map(|f| std::fs::read_dir(f).expect("it is there")).map(|f| f.expect("it is read").path()).collect();
    files.sort();
    let line = |path: &PathBuf| {
        let text = std::fs::read_to_string(path).ok()?;
        let text = text.lines().find_map(|l| l.strip_prefix("// RUN: %rtc -T"))?;
        let own = text.split([' ', '|']).take_while(|w| *w != "%s" && !w.starts_with("-F") && !w.contains('%'));
        let words = own.filter(|w| !w.is_empty());
        Some((path.clone(), std::iter::once("-T").chain(words).map(str::to_owned).collect()))
    };
    files.iter().filter_map(line).collect()
}

/// The object of a source, with other spellings if there is a seed; and how many spellings there are.
fn object(path: &Path, arguments: &[String], spirv: bool, seed: Option<u64>) -> Option<(Vec<u8>, usize)> {
    let name = path.to_str()?;
    let arguments = arguments.iter().map(String::as_str).chain(spirv.then_some("-spirv")).chain([name]);
    let Ok(Invocation::Compile(request)) = Options::parse_args(arguments, &mut NoIncludes) else { return None };
    let o = request.options;
    // Text of the IR and `-fspv-reflect` list the spellings.
    if !matches!(o.target, Target::Dxil | Target::Spirv) || o.spirv.reflect {
        return None;
    }
    let mut c = Compilation { sources: SourceMap::new(), ..Compilation::default() };
    let mut pragmas = Pragmas::default();
    let mut front = front(name, &std::fs::read(path).ok()?, &mut NoIncludes, &o, &mut c, &mut pragmas, false)?;
    let count = seed.map_or(0, |seed| respell(&mut front.module, seed));
    let product = run(name, front, &o, &pragmas, &mut c)?;
    (!c.failed()).then(|| (product.into_bytes(), count))
}

#[test]
fn spellings_of_types_decide_nothing() {
    let check = || {
        let (mut objects, mut spellings) = (0, 0);
        for (n, (path, arguments)) in sources().iter().enumerate() {
            for spirv in [false, true] {
                let Some((plain, _)) = object(path, arguments, spirv, None) else { continue };
                let (other, count) = object(path, arguments, spirv, Some(n as u64)).expect("it compiles with other spellings, too");
                assert!(plain == other, "{} {}: spellings change the object", path.display(), arguments.join(" "));
                objects += 1;
                spellings += count;
            }
        }
        assert!(objects > 200 && spellings > 1000, "{objects} objects with {spellings} spellings");
    };
    // Tests have small stacks.
    let thread = std::thread::Builder::new().stack_size(64 << 20).spawn(check).expect("it starts");
    thread.join().expect("no object changes");
}
