//! Random signatures: rtc and the reference compiler must store the same bytes for them.
//!
//! What is compared are the parts of a container that hosts and drivers match stages by: `ISG1`, `OSG1`, `PSG1`, and `PSV0`, whose tables say
//! which outputs depend on which inputs, and the feature bits `SFI0`. Where the reference refuses a shader (its elements do not fit), rtc must refuse it too.

mod elements;
pub mod generate;

use std::collections::BTreeMap;
use std::ops::Range;
use std::process::Command;

use rtc::{NoIncludes, Options, Product, Profile, Style, Version};
use rtc_dxil_container::{Container, FourCc};
use rtc_oracles::{Dxc, DxcProgram};

use generate::Shader;

/// The parts that are compared.
const PARTS: [FourCc; 5] = [FourCc::ISG1, FourCc::OSG1, FourCc::PSG1, FourCc::PSV0, FourCc::SFI0];

/// The reference compiler.
pub enum Reference {
    /// The pinned library, whose containers are those of validator version 1.6.
    Library(Dxc),
    /// A newer program.
    Program(DxcProgram),
}

impl Reference {
    /// A newer program if the machine has one, else the library.
    ///
    /// # Errors
    /// Neither is here.
    pub fn find() -> Result<Reference, rtc_oracles::Missing> {
        match DxcProgram::find() {
            Ok(program) => Ok(Reference::Program(program)),
            Err(_) => Dxc::load().map(Reference::Library),
        }
    }

    /// The validator version that its containers are for.
    fn validator(&self) -> Version {
        match self {
            Reference::Library(_) => Version::new(1, 6),
            Reference::Program(_) => Version::new(1, 10),
        }
    }

    fn compile(&self, shader: &Shader) -> Result<Vec<u8>, String> {
        let version = self.validator().to_string();
        let mut args = vec!["-T", &shader.profile, "-E", "main", "-validator-version", &version, "-Wno-everything"];
        if shader.native_16bit {
            args.push("-enable-16bit-types");
        }
        let result = match self {
            Reference::Library(dxc) => dxc.compile(&shader.source, "signature.hlsl", &args),
            Reference::Program(dxc) => dxc.compile(&shader.source, &args),
        };
        result.object.filter(|_| result.ok).ok_or(result.diagnostics)
    }
}

fn ours(shader: &Shader, validator: Version) -> Result<Vec<u8>, String> {
    let mut options = Options::new(Profile::parse(&shader.profile).expect("a profile"));
    options.entry = "main".into();
    options.native_16bit = shader.native_16bit;
    options.dxil.validator = validator;
    options.warnings.none = true;
    let out = rtc::compile("signature.hlsl", shader.source.as_bytes(), &mut NoIncludes, &options);
    match out.product {
        Some(Product::Dxil(bytes)) => Ok(bytes),
        _ => Err(out.diagnostics.iter().filter(|d| d.is_error()).map(|d| rtc::render(&out.sources, d, Style::Short)).collect()),
    }
}

/// Whether the pinned library stores a part wrongly: dependencies of several streams.
fn is_wrong_there(part: FourCc, shader: &Shader, reference: &Reference) -> bool {
    part == FourCc::PSV0 && matches!(reference, Reference::Library(_)) && shader.source.contains("inout PointStream<O1>")
}

/// What a comparison gave.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The parts are equal.
    Equal,
    /// Both refuse the shader.
    BothRefuse,
    /// A difference: a word for its kind, and details.
    Differ(String, String),
}

/// Compares what both compilers store for a shader.
pub fn compare(shader: &Shader, reference: &Reference) -> Verdict {
    let (ours, theirs) = (ours(shader, reference.validator()), reference.compile(shader));
    let differ = |kind: &str, text: String| Verdict::Differ(kind.into(), text);
    match (ours, theirs) {
        (Err(_), Err(_)) => Verdict::BothRefuse,
        (Err(e), Ok(_)) => differ("refused", e),
        (Ok(_), Err(e)) => differ("accepted", e),
        (Ok(ours), Ok(theirs)) => match (Container::parse(&ours), Container::parse(&theirs)) {
            (Ok(ours), Ok(theirs)) => {
                let differs = |name: &FourCc| {
                    let data = |c: &Container| c.part(*name).map(|p| p.data.clone());
                    data(&ours) != data(&theirs) && !is_wrong_there(*name, shader, reference)
                };
                let parts: Vec<String> = PARTS.iter().filter(|p| differs(p)).map(ToString::to_string).collect();
                if parts.is_empty() { Verdict::Equal } else { differ(&parts.join("+"), String::new()) }
            }
            (ours, theirs) => differ("malformed", format!("{:?} {:?}", ours.err(), theirs.err())),
        },
    }
}

/// Shaders that a process compares before another one takes over: the reference may crash.
const BATCH: u64 = 256;

/// Compares the shaders of seeds and prints a line for each: the seed, a word, details.
pub fn worker(seeds: Range<u64>, reference: &Reference) {
    for seed in seeds {
        let shader = generate::random(seed);
        let (word, text) = match compare(&shader, reference) {
            Verdict::Equal => (EQUAL.to_string(), String::new()),
            Verdict::BothRefuse => (REFUSED.to_string(), String::new()),
            Verdict::Differ(kind, text) => (kind, text),
        };
        println!("{seed} {word} {} {}", shader.profile, text.lines().next().unwrap_or(""));
    }
}

const EQUAL: &str = "equal";
const REFUSED: &str = "refused-by-both";
const CRASHED: &str = "reference-crashed";

/// Compares the shaders of seeds by processes that this program starts; prints those that differ, and counts. The number of differences.
///
/// # Errors
/// No process can be started.
pub fn run(seeds: Range<u64>) -> Result<u64, String> {
    let mut counts = BTreeMap::<String, u64>::new();
    let mut next = seeds.start;
    while next < seeds.end {
        let count = (seeds.end - next).min(BATCH);
        let program = std::env::current_exe().map_err(|e| format!("this program has no path: {e}"))?;
        let out = Command::new(program).args(["signature-worker", &next.to_string(), &count.to_string()]).output();
        let out = out.map_err(|e| format!("cannot start a worker: {e}"))?;
        let end = next + count;
        for line in String::from_utf8_lossy(&out.stdout).lines() {
            let word = line.split(' ').nth(1).unwrap_or("");
            if ![EQUAL, REFUSED].contains(&word) {
                println!("{line}");
            }
            *counts.entry(word.to_string()).or_default() += 1;
            next += 1;
        }
        if next < end {
            println!("{next} {CRASHED}");
            *counts.entry(CRASHED.to_string()).or_default() += 1;
            next += 1;
        }
    }
    for (kind, n) in &counts {
        println!("{n} {kind}");
    }
    Ok(counts.iter().filter(|(kind, _)| ![EQUAL, REFUSED, CRASHED].contains(&kind.as_str())).map(|(_, n)| n).sum())
}
