//! Intrinsics that lower to more than one instruction: one variant for each expansion function of the lowering.

use crate::insts::Opcode;
use crate::resources::{AtomicOp, WaveOp};

/// The edges that give tessellation factors.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum EdgeFactors {
    /// Three, for one factor inside.
    Triangle,
    /// Four, for the same factor of both axes inside.
    Quad,
    /// Four, two for each axis inside.
    QuadAxes,
}

/// What factors inside are of those of the edges.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FactorOp {
    /// Their average.
    Average,
    /// The largest one.
    Largest,
    /// The smallest one.
    Smallest,
}

/// An expansion function of the lowering. Its input is the call (row, object, arguments converted to the resolved
/// types, result type), its output the value of the result.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Expander {
    // Hull shaders.
    /// `ProcessIsolineTessFactors(detail, density, rounded detail, rounded density)`.
    IsolineFactors,
    /// `ProcessTriTessFactorsAvg(edges, scale, rounded edges, rounded inside, inside)` and the like.
    TessFactors(EdgeFactors, FactorOp),

    // Amplification shaders.
    /// `DispatchMesh(x, y, z, payload)`.
    DispatchMesh,
    // Math.
    /// `abs`: absolute value by component type (unsigned and boolean: itself).
    Abs,
    /// `all`: whether every component is not zero.
    All,
    /// `any`: whether some component is not zero.
    Any,
    /// `asfloat`, `asint`, `asuint` and the 16-bit forms: the bits as the result's component type.
    Bitcast,
    /// `asdouble(low, high)`: component-wise.
    AsDouble,
    /// `asuint(d, low, high)`: component-wise, into out parameters.
    SplitDouble,
    /// `atan2(y, x)`.
    Atan2,
    /// `clamp(x, min, max)` by component type.
    Clamp,
    /// `cross(a, b)`.
    Cross,
    /// `D3DCOLORtoUBYTE4(x)`.
    ColorToUbyte4,
    /// `degrees(x)`.
    Degrees,
    /// `determinant(m)`.
    Determinant,
    /// `distance(a, b)`.
    Distance,
    /// `dot(a, b)` by component type.
    Dot,
    /// `dst(a, b)`.
    Dst,
    /// `exp(x)`: base e.
    Exp,
    /// `faceforward(n, i, ng)`.
    FaceForward,
    /// `firstbithigh(x)` by signedness.
    FirstBitHigh,
    /// `fmod(a, b)`.
    Fmod,
    /// `frexp(x, exp)`.
    Frexp,
    /// `ldexp(x, exp)`.
    Ldexp,
    /// `length(v)`.
    Length,
    /// `lerp(a, b, s)`.
    Lerp,
    /// `lit(l, h, m)`.
    Lit,
    /// `log(x)`: base e.
    Log,
    /// `log10(x)`.
    Log10,
    /// `modf(x, ip)`.
    Modf,
    /// `msad4(reference, source, accum)`.
    Msad4,
    /// `mul(a, b)`: the nine forms, by the shapes of the arguments.
    Mul,
    /// `normalize(v)`.
    Normalize,
    /// `pow(x, y)`.
    Pow,
    /// `radians(x)`.
    Radians,
    /// `rcp(x)`.
    Rcp,
    /// `reflect(i, n)`.
    Reflect,
    /// `refract(i, n, ri)`.
    Refract,
    /// `sign(x)`: result in `int`.
    Sign,
    /// `sincos(x, s, c)`.
    SinCos,
    /// `smoothstep(a, b, x)`.
    SmoothStep,
    /// `step(a, x)`.
    Step,
    /// `transpose(m)`.
    Transpose,
    /// `and(x, y)` of booleans without short circuit.
    BoolAnd,
    /// `or(x, y)` of booleans without short circuit.
    BoolOr,
    /// `select(cond, t, f)`.
    Select,
    /// `AddUint64(a, b)`: pairs of words.
    AddUint64,
    /// `pack_u8(v)` and the like: the immediate of `pack4x8`.
    Pack(u8),
    /// `unpack_u8u32(packed)` and the like: the immediate of `unpack4x8`.
    Unpack(u8),

    // Ray tracing.
    /// `TraceRay(scene, flags, mask, offset, multiplier, miss, ray, payload)`.
    TraceRay,
    /// `CallShader(index, parameter)`.
    CallShader,
    /// `ReportHit(t, kind, attributes)`.
    ReportHit,
    /// `IgnoreHit()`.
    IgnoreHit,
    /// `printf("…", …)`.
    Print,
    /// `AcceptHitAndEndSearch()`.
    AcceptHit,
    /// `ObjectToWorld3x4()` and the like: the rows that the instruction gives.
    Matrix3x4(Opcode),
    /// `ObjectToWorld4x3()` and the like: transposed.
    Matrix4x3(Opcode),
    /// `TriangleObjectPositions()`: the three vertices that the instruction gives.
    TrianglePositions(Opcode),
    /// One of them, by number.
    TrianglePosition(Opcode),
    /// `TraceRayInline(scene, flags, mask, ray)` of a ray query.
    TraceRayInline,

    // Hit objects.
    /// `HitObject::TraceRay(scene, flags, mask, offset, multiplier, miss, ray, payload)`.
    HitTrace,
    /// `HitObject::FromRayQuery(query, kind, attributes)`.
    HitFromQuery,
    /// `HitObject::MakeMiss(flags, miss, ray)`.
    HitMiss,
    /// `HitObject::Invoke(hit, payload)`.
    HitInvoke,
    /// `GetAttributes<T>()` and `GetAttributes(out attributes)`.
    HitAttributes,
    /// `SetShaderTableIndex(index)`: changes the object.
    HitSetIndex,
    /// `MaybeReorderThread` with a hit object, a hint and its number of bits, or both.
    Reorder {
        /// A hit object is given.
        hit: bool,
        /// A hint is given.
        hint: bool,
    },

    // Resources. Fields of a variant are parameters of the expansion.
    /// `NonUniformResourceIndex(i)`: itself; the lowering marks what it indexes.
    NonUniform,
    /// `CheckAccessFullyMapped(status)`.
    CheckAccess,
    /// `Sample(sampler, x, offset?, clamp?, status?)`.
    Sample,
    /// `SampleBias(sampler, x, bias, offset?, clamp?, status?)`.
    SampleBias,
    /// `SampleLevel(sampler, x, level, offset?, status?)`.
    SampleLevel,
    /// `SampleGrad(sampler, x, ddx, ddy, offset?, clamp?, status?)`.
    SampleGrad,
    /// `SampleCmp(sampler, x, reference, offset?, clamp?, status?)`.
    SampleCmp,
    /// `SampleCmpLevel(sampler, x, reference, level, offset?, status?)`.
    SampleCmpLevel,
    /// `SampleCmpBias(sampler, x, reference, bias, offset?, clamp?, status?)`.
    SampleCmpBias,
    /// `SampleCmpGrad(sampler, x, reference, ddx, ddy, offset?, clamp?, status?)`.
    SampleCmpGrad,
    /// `SampleCmpLevelZero(sampler, x, reference, offset?, status?)`.
    SampleCmpLevelZero,
    /// `Gather*(sampler, x, offset or four?, status?)` of a channel.
    Gather(u8),
    /// `GatherCmp*(sampler, x, reference, offset or four?, status?)` of a channel.
    GatherCmp(u8),
    /// `GatherRaw(sampler, x, offset?, status?)`.
    GatherRaw,
    /// `CalculateLevelOfDetail(sampler, x)`; false: `…Unclamped`.
    TexLod(bool),
    /// `GetSamplePosition(sample)`.
    SamplePosition,
    /// `WriteSamplerFeedback(texture, sampler, x, clamp?)`.
    Feedback,
    /// `WriteSamplerFeedbackBias(texture, sampler, x, bias, clamp?)`.
    FeedbackBias,
    /// `WriteSamplerFeedbackGrad(texture, sampler, x, ddx, ddy, clamp?)`.
    FeedbackGrad,
    /// `WriteSamplerFeedbackLevel(texture, sampler, x, level)`.
    FeedbackLevel,
    /// `Load` of textures and typed buffers: what the last coordinate means follows from the resource.
    TexLoad,
    /// `SubpassLoad(sample?)`.
    SubpassLoad,
    /// `GetDimensions` of textures.
    TexSize,
    /// `GetDimensions` of buffers: elements or bytes, then the stride if there is a parameter for it.
    BufSize,
    /// `Load` of structured buffers.
    BufLoad,
    /// `Load`, `Load2`… of byte-address buffers: the result's type.
    RawLoad,
    /// Reads memory at an address.
    AddressLoad,
    /// Writes memory at an address.
    AddressStore,
    /// `Store`, `Store2`… of byte-address buffers.
    RawStore,
    /// `IncrementCounter()` (1) and `DecrementCounter()` (-1).
    Counter(i8),
    /// `Append(x)`.
    Append,
    /// `Consume()`.
    Consume,
    /// `Interlocked*(destination, values…, original?)`; minimum and maximum by the signedness of the destination.
    Atomic(AtomicOp),
    /// `Interlocked*(byte, values…, original?)` of byte-address buffers; minimum and maximum by the signedness of the value.
    RawAtomic(AtomicOp),
    /// A barrier: DXIL's barrier mode bits.
    Barrier(u32),
    /// `Barrier(memoryTypeFlags, semanticFlags)`, both constants.
    MemoryBarrier,
    /// `Barrier(uav, semanticFlags)`.
    HandleBarrier,
    /// `fwidth(x)`: the sum of the magnitudes of both derivatives.
    Fwidth,
    /// `IsHelperLane`: false where there are none.
    IsHelperLane,
    /// `clip`: discards if a component is negative.
    Clip,
    /// `Append(vertex)` of a stream.
    AppendVertex,
    /// `RestartStrip()` of a stream.
    RestartStrip,
    /// The evaluation of a stage input, by this instruction.
    Evaluate(Opcode),
    /// A wave or quad operation that is one instruction: of a matrix once per row.
    Wave(Opcode),
    /// A reduction or scan over lanes, by the signedness of the value.
    WaveOp(Opcode, WaveOp),
    /// `QuadReadAcrossX` (0), `Y` (1), `Diagonal` (2).
    QuadOp(u8),
    /// An operation on matrices of linear algebra: this instruction, whose result goes to the first argument if that is an `out` parameter.
    Linalg(Opcode),
    /// No IR instruction exists yet: the call is diagnosed by name.
    NotYet,
}
