//! The compiler: sources to containers and SPIR-V, preprocessing, listings; all interfaces are one object.
#![allow(unsafe_code)] // Buffers, strings and places of clients.

use std::ffi::c_char;

use rtc::Style;
use rtc::arguments::{Action, ArgumentError, ArgumentErrorKind, CompileRequest, Encoding, Invocation};
use rtc::container::Edits;
use rtc::{Compilation, Failure, NoIncludes, Options, Product, Session, Stopped};

use crate::arguments::{build, defines};
use crate::base::guard::Raw;
use crate::base::guid::Guid;
use crate::base::hresult::*;
use crate::base::interface::Interface;
use crate::base::object::{Class, FaceInfo};
use crate::base::reference::Ref;
use crate::blob::{bytes_of, page_of};
use crate::bridge::{self, Bridge};
use crate::call;
use crate::include::ClientHandler;
use crate::interfaces::*;
use crate::memory::wide_for_client;
use crate::out::{give, give_as, put};
use crate::result::{self, Builder, Kind, failure};
use crate::text::{self, CP_ACP, CP_UTF8};
use crate::utils::bytes_of_buffer;
use crate::version;
use crate::wide::{self, WChar};

/// The compiler. What the objects of a process compile shares the tokens of texts and what begins with the same includes.
pub struct Compiler {
    session: Session,
}

impl Compiler {
    /// A compiler that has not compiled anything.
    pub fn new() -> Self {
        Compiler { session: Session::of_process(NoIncludes) }
    }
}

impl Default for Compiler {
    fn default() -> Self {
        Self::new()
    }
}

impl Class for Compiler {
    const FACES: &'static [FaceInfo] = &[
        FaceInfo::new(&IDxcCompiler3::of::<Compiler>(), &[IDxcCompiler3::IID]),
        FaceInfo::new(&IDxcCompiler2::of::<Compiler>(), &[IDxcCompiler2::IID, IDxcCompiler::IID]),
        FaceInfo::new(&IDxcVersionInfo2::of::<Compiler>(), &[IDxcVersionInfo2::IID, IDxcVersionInfo::IID]),
        FaceInfo::new(&IDxcVersionInfo3::of::<Compiler>(), &[IDxcVersionInfo3::IID]),
    ];
}

impl IDxcVersionInfoMethods for Compiler {
    unsafe fn get_version(&self, major: *mut u32, minor: *mut u32) -> HResult {
        // SAFETY: the client's places.
        unsafe { version::version(major, minor) }
    }

    unsafe fn get_flags(&self, flags: *mut u32) -> HResult {
        // SAFETY: the client's place.
        unsafe { version::flags(flags, 0) }
    }
}

impl IDxcVersionInfo2Methods for Compiler {
    unsafe fn get_commit_info(&self, count: *mut u32, hash: *mut *mut c_char) -> HResult {
        // SAFETY: the client's places.
        unsafe { version::commit(count, hash) }
    }
}

impl IDxcVersionInfo3Methods for Compiler {
    unsafe fn get_custom_version_string(&self, text: *mut *mut c_char) -> HResult {
        // SAFETY: the client's place.
        unsafe { version::text(text, &version::custom()) }
    }
}

/// What becomes of debug information that no argument sends anywhere.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Debug {
    /// It is an output.
    Output,
    /// It is embedded, with a warning.
    Embedded,
}

/// The outcome of a compilation, without objects: it is made on another thread.
struct Outcome {
    status: HResult,
    primary: Option<Kind>,
    errors: String,
    remarks: bool,
    files: Vec<(Kind, Vec<u8>, Option<String>)>,
    texts: Vec<(Kind, String, Option<String>)>,
    errors_name: Option<String>,
}

impl Outcome {
    /// A failure with a text of errors alone.
    fn failed(status: HResult, errors: String) -> Outcome {
        Outcome { status, primary: None, errors, remarks: false, files: Vec::new(), texts: Vec::new(), errors_name: None }
    }

    fn into_result(self, page: u32) -> Result<Ref<IDxcResult>, HResult> {
        let mut result = Builder::new(self.status, self.primary, page);
        for (kind, bytes, name) in &self.files {
            result.bytes(*kind, bytes)?;
            if let Some(name) = name {
                result.name(*kind, name)?;
            }
        }
        for (kind, text, name) in &self.texts {
            result.text(*kind, text)?;
            if let Some(name) = name {
                result.name(*kind, name)?;
            }
        }
        result.text(Kind::Errors, &self.errors)?;
        if let Some(name) = &self.errors_name {
            result.name(Kind::Errors, name)?;
        }
        if self.remarks {
            result.text(Kind::Remarks, "")?;
        }
        Ok(result.build())
    }
}

/// The status of arguments that are not valid.
fn status_of(error: &ArgumentError) -> HResult {
    match error.kind() {
        ArgumentErrorKind::Missing | ArgumentErrorKind::Profile => E_FAIL,
        _ => E_INVALIDARG,
    }
}

/// What a client compiles.
struct Source<'a> {
    session: &'a Session,
    bytes: &'a [u8],
    page: u32,
    arguments: Vec<String>,
    debug: Debug,
}

impl Source<'_> {
    /// Its text. Without a known code page it may have that of the outputs.
    fn text(&self, output_page: u32) -> Result<String, HResult> {
        let page = if self.page == CP_ACP && text::byte_order_mark(self.bytes).is_none() { output_page } else { self.page };
        match page {
            CP_ACP => text::decode(self.bytes, CP_ACP),
            _ if self.bytes.is_empty() => Ok(String::new()),
            page => text::decode(self.bytes, page),
        }
    }

    /// Compiles it as the arguments say: the outcome and the code page of its texts.
    ///
    /// # Errors
    /// The source cannot be decoded.
    fn compile(&self, bridge: &mut Bridge) -> Result<(Outcome, u32), HResult> {
        let (request, encoding) = match Options::parse_args_of("hlsl.hlsl", &self.arguments, bridge) {
            Ok(Invocation::Compile(request)) => {
                let encoding = request.messages.encoding;
                (Ok(*request), encoding)
            }
            Ok(_) => (Err((E_INVALIDARG, "these arguments do not ask for a compilation".to_owned())), Encoding::Utf8),
            Err(e) => (Err((status_of(&e), e.to_string())), e.encoding()),
        };
        let page = result::page_of(encoding);
        // As in the reference, a source that is no text is refused before its arguments are.
        let source = self.text(page)?;
        let outcome = match request {
            Ok(request) => compile(self.session, &source, request, &self.arguments, self.debug, bridge),
            Err((status, text)) => Ok(Outcome::failed(status, format!("error: {text}\n"))),
        };
        let outcome = outcome.unwrap_or_else(|e| {
            let (status, text) = bridge::stopped(&e);
            Outcome::failed(status, text)
        });
        Ok((outcome, page))
    }
}

/// Compiles `source` as `request` says.
fn compile(
    session: &Session,
    source: &str,
    mut request: CompileRequest,
    arguments: &[String],
    debug: Debug,
    bridge: &mut Bridge,
) -> Result<Outcome, Stopped> {
    let mut errors = notes(&request);
    let embedded = has(arguments, "Qembed_debug");
    if request.options.debug.embed && !embedded {
        match debug {
            Debug::Output => request.options.debug.embed = false,
            Debug::Embedded => {
                errors += "warning: no output provided for debug - embedding PDB in shader container.  Use -Qembed_debug to silence this warning.\n"
            }
        }
    }
    let job = session.job().limits(&request.limits);
    match &request.action {
        Action::Compile => {}
        Action::Verify => return Ok(Outcome::failed(E_INVALIDARG, "error: -verify is an option of the program rtc\n".into())),
        Action::Preprocess { file } => {
            let (text, compilation) = job.includes(bridge).preprocess(&request.source, source.as_bytes(), &request.options)?;
            return Ok(of_text(&request, Kind::Hlsl, text, Some(file.clone()), &compilation, errors));
        }
        Action::Dependencies { rule, .. } => {
            let (_, compilation) = job.includes(bridge).preprocess(&request.source, source.as_bytes(), &request.options)?;
            let rule = compilation.make_rule(rule, &request.source, &[]);
            return Ok(of_text(&request, Kind::Text, rule, None, &compilation, errors));
        }
    }
    let compilation = job.includes(bridge).compile(&request.source, source.as_bytes(), &request.options)?;
    Ok(of_compilation(request, compilation, errors))
}

/// Whether an option without value is given.
fn has(arguments: &[String], option: &str) -> bool {
    arguments.iter().any(|a| a.strip_prefix(['-', '/']).is_some_and(|a| a.strip_prefix('-').unwrap_or(a) == option))
}

/// Warnings about arguments. That debug information is embedded is reported elsewhere; libraries are often compiled with an entry point.
fn notes(request: &CompileRequest) -> String {
    let warnings = request.notes.iter().filter(|n| n.severity == rtc::Severity::Warning);
    let shown = warnings.filter(|n| !n.message.starts_with("-E ") && !n.message.contains("-Qembed_debug"));
    shown.map(|n| format!("warning: {}\n", n.message)).collect()
}

fn diagnostics(request: &CompileRequest, compilation: &Compilation) -> String {
    let style = request.messages.style.unwrap_or(Style::Short);
    compilation.diagnostics.iter().map(|d| rtc::render(&compilation.sources, d, style)).collect()
}

/// The outcome whose primary output is text.
fn of_text(
    request: &CompileRequest,
    kind: Kind,
    text: String,
    name: Option<String>,
    compilation: &Compilation,
    mut errors: String,
) -> Outcome {
    errors += &diagnostics(request, compilation);
    let failed = compilation.failed();
    Outcome {
        status: if failed { E_FAIL } else { S_OK },
        primary: Some(kind),
        errors,
        remarks: true,
        files: Vec::new(),
        texts: vec![(kind, if failed { String::new() } else { text }, name)],
        errors_name: request.messages.file.clone(),
    }
}

fn of_compilation(request: CompileRequest, compilation: Compilation, mut errors: String) -> Outcome {
    errors += &diagnostics(&request, &compilation);
    let names = &request.outputs;
    let mut outcome = Outcome {
        status: if compilation.failed() { E_FAIL } else { S_OK },
        primary: Some(Kind::Object),
        errors,
        remarks: true,
        files: Vec::new(),
        texts: Vec::new(),
        errors_name: request.messages.file.clone(),
    };
    if request.show.times {
        outcome.texts.push((Kind::TimeReport, rtc::times::report(&compilation.times), None));
    }
    if let Some(trace) = &request.show.trace {
        outcome.texts.push((Kind::TimeTrace, rtc::times::trace(&compilation.times, trace.least), trace.file.clone()));
    }
    let product = compilation.product.filter(|_| outcome.status == S_OK);
    let is_dxil = matches!(product, Some(Product::Dxil(_)));
    let mut object = product.map(Product::into_bytes).unwrap_or_default();
    if let Some(private) = request.private.filter(|_| is_dxil) {
        match (Edits { private: Some(private), ..Edits::default() }).apply(&object) {
            Ok(edited) => object = edited,
            Err(e) => return Outcome::failed(E_FAIL, format!("error: {e}\n")),
        }
    }
    outcome.files.push((Kind::Object, object, names.object.clone()));
    if let Some(auxiliary) = compilation.outputs.filter(|_| is_dxil) {
        outcome.files.push((Kind::Reflection, auxiliary.reflection, names.reflection.clone()));
        outcome.files.push((Kind::ShaderHash, auxiliary.hash, names.hash.clone()));
        if let Some(signature) = auxiliary.root_signature {
            outcome.files.push((Kind::RootSignature, signature, names.root_signature.clone()));
        }
        if let Some(pdb) = auxiliary.pdb {
            // In a folder the file has its own name.
            let name = names
                .pdb
                .as_ref()
                .map_or(pdb.name.clone(), |n| if n.ends_with(std::path::is_separator) { format!("{n}{}", pdb.name) } else { n.clone() });
            outcome.files.push((Kind::Pdb, pdb.bytes, Some(name)));
        }
    }
    outcome
}

/// Compiles the bytes of a client.
fn run(mut source: Source<'_>, mut handler: ClientHandler) -> Result<Ref<IDxcResult>, HResult> {
    // A name may be given, but empty.
    if source.arguments.first().is_some_and(String::is_empty) {
        source.arguments.remove(0);
    }
    match bridge::run(source.session, &mut handler, |bridge| source.compile(bridge)) {
        Ok(done) => done.and_then(|(outcome, page)| outcome.into_result(page)),
        Err(e) => failure(E_FAIL, &e.text()?),
    }
}

/// Whether a client asks for an interface that results have.
///
/// # Safety
/// `iid` is null or an identifier.
unsafe fn is_result(iid: *const Guid) -> bool {
    // SAFETY: the identifier is not null.
    !iid.is_null() && matches!(unsafe { iid.read_unaligned() }, IDxcResult::IID | IDxcOperationResult::IID)
}

impl IDxcCompiler3Methods for Compiler {
    unsafe fn compile(
        &self,
        source: *const DxcBuffer,
        arguments: *const Wide,
        count: u32,
        handler: Raw,
        iid: *const Guid,
        out: Out,
    ) -> HResult {
        // SAFETY: null or the client's buffer, strings and identifier.
        let (buffer, arguments, known) = unsafe { (source.as_ref(), wide::texts(arguments, count), is_result(iid)) };
        let (Some(buffer), Some(arguments), true, false) = (buffer, arguments, known, out.is_null()) else { return E_INVALIDARG };
        // SAFETY: the buffer has its bytes, the handler is null or one; the place is not null.
        unsafe {
            out.write_unaligned(std::ptr::null_mut());
            let (session, bytes, page) = (&self.session, bytes_of_buffer(buffer), buffer.encoding);
            let source = Source { session, bytes, page, arguments, debug: Debug::Output };
            give_as(iid, out, run(source, ClientHandler::new(handler)))
        }
    }

    unsafe fn disassemble(&self, object: *const DxcBuffer, iid: *const Guid, out: Out) -> HResult {
        // SAFETY: null or the client's buffer and identifier.
        let (object, known) = unsafe { (object.as_ref(), is_result(iid)) };
        let (Some(object), true, false) = (object, known, out.is_null()) else { return E_INVALIDARG };
        // SAFETY: the buffer has its bytes; the place is not null.
        unsafe {
            out.write_unaligned(std::ptr::null_mut());
            give_as(iid, out, disassemble(&self.session, bytes_of_buffer(object)))
        }
    }
}

/// The listing of a container, a module or SPIR-V.
fn disassemble(session: &Session, bytes: &[u8]) -> Result<Ref<IDxcResult>, HResult> {
    let listing = match session.disassemble(bytes) {
        Ok(listing) => listing,
        Err(Failure::Error(_)) => return Err(E_FAIL),
        Err(Failure::Stopped(e)) => {
            let (status, text) = bridge::stopped(&e);
            return failure(status, &text);
        }
    };
    let mut result = Builder::new(S_OK, Some(Kind::Disassembly), CP_UTF8);
    result.text(Kind::Disassembly, &listing)?;
    Ok(result.build())
}

/// The arguments of the older interfaces.
struct Older<'a> {
    session: &'a Session,
    source: Raw,
    name: Wide,
    entry: Wide,
    profile: Wide,
    arguments: *const Wide,
    count: u32,
    defines: *const DxcDefine,
    define_count: u32,
    handler: Raw,
    more: &'static [&'static str],
    debug: Debug,
}

impl Older<'_> {
    /// Compiles. The result is an object even if the source is wrong.
    ///
    /// # Safety
    /// Pointers are null or what the interfaces say.
    unsafe fn run(self) -> Result<Ref<IDxcResult>, HResult> {
        // SAFETY: the caller's contract.
        let (source, arguments, macros, name, entry, profile) = unsafe {
            (
                Ref::<IDxcBlob>::borrow(self.source).ok_or(E_INVALIDARG)?,
                wide::texts(self.arguments, self.count).ok_or(E_INVALIDARG)?,
                defines(self.defines, self.define_count).ok_or(E_INVALIDARG)?,
                wide::text(self.name),
                wide::text(self.entry),
                wide::text(self.profile),
            )
        };
        let mut all = build(name.as_deref(), entry.as_deref(), profile.as_deref(), &arguments, &macros);
        all.extend(self.more.iter().map(|a| (*a).to_owned()));
        // SAFETY: null or the client's handler.
        let handler = unsafe { ClientHandler::new(self.handler) };
        let (session, bytes, page) = (self.session, bytes_of(&source), page_of(&source));
        run(Source { session, bytes, page, arguments: all, debug: self.debug }, handler)
    }

    /// Whether all that must be there is there.
    fn is_complete(&self, needs_profile: bool, out: Out) -> bool {
        let arrays = (self.count == 0 || !self.arguments.is_null()) && (self.define_count == 0 || !self.defines.is_null());
        arrays && !self.source.is_null() && !out.is_null() && (!needs_profile || !self.profile.is_null())
    }
}

impl IDxcCompilerMethods for Compiler {
    unsafe fn compile_blob(
        &self,
        source: Raw,
        name: Wide,
        entry: Wide,
        profile: Wide,
        arguments: *const Wide,
        count: u32,
        defines: *const DxcDefine,
        define_count: u32,
        handler: Raw,
        out: Out,
    ) -> HResult {
        let debug = Debug::Embedded;
        let older = Older {
            session: &self.session,
            source,
            name,
            entry,
            profile,
            arguments,
            count,
            defines,
            define_count,
            handler,
            more: &[],
            debug,
        };
        if !older.is_complete(true, out) {
            return E_INVALIDARG;
        }
        // SAFETY: the client's arguments; the place is not null.
        unsafe {
            out.write_unaligned(std::ptr::null_mut());
            give(out, older.run())
        }
    }

    unsafe fn preprocess_blob(
        &self,
        source: Raw,
        name: Wide,
        arguments: *const Wide,
        count: u32,
        defines: *const DxcDefine,
        define_count: u32,
        handler: Raw,
        out: Out,
    ) -> HResult {
        let (entry, profile, more) = (std::ptr::null(), std::ptr::null(), &["-P", "-Fi", "preprocessed.hlsl"]);
        let debug = Debug::Output;
        let older =
            Older { session: &self.session, source, name, entry, profile, arguments, count, defines, define_count, handler, more, debug };
        if !older.is_complete(false, out) {
            return E_INVALIDARG;
        }
        // SAFETY: the client's arguments; the place is not null.
        unsafe {
            out.write_unaligned(std::ptr::null_mut());
            give(out, older.run())
        }
    }

    unsafe fn disassemble_blob(&self, object: Raw, out: Out) -> HResult {
        // SAFETY: null or the client's blob.
        let object = unsafe { Ref::<IDxcBlob>::borrow(object) };
        let Some(object) = object.filter(|_| !out.is_null()) else { return E_INVALIDARG };
        let listing = disassemble(&self.session, bytes_of(&object)).and_then(|result| {
            let mut status = E_FAIL;
            let mut text = std::ptr::null_mut();
            // SAFETY: our own object; the places are valid. The text is an owned reference, or null.
            unsafe {
                (result.table().get_status)(result.this(), &mut status);
                call!(result, get_output(Kind::Disassembly as u32, &IDxcBlobEncoding::IID, &mut text, std::ptr::null_mut()));
                Ref::<IDxcBlobEncoding>::take(text).ok_or(status)
            }
        });
        // SAFETY: the place is not null.
        unsafe { give(out, listing) }
    }
}

impl IDxcCompiler2Methods for Compiler {
    unsafe fn compile_with_debug(
        &self,
        source: Raw,
        name: Wide,
        entry: Wide,
        profile: Wide,
        arguments: *const Wide,
        count: u32,
        defines: *const DxcDefine,
        define_count: u32,
        handler: Raw,
        out: Out,
        debug_name: *mut *mut WChar,
        debug: Out,
    ) -> HResult {
        let goes = if debug.is_null() { Debug::Embedded } else { Debug::Output };
        let older = Older {
            session: &self.session,
            source,
            name,
            entry,
            profile,
            arguments,
            count,
            defines,
            define_count,
            handler,
            more: &[],
            debug: goes,
        };
        if !older.is_complete(true, out) {
            return E_INVALIDARG;
        }
        // SAFETY: the place of the result is not null, the others are null or valid; the client's arguments.
        unsafe {
            out.write_unaligned(std::ptr::null_mut());
            put(debug_name, std::ptr::null_mut());
            put(debug, std::ptr::null_mut());
            let result = match older.run() {
                Ok(result) => result,
                Err(code) => return code,
            };
            let (mut status, mut pdb, mut text) = (E_FAIL, std::ptr::null_mut(), std::ptr::null_mut());
            (result.table().get_status)(result.this(), &mut status);
            let found = call!(result, get_output(Kind::Pdb as u32, &IDxcBlob::IID, &mut pdb, &mut text));
            let (pdb, text) = (Ref::<IDxcBlob>::take(pdb), Ref::<IDxcBlob>::take(text));
            if let (true, Some(pdb)) = (status >= 0 && found >= 0, pdb) {
                if !debug.is_null() {
                    put(debug, pdb.give());
                }
                if let Some(text) = text.filter(|_| !debug_name.is_null()) {
                    let units: Vec<WChar> = bytes_of(&text)
                        .chunks_exact(size_of::<WChar>())
                        .filter_map(|c| Some(WChar::from_ne_bytes(c.try_into().ok()?)))
                        .collect();
                    put(debug_name, wide_for_client(wide::decode(&units).trim_end_matches('\0')));
                }
            }
            give(out, Ok(result))
        }
    }
}
