//! Bitcode and the parts of a container.

super::rules! {
    BITCODE_VALID "BITCODE.VALID" "the bitcode can be read, and its functions are well-formed";
    PART_MISSING "CONTAINER.PARTMISSING" "every part that a program of this kind needs is there";
    PART_REPEATED "CONTAINER.PARTREPEATED" "each part is there once";
    PART_INVALID "CONTAINER.PARTINVALID" "every part is known, belongs to a program of this kind and has its form";
    PART_MATCHES "CONTAINER.PARTMATCHES" "features, runtime data and signatures say what follows from the module";
    CONTENT_MATCHES "CONTAINER.CONTENTMATCHES" "pipeline information says what follows from the module";
    CONTENT_INVALID "CONTAINER.CONTENTINVALID" "pipeline information has its form";
    UNUSED_ITEM "CONTAINER.UNUSEDITEMINTABLE" "every text and index of pipeline information is used";
    ROOT_SIGNATURE_INCOMPATIBLE "CONTAINER.ROOTSIGNATUREINCOMPATIBLE" "the root signature is sound and binds every resource";
}
