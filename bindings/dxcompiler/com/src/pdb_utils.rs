//! What a PDB, or a container with debug information, says of its compilation: sources, arguments, hash, versions.
#![allow(unsafe_code)] // Blobs and places of clients.

use std::ffi::c_char;
use std::sync::{Mutex, PoisonError};

use rtc::arguments::Invocation;
use rtc::{NoIncludes, Options};
use rtc_dxil_container::pdb::{Pdb, is_pdb};
use rtc_dxil_container::program::Program;
use rtc_dxil_container::source_info::SourceInfo;
use rtc_dxil_container::vers::CompilerVersion;
use rtc_dxil_container::{Container, FourCc, ShaderKind, debug_name};
use rtc_dxil_module::{Module, bitcode};

use crate::base::guard::Raw;
use crate::base::hresult::*;
use crate::base::interface::Interface;
use crate::base::object::{Class, FaceInfo};
use crate::base::reference::Ref;
use crate::blob::{Blob, bytes_of};
use crate::include::normal_path;
use crate::interfaces::*;
use crate::memory::bstr_for_client;
use crate::out::{give, put};
use crate::version;
use crate::wide::WChar;

/// What was read.
#[derive(Clone, Default)]
struct Contents {
    /// Names and texts; the first is the main file.
    sources: Vec<(String, String)>,
    main_file: Option<String>,
    /// Names and values of options; a file has no name.
    pairs: Vec<(String, String)>,
    entry: Option<String>,
    profile: Option<String>,
    name: Option<String>,
    hash: Option<Vec<u8>>,
    version: Option<CompilerVersion>,
    /// It has the module with debug information.
    has_module: bool,
}

impl Contents {
    fn add_source(&mut self, name: &str, text: &str) {
        let name = normal_path(name);
        self.main_file.get_or_insert_with(|| name.clone());
        self.sources.push((name, text.to_owned()));
    }

    fn add_pair(&mut self, name: &str, value: &str) {
        match name {
            "D" if value.is_empty() => return,
            "E" => self.entry = Some(value.to_owned()),
            "T" => self.profile = Some(value.to_owned()),
            _ => {}
        }
        // Older files have a name for what has none.
        let name = if name == "<input>" { "" } else { name };
        self.pairs.push((name.to_owned(), value.to_owned()));
    }

    /// The options as words of a command line, with or without those that have functions of their own.
    fn words(&self, all: bool) -> Vec<String> {
        let kept = self.pairs.iter().filter(|(name, _)| all || !["D", "E", "T"].contains(&name.as_str()));
        let words = kept.flat_map(|(name, value)| [if name.is_empty() { String::new() } else { format!("-{name}") }, value.clone()]);
        words.filter(|w| !w.is_empty()).collect()
    }

    fn defines(&self) -> Vec<String> {
        self.pairs.iter().filter(|(name, _)| name == "D").map(|(_, value)| value.clone()).collect()
    }

    /// Reads any file that has debug information.
    fn read(bytes: &[u8]) -> Result<Contents, HResult> {
        let mut out = Contents::default();
        let program;
        if is_pdb(bytes) {
            let pdb = Pdb::read(bytes).map_err(|_| E_FAIL)?;
            program = out.container(&pdb.parts().map_err(|_| E_FAIL)?)?;
            if out.sources.is_empty() && program.is_none() {
                return Err(E_FAIL);
            }
        } else if bytes.starts_with(&FourCc::DXBC.0) {
            program = out.container(&Container::parse(bytes).map_err(|_| E_INVALIDARG)?)?;
        } else if bytes.starts_with(b"BC") || Program::read("ILDB", bytes).is_ok() {
            program = Some(bytes.to_vec());
        } else {
            return Err(E_INVALIDARG);
        }
        out.has_module = program.is_some();
        if let Some(program) = program.filter(|_| out.sources.is_empty()) {
            out.module(&program)?;
        }
        let is_library = out.profile.as_ref().is_some_and(|p| p.starts_with("lib"));
        if !out.pairs.is_empty() && !is_library && out.entry.as_ref().is_none_or(String::is_empty) {
            out.entry = Some("main".into());
        }
        Ok(out)
    }

    /// Reads the parts of a container; gives the one with the module that has debug information.
    fn container(&mut self, container: &Container) -> Result<Option<Vec<u8>>, HResult> {
        let mut program = None;
        for part in &container.parts {
            let data = &part.data;
            let info = match part.name {
                FourCc::VERS => {
                    self.version = CompilerVersion::read(data).ok();
                    continue;
                }
                FourCc::HASH => {
                    self.hash = Some(data.clone());
                    continue;
                }
                FourCc::ILDN => {
                    self.name = debug_name::read(data).ok().map(str::to_owned);
                    continue;
                }
                FourCc::ILDB => {
                    program = Some(data.clone());
                    continue;
                }
                FourCc::SRCI => SourceInfo::read(data),
                FourCc::PDBI => SourceInfo::read_pdbi(data),
                _ => continue,
            };
            let info = info.map_err(|_| E_FAIL)?;
            info.args.iter().for_each(|(name, value)| self.add_pair(name, value));
            info.sources.iter().for_each(|s| self.add_source(&s.name, &s.text));
        }
        Ok(program)
    }

    /// Reads what a module with debug information says itself.
    fn module(&mut self, program: &[u8]) -> Result<(), HResult> {
        let parsed = Program::read("ILDB", program);
        let module = bitcode::read(parsed.as_ref().map_or(program, |p| p.bitcode)).map_err(|_| E_FAIL)?;
        let info = rtc_dxil_container::metadata::Info::read(&module);
        let shader = info.entries.first().filter(|_| info.kind != ShaderKind::Library);
        self.entry = Some(shader.map(|e| e.name.clone()).unwrap_or_default());
        let prefix = rtc_tables::stages::STAGES.iter().find(|s| ShaderKind::from_u32(s.stage as u32) == Some(info.kind)).map(|s| s.profile);
        let prefix = prefix.filter(|p| !p.is_empty()).unwrap_or("lib");
        self.profile = Some(format!("{prefix}_{}_{}", info.model.major, info.model.minor));
        for names in ["dx.source.contents", "llvm.dbg.contents"] {
            for node in module.meta.named(names) {
                if let [name, text, ..] = strings(&module, *node).as_slice() {
                    self.add_source(name, text);
                }
            }
        }
        for names in ["dx.source.mainFileName", "llvm.dbg.mainFileName"] {
            if let Some(name) = module.meta.named(names).first().and_then(|n| strings(&module, *n).into_iter().next()) {
                self.main_file = Some(normal_path(&name));
            }
        }
        for names in ["dx.source.args", "llvm.dbg.args"] {
            let arguments = module.meta.named(names).first().map(|n| strings(&module, *n)).unwrap_or_default();
            if let Ok(Invocation::Compile(request)) = Options::parse_args_of("", &arguments, &mut NoIncludes) {
                request.options.arguments.iter().for_each(|a| self.add_pair(&a.name, &a.value));
            }
        }
        Ok(())
    }
}

/// The strings of a metadata node.
fn strings(m: &Module, node: rtc_dxil_module::Meta) -> Vec<String> {
    let bytes = m.meta.elems(node).iter().filter_map(|e| m.meta.bytes((*e)?));
    bytes.map(|b| String::from_utf8_lossy(b).into_owned()).collect()
}

/// What a PDB says. `IDxcPdbUtils` is the older form, with strings that clients free.
#[derive(Default)]
pub struct PdbUtils {
    contents: Mutex<Contents>,
}

impl Class for PdbUtils {
    const FACES: &'static [FaceInfo] = &[
        FaceInfo::new(&IDxcPdbUtils2::of::<PdbUtils>(), &[IDxcPdbUtils2::IID]),
        FaceInfo::new(&IDxcPdbUtils::of::<PdbUtils>(), &[IDxcPdbUtils::IID]),
    ];
}

impl PdbUtils {
    fn with<R>(&self, with: impl FnOnce(&Contents) -> R) -> R {
        with(&self.contents.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Loads a file; what was loaded before is forgotten even if it cannot be read.
    ///
    /// # Safety
    /// The pointer is null or a blob.
    unsafe fn load(&self, pdb: Raw) -> HResult {
        // SAFETY: null or the client's blob.
        let Some(pdb) = (unsafe { Ref::<IDxcBlob>::borrow(pdb) }) else { return E_POINTER };
        let (contents, code) = match Contents::read(bytes_of(&pdb)) {
            Ok(contents) => (contents, S_OK),
            Err(code) => (Contents::default(), code),
        };
        *self.contents.lock().unwrap_or_else(PoisonError::into_inner) = contents;
        code
    }
}

/// Gives a text as a blob; null if there is none.
///
/// # Safety
/// The place is null or valid.
unsafe fn give_text(out: Out, text: Option<String>) -> HResult {
    match text {
        // SAFETY: the client's place.
        Some(text) => unsafe { give(out, Blob::wide(&text)) },
        // SAFETY: the client's place.
        None => unsafe { put(out, std::ptr::null_mut()) },
    }
}

/// Gives a text as a string that the client frees; null if there is none.
///
/// # Safety
/// The place is null or valid.
unsafe fn give_string(out: *mut *mut WChar, text: Option<String>) -> HResult {
    if out.is_null() {
        return E_POINTER;
    }
    // SAFETY: the place is not null.
    unsafe { put(out, text.map_or(std::ptr::null_mut(), |t| bstr_for_client(&t))) }
}

/// A text of a list, or the error that the index is too large.
fn item(list: Vec<String>, index: u32) -> Result<Option<String>, HResult> {
    list.into_iter().nth(index as usize).map(Some).ok_or(E_INVALIDARG)
}

/// A text that may be empty, which is none.
fn some(text: String) -> Option<String> {
    Some(text).filter(|t| !t.is_empty())
}

impl IDxcPdbUtils2Methods for PdbUtils {
    unsafe fn load_pdb(&self, pdb: Raw) -> HResult {
        // SAFETY: the same contract.
        unsafe { self.load(pdb) }
    }

    unsafe fn get_source_count(&self, count: *mut u32) -> HResult {
        // SAFETY: the client's place.
        unsafe { put(count, self.with(|c| c.sources.len() as u32)) }
    }

    unsafe fn get_flag_count(&self, count: *mut u32) -> HResult {
        // SAFETY: the client's place.
        unsafe { put(count, self.with(|c| c.words(false).len() as u32)) }
    }

    unsafe fn get_arg_count(&self, count: *mut u32) -> HResult {
        // SAFETY: the client's place.
        unsafe { put(count, self.with(|c| c.words(true).len() as u32)) }
    }

    unsafe fn get_arg_pair_count(&self, count: *mut u32) -> HResult {
        // SAFETY: the client's place.
        unsafe { put(count, self.with(|c| c.pairs.len() as u32)) }
    }

    unsafe fn get_define_count(&self, count: *mut u32) -> HResult {
        // SAFETY: the client's place.
        unsafe { put(count, self.with(|c| c.defines().len() as u32)) }
    }

    unsafe fn get_source_name(&self, index: u32, out: Out) -> HResult {
        match self.with(|c| item(c.sources.iter().map(|s| s.0.clone()).collect(), index)) {
            // SAFETY: the client's place.
            Ok(text) => unsafe { give_text(out, text) },
            Err(code) => code,
        }
    }

    unsafe fn get_flag(&self, index: u32, out: Out) -> HResult {
        match self.with(|c| item(c.words(false), index)) {
            // SAFETY: the client's place.
            Ok(text) => unsafe { give_text(out, text) },
            Err(code) => code,
        }
    }

    unsafe fn get_arg(&self, index: u32, out: Out) -> HResult {
        match self.with(|c| item(c.words(true), index)) {
            // SAFETY: the client's place.
            Ok(text) => unsafe { give_text(out, text) },
            Err(code) => code,
        }
    }

    unsafe fn get_define(&self, index: u32, out: Out) -> HResult {
        match self.with(|c| item(c.defines(), index)) {
            // SAFETY: the client's place.
            Ok(text) => unsafe { give_text(out, text) },
            Err(code) => code,
        }
    }

    unsafe fn get_target_profile(&self, out: Out) -> HResult {
        // SAFETY: the client's place.
        unsafe { give_text(out, self.with(|c| c.profile.clone())) }
    }

    unsafe fn get_entry_point(&self, out: Out) -> HResult {
        // SAFETY: the client's place.
        unsafe { give_text(out, self.with(|c| c.entry.clone())) }
    }

    unsafe fn get_main_file_name(&self, out: Out) -> HResult {
        // SAFETY: the client's place.
        unsafe { give_text(out, self.with(|c| c.main_file.clone())) }
    }

    unsafe fn get_name(&self, out: Out) -> HResult {
        // SAFETY: the client's place.
        unsafe { give_text(out, self.with(|c| c.name.clone())) }
    }

    unsafe fn get_source(&self, index: u32, out: Out) -> HResult {
        match self.with(|c| c.sources.get(index as usize).map(|s| s.1.clone())) {
            // SAFETY: the client's place.
            Some(text) => unsafe { give(out, Blob::utf8(&text)) },
            None => E_INVALIDARG,
        }
    }

    unsafe fn get_arg_pair(&self, index: u32, name: Out, value: Out) -> HResult {
        if name.is_null() || value.is_null() {
            return E_POINTER;
        }
        let Some((first, second)) = self.with(|c| c.pairs.get(index as usize).cloned()) else { return E_INVALIDARG };
        // SAFETY: the places are not null.
        unsafe {
            give_text(name, some(first));
            give_text(value, some(second))
        }
    }

    // Libraries are linked from containers, not from PDBs of their own.
    unsafe fn get_library_pdb_count(&self, count: *mut u32) -> HResult {
        // SAFETY: the client's place.
        unsafe { put(count, 0) }
    }

    unsafe fn get_library_pdb(&self, _: u32, pdb: Out, _: Out) -> HResult {
        if pdb.is_null() { E_POINTER } else { E_INVALIDARG }
    }

    unsafe fn get_hash(&self, out: Out) -> HResult {
        let hash = self.with(|c| c.hash.clone()).ok_or(E_FAIL);
        // SAFETY: the client's place.
        unsafe { give(out, hash.and_then(|h| Blob::binary(&h))) }
    }

    unsafe fn get_version_info(&self, out: Out) -> HResult {
        let version = self.with(|c| c.version.clone()).ok_or(E_FAIL);
        // SAFETY: the client's place.
        unsafe { give(out, version.map(|v| Ref::<IDxcVersionInfo>::new(PdbVersion(v)))) }
    }

    unsafe fn get_custom_toolchain_id(&self, id: *mut u32) -> HResult {
        // SAFETY: the client's place.
        unsafe { put(id, 0) }
    }

    unsafe fn get_custom_toolchain_data(&self, out: Out) -> HResult {
        // SAFETY: the client's place.
        unsafe { put(out, std::ptr::null_mut()) }
    }

    unsafe fn get_whole_dxil(&self, out: Out) -> HResult {
        // SAFETY: the client's place.
        unsafe { put(out, std::ptr::null_mut()) }
    }

    unsafe fn is_full_pdb(&self) -> Bool {
        self.with(|c| c.has_module).into()
    }

    unsafe fn is_pdb_ref(&self) -> Bool {
        self.with(|c| c.sources.is_empty()).into()
    }
}

// The older form: the same, with other strings.
impl IDxcPdbUtilsMethods for PdbUtils {
    unsafe fn pdb_load(&self, pdb: Raw) -> HResult {
        // SAFETY: the same contract.
        unsafe { self.load(pdb) }
    }

    unsafe fn pdb_source_count(&self, count: *mut u32) -> HResult {
        // SAFETY: the same contract.
        unsafe { self.get_source_count(count) }
    }

    unsafe fn pdb_flag_count(&self, count: *mut u32) -> HResult {
        // SAFETY: the same contract.
        unsafe { self.get_flag_count(count) }
    }

    unsafe fn pdb_arg_count(&self, count: *mut u32) -> HResult {
        // SAFETY: the same contract.
        unsafe { self.get_arg_count(count) }
    }

    unsafe fn pdb_arg_pair_count(&self, count: *mut u32) -> HResult {
        // SAFETY: the same contract.
        unsafe { self.get_arg_pair_count(count) }
    }

    unsafe fn pdb_define_count(&self, count: *mut u32) -> HResult {
        // SAFETY: the same contract.
        unsafe { self.get_define_count(count) }
    }

    unsafe fn pdb_source_name(&self, index: u32, out: *mut *mut WChar) -> HResult {
        match self.with(|c| item(c.sources.iter().map(|s| s.0.clone()).collect(), index)) {
            // SAFETY: the client's place.
            Ok(text) => unsafe { give_string(out, text) },
            Err(code) => code,
        }
    }

    unsafe fn pdb_flag(&self, index: u32, out: *mut *mut WChar) -> HResult {
        match self.with(|c| item(c.words(false), index)) {
            // SAFETY: the client's place.
            Ok(text) => unsafe { give_string(out, text) },
            Err(code) => code,
        }
    }

    unsafe fn pdb_arg(&self, index: u32, out: *mut *mut WChar) -> HResult {
        match self.with(|c| item(c.words(true), index)) {
            // SAFETY: the client's place.
            Ok(text) => unsafe { give_string(out, text) },
            Err(code) => code,
        }
    }

    unsafe fn pdb_define(&self, index: u32, out: *mut *mut WChar) -> HResult {
        match self.with(|c| item(c.defines(), index)) {
            // SAFETY: the client's place.
            Ok(text) => unsafe { give_string(out, text) },
            Err(code) => code,
        }
    }

    unsafe fn pdb_target_profile(&self, out: *mut *mut WChar) -> HResult {
        // SAFETY: the client's place.
        unsafe { give_string(out, self.with(|c| c.profile.clone())) }
    }

    unsafe fn pdb_entry_point(&self, out: *mut *mut WChar) -> HResult {
        // SAFETY: the client's place.
        unsafe { give_string(out, self.with(|c| c.entry.clone())) }
    }

    unsafe fn pdb_main_file_name(&self, out: *mut *mut WChar) -> HResult {
        // SAFETY: the client's place.
        unsafe { give_string(out, self.with(|c| c.main_file.clone())) }
    }

    unsafe fn pdb_name(&self, out: *mut *mut WChar) -> HResult {
        // SAFETY: the client's place.
        unsafe { give_string(out, self.with(|c| c.name.clone())) }
    }

    unsafe fn pdb_source(&self, index: u32, out: Out) -> HResult {
        // SAFETY: the same contract.
        unsafe { self.get_source(index, out) }
    }

    unsafe fn pdb_arg_pair(&self, index: u32, name: *mut *mut WChar, value: *mut *mut WChar) -> HResult {
        let Some((first, second)) = self.with(|c| c.pairs.get(index as usize).cloned()) else { return E_INVALIDARG };
        // SAFETY: the client's places.
        match unsafe { give_string(name, some(first)) } {
            // SAFETY: as above.
            S_OK => unsafe { give_string(value, some(second)) },
            code => code,
        }
    }

    unsafe fn pdb_hash(&self, out: Out) -> HResult {
        // SAFETY: the same contract.
        unsafe { self.get_hash(out) }
    }

    unsafe fn pdb_version_info(&self, out: Out) -> HResult {
        // SAFETY: the same contract.
        unsafe { self.get_version_info(out) }
    }

    unsafe fn pdb_is_full(&self) -> Bool {
        // SAFETY: nothing is passed.
        unsafe { self.is_full_pdb() }
    }

    unsafe fn pdb_full(&self, _: Out) -> HResult {
        E_NOTIMPL
    }

    unsafe fn pdb_set_compiler(&self, _: Raw) -> HResult {
        E_NOTIMPL
    }

    unsafe fn pdb_compile(&self, _: Out) -> HResult {
        E_NOTIMPL
    }

    unsafe fn pdb_override_args(&self, _: *const DxcDefine, _: u32) -> HResult {
        E_NOTIMPL
    }

    unsafe fn pdb_override_root_signature(&self, _: Wide) -> HResult {
        E_NOTIMPL
    }
}

/// The version of the compiler that made a file.
struct PdbVersion(CompilerVersion);

impl Class for PdbVersion {
    const FACES: &'static [FaceInfo] = &[
        FaceInfo::new(&IDxcVersionInfo2::of::<PdbVersion>(), &[IDxcVersionInfo::IID, IDxcVersionInfo2::IID]),
        FaceInfo::new(&IDxcVersionInfo3::of::<PdbVersion>(), &[IDxcVersionInfo3::IID]),
    ];
}

impl IDxcVersionInfoMethods for PdbVersion {
    unsafe fn get_version(&self, major: *mut u32, minor: *mut u32) -> HResult {
        if major.is_null() || minor.is_null() {
            return E_POINTER;
        }
        // SAFETY: the places are not null.
        unsafe {
            put(major, self.0.major.into());
            put(minor, self.0.minor.into())
        }
    }

    unsafe fn get_flags(&self, flags: *mut u32) -> HResult {
        // SAFETY: the client's place.
        unsafe { put(flags, self.0.flags) }
    }
}

impl IDxcVersionInfo2Methods for PdbVersion {
    unsafe fn get_commit_info(&self, count: *mut u32, hash: *mut *mut c_char) -> HResult {
        if count.is_null() || hash.is_null() {
            return E_POINTER;
        }
        // SAFETY: the places are not null.
        unsafe {
            put(count, self.0.commits);
            version::text(hash, &self.0.sha)
        }
    }
}

impl IDxcVersionInfo3Methods for PdbVersion {
    unsafe fn get_custom_version_string(&self, text: *mut *mut c_char) -> HResult {
        if text.is_null() {
            return E_POINTER;
        }
        // SAFETY: the place is not null.
        unsafe { version::text(text, &self.0.custom) }
    }
}
