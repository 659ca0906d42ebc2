//! Live bytes across reorder points of the samples: `reorder_motion` reduces their sum in each sample that has points, and increases them at none.

use std::path::{Path, PathBuf};

use rtc::passes::reorder::{across, bytes_across};
use rtc::passes::{Level, PassCtx, find, pipeline, run_pass, run_passes};
use rtc::{Disk, OptLevel, Options, Product, Profile, Target, compile, ir};

fn samples() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace").join("samples");
    let mut all: Vec<PathBuf> = std::fs::read_dir(root)
        .expect("the samples")
        .filter_map(|e| {
            let dir = e.expect("an entry").path();
            let name = dir.file_name()?.to_str()?.to_owned();
            Some(dir.join(format!("{name}.hlsl"))).filter(|p| p.is_file())
        })
        .collect();
    all.sort();
    assert!(all.len() >= 3);
    all
}

/// The IR of a sample before optimisation.
fn module(path: &Path) -> ir::Module {
    let text = std::fs::read(path).expect("the source");
    let line = String::from_utf8_lossy(&text).lines().next().unwrap_or_default().to_owned();
    let words: Vec<&str> = line.strip_prefix("// rtc ").unwrap_or_default().split_whitespace().collect();
    let profile = words.iter().position(|w| *w == "-T").map_or("lib_6_3", |n| words[n + 1]);
    let mut o = Options::new(Profile::parse(profile).expect("a profile"));
    o.target = Target::Ir;
    o.level = OptLevel::O0;
    o.hlsl_version = 2021;
    o.native_16bit = words.contains(&"-enable-16bit-types");
    let name = path.to_string_lossy();
    let c = compile(&name, &text, &mut Disk, &o);
    match c.product {
        Some(Product::Ir(text)) => ir::text::parse(&text).expect("printed IR parses"),
        _ => panic!("{name}: {:?}", c.diagnostics.first().map(|d| &d.message)),
    }
}

#[test]
fn samples_carry_less_across_reorder_points() {
    let cx = PassCtx { check: false };
    let (mut points, mut all) = (0, (0, 0));
    for path in samples() {
        let mut m = module(&path);
        let names: Vec<&str> = pipeline(Level::O3).passes().into_iter().filter(|n| *n != "reorder_motion").collect();
        run_passes(&mut m, &names, &cx).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let states: Vec<_> = m.funcs.values().map(|f| across(&m, f)).collect();
        let before = bytes_across(&m);
        run_pass(&mut m, find("reorder_motion").expect("the pass"), &cx).expect("it runs");
        let after = bytes_across(&m);
        println!("{}: {before} -> {after} bytes", path.file_stem().unwrap_or_default().to_string_lossy());
        for (f, old) in m.funcs.values().zip(&states) {
            for now in across(&m, f) {
                let was = old.iter().find(|s| s.point == now.point).expect("points stay");
                println!("  {} {}: {} -> {}", f.name, f.op(now.point), was.bytes(), now.bytes());
                assert!(now.bytes() <= was.bytes(), "{}: more across {}", path.display(), now.point);
                points += 1;
            }
        }
        // Without a rematerialisable value there is nothing to gain.
        let possible = states.iter().flatten().flat_map(|s| &s.values).any(|v| v.recompute.is_some());
        assert!(after < before || !possible, "{}: {before} bytes stay {after}", path.display());
        all = (all.0 + before, all.1 + after);
    }
    println!("{points} points, {} -> {} bytes", all.0, all.1);
    assert!(points >= 10 && all.1 < all.0);
}
