//! Single instructions and calls of DXIL operations.

super::rules! {
    INSTR_ALLOWED "INSTR.ALLOWED" "the instruction is one that DXIL has";
    INSTR_OP_CONST "INSTR.OPCONST" "an operand that selects what an operation does is a constant";
    INSTR_OPCODE_RESERVED "INSTR.OPCODERESERVED" "the opcode is not one that is kept for later";
    INSTR_OPCODE_ILLEGAL "INSTR.ILLEGALDXILOPCODE" "there is an operation with the opcode";
    INSTR_OPCODE_EXPERIMENTAL "INSTR.EXPDXILOPCODEREQUIRESEXPSM" "experimental operations are in preview shader models only";
    INSTR_OP_FUNCTION "INSTR.ILLEGALDXILOPFUNCTION" "the function that is called is the one of the opcode";
    INSTR_OVERLOAD "INSTR.OLOAD" "the operation exists for the type for which it is called";
    INSTR_CALL_OVERLOAD "INSTR.CALLOLOAD" "the declaration of an operation has the result and the parameters of that operation";
    INSTR_CONST_RANGE "INSTR.OPCONSTRANGE" "constants that say which resource a handle means, or which signature element an operation works on, are those of one";
    INSTR_OPERAND_RANGE "INSTR.OPERANDRANGE" "a constant row, column, component, vertex or stream exists";
    INSTR_PARAM_MULTIPLE "INSTR.PARAMMULTIPLE" "a constant offset is a multiple of the size of what is read";
    INSTR_UNINITIALIZED "INSTR.NOREADINGUNINITIALIZED" "no instruction computes with an undefined value";
    INSTR_DXIL_STRUCT_USER "INSTR.DXILSTRUCTUSER" "result structures of operations are only used by `extractvalue`, never stored in memory";
    INSTR_EXTRACT_VALUE "INSTR.EXTRACTVALUE" "fields are taken out of result structures of operations and compare-exchanges only";
    INSTR_IN_BOUNDS "INSTR.INBOUNDSACCESS" "an address computed from constants lies inside the object";
    INSTR_TGSM_POINTER "INSTR.FAILTORESLOVETGSMPOINTER" "it is known from which variable an address of groupshared memory comes";
    INSTR_PTR_BITCAST "INSTR.PTRBITCAST" "reinterpreted pointers point to something of the same size";
    INSTR_STRUCT_BITCAST "INSTR.STRUCTBITCAST" "structures are not reinterpreted";
    INSTR_MIN_PRECISION_BITCAST "INSTR.MINPRECISONBITCAST" "values of minimum precision, whose size is open, are not reinterpreted";
    INSTR_SPACE_CAST "INSTR.NOGENERICPTRADDRSPACECAST" "a pointer moves between address spaces only to or from the generic one";
    INSTR_MIN_PRECISION_PRECISE "INSTR.MINPRECISIONNOTPRECISE" "a precise instruction has no operand of minimum precision";
    INSTR_SDIV_ZERO "INSTR.NOIDIVBYZERO" "no signed division has a constant zero as its divisor";
    INSTR_UDIV_ZERO "INSTR.NOUDIVBYZERO" "no unsigned division has a constant zero as its divisor";
    INSTR_LOG "INSTR.NOINDEFINITELOG" "no logarithm of a constant infinity";
    INSTR_ASIN "INSTR.NOINDEFINITEASIN" "no arcsine of a constant infinity";
    INSTR_ACOS "INSTR.NOINDEFINITEACOS" "no arccosine of a constant infinity";
    INSTR_DERIVATIVE "INSTR.NOINDEFINITEDSXY" "no derivative of a constant infinity";
    INSTR_ATOMIC_MEMORY "INSTR.ATOMICOPNONGROUPSHAREDORRECORD" "atomic instructions work on groupshared memory or node records" since 7;
    INSTR_ATOMIC_CONST "INSTR.ATOMICCONST" "atomic instructions do not write to constants" since 7;
    INSTR_ATOMIC_UAV "INSTR.ATOMICINTRINNONUAV" "atomic operations on resources work on UAVs" since 7;
    INSTR_RESOURCE_USER "INSTR.RESOURCEUSER" "the global that stands for a resource is only indexed, loaded and passed to calls";
    INSTR_RESOURCE_SINGLE_ENTRY "INSTR.RESOURCEMAPTOSINGLEENTRY" "a global stands for one resource";
    INSTR_HANDLE_SOURCE "INSTR.HANDLENOTFROMCREATEHANDLE" "a handle comes from an operation that makes one and says what the resource is";
    INSTR_REORDER_COHERENT "INSTR.REORDERCOHERENTREQUIRESSM69" "reordercoherent needs shader model 6.9";
    INSTR_SAMPLER_LOD "INSTR.SAMPLERMODEFORLOD" "a level of detail is computed with a sampler of default mode (6.8: or comparison)";
    INSTR_SAMPLER_SAMPLE "INSTR.SAMPLERMODEFORSAMPLE" "sampling and gathering without comparison take a sampler of default mode";
    INSTR_SAMPLER_SAMPLE_CMP "INSTR.SAMPLERMODEFORSAMPLEC" "sampling and gathering with comparison take a comparison sampler";
    INSTR_SAMPLE_TYPE "INSTR.SAMPLECOMPTYPE" "what is sampled holds numbers that can be filtered (6.7: or 16- and 32-bit integers)";
    INSTR_SAMPLE_CLASS "INSTR.RESOURCECLASSFORSAMPLERGATHER" "what is sampled or gathered from is an SRV";
    INSTR_SAMPLE_KIND "INSTR.RESOURCEKINDFORSAMPLE" "what is sampled is a texture that is not multisampled";
    INSTR_SAMPLE_CMP_KIND "INSTR.RESOURCEKINDFORSAMPLEC" "what is sampled with comparison is a 1D, 2D or cube texture";
    INSTR_GATHER_KIND "INSTR.RESOURCEKINDFORGATHER" "what is gathered from is a 2D or cube texture";
    INSTR_LOD_KIND "INSTR.RESOURCEKINDFORCALCLOD" "the texture of a level of detail is not multisampled";
    INSTR_BIAS "INSTR.IMMBIASFORSAMPLEB" "a constant bias lies between -16 and 15.99";
    INSTR_COORD_MISSING "INSTR.RESOURCECOORDINATEMISS" "every coordinate that the texture has is given";
    INSTR_COORD_EXTRA "INSTR.RESOURCECOORDINATETOOMANY" "no coordinate is given that the texture does not have";
    INSTR_OFFSET_MISSING "INSTR.RESOURCEOFFSETMISS" "an offset is given in every dimension or in none";
    INSTR_OFFSET_EXTRA "INSTR.RESOURCEOFFSETTOOMANY" "no offset is given in a dimension that the texture does not have";
    INSTR_TEXTURE_OFFSET "INSTR.TEXTUREOFFSET" "before 6.7, offsets are constants between -8 and 7";
    INSTR_GET_DIM_KIND "INSTR.RESOURCEKINDFORGETDIM" "only textures and buffers have dimensions to ask for";
    INSTR_GET_DIM_RESULT "INSTR.UNDEFRESULTFORGETDIMENSION" "only dimensions that the resource has are used";
    INSTR_GET_DIM_MIP "INSTR.MIPLEVELFORGETDIMENSION" "no mip level is given for the size of a buffer";
    INSTR_CHECK_ACCESS "INSTR.CHECKACCESSFULLYMAPPED" "what is checked for mapping is the status of a load";
    INSTR_STORE_CLASS "INSTR.RESOURCECLASSFORUAVSTORE" "what is stored to is a UAV";
    INSTR_LOAD_CLASS "INSTR.RESOURCECLASSFORLOAD" "what is loaded from is an SRV or a UAV";
    INSTR_BUFFER_KIND "INSTR.RESOURCEKINDFORBUFFERLOADSTORE" "buffer operations work on buffers of the kind that they are for";
    INSTR_TEXTURE_STORE_KIND "INSTR.RESOURCEKINDFORTEXTURESTORE" "what texels are stored to is a texture, but no cube";
    INSTR_TEXTURE_LOAD_KIND "INSTR.RESOURCEKINDFORTEXTURELOAD" "what texels are loaded from is a texture, but no cube";
    INSTR_UAV_LOAD_OFFSET "INSTR.OFFSETONUAVLOAD" "a load from a UAV has no offset";
    INSTR_UAV_LOAD_MIP "INSTR.MIPONUAVLOAD" "a load from a UAV has no mip level";
    INSTR_LOAD_SAMPLE "INSTR.SAMPLEINDEXFORLOAD2DMS" "a load from a multisampled texture says which sample";
    INSTR_RAW_COORD "INSTR.COORDINATECOUNTFORRAWTYPEDBUF" "raw and typed buffers are addressed by one number";
    INSTR_STRUCT_COORD "INSTR.COORDINATECOUNTFORSTRUCTBUF" "structured buffers are addressed by index and offset";
    INSTR_RAW_ALIGN "INSTR.CONSTALIGNFORRAWBUF" "the alignment of an access to a raw buffer is a constant";
    INSTR_TYPED_STORE_MASK "INSTR.WRITEMASKFORTYPEDUAVSTORE" "a store to a typed UAV writes all four components";
    INSTR_STORE_MASK_GAP "INSTR.WRITEMASKGAPFORUAV" "a store writes components from the first on, without a gap" since 7;
    INSTR_STORE_MASK_MATCH "INSTR.WRITEMASKMATCHVALUEFORUAVSTORE" "a store has no value for a component that it does not write";
    INSTR_STORE_UNDEF "INSTR.UNDEFINEDVALUEFORUAVSTORE" "a store has a value for each component that it writes";
    INSTR_CBUFFER_CLASS "INSTR.CBUFFERCLASSFORCBUFFERHANDLE" "constants are loaded from constant buffers";
    INSTR_CBUFFER_BOUNDS "INSTR.CBUFFEROUTOFBOUND" "a constant place in a constant buffer lies inside it";
    INSTR_COUNTER_UAV "INSTR.BUFFERUPDATECOUNTERONUAV" "a counter belongs to a UAV";
    INSTR_COUNTER_HAS "INSTR.BUFFERUPDATECOUNTERONRESHASCOUNTER" "a counter is used on a buffer that has one";
    INSTR_COUNTER_ONE_WAY "INSTR.ONLYONEALLOCCONSUME" "the counter of a buffer only rises or only falls";
    INSTR_BARRIER_GROUP "INSTR.BARRIERMODEUSELESSUGROUP" "a barrier over all of a UAV is not limited to the group as well";
    INSTR_BARRIER_MEMORY "INSTR.BARRIERMODENOMEMORY" "a barrier is about some memory";
    INSTR_BARRIER_STAGE "INSTR.BARRIERMODEFORNONCS" "a stage without thread groups waits for UAVs only";
    INSTR_BARRIER_FLAG "INSTR.BARRIERFLAGINVALID" "the flags of a barrier are known to the shader model";
    INSTR_BARRIER_CONST "INSTR.BARRIERNONCONSTANTFLAGARGUMENT" "the flags of a barrier are constants";
    INSTR_BARRIER_NODE "INSTR.BARRIERREQUIRESNODE" "only nodes wait for the memory of node records";
    INSTR_TRACE_SCENE "INSTR.RESOURCEKINDFORTRACERAY" "rays are traced through an acceleration structure";
    INSTR_UNDEF_HIT_OBJECT "INSTR.UNDEFHITOBJECT" "a hit object that is queried or used is defined";
    INSTR_REORDER_HINT "INSTR.MAYREORDERTHREADUNDEFCOHERENCEHINTPARAM" "the hint of a reordering and the number of its bits are defined";
    INSTR_PARAM_MINIMUM "INSTR.PARAMMINIMUMVALUE" "the alignment of a matrix in memory is not zero";
    INSTR_LINALG_METADATA "INSTR.LINALGMETADATAMISSING" "metadata says what each matrix type is";
    INSTR_LINALG_K "INSTR.LINALGILLEGALKDIM" "the dimension of a matrix over which products sum is 4 to 128, of a group's matrix 1 to 1024";
    INSTR_LINALG_COMPONENT "INSTR.LINALGILLEGALCOMPONENTTYPE" "the component type of a matrix or of the numbers in a vector is one that matrices have";
    INSTR_LINALG_SCOPE "INSTR.LINALGMATRIXSCOPEMISMATCH" "vectors are multiplied by matrices of a thread";
    INSTR_LINALG_SCOPES "INSTR.LINALGMATRIXSCOPEMISMATCH2" "an operation on matrices of waves and groups has no matrix of a thread";
    INSTR_LINALG_USE "INSTR.LINALGMATRIXUSEMISMATCH" "each matrix of an operation has the use that the operation takes there";
    INSTR_LINALG_USES "INSTR.LINALGMATRIXUSEMISMATCH2" "what is added to an accumulator has use A or B";
    INSTR_LINALG_EXACT "INSTR.LINALGMATRIXNOTEXACTMATCH" "the sum of an accumulator and a matrix has the type of the accumulator";
    INSTR_LINALG_SCOPE_LAYOUT "INSTR.LINALGMATRIXSCOPEREQLAYOUT2" "the layout in memory is one that the scope of the matrix has";
    INSTR_LINALG_STRIDE "INSTR.LINALGMATRIXLAYOUTREQSTRIDE" "layouts other than by rows and columns have no stride";
    INSTR_LINALG_VECTOR "INSTR.LINALGMATRIXDIMVECTORMISMATCH" "the product of a matrix and a vector has a component for each row";
    INSTR_LINALG_VECTOR_K "INSTR.LINALGMATRIXDIMKVECKMISMATCH" "the vector that is multiplied by a matrix has a number for each column";
    INSTR_LINALG_BIAS "INSTR.LINALGMATRIXOUTPUTBIASVECMISMATCH" "a vector that is added to a product has the product's component type";
    INSTR_LINALG_SIGN "INSTR.LINALGMATRIXUNSIGNEDFLOATTYPENOTALLOWED" "products that are floats are signed";
    INSTR_LINALG_LOAD_BUFFER "INSTR.LINALGMATRIXLOADTHREADREQUIRESBAB" "matrices of a thread are loaded from read-only byte-address buffers";
    INSTR_LINALG_BUFFER "INSTR.LINALGMATRIXREQUIRESRWBAB" "matrices are stored to writable byte-address buffers";
    INSTR_LINALG_LAYOUT "INSTR.LINALGMATRIXREQUIRESLAYOUT2" "matrices are stored by rows or columns";
    INSTR_LINALG_PARTS "INSTR.LINALGMATRIX2PARTSMUSTMATCH" "copies and sums of matrices have the scope and dimensions of what they are of";
    INSTR_LINALG_SCOPES_OF_THREE "INSTR.LINALGMATRIXSCOPEMUSTMATCH3" "the matrices of a product have one scope";
    INSTR_LINALG_SCOPES_OF_FOUR "INSTR.LINALGMATRIXSCOPEMUSTMATCH4" "the matrices of a product and a sum have one scope";
    INSTR_LINALG_K_OF_PRODUCT "INSTR.LINALGMATRIXMATRIXKDIMMUSTMATCH" "the left matrix of a product has as many columns as the right one has rows";
    INSTR_LINALG_PRODUCT "INSTR.LINALGMATRIXMATRIXRESDIMMUSTMATCH" "a product has the rows of its left matrix and the columns of its right one";
    SER_HIT_OBJECT_MEMORY "SER.HITOBJECTINMEMORY" "a hit object is never in groupshared memory, a payload, attributes or a caller's memory";
}

/// Rules about instructions that are not checked.
pub const OUT_OF_SCOPE: &[(&str, &str)] = &[
    ("INSTR.STATUS", "no validator checks it: a status may be kept and passed around"),
    ("INSTR.CREATEHANDLEIMMRANGEID", "it is about an intermediate form; what is left of it is INSTR.OPCONSTRANGE"),
    ("INSTR.DXILSTRUCTUSEROUTOFBOUND", "a field that does not exist has no type: the bitcode cannot be read"),
    ("INSTR.TGSMRACECOND", "needs a proof that a value differs between threads, which no validator attempts"),
    ("INSTR.SVCONFLICTINGLAUNCHMODE", "work-graph nodes"),
    ("INSTR.NODERECORDHANDLEUSEAFTERCOMPLETE", "work-graph nodes"),
];
