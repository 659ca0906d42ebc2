//! DXIL that this compiler does not generate but others do: modules that are edited after compilation.

use crate::shader::{device, edited, run};
use rtc_dxil_module::{Attr, AttrKind, Block, Body, Builder, CastOp, FUNCTION_INDEX, Func, InstData, Module, Op, Value};

/// Switches go straight to where their empty cases go, as after the reference's optimiser: several ways from one block to another.
fn thread_empty_cases(m: &mut Module) -> usize {
    let mut most = 0;
    for func in m.funcs.keys().collect::<Vec<_>>() {
        let Some(body) = &mut m.funcs[func].body else { continue };
        for from in body.blocks.keys().collect::<Vec<_>>() {
            let Some(end) = body.terminator(from) else { continue };
            let Op::Switch { cases, .. } = body.insts[end].op else { continue };
            let mut threaded = Vec::new();
            for n in 0..body.values(cases).len() {
                let Value::Block(case) = body.values(cases)[n] else { continue };
                if let Some(to) = only_goes_on(body, case) {
                    body.values_mut(cases)[n] = Value::Block(to);
                    redirect(body, to, case, from);
                    body.blocks[case].clear();
                    threaded.push(to);
                }
            }
            most = threaded.iter().map(|t| threaded.iter().filter(|u| *u == t).count()).max().unwrap_or(0).max(most);
        }
        drop_empty(body);
    }
    most
}

fn only_goes_on(body: &Body, block: Block) -> Option<Block> {
    match body.blocks[block].as_slice() {
        [only] => {
            if let Op::Br(to) = body.insts[*only].op {
                Some(to)
            } else {
                None
            }
        }
        _ => None,
    }
}

fn redirect(body: &mut Body, to: Block, old: Block, new: Block) {
    for i in body.blocks[to].clone() {
        let Op::Phi(list) = body.insts[i].op else { continue };
        for v in body.values_mut(list) {
            if *v == Value::Block(old) {
                *v = Value::Block(new);
            }
        }
    }
}

/// Blocks without instructions go; the others move up.
fn drop_empty(body: &mut Body) {
    let kept: Vec<Block> = body.blocks.keys().filter(|&b| !body.blocks[b].is_empty()).collect();
    let old = std::mem::take(&mut body.blocks);
    let place = |b: Block| kept.iter().position(|&k| k == b).map_or(b, |n| Block::from_u32(n as u32));
    for &k in &kept {
        body.blocks.push(old[k].clone());
    }
    let ends: Vec<_> = body.blocks.values().filter_map(|b| b.last().copied()).collect();
    for end in ends {
        body.insts[end].op = match body.insts[end].op {
            Op::Br(to) => Op::Br(place(to)),
            Op::CondBr { cond, then, other } => Op::CondBr { cond, then: place(then), other: place(other) },
            Op::Switch { value, default, cases } => {
                for v in body.values_mut(cases) {
                    if let Value::Block(b) = v {
                        *b = place(*b);
                    }
                }
                Op::Switch { value, default: place(default), cases }
            }
            op => op,
        };
    }
    for i in body.blocks.values().flatten().copied().collect::<Vec<_>>() {
        if let Op::Phi(list) = body.insts[i].op {
            for v in body.values_mut(list) {
                if let Value::Block(b) = v {
                    *b = place(*b);
                }
            }
        }
    }
}

#[test]
fn several_cases_go_straight_to_what_follows() {
    // A block that is split, by an operation that may end the shader, ends in such a switch; one goes back in a loop.
    let source = "struct A { uint v; };
struct P { uint v; };
[shader(\"intersection\")] void Box() {
    uint v = 1, count = Out.Load(252) + 5;
    [loop] for (uint i = 0; i < count; ++i) {
        A a = { v };
        ReportHit(RayTCurrent() * 2, 3, a);
        switch (Out.Load(128 + i * 4) + i) {
            case 1: break;
            case 2: break;
            case 3: Out.Store(4, 9); v = v * 10 + Out.Load(248) + 2; break;
            default: Out.Store(8, 9); v = v * 10 + Out.Load(244) + 3; break;
        }
    }
    Out.Store(0, v);
}
[shader(\"closesthit\")] void Closest(inout P p, in A a) { p.v = 7; }
[shader(\"miss\")] void Miss(inout P p) { p.v = 8; }
ProceduralPrimitiveHitGroup Group = { \"\", \"Closest\", \"Box\" };
[shader(\"raygeneration\")] void Main() {
    P p = { 0 };
    TraceRay(Scene, RAY_FLAG_SKIP_TRIANGLES, 255, 0, 0, 0, to(20), p);
    Out.Store(12, p.v);
    uint v = 1, count = Out.Load(240) + 6;
    [loop] for (uint i = 0; i < count; ++i)
        switch (Out.Load(192) + i) {
            case 1: continue;
            case 2: continue;
            case 3: Out.Store(28, 9); v = v * 10 + Out.Load(236) + 4; break;
            default: Out.Store(32, 9); v = v * 10 + Out.Load(232) + 5; break;
        }
    Out.Store(16, v);
}";
    let made = edited("several_cases", source, "lib_6_5", |m| assert!(thread_empty_cases(m) > 1));
    for sanitize in [false, true] {
        let out = run(&mut device(|o| o.lower.sanitize = sanitize), &made).expect("it runs");
        assert_eq!(out[..5], [1323, 9, 9, 8, 15455], "sanitize {sanitize}");
    }
}

/// The shader of that name.
fn shader(m: &Module, name: &str) -> Func {
    let named = |f: &&Func| m.funcs[**f].body.is_some() && m.funcs[**f].name.contains(name);
    let all: Vec<Func> = m.funcs.keys().collect();
    *all.iter().find(named).expect("the shader")
}

/// Adds code in front of the end of a block.
fn add(m: &mut Module, func: Func, block: Block, code: impl FnOnce(&mut Builder<'_>)) {
    let end = m.funcs[func].body.as_mut().and_then(|b| b.blocks[block].pop()).expect("an end");
    code(&mut m.edit(func, block).expect("code"));
    m.funcs[func].body.as_mut().expect("code").blocks[block].push(end);
}

/// What loading or running says.
fn said(name: &str, text: &str, change: impl FnOnce(&mut Module)) -> String {
    run(&mut device(|_| {}), &edited(name, text, "lib_6_3", change)).expect_err(name).to_string()
}

/// A payload that is cast to the type of a shader is no larger for that; casts between sizes break a rule of DXIL. That what would
/// pass for one of the same size is seen too is tested where memory is lowered.
#[test]
fn a_payload_that_is_cast_to_a_larger_type() {
    let source = "struct P { float a; }; struct Q { float a[40]; };
[shader(\"miss\")] void Miss(inout Q q) { q.a[39] = 1; }
[shader(\"callable\")] void Keep(inout P p) { p.a = 1; }
[shader(\"raygeneration\")] void Main() { Q q = (Q)0; q.a[Out.Load(8)] = 3; TraceRay(Scene, 0, 255, 0, 0, 0, to(9), q); Out.Store(0, asuint(q.a[39])); }";
    let error = said("cast_payload", source, |m| {
        let main = shader(m, "Main");
        let (large, small) = (m.types.find_named("struct.Q").expect("Q"), m.types.find_named("struct.P").expect("P"));
        let (large_ptr, small_ptr) = (m.types.ptr(large), m.types.ptr(small));
        let body = m.funcs[main].body.as_mut().expect("code");
        let alloca = body.blocks.values().flatten().copied().find(|&i| body.insts[i].ty == large_ptr).expect("the payload");
        let cast = body.insts.push(body.insts[alloca]);
        let Op::Alloca { count, align, .. } = body.insts[alloca].op else { panic!("no variable") };
        body.insts[alloca] = InstData { op: Op::Alloca { allocated: small, count, align }, ty: small_ptr, loc: None.into() };
        body.map_values(|v| if v == Value::Inst(alloca) { Value::Inst(cast) } else { v });
        body.insts[cast].op = Op::Cast { op: CastOp::BitCast, value: Value::Inst(alloca) };
        let block = body.blocks.values_mut().find(|b| b.contains(&alloca)).expect("its block");
        let at = block.iter().position(|&i| i == alloca).expect("its place");
        block.insert(at + 1, cast);
    });
    assert!(error.contains("INSTR.PTRBITCAST"), "{error}");
}

/// An alloca in a loop body has one stack slot.
#[test]
fn a_variable_inside_of_a_loop() {
    let source = "[shader(\"raygeneration\")] void Main() {
    uint n = 0;
    [loop] for (uint i = 0; i < 1000000 + Out.Load(8); ++i) n += i ^ Out.Load(12);
    Out.Store(0, n);
}";
    let made = edited("loop_variable", source, "lib_6_3", |m| {
        let main = shader(m, "Main");
        let body = m.funcs[main].body.as_ref().expect("code");
        let block = body.blocks.keys().find(|&b| body.blocks[b].iter().any(|&i| matches!(body.insts[i].op, Op::Phi(_)))).expect("a loop");
        add(m, main, block, |b| {
            let int = b.module.types.i32();
            let list = b.module.types.array(int, 100);
            let list = b.alloca(list, 4);
            let (zero, last, seven) = (b.module.i32(0), b.module.i32(99), b.module.i32(7));
            let at = b.gep(true, list, &[zero, last]);
            b.store(seven, at, 4);
        });
    });
    match run(&mut device(|_| {}), &made) {
        Ok(out) => assert_eq!(out[0], (0..1_000_000u32).fold(0, u32::wrapping_add)),
        Err(e) => panic!("{e}"),
    }
}

/// `fp32-denorm-mode`: 32-bit floats alone are flushed, where the shader says so, and not where they are only moved.
#[test]
fn denormals_as_the_shader_says() {
    let source = "[shader(\"raygeneration\")] void Main() {
    uint zero = Out.Load(64);
    float small = asfloat(zero + 0x00400000), least = asfloat(zero + 0x00800000);
    double tiny = asdouble(zero + 1, zero), d = 1e-40L + tiny;
    uint low, high; asuint(tiny * 2, low, high);
    Out.Store4(0, uint4(asuint(small * 1.5), asuint(least * 0.5), small > 0, asuint(abs(small))));
    Out.Store4(16, uint4(low, asuint(WaveActiveMax(small)), asuint(float(d)), asuint(min(small, 1))));
    Out.Store4(32, uint4(asuint(-small * 2), asuint(sqrt(small)), asuint(WavePrefixSum(small) + 0.5), asuint(select(zero == 0, small, least))));
}".replace("select(zero == 0, small, least)", "zero == 0 ? small : least");
    let kept = [0x0060_0000, 0x0040_0000, 1, 0x0040_0000, 2, 0x0040_0000, 71362, 0x0040_0000];
    let flushed = [0, 0, 0, 0x0040_0000, 2, 0, 0, 0];
    for (mode, wanted) in [("", kept), ("any", kept), ("preserve", kept), ("ftz", flushed)] {
        let made = edited(&format!("denormals_{mode}"), &source, "lib_6_3", |m| {
            let main = shader(m, "Main");
            let mut attrs = vec![Attr::Flag(AttrKind::NoUnwind)];
            if !mode.is_empty() {
                attrs.push(Attr::Text("fp32-denorm-mode".into(), Some(mode.into())));
            }
            let group = m.attrs.group(FUNCTION_INDEX, &attrs);
            m.funcs[main].attrs = m.attrs.list(&[group]).into();
        });
        for sanitize in [false, true] {
            let out = run(&mut device(|o| o.lower.sanitize = sanitize), &made).expect("it runs");
            assert_eq!(out[..8], wanted, "{mode}");
            let keeps = wanted == kept;
            assert_eq!(
                out[8..12],
                [if keeps { 0x8080_0000 } else { 0x8000_0000 }, if keeps { 0x1FB5_04F3 } else { 0 }, 0.5f32.to_bits(), 0x0040_0000],
                "{mode}"
            );
        }
    }
}
