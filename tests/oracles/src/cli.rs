//! The `rtc-oracle` program: each oracle as a process of its own.
//!
//! ```text
//! rtc-oracle compile [ARGUMENTS OF DXC] FILE [-Fo OUT]   compiles as the reference compiler does
//! rtc-oracle validate FILE...        the pinned DXIL validator
//! rtc-oracle dis FILE                the reference listing of a container
//! rtc-oracle spirv-val FILE...       the SPIR-V validator
//! rtc-oracle llvm-verify FILE...     LLVM 19 on a container or on bare bitcode
//! rtc-oracle dxv FILE...             a newer DXIL validator
//! rtc-oracle status                  which of them this machine has
//! ```
//!
//! Exit status 0: accepted. 1: rejected, the reasons are printed. 2: invalid arguments or unreadable input. 3: the oracle is
//! missing.

use std::fs;
use std::io::Write as _;
use std::path::Path;

use crate::spirv_val::words_of;
use crate::{Dxc, Dxv, Llvm, Missing, SpirvVal, container};

/// The oracle accepts the input.
pub const ACCEPTED: u8 = 0;
/// The oracle rejects the input.
pub const REJECTED: u8 = 1;
/// Invalid arguments, or a file that cannot be read or written.
pub const USAGE: u8 = 2;
/// This machine does not have the oracle.
pub const MISSING: u8 = 3;

/// Why a command did not end with [`ACCEPTED`].
enum Failure {
    Rejected(String),
    Usage(String),
    Missing(Missing),
}

impl From<Missing> for Failure {
    fn from(missing: Missing) -> Failure {
        Failure::Missing(missing)
    }
}

/// Runs the program with the arguments after its name; returns the exit status.
pub fn run(args: &[String]) -> u8 {
    let (name, rest) = args.split_first().map_or(("", &[][..]), |(name, rest)| (name.as_str(), rest));
    let done = match name {
        "compile" => compile(rest),
        "validate" => each(rest, &Dxc::load, |dxc, bytes, _| dxc.validate(bytes).map(|_| ())),
        "dis" => disassemble(rest),
        "spirv-val" => each(rest, &SpirvVal::load, |val, bytes, _| {
            let words = words_of(bytes)?;
            val.accepts(&words).then_some(()).ok_or_else(|| "rejected".to_string())
        }),
        "llvm-verify" => each(rest, &Llvm::find, |llvm, bytes, _| match container::bitcode(bytes) {
            Some(bitcode) => llvm.verify(bitcode),
            None => llvm.verify(bytes),
        }),
        "dxv" => each(rest, &Dxv::find, |dxv, _, path| dxv.validate_file(path)),
        "status" => {
            for (name, missing) in status() {
                match missing {
                    None => println!("{name}: present"),
                    Some(missing) => println!("{name}: {missing}"),
                }
            }
            Ok(())
        }
        _ => Err(Failure::Usage(
            "usage: rtc-oracle (compile|validate|dis|spirv-val|llvm-verify|dxv) FILE... | rtc-oracle status".to_string(),
        )),
    };
    match done {
        Ok(()) => ACCEPTED,
        Err(Failure::Rejected(text)) => {
            eprintln!("{}", text.trim_end());
            REJECTED
        }
        Err(Failure::Usage(text)) => {
            eprintln!("rtc-oracle: {text}");
            USAGE
        }
        Err(Failure::Missing(missing)) => {
            eprintln!("rtc-oracle: {missing}");
            MISSING
        }
    }
}

/// The name of every oracle, with what is missing.
pub fn status() -> [(&'static str, Option<Missing>); 4] {
    [("dxc", Dxc::load().err()), ("spirv-val", SpirvVal::load().err()), ("llvm", Llvm::find().err()), ("dxv", Dxv::find().err())]
}

/// Runs one oracle on each file; the first rejection ends it.
fn each<O>(
    files: &[String],
    find: &dyn Fn() -> Result<O, Missing>,
    ask: impl Fn(&O, &[u8], &Path) -> Result<(), String>,
) -> Result<(), Failure> {
    if files.is_empty() {
        return Err(Failure::Usage("no file is given".to_string()));
    }
    let oracle = find()?;
    for file in files {
        let bytes = read(file)?;
        ask(&oracle, &bytes, Path::new(file)).map_err(|e| Failure::Rejected(format!("{file}: {e}")))?;
    }
    Ok(())
}

fn read(file: &str) -> Result<Vec<u8>, Failure> {
    fs::read(file).map_err(|e| Failure::Usage(format!("cannot read {file}: {e}")))
}

/// `dis`: the listing on stdout.
fn disassemble(files: &[String]) -> Result<(), Failure> {
    let [file] = files else {
        return Err(Failure::Usage("`dis` takes one file".to_string()));
    };
    let dxc = Dxc::load()?;
    let text = dxc.disassemble(&read(file)?).map_err(Failure::Rejected)?;
    // A reader that stops early (`| head`) is no error.
    let _ = writeln!(std::io::stdout().lock(), "{text}");
    Ok(())
}

/// `compile`: takes the output file out of the arguments, as the library writes no files, and the input file, which is the
/// one argument that is neither a flag nor a flag's value.
fn compile(args: &[String]) -> Result<(), Failure> {
    let mut flags: Vec<&str> = Vec::new();
    let (mut input, mut output) = (None, None);
    let mut rest = args.iter().map(String::as_str);
    while let Some(arg) = rest.next() {
        if let Some(joined) = arg.strip_prefix("-Fo") {
            output = if joined.is_empty() { rest.next() } else { Some(joined) };
        } else if arg.starts_with('-') {
            flags.push(arg);
            let values = TAKES_VALUES.iter().find(|(flag, _)| *flag == arg).map_or(0, |(_, count)| *count);
            flags.extend(rest.by_ref().take(values));
        } else {
            // As in dxc, the last word without a dash counts.
            input = Some(arg);
        }
    }
    let input = input.ok_or_else(|| Failure::Usage("no input file is given".to_string()))?;
    let dxc = Dxc::load()?;
    let source = String::from_utf8_lossy(&read(input)?).into_owned();
    let result = dxc.compile(&source, input, &flags);
    if !result.diagnostics.is_empty() {
        eprint!("{}", result.diagnostics);
    }
    match (result.ok, &result.object, output) {
        (false, ..) => Err(Failure::Rejected("compilation failed".to_string())),
        (true, Some(object), Some(path)) => fs::write(path, object).map_err(|e| Failure::Usage(format!("cannot write {path}: {e}"))),
        _ => Ok(()),
    }
}

/// Flags of the reference compiler whose values are arguments of their own, with how many, as far as tests use them.
#[rustfmt::skip]
const TAKES_VALUES: &[(&str, usize)] = &[
    ("-T", 1), ("-E", 1), ("-D", 1), ("-I", 1), ("-HV", 1), ("-validator-version", 1), ("-auto-binding-space", 1),
    ("-exports", 1), ("-fvk-b-shift", 2), ("-fvk-t-shift", 2), ("-fvk-s-shift", 2), ("-fvk-u-shift", 2), ("-default-linkage", 1),
    ("-rootsig-define", 1), ("-force-rootsig-ver", 1), ("-fvk-bind-register", 4), ("-vkbr", 4), ("-fvk-bind-globals", 2), ("-Fc", 1), ("-Fd", 1),
    ("-Fh", 1), ("-Vn", 1), ("-denorm", 1),
];
