//! Marks of debug information stay where they belong, whatever happens to the instructions around them.

use rtc_ir::debug::{Anchors, Debug, Mark, Named, Part, VarData};
use rtc_ir::{Function, Inst, InstData, Opcode, Type, Value, text};

const SOURCE: &str = include_str!("marks.rtir");

fn function() -> Function {
    let m = text::parse(SOURCE).expect("IR");
    let mut f = m.funcs.values().next().expect("a function").clone();
    let mut d = Debug { marked: true, ..Debug::default() };
    d.vars.push(VarData {
        name: "x".into(),
        hlsl: "int".into(),
        ty: Type::I32,
        span: rtc_base::Span::NONE,
        site: None.into(),
        debug_ty: None.into(),
        arg: 0,
    });
    f.debug = Some(Box::new(d));
    f
}

fn x() -> Named {
    Named { var: rtc_ir::debug::Var::from_u32(0), path: Default::default() }
}

/// All instructions in order.
fn all(f: &Function) -> Vec<Inst> {
    let mut out = Vec::new();
    f.for_each_inst(f.body, |_, i| out.push(i));
    out
}

fn find(f: &Function, op: Opcode) -> Inst {
    all(f).into_iter().find(|&i| f.op(i) == op).expect("an instruction")
}

fn remove(f: &mut Function, gone: Inst) {
    let regions: Vec<_> = f.regions.keys().collect();
    for r in regions {
        f.regions[r].insts.retain(|&i| i != gone);
    }
}

fn marks(f: &Function, i: Inst) -> &[Mark] {
    f.debug.as_ref().and_then(|d| d.marks.get(&i)).map_or(&[], Vec::as_slice)
}

#[test]
fn a_mark_moves_to_the_next_instruction() {
    let mut f = function();
    let (add, mul) = (find(&f, Opcode::iadd), find(&f, Opcode::imul));
    let v: Value = f.const_i32(7);
    f.mark(add, &x(), v);
    f.mark(mul, &x(), v);
    let anchors = Anchors::take(&f).expect("marks");
    remove(&mut f, add);
    anchors.restore(&mut f);
    // Those of what is gone come first.
    assert_eq!(marks(&f, mul).len(), 2);
    let anchors = Anchors::take(&f).expect("marks");
    remove(&mut f, mul);
    anchors.restore(&mut f);
    assert_eq!(marks(&f, find(&f, Opcode::raw_store)).len(), 2);
}

#[test]
fn a_mark_leaves_a_construct_that_goes() {
    let mut f = function();
    let (inner, branch) = (find(&f, Opcode::isub), all(&f).into_iter().find(|&i| f.owns_regions(i)).expect("an if"));
    let v = f.const_i32(7);
    f.mark(inner, &x(), v);
    let anchors = Anchors::take(&f).expect("marks");
    remove(&mut f, branch);
    anchors.restore(&mut f);
    let add = find(&f, Opcode::iadd);
    assert_eq!(marks(&f, add).len(), 1);
}

#[test]
fn a_mark_stays_in_a_region_whose_terminator_is_replaced() {
    let mut f = function();
    let inner = find(&f, Opcode::isub);
    let region = f.regions.keys().find(|&r| f.regions[r].insts.contains(&inner)).expect("its region");
    let old = *f.regions[region].insts.last().expect("a terminator");
    let v = f.const_i32(7);
    f.mark(old, &x(), v);
    let anchors = Anchors::take(&f).expect("marks");
    remove(&mut f, old);
    let new = f.append(region, f.insts[old], &[], rtc_base::Span::NONE);
    anchors.restore(&mut f);
    assert_eq!(marks(&f, new).len(), 1);
}

#[test]
fn the_known_components_of_a_removed_vector_remain() {
    let mut f = function();
    let (sub, add) = (find(&f, Opcode::isub), find(&f, Opcode::iadd));
    let (gone, kept) = (f.result(sub), f.result(add));
    let args = f.list(&[kept, gone]);
    let vector = InstData::Many { op: Opcode::construct, imm: 0, args };
    let i = f.append(f.body, vector, &[Type::F32X2], rtc_base::Span::NONE);
    let vector = f.result(i);
    let mul = find(&f, Opcode::imul);
    f.mark(mul, &x(), vector);
    remove(&mut f, i);
    remove(&mut f, sub);
    f.compact();
    let (add, mul) = (find(&f, Opcode::iadd), find(&f, Opcode::imul));
    assert_eq!(marks(&f, mul)[0].value.as_slice(), [Part::Value(f.result(add)), Part::Unknown(Type::I32)]);
}

#[test]
fn constants_and_unknown_values_survive_compaction() {
    let mut f = function();
    let (add, sub) = (find(&f, Opcode::iadd), find(&f, Opcode::isub));
    let constant = f.const_i32(12345);
    let gone = f.result(sub);
    f.mark(add, &x(), constant);
    f.mark(add, &x(), gone);
    let anchors = Anchors::take(&f).expect("marks");
    // Nothing uses it but the mark.
    remove(&mut f, sub);
    anchors.restore(&mut f);
    f.compact();
    let add = find(&f, Opcode::iadd);
    let values: Vec<&[Part]> = marks(&f, add).iter().map(|m| m.value.as_slice()).collect();
    assert_eq!(values, [&[Part::Const(Type::I32, 12345)][..], &[]]);
}

#[test]
fn values_that_are_replaced_are_replaced_in_marks() {
    let mut f = function();
    let (add, mul) = (find(&f, Opcode::iadd), find(&f, Opcode::imul));
    let (old, new) = (f.result(add), f.const_i32(1));
    f.mark(mul, &x(), old);
    f.debug.as_mut().expect("names").replace(|v| if v == old { new } else { v });
    assert_eq!(marks(&f, mul)[0].value.as_slice(), [Part::Value(new)]);
}
