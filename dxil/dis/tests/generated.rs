//! Random modules: written, read and written again they stay what they were. A second of them in each run;
//! `RTC_SECONDS` says otherwise, `RTC_SEED` begins with a module that failed.

use std::time::{Duration, Instant};

use rtc_dxil_dis as dis;
use rtc_dxil_module::bitcode;
use rtc_dxil_module::{
    Attr, AttrKind, BinOp, Block, Builder, CastOp, CmpPred, FUNCTION_INDEX, Fields, Linkage, Meta, Module, Ordering, RmwOp, Type, TypeKind,
    Value, flags,
};
use rtc_test_support::Random;

/// A number, with those that are special more often than others.
fn number(r: &mut Random) -> u64 {
    match r.below(6) {
        0 => 0,
        1 => u64::MAX,
        2 => 1 << r.below(64),
        3 => r.bits() & 0xff,
        _ => r.bits(),
    }
}

fn scalar(m: &mut Module, r: &mut Random) -> Type {
    match r.below(9) {
        0 => m.types.half(),
        1 => m.types.double(),
        2 => m.types.i1(),
        3 => m.types.i8(),
        4 => m.types.i16(),
        5 => m.types.i64(),
        6 => m.types.float(),
        _ => m.types.i32(),
    }
}

/// A type that has values in memory.
fn any_type(m: &mut Module, r: &mut Random, known: &[Type]) -> Type {
    match r.below(8) {
        0 => {
            let elem = scalar(m, r);
            m.types.vector(elem, 2 + r.below(7) as u32)
        }
        1 => {
            let elem = if known.is_empty() { scalar(m, r) } else { r.of(known) };
            m.types.array(elem, r.below(5) as u64)
        }
        2 => {
            let elem = if known.is_empty() { scalar(m, r) } else { r.of(known) };
            m.types.ptr_in(elem, [0, 3][r.below(2)])
        }
        3 | 4 if !known.is_empty() => {
            let fields: Vec<Type> = (0..r.below(4)).map(|_| r.of(known)).collect();
            match r.below(3) {
                0 => m.types.anon_struct(&fields),
                1 => {
                    let ty = m.types.new_unnamed();
                    m.types.set_body(ty, Fields { types: fields.into(), packed: r.chance(50) });
                    ty
                }
                _ => {
                    let name = format!("struct.{}{}", ["A", "b c", "\"q\"", "ü", "x.y"][r.below(5)], r.below(1000));
                    m.types.named_struct(&name, &fields)
                }
            }
        }
        5 if !known.is_empty() => r.of(known),
        _ => scalar(m, r),
    }
}

/// A constant of a type.
fn constant(m: &mut Module, r: &mut Random, ty: Type, depth: u32) -> Value {
    if r.below(8) == 0 {
        return m.undef(ty);
    }
    if r.below(8) == 0 || depth > 3 {
        return m.null(ty);
    }
    let list = |m: &mut Module, r: &mut Random, types: Vec<Type>| -> Vec<Value> {
        types.into_iter().map(|t| constant(m, r, t, depth + 1)).collect()
    };
    match m.types[ty].clone() {
        TypeKind::Int(bits) => m.const_int(bits, number(r) as i64),
        TypeKind::Half => m.f16_bits(number(r) as u16),
        TypeKind::Float => m.f32(f32::from_bits(number(r) as u32)),
        TypeKind::Double => m.f64(f64::from_bits(number(r))),
        TypeKind::Vector { elem, len } => {
            let values = list(m, r, vec![elem; len as usize]);
            m.aggregate(ty, &values)
        }
        TypeKind::Array { elem, len } => {
            let values = list(m, r, vec![elem; len as usize]);
            m.aggregate(ty, &values)
        }
        TypeKind::Struct(f) | TypeKind::Named { body: Some(f), .. } => {
            let values = list(m, r, f.types.to_vec());
            m.aggregate(ty, &values)
        }
        _ => m.null(ty),
    }
}

fn metadata(m: &mut Module, r: &mut Random) -> Vec<Meta> {
    let mut all: Vec<Meta> = Vec::new();
    for _ in 0..1 + r.below(12) {
        let node = match r.below(5) {
            0 => m.meta.string(["", "dx.op", "ü\u{1}\"\\", "a longer text than fits a word"][r.below(4)]),
            1 => m.meta_i32(number(r) as i32),
            2 => m.meta_i1(r.chance(50)),
            _ => {
                let elems: Vec<Option<Meta>> =
                    (0..r.below(5)).map(|_| if all.is_empty() || r.below(5) == 0 { None } else { Some(r.of(&all)) }).collect();
                if r.below(4) == 0 { m.meta.distinct(&elems) } else { m.meta.node(&elems) }
            }
        };
        all.push(node);
    }
    all.retain(|&n| matches!(m.meta[n], rtc_dxil_module::MetaNode::Node { .. }));
    all
}

/// Instructions that compute something from what is there, in one block.
fn straight(b: &mut Builder<'_>, r: &mut Random, values: &mut Vec<Value>, nodes: &[Meta]) {
    for _ in 0..r.below(9) {
        let v = r.of(values);
        let ty = b.type_of(v);
        let elem = b.module.types.scalar(ty);
        let same: Vec<Value> = values.iter().copied().filter(|&x| b.type_of(x) == ty).collect();
        let other = r.of(&same);
        let number = b.module.types.is_int(elem) || b.module.types.is_float(elem);
        let made = match (r.below(9), b.module.types[ty].clone()) {
            (0, TypeKind::Pointer { pointee, .. }) if !matches!(b.module.types[pointee], TypeKind::Function { .. }) => {
                b.load(v, 1 << r.below(4))
            }
            (1, TypeKind::Pointer { pointee, .. }) if !matches!(b.module.types[pointee], TypeKind::Function { .. }) => {
                let value = constant(b.module, r, pointee, 0);
                b.store(value, v, 4);
                continue;
            }
            (2, TypeKind::Pointer { .. }) => {
                let at = b.module.i32(r.below(3) as i32);
                b.gep(r.chance(50), v, &[at])
            }
            (8, TypeKind::Pointer { pointee, .. }) if b.module.types[pointee] == TypeKind::Int(32) => {
                let seven = b.module.i32(7);
                b.atomic_rmw(RmwOp::UMax, v, seven, Ordering::Monotonic)
            }
            (3, TypeKind::Struct(f) | TypeKind::Named { body: Some(f), .. }) if !f.types.is_empty() => {
                b.extract_value(v, r.below(f.types.len()) as u32)
            }
            (4, TypeKind::Vector { len, .. }) => {
                let at = b.module.i32(r.below(len as usize) as i32);
                b.extract_element(v, at)
            }
            (5, _) => {
                let yes = b.module.i1(r.chance(50));
                b.select(yes, v, other)
            }
            (6, _) if b.module.types.is_int(elem) => b.cmp(r.of(&[CmpPred::IEq, CmpPred::IUgt, CmpPred::ISle]), v, other, 0),
            (6, _) if b.module.types.is_float(elem) => {
                b.cmp(r.of(&[CmpPred::OEq, CmpPred::Uno, CmpPred::ULe]), v, other, if r.chance(50) { flags::FAST } else { 0 })
            }
            (7, TypeKind::Int(bits)) if bits < 64 => {
                let wide = b.module.types.i64();
                b.cast(r.of(&[CastOp::ZExt, CastOp::SExt]), v, wide)
            }
            (7, TypeKind::Float) => {
                let int = b.module.types.i32();
                b.cast(r.of(&[CastOp::BitCast, CastOp::FpToSi]), v, int)
            }
            _ if number && b.module.types.is_int(elem) => {
                let op = r.of(&[BinOp::Add, BinOp::Sub, BinOp::Mul, BinOp::Xor, BinOp::Shl, BinOp::And]);
                b.binary(op, v, other, 0)
            }
            _ if number => b.binary(r.of(&[BinOp::Add, BinOp::Mul, BinOp::SDiv]), v, other, if r.chance(50) { flags::FAST } else { 0 }),
            _ => b.alloca(ty, 1 << r.below(5)),
        };
        if r.below(6) == 0 {
            b.set_name(made, ["x", "a b", "0", "x.i"][r.below(4)]);
        }
        if let Value::Inst(inst) = made
            && r.below(8) == 0
            && !nodes.is_empty()
        {
            let kind = b.module.meta.kind(["dx.nonuniform", "dx.precise", "own"][r.below(3)]);
            b.body().attach(inst, kind, r.of(nodes));
        }
        values.push(made);
    }
}

fn function(m: &mut Module, r: &mut Random, types: &[Type], nodes: &[Meta], n: usize) {
    let params: Vec<Type> = (0..r.below(4)).map(|_| r.of(types)).collect();
    let ret = if r.chance(50) { m.types.void() } else { r.of(types) };
    let ty = m.types.function(ret, &params);
    let func = m.add_function(&format!("\u{1}?f{n}@@YAXXZ"), ty);
    if r.chance(50) {
        let own =
            m.attrs.group(FUNCTION_INDEX, &[Attr::Flag(AttrKind::NoUnwind), Attr::Text("fp32-denorm-mode".into(), Some("any".into()))]);
        m.funcs[func].attrs = m.attrs.list(&[own]).into();
    }
    if r.below(4) == 0 {
        return;
    }
    m.funcs[func].linkage = r.of(&[Linkage::External, Linkage::Internal]);
    let seven = m.i32(7);
    let globals: Vec<Value> = m.globals.keys().map(Value::Global).collect();
    let mut values: Vec<Value> = (0..params.len() as u32).map(Value::Arg).chain(globals).chain([seven]).collect();
    let mut b = m.define(func);
    let blocks: Vec<Block> = (0..r.below(5)).map(|_| b.new_block()).collect();
    let mut all = vec![b.block()];
    all.extend(&blocks);
    for (at, &block) in all.iter().enumerate() {
        b.switch_to(block);
        // Values of the entry are visible everywhere; those of other blocks stay there.
        let visible = values.len();
        straight(&mut b, r, &mut values, nodes);
        let next = |r: &mut Random| all[(at + 1 + r.below(all.len() - at)).min(all.len() - 1)];
        if at + 1 == all.len() {
            let value = (b.module.types[ret] != TypeKind::Void).then(|| constant(b.module, r, ret, 0));
            b.ret(value);
        } else {
            match r.below(4) {
                0 => _ = b.br(all[at + 1]),
                1 => {
                    let cond = b.module.i1(r.chance(50));
                    let (then, other) = (next(r), next(r));
                    b.cond_br(cond, then, other);
                }
                2 => {
                    let cases = [(b.module.i32(1), next(r)), (b.module.i32(-5), next(r))];
                    b.switch(seven, all[at + 1], &cases);
                }
                _ => _ = b.unreachable(),
            }
        }
        if at > 0 {
            values.truncate(visible);
        }
    }
}

fn module(seed: u64) -> Module {
    let r = &mut Random::of_seed(seed);
    let mut m = Module::new();
    let mut types = vec![m.types.i32(), m.types.float()];
    for _ in 0..r.below(12) {
        let ty = any_type(&mut m, r, &types);
        types.push(ty);
    }
    for n in 0..r.below(4) {
        let ty = r.of(&types);
        let g = m.add_global(["g", "", "a \"b\"", "\u{1}?g@@3HA"][r.below(4)], ty, r.chance(50));
        if m.globals[g].name.is_empty() || n > 0 {
            m.globals[g].name = format!("{}{n}", m.globals[g].name).into();
        }
        if r.chance(50) {
            m.globals[g].init = Some(constant(&mut m, r, ty, 0));
            m.globals[g].linkage = r.of(&[Linkage::Internal, Linkage::External, Linkage::Appending]);
        } else if r.chance(50) {
            m.set_space(g, 3);
        }
        m.globals[g].align = [0, 4, 16][r.below(3)];
    }
    let nodes = metadata(&mut m, r);
    for n in 0..r.below(4) {
        function(&mut m, r, &types, &nodes, n);
    }
    for &node in &nodes {
        m.meta.add_named(["dx.version", "own", "!"][r.below(3)], node);
    }
    m
}

#[test]
fn random_modules_come_back() {
    let number = |name: &str, default: u64| std::env::var(name).map_or(default, |n| n.parse().expect(name));
    let (start, first) = (Instant::now(), number("RTC_SEED", 0));
    let time = Duration::from_secs(number("RTC_SECONDS", 1));
    let mut seed = first;
    // A machine with much else to do still sees some.
    while start.elapsed() < time || seed < first + 200 {
        let m = module(seed);
        let bytes = bitcode::write(&m);
        let back = bitcode::read(&bytes).unwrap_or_else(|e| panic!("seed {seed}: {e}\n{}", dis::module_text(&m)));
        assert_eq!(dis::module_text(&back), dis::module_text(&m), "seed {seed}");
        assert!(bitcode::write(&back) == bytes, "seed {seed}: written twice, two results");
        assert!(bitcode::read(&bytes).as_ref() == Ok(&back), "seed {seed}: read twice, two results");
        seed += 1;
    }
    println!("{} modules", seed - first);
}
