//! Subobjects of state objects in HLSL: the values that each type takes, in their order (DXR specification, "Subobject definitions").

use crate::ray_flags;
use crate::stages::Stage;

/// What is expected at a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Expected {
    /// The text of a root signature, which is local or not.
    RootSignature(bool),
    /// The name of a subobject, as text.
    Subobject,
    /// Names of exports, separated by semicolons, as text.
    Exports,
    /// The name of a shader of a stage, as text.
    Shader(Stage),
    /// A number up to this one.
    Number(u32),
    /// The constants of this enumeration, whose bits these are.
    Flags(&'static str, u32),
}

/// A position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Slot {
    /// Its name in messages.
    pub name: &'static str,
    /// What is expected.
    pub expected: Expected,
    /// What it means.
    pub about: &'static str,
}

/// A type of subobjects.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SubobjectRow {
    /// Its name.
    pub name: &'static str,
    /// What such a subobject is for.
    pub about: &'static str,
    /// Its values.
    pub slots: &'static [Slot],
}

use Expected::{Exports, Flags, Number, RootSignature, Shader, Subobject};

const fn s(name: &'static str, expected: Expected, about: &'static str) -> Slot {
    Slot { name, expected, about }
}

const ANY_HIT: Slot = s("any-hit shader", Shader(Stage::AnyHit), "The any-hit shader of the hit group; empty: none.");
const CLOSEST_HIT: Slot = s("closest-hit shader", Shader(Stage::ClosestHit), "The closest-hit shader of the hit group; empty: none.");
const INTERSECTION: Slot =
    s("intersection shader", Shader(Stage::Intersection), "The shader that intersects rays with the primitives in a bounding box.");
const DEPTH: Slot = s(
    "largest recursion depth",
    Number(31),
    "How deeply traces nest: 1 if only ray generation shaders trace. Shaders that trace more deeply lose the device.",
);
const ASSOCIATED: [Slot; 2] = [
    s("subobject", Subobject, "The subobject that the exports get."),
    s("exports", Exports, "The exports that get it, separated by semicolons; empty: all that get no other of its type."),
];

/// Every type.
#[rustfmt::skip]
pub const SUBOBJECTS: &[SubobjectRow] = &[
    SubobjectRow { name: "StateObjectConfig", about: "What the state object may do with other state objects.", slots: &[
        s("flags", Flags("STATE_OBJECT_FLAGS", 7), "Flags of the state object.")] },
    SubobjectRow { name: "GlobalRootSignature", about: "The root signature whose arguments the command list sets for all shaders.", slots: &[
        s("root signature", RootSignature(false), "The root signature as text.")] },
    SubobjectRow { name: "LocalRootSignature", about: "The root signature whose arguments are in the shader records.", slots: &[
        s("root signature", RootSignature(true), "The root signature as text.")] },
    SubobjectRow { name: "SubobjectToExportsAssociation", about: "Gives a subobject to some exports.", slots: &ASSOCIATED },
    SubobjectRow { name: "RaytracingShaderConfig", about: "The sizes of what rays carry.", slots: &[
        s("largest payload in bytes", Number(u32::MAX), "The size of the largest payload that any shader takes."),
        s("largest attributes in bytes", Number(32), "The size of the largest attributes of hits: 8 for triangles, at most 32.")] },
    SubobjectRow { name: "RaytracingPipelineConfig", about: "How deeply traces nest.", slots: &[DEPTH] },
    SubobjectRow { name: "RaytracingPipelineConfig1", about: "How deeply traces nest, and flags that hold for all rays.", slots: &[
        DEPTH, s("flags", Flags("RAYTRACING_PIPELINE_FLAG", ray_flags::bits(ray_flags::PIPELINE_FLAGS)), "Flags that every ray of the pipeline has.")] },
    SubobjectRow { name: "TriangleHitGroup", about: "The shaders that run for hits of triangles.", slots: &[ANY_HIT, CLOSEST_HIT] },
    SubobjectRow { name: "ProceduralPrimitiveHitGroup", about: "The shaders that run for procedural primitives.", slots: &[ANY_HIT, CLOSEST_HIT, INTERSECTION] },
];

/// The row of the type of this name. An older name of associations has theirs.
pub fn subobject(name: &str) -> Option<&'static SubobjectRow> {
    let name = if name == "SubobjectToEntrypointAssociation" { "SubobjectToExportsAssociation" } else { name };
    SUBOBJECTS.iter().find(|r| r.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{ENUMS, OBJECTS, ObjectKind};

    #[test]
    fn every_type_of_the_language_has_a_row() {
        for o in OBJECTS.iter().filter(|o| matches!(o.kind, ObjectKind::Subobject)) {
            assert!(subobject(o.name).is_some_and(|r| !r.slots.is_empty()), "{}", o.name);
        }
    }

    #[test]
    fn flags_are_those_of_their_enumeration() {
        for slot in SUBOBJECTS.iter().flat_map(|r| r.slots) {
            if let Flags(name, bits) = slot.expected {
                let row = ENUMS.iter().find(|e| e.name == name).expect("the enumeration is there");
                assert_eq!(row.items.iter().fold(0, |all, i| all | i.1), bits, "{name}");
            }
        }
    }
}
