//! Result codes of the interfaces: negative is failure.

/// A result code.
pub type HResult = i32;

const fn code(bits: u32) -> HResult {
    bits as i32
}

/// Success.
pub const S_OK: HResult = 0;
/// Success with the answer "no".
pub const S_FALSE: HResult = 1;
/// The method is not there.
pub const E_NOTIMPL: HResult = code(0x8000_4001);
/// The object does not have the interface.
pub const E_NOINTERFACE: HResult = code(0x8000_4002);
/// A pointer is null.
pub const E_POINTER: HResult = code(0x8000_4003);
/// It failed; the text of errors says why.
pub const E_FAIL: HResult = code(0x8000_4005);
/// An index is out of bounds.
pub const E_BOUNDS: HResult = code(0x8000_000b);
/// The object is not in the state for this call.
pub const E_NOT_VALID_STATE: HResult = code(0x8007_139f);
/// Memory is exhausted.
pub const E_OUTOFMEMORY: HResult = code(0x8007_000e);
/// An argument is not valid.
pub const E_INVALIDARG: HResult = code(0x8007_0057);
/// There is no such file.
pub const E_FILE_NOT_FOUND: HResult = code(0x8007_0002);
/// The file cannot be read.
pub const E_ACCESS_DENIED: HResult = code(0x8007_0005);
/// There is no such part, in the code of the platform.
pub const E_NOT_FOUND: HResult = code(if cfg!(windows) { 0x8007_0490 } else { 0x8007_005f });
/// The class is not one of this library.
pub const CLASS_NOT_REGISTERED: HResult = code(0x8004_0154);
/// The bitcode cannot be read.
pub const DXC_E_IR_VERIFICATION_FAILED: HResult = code(0x80aa_0009);
/// Text is not in the encoding that it claims, or in one that is not supported.
pub const DXC_E_STRING_ENCODING_FAILED: HResult = code(0x80aa_000c);
/// The bytes are no container.
pub const DXC_E_CONTAINER_INVALID: HResult = code(0x80aa_000d);
/// The container has no DXIL.
pub const DXC_E_CONTAINER_MISSING_DXIL: HResult = code(0x80aa_000e);
/// The metadata of the module contradicts the runtime data.
pub const DXC_E_INCORRECT_DXIL_METADATA: HResult = code(0x80aa_000f);
/// The container has the part already.
pub const DXC_E_DUPLICATE_PART: HResult = code(0x80aa_0011);
/// The container does not have the part.
pub const DXC_E_MISSING_PART: HResult = code(0x80aa_0012);
/// The container's parts contradict each other.
pub const DXC_E_MALFORMED_CONTAINER: HResult = code(0x80aa_0013);
/// The root signature does not match the shader.
pub const DXC_E_INCORRECT_ROOT_SIGNATURE: HResult = code(0x80aa_0014);
