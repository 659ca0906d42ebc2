//! Bitcode and the parts of a container.

super::rules! {
    BITCODE_VALID "BITCODE.VALID" "the bitcode can be read, and its functions are well-formed";
    PART_MISSING "CONTAINER.PARTMISSING" "every part that a program of this kind needs is there";
}
