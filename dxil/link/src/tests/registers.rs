//! Registers of resources that have none, the order of records, and registers that are shared.

use crate::library::Library;
use crate::resources::{Resource, bind, number, overlaps, same_with_matrices};
use rtc_dxil_container::metadata;
use rtc_dxil_container::{ResourceClass, ResourceKind};
use rtc_dxil_module::{Module, Type};
use rtc_dxil_testing::corpus;

const NONE: u32 = u32::MAX;
const UNBOUNDED: u32 = u32::MAX;

use ResourceClass::{Cbv, Sampler, Srv, Uav};

/// A resource of library `library`, with `count` registers from `lower` of `space` on.
fn resource(name: &str, class: ResourceClass, (lower, count, space): (u32, u32, u32), library: usize) -> Resource {
    let mut record = metadata::Resource::new(class, 77, name.to_owned(), ResourceKind::RawBuffer);
    (record.lower, record.count, record.space) = (lower, count, space);
    Resource { record, tags: None, library }
}

fn places(all: &[Resource]) -> Vec<(&str, u32, u32)> {
    all.iter().map(|r| (&*r.record.name, r.record.lower, r.record.space)).collect()
}

#[test]
fn resources_get_the_first_registers_that_are_free() {
    let mut all = [
        resource("three", Srv, (NONE, 3, NONE), 0),
        resource("unbounded", Srv, (NONE, UNBOUNDED, NONE), 0),
        resource("t5", Srv, (5, 1, 2), 0),
        resource("t0", Srv, (0, 2, 2), 0),
        resource("four", Srv, (NONE, 4, NONE), 0),
        resource("one", Srv, (NONE, 1, 2), 0),
        resource("u", Uav, (NONE, 1, NONE), 0),
        resource("elsewhere", Srv, (NONE, 1, 0), 0),
        resource("t10", Srv, (10, 1, 2), 0),
    ];
    assert_eq!(bind(&mut all, 2), [""; 0]);
    let expected = [
        ("three", 2, 2),
        ("unbounded", 12, 2),
        ("t5", 5, 2),
        ("t0", 0, 2),
        ("four", 6, 2),
        ("one", 11, 2),
        ("u", 0, 2),
        ("elsewhere", 0, 0),
        ("t10", 10, 2),
    ];
    assert_eq!(places(&all), expected);
}

/// Registers that overlap are reported elsewhere; what is bound here comes after both.
#[test]
fn registers_inside_of_others_do_not_end_them() {
    let mut all = [resource("a", Cbv, (0, 8, 0), 0), resource("b", Cbv, (2, 1, 0), 0), resource("c", Cbv, (NONE, 1, 0), 0)];
    assert_eq!(bind(&mut all, 0), [""; 0]);
    assert_eq!(all[2].record.lower, 8);
}

#[test]
fn there_is_no_register_after_an_array_without_bound() {
    let full = |name: &str| format!("there are no registers left for resource `{name}` in space 3");
    let mut all = [
        resource("all", Sampler, (1, UNBOUNDED, 3), 0),
        resource("two", Sampler, (NONE, 2, 3), 0),
        resource("one", Sampler, (NONE, 1, 3), 0),
        resource("unbounded", Sampler, (NONE, UNBOUNDED, 3), 0),
    ];
    assert_eq!(bind(&mut all, 0), [full("two"), full("unbounded")]);
    assert_eq!(places(&all), [("all", 1, 3), ("two", NONE, 3), ("one", 0, 3), ("unbounded", NONE, 3)]);
    // What is left is one too few, or just enough.
    let mut all =
        [resource("most", Srv, (0, u32::MAX - 3, 3), 0), resource("five", Srv, (NONE, 5, 3), 0), resource("four", Srv, (NONE, 4, 3), 0)];
    assert_eq!(bind(&mut all, 0), [full("five")]);
    assert_eq!(all[2].record.lower, u32::MAX - 3);
}

#[test]
fn records_are_numbered_class_by_class() {
    let classes = [("u0", Uav), ("t0", Srv), ("s0", Sampler), ("b0", Cbv), ("t1", Srv), ("u1", Uav), ("b1", Cbv), ("s1", Sampler)];
    let mut all: Vec<Resource> = classes.iter().map(|&(name, class)| resource(name, class, (0, 1, 0), 0)).collect();
    number(&mut all);
    let order: Vec<(&str, u32)> = all.iter().map(|r| (&*r.record.name, r.record.id)).collect();
    assert_eq!(order, [("b0", 0), ("b1", 1), ("s0", 0), ("s1", 1), ("t0", 0), ("t1", 1), ("u0", 0), ("u1", 1)]);
}

#[test]
fn shared_registers_are_named_with_both_files() {
    let bytes = corpus::ALL.iter().find(|(_, b)| Library::read("it", b).is_ok()).expect("a library").1;
    let libraries = ["a.dxil", "b.dxil"].map(|name| Library::read(name, bytes).expect("a library"));
    let all = [
        resource("A", Uav, (4, 1, 0), 0),
        resource("B", Uav, (0, 4, 0), 1),
        resource("C", Uav, (4, 1, 1), 1),
        resource("D", Srv, (4, 1, 0), 1),
        resource("E", Uav, (NONE, 1, 0), 1),
        resource("F", Uav, (NONE, 1, 0), 1),
    ];
    assert_eq!(overlaps(&all, &libraries), [""; 0]);
    let all = [resource("A", Uav, (4, 1, 5), 0), resource("B", Uav, (0, 5, 5), 1)];
    assert_eq!(overlaps(&all, &libraries), ["resources `B` of `b.dxil` and `A` of `a.dxil` share a register (at u4, space 5)"]);
    let all = [resource("A", Srv, (7, UNBOUNDED, 0), 1), resource("B", Srv, (900, 1, 0), 0)];
    assert_eq!(overlaps(&all, &libraries), ["resources `A` of `b.dxil` and `B` of `a.dxil` share a register (at t900, space 0)"]);
}

/// Structures with matrices have other names and types in libraries of other compilers: the name without `hostlayout.` decides, as long as both have a matrix or
/// that prefix.
#[test]
fn names_decide_where_structures_have_matrices() {
    let made = |name: &str, matrix: bool, array: bool| {
        let mut m = Module::new();
        let float = m.types.float();
        let rows = m.types.vector(float, 2);
        let two = m.types.array(rows, 2);
        let field = if matrix { m.types.named_struct("class.matrix.float.2.2", &[two]) } else { float };
        let inner = m.types.named_struct("struct.Inner", &[field]);
        let list = m.types.array(inner, 3);
        let ty = m.types.named_struct(name, &[float, list]);
        let ty = if array { m.types.array(ty, 4) } else { ty };
        (m, ty)
    };
    let same = |(a, x): (Module, Type), (b, y): (Module, Type)| same_with_matrices(&a, x, &b, y);
    let (plain, matrix) = (|name: &str| made(name, false, false), |name: &str| made(name, true, false));
    assert!(same(matrix("S"), matrix("S")) && same(plain("hostlayout.S"), matrix("S")) && same(matrix("S"), plain("hostlayout.S")));
    assert!(same(made("S", true, true), made("hostlayout.S", false, true)) && same(plain("hostlayout.S"), plain("hostlayout.S")));
    assert!(!same(plain("S"), plain("S")) && !same(plain("S"), plain("hostlayout.S")) && !same(plain("hostlayout.S"), plain("S")));
    assert!(!same(matrix("S"), plain("S")) && !same(plain("S"), matrix("S")));
    assert!(
        !same(matrix("S"), matrix("T")) && !same(plain("hostlayout.S"), plain("hostlayout.T")) && !same(plain("T"), plain("hostlayout.S"))
    );
    let mut m = Module::new();
    let float = m.types.float();
    assert!(!same((m.clone(), float), (m, float)), "a number has no name");
}
