//! What depends on the shader model and the stage.

super::rules! {
    SM_NAME "SM.NAME" "the shader model exists";
    SM_DXIL_VERSION "SM.DXILVERSION" "the DXIL version is that of the shader model";
    SM_PROGRAM_VERSION "SM.PROGRAMVERSION" "the header of the program says the stage and shader model that the module says";
    SM_OPCODE "SM.OPCODE" "the shader model and the stage have the operation";
    SM_OPCODE_FUNCTION "SM.OPCODEININVALIDFUNCTION" "an operation stands where its form belongs: handles by profile and version, 64-bit atomics and derivatives from 6.6";
    SM_THREAD_GROUP_RANGE "SM.THREADGROUPCHANNELRANGE" "each dimension of a thread group has at least one thread and no more than there may be";
    SM_MAX_THREAD_GROUP "SM.MAXTHEADGROUP" "a thread group has at most 1024 threads";
    SM_MAX_GROUPSHARED "SM.MAXTGSMSIZEONENTRY" "an entry point uses at most 32768 bytes of groupshared memory";
    SM_EXPLICIT_GROUPSHARED "SM.EXPLICITTGSMSIZEONENTRY" "an entry point uses at most as much groupshared memory as it says";
    SM_NO_GROUPSHARED "SM.TGSMUNSUPPORTED" "stages without thread groups use no groupshared memory";
    SM_WAVE_SIZE_VALUE "SM.WAVESIZEVALUE" "wave sizes are powers of two from 4 to 128";
    SM_WAVE_SIZE_UNDEFINED "SM.WAVESIZEALLZEROWHENUNDEFINED" "without a least wave size there is no largest or preferred one";
    SM_WAVE_SIZE_NO_RANGE "SM.WAVESIZEMAXANDPREFERREDZEROWHENNORANGE" "without a range of wave sizes there is no preferred one";
    SM_WAVE_SIZE_ORDER "SM.WAVESIZEMAXGREATERTHANMIN" "the largest wave size is not below the least";
    SM_WAVE_SIZE_PREFERRED "SM.WAVESIZEPREFERREDINRANGE" "the preferred wave size is in the range";
    SM_WAVE_SIZE_STAGE "SM.WAVESIZEONCOMPUTEORNODE" "only compute shaders have a wave size";
    SM_WAVE_SIZE_MODEL "SM.WAVESIZENEEDSSM66OR67" "a single wave size is said in shader models 6.6 and 6.7";
    SM_WAVE_SIZE_RANGE_MODEL "SM.WAVESIZERANGENEEDSSM68PLUS" "a range of wave sizes is said from shader model 6.8";
    SM_WAVE_SIZE_THREE "SM.WAVESIZERANGEEXPECTSTHREEPARAMS" "a range of wave sizes is three numbers";
    SM_WAVE_SIZE_ONE "SM.WAVESIZEEXPECTSONEPARAM" "a single wave size is one number";
    SM_WAVE_SIZE_DUPLICATE "SM.WAVESIZETAGDUPLICATE" "a wave size is said once";
    SM_WAVE_SIZE_CONSTANT "SM.WAVESIZENEEDSCONSTANTOPERANDS" "a wave size is made of constants";
    SM_ROV_STAGE "SM.ROVONLYINPS" "rasteriser-ordered views belong to pixel shaders";
    SM_UAV_TEXTURE_KIND "SM.INVALIDTEXTUREKINDONUAV" "cube textures are not written";
    SM_RESOURCE_KIND "SM.INVALIDRESOURCEKIND" "a view is a buffer, a texture or an acceleration structure";
    SM_RESOURCE_COMPONENT "SM.INVALIDRESOURCECOMPTYPE" "a typed view has components that views can have";
    SM_FEEDBACK_TYPE "SM.INVALIDSAMPLERFEEDBACKTYPE" "a feedback texture holds a kind of feedback that exists";
    SM_SAMPLE_COUNT "SM.SAMPLECOUNTONLYON2DMS" "only multisampled textures have a number of samples";
    SM_COUNTER "SM.COUNTERONLYONSTRUCTBUF" "only structured buffers have a counter";
    SM_CS_NO_SIGNATURES "SM.CSNOSIGNATURES" "compute shaders have no signatures";
    SM_RAY_SHADER_SIGNATURES "SM.RAYSHADERSIGNATURES" "ray-tracing shaders have no signatures";
    SM_RAY_SHADER_PAYLOAD_SIZE "SM.RAYSHADERPAYLOADSIZE" "payload, attributes and parameters are not larger than their properties say";
    SM_CBUFFER_STRUCT "SM.CBUFFERTEMPLATETYPEMUSTBESTRUCT" "a constant buffer holds a structure";
    SM_RESOURCE_OVERLAP "SM.RESOURCERANGEOVERLAP" "no two resources of a class have registers in common";
    SM_CBUFFER_SIZE "SM.CBUFFERSIZE" "a constant buffer has at most 65536 bytes";
    SM_RAW_64_BIT "SM.64BITRAWBUFFERLOADSTORE" "raw loads and stores of 64-bit values come with shader model 6.3";
    SM_SPECIAL_FLOAT "SM.ISSPECIALFLOAT" "16-bit numbers are asked for their class from shader model 6.9";
    SM_INCOMPATIBLE_CALL "SM.INCOMPATIBLECALLINENTRY" "an entry point calls only what can run in it";
    SM_INCOMPATIBLE_OPERATION "SM.INCOMPATIBLEOPERATION" "an entry point does only what its stage and properties allow";
    SM_INCOMPATIBLE_STAGE "SM.INCOMPATIBLESTAGE" "a function runs in the stage of each entry point that calls it";
    SM_INCOMPATIBLE_MODEL "SM.INCOMPATIBLESHADERMODEL" "a function needs no later shader model than the module has";
    SM_INCOMPATIBLE_THREADS "SM.INCOMPATIBLETHREADGROUPDIM" "thread groups that compute derivatives consist of whole quads";
    SM_INCOMPATIBLE_DERIVATIVES "SM.INCOMPATIBLEDERIVINCOMPUTESHADERMODEL" "compute shaders compute derivatives from shader model 6.6";
    SM_INCOMPATIBLE_GROUP "SM.INCOMPATIBLEREQUIRESGROUP" "what needs a thread group is called where there is one";
}
