//! `.rtir` in, SPIR-V listing out: each case is compiled, judged by the SPIR-V validator, and compared with its
//! listing (`INSTA_UPDATE=always` rewrites it).

use std::path::Path;

use rspirv::binary::Disassemble;

fn cases() -> Vec<std::path::PathBuf> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let mut out: Vec<_> = std::fs::read_dir(dir)
        .unwrap()
        .map(|e| e.unwrap().path())
        .filter(|p| p.extension().is_some_and(|e| e == "rtir"))
        .collect();
    out.sort();
    assert!(!out.is_empty());
    out
}

fn compile(path: &Path) -> Vec<u32> {
    let text = std::fs::read_to_string(path).unwrap();
    let m = rtc_ir::text::parse(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    if let Err(errors) = rtc_ir::verify::verify(&m) {
        panic!("{}: {errors:?}", path.display());
    }
    let out = rtc_spirv::compile(&m, &Default::default(), &rtc_spirv::Options::default());
    out.unwrap_or_else(|e| panic!("{}: {e:?}", path.display())).words
}

#[test]
fn listings() {
    for path in cases() {
        let words = compile(&path);
        let mut loader = rspirv::dr::Loader::new();
        rspirv::binary::parse_words(&words, &mut loader).expect("rspirv reads the module");
        let listing = loader.module().disassemble() + "\n";
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        insta::assert_snapshot!(name, listing);
    }
}

#[test]
fn the_validator_accepts_them() {
    let validator = match rtc_oracles::SpirvVal::load() {
        Ok(v) => v,
        Err(missing) => return rtc_oracles::skip::skip(missing),
    };
    for path in cases() {
        let words = compile(&path);
        if let Err(e) = validator.validate(&words) {
            panic!("{}: {e}", path.display());
        }
    }
}
