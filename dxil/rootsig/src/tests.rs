//! Tests of text, binary form and layout, against the reference compiler and on invalid input.

use super::*;
use rtc_dxil_container::rdat::{Rdat, SubobjectValue};
use rtc_dxil_container::{Container, FourCc};
use rtc_dxil_testing::Random;
use rtc_dxil_testing::corpus;

const GLOBAL: &str = "DescriptorTable(UAV(u0)), SRV(t0), CBV(b0), SRV(t1), SRV(t2), StaticSampler(s0), \
     DescriptorTable(SRV(t0, space=2, numDescriptors=unbounded))";
const LOCAL: &str = "RootConstants(num32BitConstants=5, b1, space=1)";

const EVERYTHING: &str = "RootFlags(DENY_VERTEX_SHADER_ROOT_ACCESS | cbv_srv_uav_heap_directly_indexed), \
     RootConstants(b3, num32BitConstants = 4, visibility = SHADER_VISIBILITY_PIXEL),\n\t\
     CBV(b0, space = 1, flags = DATA_STATIC), \
     UAV(u7, flags = DATA_VOLATILE, visibility = SHADER_VISIBILITY_MESH), \
     srv(t0, space = 4294967279, flags = 0), \
     DescriptorTable(SRV(t1, numDescriptors = 8, space = 3, offset = 2, \
         flags = DATA_STATIC_WHILE_SET_AT_EXECUTE | DESCRIPTORS_VOLATILE), \
       UAV(u0, numDescriptors = unbounded, offset = DESCRIPTOR_RANGE_OFFSET_APPEND, \
         flags = DESCRIPTORS_STATIC_KEEPING_BUFFER_BOUNDS_CHECKS), visibility = SHADER_VISIBILITY_HULL), \
     DescriptorTable(Sampler(s0, numDescriptors = 2, flags = DESCRIPTORS_VOLATILE)), \
     StaticSampler(s9, filter = FILTER_COMPARISON_MIN_MAG_LINEAR_MIP_POINT, \
       addressU = TEXTURE_ADDRESS_CLAMP, addressV = TEXTURE_ADDRESS_BORDER, \
       addressW = TEXTURE_ADDRESS_MIRROR_ONCE, mipLODBias = -1.5f, maxAnisotropy = 3, \
       comparisonFunc = COMPARISON_GREATER, borderColor = STATIC_BORDER_COLOR_OPAQUE_BLACK_UINT, \
       minLOD = .25, maxLOD = 1e3, space = 2, visibility = SHADER_VISIBILITY_GEOMETRY),";

fn parse_1_1(text: &str) -> Result<RootSignature, Vec<TextError>> {
    parse(text, RootVersion::V1_1, Scope::Any)
}

fn subobject_bytes(container: &str, name: &str) -> Vec<u8> {
    let c = Container::parse(corpus::get(container)).unwrap();
    let rdat = Rdat::read(c.require(FourCc::RDAT).unwrap()).unwrap();
    match &rdat.subobject(name).unwrap().value {
        SubobjectValue::GlobalRootSignature { data } | SubobjectValue::LocalRootSignature { data } => data.clone(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn text_becomes_the_bytes_of_the_reference() {
    for container in ["rt_basic.dxil", "rt_basic.Od.dxil", "rt_basic.val16.dxil"] {
        let ours = parse(GLOBAL, RootVersion::V1_1, Scope::Global).unwrap();
        let theirs = subobject_bytes(container, "GRS");
        assert_eq!(write(&ours), theirs, "{container}");
        assert_eq!(read(&theirs).unwrap(), ours, "{container}");
        let ours = parse(LOCAL, RootVersion::V1_1, Scope::Local).unwrap();
        let theirs = subobject_bytes(container, "LRS");
        assert_eq!(write(&ours), theirs, "{container}");
        assert_eq!(read(&theirs).unwrap(), ours, "{container}");
        assert!(ours.is_local());
    }
}

#[test]
fn everything_survives_text_and_bytes() {
    let s = parse_1_1(EVERYTHING).unwrap();
    assert_eq!((s.params.len(), s.samplers.len(), s.flags), (6, 1, 0x402));
    assert_eq!(read(&write(&s)).unwrap(), s);
    assert_eq!(parse_1_1(&s.to_string()).unwrap(), s, "{s}");
    let RootParamKind::Table(ranges) = &s.params[4].kind else { panic!() };
    assert_eq!((ranges[0].flags, ranges[0].offset, ranges[0].count), (5, 2, 8));
    assert_eq!((ranges[1].flags, ranges[1].offset, ranges[1].count), (0x10000, APPEND, UNBOUNDED));
    let sampler = &s.samplers[0];
    assert_eq!(sampler.filter, Filter(0x94));
    assert_eq!((sampler.mip_lod_bias, sampler.min_lod, sampler.max_lod), (-1.5, 0.25, 1000.0));
    assert_eq!(sampler.border, BorderColor::OpaqueBlackUint);
}

#[test]
fn versions_differ_in_their_flags() {
    let text = "CBV(b0), DescriptorTable(SRV(t0)), StaticSampler(s0)";
    let sizes: Vec<usize> = [RootVersion::V1_0, RootVersion::V1_1, RootVersion::V1_2]
        .into_iter()
        .map(|v| {
            let s = parse(text, v, Scope::Any).unwrap();
            let bytes = write(&s);
            assert_eq!(bytes[0], v as u8);
            assert_eq!(read(&bytes).unwrap(), s);
            bytes.len()
        })
        .collect();
    assert_eq!(sizes, [24 + 24 + 8 + 28 + 52, 24 + 24 + 12 + 32 + 52, 24 + 24 + 12 + 32 + 56]);
    let sampler = "StaticSampler(s0, flags = NON_NORMALIZED_COORDINATES | UINT_BORDER_COLOR)";
    assert_eq!(parse(sampler, RootVersion::V1_2, Scope::Any).unwrap().samplers[0].flags, 3);
    let e = parse_1_1(sampler).unwrap_err();
    assert_eq!(e[0].message, "static sampler flags need root signature version 1.2, this is 1.1");
    let e = parse("CBV(b0, flags=DATA_STATIC)", RootVersion::V1_0, Scope::Any).unwrap_err();
    assert_eq!(e[0].message, "root descriptor flags need root signature version 1.1, this is 1.0");
}

#[test]
fn filters_have_their_numbers() {
    let number = |name: &str| Filter::from_name(name).map(|f| f.0);
    assert_eq!(number("FILTER_MIN_MAG_MIP_POINT"), Some(0));
    assert_eq!(number("filter_anisotropic"), Some(0x55));
    assert_eq!(number("FILTER_COMPARISON_ANISOTROPIC"), Some(0xd5));
    assert_eq!(number("FILTER_MINIMUM_MIN_MAG_MIP_LINEAR"), Some(0x115));
    assert_eq!(number("FILTER_MAXIMUM_MIN_POINT_MAG_MIP_LINEAR"), Some(0x185));
    assert_eq!(number("FILTER_SHARP"), None);
    for n in 0..0x400 {
        if let Some(name) = Filter(n).name() {
            assert_eq!(number(&name), Some(n), "{name}");
        }
    }
}

/// The text with `^…^` around what the error is about, and the message.
#[track_caller]
fn check_error(marked: &str, message: &str) {
    let text = marked.replace('^', "");
    let errors = parse_1_1(&text).expect_err(&text);
    let (start, len) = (errors[0].offset, errors[0].len);
    let got = format!("{}^{}^{}", &text[..start], &text[start..start + len], &text[start + len..]);
    assert_eq!((got.as_str(), errors[0].message.as_str()), (marked, message));
}

#[test]
fn errors_name_the_place_and_the_cause() {
    check_error("CBV(^t0^)", "expected a register b#, found 't0'");
    check_error("CBV(b0)^CBV^(b1)", "expected ',', found 'CBV'");
    check_error("CBV(b0^^", "expected ')', found the end");
    check_error("^Texture^(t0)", "expected RootFlags, RootConstants, CBV, SRV, UAV, DescriptorTable or StaticSampler, found 'Texture'");
    check_error("^42^", "expected a root signature element, found '42'");
    check_error("SRV(t0, ^t1^)", "register is given twice");
    check_error("SRV(t0, space=1, ^space^=2)", "space is given twice");
    check_error("SRV(t0, space=^-1^)", "-1 does not fit in 32 bits without sign");
    check_error("SRV(t0, space=^4294967296^)", "4294967296 does not fit in 32 bits without sign");
    check_error("SRV(^t4294967296^)", "'t4294967296': register number does not fit in 32 bits");
    check_error("^SRV^(space=1)", "a register t# is missing");
    check_error("^RootConstants^(b0)", "RootConstants needs num32BitConstants");
    check_error("^RootConstants^(num32BitConstants=1)", "RootConstants needs a register b#");
    check_error("RootFlags(^1^)", "expected 0 or a root signature flag, found '1'");
    check_error("RootFlags(^)^", "expected a root signature flag, found ')'");
    check_error("RootFlags(0), ^RootFlags^(0)", "RootFlags may occur only once");
    check_error("DescriptorTable(^)^", "expected CBV, SRV, UAV, Sampler or visibility, found ')'");
    check_error("DescriptorTable(SRV(t0, numDescriptors=^many^))", "expected an integer or unbounded, found 'many'");
    check_error("SRV(t0, visibility=^SHADER_VISIBILITY_RAY^)", "expected a shader visibility, found 'SHADER_VISIBILITY_RAY'");
    check_error("StaticSampler(s0, maxLOD=^1e40^)", "'1e40': number is out of the range of float");
    check_error("SRV(t0) ^;^", "';': character has no meaning in a root signature");
    check_error("^€^", "'€': character has no meaning in a root signature");
}

#[test]
fn contradictions_name_the_element() {
    check_error("CBV(b0), ^RootConstants(b0, num32BitConstants=1)^", "registers b0-b0 of space 0 are bound twice (also by parameter 0)");
    check_error(
        "DescriptorTable(SRV(t4, numDescriptors=unbounded)), ^SRV(t9)^",
        "registers t9-t9 of space 0 are bound twice (also by parameter 0)",
    );
    check_error("^DescriptorTable(SRV(t0), Sampler(s0))^", "samplers and other descriptors cannot share a table");
    check_error("^DescriptorTable(SRV(t0, numDescriptors=0))^", "range 0: numDescriptors is 0");
    check_error("^DescriptorTable(SRV(t0, numDescriptors=unbounded), UAV(u0))^", "range 1: appended to a range without bound");
    check_error("^DescriptorTable(SRV(t4294967295, numDescriptors=2))^", "range 0: the last register does not fit in 32 bits");
    check_error(
        "^DescriptorTable(SRV(t0, offset=4294967294, numDescriptors=4))^",
        "range 0: the last descriptor index does not fit in 32 bits",
    );
    check_error("^DescriptorTable(Sampler(s0, flags=DATA_STATIC))^", "range 0: samplers have no data, DATA_* flags do not apply");
    check_error(
        "^DescriptorTable(SRV(t0, flags=DATA_STATIC | DESCRIPTORS_VOLATILE))^",
        "range 0: DATA_STATIC excludes DESCRIPTORS_VOLATILE",
    );
    check_error("^SRV(t0, flags=DATA_STATIC | DATA_VOLATILE)^", "more than one DATA_* flag");
    check_error("^SRV(t0, space=4294967280)^", "register space 0xfffffff0 is reserved for the system");
    check_error("SRV(t0), ^StaticSampler(s0, maxAnisotropy=17)^", "maxAnisotropy 17 is above 16");
    check_error("^StaticSampler(s0, mipLODBias=16)^", "mipLODBias 16 is not between -16 and 15.99");
    check_error(
        "^RootFlags(LOCAL_ROOT_SIGNATURE | ALLOW_STREAM_OUTPUT)^",
        "LOCAL_ROOT_SIGNATURE excludes the flags for input layout, stream output and denied stages",
    );
    let several = parse_1_1("CBV(b0), CBV(b0), StaticSampler(s0, maxAnisotropy=99)").unwrap_err();
    assert_eq!(several.len(), 2);
}

#[test]
fn what_is_allowed_and_hardly_meant_is_remarked() {
    let remarks = |text| parse_with_remarks(text, RootVersion::V1_1, Scope::Any).unwrap().1;
    let of = |text| remarks(text).into_iter().map(|r| (r.offset, r.len, r.message)).collect::<Vec<_>>();
    assert!(of("RootConstants(b0, num32BitConstants=64), StaticSampler(s0)").is_empty());
    let text = "RootConstants(b0, num32BitConstants=60), CBV(b1), SRV(t1), UAV(u1)";
    assert_eq!(of(text), [(0, text.len(), "the root arguments take 66 words of 32 bits, the limit is 64".to_owned())]);
    assert!(of("RootFlags(LOCAL_ROOT_SIGNATURE), RootConstants(b0, num32BitConstants=65)").is_empty());
    let (signature, found) = parse_with_remarks("CBV(b0x10), SRV(t08), UAV(u3u)", RootVersion::V1_1, Scope::Any).unwrap();
    let registers: Vec<u32> = signature
        .params
        .iter()
        .map(|p| match &p.kind {
            RootParamKind::Cbv(d) | RootParamKind::Srv(d) | RootParamKind::Uav(d) => d.register,
            _ => u32::MAX,
        })
        .collect();
    assert_eq!(registers, [0, 8, 3]);
    assert_eq!(found.iter().map(|r| r.offset).collect::<Vec<_>>(), [4, 26]);
    assert_eq!(found[0].message, "'b0x10' is register b0: its number is decimal and ends before the first letter");
}

#[test]
fn visibilities_that_never_meet_may_share_registers() {
    parse_1_1("CBV(b0, visibility=SHADER_VISIBILITY_PIXEL), CBV(b0, visibility=SHADER_VISIBILITY_VERTEX)").unwrap();
    for all in ["CBV(b0), CBV(b0, visibility=SHADER_VISIBILITY_VERTEX)", "CBV(b0, visibility=SHADER_VISIBILITY_VERTEX), CBV(b0)"] {
        assert!(parse_1_1(all).is_err(), "{all}");
    }
    parse_1_1("SRV(t0), UAV(u0), CBV(b0), SRV(t0, space=1)").unwrap();
}

#[test]
fn global_and_local_scope() {
    let text = "RootFlags(LOCAL_ROOT_SIGNATURE)";
    assert_eq!(parse(text, RootVersion::V1_1, Scope::Local).unwrap().flags, 0x80);
    assert_eq!(parse("", RootVersion::V1_1, Scope::Local).unwrap().flags, 0x80);
    assert_eq!(parse("", RootVersion::V1_1, Scope::Global).unwrap().flags, 0);
    let e = parse(text, RootVersion::V1_1, Scope::Global).unwrap_err();
    assert_eq!((e[0].offset, e[0].message.as_str()), (10, "LOCAL_ROOT_SIGNATURE in a global root signature"));
}

#[test]
fn record_layout_of_mixed_arguments() {
    let text = "RootConstants(num32BitConstants=5, b1, space=1), CBV(b0), RootConstants(num32BitConstants=1, b2), \
         DescriptorTable(SRV(t0, numDescriptors=3), UAV(u0, offset=10), UAV(u5, numDescriptors=unbounded)), \
         RootConstants(num32BitConstants=2, b3), SRV(t9), UAV(u1), StaticSampler(s0)";
    let s = parse(text, RootVersion::V1_1, Scope::Local).unwrap();
    let d = record_layout(&s).unwrap();
    let places: Vec<_> = d.params.iter().map(|p| (p.offset, p.size, p.kind)).collect();
    assert_eq!(
        places,
        [
            (0, 20, RecordParamKind::Constants),
            (24, 8, RecordParamKind::Cbv),
            (32, 4, RecordParamKind::Constants),
            (40, 8, RecordParamKind::Table),
            (48, 8, RecordParamKind::Constants),
            (56, 8, RecordParamKind::Srv),
            (64, 8, RecordParamKind::Uav),
        ]
    );
    assert_eq!(d.size, 72);
    let table: Vec<_> = d.params[3].binds.iter().map(|b| (b.class, b.register, b.count, b.table_offset)).collect();
    assert_eq!(table, [(ResourceClass::Srv, 0, 3, 0), (ResourceClass::Uav, 0, 1, 10), (ResourceClass::Uav, 5, UNBOUNDED, 11),]);
    let first = d.params[0].binds[0];
    assert_eq!((first.class, first.register, first.space, first.count), (ResourceClass::Cbv, 1, 1, 1));
}

#[test]
fn records_are_limited_and_nothing_else() {
    // Local root signatures may exceed the 64 words of global ones.
    let fits = "RootConstants(num32BitConstants=1016, b0)";
    let s = parse(fits, RootVersion::V1_1, Scope::Local).unwrap();
    assert_eq!(record_layout(&s).unwrap().size, MAX_RECORD_DATA);
    for text in ["RootConstants(num32BitConstants=1017, b0)", "RootConstants(num32BitConstants=4294967295, b0)"] {
        let e = parse(text, RootVersion::V1_1, Scope::Local).unwrap_err();
        assert!(e[0].message.contains("the limit is 4064"), "{}", e[0]);
    }
    assert_eq!(record_layout(&parse(LOCAL, RootVersion::V1_1, Scope::Local).unwrap()).unwrap().size, 20);
}

#[test]
fn damaged_bytes_and_text_never_panic() {
    let mut random = Random(0xdead_beef_cafe_f00d);
    let signature = parse_1_1(EVERYTHING).unwrap();
    let clean = write(&signature);
    for len in 0..clean.len() {
        assert!(read(&clean[..len]).is_err(), "cut to {len}");
    }
    let mut data = clean.clone();
    for _ in 0..50_000 {
        data.copy_from_slice(&clean);
        random.damage(&mut data);
        if let Ok(s) = read(&data) {
            check(&s);
            let _ = record_layout(&s);
            let _ = s.to_string();
        }
    }
    for _ in 0..20_000 {
        let mut text = EVERYTHING.as_bytes().to_vec();
        for _ in 0..1 + random.below(3) {
            let at = random.below(text.len());
            match random.below(3) {
                0 => drop(text.remove(at)),
                1 => text.insert(at, b"(),=|0bs -.e"[random.below(12)]),
                _ => text.truncate(at + 1),
            }
        }
        let text = String::from_utf8(text).unwrap();
        if let Err(errors) = parse_1_1(&text) {
            for e in errors {
                assert!(text.is_char_boundary(e.offset) && text.is_char_boundary(e.offset + e.len), "{e}");
            }
        }
    }
}

#[test]
fn shared_ranges_cannot_blow_up_the_model() {
    // 1000 tables that all point at the same 1000 ranges.
    let mut data = Vec::new();
    let n = 1000u32;
    let table_at = 24 + 12 * n;
    for word in [2, n, 24, 0, 0, 0] {
        data.extend(u32::to_le_bytes(word));
    }
    for _ in 0..n {
        for word in [0, 0, table_at] {
            data.extend(u32::to_le_bytes(word));
        }
    }
    for word in [n, table_at + 8] {
        data.extend(u32::to_le_bytes(word));
    }
    data.extend(vec![0; 24 * n as usize]);
    assert!(read(&data).unwrap_err().reason.contains("more ranges together"));
}
