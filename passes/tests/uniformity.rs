//! What is uniform: each file under `tests/uniformity` is a module in which the use of a value in `raw_store … ; uniform`
//! or `… ; varies` says what is expected of the value that is stored.

use rtc_ir::text::parse;
use rtc_ir::verify::{print_with_errors, verify};
use rtc_ir::{InstData, Opcode};
use rtc_passes::uniformity::Uniformity;

#[test]
fn values_are_uniform_or_vary_as_said() {
    let dir = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/uniformity");
    let mut files: Vec<_> = std::fs::read_dir(dir).unwrap().map(|f| f.unwrap().path()).collect();
    files.sort();
    let mut said = [0, 0];
    for path in files {
        let name = path.display();
        let text = std::fs::read_to_string(&path).unwrap();
        let m = parse(&text).unwrap_or_else(|e| panic!("{name}:{e}"));
        if let Err(errors) = verify(&m) {
            panic!("{name}: {}", print_with_errors(&m, &errors));
        }
        // Stores are in the text in the order of the traversal.
        let expected: Vec<(usize, bool)> = text
            .lines()
            .enumerate()
            .filter(|(_, l)| l.trim_start().starts_with("raw_store"))
            .map(|(n, l)| match l.rsplit("; ").next() {
                Some("uniform") => (n + 1, true),
                Some("varies") => (n + 1, false),
                _ => panic!("{name}:{}: no expectation for the value", n + 1),
            })
            .collect();
        let mut found = Vec::new();
        for f in m.funcs.values() {
            let known = Uniformity::of(&m, f);
            f.for_each_inst(f.body, |_, i| {
                if let InstData::Many { op: Opcode::raw_store, args, .. } = f.insts[i] {
                    found.push(known.is_uniform(f, f.get(args)[2]));
                }
            });
        }
        assert_eq!(found.len(), expected.len(), "{name}");
        for (found, (line, expected)) in found.into_iter().zip(expected) {
            assert_eq!(found, expected, "{name}:{line}: uniform?");
            said[usize::from(expected)] += 1;
        }
    }
    assert!(said[0] >= 15 && said[1] >= 15, "{said:?}");
}
