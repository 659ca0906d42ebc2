//! The SPIR-V validator.
//!
//! The pinned library has one function, which returns accepted or not and writes its reasons to the stdout of the process. To catch
//! them a child process runs it, `rtc-oracle spirv-val`, when that program is in the folder of the running one (cargo
//! puts it there) or `RTC_ORACLE` names it. Otherwise the library runs in this process and the reasons stay on stdout.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, OnceLock, PoisonError};

use libloading::Library;

use crate::artefacts;
use crate::programs::is_executable;
use crate::{Missing, RUN_SETUP, TempFile, load_library};

type ValidateFn = unsafe extern "C" fn(*const u32, i32) -> bool;

struct Loaded {
    validate: ValidateFn,
    _library: Library,
}

static LIBRARY: OnceLock<Result<Mutex<Loaded>, Missing>> = OnceLock::new();

/// The validator. Cheap to copy.
#[derive(Clone, Copy)]
pub struct SpirvVal {
    library: &'static Mutex<Loaded>,
}

impl std::fmt::Debug for SpirvVal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("SpirvVal")
    }
}

impl SpirvVal {
    /// Finds and loads the library; every later call gives the same answer.
    ///
    /// # Errors
    /// When the library is not installed, does not load or is not the one expected.
    pub fn load() -> Result<SpirvVal, Missing> {
        match LIBRARY.get_or_init(|| open().map(Mutex::new)) {
            Ok(library) => Ok(SpirvVal { library }),
            Err(missing) => Err(missing.clone()),
        }
    }

    /// Validates a module given as words.
    ///
    /// # Errors
    /// The validator's messages when it rejects the module.
    pub fn validate(&self, words: &[u32]) -> Result<(), String> {
        let Some(program) = oracle_program() else {
            let here = self.accepts(words);
            return here.then_some(()).ok_or_else(|| "rejected; the reasons are on stdout".to_string());
        };
        let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
        let file = TempFile::new("spv", &bytes)?;
        let out = Command::new(&program)
            .args(["spirv-val".as_ref(), file.path.as_os_str()])
            .stdin(Stdio::null())
            .output()
            .map_err(|e| format!("cannot start {}: {e}", program.display()))?;
        crate::verdict(out)
    }

    /// Validates a module given as the little-endian bytes of a file.
    ///
    /// # Errors
    /// As [`SpirvVal::validate`]; also when the size is not a multiple of four.
    pub fn validate_bytes(&self, bytes: &[u8]) -> Result<(), String> {
        self.validate(&words_of(bytes)?)
    }

    /// The verdict alone, by this process. The reasons for a rejection go to stdout.
    pub fn accepts(&self, words: &[u32]) -> bool {
        let Ok(count) = i32::try_from(words.len()) else {
            return false;
        };
        let loaded = self.library.lock().unwrap_or_else(PoisonError::into_inner);
        // SAFETY: the function reads `count` words from the pointer and keeps nothing.
        unsafe { (loaded.validate)(words.as_ptr(), count) }
    }
}

/// The words of a little-endian SPIR-V file.
///
/// # Errors
/// When the size is not a multiple of four.
pub fn words_of(bytes: &[u8]) -> Result<Vec<u32>, String> {
    if !bytes.len().is_multiple_of(4) {
        return Err(format!("{} bytes are not a whole number of words", bytes.len()));
    }
    Ok(bytes.chunks_exact(4).map(|w| u32::from_le_bytes([w[0], w[1], w[2], w[3]])).collect())
}

fn open() -> Result<Loaded, Missing> {
    let library = load_library(&artefacts::SPIRV_VAL)?;
    // SAFETY: the pinned library exports the function with this signature.
    let symbol = unsafe { library.get::<ValidateFn>(b"glslang_validateSPIRV\0") }.map(|s| *s);
    let validate = symbol.map_err(|e| Missing { what: artefacts::SPIRV_VAL.what, why: e.to_string(), how: RUN_SETUP })?;
    Ok(Loaded { validate, _library: library })
}

/// The `rtc-oracle` program: named by `RTC_ORACLE`, or in the folder of the running program or the one above.
fn oracle_program() -> Option<PathBuf> {
    if let Some(named) = std::env::var_os("RTC_ORACLE").filter(|n| !n.is_empty()) {
        return Some(PathBuf::from(named));
    }
    let exe = std::env::current_exe().ok()?;
    let name = format!("rtc-oracle{}", std::env::consts::EXE_SUFFIX);
    exe.ancestors().skip(1).take(2).map(|dir: &Path| dir.join(&name)).find(|p| is_executable(p))
}
