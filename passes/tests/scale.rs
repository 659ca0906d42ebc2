//! Passes take time in proportion to the program, and no program is too deep for them.

use std::time::Instant;

use rtc_ir::text::parse;
use rtc_ir::{Builder, Function, Module, Opcode, Region, Root, Stage, Type};
use rtc_oracles::measure::spent;
use rtc_passes::pipeline::MERGE_LOADS;
use rtc_passes::{Level, PassCtx, PipelineError, pipeline, run_passes};

fn empty() -> Module {
    parse("module sm 6.3\ng0 = resource \"mem\" : res(uav raw) space 0\n").unwrap()
}

/// `n` statements on `n / 8` locals, with branches. `traces`: after so many statements a ray is traced each time.
fn long(n: usize, traces: usize) -> Module {
    let mut m = parse(
        "module sm 6.3\nstruct s0 \"P\" { \"a\" : i32 }\ng0 = resource \"mem\" : res(uav raw) space 0\ng1 = resource \"scene\" : res(srv accel) space 0\n",
    )
    .unwrap();
    let mut f = Function::new("Main", Stage::RayGeneration);
    let payload = m.types.struct_(rtc_ir::Struct::from_u32(0));
    let slot = f.add_slot(rtc_ir::SlotRole::PayloadOut, payload, "p");
    let scene = rtc_ir::Global::from_u32(1);
    let scene_ty = m.globals[scene].ty();
    let half = f.const_f32(0.5);
    let locals: Vec<_> = (0..n / 8 + 1).map(|i| f.add_local(Type::I32, format!("l{i}"))).collect();
    let body = f.body;
    let g = rtc_ir::Global::from_u32(0);
    let ty = m.globals[g].ty();
    let one = f.const_i32(1);
    let mut b = Builder::at(&mut m.types, &mut f, body);
    let mem = b.resource(g, None, false, ty);
    for (i, &l) in locals.iter().enumerate() {
        let at = b.func.const_u32(4 * i as u32);
        let v = b.many_value(Opcode::raw_load, 4, &[mem, at], Type::I32);
        b.store(Root::Local(l), &[], &[], v);
    }
    for i in 0..n {
        let from = Root::Local(locals[i * 7 % locals.len()]);
        let to = Root::Local(locals[i % locals.len()]);
        let x = b.load(from, &[], &[], Type::I32);
        let y = b.binary(Opcode::iadd, x, one);
        let z = b.binary(Opcode::imul, y, x);
        b.store(to, &[], &[], z);
        if i % 10 == 0 {
            let cond = b.binary(Opcode::ult, x, one);
            let (then_, else_): (Region, Region) = (b.func.add_region(), b.func.add_region());
            b.if_(cond, then_, else_, &[]);
            b.region = then_;
            b.store(to, &[], &[], y);
            b.exit(Opcode::yield_, &[]);
            b.region = else_;
            b.exit(Opcode::yield_, &[]);
            b.region = body;
        }
        if i % traces == traces - 1 {
            let s = b.resource(scene, None, false, scene_ty);
            let v = b.splat(half, 3);
            b.slot(Opcode::trace_ray, slot, &[s, one, one, one, one, one, v, half, v, half]);
        }
    }
    for (i, &l) in locals.iter().enumerate() {
        let at = b.func.const_u32(i as u32);
        let v = b.load(Root::Local(l), &[], &[], Type::I32);
        b.many(Opcode::raw_store, 4, &[mem, at, v], &[]);
    }
    b.exit(Opcode::return_, &[]);
    m.funcs.push(f);
    m
}

fn seconds(n: usize, traces: usize) -> f64 {
    let mut m = long(n, traces);
    if std::env::var_os("RTC_TIMES").is_some() {
        for name in pipeline(Level::O2).passes() {
            let t = Instant::now();
            run_passes(&mut m, &[name], &PassCtx { check: false }).unwrap();
            println!("{n} {name} {:?} {}", t.elapsed(), m.funcs.values().next().unwrap().insts.len());
        }
    }
    let before = spent();
    pipeline(Level::O2).run(&mut m, &PassCtx { check: false }).unwrap();
    MERGE_LOADS.run(&mut m, &PassCtx { check: false }).unwrap();
    (spent() - before).as_secs_f64()
}

#[test]
fn time_is_in_proportion_to_size() {
    for traces in [usize::MAX, 400] {
        seconds(1000, traces);
        let (small, large) = (seconds(4_000, traces), seconds(64_000, traces));
        assert!(large < small * 16.0 * 6.0 + 0.5, "{small} s and {large} s for 16 times as much");
    }
}

#[test]
fn the_deepest_nesting_that_is_allowed_works() {
    for (depth, fits) in [(900, true), (1100, false)] {
        let mut text = String::from(
            "module sm 6.3\nfn fn0 \"f\" stage library -> i32 {\nl0 = local i32\nv0 = const i32 1\nr0:\nv2 = ray_flags : i32 v1 = ieq v2, v0 : bool\n",
        );
        for i in 1..=depth {
            text += &format!("if v1 {{ r{i}:\n");
        }
        text += "store l0, v0\nyield } ";
        for i in 1..=depth {
            let next = if i == depth { "" } else { "return v0 }" };
            text += &format!("else {{ r{}: return v2 }} {next}\n", depth + i);
        }
        text += "return v2 }\nfn fn1 \"Main\" stage miss { r0: v0 = call fn0() : i32 return }\n";
        let mut m = parse(&text).unwrap();
        let done = pipeline(Level::O2).run(&mut m, &PassCtx { check: true });
        match done {
            Ok(_) => assert!(fits),
            Err(e) => assert!(!fits && matches!(e, PipelineError::Failed { .. }), "{e}"),
        }
    }
}

#[test]
fn exponential_inlining_is_refused() {
    let mut text = String::from("module sm 6.3\nfn fn0 \"f\" stage library { r0: v0 = ray_flags : i32 return }\n");
    for i in 1..60 {
        let p = i - 1;
        text += &format!("fn fn{i} \"f\" stage library {{ r0: call fn{p}() call fn{p}() return }}\n");
    }
    text += "fn fn60 \"Main\" stage miss { r0: call fn59() return }\n";
    let mut m = parse(&text).unwrap();
    let e = run_passes(&mut m, &["inline"], &PassCtx { check: false }).unwrap_err();
    assert!(e.to_string().contains("too many instructions"), "{e}");
}

#[test]
fn unknown_passes_are_named() {
    let e = run_passes(&mut empty(), &["inlin"], &PassCtx::default()).unwrap_err();
    assert_eq!(e.to_string(), "unknown pass `inlin`");
}

/// Queries and ranges in nests of loops: each loop is walked as often as what it carries changes, not as often as those around it together.
#[test]
fn nests_of_loops_do_not_multiply() {
    let time = |depth: usize| {
        let mut text = String::from(
            "module sm 6.9\ng0 = resource \"S\" : res(srv accel) space 0\ng1 = resource \"B\" : res(uav raw) space 0\nfn fn0 \"Main\" stage raygen {\n\
             pl0 = ray query query(0 0) \"q\"\nv0 = const i32 0 v1 = const i32 1 v2 = const f32 1.0 v3 = const i32 16\nr0:\n\
             v4 = allocate_ray_query pl0 : query(0 0)\nv5 = resource g0 v6 = resource g1 v7 = construct v2, v2, v2 : f32x3\n",
        );
        let mut n = 8;
        let mut close = Vec::new();
        for d in 0..depth {
            let (r, v) = (1 + 4 * d, n);
            n += 4;
            text += &format!(
                "loop (v0) {{ r{r}(v{v} : i32): v{a} = ult v{v}, v3 : bool if v{a} {{ r{y}: yield }} else {{ r{z}: break r{r} }}\n\
                 ray_query_trace_ray_inline v4, v5, v0, v{v}, v7, v2, v7, v2\n",
                a = v + 1,
                y = r + 1,
                z = r + 2,
            );
            close.push(format!(
                "continue r{r}(v{v}) }} continuing {{ r{c}(v{b} : i32): v{e} = iadd v{b}, v1 : i32 next v{e} }}\n",
                c = r + 3,
                b = v + 2,
                e = v + 3
            ));
        }
        text += &format!(
            "v{n} = ray_query_proceed v4 : bool if v{n} {{ r{a}: yield }} else {{ r{b}: yield }}\n",
            a = 4 * depth + 1,
            b = 4 * depth + 2
        );
        for c in close.iter().rev() {
            text += c;
        }
        text += "return }\n";
        let m = parse(&text).unwrap_or_else(|e| panic!("{e}"));
        if let Err(errors) = rtc_ir::verify::verify(&m) {
            panic!("{}", rtc_ir::verify::print_with_errors(&m, &errors));
        }
        let before = spent();
        assert!(rtc_passes::check_rays(&m, None, false).is_empty());
        (spent() - before).as_secs_f64()
    };
    time(10);
    let (small, large) = (time(20), time(160));
    assert!(large < small * 8.0 * 8.0 * 4.0 + 0.5, "{small} s and {large} s for 8 times the depth");
}
