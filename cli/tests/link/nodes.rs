//! Nodes of work graphs: the runtime data of a library with one is not described, so none is made.

use std::path::Path;

use crate::tools::{bad, compile_to, folder, good, read};
use rtc_dxil_container::metadata::tag;
use rtc_dxil_container::program::Program;
use rtc_dxil_container::{self as container, Container, FourCc, ShaderKind, Signing};
use rtc_dxil_module::{Meta, Module, bitcode};

/// Makes nodes of the compute shaders of a library.
fn make_nodes(m: &mut Module) {
    let number = |m: &Module, n: Option<Meta>| n.and_then(|n| m.meta_int(n));
    let nodes = m.meta.named("dx.entryPoints").to_vec();
    m.meta.remove_named("dx.entryPoints");
    for node in nodes {
        let mut elems = m.meta.elems(node).to_vec();
        if let Some(props) = elems[4] {
            let mut props = m.meta.elems(props).to_vec();
            for at in (0..props.len()).step_by(2) {
                let compute = i64::from(ShaderKind::Compute.as_u32());
                if number(m, props[at]) == Some(tag::KIND) && number(m, props[at + 1]) == Some(compute) {
                    props[at + 1] = Some(m.meta_i32(ShaderKind::Node.as_u32() as i32));
                }
            }
            elems[4] = Some(m.meta.node(&props));
        }
        let node = m.meta.node(&elems);
        m.meta.add_named("dx.entryPoints", node);
    }
}

/// Writes `nodes.dxil`, which is `library.dxil` with nodes.
fn write_nodes(dir: &Path) {
    let file = Container::parse(&read(dir, "library.dxil")).expect("a container");
    let changed = |data: &[u8]| {
        let program = Program::read("DXIL", data).expect("a program");
        let mut m = bitcode::read(program.bitcode).expect("bitcode");
        make_nodes(&mut m);
        let code = bitcode::write(&m);
        Program { bitcode: &code, ..program }.write()
    };
    let parts = file.parts.iter().filter(|p| p.name != FourCc::STAT);
    let parts: Vec<_> = parts.map(|p| (p.name, if p.name == FourCc::DXIL { changed(&p.data) } else { p.data.clone() })).collect();
    std::fs::write(dir.join("nodes.dxil"), container::write(&parts, Signing::Unsigned).expect("it fits")).expect("a file");
}

#[test]
fn a_library_with_nodes_is_not_linked() {
    const SOURCE: &str = "RWByteAddressBuffer b;
[shader(\"compute\")] [numthreads(4, 1, 1)] void Work(uint i : SV_GroupIndex) { b.Store(4 * i, i); }
[shader(\"raygeneration\")] void Gen() { b.Store(0, 1); }";
    let dir = folder("nodes");
    compile_to(&dir, "library.dxil", "library", SOURCE, &["-T", "lib_6_8"]);
    write_nodes(&dir);
    let link = ["link", "-T", "lib_6_8", "nodes.dxil", "-Fo", "out.dxil"];
    bad(&dir, &link, &["`Work` of `nodes.dxil` is a node of a work graph, whose tables the linker does not write"]);
    // Without the node there is nothing against it.
    good(&dir, &[&link[..], &["-exports", "Gen"]].concat());
}
