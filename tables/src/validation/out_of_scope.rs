//! Rules that are not checked: why, and which.

const NO_SIGNATURES: &str =
    "libraries and compute shaders have no signatures (that they have none is SM.CSNOSIGNATURES and SM.RAYSHADERSIGNATURES)";
const TESSELLATION: &str = "hull and domain shaders are no stages of rtc";
const GEOMETRY: &str = "geometry shaders are no stage of rtc";
const PIXEL: &str = "pixel shaders are no stage of rtc";
const MESH: &str = "mesh and amplification shaders are no stages of rtc";
const NODES: &str = "work-graph nodes are no stage of rtc";
const NEVER: &str = "the reference validator declares it and never looks";

/// Reasons, each with the rules that it holds for.
pub const OUT_OF_SCOPE: &[(&str, &[&str])] = &[
    (
        NO_SIGNATURES,
        &[
            "META.SEMANTICLEN",
            "META.INTERPMODEVALID",
            "META.SEMAKINDVALID",
            "META.NOSEMANTICOVERLAP",
            "META.SEMAKINDMATCHESNAME",
            "META.DUPLICATESYSVALUE",
            "META.SEMANTICINDEXMAX",
            "META.SYSTEMVALUEROWS",
            "META.SEMANTICSHOULDBEALLOCATED",
            "META.SEMANTICSHOULDNOTBEALLOCATED",
            "META.SIGNATUREOVERLAP",
            "META.SIGNATUREOUTOFRANGE",
            "META.SIGNATUREINDEXCONFLICT",
            "META.SIGNATUREILLEGALCOMPONENTORDER",
            "META.SIGNATUREDATAWIDTH",
            "META.INTEGERINTERPMODE",
            "META.INTERPMODEINONEROW",
            "META.SEMANTICCOMPTYPE",
            "META.CLIPCULLMAXROWS",
            "META.CLIPCULLMAXCOMPONENTS",
            "META.SIGNATURECOMPTYPE",
            "META.BARYCENTRICSINTERPOLATION",
            "META.BARYCENTRICSFLOAT3",
            "META.BARYCENTRICSTWOPERSPECTIVES",
            "SM.SEMANTIC",
            "SM.NOINTERPMODE",
            "SM.CONSTANTINTERPMODE",
            "SM.COMPLETEPOSITION",
            "SM.UNDEFINEDOUTPUT",
            "SM.VIEWIDNEEDSSLOT",
            "SM.OPERAND",
        ],
    ),
    (
        TESSELLATION,
        &[
            "META.TESSELLATORPARTITION",
            "META.TESSELLATOROUTPUTPRIMITIVE",
            "META.MAXTESSFACTOR",
            "SM.TESSFACTORFORDOMAIN",
            "SM.TESSFACTORSIZEMATCHDOMAIN",
            "SM.INSIDETESSFACTORSIZEMATCHDOMAIN",
            "SM.DOMAINLOCATIONIDXOOB",
            "SM.HULLPASSTHRUCONTROLPOINTCOUNTMATCH",
            "SM.OUTPUTCONTROLPOINTSTOTALSCALARS",
            "SM.ISOLINEOUTPUTPRIMITIVEMISMATCH",
            "SM.TRIOUTPUTPRIMITIVEMISMATCH",
            "SM.VALIDDOMAIN",
            "SM.PATCHCONSTANTONLYFORHSDS",
            "SM.DSINPUTCONTROLPOINTCOUNTRANGE",
            "SM.HSINPUTCONTROLPOINTCOUNTRANGE",
            "SM.ZEROHSINPUTCONTROLPOINTWITHINPUT",
            "SM.OUTPUTCONTROLPOINTCOUNTRANGE",
        ],
    ),
    (
        GEOMETRY,
        &[
            "SM.STREAMINDEXRANGE",
            "SM.GSOUTPUTVERTEXCOUNTRANGE",
            "SM.GSINSTANCECOUNTRANGE",
            "SM.GSVALIDINPUTPRIMITIVE",
            "SM.GSVALIDOUTPUTPRIMITIVETOPOLOGY",
            "SM.GSTOTALOUTPUTVERTEXDATARANGE",
            "SM.MULTISTREAMMUSTBEPOINT",
        ],
    ),
    (
        PIXEL,
        &[
            "SM.NOPSOUTPUTIDX",
            "SM.PSCONSISTENTINTERP",
            "SM.PSOUTPUTSEMANTIC",
            "SM.PSMULTIPLEDEPTHSEMANTIC",
            "SM.PSTARGETINDEXMATCHESROW",
            "SM.PSTARGETCOL0",
            "SM.PSCOVERAGEANDINNERCOVERAGE",
        ],
    ),
    (
        MESH,
        &[
            "SM.MESHSHADERMAXVERTEXCOUNT",
            "SM.MESHSHADERMAXPRIMITIVECOUNT",
            "SM.MESHSHADERPAYLOADSIZE",
            "SM.MESHSHADERPAYLOADSIZEDECLARED",
            "SM.MESHSHADEROUTPUTSIZE",
            "SM.MESHSHADERINOUTSIZE",
            "SM.MESHVSIGROWCOUNT",
            "SM.MESHPSIGROWCOUNT",
            "SM.MESHTOTALSIGROWCOUNT",
            "SM.AMPLIFICATIONSHADERPAYLOADSIZE",
            "SM.AMPLIFICATIONSHADERPAYLOADSIZEDECLARED",
        ],
    ),
    (NODES, &["DECL.MULTIPLENODEINPUTS", "DECL.NODELAUNCHINPUTTYPE", "SM.INCOMPATIBLEDERIVLAUNCH"]),
    (NEVER, &["SM.APPENDANDCONSUMEONSAMEUAV"]),
];
