//! Types.

super::rules! {
    TYPES_NO_VECTOR "TYPES.NOVECTOR" "vectors are for libraries and for shader model 6.9 and later";
    TYPES_DEFINED "TYPES.DEFINED" "values have types that DXIL has";
    TYPES_INT_WIDTH "TYPES.INTWIDTH" "integers have 1, 8, 16, 32 or 64 bits";
    TYPES_NO_MULTI_DIM "TYPES.NOMULTIDIM" "arrays outside of structures have one dimension";
    TYPES_NO_PTR_TO_PTR "TYPES.NOPTRTOPTR" "memory does not hold pointers" since 5;
    TYPES_I8 "TYPES.I8" "bytes are immediate arguments of operations and nothing else";
}
