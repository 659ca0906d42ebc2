//! The state of geometry, hull, domain, mesh and amplification shaders, and the limits of what they make.

super::rules! {
    META_PARTITIONING "META.TESSELLATORPARTITION" "the partitioning of a tessellator exists";
    META_TESSELLATOR_OUTPUT "META.TESSELLATOROUTPUTPRIMITIVE" "the primitive that a tessellator makes exists";
    META_FACTOR_LIMIT "META.MAXTESSFACTOR" "the largest tessellation factor is from 1 to 64";
    SM_DOMAIN "SM.VALIDDOMAIN" "the domain of patches exists";
    SM_FACTORS "SM.TESSFACTORFORDOMAIN" "the patch constants of a hull shader have the tessellation factors of its domain";
    SM_EDGE_FACTORS "SM.TESSFACTORSIZEMATCHDOMAIN" "there is one factor for each edge of the domain";
    SM_INSIDE_FACTORS "SM.INSIDETESSFACTORSIZEMATCHDOMAIN" "there are as many inside factors as the domain has";
    SM_DOMAIN_LOCATION "SM.DOMAINLOCATIONIDXOOB" "a component of the domain location is one that the domain has";
    SM_PASS_THROUGH_POINTS "SM.HULLPASSTHRUCONTROLPOINTCOUNTMATCH" "a hull shader without code has as many control points as it passes on";
    SM_PASS_THROUGH_SCALARS "SM.OUTPUTCONTROLPOINTSTOTALSCALARS" "the control points that a hull shader without code passes on have at most 3968 components";
    SM_ISOLINE_OUTPUT "SM.ISOLINEOUTPUTPRIMITIVEMISMATCH" "isolines become points or lines";
    SM_TRIANGLE_OUTPUT "SM.TRIOUTPUTPRIMITIVEMISMATCH" "triangles and quads become points or triangles";
    SM_DOMAIN_POINTS "SM.DSINPUTCONTROLPOINTCOUNTRANGE" "a domain shader reads at most 32 control points";
    SM_HULL_POINTS "SM.HSINPUTCONTROLPOINTCOUNTRANGE" "a hull shader reads at most 32 control points";
    SM_HULL_NO_POINTS "SM.ZEROHSINPUTCONTROLPOINTWITHINPUT" "a hull shader that reads no control points has no inputs";
    SM_HULL_OUTPUT_POINTS "SM.OUTPUTCONTROLPOINTCOUNTRANGE" "a hull shader makes 1 to 32 control points";
    SM_GEOMETRY_VERTICES "SM.GSOUTPUTVERTEXCOUNTRANGE" "a geometry shader makes at most 1024 vertices";
    SM_GEOMETRY_INSTANCES "SM.GSINSTANCECOUNTRANGE" "a geometry shader has 1 to 32 instances";
    SM_GEOMETRY_INPUT "SM.GSVALIDINPUTPRIMITIVE" "the primitive that a geometry shader reads exists";
    SM_GEOMETRY_OUTPUT "SM.GSVALIDOUTPUTPRIMITIVETOPOLOGY" "a geometry shader makes points, lines or triangles";
    SM_GEOMETRY_SCALARS "SM.GSTOTALOUTPUTVERTEXDATARANGE" "the vertices of a geometry shader have at most 1024 components together";
    SM_COVERAGES "SM.PSCOVERAGEANDINNERCOVERAGE" "a pixel shader reads its coverage or its inner coverage, not both";
    SM_OPERAND "SM.OPERAND" "vertex and pixel shaders read inputs of no particular vertex";
    SM_MESH_VERTICES "SM.MESHSHADERMAXVERTEXCOUNT" "a mesh shader makes at most 256 vertices";
    SM_MESH_PRIMITIVES "SM.MESHSHADERMAXPRIMITIVECOUNT" "a mesh shader makes at most 256 primitives";
    SM_MESH_PAYLOAD "SM.MESHSHADERPAYLOADSIZE" "the payload of a mesh shader has at most 16384 bytes";
    SM_MESH_PAYLOAD_DECLARED "SM.MESHSHADERPAYLOADSIZEDECLARED" "a mesh shader reads no larger payload than it declares";
    SM_MESH_OUTPUT "SM.MESHSHADEROUTPUTSIZE" "the outputs of a mesh shader have at most 32768 bytes";
    SM_MESH_IN_AND_OUT "SM.MESHSHADERINOUTSIZE" "payload and outputs of a mesh shader have at most 48128 bytes";
    SM_MESH_VERTEX_ROWS "SM.MESHVSIGROWCOUNT" "the vertices of a mesh shader take at most 32 registers";
    SM_MESH_PRIMITIVE_ROWS "SM.MESHPSIGROWCOUNT" "the primitives of a mesh shader take at most 32 registers";
    SM_MESH_ROWS "SM.MESHTOTALSIGROWCOUNT" "vertices and primitives of a mesh shader take at most 32 registers together";
    SM_AMPLIFICATION_PAYLOAD "SM.AMPLIFICATIONSHADERPAYLOADSIZE" "the payload of an amplification shader has at most 16384 bytes";
    SM_AMPLIFICATION_PAYLOAD_DECLARED "SM.AMPLIFICATIONSHADERPAYLOADSIZEDECLARED" "an amplification shader passes no larger payload than it declares";
    INSTR_SIGNATURE_ENTRY "INSTR.SIGNATUREOPERATIONNOTINENTRY" "inputs and outputs are read and written by entry points and patch constant functions";
    INSTR_EVALUATE_POSITION "INSTR.CANNOTPULLPOSITION" "the position is not evaluated elsewhere";
    INSTR_EVALUATE_MODE "INSTR.EVALINTERPOLATIONMODE" "what is evaluated elsewhere is interpolated";
    INSTR_AT_VERTEX_MODE "INSTR.ATTRIBUTEATVERTEXNOINTERPOLATION" "what is read at a vertex is not interpolated";
    INSTR_MESH_COUNTS_TWICE "INSTR.MULTIPLESETMESHOUTPUTCOUNTS" "a mesh shader sets the counts of its outputs once";
    INSTR_MESH_COUNTS_MISSING "INSTR.MISSINGSETMESHOUTPUTCOUNTS" "a mesh shader with outputs sets their counts";
    INSTR_MESH_COUNTS_PATH "INSTR.NONDOMINATINGSETMESHOUTPUTCOUNTS" "the counts of outputs are set on every path to an output";
    INSTR_MESH_PAYLOAD_TWICE "INSTR.MULTIPLEGETMESHPAYLOAD" "a mesh shader gets its payload once";
    INSTR_DISPATCH_MESH "INSTR.NOTONCEDISPATCHMESH" "an amplification shader dispatches mesh shaders once";
    INSTR_DISPATCH_MESH_PATH "INSTR.NONDOMINATINGDISPATCHMESH" "an amplification shader dispatches mesh shaders on every path";
}
