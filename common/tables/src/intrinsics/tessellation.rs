//! Functions of hull shaders that process tessellation factors as their partitioning demands.

use super::pattern::*;
use super::{EdgeFactors, Expander, FactorOp, Intrinsic, Lower, free};
use crate::stages::StageMask;

const EDGES4: Pat = vec(4, Class::Float);
const EDGES3: Pat = vec(3, Class::Float);
const INSIDE2: Pat = vec(2, Class::Float);

const NAMES: &str = "RawEdgeFactors InsideScale RoundedEdgeFactors RoundedInsideFactors UnroundedInsideFactors";

const fn factors(name: &'static str, edges: EdgeFactors, how: FactorOp) -> Intrinsic {
    const BOTH: &[Param] = &[i(EDGES4), i(INSIDE2), o(EDGES4), o(INSIDE2), o(INSIDE2)];
    const QUAD: &[Param] = &[i(EDGES4), i(FLOAT), o(EDGES4), o(INSIDE2), o(INSIDE2)];
    const TRIANGLE: &[Param] = &[i(EDGES3), i(FLOAT), o(EDGES3), o(FLOAT), o(FLOAT)];
    let params = match edges {
        EdgeFactors::QuadAxes => BOTH,
        EdgeFactors::Quad => QUAD,
        EdgeFactors::Triangle => TRIANGLE,
    };
    hull(name, NAMES, params, Expander::TessFactors(edges, how))
}

const fn hull(name: &'static str, names: &'static str, params: &'static [Param], expander: Expander) -> Intrinsic {
    free(name, names, params, VOID, StageMask::HS.with_library(), Lower::Expand(expander))
}

/// The rows of this family.
#[rustfmt::skip]
pub const ROWS: &[Intrinsic] = &[
    factors("Process2DQuadTessFactorsAvg", EdgeFactors::QuadAxes, FactorOp::Average),
    factors("Process2DQuadTessFactorsMax", EdgeFactors::QuadAxes, FactorOp::Largest),
    factors("Process2DQuadTessFactorsMin", EdgeFactors::QuadAxes, FactorOp::Smallest),
    factors("ProcessQuadTessFactorsAvg", EdgeFactors::Quad, FactorOp::Average),
    factors("ProcessQuadTessFactorsMax", EdgeFactors::Quad, FactorOp::Largest),
    factors("ProcessQuadTessFactorsMin", EdgeFactors::Quad, FactorOp::Smallest),
    factors("ProcessTriTessFactorsAvg", EdgeFactors::Triangle, FactorOp::Average),
    factors("ProcessTriTessFactorsMax", EdgeFactors::Triangle, FactorOp::Largest),
    factors("ProcessTriTessFactorsMin", EdgeFactors::Triangle, FactorOp::Smallest),
    hull("ProcessIsolineTessFactors", "RawDetailFactor RawDensityFactor RoundedDetailFactor RoundedDensityFactor",
         &[i(FLOAT), i(FLOAT), o(FLOAT), o(FLOAT)], Expander::IsolineFactors),
];
