//! The verdict on a program: whether all its builds write the same words.

use rtc_package::Package;

use crate::compile::{self, Build, Builds, Failure, Output, REFERENCE, Tools};
use crate::devices::Devices;
use crate::generate::{Program, THREADS, WORDS};

/// What is wrong with a program.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Mismatch {
    /// Builds of rtc differ.
    Ours,
    /// A validator refuses a build.
    Invalid,
    /// rtc does not compile the program.
    Refused,
    /// rtc panics, or the process ends.
    Crash,
    /// A device does not execute a build.
    Device,
    /// All builds of rtc agree, and the reference compiler's writes something else.
    Reference,
    /// The device does not execute the reference's build.
    ReferenceDevice,
    /// The reference compiler refuses the program, or makes an invalid module.
    ReferenceRefused,
}

impl Mismatch {
    /// All of them.
    pub const ALL: [Mismatch; 8] = [
        Mismatch::Ours,
        Mismatch::Invalid,
        Mismatch::Refused,
        Mismatch::Crash,
        Mismatch::Device,
        Mismatch::Reference,
        Mismatch::ReferenceDevice,
        Mismatch::ReferenceRefused,
    ];

    /// Whether it may be the reference's fault alone.
    pub fn is_the_references(self) -> bool {
        matches!(self, Mismatch::Reference | Mismatch::ReferenceDevice | Mismatch::ReferenceRefused)
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Mismatch::Ours => "differ",
            Mismatch::Invalid => "invalid",
            Mismatch::Refused => "refused",
            Mismatch::Crash => "crash",
            Mismatch::Device => "device",
            Mismatch::Reference => "reference",
            Mismatch::ReferenceDevice => "reference-device",
            Mismatch::ReferenceRefused => "reference-refused",
        }
    }
}

/// The verdict on a program.
#[derive(Clone, Debug, Default)]
pub struct Verdict {
    /// What is wrong, with details.
    pub wrong: Vec<(Mismatch, String)>,
    /// Builds that were executed.
    pub executed: usize,
    /// Whether the reference's build was among them.
    pub with_reference: bool,
}

impl Verdict {
    /// The worst that is wrong.
    pub fn worst(&self) -> Option<Mismatch> {
        self.wrong.iter().map(|w| w.0).min()
    }
}

/// How much of a program is looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Scope {
    /// rtc compiles it.
    pub ours: bool,
    /// To packages as well as to DXIL.
    pub packages: bool,
    /// The builds are executed.
    pub execute: bool,
    /// The reference compiler compiles it.
    pub reference: bool,
    /// Which of its builds.
    pub builds: Builds,
}

impl Scope {
    /// All of it.
    pub const ALL: Scope = Scope { ours: true, packages: true, execute: true, reference: true, builds: Builds::All };
    /// What rtc makes for DXIL.
    pub const DXIL: Scope = Scope { packages: false, reference: false, ..Scope::ALL };
    /// Two builds of them: more programs in the same time.
    pub const FEW: Scope = Scope { builds: Builds::Few, ..Scope::DXIL };
    /// Traces under divergent control flow that all lanes execute.
    pub const CONVERGED: Scope = Scope { reference: false, builds: Builds::Converged, ..Scope::ALL };
    /// Programs of linear algebra, which the reference compiles to no code that could be compared.
    pub const MATRICES: Scope = Scope { reference: false, ..Scope::ALL };
    /// What rtc makes for DXIL, and what the reference makes.
    pub const BOTH_DXIL: Scope = Scope { packages: false, ..Scope::ALL };

    /// What is needed to see something wrong of a kind.
    pub fn of(kind: Mismatch) -> Scope {
        let executes = !matches!(kind, Mismatch::Invalid | Mismatch::Refused | Mismatch::Crash | Mismatch::ReferenceRefused);
        Scope {
            ours: kind != Mismatch::ReferenceRefused,
            packages: true,
            execute: executes,
            reference: kind.is_the_references(),
            builds: Builds::All,
        }
    }
}

/// Compiles, executes and compares a program. `at_reference` is called before the reference compiler, which may crash.
pub fn check(program: &Program, tools: &Tools, devices: &mut Devices, scope: Scope, at_reference: impl FnOnce()) -> Verdict {
    let (builds, failures) = if scope.ours { compile::all(program, tools, scope.packages, scope.builds) } else { Default::default() };
    let mut verdict = Verdict::default();
    verdict.wrong.extend(failures.into_iter().map(what));
    let like = builds.iter().find_map(|b| match &b.output {
        Output::Spirv(p) | Output::Bindings(p) => Some((**p).clone()),
        Output::Dxil(_) => None,
    });
    let mut first: Option<(&'static str, Vec<u32>)> = None;
    if let Some(like) = like.as_ref().filter(|_| scope.execute) {
        for b in &builds {
            execute(b, like, devices, &mut first, &mut verdict);
        }
    }
    if scope.reference {
        at_reference();
        match compile::by_reference(program, tools) {
            Some(Ok(build)) => {
                if let Some(like) = like.as_ref().filter(|_| scope.execute) {
                    execute(&build, like, devices, &mut first, &mut verdict);
                }
            }
            Some(Err(e)) => verdict.wrong.push(what(e)),
            None => {}
        }
    }
    verdict
}

/// What a failure says is wrong.
fn what(f: Failure) -> (Mismatch, String) {
    match f {
        Failure::Refused(e) => (Mismatch::Refused, e),
        Failure::Panicked(e) => (Mismatch::Crash, e),
        Failure::Invalid(e) => (Mismatch::Invalid, e),
        Failure::ReferenceRefused(e) | Failure::ReferenceInvalid(e) => (Mismatch::ReferenceRefused, e),
    }
}

/// Executes a build and compares what it writes with what the first one wrote.
fn execute(b: &Build, like: &Package, devices: &mut Devices, first: &mut Option<(&'static str, Vec<u32>)>, verdict: &mut Verdict) {
    let of_reference = b.name == REFERENCE;
    match devices.execute(&b.output, like) {
        None => {}
        Some(Err(e)) => {
            let kind = if of_reference { Mismatch::ReferenceDevice } else { Mismatch::Device };
            verdict.wrong.push((kind, format!("{}: {e}", b.name)));
        }
        Some(Ok(words)) => {
            verdict.executed += 1;
            verdict.with_reference |= of_reference;
            match first {
                None => *first = Some((b.name, words)),
                Some((name, expected)) => {
                    if let Some(d) = difference(expected, &words) {
                        let kind = if of_reference { Mismatch::Reference } else { Mismatch::Ours };
                        verdict.wrong.push((kind, format!("{name} and {}: {d}", b.name)));
                    }
                }
            }
        }
    }
}

/// Words that a difference names.
const SHOWN: usize = 8;

/// The first differences of two results.
fn difference(a: &[u32], b: &[u32]) -> Option<String> {
    let all: Vec<usize> = (0..(THREADS * WORDS) as usize).filter(|&i| a.get(i) != b.get(i)).collect();
    if all.is_empty() {
        return None;
    }
    let one = |&i: &usize| format!("thread {} word {}: {:#x} and {:#x}", i / WORDS as usize, i % WORDS as usize, a[i], b[i]);
    let some: Vec<String> = all.iter().take(SHOWN).map(one).collect();
    Some(format!("{} words differ; {}", all.len(), some.join("; ")))
}
