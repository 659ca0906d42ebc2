//! Metadata of the module.

super::rules! {
    META_WELL_FORMED "META.WELLFORMED" "metadata has the shape that its name or place asks for";
    META_REQUIRED "META.REQUIRED" "metadata that every module must have is there";
}
