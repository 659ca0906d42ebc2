//! The compiler of the built library: sources, arguments, includes, outputs, results of wrong programs and wrong calls, linking.
// Every block calls through the table of an object that the library gave, with arguments that outlive the call.
#![allow(unsafe_code, clippy::undocumented_unsafe_blocks)]

mod client;

use std::ffi::c_void;
use std::sync::{Arc, Mutex};

use client::*;
use rtc_com::base::hresult::*;
use rtc_com::base::interface::Interface;
use rtc_com::base::object::{Class, FaceInfo};
use rtc_com::base::reference::Ref;
use rtc_com::blob::Blob;
use rtc_com::interfaces::*;
use rtc_com::out::give;
use rtc_com::wide::{self as wide_text, WChar};
use rtc_com::{Guid, HResult, call};

/// The kinds of outputs, as in the reference's header.
mod kind {
    pub const OBJECT: u32 = 1;
    pub const ERRORS: u32 = 2;
    pub const PDB: u32 = 3;
    pub const SHADER_HASH: u32 = 4;
    pub const DISASSEMBLY: u32 = 5;
    pub const HLSL: u32 = 6;
    pub const REFLECTION: u32 = 8;
    pub const ROOT_SIGNATURE: u32 = 9;
    pub const REMARKS: u32 = 11;
}

/// An include handler of a client: files by name, with a record of the names that were requested.
struct Files {
    files: Vec<(&'static str, &'static str)>,
    requested: Arc<Mutex<Vec<String>>>,
    fails: HResult,
}

impl Class for Files {
    const FACES: &'static [FaceInfo] = &[FaceInfo::new(&IDxcIncludeHandler::of::<Files>(), &[IDxcIncludeHandler::IID])];
}

impl IDxcIncludeHandlerMethods for Files {
    unsafe fn load_source(&self, name: Wide, out: Out) -> HResult {
        let name = unsafe { wide_text::text(name) }.expect("a name");
        self.requested.lock().unwrap().push(name.clone());
        match self.files.iter().find(|(n, _)| native(n) == name) {
            Some((_, text)) => unsafe { give(out, Blob::binary(text.as_bytes())) },
            None => self.fails,
        }
    }
}

fn handler(files: &[(&'static str, &'static str)], fails: HResult) -> (Ref<IDxcIncludeHandler>, Arc<Mutex<Vec<String>>>) {
    let requested = Arc::<Mutex<Vec<String>>>::default();
    (Ref::new(Files { files: files.to_vec(), requested: requested.clone(), fails }), requested)
}

struct Built {
    result: Ref<IDxcResult>,
    status: HResult,
}

impl Built {
    fn output(&self, kind: u32) -> Option<Vec<u8>> {
        let out = get::<IDxcBlob>(|out| unsafe { call!(self.result, get_output(kind, &IDxcBlob::IID, out, std::ptr::null_mut())) });
        out.ok().map(|b| bytes(&b.expect("not null")))
    }

    fn name(&self, kind: u32) -> Option<String> {
        let (mut object, mut name) = (std::ptr::null_mut(), std::ptr::dangling_mut::<c_void>());
        let done = unsafe { call!(self.result, get_output(kind, &IDxcBlob::IID, &mut object, &mut name)) };
        assert_eq!(done, S_OK);
        drop(unsafe { Ref::<IDxcBlob>::take(object) });
        unsafe { Ref::<IDxcBlob>::take(name) }.map(|name| narrow(&bytes(&name)))
    }

    fn errors(&self) -> String {
        let out = get::<IDxcBlob>(|out| unsafe { (self.result.table().get_error_buffer)(self.result.this(), out) });
        let mut text = bytes(&out.expect("it never fails").expect("a compilation has one"));
        assert_eq!(text.pop().unwrap_or(0), 0, "the NUL is counted");
        String::from_utf8(text).expect("text")
    }

    fn kinds(&self) -> Vec<u32> {
        let count = unsafe { call!(self.result, get_num_outputs()) };
        let kinds: Vec<u32> = (0..count).map(|n| unsafe { call!(self.result, get_output_by_index(n)) }).collect();
        for kind in 0..16 {
            assert_eq!(unsafe { call!(self.result, has_output(kind)) } != 0, kinds.contains(&kind));
        }
        kinds
    }
}

fn made(out: Result<Option<Ref<IDxcResult>>, HResult>) -> Result<Built, HResult> {
    let result = out?.expect("success is not null");
    let mut status = 77;
    assert_eq!(unsafe { (result.table().get_status)(result.this(), &mut status) }, S_OK);
    Ok(Built { result, status })
}

fn compile_with(source: &[u8], page: u32, arguments: &[&str], handler: *mut c_void) -> Result<Built, HResult> {
    let compiler = create::<IDxcCompiler3>(COMPILER);
    let strings: Vec<Vec<WChar>> = arguments.iter().map(|a| wide(a)).collect();
    let pointers: Vec<Wide> = strings.iter().map(|s| s.as_ptr()).collect();
    let buffer = DxcBuffer { data: source.as_ptr().cast(), size: source.len(), encoding: page };
    made(get(|out| unsafe { call!(compiler, compile(&buffer, pointers.as_ptr(), pointers.len() as u32, handler, &IDxcResult::IID, out)) }))
}

fn compile(source: &str, arguments: &[&str]) -> Built {
    compile_with(source.as_bytes(), 65001, arguments, std::ptr::null_mut()).expect("a result")
}

const PIXEL: &str = "float4 main(float4 p : SV_Position) : SV_Target { return p; }";

#[test]
fn a_shader_has_the_outputs_of_the_reference() {
    let made = compile(PIXEL, &["a.hlsl", "-T", "ps_6_0", "-E", "main"]);
    assert_eq!((made.status, made.errors().as_str()), (0, ""));
    assert_eq!(made.kinds(), [kind::OBJECT, kind::ERRORS, kind::SHADER_HASH, kind::REFLECTION, kind::REMARKS]);
    assert_eq!(unsafe { call!(made.result, primary_output()) }, kind::OBJECT);
    assert_eq!(&made.output(kind::OBJECT).expect("an object")[..4], b"DXBC");
    assert_eq!(made.output(kind::SHADER_HASH).expect("a hash").len(), 20);
    assert_eq!(&made.output(kind::REFLECTION).expect("reflection")[..4], b"STAT");
    assert_eq!(made.output(kind::ERRORS).expect("text").len(), 0);
    assert_eq!(made.name(kind::OBJECT), None);
    let object = get::<IDxcBlob>(|out| unsafe { (made.result.table().get_result)(made.result.this(), out) }).expect("a result");
    let object = object.expect("not null");
    assert!(object.query::<IDxcBlobEncoding>().is_none(), "a container has no encoding");
    drop(made);
    assert_eq!(&bytes(&object)[..4], b"DXBC", "blobs outlive results");
}

#[test]
fn outputs_have_the_names_of_the_arguments() {
    let source =
        "#define RS \"CBV(b0)\"\ncbuffer C : register(b0) { float4 c; };\n[RootSignature(RS)] float4 main() : SV_Target { return c; }";
    let names = ["-Fo", "o.dxil", "-Fre", "r.bin", "-Fsh", "h.bin", "-Fe", "e.txt", "-Frs", "rs.bin", "-Fd", "d.pdb", "-Zi"];
    let made = compile(source, &[&["-T", "ps_6_0"], &names[..]].concat());
    assert_eq!((made.status, made.errors().as_str()), (0, ""));
    for (kind, name) in [
        (kind::OBJECT, "o.dxil"),
        (kind::REFLECTION, "r.bin"),
        (kind::SHADER_HASH, "h.bin"),
        (kind::ERRORS, "e.txt"),
        (kind::ROOT_SIGNATURE, "rs.bin"),
        (kind::PDB, "d.pdb"),
    ] {
        assert_eq!(made.name(kind).as_deref(), Some(name));
    }
    assert_eq!(made.name(kind::REMARKS), None);
}

#[test]
fn debug_information_is_an_output_of_the_new_interface_and_embedded_by_the_old_one() {
    let made = compile(PIXEL, &["a.hlsl", "-T", "ps_6_0", "-Zi"]);
    assert_eq!((made.status, made.errors().as_str()), (0, ""));
    let container = made.output(kind::OBJECT).expect("an object");
    let has = |data: &[u8], name: &[u8; 4]| {
        rtc_dxil_container::Container::parse(data).expect("a container").part(rtc_dxil_container::FourCc(*name)).is_some()
    };
    assert!(has(&container, b"ILDN") && !has(&container, b"ILDB"));
    let name = made.name(kind::PDB).expect("a name");
    assert!(name.len() == 36 && name.ends_with(".pdb"), "{name}");
    assert!(made.output(kind::PDB).expect("a PDB").starts_with(b"Microsoft C/C++ MSF"));

    let old = older(PIXEL, &["-Zi"], std::ptr::null_mut()).expect("a result");
    assert!(old.errors().starts_with("warning: no output provided for debug"), "{}", old.errors());
    assert!(has(&old.output(kind::OBJECT).expect("an object"), b"ILDB"));
    let silent = older(PIXEL, &["-Zi", "-Qembed_debug"], std::ptr::null_mut()).expect("a result");
    assert_eq!(silent.errors(), "");

    // With a place for it, it is given apart.
    let compiler = create::<IDxcCompiler2>(COMPILER);
    let (source, profile, zi) = (blob_of(PIXEL.as_bytes(), 65001), wide("ps_6_0"), wide("-Zi"));
    for (arguments, there) in [(&[zi.as_ptr()][..], true), (&[], false)] {
        let (mut name, mut pdb) = (std::ptr::dangling_mut::<WChar>(), std::ptr::dangling_mut::<c_void>());
        let null = std::ptr::null::<WChar>();
        let out = made_by(get(|out| unsafe {
            call!(
                compiler,
                compile_with_debug(
                    source.raw(),
                    null,
                    null,
                    profile.as_ptr(),
                    arguments.as_ptr(),
                    arguments.len() as u32,
                    std::ptr::null(),
                    0,
                    std::ptr::null_mut(),
                    out,
                    &mut name,
                    &mut pdb
                )
            )
        }));
        assert_eq!((out.status, out.errors().as_str()), (0, ""));
        assert_eq!((name.is_null(), pdb.is_null()), (!there, !there));
        drop(unsafe { Ref::<IDxcBlob>::take(pdb) });
        if there {
            unsafe extern "C" {
                fn free(memory: *mut c_void);
            }
            assert!(unsafe { wide_text::text(name) }.expect("a name").ends_with(".pdb"));
            unsafe { free(name.cast()) };
        }
    }
}

fn made_by(out: Result<Option<Ref<IDxcResult>>, HResult>) -> Built {
    made(out).expect("a result")
}

/// Compiles with the oldest interface, without a name and an entry point.
fn older(source: &str, arguments: &[&str], handler: *mut c_void) -> Result<Built, HResult> {
    let compiler = create::<IDxcCompiler>(COMPILER);
    let (source, profile, empty) = (blob_of(source.as_bytes(), 65001), wide("ps_6_0"), wide(""));
    let strings: Vec<Vec<WChar>> = arguments.iter().map(|a| wide(a)).collect();
    let pointers: Vec<Wide> = strings.iter().map(|s| s.as_ptr()).collect();
    made(get(|out| unsafe {
        call!(
            compiler,
            compile_blob(
                source.raw(),
                empty.as_ptr(),
                std::ptr::null(),
                profile.as_ptr(),
                pointers.as_ptr(),
                pointers.len() as u32,
                std::ptr::null(),
                0,
                handler,
                out
            )
        )
    }))
}

#[test]
fn a_source_error_is_a_result() {
    let made = compile("float4 main() : SV_Target { return x; }", &["d/a.hlsl", "-T", "ps_6_0"]);
    assert_eq!(made.status, E_FAIL);
    let errors = made.errors();
    assert!(errors.starts_with("d/a.hlsl:1:36: error: "), "{errors}");
    assert!(errors.contains("return x; }\n") && errors.contains("^\n"), "{errors}");
    assert_eq!(made.kinds(), [kind::OBJECT, kind::ERRORS, kind::REMARKS]);
    let object = get::<IDxcBlob>(|out| unsafe { (made.result.table().get_result)(made.result.this(), out) });
    assert_eq!(bytes(&object.expect("no failure").expect("an empty blob")), b"");
    assert!(compile("x", &["-T", "ps_6_0"]).errors().starts_with("hlsl.hlsl:1:"), "a source has a name");
}

#[test]
fn wrong_arguments_are_a_result_without_an_object() {
    for (arguments, status) in [
        (&["-T", "ps_6_0", "-nonsense"][..], E_INVALIDARG),
        (&["-T", "ps_6_0", "-D"], E_INVALIDARG),
        (&["-T", "ps_6_11"], E_FAIL),
        (&["-T", "ps_6_99"], E_INVALIDARG),
        (&["-T", "ps_6_99", "-spirv"], E_INVALIDARG),
        (&[], E_FAIL),
        (&["-T", "ps_6_0", "-encoding", "klingon"], E_INVALIDARG),
        (&["-T", "ps_6_0", "-encoding", "acp"], E_INVALIDARG),
        (&["-T", "ps_6_0", "-dumpbin"], E_INVALIDARG),
    ] {
        let made = compile(PIXEL, arguments);
        assert_eq!((made.status, made.kinds()), (status, vec![kind::ERRORS]), "{arguments:?}: {}", made.errors());
        assert!(made.errors().starts_with("error: ") && made.errors().ends_with('\n'));
        assert_eq!(unsafe { call!(made.result, primary_output()) }, 0);
        let object = get::<IDxcBlob>(|out| unsafe { (made.result.table().get_result)(made.result.this(), out) });
        assert!(object.expect("no failure").is_none());
    }
}

#[test]
fn wrong_calls_are_result_codes() {
    let compiler = create::<IDxcCompiler3>(COMPILER);
    let buffer = DxcBuffer { data: PIXEL.as_ptr().cast(), size: PIXEL.len(), encoding: 65001 };
    let (null, iid) = (std::ptr::null_mut::<c_void>(), IDxcResult::IID);
    let mut out = 5 as *mut c_void;
    unsafe {
        assert_eq!(call!(compiler, compile(std::ptr::null(), std::ptr::null(), 0, null, &iid, &mut out)), E_INVALIDARG);
        assert_eq!(call!(compiler, compile(&buffer, std::ptr::null(), 3, null, &iid, &mut out)), E_INVALIDARG);
        assert_eq!(call!(compiler, compile(&buffer, std::ptr::null(), 0, null, &IDxcBlob::IID, &mut out)), E_INVALIDARG);
        assert_eq!(call!(compiler, compile(&buffer, std::ptr::null(), 0, null, std::ptr::null(), &mut out)), E_INVALIDARG);
        assert_eq!(call!(compiler, compile(&buffer, std::ptr::null(), 0, null, &iid, std::ptr::null_mut())), E_INVALIDARG);
        assert_eq!(out as usize, 5, "the place is left alone");
        assert_eq!(call!(compiler, disassemble(std::ptr::null(), &iid, &mut out)), E_INVALIDARG);
        assert_eq!(call!(compiler, disassemble(&buffer, &iid, &mut out)), E_FAIL);
        assert!(out.is_null());
        let old: Ref<IDxcCompiler> = compiler.query().expect("the oldest form");
        let source = blob_of(PIXEL.as_bytes(), 65001);
        let (w, n) = (std::ptr::null::<WChar>(), std::ptr::null());
        out = 5 as *mut c_void;
        assert_eq!(call!(old, compile_blob(source.raw(), w, w, w, n, 0, std::ptr::null(), 0, null, &mut out)), E_INVALIDARG);
        assert_eq!(out as usize, 5, "a profile is missing");
        assert_eq!(call!(old, compile_blob(null, w, w, w, n, 0, std::ptr::null(), 0, null, &mut out)), E_INVALIDARG);
        assert_eq!(call!(old, preprocess_blob(null, w, n, 0, std::ptr::null(), 0, null, &mut out)), E_INVALIDARG);
        assert_eq!(call!(old, disassemble_blob(null, &mut out)), E_INVALIDARG);
    }
    // Encodings that are not supported, and bytes that are not in theirs.
    assert_eq!(compile_with(PIXEL.as_bytes(), 1201, &["-T", "ps_6_0"], null).err(), Some(DXC_E_STRING_ENCODING_FAILED));
    let made = compile_with(PIXEL.as_bytes(), 65001, &["-T", "ps_6_0"], null).expect("a result");
    let mut object = std::ptr::dangling_mut::<c_void>();
    unsafe {
        assert_eq!(call!(made.result, get_output(kind::PDB, &IDxcBlob::IID, &mut object, std::ptr::null_mut())), E_INVALIDARG);
        assert_eq!(call!(made.result, get_output(99, &IDxcBlob::IID, &mut object, std::ptr::null_mut())), E_INVALIDARG);
        assert_eq!(object, std::ptr::dangling_mut(), "the place is left alone");
        assert_eq!(call!(made.result, get_output(1, &IDxcBlobUtf8::IID, &mut object, std::ptr::null_mut())), E_NOINTERFACE);
        assert!(object.is_null());
    }
}

#[test]
fn sources_have_any_encoding_and_may_end_in_nul() {
    let units: Vec<u8> = wide(PIXEL).iter().flat_map(|c| c.to_ne_bytes()).collect();
    for (source, page) in [
        (PIXEL.as_bytes().to_vec(), 0),
        ([PIXEL.as_bytes(), b"\0"].concat(), 0),
        ([PIXEL.as_bytes(), b"\0"].concat(), 65001),
        ([b"\xef\xbb\xbf", PIXEL.as_bytes()].concat(), 0),
        (units, wide_text::CP_WIDE),
    ] {
        let made = compile_with(&source, page, &["-T", "ps_6_0"], std::ptr::null_mut()).expect("a result");
        assert_eq!((made.status, made.errors().as_str()), (0, ""), "{page}");
    }
    // Texts in another encoding.
    let made = compile("x", &["-T", "ps_6_0", "-encoding", "Wide"]);
    assert!(narrow(&made.output(kind::ERRORS).expect("text")).starts_with("hlsl.hlsl:1:1: error"));
}

#[test]
fn include_handlers_are_called_as_by_the_reference() {
    let source = "#include \"b.h\"\n#include <sys.h>\nfloat4 main() : SV_Target { return B + S; }";
    // What is absolute begins with a drive on Windows.
    let (folder, file) = if cfg!(windows) { ("C:/abs/x", "C:/abs/x/sys.h") } else { ("/abs/x", "/abs/x/sys.h") };
    let (files, requested) =
        handler(&[("./d/b.h", "#include \"s/c.h\"\n"), ("./d/s/c.h", "#define B 1\n"), (file, "#define S 2\n")], E_FAIL);
    let made =
        compile_with(source.as_bytes(), 65001, &["d/a.hlsl", "-T", "ps_6_0", "-I", "inc", "-I", folder], files.raw()).expect("a result");
    assert_eq!((made.status, made.errors().as_str()), (0, ""));
    assert_eq!(*requested.lock().unwrap(), ["./d/b.h", "./d/s/c.h", "./inc/sys.h", file].map(native));
    assert_eq!(references(&files), 1, "the reference that was taken is given back");

    // Handlers that fail, or succeed with nothing.
    for fails in [E_FAIL, S_OK, E_OUTOFMEMORY, 1] {
        let (files, _) = handler(&[], fails);
        let made = compile_with(source.as_bytes(), 65001, &["-T", "ps_6_0"], files.raw()).expect("a result");
        assert_eq!(made.status, E_FAIL);
        assert!(made.errors().contains("b.h"), "{}", made.errors());
    }
    let made = compile(source, &["-T", "ps_6_0"]);
    assert!(made.status == E_FAIL && made.errors().contains("b.h"), "without a handler there are no files");
}

/// A handler that compiles when it is called.
struct Reentrant;

impl Class for Reentrant {
    const FACES: &'static [FaceInfo] = &[FaceInfo::new(&IDxcIncludeHandler::of::<Reentrant>(), &[IDxcIncludeHandler::IID])];
}

impl IDxcIncludeHandlerMethods for Reentrant {
    unsafe fn load_source(&self, _: Wide, out: Out) -> HResult {
        assert_eq!(compile(PIXEL, &["-T", "ps_6_0"]).status, 0);
        unsafe { give(out, Blob::wide("float f() { return 1; }\n")) }
    }
}

#[test]
fn handlers_may_call_back_in_and_answer_in_any_encoding() {
    let files = Ref::<IDxcIncludeHandler>::new(Reentrant);
    let source = b"#include \"f.h\"\nfloat4 main() : SV_Target { return f(); }";
    let made = compile_with(source, 0, &["-T", "ps_6_0"], files.raw()).expect("a result");
    assert_eq!((made.status, made.errors().as_str()), (0, ""));
}

#[test]
fn threads_compile_at_once_on_small_stacks() {
    std::thread::scope(|scope| {
        for n in 0..4 {
            let small = std::thread::Builder::new().stack_size(512 << 10);
            let thread = small.spawn_scoped(scope, move || {
                // Nested as deeply as a small stack would not bear.
                let source = format!("float4 main() : SV_Target {{ return {}{n}{}; }}", "(".repeat(200), ")".repeat(200));
                assert_eq!(compile(&source, &["-T", "ps_6_0"]).status, 0);
            });
            thread.expect("a thread");
        }
    });
}

#[test]
fn texts_are_preprocessed_and_listed() {
    let made = compile("#define A 1\nint a = A;", &["d/a.hlsl", "-P", "-Fi", "o.i", "-T", "ps_6_0"]);
    assert_eq!((made.status, unsafe { call!(made.result, primary_output()) }), (0, kind::HLSL));
    let text = String::from_utf8(made.output(kind::HLSL).expect("text")).expect("UTF-8");
    assert!(text.starts_with("#line ") && text.contains("int a = 1;"), "{text}");
    assert_eq!(made.name(kind::HLSL).as_deref(), Some("o.i"));

    let compiler = create::<IDxcCompiler>(COMPILER);
    let (source, name) = (blob_of(b"X", 65001), wide("q.hlsl"));
    let (x, y) = (wide("X"), wide("int y;"));
    let define = DxcDefine { name: x.as_ptr(), value: y.as_ptr() };
    let made = made_by(get(|out| unsafe {
        call!(compiler, preprocess_blob(source.raw(), name.as_ptr(), std::ptr::null(), 0, &define, 1, std::ptr::null_mut(), out))
    }));
    assert_eq!(made.status, 0, "{}", made.errors());
    assert!(String::from_utf8(made.output(kind::HLSL).expect("text")).expect("UTF-8").contains("int y;"));
    assert_eq!(made.name(kind::HLSL).as_deref(), Some("preprocessed.hlsl"));

    let object = compile(PIXEL, &["-T", "ps_6_0"]).output(kind::OBJECT).expect("an object");
    let listing = get::<IDxcBlob>(|out| unsafe { call!(compiler, disassemble_blob(blob_of(&object, 0).raw(), out)) });
    let listing = bytes(&listing.expect("a listing").expect("not null"));
    assert!(listing.ends_with(b"\0") && String::from_utf8_lossy(&listing).contains("define void @main()"));
    let new: Ref<IDxcCompiler3> = compiler.query().expect("the new form");
    let buffer = DxcBuffer { data: object.as_ptr().cast(), size: object.len(), encoding: 0 };
    let made = made_by(get(|out| unsafe { call!(new, disassemble(&buffer, &IDxcResult::IID, out)) }));
    assert_eq!((made.status, made.kinds()), (0, vec![kind::DISASSEMBLY]));
    assert_eq!(made.output(kind::DISASSEMBLY).expect("text"), listing);
}

#[test]
fn spirv_has_three_outputs() {
    let made = compile(PIXEL, &["-T", "ps_6_0", "-spirv", "-fspv-target-env=vulkan1.2"]);
    assert_eq!((made.status, made.errors().as_str()), (0, ""));
    assert_eq!(made.kinds(), [kind::OBJECT, kind::ERRORS, kind::REMARKS]);
    assert_eq!(&made.output(kind::OBJECT).expect("a module")[..4], [3, 2, 0x23, 7]);
}

#[test]
fn versions_of_the_compiler_are_found_by_query() {
    let compiler = create::<IDxcCompiler>(COMPILER);
    let info: Ref<IDxcVersionInfo2> = compiler.query().expect("it has a version");
    let (mut count, mut hash) = (9, std::ptr::null_mut());
    assert_eq!(unsafe { call!(info, get_commit_info(&mut count, &mut hash)) }, S_OK);
    let (mut text, info3) = (std::ptr::null_mut(), compiler.query::<IDxcVersionInfo3>().expect("a text"));
    assert_eq!(unsafe { call!(info3, get_custom_version_string(&mut text)) }, S_OK);
    unsafe extern "C" {
        fn free(memory: *mut c_void);
    }
    unsafe {
        assert_eq!(std::ffi::CStr::from_ptr(hash).count_bytes(), 8);
        assert!(std::ffi::CStr::from_ptr(text).to_str().expect("text").starts_with("1.10."));
        free(hash.cast());
        free(text.cast());
        assert_eq!(call!(info3, get_custom_version_string(std::ptr::null_mut())), E_INVALIDARG);
    }
    for unknown in ["282a56b4-3f56-4360-98c7-9ea04a752272", "0cfc5058-342b-4ff2-83f7-04c12aad3d01"] {
        let mut place = std::ptr::null_mut();
        let unknown = Guid::new(unknown);
        assert_eq!(unsafe { (compiler.table().query_interface)(compiler.this(), &unknown, &mut place) }, E_NOINTERFACE);
    }
}

#[test]
fn libraries_are_linked() {
    let linker = create::<IDxcLinker>(LINKER);
    let part = |source: &str| {
        blob_of(&compile(source, &["-T", "lib_6_3", "-default-linkage", "external"]).output(kind::OBJECT).expect("a library"), 0)
    };
    let (a, b) = (
        part("float f(float x) { return 2 * x; }"),
        part("float f(float x);\n[shader(\"pixel\")] float4 main() : SV_Target { return f(3); }"),
    );
    let (name_a, name_b) = (wide("a"), wide("b"));
    unsafe {
        assert_eq!(call!(linker, register_library(name_a.as_ptr(), a.raw())), S_OK);
        assert_eq!(call!(linker, register_library(name_a.as_ptr(), a.raw())), E_INVALIDARG);
        assert_eq!(call!(linker, register_library(name_b.as_ptr(), b.raw())), S_OK);
        assert_eq!(call!(linker, register_library(std::ptr::null(), b.raw())), E_INVALIDARG);
        assert_eq!(call!(linker, register_library(wide("c").as_ptr(), blob_of(b"junk", 0).raw())), DXC_E_CONTAINER_INVALID);
    }
    drop((a, b));
    let link = |entry: &str, libraries: &[&[WChar]]| {
        let names: Vec<Wide> = libraries.iter().map(|n| n.as_ptr()).collect();
        let (entry, profile) = (wide(entry), wide("ps_6_3"));
        made(get(|out| unsafe {
            call!(linker, link(entry.as_ptr(), profile.as_ptr(), names.as_ptr(), names.len() as u32, std::ptr::null(), 0, out))
        }))
    };
    let linked = link("main", &[&name_a, &name_b]).expect("a result");
    assert_eq!((linked.status, linked.errors().as_str()), (0, ""));
    assert_eq!(&linked.output(kind::OBJECT).expect("a shader")[..4], b"DXBC");
    let failed = link("nothing", &[&name_a, &name_b]).expect("a result");
    assert_eq!((failed.status, failed.kinds()), (E_FAIL, vec![kind::ERRORS]));
    assert!(failed.errors().starts_with("error: ") && failed.errors().contains("nothing"), "{}", failed.errors());
    assert_eq!(link("main", &[&name_b, &wide("unknown")]).expect("a result").status, E_FAIL);
    assert_eq!(link("main", &[]).err(), Some(E_INVALIDARG));
}

#[test]
fn listings_are_assembled() {
    let assembler = create::<IDxcAssembler>(ASSEMBLER);
    let assemble = |source: &[u8]| {
        made(get(|out| unsafe { call!(assembler, assemble_to_container(blob_of(source, 0).raw(), out)) })).expect("a result")
    };
    let object = compile(PIXEL, &["-T", "ps_6_0"]).output(kind::OBJECT).expect("an object");
    let compiler = create::<IDxcCompiler>(COMPILER);
    let list = |object: &[u8]| {
        bytes(
            &get::<IDxcBlob>(|out| unsafe { call!(compiler, disassemble_blob(blob_of(object, 0).raw(), out)) })
                .expect("a listing")
                .expect("not null"),
        )
    };
    let listing = list(&object);
    let again = assemble(&listing);
    assert_eq!((again.status, again.kinds()), (0, vec![kind::OBJECT]));
    let errors = get::<IDxcBlob>(|out| unsafe { (again.result.table().get_error_buffer)(again.result.this(), out) });
    assert!(errors.expect("no failure").is_none(), "success has no text of errors");
    let assembled = again.output(kind::OBJECT).expect("a container");
    let code = |data: &[u8]| {
        rtc_dxil_container::Container::parse(data).expect("a container").require(rtc_dxil_container::FourCc::DXIL).expect("code").to_vec()
    };
    // The hash is one of the bitcode, in which the order of constants may differ.
    let module = |listing: &[u8]| String::from_utf8_lossy(listing).split_once("target datalayout").expect("a module").1.to_owned();
    assert_eq!(module(&list(&assembled)), module(&listing));
    // The validator accepts and signs it; the bitcode alone is assembled too.
    let validator = create::<IDxcValidator>(VALIDATOR);
    let valid = made(get(|out| unsafe { call!(validator, validate(blob_of(&assembled, 0).raw(), 0, out)) })).expect("a result");
    assert_eq!((valid.status, valid.errors().as_str()), (0, ""));
    assert_eq!(assemble(&code(&object)[24..]).status, 0);
    for (junk, text) in [(&b"junk"[..], "shader: error: line 1: `junk`"), (b"BC\xc0\xde", "shader: error: "), (b"", "shader: error: ")] {
        let failed = assemble(junk);
        assert_eq!((failed.status, failed.kinds()), (E_FAIL, vec![kind::ERRORS]));
        assert!(failed.errors().starts_with(text), "{}", failed.errors());
    }
    assert_eq!(unsafe { call!(assembler, assemble_to_container(std::ptr::null_mut(), std::ptr::null_mut())) }, E_POINTER);
}

/// A compiler for each call, a handler for each call: what they share is compared with what the handler has.
#[test]
fn compilers_share_what_their_handlers_have_in_common() {
    use rtc::arguments::Invocation;
    let functions: String = (0..60).map(|n| format!("static float f{n}(float x) {{ return x * {n}.5 + SCALE; }}\n")).collect();
    let version = |n: u32| -> &'static str { format!("#define SCALE {n}\n{functions}").leak() };
    let versions = [version(1), version(2)];
    let source = "#include \"h.hlsli\"\nfloat4 main() : SV_Target { return f1(f2(N)); }";
    let mut names = None;
    for n in 0..12 {
        let define = format!("-DN={}", n % 5);
        let arguments = ["a.hlsl", "-T", "ps_6_0", &define];
        let text = versions[n / 2 % 2];
        let (files, requested) = handler(&[("./h.hlsli", text)], E_FAIL);
        let made = compile_with(source.as_bytes(), 65001, &arguments, files.raw()).expect("a result");
        assert_eq!((made.status, made.errors().as_str()), (0, ""));
        let mut includes = rtc::Virtual::new([("h.hlsli", text)]);
        let Ok(Invocation::Compile(request)) = rtc::Options::parse_args(arguments, &mut rtc::NoIncludes) else { panic!("a compilation") };
        let alone = rtc::compile("a.hlsl", source.as_bytes(), &mut includes, &request.options);
        assert!(made.output(kind::OBJECT) == alone.product.map(rtc::Product::into_bytes), "{n}");
        let requested = requested.lock().unwrap().clone();
        assert_eq!(*names.get_or_insert_with(|| requested.clone()), requested, "handlers are called as they are the first time");
    }
    // A handler that has the file no more.
    let (files, _) = handler(&[], E_FAIL);
    let made = compile_with(source.as_bytes(), 65001, &["a.hlsl", "-T", "ps_6_0", "-DN=1"], files.raw()).expect("a result");
    assert!(made.status < 0 && made.errors().contains("h.hlsli"));
}
