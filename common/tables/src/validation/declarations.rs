//! Functions and globals as they are declared.

super::rules! {
    DECL_RESERVED_NAME "DECL.DXILNSRESERVED" "structures whose names begin with `dx.` are those of DXIL";
    DECL_EXTERNAL "DECL.DXILFNEXTERN" "outside of libraries, external functions are operations of DXIL";
    DECL_UNUSED_VARIABLE "DECL.USEDINTERNAL" "variables of the module itself are used";
    DECL_EXTERNAL_VARIABLE "DECL.NOTUSEDEXTERNAL" "variables that are neither the module's own nor resources are not used";
    DECL_UNUSED_FUNCTION "DECL.USEDEXTERNALFUNCTION" "external functions are used";
    DECL_ONLY_CALLED "DECL.FNISCALLED" "functions are called, and used for nothing else";
    DECL_FLAT_PARAMETERS "DECL.FNFLATTENPARAM" "outside of libraries, no parameter is a structure";
    DECL_ATTRIBUTE "DECL.FNATTRIBUTE" "outside of libraries, functions have attributes that DXIL knows";
    DECL_RESOURCE_PARAMETER "DECL.RESOURCEINFNSIG" "no function takes or returns a resource";
    DECL_RAY_QUERY_PARAMETER "DECL.RAYQUERYINFNSIG" "no function takes or returns a ray query, but libraries by reference" since 8;
    DECL_RAY_QUERY_FLAGS "DECL.ALLOCATERAYQUERYFLAGSARECONST" "a ray query's ray flags are constants";
    DECL_RAY_QUERY_2_FLAGS "DECL.ALLOCATERAYQUERY2FLAGSARECONST" "a ray query's ray flags and its own flags are constants";
    DECL_RAY_QUERY_MICROMAPS "DECL.ALLOWOPACITYMICROMAPSEXPECTEDGIVENFORCEOMM2STATE" "a ray query that forces micromaps to two states allows micromaps";
    DECL_PAYLOAD_STRUCT "DECL.PAYLOADSTRUCT" "a payload is a structure";
    DECL_ATTRIBUTES_STRUCT "DECL.ATTRSTRUCT" "attributes are a structure";
    DECL_PARAMETER_STRUCT "DECL.PARAMSTRUCT" "a callable shader's parameter is a structure";
    DECL_EXTRA_PARAMETERS "DECL.EXTRAARGS" "an entry point takes no more than its stage gives";
    DECL_RETURN_VOID "DECL.SHADERRETURNVOID" "an entry point returns nothing";
    DECL_MISSING_PARAMETER "DECL.SHADERMISSINGARG" "an entry point takes all that its stage gives";
}
