//! The verifier finds what each file under `tests/verify` says at the end of its lines: `; error: …`.
//! `RTC_BLESS=1 cargo test` rewrites the files.

use rtc_ir::text::{parse, print};
use rtc_ir::verify::{print_with_errors, verify};

#[test]
fn annotated_files() {
    let dir = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/verify");
    let bless = std::env::var_os("RTC_BLESS").is_some();
    let mut files: Vec<_> = std::fs::read_dir(dir).unwrap().map(|f| f.unwrap().path()).collect();
    files.sort();
    assert!(!files.is_empty());
    for path in files {
        let text = std::fs::read_to_string(&path).unwrap();
        let (head, body): (Vec<&str>, Vec<&str>) = text.split_inclusive('\n').partition(|l| l.starts_with(';'));
        let (head, body) = (head.concat(), body.concat());
        let m = parse(&text).unwrap_or_else(|e| panic!("{}:{e}", path.display()));
        let found = match verify(&m) {
            Ok(()) => print(&m),
            Err(errors) => print_with_errors(&m, &errors),
        };
        if bless {
            std::fs::write(&path, head + &found).unwrap();
        } else {
            assert_eq!(found, body, "{}: RTC_BLESS=1 rewrites it", path.display());
        }
    }
}

#[test]
fn a_recursive_structure_is_refused() {
    let m = parse("module sm 6.3\nstruct s0 \"A\" {\n \"b\" : [2 x s1] }\nstruct s1 \"B\" { \"a\" : s0 }").unwrap();
    let errors = verify(&m).unwrap_err();
    assert_eq!(errors[0].to_string(), "struct s1: recursive type: contains itself through s0");
}

#[test]
fn exponential_structures_are_refused_quickly() {
    for empty in [true, false] {
        let field = if empty { "" } else { "\"x\" : f32" };
        let mut text = format!("module sm 6.3\nstruct s0 \"s\" {{ {field} }}\n");
        for i in 1..60 {
            let p = i - 1;
            text += &format!("struct s{i} \"s\" {{ \"a\" : s{p} \"b\" : s{p} }}\n");
        }
        let errors = verify(&parse(&text).unwrap()).unwrap_err();
        assert!(errors[0].message.contains("too large"), "{}", errors[0]);
    }
}
