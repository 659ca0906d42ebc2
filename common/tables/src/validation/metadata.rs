//! Metadata of the module.

super::rules! {
    META_WELL_FORMED "META.WELLFORMED" "metadata has the shape that its name or place asks for";
    META_REQUIRED "META.REQUIRED" "metadata that every module must have is there";
    META_KNOWN "META.KNOWN" "named metadata is one that DXIL knows";
    META_USED "META.USED" "attached metadata is of a kind that DXIL uses";
    META_TARGET "META.TARGET" "the target is DXIL";
    META_VERSION_SUPPORTED "META.VERSIONSUPPORTED" "the versions of DXIL and of the validator exist";
    META_VALUE_RANGE "META.VALUERANGE" "numbers in metadata are among those that mean something";
    META_FLAGS_USAGE "META.FLAGSUSAGE" "the shader flags are those that follow from the module";
    META_DENSE_RES_IDS "META.DENSERESIDS" "resources of a class are numbered from zero without gaps";
    META_SAMPLER_MODE "META.VALIDSAMPLERMODE" "the mode of a sampler is known";
    META_COHERENCE "META.COHERENCENOTONAPPENDCONSUME" "a buffer with a counter is not coherent";
    META_STRUCT_BUF_ALIGNMENT "META.STRUCTBUFALIGNMENT" "elements of structured buffers take whole words";
    META_STRUCT_BUF_SIZE "META.STRUCTBUFALIGNMENTOUTOFBOUND" "elements of structured buffers take at most 2048 bytes";
    META_TEXTURE_TYPE "META.TEXTURETYPE" "texels and elements of typed buffers take at most four words";
    META_ENTRY_FUNCTION "META.ENTRYFUNCTION" "an entry point is a function with code";
    META_NO_ENTRY_PROPS "META.NOENTRYPROPSFORENTRY" "an entry point has the properties of its stage";
    META_COMPUTE_WITH_NODE "META.COMPUTEWITHNODE" "a compute shader has no properties of nodes";
    META_CONTROL_FLOW_HINT "META.INVALIDCONTROLFLOWHINT" "hints for branches are known";
    META_BRANCH_FLATTEN "META.BRANCHFLATTEN" "a branch does not have both hints, branch and flatten";
    META_FORCE_CASE "META.FORCECASEONSWITCH" "only a switch has the hint for cases";
    META_HINT_NOT_ON_CONTROL_FLOW "META.CONTROLFLOWHINTNOTONCONTROLFLOW" "only branches have hints for branches";
}
