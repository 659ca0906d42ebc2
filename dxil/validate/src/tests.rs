//! Tests: the containers of the reference compiler are valid, and flipped bits in them cause no panic.

use super::{container, module};
use rtc_dxil_container::program::Program;
use rtc_dxil_container::{Container, FourCc};
use rtc_dxil_module::bitcode;
use rtc_dxil_module::{Func, Linkage, Module, Value};
use rtc_dxil_testing::corpus;

#[test]
fn containers_of_the_reference_compiler_are_valid() {
    let mut wrong = String::new();
    for (name, data) in corpus::ALL {
        let report = container(data);
        if !report.is_valid() {
            wrong += &format!("{name}:\n{report}");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// A list of what runs before shaders may name functions that a library defines, and no others.
#[test]
fn static_variables_are_set_up_by_functions_of_the_library() {
    let file = Container::parse(corpus::get("rt_basic.Od.dxil")).expect("a container");
    let program = Program::read("DXIL", file.require(FourCc::DXIL).expect("a program")).expect("a header");
    let with_list = |set_up: fn(&mut Module) -> Func| {
        let mut m = bitcode::read(program.bitcode).expect("bitcode");
        let func = set_up(&mut m);
        let (i32, i8) = (m.types.i32(), m.types.int(8));
        let (data, function) = (m.types.ptr(i8), m.types.ptr(m.funcs[func].ty));
        let entry = m.types.anon_struct(&[i32, function, data]);
        let list = m.types.array(entry, 1);
        let (priority, null) = (m.i32(65535), m.null(data));
        let first = m.aggregate(entry, &[priority, Value::Func(func), null]);
        let init = m.aggregate(list, &[first]);
        let g = m.add_global("llvm.global_ctors", list, false);
        m.globals[g].linkage = Linkage::Appending;
        m.globals[g].init = Some(init);
        module(&m).findings.iter().map(|f| f.rule.id).collect::<Vec<_>>()
    };
    let defined = with_list(|m| {
        let void = m.types.void();
        let ty = m.types.function(void, &[]);
        let f = m.add_function("_GLOBAL__sub_I_set_up.hlsl", ty);
        m.funcs[f].linkage = Linkage::Internal;
        m.define(f).ret(None);
        f
    });
    assert!(defined.is_empty(), "{defined:?}");
    let operation = with_list(|m| m.funcs.keys().find(|&f| m.is_dx_op(f)).expect("an operation"));
    assert_eq!(operation, ["DECL.FNISCALLED"]);
}

/// Bits flip inside of parts, mostly in the bitcode. `RTC_FLIPS` says how many in each container.
#[test]
fn flipped_bits_do_not_panic() {
    let flips: usize = std::env::var("RTC_FLIPS").map_or(24, |n| n.parse().expect("RTC_FLIPS is a number"));
    let mut state = 0x1234_5678_9ABC_DEF1u64;
    let mut random = |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state as usize % below.max(1)
    };
    let mut found = 0;
    for (_, data) in corpus::ALL {
        let file = Container::parse(data).expect("a container");
        let code = file.part(FourCc::DXIL).expect("a program");
        for n in 0..flips {
            let mut data = data.to_vec();
            let (from, len) = if n % 4 == 0 { (32, data.len() - 32) } else { (code.offset, code.data.len()) };
            for _ in 0..1 + random(3) {
                let at = from + random(len);
                data[at] ^= 1 << random(8);
            }
            found += usize::from(!container(&data).is_valid());
        }
    }
    assert!(found > 0);
}
