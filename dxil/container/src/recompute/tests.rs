//! Tests: recomputed parts equal the stored ones of the reference compiler's containers; variables in constants; type sizes.

use super::layout::{Sizes, align_of, size_of};
use super::uses::Uses;
use super::{Recomputed, of_container};
use crate::{Container, FourCc, sfi0};
use rtc_dxil_module::{Global, LAYOUT_MIN_PRECISION, LAYOUT_NATIVE_16BIT, Module, Value};
use rtc_dxil_testing::corpus;

/// Differences between what is stored and what is recomputed; none if there are none.
#[track_caller]
fn agree(name: &str, bytes: &[u8]) -> Recomputed {
    let container = Container::parse(bytes).unwrap_or_else(|e| panic!("{name}: {e}"));
    let again = of_container(&container).unwrap_or_else(|e| panic!("{name}: {e}"));
    let stored = sfi0::read(container.require(FourCc::SFI0).unwrap()).unwrap();
    assert_eq!(again.features(), stored, "{name}: SFI0");
    assert_eq!(again.flags, again.info.flags(), "{name}: flags");
    let part = |cc| container.part(cc).map(|p| p.data.clone());
    if let (Some(mine), Some(theirs)) = (again.rdat_bytes(), part(FourCc::RDAT)) {
        let model = |b: &[u8]| crate::rdat::Rdat::read(b).unwrap();
        assert_eq!(model(&mine), model(&theirs), "{name}: RDAT");
        assert!(mine == theirs, "{name}: bytes of RDAT");
    }
    assert_eq!(again.psv.as_ref().map(|p| p.write()), part(FourCc::PSV0), "{name}: PSV0");
    again
}

#[test]
fn references_agree() {
    for (name, bytes) in corpus::ALL {
        agree(name, bytes);
    }
}

#[test]
fn every_function_names_what_is_inside_its_constants() {
    let mut m = Module::new();
    let word = m.types.i32();
    let all: Vec<Global> = (0..100).map(|n| m.add_global(&format!("g{n}"), word, true)).collect();
    let ptr = m.types.ptr(word);
    let table = m.types.array(ptr, all.len() as u64);
    let values: Vec<Value> = all.iter().map(|&g| Value::Global(g)).collect();
    let inner = m.aggregate(table, &values);
    let tables = m.types.array(table, 2);
    let outer = m.aggregate(tables, &[inner, inner]);
    let ty = m.types.function(tables, &[]);
    let (whole, one, none) = (m.add_function("whole", ty), m.add_function("one", ty), m.add_function("none", ty));
    let yes = m.i1(true);
    let mut b = m.define(whole);
    // Used over and over, and each of its parts too, but looked into once.
    for _ in 0..100 {
        b.select(yes, inner, inner);
    }
    b.ret(Some(outer));
    m.define(one).load(values[7], 4);
    m.define(none).unreachable();
    let uses = Uses::new(&m);
    let named = |f| all.iter().filter(|g| uses.globals[f].contains(g)).count();
    assert_eq!([whole, one, none].map(named), [100, 1, 0]);
    assert!(uses.globals[one].contains(&all[7]));
    // A second function gets all variables again, although the first has got them.
    let again = m.add_function("again", ty);
    m.define(again).ret(Some(outer));
    assert_eq!(Uses::new(&m).globals[again].len(), 100);
}

#[test]
fn vectors_structures_and_what_has_no_size() {
    let mut m = Module::new();
    let (half, byte) = (m.types.half(), m.types.int(8));
    let long = m.types.int(64);
    let triple = m.types.vector(half, 3);
    let both = m.types.anon_struct(&[byte, long, triple]);
    let huge = m.types.array(both, u64::MAX / 8);
    let sizes = |m: &Module| [half, triple, both].map(|t| (size_of(m, t), align_of(m, t)));
    m.data_layout = LAYOUT_MIN_PRECISION.into();
    assert_eq!(sizes(&m), [(4, 4), (12, 4), (32, 8)]);
    m.data_layout = LAYOUT_NATIVE_16BIT.into();
    assert_eq!(sizes(&m), [(2, 2), (6, 2), (24, 8)]);
    assert_eq!(Sizes::default().field(&m, both, 2), Some(16));
    let void = m.types.void();
    assert_eq!([huge, void].map(|t| Sizes::default().of(&m, t)), [None; 2]);
    assert_eq!(size_of(&m, huge), u64::MAX);
}
