//! Methods of buffers, and free functions on resources. Textures are in [`super::textures`].

use super::objects::Object as O;
use super::pattern::*;
use super::{Check, Expander as X, Intrinsic, Lower, Target, free, method};
use crate::stages::StageMask;

const ALL: StageMask = StageMask::ALL;
const UINT2: Pat = vec(2, Class::Uint);
const UINT3: Pat = vec(3, Class::Uint);
const UINT4: Pat = vec(4, Class::Uint);
/// The residency status.
const STATUS: Param = o(Pat::Num(Shape::Scalar, Class::UintOnly));
/// A size.
const SIZE: Param = o(Pat::Num(Shape::Scalar, Class::UintOnly));

const NO_BUFFER_STATUS: &str = "Vulkan has no residency status of structured and raw buffers";

const fn ex(x: X) -> Lower {
    Lower::Expand(x)
}
const fn load(object: O, name: &'static str, ret: Pat) -> Intrinsic {
    method(object, name, "byteOffset", const { &[i(UINT)] }, ret, ex(X::RawLoad)).checks(&[Check::PlainData])
}
const fn load_status(object: O, name: &'static str, ret: Pat) -> Intrinsic {
    method(object, name, "byteOffset status", const { &[i(UINT), STATUS] }, ret, ex(X::RawLoad))
        .checks(&[Check::PlainData])
        .missing(Target::Spirv, NO_BUFFER_STATUS)
}
const fn store(name: &'static str, params: &'static [Param]) -> Intrinsic {
    method(O::RWByteAddressBuffer, name, "byteOffset value", params, VOID, ex(X::RawStore)).checks(&[Check::PlainData])
}
const fn elements(object: O) -> Intrinsic {
    method(object, "GetDimensions", "count stride", &[SIZE, SIZE], VOID, ex(X::BufSize))
}
const fn bytes(object: O) -> Intrinsic {
    method(object, "GetDimensions", "width", &[SIZE], VOID, ex(X::BufSize))
}
const fn element(object: O) -> Intrinsic {
    method(object, "Load", "x", const { &[i(INT)] }, Pat::Elem, ex(X::BufLoad)).checks(&[Check::PlainData])
}
const fn element_status(object: O) -> Intrinsic {
    method(object, "Load", "x status", const { &[i(INT), STATUS] }, Pat::Elem, ex(X::BufLoad))
        .checks(&[Check::PlainData])
        .missing(Target::Spirv, NO_BUFFER_STATUS)
}
const fn texel(object: O, params: &'static [Param]) -> Intrinsic {
    method(object, "Load", "x", params, Pat::Elem, ex(X::TexLoad))
}
const fn texel_status(object: O, params: &'static [Param]) -> Intrinsic {
    method(object, "Load", "x status", params, Pat::Elem, ex(X::TexLoad))
}
/// The index of a `Buffer`: vectors lose components there, as coordinates of textures do.
const COORDINATE: Param = i(vec(1, Class::Int));

/// The rows of this family.
#[rustfmt::skip]
pub const ROWS: &[Intrinsic] = &[
    free("NonUniformResourceIndex", "index", &[i(ANY)], T0, ALL, ex(X::NonUniform)),
    free("CheckAccessFullyMapped", "status", &[i(Pat::Num(Shape::Scalar, Class::UintOnly))], BOOL, ALL, ex(X::CheckAccess)),
    texel(O::Buffer, &[COORDINATE]),
    texel_status(O::Buffer, &[COORDINATE, STATUS]),
    bytes(O::Buffer),
    texel(O::RWBuffer, &[i(INT)]),
    texel_status(O::RWBuffer, &[i(INT), STATUS]),
    bytes(O::RWBuffer),
    load(O::ByteAddressBuffer, "Load", Pat::FuncT),
    load(O::ByteAddressBuffer, "Load2", UINT2),
    load(O::ByteAddressBuffer, "Load3", UINT3),
    load(O::ByteAddressBuffer, "Load4", UINT4),
    load_status(O::ByteAddressBuffer, "Load", Pat::FuncT),
    load_status(O::ByteAddressBuffer, "Load2", UINT2),
    load_status(O::ByteAddressBuffer, "Load3", UINT3),
    load_status(O::ByteAddressBuffer, "Load4", UINT4),
    bytes(O::ByteAddressBuffer),
    load(O::RWByteAddressBuffer, "Load", Pat::FuncT),
    load(O::RWByteAddressBuffer, "Load2", UINT2),
    load(O::RWByteAddressBuffer, "Load3", UINT3),
    load(O::RWByteAddressBuffer, "Load4", UINT4),
    load_status(O::RWByteAddressBuffer, "Load", Pat::FuncT),
    load_status(O::RWByteAddressBuffer, "Load2", UINT2),
    load_status(O::RWByteAddressBuffer, "Load3", UINT3),
    load_status(O::RWByteAddressBuffer, "Load4", UINT4),
    store("Store", &[i(UINT), i(Pat::FuncT)]),
    store("Store2", &[i(UINT), i(UINT2)]),
    store("Store3", &[i(UINT), i(UINT3)]),
    store("Store4", &[i(UINT), i(UINT4)]),
    bytes(O::RWByteAddressBuffer),
    element(O::StructuredBuffer),
    element_status(O::StructuredBuffer),
    elements(O::StructuredBuffer),
    element(O::RWStructuredBuffer),
    element_status(O::RWStructuredBuffer),
    elements(O::RWStructuredBuffer),
    method(O::RWStructuredBuffer, "IncrementCounter", "", &[], UINT, ex(X::Counter(1))),
    method(O::RWStructuredBuffer, "DecrementCounter", "", &[], UINT, ex(X::Counter(-1))),
    method(O::AppendStructuredBuffer, "Append", "value", &[i(Pat::Elem)], VOID, ex(X::Append)),
    elements(O::AppendStructuredBuffer),
    method(O::ConsumeStructuredBuffer, "Consume", "", &[], Pat::Elem, ex(X::Consume)),
    elements(O::ConsumeStructuredBuffer),
];
