//! What intrinsics do, in one sentence each, for editors. A sentence belongs to a name: the overloads of a name do the same, and so do a function and the
//! method of a hit object or a ray query that asks for the same value.
//!
//! Names that only differ in whether they are of the candidate or of the committed hit, or of the hit object, have one row without that
//! prefix.

use super::{Intrinsic, Scope};

/// The sentence for an intrinsic, if there is one.
pub fn about(row: &Intrinsic) -> Option<&'static str> {
    let find = |name: &str| ABOUT.binary_search_by_key(&name, |r| r.0).ok().map(|i| ABOUT[i].1);
    let name = row.newer_name.unwrap_or(row.name);
    let method = matches!(row.scope, Scope::Method(_) | Scope::Static(_));
    let shorter = PREFIXES.iter().filter_map(|p| name.strip_prefix(p)).find_map(find);
    find(name).or(shorter.filter(|_| method))
}

/// What methods that ask for a value of a hit begin with.
const PREFIXES: [&str; 5] = ["CandidateTriangle", "CommittedTriangle", "Candidate", "Committed", "Get"];

/// Names with what they do, in the order of the names.
#[rustfmt::skip]
pub const ABOUT: &[(&str, &str)] = &[
    ("Abort",                          "Ends the traversal of a ray query: `Proceed` returns false from then on."),
    ("AcceptHitAndEndSearch",          "Commits the current hit and ends the traversal. The any-hit shader ends with it."),
    ("AllMemoryBarrier",               "Waits until all accesses to memory of the thread group are visible to its threads."),
    ("AllMemoryBarrierWithGroupSync",  "As `AllMemoryBarrier`, and all threads of the group reach the call."),
    ("Append",                         "Adds a value at the end: an element of an append buffer, or a vertex of a stream."),
    ("Barrier",                        "Orders accesses to the given kinds of memory, or to a resource, with the given semantics."),
    ("Barycentrics",                   "The barycentric coordinates of the hit in its triangle."),
    ("CallShader",                     "Runs the callable shader with this number in the callable shader table; the parameter goes in and out."),
    ("CandidateProceduralPrimitiveNonOpaque", "Whether the candidate is a procedural primitive that is not opaque."),
    ("CandidateTriangleRayT",            "The distance of the candidate triangle on the ray."),
    ("CandidateType",                  "The kind of the candidate hit: a triangle that is not opaque, or a procedural primitive."),
    ("CheckAccessFullyMapped",         "Whether all texels of a sampled or loaded value were mapped, by the status that the access returned."),
    ("ClusterID",                      "The ID of the cluster that the hit triangle belongs to."),
    ("CommitNonOpaqueTriangleHit",     "Makes the candidate triangle the committed hit."),
    ("CommitProceduralPrimitiveHit",   "Makes a hit of the candidate procedural primitive, at this distance, the committed one."),
    ("CommittedRayT",                    "The distance of the committed hit, or the end of the ray if there is none."),
    ("CommittedStatus",                "The kind of the committed hit: none, a triangle, or a procedural primitive."),
    ("DebugBreak",                     "Stops in a debugger, if one is attached."),
    ("DeviceMemoryBarrier",            "Waits until all accesses to device memory of the thread group are visible to its threads."),
    ("DeviceMemoryBarrierWithGroupSync", "As `DeviceMemoryBarrier`, and all threads of the group reach the call."),
    ("DispatchMesh",                   "Starts a grid of mesh shader groups with this payload. The amplification shader ends with it."),
    ("DispatchRaysDimensions",         "The size of the grid of rays that the host dispatched."),
    ("DispatchRaysIndex",              "The position of this ray generation thread, or of the one that led here, in the grid of rays."),
    ("FromRayQuery",                   "Makes a hit object of the committed hit of a ray query."),
    ("FrontFace",                        "Whether the hit is on the front side of its triangle."),
    ("GeometryIndex",                  "The number of the hit geometry in its bottom-level acceleration structure."),
    ("GetAttributes",                  "The attributes of the hit."),
    ("GetDimensions",                  "The size of a resource: elements, texels, levels or samples."),
    ("GroupMemoryBarrier",             "Waits until all accesses to groupshared memory are visible to the threads of the group."),
    ("GroupMemoryBarrierWithGroupSync", "As `GroupMemoryBarrier`, and all threads of the group reach the call."),
    ("HitKind",                        "What was hit: `HIT_KIND_TRIANGLE_FRONT_FACE`, `HIT_KIND_TRIANGLE_BACK_FACE`, or what `ReportHit` was given."),
    ("IgnoreHit",                      "Rejects the current hit: the traversal goes on as if there were none. The any-hit shader ends with it."),
    ("InstanceContributionToHitGroupIndex", "The part of the hit group's index that the instance gives."),
    ("InstanceID",                     "The ID that the host gave to the hit instance."),
    ("InstanceIndex",                  "The number of the hit instance in the top-level acceleration structure."),
    ("InterlockedAdd",                 "Adds to a value in memory as one operation, and gives the old value."),
    ("InterlockedAnd",                 "Combines a value in memory bitwise by *and*, as one operation, and gives the old value."),
    ("InterlockedCompareExchange",     "Replaces a value in memory if it equals another, as one operation, and gives the old value."),
    ("InterlockedCompareExchangeFloatBitwise", "As `InterlockedCompareExchange`; the bits of floats are compared."),
    ("InterlockedCompareStore",        "Replaces a value in memory if it equals another, as one operation."),
    ("InterlockedCompareStoreFloatBitwise", "As `InterlockedCompareStore`; the bits of floats are compared."),
    ("InterlockedExchange",            "Replaces a value in memory, as one operation, and gives the old value."),
    ("InterlockedMax",                 "Replaces a value in memory by the larger one, as one operation, and gives the old value."),
    ("InterlockedMin",                 "Replaces a value in memory by the smaller one, as one operation, and gives the old value."),
    ("InterlockedOr",                  "Combines a value in memory bitwise by *or*, as one operation, and gives the old value."),
    ("InterlockedXor",                 "Combines a value in memory bitwise by *exclusive or*, as one operation, and gives the old value."),
    ("Invoke",                         "Runs the closest-hit or miss shader of a hit object with this payload; nothing for one that is neither hit nor miss."),
    ("IsHelperLane",                   "Whether this thread only exists for the derivatives of its neighbours."),
    ("IsHit",                          "Whether the hit object is a hit."),
    ("IsMiss",                         "Whether the hit object is a miss."),
    ("IsNop",                          "Whether the hit object is neither a hit nor a miss."),
    ("Load",                           "Reads from a resource at an index or at texel coordinates, without a sampler."),
    ("LoadLocalRootArgumentsConstant", "Reads a constant of the local root arguments of the hit object's shader record."),
    ("LoadLocalRootTableConstant",     "Reads a constant of the local root arguments of the hit object's shader record."),
    ("MakeMiss",                       "Makes a hit object that is a miss, for a miss shader and a ray."),
    ("MakeNop",                        "Makes a hit object that is neither a hit nor a miss."),
    ("MaybeReorderThread",             "A reorder point: the device may sort threads by the hit object, the hint, or both, before they go on."),
    ("NonUniformResourceIndex",        "Marks an index of resources that may differ among the threads of a wave."),
    ("ObjectRayDirection",             "The direction of the ray in the space of the instance; its length is not normalised."),
    ("ObjectRayOrigin",                "The origin of the ray in the space of the instance."),
    ("ObjectToWorld",                  "The transform from the space of the instance to the world: three rows, four columns."),
    ("ObjectToWorld3x4",               "The transform from the space of the instance to the world: three rows, four columns."),
    ("ObjectToWorld4x3",               "The transform from the space of the instance to the world, transposed: four rows, three columns."),
    ("PrimitiveIndex",                 "The number of the hit triangle or procedural primitive in its geometry."),
    ("Proceed",                        "Goes on with the traversal to the next candidate that needs a decision; false at its end."),
    ("RayFlags",                       "The flags of the ray."),
    ("RayTCurrent",                    "The distance of the current hit, or the end of the ray if there is none."),
    ("RayTMin",                        "The distance at which the ray begins."),
    ("ReportHit",                      "Reports a hit of an intersection shader at this distance; whether it was accepted."),
    ("RestartStrip",                   "Ends the current strip of primitives."),
    ("SetMeshOutputCounts",            "Says how many vertices and primitives the group gives. It is called once, before any output is written."),
    ("SetShaderTableIndex",            "Selects another record of the hit group or miss shader table for a hit object."),
    ("ShaderTableIndex",               "The record of the hit group or miss shader table that a hit object selects."),
    ("Store",                          "Writes a value to a buffer at an offset in bytes."),
    ("TraceRay",                       "Traces a ray: traversal, then the closest-hit or miss shader. The payload goes in and out. As a function of `HitObject`, it does not run these shaders."),
    ("TraceRayInline",                 "Begins the traversal of a ray query. Flags are joined with those of its type."),
    ("TriangleObjectPositions",        "The positions of the hit triangle's vertices in the space of the instance."),
    ("WaveActiveAllEqual",             "Whether a value is the same in all active lanes."),
    ("WaveActiveAllTrue",              "Whether a condition holds in all active lanes."),
    ("WaveActiveAnyTrue",              "Whether a condition holds in any active lane."),
    ("WaveActiveBallot",               "A bit for each active lane in which a condition holds."),
    ("WaveActiveBitAnd",               "Bitwise *and* of a value over the active lanes."),
    ("WaveActiveBitOr",                "Bitwise *or* of a value over the active lanes."),
    ("WaveActiveBitXor",               "Bitwise *exclusive or* of a value over the active lanes."),
    ("WaveActiveCountBits",            "In how many active lanes a condition holds."),
    ("WaveActiveMax",                  "The largest value over the active lanes."),
    ("WaveActiveMin",                  "The smallest value over the active lanes."),
    ("WaveActiveProduct",              "The product of a value over the active lanes."),
    ("WaveActiveSum",                  "The sum of a value over the active lanes."),
    ("WaveGetLaneCount",               "How many lanes a wave has."),
    ("WaveGetLaneIndex",               "The number of this lane in its wave."),
    ("WaveIsFirstLane",                "Whether this is the active lane with the smallest number."),
    ("WaveMatch",                      "A bit for each active lane whose value is that of this lane."),
    ("WavePrefixCountBits",            "In how many active lanes before this one a condition holds."),
    ("WavePrefixProduct",              "The product of a value over the active lanes before this one."),
    ("WavePrefixSum",                  "The sum of a value over the active lanes before this one."),
    ("WaveReadLaneAt",                 "The value that the lane with this number has."),
    ("WaveReadLaneFirst",              "The value that the first active lane has."),
    ("WorldRayDirection",              "The direction of the ray in the world."),
    ("WorldRayOrigin",                 "The origin of the ray in the world."),
    ("WorldToObject",                  "The transform from the world to the space of the instance: three rows, four columns."),
    ("WorldToObject3x4",               "The transform from the world to the space of the instance: three rows, four columns."),
    ("WorldToObject4x3",               "The transform from the world to the space of the instance, transposed: four rows, three columns."),
    ("abs",                            "The absolute value."),
    ("acos",                           "The arc cosine, in radians."),
    ("all",                            "Whether all components are other than zero."),
    ("and",                            "Logical *and* of each component. Both operands are evaluated."),
    ("any",                            "Whether any component is other than zero."),
    ("asdouble",                       "The double that consists of two halves of bits."),
    ("asfloat",                        "The same bits as a float."),
    ("asin",                           "The arc sine, in radians."),
    ("asint",                          "The same bits as a signed integer."),
    ("asuint",                         "The same bits as an unsigned integer."),
    ("atan",                           "The arc tangent, in radians."),
    ("atan2",                          "The angle of the vector (x, y) to the x axis, in radians."),
    ("ceil",                           "The smallest integer that is not less."),
    ("clamp",                          "The value, limited to a range."),
    ("clip",                           "Discards the pixel if a component is less than zero."),
    ("cos",                            "The cosine of an angle in radians."),
    ("cosh",                           "The hyperbolic cosine."),
    ("countbits",                      "How many bits are set."),
    ("cross",                          "The cross product."),
    ("ddx",                            "The derivative along x on the screen."),
    ("ddx_coarse",                     "The derivative along x on the screen, one for each quad."),
    ("ddx_fine",                       "The derivative along x on the screen, one for each row of a quad."),
    ("ddy",                            "The derivative along y on the screen."),
    ("ddy_coarse",                     "The derivative along y on the screen, one for each quad."),
    ("ddy_fine",                       "The derivative along y on the screen, one for each column of a quad."),
    ("degrees",                        "Radians in degrees."),
    ("determinant",                    "The determinant of a square matrix."),
    ("distance",                       "The distance of two points."),
    ("dot",                            "The dot product."),
    ("exp",                            "The exponential with base e."),
    ("exp2",                           "The exponential with base 2."),
    ("f16tof32",                       "The float whose bits in half precision are the lower half of an integer."),
    ("f32tof16",                       "The bits of a float in half precision."),
    ("faceforward",                    "The normal, turned towards the viewer."),
    ("firstbithigh",                   "The position of the highest set bit (of negative numbers, of the highest cleared one)."),
    ("firstbitlow",                    "The position of the lowest set bit."),
    ("floor",                          "The largest integer that is not greater."),
    ("fma",                            "a × b + c of doubles, rounded once."),
    ("fmod",                           "The remainder of a division, with the sign of the dividend."),
    ("frac",                           "The fractional part: x − floor(x)."),
    ("frexp",                          "Mantissa and exponent."),
    ("fwidth",                         "The sum of the absolute derivatives along x and y on the screen."),
    ("isfinite",                       "Whether each component is finite."),
    ("isinf",                          "Whether each component is infinite."),
    ("isnan",                          "Whether each component is not a number."),
    ("ldexp",                          "x × 2 to the power of the exponent."),
    ("length",                         "The length of a vector."),
    ("lerp",                           "Linear interpolation: x + s × (y − x)."),
    ("log",                            "The natural logarithm."),
    ("log10",                          "The logarithm with base 10."),
    ("log2",                           "The logarithm with base 2."),
    ("mad",                            "a × b + c."),
    ("max",                            "The larger value."),
    ("min",                            "The smaller value."),
    ("modf",                           "The fractional part; the integer part is the second argument."),
    ("mul",                            "The product of matrices, vectors and scalars. A vector on the left is a row, on the right a column."),
    ("normalize",                      "The vector of length 1 with the same direction."),
    ("or",                             "Logical *or* of each component. Both operands are evaluated."),
    ("pow",                            "x to the power of y, for x that is not negative."),
    ("radians",                        "Degrees in radians."),
    ("rcp",                            "An approximation of 1 / x."),
    ("reflect",                        "The reflection of a direction at a surface with this normal."),
    ("refract",                        "The refraction of a direction at a surface with this normal and ratio of indices."),
    ("reversebits",                    "The bits in the reverse order."),
    ("round",                          "The nearest integer, halves to even."),
    ("rsqrt",                          "1 / sqrt(x)."),
    ("saturate",                       "The value, limited to 0 to 1."),
    ("select",                         "For each component, the second operand where the first is true, else the third. All are evaluated."),
    ("sign",                           "−1, 0 or 1, by the sign."),
    ("sin",                            "The sine of an angle in radians."),
    ("sincos",                         "Sine and cosine of an angle in radians."),
    ("sinh",                           "The hyperbolic sine."),
    ("smoothstep",                     "0 below a range, 1 above it, and a smooth transition between."),
    ("sqrt",                           "The square root."),
    ("step",                           "1 where x is not less than y, else 0."),
    ("tan",                            "The tangent of an angle in radians."),
    ("tanh",                           "The hyperbolic tangent."),
    ("transpose",                      "The transposed matrix."),
    ("trunc",                          "The integer part."),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::intrinsics::all;

    #[test]
    fn rows_are_in_order_and_of_intrinsics() {
        assert!(ABOUT.windows(2).all(|w| w[0].0 < w[1].0), "the names are in order, each once");
        for (name, text) in ABOUT {
            let of = |row: &Intrinsic| about(row) == Some(text);
            assert!(all().any(of), "`{name}` is no intrinsic");
            assert!(text.ends_with(['.', ')']), "`{name}` has a sentence");
        }
    }

    #[test]
    fn ray_tracing_has_sentences() {
        use crate::intrinsics::{hit_objects, queries, raytracing};
        let families = [raytracing::ROWS, hit_objects::ROWS, queries::ROWS].concat();
        let silent: Vec<String> = families.iter().filter(|row| about(row).is_none()).map(Intrinsic::signature).collect();
        assert!(silent.is_empty(), "no sentences: {silent:#?}");
    }
}
