//! What the built library says of PDBs: sources, arguments, names, hash and version, through both interfaces.
// Every block calls through the table of an object that the library gave, with arguments that outlive the call.
#![allow(unsafe_code, clippy::undocumented_unsafe_blocks)]

mod client;

use std::ffi::c_void;

use client::*;
use rtc_com::base::hresult::*;
use rtc_com::base::reference::Ref;
use rtc_com::interfaces::*;
use rtc_com::wide::{self as wide_text, WChar};
use rtc_com::{HResult, call};

const SOURCE: &str = "float4 main() : SV_Target { return A + B; }";

/// The PDB and the container of a compilation.
fn compiled(arguments: &[&str]) -> (Vec<u8>, Vec<u8>) {
    let made = rtc::Options::parse_args_of("d/a.hlsl", arguments, &mut rtc::NoIncludes).expect("arguments");
    let rtc::arguments::Invocation::Compile(request) = made else { panic!("a compilation") };
    let made = rtc::compile(&request.source, SOURCE.as_bytes(), &mut rtc::NoIncludes, &request.options);
    (made.outputs.expect("outputs").pdb.expect("a PDB").bytes, made.product.expect("it compiles").into_bytes())
}

fn text(get_blob: impl FnOnce(*mut *mut c_void) -> HResult) -> Option<String> {
    get::<IDxcBlobWide>(get_blob).expect("no failure").map(|b| narrow(&bytes(&as_blob(&b))))
}

/// A string that the caller frees, with the length before it.
fn string(get: impl FnOnce(*mut *mut WChar) -> HResult) -> Option<String> {
    unsafe extern "C" {
        fn free(memory: *mut c_void);
    }
    let mut out = std::ptr::null_mut();
    assert_eq!(get(&mut out), S_OK);
    let text = unsafe { wide_text::text(out) }?;
    unsafe {
        assert_eq!(out.cast::<u32>().sub(1).read() as usize, text.chars().count() * size_of::<WChar>());
        free(out.cast::<u8>().sub(4).cast());
    }
    Some(text)
}

fn list(count: impl FnOnce(*mut u32) -> HResult, mut item: impl FnMut(u32, *mut *mut c_void) -> HResult) -> Vec<String> {
    let mut n = 99;
    assert_eq!(count(&mut n), S_OK);
    assert_eq!(get::<IDxcBlob>(|out| item(n, out)).err(), Some(E_INVALIDARG));
    (0..n).map(|n| text(|out| item(n, out)).expect("an item")).collect()
}

#[test]
fn a_pdb_says_how_it_was_made() {
    let (pdb, container) = compiled(&["-T", "ps_6_0", "-D", "A=1", "-DB=2", "-Zi", "-Od"]);
    let utils = create::<IDxcPdbUtils2>(PDB_UTILS);
    for (file, is_full, has_sources) in [(&pdb, true, true), (&container, true, true)] {
        unsafe {
            assert_eq!(call!(utils, load_pdb(blob_of(file, 0).raw())), S_OK);
            assert_eq!(call!(utils, is_full_pdb()) != 0, is_full);
            assert_eq!(call!(utils, is_pdb_ref()) == 0, has_sources);
            assert_eq!(text(|out| call!(utils, get_target_profile(out))).as_deref(), Some("ps_6_0"));
            assert_eq!(text(|out| call!(utils, get_entry_point(out))).as_deref(), Some("main"));
            assert_eq!(text(|out| call!(utils, get_main_file_name(out))).as_deref(), Some(&*native("./d/a.hlsl")));
            assert!(text(|out| call!(utils, get_name(out))).expect("a name").ends_with(".pdb"));
            let sources = list(|n| call!(utils, get_source_count(n)), |n, out| call!(utils, get_source_name(n, out)));
            assert_eq!(sources, [native("./d/a.hlsl")]);
            let source = get::<IDxcBlobEncoding>(|out| call!(utils, get_source(0, out))).expect("there").expect("not null");
            assert_eq!(bytes(&as_blob(&source)), [SOURCE.as_bytes(), b"\0"].concat());
            let defines = list(|n| call!(utils, get_define_count(n)), |n, out| call!(utils, get_define(n, out)));
            assert_eq!(defines, ["A=1", "B=2"]);
            let flags = list(|n| call!(utils, get_flag_count(n)), |n, out| call!(utils, get_flag(n, out)));
            assert!(flags.contains(&"-Od".to_owned()) && !flags.contains(&"-T".to_owned()), "{flags:?}");
            let words = list(|n| call!(utils, get_arg_count(n)), |n, out| call!(utils, get_arg(n, out)));
            assert!(words.windows(2).any(|w| w == ["-T", "ps_6_0"]) && words.windows(2).any(|w| w == ["-D", "A=1"]), "{words:?}");
            assert_eq!(bytes(&get::<IDxcBlob>(|out| call!(utils, get_hash(out))).expect("a hash").expect("not null")).len(), 20);
            let mut pairs = 0;
            assert_eq!(call!(utils, get_arg_pair_count(&mut pairs)), S_OK);
            let (mut name, mut value) = (std::ptr::null_mut(), std::ptr::null_mut());
            assert_eq!(call!(utils, get_arg_pair(pairs, &mut name, &mut value)), E_INVALIDARG);
            assert_eq!(call!(utils, get_arg_pair(0, &mut name, &mut value)), S_OK);
            drop((Ref::<IDxcBlob>::take(name), Ref::<IDxcBlob>::take(value)));
        }
    }
    // The older form shares the object.
    let old: Ref<IDxcPdbUtils> = utils.query().expect("the older form");
    unsafe {
        assert_eq!(string(|out| call!(old, pdb_target_profile(out))).as_deref(), Some("ps_6_0"));
        assert_eq!(string(|out| call!(old, pdb_source_name(0, out))).as_deref(), Some(&*native("./d/a.hlsl")));
        assert_eq!(string(|out| call!(old, pdb_define(1, out))).as_deref(), Some("B=2"));
        assert_ne!(call!(old, pdb_is_full()), 0);
        assert_eq!(call!(old, pdb_set_compiler(std::ptr::null_mut())), E_NOTIMPL);
        assert_eq!(call!(old, pdb_compile(std::ptr::null_mut())), E_NOTIMPL);
        assert_eq!(call!(old, pdb_target_profile(std::ptr::null_mut())), E_POINTER);
    }
}

#[test]
fn what_is_no_pdb_leaves_nothing() {
    let utils = create::<IDxcPdbUtils2>(PDB_UTILS);
    let (pdb, _) = compiled(&["-T", "ps_6_0", "-DA=1", "-DB=2", "-Zs"]);
    unsafe {
        assert_eq!(call!(utils, load_pdb(blob_of(&pdb, 0).raw())), S_OK);
        assert_eq!(call!(utils, is_full_pdb()), 0, "it has no module");
        for junk in [&b"junk"[..], &pdb[..pdb.len() / 2], b"DXBC", b""] {
            assert!(call!(utils, load_pdb(blob_of(junk, 0).raw())) < 0);
            let mut count = 9;
            assert_eq!(call!(utils, get_source_count(&mut count)), S_OK);
            assert_eq!(count, 0);
        }
        assert_eq!(call!(utils, load_pdb(std::ptr::null_mut())), E_POINTER);
        assert_eq!(call!(utils, get_source_count(std::ptr::null_mut())), E_POINTER);
        assert_eq!(get::<IDxcBlob>(|out| call!(utils, get_hash(out))).err(), Some(E_FAIL));
        assert!(get::<IDxcVersionInfo>(|out| call!(utils, get_version_info(out))).is_err());
        assert_eq!(text(|out| call!(utils, get_target_profile(out))), None);
    }
}
