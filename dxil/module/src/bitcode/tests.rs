//! Hostile bitcode: every trick must end in an error, quickly.

use super::bits::BitWriter;
use super::records::{constants, function, metadata, module as top, symtab, types};
use super::{MAGIC, read};
use rtc_oracles::measure::spent;
use std::time::Duration;

/// Bitcode with a module that `fill` writes.
fn module(fill: impl FnOnce(&mut BitWriter)) -> Vec<u8> {
    let mut w = BitWriter::new();
    for byte in MAGIC {
        w.fixed(byte.into(), 8);
    }
    w.enter(&top::BLOCK);
    w.record(&top::VERSION, &[1]);
    w.blockinfo();
    fill(&mut w);
    w.exit();
    w.finish()
}

/// The complaint about such a module, which must come soon.
#[track_caller]
fn refused(fill: impl FnOnce(&mut BitWriter)) -> String {
    let bytes = module(fill);
    let before = spent();
    let error = read(&bytes).expect_err("it is hostile");
    let took = spent() - before;
    assert!(took < Duration::from_secs(2), "{error} took {took:?}");
    assert!(error.bit() <= bytes.len() as u64 * 8);
    error.to_string()
}

/// A table of types: `i32` is 0, `void` 1, `void ()` 2, then what `more` adds.
fn type_table(w: &mut BitWriter, count: u64, more: impl FnOnce(&mut BitWriter)) {
    w.enter(&types::BLOCK);
    w.record(&types::NUMENTRY, &[3 + count]);
    w.record(&types::INTEGER, &[32]);
    w.record(&types::VOID, &[]);
    w.record(&types::FUNCTION, &[0, 1]);
    more(w);
    w.exit();
}

#[test]
fn types_are_limited() {
    let deep = refused(|w| {
        type_table(w, 100_000, |w| {
            w.record(&types::POINTER, &[0, 0]);
            (0..100_000u64).for_each(|i| w.record(&types::POINTER, &[3 + i, 0]));
        });
    });
    assert!(deep.contains("nested too deeply"), "{deep}");
    // Each type is twice as large as the one before when spelled out.
    let large = refused(|w| {
        type_table(w, 64, |w| {
            w.record(&types::STRUCT_ANON, &[0, 0, 0]);
            (0..63u64).for_each(|i| w.record(&types::STRUCT_ANON, &[0, 3 + i, 3 + i]));
        });
    });
    assert!(large.contains("nested too deeply"), "{large}");
    let itself = refused(|w| type_table(w, 1, |w| w.record(&types::POINTER, &[3, 0])));
    assert!(itself.contains("before its turn"), "{itself}");
    let nowhere = refused(|w| type_table(w, 1, |w| w.record(&types::POINTER, &[1 << 31, 0])));
    assert!(nowhere.contains("no type"), "{nowhere}");
    let missing = refused(|w| type_table(w, 2, |w| w.record(&types::POINTER, &[4, 0])));
    assert!(missing.contains("not there"), "{missing}");
    let count = refused(|w| {
        w.enter(&types::BLOCK);
        w.record(&types::NUMENTRY, &[u64::from(u32::MAX)]);
        w.exit();
    });
    assert!(count.contains("types"), "{count}");
}

#[test]
fn constants_are_limited() {
    // An array of itself, then one of the next and the next of it.
    for other in [0, 1] {
        let cycle = refused(|w| {
            type_table(w, 1, |w| w.record(&types::ARRAY, &[1, 0]));
            w.enter(&constants::BLOCK);
            w.record(&constants::SETTYPE, &[3]);
            w.record(&constants::AGGREGATE, &[other]);
            w.record(&constants::AGGREGATE, &[0]);
            w.exit();
        });
        assert!(cycle.contains("nested too deeply"), "{cycle}");
    }
    let chain = |first: u64, step: i64| {
        refused(move |w| {
            type_table(w, 0, |_| {});
            w.enter(&constants::BLOCK);
            w.record(&constants::SETTYPE, &[0]);
            w.record(&constants::INTEGER, &[2]);
            for i in 1..100_000i64 {
                w.record(&constants::CE_CAST, &[11, 0, (i + step) as u64]);
            }
            w.record(&constants::CE_CAST, &[11, 0, first]);
            w.exit();
        })
    };
    let backwards = chain(0, -1);
    assert!(backwards.contains("nested too deeply"), "{backwards}");
    let forwards = chain(0, 1);
    assert!(forwards.contains("nested too deeply"), "{forwards}");
    let large = refused(|w| {
        type_table(w, 1, |w| w.record(&types::STRUCT_ANON, &[0, 0, 0]));
        w.enter(&constants::BLOCK);
        w.record(&constants::SETTYPE, &[3]);
        w.record(&constants::UNDEF, &[]);
        (0..60u64).for_each(|i| w.record(&constants::AGGREGATE, &[i, i]));
        w.exit();
    });
    assert!(large.contains("too large"), "{large}");
    let elements = refused(|w| {
        type_table(w, 1, |w| w.record(&types::ARRAY, &[u64::MAX, 0]));
        w.enter(&constants::BLOCK);
        w.record(&constants::SETTYPE, &[3]);
        w.record(&constants::DATA, &[1, 2, 3]);
        w.exit();
    });
    assert!(elements.contains("wrong elements"), "{elements}");
}

#[test]
fn metadata_may_be_cyclic_but_not_dangling() {
    let bytes = module(|w| {
        w.enter(&metadata::BLOCK);
        w.record(&metadata::NODE, &[2]);
        w.record(&metadata::NODE, &[1, 0, 2]);
        w.record(&metadata::NAME, &[u64::from(b'n')]);
        w.record(&metadata::NAMED_NODE, &[0]);
        w.exit();
    });
    let m = read(&bytes).expect("a cycle is fine");
    let check = |m: &crate::Module| {
        let first = m.meta.named("n")[0];
        let second = m.meta.elems(first)[0].expect("a node");
        assert_eq!(m.meta.elems(first), [Some(second)]);
        assert_eq!(m.meta.elems(second), [Some(first), None, Some(second)]);
    };
    check(&m);
    check(&read(&super::write(&m)).expect("what is written can be read"));
    let dangling = refused(|w| {
        w.enter(&metadata::BLOCK);
        w.record(&metadata::NODE, &[7]);
        w.exit();
    });
    assert!(dangling.contains("does not exist"), "{dangling}");
    let kind = refused(|w| {
        w.enter(&metadata::BLOCK);
        w.record(&metadata::KIND, &[u64::from(u32::MAX), 97]);
        w.exit();
    });
    assert!(kind.contains("metadata kind"), "{kind}");
}

/// A module with one function whose body `fill` writes.
fn body(w: &mut BitWriter, fill: impl FnOnce(&mut BitWriter)) {
    type_table(w, 0, |_| {});
    w.record(&top::FUNCTION, &[2, 0, 0, 0, 0, 0, 0, 0]);
    w.enter(&function::BLOCK);
    fill(w);
    w.exit();
}

#[test]
fn bodies_refer_to_what_exists() {
    let count = refused(|w| body(w, |w| w.record(&function::DECLAREBLOCKS, &[1 << 32])));
    assert!(count.contains("blocks"), "{count}");
    let incomplete = refused(|w| body(w, |w| w.record(&function::DECLAREBLOCKS, &[1])));
    assert!(incomplete.contains("incomplete"), "{incomplete}");
    let ahead = refused(|w| {
        body(w, |w| {
            w.record(&function::DECLAREBLOCKS, &[1]);
            // The value three ahead, an i32.
            w.record(&function::RET, &[u64::from(-3i32 as u32), 0]);
        });
    });
    assert!(ahead.contains("type that was announced"), "{ahead}");
    let far = refused(|w| {
        body(w, |w| {
            w.record(&function::DECLAREBLOCKS, &[1]);
            w.record(&function::RET, &[1 << 31, 0]);
        });
    });
    assert!(far.contains("too far ahead") || far.contains("announced"), "{far}");
    let block = refused(|w| {
        body(w, |w| {
            w.record(&function::DECLAREBLOCKS, &[1]);
            w.record(&function::BR, &[1]);
        });
    });
    assert!(block.contains("no block 1"), "{block}");
    let none = refused(|w| {
        type_table(w, 0, |_| {});
        w.record(&top::FUNCTION, &[2, 0, 0, 0, 0, 0, 0, 0]);
    });
    assert!(none.contains("no body"), "{none}");
    let name = refused(|w| {
        w.enter(&symtab::BLOCK);
        w.record(&symtab::ENTRY, &[u64::from(u32::MAX), 97]);
        w.exit();
    });
    assert!(name.contains("no value"), "{name}");
}

#[test]
fn streams_cannot_make_something_of_nothing() {
    // A record that says it has four billion fields.
    let long = refused(|w| {
        w.fixed(3, 3);
        w.vbr(2, 6);
        w.vbr(u64::from(u32::MAX), 6);
    });
    assert!(long.contains("longer than"), "{long}");
    // An array whose elements take no bits.
    let nothing = refused(|w| {
        w.fixed(2, 3);
        w.vbr(3, 5);
        w.fixed(1, 1);
        w.vbr(2, 8);
        w.fixed(0, 1);
        w.fixed(3, 3);
        w.fixed(0, 1);
        w.fixed(1, 3);
        w.vbr(0, 5);
    });
    assert!(nothing.contains("array of nothing"), "{nothing}");
    let unknown = refused(|w| w.fixed(7, 3));
    assert!(unknown.contains("no abbreviation 7"), "{unknown}");
}
