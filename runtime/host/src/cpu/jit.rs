//! JIT compilation with LLVM: from lowered shaders to machine code in memory.
//!
//! Each shader is a module, written as bitcode, which LLVM 19 reads (and upgrades its typed pointers), optimises for the host processor and
//! compiles to an object file, on all threads of the device; the objects are linked into this process. They are cached on disk under the hash of
//! the bitcode, the processor and the LLVM version ([`Cache`]), so that a shader is compiled once.
//!
//! This is the only file of the project that calls LLVM. Soundness: code is called only through [`Code`], which owns it; the only
//! symbols that it can reference are those of [`Runtime`] and the math functions of the C library.
#![allow(unsafe_code)]

use super::args;
use super::sanitize::shadow;
use super::thread::{EnterFn, ShaderFn, WatchFn};
use inkwell::OptimizationLevel;
use inkwell::context::Context;
use inkwell::llvm_sys::error::{LLVMDisposeErrorMessage, LLVMErrorRef, LLVMGetErrorMessage};
use inkwell::llvm_sys::orc2::lljit::*;
use inkwell::llvm_sys::orc2::*;
use inkwell::memory_buffer::MemoryBuffer;
use inkwell::module::Module;
use inkwell::passes::PassBuilderOptions;
use inkwell::targets::{CodeModel, FileType, InitializationConfig, RelocMode, Target, TargetMachine};
use rayon::prelude::*;
use rtc_base::replace::{Durability, replace};
use sha2::{Digest, Sha256};
use std::ffi::{CStr, CString};
use std::path::PathBuf;
use std::sync::Once;

/// Why LLVM did not compile or link a module: its message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CompileError {
    message: String,
}

impl std::fmt::Display for CompileError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for CompileError {}

impl From<String> for CompileError {
    fn from(message: String) -> Self {
        CompileError { message }
    }
}

/// The functions that compiled code may call.
#[derive(Clone, Copy)]
pub struct Runtime {
    /// The entry point of operations.
    pub enter: EnterFn,
    /// The entry point of the sanitizer.
    pub watch: WatchFn,
}

/// Linked code.
pub struct Code {
    jit: LLVMOrcLLJITRef,
    shaders: Vec<ShaderFn>,
    /// Whether it came from the disk cache.
    pub cached: bool,
}

// SAFETY: the code is immutable once linked, and LLVM is not called again until it is dropped.
unsafe impl Send for Code {}
// SAFETY: as above: threads only read it.
unsafe impl Sync for Code {}

impl Drop for Code {
    fn drop(&mut self) {
        // An error during teardown cannot be handled.
        // SAFETY: `jit` is owned, and no code of it runs any more: who runs it borrows this.
        unsafe {
            let error = LLVMOrcDisposeLLJIT(self.jit);
            if !error.is_null() {
                LLVMDisposeErrorMessage(LLVMGetErrorMessage(error));
            }
        }
    }
}

impl Code {
    /// The code of shader `n`.
    pub fn shader(&self, n: usize) -> ShaderFn {
        self.shaders[n]
    }
}

/// The cache of compiled objects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cache {
    /// No cache.
    Off,
    /// In a folder.
    Folder(PathBuf),
}

/// The environment variable that names the cache folder; empty: no cache.
pub const CACHE_VARIABLE: &str = "RTC_CPU_CACHE";

impl Cache {
    /// The folder in [`CACHE_VARIABLE`], else the user's cache folder, else none.
    pub fn from_env() -> Cache {
        if let Some(folder) = std::env::var_os(CACHE_VARIABLE) {
            return if folder.is_empty() { Cache::Off } else { Cache::Folder(folder.into()) };
        }
        let set = |name| std::env::var_os(name).filter(|v| !v.is_empty()).map(PathBuf::from);
        let base = set("XDG_CACHE_HOME").or_else(|| Some(set("HOME")?.join(".cache")));
        base.map_or(Cache::Off, |b| Cache::Folder(b.join("rtc").join("cpu")))
    }

    fn file(&self, key: &str) -> Option<PathBuf> {
        match self {
            Cache::Off => None,
            Cache::Folder(folder) => Some(folder.join(format!("{key}.o"))),
        }
    }

    /// The object with this key, if it is cached and its checksum matches.
    fn read(&self, key: &str) -> Option<Vec<u8>> {
        let bytes = std::fs::read(self.file(key)?).ok()?;
        let (hash, object) = bytes.split_at_checked(32)?;
        (Sha256::digest(object).as_slice() == hash).then(|| object.to_vec())
    }

    /// Stores an object; a write failure is ignored.
    fn write(&self, key: &str, object: &[u8]) {
        let Some(file) = self.file(key) else { return };
        let mut bytes = Sha256::digest(object).to_vec();
        bytes.extend_from_slice(object);
        if file.parent().map(std::fs::create_dir_all).transpose().is_ok() {
            let _ = replace(&file, &bytes, Durability::Lazy);
        }
    }
}

fn host() -> (String, String) {
    let cpu = TargetMachine::get_host_cpu_name().to_string();
    (cpu, TargetMachine::get_host_cpu_features().to_string())
}

fn machine() -> Result<TargetMachine, CompileError> {
    static READY: Once = Once::new();
    READY.call_once(|| {
        // A failure surfaces below: then there is no target.
        let _ = Target::initialize_native(&InitializationConfig::default());
    });
    let triple = TargetMachine::get_default_triple();
    let target = Target::from_triple(&triple).map_err(|e| e.to_string())?;
    let (cpu, features) = host();
    let level = OptimizationLevel::Default;
    let machine = target.create_target_machine(&triple, &cpu, &features, level, RelocMode::PIC, CodeModel::Default);
    machine.ok_or_else(|| "LLVM has no code generator for this processor".to_string().into())
}

/// What LLVM does before it selects instructions. DXIL was optimised by its compiler; what is left is what lowering added: accesses to memory, checks of
/// indices, operations of the runtime. LLVM's `O2` takes about twice as long, and the code is as fast by what was measured
/// (`docs/decisions/cpu-object-cache.md`).
const PASSES: &str = "function(sroa,early-cse<memssa>,simplifycfg,instcombine<no-verify-fixpoint>,loop-mssa(licm),gvn,simplifycfg)";

/// One shader to compile.
pub struct Part<'a> {
    /// The symbol that its code has.
    pub symbol: &'a str,
    /// The module with it.
    pub bitcode: Vec<u8>,
}

/// Compiles shaders, on the threads of the pool that calls this, and links them together.
///
/// # Errors
/// LLVM rejects the bitcode or cannot link it.
pub fn compile(parts: &[Part<'_>], cache: &Cache, runtime: Runtime) -> Result<Code, CompileError> {
    let (cpu, features) = host();
    let key = |part: &Part<'_>| {
        let mut hash = Sha256::new();
        for text in [concat!("rtc ", env!("CARGO_PKG_VERSION"), " llvm 19.1"), PASSES, &cpu, &features] {
            hash.update(text.as_bytes());
            hash.update([0]);
        }
        hash.update(&part.bitcode);
        hash.finalize().iter().map(|b| format!("{b:02x}")).collect::<String>()
    };
    let keys: Vec<String> = parts.iter().map(key).collect();
    let symbols: Vec<&str> = parts.iter().map(|p| p.symbol).collect();
    let kept: Vec<Option<Vec<u8>>> = keys.iter().map(|key| cache.read(key)).collect();
    if kept.iter().all(Option::is_some)
        && let Ok(code) = link(&kept.iter().flatten().map(Vec::as_slice).collect::<Vec<_>>(), &symbols, true, runtime)
    {
        return Ok(code);
    }
    // The largest first: it is what the others are waited for with.
    let mut order: Vec<usize> = (0..parts.len()).collect();
    order.sort_by_key(|&n| std::cmp::Reverse(parts[n].bitcode.len()));
    // Where all were there and did not link, none is believed.
    let believed = kept.iter().any(Option::is_none);
    let compiled = order.par_iter().with_max_len(1).map(|&n| -> Result<(usize, Vec<u8>), CompileError> {
        if let Some(object) = kept[n].as_ref().filter(|_| believed) {
            return Ok((n, object.clone()));
        }
        let object = object(&parts[n].bitcode)?;
        cache.write(&keys[n], &object);
        Ok((n, object))
    });
    let mut objects = compiled.collect::<Result<Vec<_>, _>>()?;
    objects.sort_by_key(|o| o.0);
    link(&objects.iter().map(|o| o.1.as_slice()).collect::<Vec<_>>(), &symbols, false, runtime)
}

fn object(bitcode: &[u8]) -> Result<Vec<u8>, CompileError> {
    let context = Context::create();
    let buffer = MemoryBuffer::create_from_memory_range_copy(bitcode, "shaders");
    let module = Module::parse_bitcode_from_buffer(&buffer, &context).map_err(|e| e.to_string())?;
    let machine = machine()?;
    module.set_triple(&machine.get_triple());
    module.verify().map_err(|e| e.to_string())?;
    module.run_passes(PASSES, &machine, PassBuilderOptions::create()).map_err(|e| e.to_string())?;
    let object = machine.write_to_memory_buffer(&module, FileType::Object).map_err(|e| e.to_string())?;
    Ok(object.as_slice().to_vec())
}

fn checked(error: LLVMErrorRef) -> Result<(), CompileError> {
    if error.is_null() {
        return Ok(());
    }
    // SAFETY: the error is not null and used once; its message is a string of C, which the caller disposes of.
    unsafe {
        let text = LLVMGetErrorMessage(error);
        let message = CStr::from_ptr(text).to_string_lossy().into_owned();
        LLVMDisposeErrorMessage(text);
        Err(message.into())
    }
}

/// Links objects into this process; `symbols` name the shaders, in order.
fn link(objects: &[&[u8]], symbols: &[&str], cached: bool, runtime: Runtime) -> Result<Code, CompileError> {
    machine()?;
    // SAFETY: LLVM is initialised (`machine`), every pointer is from the call before or to a local that outlives the call, names end in zero, and an
    // error ends the sequence.
    unsafe {
        let mut jit = std::ptr::null_mut();
        checked(LLVMOrcCreateLLJIT(&mut jit, LLVMOrcCreateLLJITBuilder()))?;
        // Owns `jit` from here on.
        let mut code = Code { jit, shaders: Vec::with_capacity(symbols.len()), cached };
        let library = LLVMOrcLLJITGetMainJITDylib(jit);
        let Runtime { enter, watch } = runtime;
        let flags = LLVMJITSymbolGenericFlags::LLVMJITSymbolGenericFlagsExported as u8
            | LLVMJITSymbolGenericFlags::LLVMJITSymbolGenericFlagsCallable as u8;
        let mut pairs = Vec::new();
        for (name, address) in [(args::ENTER, enter as usize), (shadow::WATCH, watch as usize)] {
            let name = CString::new(name).map_err(|e| e.to_string())?;
            pairs.push(LLVMOrcCSymbolMapPair {
                Name: LLVMOrcLLJITMangleAndIntern(jit, name.as_ptr()),
                Sym: LLVMJITEvaluatedSymbol { Address: address as u64, Flags: LLVMJITSymbolFlags { GenericFlags: flags, TargetFlags: 0 } },
            });
        }
        checked(LLVMOrcJITDylibDefine(library, LLVMOrcAbsoluteSymbols(pairs.as_mut_ptr(), pairs.len())))?;
        let mut process = std::ptr::null_mut();
        let prefix = LLVMOrcLLJITGetGlobalPrefix(jit);
        checked(LLVMOrcCreateDynamicLibrarySearchGeneratorForProcess(&mut process, prefix, None, std::ptr::null_mut()))?;
        LLVMOrcJITDylibAddGenerator(library, process);
        for object in objects {
            let buffer = MemoryBuffer::create_from_memory_range_copy(object, "object");
            let raw = buffer.as_mut_ptr();
            // LLVM owns it from here on.
            std::mem::forget(buffer);
            checked(LLVMOrcLLJITAddObjectFile(jit, library, raw))?;
        }
        for symbol in symbols {
            let name = CString::new(*symbol).map_err(|e| e.to_string())?;
            let mut address = 0;
            checked(LLVMOrcLLJITLookup(jit, &mut address, name.as_ptr()))?;
            if address == 0 {
                return Err(format!("undefined symbol `{symbol}`").into());
            }
            code.shaders.push(std::mem::transmute::<usize, ShaderFn>(address as usize));
        }
        Ok(code)
    }
}
