//! Signatures, pipeline information and feature bits of shaders of the graphics pipeline equal the reference compiler's, byte for byte, and
//! so do the comments of listings that show them.

use std::path::Path;

use rtc::{Define, NoIncludes, OptLevel, Options, Product, Profile, Version};
use rtc_dxil_container::{Container, FourCc};
use rtc_oracles::{facts, skip};

/// A shader: the base name of its containers, its source, profile, entry point, and what else its command line has.
struct Case {
    base: &'static str,
    source: &'static str,
    profile: &'static str,
    entry: &'static str,
    more: &'static [&'static str],
    /// A part that differs, with the reason.
    differs: Option<(FourCc, &'static str)>,
}

const fn case(base: &'static str, source: &'static str, profile: &'static str, entry: &'static str) -> Case {
    Case { base, source, profile, entry, more: &[], differs: None }
}

const CASES: &[Case] = &[
    case("vs_full", "vs_full", "vs_6_8", "VSMain"),
    case("vs_viewid", "vs_viewid", "vs_6_1", "main"),
    Case { more: &["16"], ..case("vs_pack", "vs_pack", "vs_6_2", "main") },
    Case { more: &["NO16"], ..case("vs_pack.no16", "vs_pack", "vs_6_0", "main") },
    case("sig_dyn.ps", "sig_dyn", "ps_6_0", "PSDyn"),
    Case {
        differs: Some((FourCc::PSV0, "an array of vectors is one variable, of the reference's one for each component")),
        ..case("sig_dyn.vs", "sig_dyn", "vs_6_0", "VSDyn")
    },
    case("sig_sort", "sig_sort", "vs_6_0", "main"),
    case("ps_interp", "ps_interp", "ps_6_0", "main"),
    case("ps_bary", "ps_bary", "ps_6_4", "main"),
    case("ps_outputs", "ps_outputs", "ps_6_0", "main"),
    case("ps_rov", "ps_rov", "ps_6_7", "main"),
    Case {
        differs: Some((FourCc::PSV0, "the reference computes with vectors since 6.9, whose components it does not tell apart")),
        ..case("ps_query", "ps_query", "ps_6_9", "main")
    },
    case("query_stages.vs", "query_stages", "vs_6_5", "VS"),
    case("gs_strip.tri", "gs_strip", "gs_6_1", "TriMain"),
    case("gs_strip.lineadj", "gs_strip", "gs_6_1", "LineAdj"),
    case("gs_strip.triadj", "gs_strip", "gs_6_1", "TriAdj"),
    case("gs_streams", "gs_streams", "gs_6_0", "main"),
    case("query_stages.gs", "query_stages", "gs_6_5", "GS"),
    case("tess_tri.hs", "tess_tri", "hs_6_0", "HS"),
    case("tess_tri.ds", "tess_tri", "ds_6_0", "DS"),
    case("tess_quad.hs", "tess_quad", "hs_6_0", "HS"),
    case("tess_quad.ds", "tess_quad", "ds_6_0", "DS"),
    case("tess_iso.hs", "tess_iso", "hs_6_1", "HS"),
    case("tess_iso.ds", "tess_iso", "ds_6_1", "DS"),
    case("query_stages.hs", "query_stages", "hs_6_5", "HS"),
    case("query_stages.ds", "query_stages", "ds_6_5", "DS"),
    case("mesh_tri.as", "mesh_tri", "as_6_5", "ASMain"),
    case("mesh_tri.ms", "mesh_tri", "ms_6_5", "MSMain"),
    Case {
        differs: Some((FourCc::PSV0, "the reference multiplies by zero without asking for what, and so three components are constant")),
        ..case("mesh_line_view", "mesh_line_view", "ms_6_6", "main")
    },
    case("query_stages.as", "query_stages", "as_6_5", "AS"),
    case("query_stages.ms", "query_stages", "ms_6_5", "MS"),
    case("rootsig_gfx", "rootsig_gfx", "ps_6_6", "main"),
    // Of a library, RDAT says what its entry points have.
    case("lib_graphics", "lib_graphics", "lib_6_8", ""),
];

/// Variants of containers: the end of the name, the validator version, whether the code is optimised.
const VARIANTS: &[(&str, Version, OptLevel)] = &[
    ("", Version::new(1, 10), OptLevel::O3),
    (".Od", Version::new(1, 10), OptLevel::O0),
    (".val16", Version::new(1, 6), OptLevel::O3),
    (".val14", Version::new(1, 4), OptLevel::O3),
];

const PARTS: [FourCc; 7] = [FourCc::ISG1, FourCc::OSG1, FourCc::PSG1, FourCc::PSV0, FourCc::SFI0, FourCc::RTS0, FourCc::RDAT];

fn compiled(folder: &Path, case: &Case, validator: Version, level: OptLevel) -> Vec<u8> {
    let name = format!("{}.hlsl", case.source);
    let text = std::fs::read(folder.join(&name)).unwrap_or_else(|e| panic!("{name}: {e}"));
    let defines = case.more.iter().filter(|m| **m != "16").map(|m| Define::parse(m)).collect();
    let mut options = Options {
        entry: case.entry.into(),
        native_16bit: case.more.contains(&"16"),
        defines,
        level,
        ..Options::new(Profile::parse(case.profile).expect("a profile"))
    };
    options.dxil.validator = validator;
    let c = rtc::compile(&name, &text, &mut NoIncludes, &options);
    match c.product {
        Some(Product::Dxil(bytes)) => bytes,
        _ => panic!("{}: {}", case.base, c.diagnostics.iter().map(|d| format!("{}\n", d.message)).collect::<String>()),
    }
}

#[test]
fn parts_equal_the_reference() {
    let folder = match facts::shared_dir() {
        Ok(shared) => shared.join("reference/graphics"),
        Err(m) => return skip::skip(m),
    };
    let (mut problems, mut compared) = (Vec::new(), 0);
    for case in CASES {
        for &(variant, validator, level) in VARIANTS {
            let Ok(bytes) = std::fs::read(folder.join(format!("{}{variant}.dxil", case.base))) else { continue };
            let theirs = Container::parse(&bytes).expect("a container");
            let ours = Container::parse(&compiled(&folder, case, validator, level)).expect("a container");
            compared += 1;
            for name in PARTS {
                let data = |c: &Container| c.part(name).map(|p| p.data.clone());
                let same = data(&theirs) == data(&ours);
                let known = case.differs.filter(|d| d.0 == name);
                match known {
                    Some((_, why)) if same => problems.push(format!("{}{variant}: {name} is equal now, not: {why}", case.base)),
                    None if !same => problems.push(format!("{}{variant}: {name} differs", case.base)),
                    _ => {}
                }
            }
        }
    }
    assert!(compared >= 50, "{compared} containers of the reference were found");
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// The comments before a module, but for the hash of its code.
fn comments(listing: &str) -> Vec<&str> {
    listing.lines().take_while(|l| l.starts_with(';')).filter(|l| !l.starts_with("; shader hash:")).map(str::trim_end).collect()
}

#[test]
fn comments_of_listings_equal_the_reference() {
    let folder = match facts::shared_dir() {
        Ok(shared) => shared.join("reference/graphics"),
        Err(m) => return skip::skip(m),
    };
    let (mut problems, mut compared) = (Vec::new(), 0);
    for case in CASES {
        let Ok(expected) = std::fs::read_to_string(folder.join(format!("{}.ll", case.base))) else { continue };
        let text = rtc::dis::disassemble(&compiled(&folder, case, Version::new(1, 10), OptLevel::O3)).expect("a listing");
        let (ours, theirs) = (comments(&text), comments(&expected));
        compared += 1;
        let first =
            ours.iter().zip(&theirs).position(|(a, b)| a != b).or((ours.len() != theirs.len()).then(|| ours.len().min(theirs.len())));
        match (first, case.differs) {
            (Some(at), None) => {
                let line = |list: &[&str]| list.get(at).map_or("(nothing)".to_owned(), |l| (*l).to_owned());
                problems.push(format!("{}, line {}:\n  ours   {}\n  theirs {}", case.base, at + 1, line(&ours), line(&theirs)));
            }
            (None, Some((_, why))) => problems.push(format!("{}: the comments are equal now, not: {why}", case.base)),
            _ => {}
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    assert!(compared >= 30, "{compared} listings of the reference were found");
}

/// Bits flip in the programs of the reference's containers: the validator reports something or not, and does not panic.
#[test]
fn flipped_bits_do_not_panic() {
    let folder = match facts::shared_dir() {
        Ok(shared) => shared.join("reference/graphics"),
        Err(m) => return skip::skip(m),
    };
    let mut state = 0x9E37_79B9_7F4A_7C15u64;
    let mut random = |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state as usize % below
    };
    let mut found = 0;
    for case in CASES {
        let Ok(bytes) = std::fs::read(folder.join(format!("{}.dxil", case.base))) else { continue };
        let file = Container::parse(&bytes).expect("a container");
        let code = file.part(FourCc::DXIL).expect("a program");
        for _ in 0..60 {
            let mut data = bytes.clone();
            for _ in 0..1 + random(3) {
                data[code.offset + random(code.data.len())] ^= 1 << random(8);
            }
            found += usize::from(!rtc::validate::container(&data).is_valid());
        }
    }
    assert!(found > 100, "{found} findings");
}

/// Our validator takes every container of the reference, of all stages and validator versions.
#[test]
fn containers_of_the_reference_are_valid() {
    let folder = match facts::shared_dir() {
        Ok(shared) => shared.join("reference/graphics"),
        Err(m) => return skip::skip(m),
    };
    let files = std::fs::read_dir(&folder).expect("the folder of containers");
    let (mut problems, mut checked) = (String::new(), 0);
    for path in files.map(|f| f.expect("a file").path()).filter(|p| p.extension().is_some_and(|e| e == "dxil")) {
        // A root signature alone is no program.
        if path.to_string_lossy().ends_with(".rs.dxil") {
            continue;
        }
        let report = rtc::validate::container(&std::fs::read(&path).expect("a container"));
        checked += 1;
        if !report.is_valid() {
            problems += &format!("{}:\n{report}", path.display());
        }
    }
    assert!(checked >= 60, "{checked} containers of the reference were found");
    assert!(problems.is_empty(), "{problems}");
}
