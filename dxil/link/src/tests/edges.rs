//! What compilers' libraries have rarely or never: addresses in another width or past the end, addresses that are stored, names and what is attached,
//! constants and metadata in circles.

use super::aggregates::run;
use crate::import::{Importer, same};
use crate::{cse, inline, mem2reg, memory, statics};
use rtc_dxil_module::{BinOp, CastOp, Const, ConstKind, Fields, Func, Inst, Linkage, Meta, MetaNode, Module, Op, Type, TypeKind, Value};

/// A module with a function of two integers that returns one.
fn function() -> (Module, Func, Type) {
    let mut m = Module::new();
    let int = m.types.i32();
    let ty = m.types.function(int, &[int, int]);
    let func = m.add_function("f", ty);
    (m, func, int)
}

fn inst(v: Value) -> Inst {
    match v {
        Value::Inst(i) => i,
        v => panic!("{v:?} is no instruction"),
    }
}

/// How many instructions in the blocks of a function are such.
fn count(m: &Module, func: Func, which: impl Fn(&Op) -> bool) -> usize {
    let body = m.funcs[func].body.as_ref().expect("it has code");
    body.blocks.values().flatten().filter(|&&i| which(&body.insts[i].op)).count()
}

fn allocas(m: &Module, func: Func) -> usize {
    count(m, func, |op| matches!(op, Op::Alloca { .. }))
}

/// The names of a function's values, sorted.
fn names(m: &Module, func: Func) -> Vec<String> {
    let body = m.funcs[func].body.as_ref().expect("it has code");
    let mut all: Vec<String> = body.names.values().map(|n| n.to_string()).collect();
    all.sort();
    all
}

fn attached(m: &Module, func: Func) -> Vec<Inst> {
    m.funcs[func].body.as_ref().expect("it has code").attached.iter().map(|a| a.0).collect()
}

const ARGUMENTS: [[i64; 2]; 4] = [[0, 0], [0, 1], [1, 0], [1, 1]];

/// What a function returns for zeros and ones.
fn results(m: &Module, func: Func) -> [i64; 4] {
    ARGUMENTS.map(|a| run(m, func, &a))
}

#[test]
fn what_is_named_and_attached_goes_with_its_instruction_alone() {
    let (mut m, func, int) = function();
    let kind = m.meta.kind("dx.precise");
    let one = m.meta_i32(1);
    let node = m.meta.node(&[Some(one)]);
    let mut b = m.define(func);
    let x = b.alloca(int, 4);
    b.store(Value::Arg(0), x, 4);
    let loaded = b.load(x, 4);
    let sum = b.binary(BinOp::Add, loaded, Value::Arg(1), 0);
    let again = b.binary(BinOp::Add, loaded, Value::Arg(1), 0);
    let product = b.binary(BinOp::Mul, sum, again, 0);
    b.ret(Some(product));
    for (v, name) in [(x, "x"), (loaded, "loaded"), (sum, "sum"), (again, "again"), (product, "product")] {
        b.set_name(v, name);
    }
    for v in [loaded, product] {
        b.body().attach(inst(v), kind, node);
    }
    mem2reg::promote(&mut m, func);
    assert_eq!(names(&m, func), ["again", "product", "sum"]);
    assert_eq!(attached(&m, func), [inst(product)]);
    cse::eliminate(&mut m, func);
    assert_eq!(names(&m, func), ["product", "sum"]);
    assert_eq!(attached(&m, func), [inst(product)]);
    assert_eq!(results(&m, func), [0, 1, 1, 4]);
}

/// What is inlined keeps its metadata but for that of aliases, which holds in its own function only.
#[test]
fn aliases_of_what_is_inlined_are_forgotten() {
    let (mut m, callee, int) = function();
    let kinds = ["alias.scope", "noalias", "dx.precise"].map(|k| m.meta.kind(k));
    let node = m.meta.node(&[]);
    let twice = |m: &mut Module, func: Func, call: Option<Func>| {
        let mut b = m.define(func);
        let x = b.alloca(int, 4);
        let given = match call {
            Some(f) => b.call(f, &[Value::Arg(0), Value::Arg(1)]),
            None => Value::Arg(0),
        };
        b.store(given, x, 4);
        let loaded = b.load(x, 4);
        let sum = b.binary(BinOp::Add, loaded, Value::Arg(1), 0);
        for kind in kinds {
            b.body().attach(inst(loaded), kind, node);
        }
        b.ret(Some(sum));
    };
    twice(&mut m, callee, None);
    let ty = m.funcs[callee].ty;
    let caller = m.add_function("g", ty);
    twice(&mut m, caller, Some(callee));
    inline::inline(&mut m, |_, _| true).expect("no circle");
    let body = m.funcs[caller].body.as_ref().expect("it has code");
    let mut found: Vec<u32> = body.attached.iter().map(|a| a.1).collect();
    found.sort_unstable();
    let mut expected = vec![kinds[0], kinds[1], kinds[2], kinds[2]];
    expected.sort_unstable();
    assert_eq!(found, expected);
}

/// A stack variable of several elements is memory, of which no address is after the end of the first.
#[test]
fn a_variable_of_several_elements_stays_in_memory() {
    let (mut m, func, int) = function();
    let pair = m.types.array(int, 2);
    let (ptr, to, two, three) = (m.types.ptr(pair), m.types.ptr(int), m.i32(2), m.i32(3));
    let mut b = m.define(func);
    let x = Value::Inst(b.append(ptr, Op::Alloca { allocated: pair, count: two, align: 4 }));
    let words = b.cast(CastOp::BitCast, x, to);
    let last = b.gep(true, words, &[three]);
    b.store(Value::Arg(1), last, 4);
    let loaded = b.load(last, 4);
    b.ret(Some(loaded));
    memory::flatten(&mut m, func, false);
    mem2reg::promote(&mut m, func);
    assert_eq!(count(&m, func, |op| matches!(op, Op::Alloca { allocated, .. } if *allocated == pair)), 1);
}

/// An address that does not begin at the variable, and a part that is an aggregate, leave a structure as it is.
#[test]
fn structures_are_split_at_single_values_only() {
    for past in [true, false] {
        let (mut m, func, int) = function();
        let pair = m.types.array(int, 2);
        let ty = m.types.named_struct("struct.S", &[pair, int]);
        let (zero, one) = (m.i32(0), m.i32(1));
        let undef = m.undef(pair);
        let mut b = m.define(func);
        let x = b.alloca(ty, 4);
        let last = b.gep(true, x, &[zero, one]);
        b.store(Value::Arg(0), last, 4);
        if past {
            let beyond = b.gep(true, x, &[one, one]);
            b.store(Value::Arg(1), beyond, 4);
        } else {
            let whole = b.gep(true, x, &[zero, zero]);
            let value = b.insert_value(undef, Value::Arg(1), 0);
            b.store(value, whole, 4);
        }
        let loaded = b.load(last, 4);
        b.ret(Some(loaded));
        mem2reg::promote(&mut m, func);
        let whole = count(&m, func, |op| matches!(op, Op::Alloca { allocated, .. } if *allocated == ty));
        assert_eq!(whole, 1, "past the end: {past}");
    }
}

/// Components of another width are no components of the variable.
#[test]
fn parts_of_another_width_leave_a_variable_whole() {
    let (mut m, func, int) = function();
    let (long, words) = (m.types.i64(), m.types.array(int, 2));
    let to = m.types.ptr(words);
    let (zero, one) = (m.i32(0), m.i32(1));
    let mut b = m.define(func);
    let x = b.alloca(long, 8);
    let seen = b.cast(CastOp::BitCast, x, to);
    for (n, value) in [(zero, Value::Arg(0)), (one, Value::Arg(1))] {
        let word = b.gep(true, seen, &[zero, n]);
        b.store(value, word, 4);
    }
    let loaded = b.load(x, 8);
    let low = b.cast(CastOp::Trunc, loaded, int);
    b.ret(Some(low));
    memory::flatten(&mut m, func, false);
    assert_eq!(count(&m, func, |op| matches!(op, Op::Alloca { allocated, .. } if *allocated == long)), 1);
    // One number has no components: the same in an array is followed, and left too.
    let (mut m, func, int) = function();
    let (long, words) = (m.types.i64(), m.types.array(int, 4));
    let longs = m.types.array(long, 2);
    let to = m.types.ptr(words);
    let (zero, one) = (m.i32(0), m.i32(1));
    let mut b = m.define(func);
    let x = b.alloca(longs, 8);
    let seen = b.cast(CastOp::BitCast, x, to);
    let word = b.gep(true, seen, &[zero, one]);
    b.store(Value::Arg(0), word, 4);
    let first = b.gep(true, x, &[zero, zero]);
    let loaded = b.load(first, 8);
    let low = b.cast(CastOp::Trunc, loaded, int);
    b.ret(Some(low));
    memory::flatten(&mut m, func, false);
    assert_eq!(count(&m, func, |op| matches!(op, Op::Alloca { allocated, .. } if *allocated == longs)), 1);
}

/// Addresses that count from a component on, in steps of what they point to.
#[test]
fn addresses_count_from_inside_of_a_variable() {
    let (mut m, func, int) = function();
    let (two, four) = (m.types.array(int, 2), m.types.array(int, 4));
    let (to_int, to_two) = (m.types.ptr(int), m.types.ptr(two));
    let numbers = [0, 1, 2, 3].map(|n| m.i32(n));
    let [zero, one, second, _] = numbers;
    let mut b = m.define(func);
    let x = b.alloca(four, 4);
    for n in numbers {
        let at = b.gep(true, x, &[zero, n]);
        let value = b.binary(BinOp::Add, Value::Arg(0), n, 0);
        b.store(value, at, 4);
    }
    // The third, or the fourth.
    let words = b.cast(CastOp::BitCast, x, to_int);
    let at = b.gep(true, words, &[Value::Arg(1)]);
    let at = b.gep(true, at, &[second]);
    let hundred = b.module.i32(100);
    b.store(hundred, at, 4);
    // The second pair.
    let pairs = b.cast(CastOp::BitCast, x, to_two);
    let pair = b.gep(true, pairs, &[one, Value::Arg(0)]);
    let loaded = b.load(pair, 4);
    let first = b.load(words, 4);
    let sum = b.binary(BinOp::Add, loaded, first, 0);
    b.ret(Some(sum));
    let expected = results(&m, func);
    assert_eq!(expected, [100, 2, 5, 101]);
    memory::flatten(&mut m, func, false);
    assert_eq!(results(&m, func), expected);
    assert_eq!(count(&m, func, |op| matches!(op, Op::Cast { .. })), 0, "it is split");
}

/// The same from the variable as a whole leads past its end.
#[test]
fn addresses_past_a_variable_leave_it_whole() {
    let (mut m, func, int) = function();
    let two = m.types.array(int, 2);
    let zero = m.i32(0);
    let mut b = m.define(func);
    let x = b.alloca(two, 4);
    let at = b.gep(true, x, &[Value::Arg(0), zero]);
    b.store(Value::Arg(1), at, 4);
    let loaded = b.load(at, 4);
    b.ret(Some(loaded));
    memory::flatten(&mut m, func, false);
    assert_eq!(count(&m, func, |op| matches!(op, Op::Alloca { allocated, .. } if *allocated == two)), 1);
}

/// A variable whose address is stored may be written through that.
#[test]
fn a_variable_whose_address_is_stored_stays() {
    let (mut m, func, int) = function();
    let (two, ptr) = (m.types.array(int, 2), m.types.ptr(int));
    let (zero, one, nine) = (m.i32(0), m.i32(1), m.i32(9));
    let mut b = m.define(func);
    let (x, p) = (b.alloca(two, 4), b.alloca(ptr, 8));
    let at = b.gep(true, x, &[zero, one]);
    b.store(Value::Arg(0), at, 4);
    b.store(at, p, 8);
    let there = b.load(p, 8);
    b.store(nine, there, 4);
    let loaded = b.load(at, 4);
    b.ret(Some(loaded));
    memory::flatten(&mut m, func, false);
    assert_eq!(results(&m, func), [9; 4]);
    mem2reg::promote(&mut m, func);
    assert_eq!(results(&m, func), [9; 4]);
}

/// Phis of a variable that is loaded for nothing use each other only.
#[test]
fn phis_that_only_phis_use_are_not_made() {
    let (mut m, func, int) = function();
    let mut b = m.define(func);
    let (outer, inner, body, after, end) = (b.new_block(), b.new_block(), b.new_block(), b.new_block(), b.new_block());
    let x = b.alloca(int, 4);
    b.store(Value::Arg(0), x, 4);
    let (zero, one) = (b.module.i1(false), b.module.i32(1));
    b.br(outer);
    b.switch_to(outer);
    b.cond_br(zero, end, inner);
    b.switch_to(inner);
    b.load(x, 4);
    b.cond_br(zero, body, after);
    b.switch_to(body);
    b.store(Value::Arg(1), x, 4);
    b.br(inner);
    b.switch_to(after);
    b.br(outer);
    b.switch_to(end);
    b.ret(Some(one));
    mem2reg::promote(&mut m, func);
    assert_eq!(allocas(&m, func), 0);
    assert_eq!(count(&m, func, |op| matches!(op, Op::Phi(_))), 0);
}

/// A list of one function that sets variables up.
fn list(m: &mut Module, entry: Value, ty: Type) {
    let i8 = m.types.i8();
    let (int, data) = (m.types.i32(), m.types.ptr(i8));
    let row = m.types.anon_struct(&[int, ty, data]);
    let (priority, null) = (m.i32(65535), m.null(data));
    let row_value = m.aggregate(row, &[priority, entry, null]);
    let array = m.types.array(row, 1);
    let init = m.aggregate(array, &[row_value]);
    let g = m.add_global(statics::LIST, array, false);
    (m.globals[g].linkage, m.globals[g].init) = (Linkage::Appending, Some(init));
}

#[test]
fn functions_that_set_up_have_code_and_no_parameters() {
    let with = |code: bool, params: usize, result: bool| {
        let mut m = Module::new();
        let (void, int) = (m.types.void(), m.types.i32());
        let ty = m.types.function(if result { int } else { void }, &vec![int; params]);
        let f = m.add_function("f", ty);
        if code {
            let one = m.i32(1);
            m.define(f).ret(result.then_some(one));
        }
        let ptr = m.types.ptr(ty);
        list(&mut m, Value::Func(f), ptr);
        statics::listed(&m).map(|all| all == [f])
    };
    assert_eq!(with(true, 0, false), Ok(true));
    for wrong in [with(false, 0, false), with(true, 1, false), with(true, 0, true)] {
        assert!(wrong.is_err_and(|e| e.contains("malformed")));
    }
    // No function is none; something else is an error.
    for (null, fine) in [(true, true), (false, false)] {
        let mut m = Module::new();
        let void = m.types.void();
        let ty = m.types.function(void, &[]);
        let ptr = m.types.ptr(ty);
        let entry = if null { m.null(ptr) } else { m.undef(ptr) };
        list(&mut m, entry, ptr);
        assert_eq!(statics::listed(&m).map(|all| all.len()).ok(), fine.then_some(0));
    }
}

/// Constants that are addresses in static variables become code of the shader's own variables, other constants stay.
#[test]
fn constant_addresses_of_static_variables_become_code() {
    let (mut m, func, int) = function();
    let (two, words) = (m.types.array(int, 2), m.types.array(int, 3));
    let (zero, one, five, six) = (m.i32(0), m.i32(1), m.i32(5), m.i32(6));
    let init = m.aggregate(two, &[five, six]);
    let own = m.add_global("own", two, false);
    (m.globals[own].linkage, m.globals[own].init) = (Linkage::Internal, Some(init));
    let table = m.add_global("table", words, true);
    (m.globals[table].linkage, m.globals[table].init) = (Linkage::Internal, Some(m.null(words)));
    let ptr = m.types.ptr(int);
    let address = |m: &mut Module, g, source| {
        let operands = vec![Value::Global(g), zero, one].into();
        Value::Const(m.consts.intern(ptr, ConstKind::Gep { inbounds: true, source, operands }))
    };
    let (second, other) = (address(&mut m, own, two), address(&mut m, table, words));
    let first = m.const_cast(CastOp::BitCast, Value::Global(own), ptr);
    let mut b = m.define(func);
    let loaded = b.load(second, 4);
    let sum = b.binary(BinOp::Add, loaded, Value::Arg(0), 0);
    b.store(sum, second, 4);
    let (x, y, z) = (b.load(first, 4), b.load(second, 4), b.load(other, 4));
    let sum = b.binary(BinOp::Mul, x, y, 0);
    let sum = b.binary(BinOp::Xor, sum, z, 0);
    b.ret(Some(sum));
    assert_eq!(statics::own(&mut m, &[func]), Ok(vec![func]));
    let body = m.funcs[func].body.as_ref().expect("it has code");
    let mut left = Vec::new();
    for &i in body.blocks.values().flatten() {
        body.operands(i, |v| match v {
            Value::Const(c) if !m.consts[c].kind.operands().is_empty() => left.push(v),
            Value::Global(_) => left.push(v),
            _ => {}
        });
    }
    assert_eq!(left, [other], "the constant of the table alone stays");
    assert_eq!(allocas(&m, func), 1);
}

/// Constants that lead back to themselves become undefined, at whichever the walk begins; deep ones come along.
#[test]
fn constants_in_a_circle_become_undefined() {
    let mut m = Module::new();
    let (int, i8) = (m.types.i32(), m.types.i8());
    let (a, b) = (m.types.ptr(int), m.types.ptr(i8));
    let cast = |m: &mut Module, ty, of: Const| m.consts.intern(ty, ConstKind::Cast { op: CastOp::BitCast, value: Value::Const(of) });
    let next = m.consts.len() as u32;
    let first = cast(&mut m, a, Const::from_u32(next + 1));
    let second = cast(&mut m, b, first);
    let mut deep = m.consts.null(&m.types, a);
    for n in 0..100_000 {
        deep = cast(&mut m, if n % 2 == 0 { b } else { a }, deep);
    }
    for start in [first, second] {
        let mut out = Module::new();
        let mut import = Importer::new(&m);
        let made = import.constant(&mut out, start);
        let kinds: Vec<_> = out.consts.iter().map(|c| &c.1.kind).collect();
        assert!(kinds.contains(&&ConstKind::Undef), "{kinds:?}");
        assert!(out.consts.len() <= 2 && made.as_u32() < 2);
    }
    let mut out = Module::new();
    Importer::new(&m).constant(&mut out, deep);
    assert_eq!(out.consts.len(), 100_001);
}

/// Metadata that leads back to itself without being distinct loses the edge back.
#[test]
fn metadata_in_a_circle_comes_to_an_end() {
    let mut m = Module::new();
    let text = m.meta.string("text");
    let next = m.meta.len() as u32;
    let first = m.meta.push(MetaNode::Node { distinct: false, elems: [Some(Meta::from_u32(next + 1)), Some(text)].into() });
    let second = m.meta.push(MetaNode::Node { distinct: false, elems: [Some(first)].into() });
    let mut out = Module::new();
    let mut import = Importer::new(&m);
    let made = import.meta(&mut out, second).expect("it is there");
    assert_eq!(out.meta.elems(made), [None]);
    let outer = import.meta(&mut out, first).expect("it is there");
    let [inner, Some(named)] = out.meta.elems(outer) else { panic!("{:?}", out.meta.elems(outer)) };
    assert_eq!((*inner, out.meta.bytes(*named)), (Some(made), Some(&b"text"[..])));
}

/// Structures without names differ in what they are made of, and in whether that is packed.
#[test]
fn packed_structures_are_others() {
    let made = |packed: bool, named: bool, second_is_float: bool| {
        let mut m = Module::new();
        let (i8, int, float) = (m.types.i8(), m.types.i32(), m.types.float());
        let fields = Fields { types: [i8, if second_is_float { float } else { int }].into(), packed };
        let ty = match named {
            true => {
                let ty = m.types.named("S");
                m.types.set_body(ty, fields);
                ty
            }
            false => m.types.intern(TypeKind::Struct(fields)),
        };
        (m, ty)
    };
    for named in [false, true] {
        for (x, y) in [(false, false), (false, true), (true, true)] {
            let ((a, s), (b, t)) = (made(x, named, false), made(y, named, false));
            assert_eq!(same(&a, s, &b, t), x == y, "{named} {x} {y}");
        }
        let ((a, s), (b, t)) = (made(false, named, false), made(false, named, true));
        assert!(!same(&a, s, &b, t));
    }
}
