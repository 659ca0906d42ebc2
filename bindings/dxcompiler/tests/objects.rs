//! Objects of the built library: creation, interfaces, counts, blobs, helpers, containers, versions, the validator; and wrong calls.
// Every block calls through the table of an object that the library gave, with arguments that outlive the call.
#![allow(unsafe_code, clippy::undocumented_unsafe_blocks)]

mod client;

use client::*;
use rtc_com::base::hresult::*;
use rtc_com::base::interface::{IUnknown, Interface};
use rtc_com::base::reference::Ref;
use rtc_com::interfaces::*;
use rtc_com::wide::CP_WIDE;
use rtc_com::{CLASSES, Guid, call};

const LIBRARY: &[u8] = include_bytes!("../../../README.md");

/// A container of our compiler.
fn container(profile: &str, source: &str) -> Vec<u8> {
    let mut options = rtc::Options::new(rtc::Profile::parse(profile).expect("a profile"));
    options.entry = "main".into();
    let made = rtc::compile("a.hlsl", source.as_bytes(), &mut rtc::NoIncludes, &options);
    made.product.expect("it compiles").into_bytes()
}

const COMPUTE: &str = "RWByteAddressBuffer o; [numthreads(2,3,4)] void main(uint i : SV_GroupIndex) { o.Store(4 * i, i); }";

#[test]
fn every_class_is_created_through_iunknown_and_released() {
    for class in CLASSES {
        let mut out = std::ptr::dangling_mut();
        let done = unsafe { create_instance()(&class.id, &IUnknown::IID, &mut out) };
        assert_eq!(done, S_OK, "{}", class.name);
        let object = unsafe { Ref::<IUnknown>::take(out) }.expect("not null");
        assert_eq!(references(&object), 1, "{}", class.name);
        // An interface that it does not have leaves the place alone.
        let (mut place, unknown) = (3 as *mut _, Guid::new("12345678-0000-0000-0000-000000000000"));
        assert_eq!(unsafe { call!(object, query_interface(&unknown, &mut place)) }, E_NOINTERFACE);
        assert_eq!(place as usize, 3);
        assert_eq!(unsafe { call!(object, query_interface(&IUnknown::IID, std::ptr::null_mut())) }, E_POINTER);
        assert_eq!(unsafe { call!(object, query_interface(std::ptr::null(), &mut place)) }, E_POINTER);
        assert_eq!(unsafe { call!(object, release()) }, 0);
        std::mem::forget(object);
    }
}

#[test]
fn creation_fails_with_the_codes_of_the_reference() {
    let create = create_instance();
    let (utils, none) = (Guid::new(UTILS), Guid::new("12345678-0000-0000-0000-000000000000"));
    let mut out = std::ptr::dangling_mut();
    unsafe {
        assert_eq!(create(&none, &IUnknown::IID, &mut out), CLASS_NOT_REGISTERED);
        assert!(out.is_null());
        out = std::ptr::dangling_mut();
        assert_eq!(create(&utils, &none, &mut out), E_NOINTERFACE);
        assert!(out.is_null());
        assert_eq!(create(&utils, &IUnknown::IID, std::ptr::null_mut()), E_POINTER);
        assert_eq!(create(std::ptr::null(), &IUnknown::IID, &mut out), E_POINTER);
        assert_eq!(create(&utils, std::ptr::null(), &mut out), E_POINTER);
    }
}

#[test]
fn interfaces_of_one_object_share_its_count_and_identity() {
    let utils = create::<IDxcUtils>(UTILS);
    let library: Ref<IDxcLibrary> = utils.query().expect("the older form");
    let (a, b): (Ref<IUnknown>, Ref<IUnknown>) = (utils.query().expect("an object"), library.query().expect("an object"));
    assert_eq!(a.raw(), b.raw());
    drop((a, b, utils));
    assert_eq!(references(&library), 1);
    assert!(library.query::<IDxcUtils>().is_some());
}

#[test]
fn counts_are_right_when_threads_share_an_object() {
    let blob = blob_of(b"some text", 65001);
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                for _ in 0..2000 {
                    let again: Ref<IDxcBlobUtf8> = blob.query().expect("text");
                    assert_eq!(unsafe { call!(again, get_utf8_length()) }, 9);
                    drop(again.clone());
                }
            });
        }
    });
    assert_eq!(references(&blob), 1);
}

#[test]
fn blobs_are_what_the_reference_makes_of_bytes() {
    // Bytes, code page, size, whether they are text in UTF-8 and in wide characters.
    let wide_text: Vec<u8> = wide("ab").iter().flat_map(|c| c.to_ne_bytes()).collect();
    let no_nul = &wide_text[..wide_text.len() - size_of::<rtc_com::wide::WChar>()];
    for (data, page, size, utf8, is_wide) in [
        (&b"text"[..], 65001, 5, true, false),
        (b"text\0", 65001, 5, true, false),
        (b"text", 0, 4, false, false),
        (b"text\0", 0, 5, false, false),
        (b"\xef\xbb\xbftext", 65001, 5, true, false),
        (b"\xef\xbb\xbftext", 0, 7, false, false),
        (b"", 65001, 0, true, false),
        (b"\0", 65001, 0, true, false),
        (b"", 0, 0, false, false),
        (no_nul, CP_WIDE, wide_text.len(), false, true),
        (&wide_text, CP_WIDE, wide_text.len(), false, true),
        (b"", CP_WIDE, 0, false, true),
    ] {
        let blob = blob_of(data, page);
        assert_eq!(unsafe { call!(blob, get_buffer_size()) }, size, "{data:?} {page}");
        assert_eq!(blob.query::<IDxcBlobUtf8>().is_some(), utf8, "{data:?} {page}");
        assert_eq!(blob.query::<IDxcBlobWide>().is_some(), is_wide, "{data:?} {page}");
        let (mut known, mut number) = ([7u8; 4], 1);
        assert_eq!(unsafe { call!(blob, get_encoding(known.as_mut_ptr(), &mut number)) }, S_OK);
        assert_eq!((known, number), ([1, 7, 7, 7], page), "one byte of the truth value is written");
        if let Some(text) = blob.query::<IDxcBlobUtf8>() {
            unsafe {
                let pointer = call!(text, get_utf8_pointer());
                assert_eq!(std::ffi::CStr::from_ptr(pointer).count_bytes(), call!(text, get_utf8_length()));
            }
        }
    }
}

#[test]
fn pinned_bytes_are_not_copied() {
    let utils = create::<IDxcUtils>(UTILS);
    for (text, is_text) in [(&b"pinned"[..], false), (b"pinned\0", true)] {
        let made = get::<IDxcBlobEncoding>(|out| unsafe {
            call!(utils, create_blob_from_pinned(text.as_ptr().cast(), text.len() as u32, 65001, out))
        });
        let blob = made.expect("a blob").expect("not null");
        assert_eq!(unsafe { call!(blob, get_buffer_pointer()) } as usize, text.as_ptr() as usize);
        assert_eq!(blob.query::<IDxcBlobUtf8>().is_some(), is_text);
        // As text it is a copy with a NUL, unless it is text already.
        let text_blob: Ref<IDxcBlobUtf8> =
            get(|out| unsafe { call!(utils, get_blob_as_utf8(blob.raw(), out)) }).expect("converted").expect("not null");
        assert_eq!(text_blob.raw() == blob.raw(), is_text);
        assert_eq!(bytes(&as_blob(&text_blob)), b"pinned\0");
    }
}

#[test]
fn text_is_converted_between_encodings() {
    let utils = create::<IDxcUtils>(UTILS);
    let convert = |data: &[u8], page: u32, to_wide: bool| {
        let blob = blob_of(data, page);
        get::<IDxcBlob>(|out| unsafe {
            if to_wide { call!(utils, get_blob_as_wide(blob.raw(), out)) } else { call!(utils, get_blob_as_utf8(blob.raw(), out)) }
        })
        .map(|b| bytes(&b.expect("not null")))
    };
    assert_eq!(narrow(&convert("h\u{e9}".as_bytes(), 65001, true).expect("text")), "h\u{e9}");
    assert_eq!(convert("h\u{e9}".as_bytes(), 0, false).expect("text"), "h\u{e9}\0".as_bytes());
    let utf16: Vec<u8> = "\u{feff}h\u{1f600}".encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert_eq!(convert(&utf16, 0, false).expect("text"), "h\u{1f600}\0".as_bytes());
    assert_eq!(convert(b"", 65001, true).expect("text"), b"");
    // Lies about the encoding.
    assert_eq!(convert(b"a\0\0", CP_WIDE, false), Err(DXC_E_STRING_ENCODING_FAILED));
    // All units are text in UTF-16, for the system's conversion.
    #[cfg(not(windows))]
    assert_eq!(convert(&[0xff; 8], CP_WIDE, false), Err(DXC_E_STRING_ENCODING_FAILED));
    assert_eq!(convert(b"abcd", 12001, false), Err(DXC_E_STRING_ENCODING_FAILED));
}

#[test]
fn parts_of_blobs_keep_the_whole_alive() {
    let utils = create::<IDxcUtils>(UTILS);
    let whole = blob_of(b"0123456789", 0);
    let part = |offset, length| get::<IDxcBlob>(|out| unsafe { call!(utils, create_blob_from_blob(whole.raw(), offset, length, out)) });
    let middle = part(3, 4).expect("a part").expect("not null");
    assert_eq!(bytes(&part(0, 0).expect("all").expect("not null")), b"0123456789");
    for (offset, length) in [(3, 8), (11, 0), (u32::MAX, 2), (0, 11)] {
        assert_eq!(part(offset, length).err(), Some(E_INVALIDARG), "{offset} {length}");
    }
    drop(whole);
    assert_eq!(bytes(&middle), b"3456");
}

#[test]
fn streams_read_and_seek() {
    let utils = create::<IDxcUtils>(UTILS);
    let blob = blob_of(b"0123456789", 0);
    let stream = get::<IStream>(|out| unsafe { call!(utils, create_stream(blob.raw(), out)) }).expect("a stream").expect("not null");
    let (mut data, mut done, mut position) = ([0u8; 8], 0, 0);
    unsafe {
        assert_eq!((stream.table().read)(stream.this(), data.as_mut_ptr(), 8, &mut done), S_OK);
        assert_eq!((&data, done), (b"01234567", 8));
        assert_eq!((stream.table().read)(stream.this(), data.as_mut_ptr(), 8, &mut done), S_OK);
        assert_eq!((&data, done), (b"89234567", 2));
        assert_eq!(call!(stream, seek(-3, 2, &mut position)), S_OK);
        assert_eq!(position, 7);
        assert_eq!(call!(stream, seek(-8, 1, &mut position)), E_INVALIDARG);
        assert!((stream.table().write)(stream.this(), data.as_ptr(), 1, &mut done) < 0);
        assert_eq!(call!(stream, clone_stream(std::ptr::null_mut())), E_NOTIMPL);
    }
}

#[test]
fn null_pointers_are_result_codes() {
    let (utils, null) = (create::<IDxcUtils>(UTILS), std::ptr::null_mut::<std::ffi::c_void>());
    let mut out = null;
    unsafe {
        assert_eq!(call!(utils, create_blob_from_blob(null, 0, 0, &mut out)), E_POINTER);
        assert_eq!(call!(utils, create_blob(null, 0, 0, std::ptr::null_mut())), E_INVALIDARG);
        assert_eq!(call!(utils, create_blob_from_pinned(null, 8, 0, &mut out)), E_INVALIDARG);
        assert!(out.is_null());
        assert_eq!(call!(utils, load_file(std::ptr::null(), std::ptr::null(), &mut out)), E_POINTER);
        assert_eq!(call!(utils, create_stream(null, &mut out)), E_POINTER);
        assert_eq!(call!(utils, get_blob_as_utf8(null, &mut out)), E_POINTER);
        assert_eq!(call!(utils, create_include_handler(std::ptr::null_mut())), E_POINTER);
        assert_eq!(call!(utils, get_part(std::ptr::null(), 0, std::ptr::null_mut(), std::ptr::null_mut())), E_INVALIDARG);
        assert_eq!(call!(utils, create_reflection(std::ptr::null(), &IUnknown::IID, &mut out)), E_INVALIDARG);
        assert_eq!(call!(utils, get_pdb_contents(null, &mut out, &mut out)), E_POINTER);
        let library: Ref<IDxcLibrary> = utils.query().expect("the older form");
        assert_eq!(call!(library, set_malloc(null)), E_NOTIMPL);
        let validator = create::<IDxcValidator2>(VALIDATOR);
        assert_eq!((validator.table().validate)(validator.this(), null, 0, &mut out), E_INVALIDARG);
        assert_eq!((validator.table().validate)(validator.this(), null, 0, std::ptr::null_mut()), E_INVALIDARG);
        let reflection = create::<IDxcContainerReflection>(CONTAINER_REFLECTION);
        assert_eq!(call!(reflection, get_part_count(std::ptr::null_mut())), E_POINTER);
        assert_eq!(call!(reflection, load_container(null)), S_OK);
        let builder = create::<IDxcContainerBuilder>(CONTAINER_BUILDER);
        assert_eq!(call!(builder, load(null)), E_INVALIDARG);
        assert_eq!(call!(builder, add_part(u32::from_le_bytes(*b"PRIV"), null)), E_INVALIDARG);
        assert_eq!(call!(builder, serialize_container(std::ptr::null_mut())), E_INVALIDARG);
        let args = create::<IDxcCompilerArgs>(ARGS);
        assert_eq!(call!(args, add_arguments(std::ptr::null(), 2)), E_INVALIDARG);
        assert_eq!(call!(args, add_arguments_utf8(std::ptr::null(), 1)), E_INVALIDARG);
        assert_eq!(call!(args, add_defines(std::ptr::null(), 1)), E_INVALIDARG);
        assert_eq!(call!(args, add_defines(std::ptr::null(), 0)), S_OK);
    }
}

#[test]
fn files_are_loaded_or_not_found() {
    let utils = create::<IDxcUtils>(UTILS);
    let name = wide(concat!(env!("CARGO_MANIFEST_DIR"), "/../../README.md"));
    let load = |name: &[_], page: *const u32| get::<IDxcBlobEncoding>(|out| unsafe { call!(utils, load_file(name.as_ptr(), page, out)) });
    let blob = load(&name, std::ptr::null()).expect("it is there").expect("not null");
    assert_eq!(bytes(&as_blob(&blob)), LIBRARY);
    let (mut known, mut page) = ([1u8; 4], 1);
    assert_eq!(unsafe { call!(blob, get_encoding(known.as_mut_ptr(), &mut page)) }, S_OK);
    assert_eq!((known[0], page), (0, 0));
    let text = load(&name, &65001).expect("it is there").expect("not null");
    assert_eq!(bytes(&as_blob(&text)).len(), LIBRARY.len() + 1);
    assert_eq!(load(&wide("/no/such/file"), std::ptr::null()).err(), Some(E_FILE_NOT_FOUND));
    let handler = get::<IDxcIncludeHandler>(|out| unsafe { call!(utils, create_include_handler(out)) }).expect("one").expect("not null");
    let mut place = 5 as *mut _;
    assert_eq!(unsafe { call!(handler, load_source(wide("/no/such/file").as_ptr(), &mut place)) }, E_FILE_NOT_FOUND);
    assert_eq!(place as usize, 5, "the place keeps what it has");
    let found = get::<IDxcBlob>(|out| unsafe { call!(handler, load_source(name.as_ptr(), out)) }).expect("it is there");
    assert_eq!(bytes(&found.expect("not null")), LIBRARY);
}

#[test]
fn arguments_are_built_in_the_order_of_the_reference() {
    let utils = create::<IDxcUtils>(UTILS);
    let strings: Vec<Vec<_>> = ["-Zi", "-E", "dropped", "A", "B", "2", "C", ""].iter().map(|s| wide(s)).collect();
    let pointers: Vec<_> = strings[..3].iter().map(|s| s.as_ptr()).collect();
    let define = |name: usize, value: Option<usize>| DxcDefine {
        name: strings[name].as_ptr(),
        value: value.map_or(std::ptr::null(), |v| strings[v].as_ptr()),
    };
    let defines = [define(3, None), define(4, Some(5)), define(6, Some(7))];
    let (name, entry, profile) = (wide("n"), wide("e"), wide("t"));
    let args = get::<IDxcCompilerArgs>(|out| unsafe {
        call!(utils, build_arguments(name.as_ptr(), entry.as_ptr(), profile.as_ptr(), pointers.as_ptr(), 3, defines.as_ptr(), 3, out))
    });
    let args = args.expect("built").expect("not null");
    assert_eq!(unsafe { call!(args, add_arguments_utf8([c"-O1".as_ptr()].as_ptr(), 1)) }, S_OK);
    let list: Vec<String> = unsafe {
        let (first, count) = (call!(args, get_arguments()), call!(args, get_count()));
        (0..count as usize).map(|n| rtc_com::wide::text(first.add(n).read()).expect("a string")).collect()
    };
    assert_eq!(list, ["n", "-E", "e", "-T", "t", "-Zi", "-D", "A", "-D", "B=2", "-D", "C=", "-O1"]);
}

#[test]
fn containers_are_taken_apart() {
    let data = container("cs_6_0", COMPUTE);
    let reflection = create::<IDxcContainerReflection>(CONTAINER_REFLECTION);
    let (mut count, mut kind, mut index) = (9, 9, 9);
    let dxil = u32::from_le_bytes(*b"DXIL");
    unsafe {
        assert_eq!(call!(reflection, get_part_count(&mut count)), E_NOT_VALID_STATE);
        assert_eq!(call!(reflection, find_first_part_kind(dxil, &mut index)), E_NOT_VALID_STATE);
        assert_eq!(call!(reflection, load_container(blob_of(b"no container", 0).raw())), E_INVALIDARG);
        assert_eq!(call!(reflection, load_container(blob_of(&data[..data.len() - 1], 0).raw())), E_INVALIDARG);
        assert_eq!(call!(reflection, load_container(blob_of(&data, 0).raw())), S_OK);
        assert_eq!(call!(reflection, get_part_count(&mut count)), S_OK);
        assert_eq!(call!(reflection, find_first_part_kind(dxil, &mut index)), S_OK);
        assert_eq!(call!(reflection, get_part_kind(index, &mut kind)), S_OK);
        assert_eq!(kind, dxil);
        assert_eq!(call!(reflection, get_part_kind(count, &mut kind)), E_BOUNDS);
        assert_eq!(call!(reflection, find_first_part_kind(1, &mut index)), E_NOT_FOUND);
        assert_eq!(index, 0);
    }
    let parsed = rtc_dxil_container::Container::parse(&data).expect("a container");
    for (n, part) in parsed.parts.iter().enumerate() {
        let content = get::<IDxcBlob>(|out| unsafe { call!(reflection, get_part_content(n as u32, out)) });
        assert_eq!(bytes(&content.expect("there").expect("not null")), part.data, "{}", part.name);
    }
    let out = get::<IUnknown>(|out| unsafe { call!(reflection, get_part_reflection(0, &IUnknown::IID, out)) });
    assert_eq!(out.err(), Some(E_NOTIMPL), "the first part has the features");
    // The part in place.
    let utils = create::<IDxcUtils>(UTILS);
    let buffer = DxcBuffer { data: data.as_ptr().cast(), size: data.len(), encoding: 0 };
    let (mut place, mut size) = (std::ptr::null(), 0);
    unsafe {
        assert_eq!(call!(utils, get_part(&buffer, dxil, &mut place, &mut size)), S_OK);
        assert_eq!(call!(utils, get_part(&buffer, 1, &mut place, &mut size)), DXC_E_MISSING_PART);
        let junk = DxcBuffer { size: 7, ..buffer };
        assert_eq!(call!(utils, get_part(&junk, dxil, &mut place, &mut size)), DXC_E_CONTAINER_INVALID);
    }
    assert!(data.as_ptr_range().contains(&place.cast()));
}

#[test]
fn containers_are_changed() {
    let data = container("cs_6_0", COMPUTE);
    let builder = create::<IDxcContainerBuilder>(CONTAINER_BUILDER);
    let part = |name: &[u8; 4]| u32::from_le_bytes(*name);
    unsafe {
        assert_eq!(call!(builder, load(blob_of(b"junk", 0).raw())), E_INVALIDARG);
        assert_eq!(call!(builder, load(blob_of(&data, 0).raw())), S_OK);
        assert_eq!(call!(builder, load(blob_of(&data, 0).raw())), E_INVALIDARG);
        assert_eq!(call!(builder, add_part(part(b"PRIV"), blob_of(b"secret!", 0).raw())), S_OK);
        assert_eq!(call!(builder, add_part(part(b"PRIV"), blob_of(b"secret!", 0).raw())), DXC_E_DUPLICATE_PART);
        assert_eq!(call!(builder, add_part(part(b"DXIL"), blob_of(b"x", 0).raw())), E_INVALIDARG);
        assert_eq!(call!(builder, remove_part(part(b"DXIL"))), E_INVALIDARG);
        assert_eq!(call!(builder, remove_part(part(b"ILDB"))), DXC_E_MISSING_PART);
        assert_eq!(call!(builder, remove_part(part(b"STAT"))), S_OK);
        assert_eq!(call!(builder, add_part(part(b"ILDN"), blob_of(b"\0\0\0\0", 0).raw())), S_OK);
    }
    let result = get::<IDxcOperationResult>(|out| unsafe { call!(builder, serialize_container(out)) }).expect("made").expect("not null");
    let made = bytes(&get(|out| unsafe { call!(result, get_result(out)) }).expect("there").expect("not null"));
    let made = rtc_dxil_container::Container::parse(&made).expect("a container");
    assert_eq!(made.digest_state, rtc_dxil_container::DigestState::Valid);
    let last: Vec<String> = made.parts.iter().rev().take(2).map(|p| p.name.to_string()).collect();
    assert_eq!(last, ["PRIV", "ILDN"]);
    assert!(made.part(rtc_dxil_container::FourCc::STAT).is_none());
}

#[test]
fn the_validator_signs_what_is_valid_and_explains_what_is_not() {
    let validator = create::<IDxcValidator>(VALIDATOR);
    let run = |blob: &Ref<IDxcBlobEncoding>, flags: u32| {
        let result = get::<IDxcOperationResult>(|out| unsafe { call!(validator, validate(blob.raw(), flags, out)) })?.expect("not null");
        let mut status = 1;
        assert_eq!(unsafe { call!(result, get_status(&mut status)) }, S_OK);
        let object = get::<IDxcBlob>(|out| unsafe { call!(result, get_result(out)) }).expect("it never fails");
        let errors = get::<IDxcBlob>(|out| unsafe { call!(result, get_error_buffer(out)) }).expect("it never fails").expect("not null");
        Ok((status, object, String::from_utf8(bytes(&errors)).expect("text")))
    };
    let signed = container("cs_6_0", COMPUTE);
    let mut unsigned = signed.clone();
    unsigned[4..20].fill(0);
    let blob = blob_of(&unsigned, 0);
    let (status, object, errors) = run(&blob, 0).expect("run");
    assert_eq!((status, errors.as_str()), (0, ""));
    assert_eq!(bytes(&object.expect("signed")), signed);
    assert_eq!(bytes(&as_blob(&blob)), unsigned, "a copy was signed");
    let (status, object, _) = run(&blob, 1).expect("run");
    assert_eq!((status, object.expect("the same").raw()), (0, as_blob(&blob).raw()));
    assert_eq!(bytes(&as_blob(&blob)), signed, "the bytes were signed in place");

    let (status, object, errors) = run(&blob_of(b"junk", 0), 0).expect("run");
    assert_eq!(status, DXC_E_CONTAINER_INVALID);
    assert!(object.is_none() && errors.ends_with("Validation failed.\n\0"), "{errors}");
    let (status, ..) = run(&blob_of(&signed, 0), 2).expect("run");
    assert_eq!(status, DXC_E_MISSING_PART, "there is no root signature");
    for flags in [8, 5, 6] {
        assert_eq!(run(&blob, flags).err(), Some(E_INVALIDARG));
    }
    // A module without a container.
    let parsed = rtc_dxil_container::Container::parse(&signed).expect("a container");
    let program = rtc_dxil_container::program::Program::read("DXIL", parsed.require(rtc_dxil_container::FourCc::DXIL).expect("code"));
    let (status, object, errors) = run(&blob_of(program.expect("a program").bitcode, 0), 4).expect("run");
    assert_eq!((status, object.is_some(), errors.as_str()), (0, false, ""));
    assert_eq!(run(&blob, 4).expect("run").0, E_INVALIDARG, "it is no module");
}

#[test]
fn versions_are_those_that_clients_read() {
    let info = create::<IDxcVersionInfo>(VALIDATOR);
    let (mut major, mut minor, mut flags) = (0, 0, 0);
    unsafe {
        assert_eq!(call!(info, get_version(&mut major, &mut minor)), S_OK);
        assert_eq!(call!(info, get_flags(&mut flags)), S_OK);
        assert_eq!(call!(info, get_version(std::ptr::null_mut(), &mut minor)), E_INVALIDARG);
    }
    assert_eq!((major, minor, flags), (1, 10, 2));
    assert!(info.query::<IDxcVersionInfo2>().is_none());
}
