//! The shaders of a draw against each other: each reads what the one before it gives, and primitives and patches are those that it takes.
//!
//! A driver checks none of it. Inputs and outputs are in the package; of primitives and patches the module says what they are, in execution modes
//! and in the lengths of the arrays that hold a member for each vertex.

use super::draw::{Class, semantic};
use super::graphics::stages;
use super::subgroups::{self, Stages};
use super::vk;
use super::words::{instructions, string};
use super::{VulkanDevice, known};
use crate::device::{DrawDesc, Program, Topology};
use crate::error::{ErrorKind, Result, RunError};
use rtc_dxil_container::ShaderKind;
use rtc_package::{EntryPoint, InterfaceElement};
use rustc_hash::FxHashMap;
use spirv::{Decoration, ExecutionMode, Op, StorageClass};

/// The storage class of inputs.
const INPUT: u32 = StorageClass::Input as u32;

/// The decoration of what belongs to a patch.
const PATCH: u32 = Decoration::Patch as u32;

/// Primitives that geometry shaders take: the execution mode, and what it is called.
const PRIMITIVES: [(ExecutionMode, &str); 5] = [
    (ExecutionMode::InputPoints, "points"),
    (ExecutionMode::InputLines, "lines"),
    (ExecutionMode::InputLinesAdjacency, "lines with adjacency"),
    (ExecutionMode::Triangles, "triangles"),
    (ExecutionMode::InputTrianglesAdjacency, "triangles with adjacency"),
];

/// Domains of tessellation: the execution mode, and what it is called.
const DOMAINS: [(ExecutionMode, &str); 3] =
    [(ExecutionMode::Triangles, "tri"), (ExecutionMode::Quads, "quad"), (ExecutionMode::Isolines, "isoline")];

/// The execution mode of the primitives of a topology; none for patches.
fn primitive(topology: Topology) -> Option<ExecutionMode> {
    Some(match topology {
        Topology::Points => ExecutionMode::InputPoints,
        Topology::Lines | Topology::LineStrip => ExecutionMode::InputLines,
        Topology::LinesAdjacency | Topology::LineStripAdjacency => ExecutionMode::InputLinesAdjacency,
        Topology::Triangles | Topology::TriangleStrip => ExecutionMode::Triangles,
        Topology::TrianglesAdjacency | Topology::TriangleStripAdjacency => ExecutionMode::InputTrianglesAdjacency,
        Topology::Patches(_) => return None,
    })
}

/// What a module says of the vertices of an entry point.
#[derive(Debug, Default, PartialEq, Eq)]
struct Vertices {
    /// The execution modes.
    modes: Vec<ExecutionMode>,
    /// How many vertices or control points it gives.
    outputs: Option<u32>,
    /// How many vertices or control points it gets: the lengths of its input arrays that agree.
    inputs: Option<u32>,
}

impl Vertices {
    /// Reads them of `module`.
    fn of(module: &[u32], entry: &str) -> Vertices {
        let mut out = Vertices::default();
        let (mut id, mut interface) = (None, &[][..]);
        let (mut arrays, mut pointers, mut constants) = (FxHashMap::default(), FxHashMap::default(), FxHashMap::default());
        let (mut lengths, mut of_patches) = (Vec::new(), Vec::new());
        for (op, words) in instructions(module) {
            match (op, words) {
                (Op::EntryPoint, [_, this, name @ ..]) => {
                    let (text, used) = string(name);
                    if text == entry.as_bytes() {
                        (id, interface) = (Some(*this), name.get(used..).unwrap_or_default());
                    }
                }
                (Op::ExecutionMode, [of, mode, operands @ ..]) if Some(*of) == id => {
                    let mode = ExecutionMode::from_u32(*mode);
                    if mode == Some(ExecutionMode::OutputVertices) {
                        out.outputs = operands.first().copied();
                    }
                    out.modes.extend(mode);
                }
                (Op::Decorate, [of, PATCH]) => of_patches.push(*of),
                (Op::TypeArray, [array, _, length]) => _ = arrays.insert(*array, *length),
                (Op::TypePointer, [pointer, INPUT, to]) => _ = pointers.insert(*pointer, *to),
                (Op::Constant, [_, constant, value]) => _ = constants.insert(*constant, *value),
                (Op::Variable, [pointer, variable, INPUT, ..]) if interface.contains(variable) && !of_patches.contains(variable) => {
                    let length = pointers.get(pointer).and_then(|to| arrays.get(to)).and_then(|n| constants.get(n));
                    lengths.extend(length.copied());
                }
                _ => {}
            }
        }
        out.inputs = lengths.first().copied().filter(|n| lengths.iter().all(|other| other == n));
        out
    }

    fn mode(&self, among: &'static [(ExecutionMode, &'static str)]) -> Option<(ExecutionMode, &'static str)> {
        among.iter().copied().find(|m| self.modes.contains(&m.0))
    }
}

fn wrong(why: String) -> RunError {
    RunError::new(ErrorKind::StateObject, why)
}

impl VulkanDevice {
    /// Each shader of a draw reads what the one before it gives, and takes the primitives and patches that it gets.
    pub(super) fn check_interface(&self, program: Program, desc: &DrawDesc) -> Result<()> {
        let library = &known(&self.programs, program)?.library;
        let mut before: Option<(ShaderKind, &EntryPoint, Vertices)> = None;
        for (kind, name) in stages(desc) {
            let entry = library.graphics(kind, name)?;
            let module = match library.module_of(name) {
                0 => &library.package.spirv,
                n => &library.additional_modules[n - 1],
            };
            let used = subgroups::used(module, &entry.spirv_name);
            if let Some(why) = Stages::of(&self.context.candidate).refuse(&self.context.info.name, kind, name, used) {
                return Err(RunError::new(ErrorKind::NoDevice, why));
            }
            if kind == ShaderKind::Amplification {
                continue;
            }
            within_limits(&self.context.candidate.properties.limits, kind, entry)?;
            let vertices = Vertices::of(module, &entry.spirv_name);
            if let Some((from, giver, _)) = &before {
                linked((*from, giver), (kind, entry))?;
            }
            taken(desc.topology, before.as_ref().map(|b| (b.0, b.1, &b.2)), (kind, entry, &vertices))?;
            before = Some((kind, entry, vertices));
        }
        Ok(())
    }
}

/// The locations of a shader's inputs and outputs are those that the device has.
fn within_limits(limits: &vk::PhysicalDeviceLimits, kind: ShaderKind, entry: &EntryPoint) -> Result<()> {
    // Inputs of a vertex shader and outputs of a pixel shader are attributes and targets, which are counted elsewhere.
    let (inputs, outputs) = match kind {
        ShaderKind::Vertex => (u32::MAX, limits.max_vertex_output_components),
        ShaderKind::Hull => (
            limits.max_tessellation_control_per_vertex_input_components,
            limits.max_tessellation_control_per_vertex_output_components.max(limits.max_tessellation_control_per_patch_output_components),
        ),
        ShaderKind::Domain => (limits.max_tessellation_evaluation_input_components, limits.max_tessellation_evaluation_output_components),
        ShaderKind::Geometry => (limits.max_geometry_input_components, limits.max_geometry_output_components),
        ShaderKind::Pixel => (limits.max_fragment_input_components, u32::MAX),
        _ => return Ok(()),
    };
    for e in &entry.elements {
        let (components, what, verb) = if e.output { (outputs, "outputs", "gives") } else { (inputs, "inputs", "takes") };
        let end = e.location.saturating_add(e.locations);
        if end > components / 4 {
            let (name, count) = (&entry.export, components / 4);
            return Err(RunError::new(
                ErrorKind::Limit,
                format!(
                    "the {kind} shader `{name}` {verb} `{}` up to location {}, and the device has {count} locations of {what}",
                    semantic(e, 0),
                    end - 1
                ),
            ));
        }
    }
    Ok(())
}

/// What `reader` reads, `giver` gives.
fn linked((from, giver): (ShaderKind, &EntryPoint), (to, reader): (ShaderKind, &EntryPoint)) -> Result<()> {
    let outputs = || giver.elements.iter().filter(|e| e.output);
    for e in reader.elements.iter().filter(|e| !e.output && e.used) {
        for n in 0..e.locations {
            let at = e.location + n;
            let name = semantic(e, n);
            let reads = format!("the {to} shader `{}` reads `{name}` at location {at}", reader.export);
            let gives = format!("the {from} shader `{}`", giver.export);
            // Elements may share a location; those of one semantic are meant.
            let there = || outputs().filter(|o| (o.location..o.location + o.locations).contains(&at));
            let same = |o: &&InterfaceElement| semantic(o, at - o.location).eq_ignore_ascii_case(&name);
            let Some(o) = there().find(same).or_else(|| there().next()) else {
                let given: Vec<String> = outputs().map(|o| format!("`{}` at {}", semantic(o, 0), o.location)).collect();
                let given = if given.is_empty() { "it gives nothing".to_string() } else { format!("it gives {}", given.join(", ")) };
                return Err(wrong(format!("{reads}, and {gives} does not give it")).note(given));
            };
            let (has, expects) = (Class::of_element(o), Class::of_element(e));
            let given = semantic(o, at - o.location);
            if has != expects {
                let (has, expects) = (has.name(), expects.name());
                return Err(wrong(format!("{reads} as {expects}, and {gives} gives {has} there, as `{given}`")));
            }
            if o.components < e.components {
                let (has, expects) = (o.components, e.components);
                return Err(wrong(format!("{reads}, {expects} components, and {gives} gives {has} there, as `{given}`")));
            }
        }
    }
    Ok(())
}

/// Primitives and patches that come to a shader are those that it takes.
fn taken(
    topology: Topology,
    before: Option<(ShaderKind, &EntryPoint, &Vertices)>,
    (kind, entry, own): (ShaderKind, &EntryPoint, &Vertices),
) -> Result<()> {
    let name = &entry.export;
    match (kind, before) {
        (ShaderKind::Hull, _) => match (topology, own.inputs) {
            (Topology::Patches(n), Some(takes)) if n != takes => {
                Err(wrong(format!("the hull shader `{name}` takes patches of {takes} control points, and the draw has patches of {n}")))
            }
            _ => Ok(()),
        },
        (ShaderKind::Domain, Some((ShaderKind::Hull, hull, patches))) => {
            if let (Some(gives), Some(takes)) = (patches.outputs, own.inputs)
                && gives != takes
            {
                return Err(wrong(format!(
                    "the domain shader `{name}` takes patches of {takes} control points, and the hull shader `{}` gives {gives}",
                    hull.export
                )));
            }
            match (patches.mode(&DOMAINS), own.mode(&DOMAINS)) {
                (Some(a), Some(b)) if a != b => Err(wrong(format!(
                    "the domain shader `{name}` has the domain `{}`, and the hull shader `{}` has `{}`",
                    b.1, hull.export, a.1
                ))),
                _ => Ok(()),
            }
        }
        (ShaderKind::Geometry, Some((ShaderKind::Vertex, ..))) => {
            let (Some(gets), Some(takes)) = (primitive(topology), own.mode(&PRIMITIVES)) else { return Ok(()) };
            let called = |mode: ExecutionMode| PRIMITIVES.iter().find(|m| m.0 == mode).map_or("others", |m| m.1);
            if gets == takes.0 {
                return Ok(());
            }
            Err(wrong(format!("the geometry shader `{name}` takes {}, and the draw has {}", takes.1, called(gets))))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod unit_tests {
    use super::*;

    fn instruction(op: Op, operands: &[u32]) -> Vec<u32> {
        let mut words = vec![(operands.len() as u32 + 1) << 16 | op as u32];
        words.extend(operands);
        words
    }

    #[test]
    fn vertices_of_a_module() {
        let name = u32::from_le_bytes(*b"Hs\0\0");
        let mut module = vec![0; super::super::words::HEADER];
        module.extend(instruction(Op::EntryPoint, &[1, 7, name, 20, 21, 22]));
        module.extend(instruction(Op::ExecutionMode, &[8, ExecutionMode::Quads as u32]));
        module.extend(instruction(Op::ExecutionMode, &[7, ExecutionMode::Triangles as u32]));
        module.extend(instruction(Op::ExecutionMode, &[7, ExecutionMode::OutputVertices as u32, 4]));
        module.extend(instruction(Op::Decorate, &[22, PATCH]));
        module.extend(instruction(Op::Constant, &[1, 10, 3]));
        module.extend(instruction(Op::Constant, &[1, 9, 5]));
        module.extend(instruction(Op::TypeArray, &[14, 2, 9]));
        module.extend(instruction(Op::TypePointer, &[15, INPUT, 14]));
        module.extend(instruction(Op::Variable, &[15, 22, INPUT]));
        module.extend(instruction(Op::TypeArray, &[11, 2, 10]));
        module.extend(instruction(Op::TypePointer, &[12, INPUT, 11]));
        module.extend(instruction(Op::TypePointer, &[13, INPUT, 2]));
        module.extend(instruction(Op::Variable, &[12, 20, INPUT]));
        module.extend(instruction(Op::Variable, &[13, 21, INPUT]));
        let whole = Vertices { modes: vec![ExecutionMode::Triangles, ExecutionMode::OutputVertices], outputs: Some(4), inputs: Some(3) };
        assert_eq!(Vertices::of(&module, "Hs"), whole);
        assert_eq!(whole.mode(&DOMAINS), Some((ExecutionMode::Triangles, "tri")));
        assert_eq!(Vertices::of(&module, "H"), Vertices::default());
        for end in 0..module.len() {
            Vertices::of(&module[..end], "Hs");
        }
        Vertices::of(&[0; 9], "Hs");
    }
}
