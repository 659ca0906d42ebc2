//! Golden tests, `.rtir` to SPIR-V listing: each case is compiled, validated by the SPIR-V validator, and compared with its
//! listing (`INSTA_UPDATE=always` rewrites it).

use std::path::Path;

use rtc_spirv::Ser;

fn cases() -> Vec<std::path::PathBuf> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let mut out: Vec<_> =
        std::fs::read_dir(dir).unwrap().map(|e| e.unwrap().path()).filter(|p| p.extension().is_some_and(|e| e == "rtir")).collect();
    out.sort();
    assert!(!out.is_empty());
    out
}

/// The modules of a case with the names of their listings: with hit objects one for each extension.
fn compile(path: &Path) -> Vec<(String, Vec<u32>)> {
    let text = std::fs::read_to_string(path).unwrap();
    let m = rtc_ir::text::parse(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    if let Err(errors) = rtc_ir::verify::verify(&m) {
        panic!("{}: {errors:?}", path.display());
    }
    let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
    let with = |name: String, ser| {
        let purpose = rtc_spirv::Purpose { ser, ..rtc_spirv::Purpose::HOST };
        let out = rtc_spirv::compile(&m, &Default::default(), &Default::default(), purpose);
        (name, out.unwrap_or_else(|e| panic!("{}: {e:?}", path.display())).words)
    };
    let on = |ser: &str| text.lines().next().is_none_or(|l| !l.starts_with("# ser") || l.contains(ser));
    let has = m.funcs.values().any(rtc_spirv::legalize::hit_objects::any);
    match has {
        false => vec![with(name, Ser::Nv)],
        true => [("nv", Ser::Nv), ("ext", Ser::Ext)]
            .into_iter()
            .filter(|(n, _)| on(n))
            .map(|(n, ser)| with(format!("{name}_{n}"), ser))
            .collect(),
    }
}

fn listing(words: &[u32]) -> String {
    rtc_spirv::listing::listing(words).expect("the module is well formed") + "\n"
}

#[test]
fn listings() {
    for path in cases() {
        // Some are checked by the validator only.
        if path.file_stem().is_some_and(|n| n.to_string_lossy().starts_with("valid_")) {
            continue;
        }
        for (name, words) in compile(&path) {
            insta::assert_snapshot!(name, listing(&words));
        }
    }
}

#[test]
fn the_validator_accepts_them() {
    let validator = match rtc_oracles::SpirvVal::load() {
        Ok(v) => v,
        Err(missing) => return rtc_oracles::skip::skip(missing),
    };
    for path in cases() {
        for (name, words) in compile(&path) {
            if let Err(e) = validator.validate(&words) {
                panic!("{name}: {e}\n{}", listing(&words));
            }
        }
    }
}
