//! DXIL that this compiler does not write but others do: modules that are changed after they were compiled.

use crate::shader::{device, edited, run};
use rtc_dxil::module::{Block, Body, Module, Op, Value};

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
        [only] => if let Op::Br(to) = body.insts[*only].op { Some(to) } else { None },
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
    uint v = 1, rounds = Out.Load(252) + 5;
    [loop] for (uint i = 0; i < rounds; ++i) {
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
    uint v = 1, rounds = Out.Load(240) + 6;
    [loop] for (uint i = 0; i < rounds; ++i)
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
