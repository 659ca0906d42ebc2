//! Signatures: the elements, and the registers that they take.

super::rules! {
    META_SEMANTIC_LEN "META.SEMANTICLEN" "the name of a semantic has 1 to 64 characters";
    META_SEMANTIC_KIND "META.SEMAKINDVALID" "the number of a semantic is that of a system value, or of none";
    META_SEMANTIC_NAME "META.SEMAKINDMATCHESNAME" "an element that is a system value has the name of that value";
    META_SEMANTIC_OVERLAP "META.NOSEMANTICOVERLAP" "no semantic occurs twice in a signature, nor in a stream";
    META_SEMANTIC_DUPLICATE "META.DUPLICATESYSVALUE" "a system value occurs once in a signature";
    META_SEMANTIC_INDEX "META.SEMANTICINDEXMAX" "the index of a system value is one that it has";
    META_SEMANTIC_ROWS "META.SYSTEMVALUEROWS" "a system value has one row, except for targets, distances and tessellation factors";
    META_SEMANTIC_PLACED "META.SEMANTICSHOULDBEALLOCATED" "an element that takes a register has one";
    META_SEMANTIC_NOT_PLACED "META.SEMANTICSHOULDNOTBEALLOCATED" "an element that takes no register has none";
    META_SEMANTIC_TYPE "META.SEMANTICCOMPTYPE" "a system value has the type that it must have";
    META_ELEMENT_TYPE "META.SIGNATURECOMPTYPE" "the components of an element have a type that registers have";
    META_ELEMENT_OVERLAP "META.SIGNATUREOVERLAP" "no component of a register belongs to two elements";
    META_ELEMENT_RANGE "META.SIGNATUREOUTOFRANGE" "an element lies inside of the registers";
    META_ELEMENT_INDEXED "META.SIGNATUREINDEXCONFLICT" "elements of several rows share registers only with what may be indexed alike";
    META_ELEMENT_ORDER "META.SIGNATUREILLEGALCOMPONENTORDER" "in a register, values of the user's come before system values, and those before what the hardware makes";
    META_ELEMENT_WIDTH "META.SIGNATUREDATAWIDTH" "elements in one register have components of the same width";
    META_ELEMENT_INTERPOLATION "META.INTERPMODEINONEROW" "elements in one register are interpolated alike";
    META_INTERPOLATION "META.INTERPMODEVALID" "the interpolation mode exists";
    META_INTERPOLATION_INTEGER "META.INTEGERINTERPMODE" "integers are not interpolated";
    META_DISTANCE_ROWS "META.CLIPCULLMAXROWS" "clip and cull distances take at most two registers";
    META_DISTANCE_COMPONENTS "META.CLIPCULLMAXCOMPONENTS" "there are at most eight clip and cull distances";
    META_BARYCENTRICS_MODE "META.BARYCENTRICSINTERPOLATION" "barycentrics are interpolated";
    META_BARYCENTRICS_TYPE "META.BARYCENTRICSFLOAT3" "barycentrics are three floats";
    META_BARYCENTRICS_TWO "META.BARYCENTRICSTWOPERSPECTIVES" "barycentrics occur once with perspective and once without";
    SM_SEMANTIC "SM.SEMANTIC" "a system value is one that the stage has among these inputs or outputs";
    SM_NO_INTERPOLATION "SM.NOINTERPMODE" "inputs of vertex shaders, outputs of pixel shaders and patch constants have no interpolation mode";
    SM_CONSTANT_INTERPOLATION "SM.CONSTANTINTERPMODE" "outputs for each primitive are constant";
    SM_STREAM "SM.STREAMINDEXRANGE" "only outputs of geometry shaders are in other streams than the first, of which there are four";
    SM_STREAMS_OF_POINTS "SM.MULTISTREAMMUSTBEPOINT" "where several streams are written, they are of points";
    SM_PATCH_SIGNATURE "SM.PATCHCONSTANTONLYFORHSDS" "only hull, domain and mesh shaders have a third signature";
    SM_TARGET_ROWS "SM.NOPSOUTPUTIDX" "a target is one row, which cannot be indexed";
    SM_TARGET_ROW "SM.PSTARGETINDEXMATCHESROW" "the register of a target is its index";
    SM_TARGET_COLUMN "SM.PSTARGETCOL0" "a target begins at the first component of its register";
    SM_PIXEL_OUTPUT "SM.PSOUTPUTSEMANTIC" "an output of a pixel shader is a target, a depth, coverage or a stencil reference";
    SM_PIXEL_DEPTHS "SM.PSMULTIPLEDEPTHSEMANTIC" "a pixel shader has one depth";
    SM_PIXEL_POSITION "SM.PSCONSISTENTINTERP" "a pixel shader whose depth is bounded has its position at the centroid or at each sample";
    SM_VIEW_SLOT "SM.VIEWIDNEEDSSLOT" "a pixel shader that reads the view has room for it among its inputs";
    SM_COMPLETE_POSITION "SM.COMPLETEPOSITION" "all components of the position are written";
    SM_UNDEFINED_OUTPUT "SM.UNDEFINEDOUTPUT" "all components of a system value are written";
}
