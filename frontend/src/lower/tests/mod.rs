//! Tests of the lowering: snapshots of the IR of the sources in this folder (`RTC_BLESS=1` rewrites them), and programs that
//! an interpreter of the IR runs without any pass, compared with the results that HLSL defines.

mod run;
mod semantics;

use rtc_base::render::{Style, render};
use rtc_base::{Interner, SourceMap};

use super::{Options, lower};
use crate::preprocess::{NoIncludes, PreprocessOptions};
use crate::sema::{SemaOptions, check};

/// The module of a source, or its diagnostics.
fn compile(name: &str, text: &str) -> Result<rtc_ir::Module, String> {
    let mut sources = SourceMap::new();
    let mut names = Interner::new();
    let main = sources.add_file(name, text, None).ok_or("too large")?;
    let parsed = crate::parse(&mut sources, &mut names, main, &PreprocessOptions::default(), &mut NoIncludes);
    let mut diags = parsed.diagnostics;
    let opts = SemaOptions { native_16bit: text.starts_with("// native16"), ..SemaOptions::default() };
    let failed = |diags: &[rtc_base::Diagnostic]| diags.iter().any(rtc_base::Diagnostic::is_error);
    let show =
        |sources: &SourceMap, diags: &[rtc_base::Diagnostic]| diags.iter().map(|d| render(sources, d, Style::Short)).collect::<String>();
    if failed(&diags) {
        return Err(show(&sources, &diags));
    }
    let (hir, more) = check(&parsed.ast, &sources, &mut names, &opts);
    diags.extend(more);
    if failed(&diags) {
        return Err(show(&sources, &diags));
    }
    let options = Options {
        shader_model: opts.shader_model.into(),
        native_16bit: opts.native_16bit,
        payload_qualifiers: opts.payload_qualifiers_on(),
        ..Options::default()
    };
    let (module, more) = lower(&hir, &names, &options);
    if !more.is_empty() {
        return Err(show(&sources, &more));
    }
    Ok(module)
}

/// The module of a correct source; it is verified, printed and parsed back.
#[track_caller]
fn module(name: &str, text: &str) -> rtc_ir::Module {
    let m = match compile(name, text) {
        Ok(m) => m,
        Err(e) => panic!("{name}:\n{e}"),
    };
    if let Err(errors) = rtc_ir::verify::verify(&m) {
        panic!("{name}:\n{}", rtc_ir::verify::print_with_errors(&m, &errors));
    }
    let printed = rtc_ir::text::print(&m);
    match rtc_ir::text::parse(&printed) {
        Ok(again) => assert_eq!(rtc_ir::text::print(&again), printed, "{name} does not survive printing"),
        Err(e) => panic!("{name}: {e}\n{printed}"),
    }
    m
}

#[test]
fn coherence_is_unified_where_resources_mix() {
    let text = "globallycoherent RWTexture2D<float4> G; RWTexture2D<float4> H; globallycoherent RWBuffer<uint> B; RWBuffer<uint> C;
        void put(RWTexture2D<float4> t) { t[uint2(0, 0)] = 1; }
        [shader(\"raygeneration\")] void A() { put(G); put(H); B[0] = 1; C[0] = 1; }";
    let m = module("test", text);
    let coherent = |name: &str| {
        let g = m.globals.values().find(|g| g.name == name).expect("a global");
        let r = m.types.as_resource(g.ty()).expect("a resource");
        r.flags.contains(rtc_tables::resources::ResourceFlags::COHERENT)
    };
    assert_eq!(["G", "H", "B", "C"].map(coherent), [true, true, true, false]);
}

#[test]
fn sources_match_their_snapshots() {
    let dir = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/lower/tests");
    let mut files: Vec<_> = std::fs::read_dir(&dir)
        .expect("the folder is there")
        .filter_map(|e| e.ok().map(|e| e.path()))
        .filter(|p| p.extension().is_some_and(|x| x == "hlsl"))
        .collect();
    files.sort();
    assert!(!files.is_empty());
    let bless = std::env::var_os("RTC_BLESS").is_some();
    let mut wrong = Vec::new();
    for path in files {
        let name = path.file_name().map(|n| n.to_string_lossy().to_string()).unwrap_or_default();
        let text = std::fs::read_to_string(&path).expect("sources can be read");
        let printed = rtc_ir::text::print(&module(&name, &text));
        let snapshot = path.with_extension("rtir");
        if bless {
            std::fs::write(&snapshot, printed).expect("expectations can be written");
        } else if std::fs::read_to_string(&snapshot).unwrap_or_default() != printed {
            wrong.push(name);
        }
    }
    assert!(wrong.is_empty(), "{wrong:?} gave other text than before; RTC_BLESS=1 accepts it");
}
