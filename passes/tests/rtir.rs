//! Each file under `tests/rtir` names passes (`; RUN: fold dce`), gives a module, and after `; =>` the
//! module that the passes return. `RTC_BLESS=1 cargo test` rewrites what follows the arrow.

use rtc_ir::text::{parse, print};
use rtc_passes::{PassCtx, run_passes};

const ARROW: &str = "\n; =>\n";

#[test]
fn text_in_text_out() {
    let dir = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/rtir");
    let bless = std::env::var_os("RTC_BLESS").is_some();
    let mut files: Vec<_> = std::fs::read_dir(dir).unwrap().map(|f| f.unwrap().path()).collect();
    files.sort();
    assert!(files.len() > 8);
    for path in files {
        let name = path.display();
        let text = std::fs::read_to_string(&path).unwrap();
        let (input, expected) = text.split_once(ARROW).unwrap_or((&text, ""));
        let run = input.lines().find_map(|l| l.strip_prefix("; RUN: "));
        let passes: Vec<&str> = run.expect("a RUN line").split_whitespace().collect();
        let mut m = parse(input).unwrap_or_else(|e| panic!("{name}:{e}"));
        if let Err(errors) = rtc_ir::verify::verify(&m) {
            panic!("{name}: {}", rtc_ir::verify::print_with_errors(&m, &errors));
        }
        let found = match run_passes(&mut m, &passes, &PassCtx { check: true }) {
            Ok(_) => print(&m),
            Err(e) => format!("{e}\n"),
        };
        if bless {
            std::fs::write(&path, format!("{input}{ARROW}{found}")).unwrap();
        } else {
            assert_eq!(found, expected, "{name}: RTC_BLESS=1 rewrites it");
        }
    }
}
