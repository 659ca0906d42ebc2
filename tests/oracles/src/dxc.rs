//! The reference compiler and validator, in this process.
//!
//! The pinned library compiles HLSL up to shader model 6.7 to DXIL or SPIR-V, validates and disassembles containers. Its
//! validator is reliable for validator versions up to 1.6; its 1.7 is of a pre-release. It is loaded once and
//! never unloaded; one lock serialises all calls.

use std::ffi::c_void;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use libloading::Library;

use crate::artefacts;
use crate::com::{Com, CreateInstance, Guid, HResult, blob_bytes, out, wide};
use crate::{Missing, load_library};

const CLSID_COMPILER: Guid = Guid(0x73e2_2d93, 0xe6ce, 0x47f3, [0xb5, 0xbf, 0xf0, 0x66, 0x4f, 0x39, 0xc1, 0xb0]);
const CLSID_UTILS: Guid = Guid(0x6245_d6af, 0x66e0, 0x48fd, [0x80, 0xb4, 0x4d, 0x27, 0x17, 0x96, 0x74, 0x8c]);
const CLSID_VALIDATOR: Guid = Guid(0x8ca3_e215, 0xf728, 0x4cf3, [0x8c, 0xdd, 0x88, 0xaf, 0x91, 0x75, 0x87, 0xa1]);

const IID_COMPILER3: Guid = Guid(0x228b_4687, 0x5a6a, 0x4730, [0x90, 0x0c, 0x97, 0x02, 0xb2, 0x20, 0x3f, 0x54]);
const IID_UTILS: Guid = Guid(0x4605_c4cb, 0x2019, 0x492a, [0xad, 0xa4, 0x65, 0xf2, 0x0b, 0xb7, 0xd6, 0x7f]);
const IID_VALIDATOR: Guid = Guid(0xa6e8_2bd2, 0x1fd7, 0x4826, [0x98, 0x11, 0x28, 0x57, 0xe7, 0x97, 0xf4, 0x9a]);
const IID_RESULT: Guid = Guid(0x5834_6cda, 0xdde7, 0x4497, [0x94, 0x61, 0x6f, 0x87, 0xaf, 0x5e, 0x06, 0x59]);
const IID_BLOB: Guid = Guid(0x8ba5_fb08, 0x5195, 0x40e2, [0xac, 0x58, 0x0d, 0x98, 0x9c, 0x3a, 0x01, 0x02]);

/// Code page of the sources that are passed.
const UTF8: u32 = 65001;
/// Bytes without an encoding.
const BINARY: u32 = 0;
/// Validation flag: the container may be changed in place, which is how a validator writes the digest.
const IN_PLACE: u32 = 1;

/// Method numbers, counted after those that every object has.
mod method {
    pub const UTILS_CREATE_BLOB: usize = 3;
    pub const UTILS_DEFAULT_INCLUDE_HANDLER: usize = 6;
    pub const COMPILER_COMPILE: usize = 0;
    pub const COMPILER_DISASSEMBLE: usize = 1;
    pub const VALIDATOR_VALIDATE: usize = 0;
    pub const RESULT_STATUS: usize = 0;
    pub const RESULT_RESULT: usize = 1;
    pub const RESULT_ERRORS: usize = 2;
    pub const RESULT_OUTPUT: usize = 4;
}

/// Kinds of output of a finished operation.
mod output {
    pub const OBJECT: u32 = 1;
    pub const ERRORS: u32 = 2;
    pub const DISASSEMBLY: u32 = 5;
    pub const HLSL: u32 = 6;
    pub const TEXT: u32 = 7;
    pub const ROOT_SIGNATURE: u32 = 9;
}

#[repr(C)]
struct Buffer {
    data: *const c_void,
    size: usize,
    encoding: u32,
}

impl Buffer {
    fn new(bytes: &[u8], encoding: u32) -> Buffer {
        Buffer { data: bytes.as_ptr().cast(), size: bytes.len(), encoding }
    }
}

type Ptr = *mut c_void;
type CreateBlobFn = unsafe extern "C" fn(Ptr, *const c_void, u32, u32, *mut Ptr) -> HResult;
type CreateHandlerFn = unsafe extern "C" fn(Ptr, *mut Ptr) -> HResult;
type CompileFn = unsafe extern "C" fn(Ptr, *const Buffer, *const *const u32, u32, Ptr, *const Guid, *mut Ptr) -> HResult;
type DisassembleFn = unsafe extern "C" fn(Ptr, *const Buffer, *const Guid, *mut Ptr) -> HResult;
type ValidateFn = unsafe extern "C" fn(Ptr, Ptr, u32, *mut Ptr) -> HResult;
type StatusFn = unsafe extern "C" fn(Ptr, *mut HResult) -> HResult;
type GetBlobFn = unsafe extern "C" fn(Ptr, *mut Ptr) -> HResult;
type GetOutputFn = unsafe extern "C" fn(Ptr, u32, *const Guid, *mut Ptr, *mut Ptr) -> HResult;

/// The objects that stay alive: created once, used under the lock.
struct Objects {
    utils: Com,
    compiler: Com,
    validator: Com,
    includes: Com,
    /// Declared last: dropped after the objects, and in fact never, as the value lives in a static.
    _library: Library,
}

static OBJECTS: OnceLock<Result<Mutex<Objects>, Missing>> = OnceLock::new();

/// The reference compiler. Cheap to copy; calls from several threads wait for one another.
#[derive(Clone, Copy)]
pub struct Dxc {
    objects: &'static Mutex<Objects>,
}

impl std::fmt::Debug for Dxc {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Dxc")
    }
}

/// What compiling gave.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CompileResult {
    /// Whether the compiler reported success.
    pub ok: bool,
    /// The DXIL container, SPIR-V module or root signature; the text where the arguments ask for one (`-P`, `-ast-dump`).
    /// `None` after an error.
    pub object: Option<Vec<u8>>,
    /// Errors and warnings, as the compiler prints them; empty when there are none.
    pub diagnostics: String,
}

/// A container that the validator has accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Validated {
    /// The container as the validator left it. The pinned validator checks and does not sign: the bytes are those that it
    /// was given, digest included.
    pub container: Vec<u8>,
}

impl Dxc {
    /// Finds and loads the library; every later call gives the same answer.
    ///
    /// # Errors
    /// When the library is not installed, does not load or is not the one expected.
    pub fn load() -> Result<Dxc, Missing> {
        match OBJECTS.get_or_init(|| open().map(Mutex::new)) {
            Ok(objects) => Ok(Dxc { objects }),
            Err(missing) => Err(missing.clone()),
        }
    }

    /// Compiles `source`. `name` is what diagnostics call the file and what includes are relative to; `args` are those of
    /// the command line, as `["-T", "lib_6_3"]`. Includes are read from disk. With `-spirv`, a library that has hit group
    /// or configuration subobjects crashes the process: ask for those through the `rtc-oracle` program.
    pub fn compile(&self, source: &str, name: &str, args: &[&str]) -> CompileResult {
        let objects = self.lock();
        let wide_args: Vec<Vec<u32>> = [name].iter().chain(args).map(|a| wide(a)).collect();
        let pointers: Vec<*const u32> = wide_args.iter().map(|a| a.as_ptr()).collect();
        let buffer = Buffer::new(source.as_bytes(), UTF8);
        // SAFETY: the signature is that of IDxcCompiler3::Compile; all pointers outlive the call, which keeps none.
        let result = unsafe {
            let compile: CompileFn = objects.compiler.method(method::COMPILER_COMPILE);
            let (compiler, includes) = (objects.compiler.raw(), objects.includes.raw());
            let count = u32::try_from(pointers.len()).unwrap_or(u32::MAX);
            out(|to| compile(compiler, &buffer, pointers.as_ptr(), count, includes, &IID_RESULT, to))
        };
        match result {
            Ok(Some(result)) => finished(&result),
            Ok(None) => CompileResult { diagnostics: "the compiler gave no result".to_string(), ..Default::default() },
            Err(code) => CompileResult { diagnostics: call_failed(code), ..Default::default() },
        }
    }

    /// Validates a DXIL container.
    ///
    /// # Errors
    /// The validator's messages when it rejects the container.
    pub fn validate(&self, container: &[u8]) -> Result<Validated, String> {
        let objects = self.lock();
        let size = u32::try_from(container.len()).map_err(|_| "the container is larger than 4 GiB".to_string())?;
        // SAFETY: the signatures are those of IDxcUtils::CreateBlob, which copies the bytes, and IDxcValidator::Validate.
        // A result is an IDxcOperationResult, whose methods come first in IDxcResult too.
        unsafe {
            let create: CreateBlobFn = objects.utils.method(method::UTILS_CREATE_BLOB);
            let data = container.as_ptr().cast();
            let blob = out(|to| create(objects.utils.raw(), data, size, BINARY, to)).map_err(call_failed)?;
            let blob = blob.ok_or("the library gave no blob")?;
            let validate: ValidateFn = objects.validator.method(method::VALIDATOR_VALIDATE);
            let result = out(|to| validate(objects.validator.raw(), blob.raw(), IN_PLACE, to)).map_err(call_failed)?;
            let result = result.ok_or("the validator gave no result")?;
            if status(&result) {
                let changed = result_blob(&result).filter(|b| !b.is_empty());
                Ok(Validated { container: changed.unwrap_or_else(|| blob_bytes(&blob)) })
            } else {
                let text = error_text(&result);
                Err(if text.is_empty() { "rejected without a message".to_string() } else { text })
            }
        }
    }

    /// The listing of a DXIL container or of bare bitcode.
    ///
    /// # Errors
    /// The messages when the input cannot be read.
    pub fn disassemble(&self, object: &[u8]) -> Result<String, String> {
        let objects = self.lock();
        let buffer = Buffer::new(object, BINARY);
        // SAFETY: the signature is that of IDxcCompiler3::Disassemble; the buffer outlives the call.
        let result = unsafe {
            let disassemble: DisassembleFn = objects.compiler.method(method::COMPILER_DISASSEMBLE);
            out(|to| disassemble(objects.compiler.raw(), &buffer, &IID_RESULT, to))
        };
        let result = result.map_err(call_failed)?.ok_or("the compiler gave no result")?;
        // SAFETY: an IDxcResult was requested.
        unsafe {
            match get_output(&result, output::DISASSEMBLY) {
                Some(text) if status(&result) => Ok(text_of(text)),
                _ => Err(error_text(&result)),
            }
        }
    }

    fn lock(&self) -> MutexGuard<'static, Objects> {
        self.objects.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Loads the library and creates the objects.
fn open() -> Result<Objects, Missing> {
    let library = load_library(&artefacts::DXC)?;
    let missing = |why: String| Missing { what: artefacts::DXC.what, why, how: crate::RUN_SETUP };
    // SAFETY: the symbol has this signature in every version of the library; class and interface identifiers match, so the
    // objects have the interfaces that the rest of this file assumes.
    unsafe {
        let create = library.get::<CreateInstance>(b"DxcCreateInstance\0").map_err(|e| missing(e.to_string()))?;
        let instance = |class: &Guid, interface: &Guid| match out(|to| create(class, interface, to)) {
            Ok(Some(object)) => Ok(object),
            Ok(None) => Err(missing("the library created no object".to_string())),
            Err(code) => Err(missing(call_failed(code))),
        };
        let utils = instance(&CLSID_UTILS, &IID_UTILS)?;
        let compiler = instance(&CLSID_COMPILER, &IID_COMPILER3)?;
        let validator = instance(&CLSID_VALIDATOR, &IID_VALIDATOR)?;
        let handler: CreateHandlerFn = utils.method(method::UTILS_DEFAULT_INCLUDE_HANDLER);
        let includes = out(|to| handler(utils.raw(), to)).ok().flatten();
        let includes = includes.ok_or_else(|| missing("the library gave no include handler".to_string()))?;
        Ok(Objects { utils, compiler, validator, includes, _library: library })
    }
}

/// Everything that a finished compilation says.
fn finished(result: &Com) -> CompileResult {
    // SAFETY: the caller requested an IDxcResult.
    unsafe {
        let ok = status(result);
        let kinds = [output::OBJECT, output::HLSL, output::TEXT, output::ROOT_SIGNATURE];
        let object = kinds.into_iter().find_map(|kind| get_output(result, kind)).filter(|o| !o.is_empty());
        let diagnostics = get_output(result, output::ERRORS).map(text_of).unwrap_or_default();
        CompileResult { ok, object: object.filter(|_| ok), diagnostics }
    }
}

/// Whether the operation succeeded.
///
/// # Safety
/// `result` is an IDxcOperationResult.
unsafe fn status(result: &Com) -> bool {
    let mut code: HResult = -1;
    // SAFETY: the signature is that of IDxcOperationResult::GetStatus.
    unsafe {
        let get: StatusFn = result.method(method::RESULT_STATUS);
        get(result.raw(), &mut code) >= 0 && code >= 0
    }
}

/// One output of an operation, when it has that kind.
///
/// # Safety
/// `result` is an IDxcResult.
unsafe fn get_output(result: &Com, kind: u32) -> Option<Vec<u8>> {
    // SAFETY: the signature is that of IDxcResult::GetOutput; the name of the output is not requested.
    unsafe {
        let get: GetOutputFn = result.method(method::RESULT_OUTPUT);
        let blob = out(|to| get(result.raw(), kind, &IID_BLOB, to, std::ptr::null_mut())).ok()??;
        Some(blob_bytes(&blob))
    }
}

/// The main result of an operation.
///
/// # Safety
/// `result` is an IDxcOperationResult.
unsafe fn result_blob(result: &Com) -> Option<Vec<u8>> {
    // SAFETY: the signature is that of IDxcOperationResult::GetResult.
    unsafe {
        let get: GetBlobFn = result.method(method::RESULT_RESULT);
        let blob = out(|to| get(result.raw(), to)).ok()??;
        Some(blob_bytes(&blob))
    }
}

/// The messages of an operation.
///
/// # Safety
/// `result` is an IDxcOperationResult.
unsafe fn error_text(result: &Com) -> String {
    // SAFETY: the signature is that of IDxcOperationResult::GetErrorBuffer, whose blob is one of bytes.
    unsafe {
        let get: GetBlobFn = result.method(method::RESULT_ERRORS);
        let blob = out(|to| get(result.raw(), to)).ok().flatten();
        blob.map(|b| text_of(blob_bytes(&b))).unwrap_or_default()
    }
}

/// Text without the terminator that the library counts in.
fn text_of(bytes: Vec<u8>) -> String {
    String::from_utf8_lossy(&bytes).trim_end_matches('\0').to_string()
}

/// A call that failed as such, in words.
fn call_failed(code: HResult) -> String {
    format!("the call failed with code {code:#010x}")
}
