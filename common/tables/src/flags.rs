//! The options of the command line: how each takes its value, what it does, and what becomes of those of dxc that do nothing here.
//!
//! Arguments are parsed by this table (`compiler/src/arguments/`), `--help` prints it, and `docs/flags.md` is generated from it. Every
//! spelling of dxc's own table is a row: it has its effect, or is accepted without one, or is refused with the reason.

/// How an option takes its value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Takes {
    /// No value.
    Nothing,
    /// `-Dx` or `-D x`.
    JoinedOrSeparate,
    /// `-Wx` only.
    Joined,
    /// `-exports x` only.
    Separate,
    /// `-fspv-target-env=x`; the name in the table ends before `=`.
    Equals,
    /// `-ftime-trace` or `-ftime-trace=x`.
    OptionalEquals,
    /// `-fvk-t-shift 10 0`: two values.
    Two,
    /// `-fvk-bind-register t3 0 1 2`: four values.
    Four,
}

/// The support of an option.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Support {
    /// The option has its effect.
    Full,
    /// Accepted without effect, for this reason; `-v` prints it.
    NoEffect(&'static str),
    /// An error, for this reason.
    Refused(&'static str),
}

/// One option.
#[derive(Debug)]
pub struct Flag {
    /// The name without dash.
    pub name: &'static str,
    /// How it takes its value.
    pub takes: Takes,
    /// Its support.
    pub support: Support,
    /// True for an option that dxc does not have.
    pub own: bool,
    /// The name of the value in the help.
    pub value: &'static str,
    /// Its line in the help; empty for some options that are refused.
    pub help: &'static str,
}

const fn flag(name: &'static str, takes: Takes, value: &'static str, help: &'static str) -> Flag {
    Flag { name, takes, support: Support::Full, own: false, value, help }
}

const fn own(name: &'static str, takes: Takes, value: &'static str, help: &'static str) -> Flag {
    Flag { name, takes, support: Support::Full, own: true, value, help }
}

const fn no_effect(name: &'static str, takes: Takes, help: &'static str, why: &'static str) -> Flag {
    Flag { name, takes, support: Support::NoEffect(why), own: false, value: "VALUE", help }
}

const fn refused(name: &'static str, takes: Takes, help: &'static str, why: &'static str) -> Flag {
    Flag { name, takes, support: Support::Refused(why), own: false, value: "VALUE", help }
}

use Takes::{Equals, Four, Joined, JoinedOrSeparate as Either, Nothing, OptionalEquals, Separate, Two};

/// Every option of the compiler.
#[rustfmt::skip]
pub const FLAGS: &[Flag] = &[
    flag("T",                      Either,   "PROFILE", "target profile: lib_6_3 to lib_6_10, lib_6_x (for rtc link), cs_6_0 to cs_6_10, likewise vs, ps, gs, hs and ds, ms_6_5 to ms_6_10, likewise as, rootsig_1_0 to rootsig_1_2 (the macro -E)"),
    flag("E",                      Either,   "NAME",    "entry point (default main; libraries have no single one)"),
    flag("Fo",                     Either,   "FILE",    "write the compiled object; with -spirv and a name ending in .rtp, a runtime package"),
    flag("Fc",                     Either,   "FILE",    "write the disassembly"),
    flag("Fe",                     Either,   "FILE",    "write diagnostics to a file instead of standard error"),
    flag("Fh",                     Either,   "FILE",    "write a C header with the object's bytes"),
    flag("Vn",                     Either,   "NAME",    "name of the variable in the header"),
    flag("Fi",                     Either,   "FILE",    "name of the preprocessed output (with -P)"),
    flag("P",                      Nothing,  "",        "preprocess only: write INPUT.i, or the file of -Fi"),
    flag("D",                      Either,   "NAME[=VALUE]", "define a macro"),
    flag("I",                      Either,   "DIR",     "add a directory to search for includes"),
    flag("H",                      Nothing,  "",        "print the files that are included, indented by depth"),
    flag("M",                      Nothing,  "",        "do not compile: print the files that the source depends on, as a make rule"),
    flag("MD",                     Nothing,  "",        "do not compile: write that rule to INPUT.d"),
    flag("MF",                     Either,   "FILE",    "do not compile: write that rule to this file"),
    own("depfile",                Equals,   "FILE",    "compile, and write that rule for the outputs to this file"),
    own("MT",                     Either,   "TARGET",  "the target of that rule, as make reads it; may be repeated"),
    own("MQ",                     Either,   "TARGET",  "the same, with the characters quoted that mean something in make"),
    own("MP",                     Nothing,  "",        "that rule comes with an empty one for each header, so that make goes on when a header is deleted"),
    flag("Vi",                     Nothing,  "",        "print each file that is included, with its depth"),
    flag("ignore-line-directives", Nothing,  "",        "ignore #line directives"),
    flag("spirv",                  Nothing,  "",        "generate SPIR-V"),
    flag("fspv-target-env",        Equals,   "ENV",     "vulkan1.0, vulkan1.1, vulkan1.1spirv1.4, vulkan1.2, vulkan1.3, vulkan1.4 or universal1.5"),
    own("fspv-ser",               Equals,   "HOW",     "how to translate hit objects: nv (SPV_NV_shader_invocation_reorder), ext (SPV_EXT_shader_invocation_reorder), lower (to structures, for every device), wavefront (as lower, and ray generation shaders are divided at their reorder points, between which the host sorts rays), auto (a package with all of these forms, among which the runtime chooses; in a module as without the option: an extension of -fspv-extension, else lower)"),
    own("fspv-wavefront",         Nothing,  "",        "-fspv-ser=wavefront, and in ray generation shaders without reorder points each TraceRay that may run closest-hit shaders is one; with -fspv-ser=auto and a package that form next to the plain one"),
    own("fspv-ser-plain-outcomes", Nothing,  "",        "hit objects that are queried only for hit or miss become plain traces with a generated miss shader, next to others that stay (-fspv-ser=nv or ext, packages; such a package is a pipeline of its own)"),
    own("fspv-converge-traces",   Equals,   "WHEN",    "traces under divergent control flow become traces by all lanes of a wave, with an empty mask in those without work: off (default), on (wherever nothing else changes), auto (where it pays). A package says so to the runtime, and with -fspv-ser=auto it is a form of its own; of a module, the host puts a record without a shader before its miss records"),
    flag("fspv-extension",         Equals,   "NAME",    "allow a SPIR-V extension; selects the translation for -fspv-ser=auto, and restricts clusters and micromaps to the named extensions"),
    flag("fvk-b-shift",            Two,      "N SPACE", "add N to the binding of b registers of a space, or all"),
    flag("fvk-t-shift",            Two,      "N SPACE", "add N to the binding of t registers of a space, or all"),
    flag("fvk-s-shift",            Two,      "N SPACE", "add N to the binding of s registers of a space, or all"),
    flag("fvk-u-shift",            Two,      "N SPACE", "add N to the binding of u registers of a space, or all"),
    flag("fvk-use-dx-layout",      Nothing,  "",        "lay out buffers as Direct3D does (default for .rtp)"),
    flag("fvk-use-gl-layout",      Nothing,  "",        "lay out buffers by std140 and std430"),
    flag("fvk-use-scalar-layout",  Nothing,  "",        "lay out buffers by scalar alignment"),
    own("fvk-use-vulkan-layout",  Nothing,  "",        "lay out buffers by relaxed std140 and std430 (default for .spv)"),
    flag("fvk-bind-register",      Four,     "REGISTER SPACE BINDING SET", "binding of a register: -fvk-bind-register t3 0 1 2"),
    flag("vkbr",                   Four,     "REGISTER SPACE BINDING SET", "the same"),
    flag("fvk-bind-globals",       Two,      "BINDING SET", "binding of the global variables outside of constant buffers"),
    flag("fvk-auto-shift-bindings", Nothing, "",        "apply register shifts to resources without a register too"),
    flag("fspv-flatten-resource-arrays", Nothing, "",   "each element of an array of resources has a binding of its own"),
    flag("default-linkage",        Separate, "LINKAGE", "internal (default) or external: external exports the functions of a library that are no shaders, inline functions or instances of templates"),
    flag("exports",                Separate, "LIST",    "exported functions of a library and their new names: new[,new2]=old;other"),
    flag("export-shaders-only",    Nothing,  "",        "a library exports entry points only"),
    flag("auto-binding-space",     Separate, "SPACE",   "assign registers of this space to resources without a register"),
    flag("flegacy-resource-reservation", Nothing, "",   "registers of resources that nothing uses are not given to others, as for shader models before 5.1"),
    flag("fvk-bind-counter-heap",  Two,      "BINDING SET", "binding of the counters of the resource descriptor heap's buffers (default: the next free binding of set 0)"),
    flag("fvk-bind-resource-heap", Two,      "BINDING SET", "binding of the resource descriptor heap (default: the next free binding of set 0)"),
    flag("fvk-bind-sampler-heap",  Two,      "BINDING SET", "binding of the sampler descriptor heap"),
    flag("HV",                     Either,   "VERSION", "HLSL version: 2016, 2017, 2018, 2021 (default) or 202x"),
    flag("Vd",                     Nothing,  "",        "do not sign the container"),
    flag("WX",                     Nothing,  "",        "treat warnings as errors, but for groups that only -Werror=GROUP turns into errors"),
    flag("W",                      Joined,   "GROUP",   "-Wgroup turns a warning on, -Wno-group off, -Werror=group into an error"),
    flag("verify",                 Nothing,  "",        "compare diagnostics with `// expected-error {{text}}` comments of the source"),
    flag("no-warnings",            Nothing,  "",        "show no warnings"),
    flag("Od",                     Nothing,  "",        "no optimisation, but loops under [unroll] are unrolled"),
    flag("O0",                     Nothing,  "",        "the same as -Od"),
    flag("O1",                     Nothing,  "",        "as -O2, without motion out of loops, hoisting of what branches share, and unrolling of loops that do not request it"),
    flag("O2",                     Nothing,  "",        "full optimisation"),
    flag("O3",                     Nothing,  "",        "the same as -O2: both write the same module (default)"),
    flag("validator-version",      Separate, "M.N",     "version of the validator to be compatible with"),
    flag("all-resources-bound",    Nothing,  "",        "set the flag that all descriptors are bound"),
    flag("all_resources_bound",    Nothing,  "",        "the same"),
    flag("res-may-alias",          Nothing,  "",        "UAVs may alias: from shader model 6.7 on leave out the flag that they do not"),
    flag("res_may_alias",          Nothing,  "",        "the same"),
    flag("Qstrip_reflect",         Nothing,  "",        "omit the reflection part"),
    flag("Qkeep_reflect_in_dxil",  Nothing,  "",        "keep names and types of fields in the DXIL part too"),
    flag("Qstrip_rootsignature",   Nothing,  "",        "omit the root signature"),
    flag("Qstrip_debug",           Nothing,  "",        "omit the debug module"),
    flag("Qstrip_priv",            Nothing,  "",        "remove private data (with -dumpbin)"),
    flag("Fd",                     Either,   "FILE",    "write debug information (-Zi or -Zs) to a PDB; a name that ends in a separator is a folder, in which the shader's hash is the file name"),
    flag("Fre",                    Either,   "FILE",    "write reflection data: the part STAT and, for a library, RDAT"),
    flag("Frs",                    Either,   "FILE",    "write a container of the root signature"),
    flag("Fsh",                    Either,   "FILE",    "write the shader's hash"),
    flag("setprivate",             Either,   "FILE",    "add private data to the container"),
    flag("getprivate",             Either,   "FILE",    "write the container's private data"),
    flag("setrootsignature",       Either,   "FILE",    "replace the root signature by that of another container"),
    flag("extractrootsignature",   Nothing,  "",        "write a container of the root signature to -Fo"),
    flag("verifyrootsignature",    Either,   "FILE",    "check that the root signature of a container matches the shader (with -dumpbin)"),
    flag("dumpbin",                Nothing,  "",        "read a container or a PDB instead of a source: print its disassembly, extract parts, change parts (-Qstrip_*, -set*, -get*, -Fo)"),
    flag("rootsig-define",         Separate, "MACRO",   "take the root signature of the compute shader from a macro"),
    flag("import-binding-table", Either, "FILE", "registers of resources that have none, from a table (DXIL)"),
    flag("binding-table-define", Separate, "MACRO", "the same, from a macro"),
    flag("force-rootsig-ver",      Either,   "VERSION", "rootsig_1_0, rootsig_1_1 (default) or rootsig_1_2"),
    flag("force_rootsig_ver",      Either,   "VERSION", "the same"),
    flag("enable-16bit-types",     Nothing,  "",        "16-bit types are native (SM 6.2 and up)"),
    flag("Gfa",                    Nothing,  "",        "avoid flow control: an if or switch without a hint is [flatten]"),
    flag("Gfp",                    Nothing,  "",        "prefer flow control: an if or switch without a hint is [branch]"),
    flag("Zpr",                    Nothing,  "",        "default matrix orientation: row major"),
    flag("Zpc",                    Nothing,  "",        "default matrix orientation: column major (default)"),
    flag("Gis",                    Nothing,  "",        "IEEE strictness: treat all computations as `precise`"),
    flag("precise-output",         Separate, "LIST",    "outputs with these semantics are `precise`: SV_Position,COLOR1"),
    flag("denorm",                 Either,   "MODE",    "mode of denormal 32-bit floats: any, preserve, or ftz (flush to zero); SM 6.2 and up"),
    flag("enable-payload-qualifiers",  Nothing, "",     "payload access qualifiers in SM 6.6"),
    flag("disable-payload-qualifiers", Nothing, "",     "no payload access qualifiers"),
    own("hit-group",               Equals,   "NAME=CLOSESTHIT,ANYHIT,INTERSECTION", "a hit group that the host declares, for local root signatures associated with it (SPIR-V); shaders may be left out"),
    own("payload-layout",         Equals,   "LAYOUT",  "declared (default), packed: payloads with qualifiers take the fewest words that the qualifiers allow (SPIR-V; all libraries of a pipeline must agree), or whole: by all that the library does with them, which is all that there is (SPIR-V)"),
    own("payload-layout-file",    Equals,   "FILE",    "packed payload layouts from a file that all libraries of a pipeline share; rtc paq -layout writes it"),
    flag("fdiagnostics-format",    Equals,   "FORMAT",  "rich (default on a terminal), clang or short (default elsewhere, as dxc prints them), msvc, msvc-fallback, msvc-code (`file(line,col): error E0301: text`), vi or json"),
    own("fcolor-diagnostics",     Nothing,  "",        "colour diagnostics (default on a terminal, unless NO_COLOR is set)"),
    own("fno-color-diagnostics",  Nothing,  "",        "do not colour diagnostics"),
    own("emit-ir",                Nothing,  "",        "print the IR after optimisation instead of compiling further"),
    own("why-capability",         Nothing,  "",        "print each SPIR-V capability and extension with its reason"),
    own("report",                 Either,   "KIND[=FORMAT][,FILE]", "a report on the program: reorder (reorder points and what is live across them), paq (liveness of payload fields); as text, json, html or, for paq, svg"),
    flag("nologo",                 Nothing,  "",        "print no banner (there is none)"),
    flag("Zi",                     Nothing,  "",        "debug information: lines, variables, types and sources; with -spirv lines and sources (-fspv-debug has the rest)"),
    flag("Zs",                     Nothing,  "",        "slim debug information: sources and arguments, for a PDB file"),
    flag("Qembed_debug",           Nothing,  "",        "keep debug information in the container (with -Zi)"),
    flag("Zss",                    Nothing,  "",        "the hash that names debug information covers the sources too"),
    flag("Zsb",                    Nothing,  "",        "the hash that names debug information covers the code only (default)"),
    flag("Po",                     Nothing,  "",        "the same as -P, with the output file as the argument after it (use -P -Fi)"),
    flag("v",                      Nothing,  "",        "say which options have no effect, and why"),
    flag("verbose",                Nothing,  "",        "the same"),
    flag("Gec",                    Nothing,  "",        "compatibility with older compilers: the default of -HV is 2016, and semantics of Direct3D 9 stand for system values"),
    flag("fspv-debug",             Equals,   "WHAT",    "debug information in SPIR-V: file, source, line, tool (-Zi: all four), or with types, variables, scopes and inlined calls: vulkan-with-source, vulkan (NonSemantic.Shader.DebugInfo.100), rich-with-source, rich (OpenCL.DebugInfo.100); may be repeated"),
    flag("fspv-max-id",            Separate, "N",       "refuse SPIR-V whose ids are above N"),
    flag("fspv-entrypoint-name",   Equals,   "NAME",    "name of the entry point in SPIR-V"),
    flag("fspv-use-unknown-image-format", Nothing, "",  "images without `[[vk::image_format]]` have no format"),
    own("time-limit",             Equals,   "MS",      "stop when compiling takes longer than so many milliseconds"),
    own("memory-limit",           Equals,   "MIB",     "stop when compiling takes more memory than so many mebibytes"),
    flag("ftime-report",           Nothing,  "",        "print how long each phase, pass and function took"),
    flag("ftime-trace",            OptionalEquals, "FILE", "write a trace of the same, which Perfetto opens (default: standard output)"),
    flag("ftime-trace-granularity", Equals,  "MICROSECONDS", "leave shorter phases out of the trace"),
    flag("fspv-preserve-bindings", Nothing,  "",        "declare every resource, used or not"),
    flag("fcgl",                   Nothing,  "",        "with -spirv: no optimisation, as -Od"),
    flag("fspv-reflect",           Nothing,  "",        "HLSL types, semantics and counters of variables as decorations, for reflection"),
    flag("fspv-enable-maximal-reconvergence", Nothing, "", "threads reconverge as the source is written (SPV_KHR_maximal_reconvergence)"),
    flag("fvk-use-dx-position-w",  Nothing,  "",        "pixel shaders get 1 / w of the position, as in Direct3D"),
    flag("fvk-invert-y",           Nothing,  "",        "negate the y of positions that go to the rasteriser"),
    flag("fvk-support-nonzero-base-instance", Nothing, "", "SV_InstanceID begins with 0, as in Direct3D"),
    flag("fvk-support-nonzero-base-vertex", Nothing, "", "SV_VertexID begins with 0, as in Direct3D"),
    flag("pack-optimized",         Nothing,  "",        "stage inputs and outputs take as few registers as possible"),
    flag("pack_optimized",         Nothing,  "",        "the same as -pack-optimized"),
    flag("pack-prefix-stable",     Nothing,  "",        "the registers of the first inputs and outputs do not depend on what follows (default)"),
    flag("pack_prefix_stable",     Nothing,  "",        "the same as -pack-prefix-stable"),
    flag("fvk-stage-io-order",     Equals,   "ORDER",   "order of the locations of inputs and outputs: decl (as declared, the default) or alpha (by semantic)"),
    no_effect("fspv-print-all", Nothing, "SPIR-V after each pass", "rtc optimises its IR, not SPIR-V; -emit-ir prints that"),
    no_effect("fspv-reduce-load-size", Nothing, "partial loads", "rtc always loads only what is used"),
    no_effect("fspv-fix-func-call-arguments", Nothing, "copies of the arguments of calls", "rtc inlines all calls"),
    no_effect("fspv-preserve-interface", Nothing, "keep unused inputs and outputs", "outputs are always kept; unused inputs are left out, and their locations stay free"),
    no_effect("fspv-use-legacy-buffer-matrix-order", Nothing, "matrices in byte-address buffers by rows", "rtc follows -Zpr and -Zpc"),
    no_effect("fspv-use-emulated-heap", Nothing, "descriptor heaps as arrays of descriptors", "they always are"),
    no_effect("Oconfig", Equals, "passes over SPIR-V", "rtc optimises its IR, not SPIR-V"),
    no_effect("enable-lifetime-markers", Nothing, "lifetime markers in DXIL", "rtc writes none"),
    no_effect("disable-lifetime-markers", Nothing, "no lifetime markers in DXIL", "rtc never writes any"),
    no_effect("force-zero-store-lifetimes", Nothing, "stores of zero in place of lifetime markers", "rtc writes neither"),
    no_effect("opt-enable", Separate, "one optimisation on", "the optimisations of rtc have no such names"),
    no_effect("opt-disable", Separate, "one optimisation off", "the optimisations of rtc have no such names"),
    no_effect("opt-select", Two, "a variant of an optimisation", "the optimisations of rtc have no such names"),
    no_effect("memdep-block-scan-limit", Separate, "a limit of an analysis", "rtc has no such limit"),
    no_effect("fnew-inlining-behavior", Nothing, "heuristics for inlining", "rtc inlines all calls"),
    no_effect("preserve-intermediate-values", Nothing, "intermediate values for debuggers", "-Od keeps variables"),
    no_effect("fdisable-loc-tracking", Nothing, "no source locations in the module", "there are none without -Zi"),
    no_effect("Ges", Nothing, "strict mode", "rtc has no other"),
    no_effect("no-legacy-cbuf-layout", Nothing, "loads from constant buffers by bytes", "rtc loads rows of constant buffers, as Direct3D drivers expect"),
    no_effect("not_use_legacy_cbuf_load", Nothing, "the same", "rtc loads rows of constant buffers, as Direct3D drivers expect"),
    no_effect("ffinite-math-only", Nothing, "assume that no number is NaN or infinite", "rtc does not use this assumption"),
    no_effect("fno-finite-math-only", Nothing, "do not assume that no number is NaN or infinite", "rtc never does"),
    no_effect("Qsource_in_debug_module", Nothing, "source text in the debug module", "it is always there"),
    no_effect("Qstrip_reflect_from_dxil", Nothing, "no names and types of fields in the DXIL part", "they are there with -Qkeep_reflect_in_dxil only"),
    no_effect("Qunused-arguments", Nothing, "no warning for unused arguments", "there is none"),
    no_effect("fdiagnostics-show-option", Nothing, "diagnostics name their group", "they do"),
    no_effect("ferror-limit", Equals, "stop after so many errors", "rtc stops after the phase that fails"),
    no_effect("flegacy-macro-expansion", Nothing, "pastes tokens as fxc did", "rtc expands macros as the C standard defines"),
    no_effect("encoding", Either, "encoding of output texts: utf8, wide", "the command writes UTF-8 and reads any; programs that load libdxcompiler get it"),
    no_effect("Cc", Nothing, "coloured listings", "listings of rtc have no colours"),
    no_effect("Ni", Nothing, "listings with instruction numbers", "listings of rtc number values"),
    no_effect("No", Nothing, "listings with byte offsets", "listings of rtc have no offsets"),
    no_effect("Lx", Nothing, "listings with hexadecimal literals", "listings of rtc write numbers as LLVM does"),
    no_effect("fno-diagnostics-show-option", Nothing, "diagnostics do not name their warning group", "diagnostics always name their group"),
    no_effect("select-validator", Either, "which validator checks the container", "rtc has one"),
    no_effect("external", Separate, "another compiler library", "rtc loads none"),
    no_effect("external-fn", Separate, "the entry of another compiler library", "rtc loads none"),
    no_effect("disable-exception-handling", Nothing, "no handling of exceptions", "rtc has no exceptions"),
    no_effect("ignore-opt-semdefs", Nothing, "ignore semantic defines", "rtc has none"),
    no_effect("ignore-semdef", Separate, "ignore one semantic define", "rtc has none"),
    no_effect("override-semdef", Separate, "override a semantic define", "rtc has none"),
    refused("metal", Nothing, "Metal code", "rtc writes DXIL and SPIR-V"),
    refused("fspv-use-descriptor-heap", Nothing, "descriptor heaps by SPV_EXT_descriptor_heap", "rtc has descriptor heaps as arrays of descriptors only"),
    refused("fspv-use-vulkan-memory-model", Nothing, "the Vulkan memory model", "rtc writes the Vulkan memory model only where inline SPIR-V names its capability; coherence is by decorations, which that model does not have"),
    refused("recompile", Nothing, "compile the sources of a container again", "a compilation reads a source, and the options of a container are those of another compiler; `rtc container` extracts the sources"),
    refused("Qpdb_in_private", Nothing, "the PDB as private data", "use -Qembed_debug or -Fd"),
    refused("skip-serialization", Nothing, "a module in memory", "it is for callers of the dxcompiler library"),
    refused("ast-dump", Nothing, "the syntax tree", "it prints the inner form of another compiler; -emit-ir prints that of rtc"),
    refused("ast-dump-implicit", Nothing, "the syntax tree with implicit declarations", "it prints the inner form of another compiler; -emit-ir prints that of rtc"),
    refused("Odump", Nothing, "the passes of the optimiser", "it prints the inner form of another compiler; -emit-ir prints that of rtc"),
    refused("print-before-all", Nothing, "the code before each pass", "it prints the inner form of another compiler; -emit-ir prints that of rtc"),
    refused("print-before", Separate, "the code before a pass", "it prints the inner form of another compiler; -emit-ir prints that of rtc"),
    refused("print-after-all", Nothing, "the code after each pass", "it prints the inner form of another compiler; -emit-ir prints that of rtc"),
    refused("print-after", Separate, "the code after a pass", "it prints the inner form of another compiler; -emit-ir prints that of rtc"),
    refused("unchanged", Nothing, "", "it belongs to the rewriter of HLSL, which rtc does not have"),
    refused("skip-fn-body", Nothing, "", "it belongs to the rewriter of HLSL, which rtc does not have"),
    refused("skip-static", Nothing, "", "it belongs to the rewriter of HLSL, which rtc does not have"),
    refused("global-extern-by-default", Nothing, "", "it belongs to the rewriter of HLSL, which rtc does not have"),
    refused("keep-user-macro", Nothing, "", "it belongs to the rewriter of HLSL, which rtc does not have"),
    refused("extract-entry-uniforms", Nothing, "", "it belongs to the rewriter of HLSL, which rtc does not have"),
    refused("remove-unused-globals", Nothing, "", "it belongs to the rewriter of HLSL, which rtc does not have"),
    refused("remove-unused-functions", Nothing, "", "it belongs to the rewriter of HLSL, which rtc does not have"),
    refused("line-directive", Nothing, "", "it belongs to the rewriter of HLSL, which rtc does not have"),
    refused("decl-global-cb", Nothing, "", "it belongs to the rewriter of HLSL, which rtc does not have"),
    refused("d", Nothing, "", "dxc has it in its table and refuses it, too"),
    refused("fdiagnostics-color", OptionalEquals, "", "dxc has it in its table and refuses it, too"),
    refused("funsafe-math-optimizations", Nothing, "", "dxc has it in its table and refuses it, too"),
    refused("fno-unsafe-math-optimizations", Nothing, "", "dxc has it in its table and refuses it, too"),
    refused("fassociative-math", Nothing, "", "dxc has it in its table and refuses it, too"),
    refused("fno-associative-math", Nothing, "", "dxc has it in its table and refuses it, too"),
    refused("fno-reciprocal-math", Nothing, "", "dxc has it in its table and refuses it, too"),
    refused("fsigned-zeros", Nothing, "", "dxc has it in its table and refuses it, too"),
    refused("fhonor-nans", Nothing, "", "dxc has it in its table and refuses it, too"),
    refused("fno-honor-nans", Nothing, "", "dxc has it in its table and refuses it, too"),
    refused("fhonor-infinities", Nothing, "", "dxc has it in its table and refuses it, too"),
    refused("fno-honor-infinities", Nothing, "", "dxc has it in its table and refuses it, too"),
    refused("fconstexpr-depth", Equals, "", "dxc has it in its table and refuses it, too"),
    refused("fconstexpr-steps", Equals, "", "dxc has it in its table and refuses it, too"),
    refused("fconstexpr-backtrace-limit", Equals, "", "dxc has it in its table and refuses it, too"),
    refused("fdiagnostics-show-category", Equals, "", "dxc has it in its table and refuses it, too"),
    refused("flimited-precision", Equals, "", "dxc has it in its table and refuses it, too"),
];

impl Takes {
    /// The values of an option, as words of their own unless it joins the value to its name.
    pub fn values(self) -> usize {
        match self {
            Takes::Nothing => 0,
            Takes::JoinedOrSeparate | Takes::Joined | Takes::Separate | Takes::Equals | Takes::OptionalEquals => 1,
            Takes::Two => 2,
            Takes::Four => 4,
        }
    }

    /// Whether the values are never words of their own.
    pub fn joins(self) -> bool {
        matches!(self, Takes::Joined | Takes::Equals | Takes::OptionalEquals)
    }
}

/// Options that concern SPIR-V and do not have one of its prefixes.
const SPIRV: &[&str] = &["spirv", "vkbr", "payload-layout", "payload-layout-file", "hit-group", "Oconfig", "fcgl"];

impl Flag {
    /// Whether it concerns SPIR-V alone: it has no meaning for DXIL.
    pub fn is_spirv(&self) -> bool {
        self.name.starts_with("fspv-") || self.name.starts_with("fvk-") || SPIRV.contains(&self.name)
    }

    /// The option as it is written, with its values: `-fvk-t-shift N SPACE`.
    pub fn spelling(&self) -> String {
        match self.takes {
            Takes::Nothing => format!("-{}", self.name),
            Takes::Joined => format!("-{}{}", self.name, self.value),
            Takes::Equals => format!("-{}={}", self.name, self.value),
            Takes::OptionalEquals => format!("-{}[={}]", self.name, self.value),
            Takes::JoinedOrSeparate | Takes::Separate | Takes::Two | Takes::Four => format!("-{} {}", self.name, self.value),
        }
    }
}

/// The page `docs/flags.md`.
pub fn page() -> String {
    let mut out = String::from(
        "# Options\n\nGenerated from `common/tables/src/flags.rs`; `UPDATE=1 cargo test -p rtc-tables --test flags` writes it. Options are written with `-` or, as in \
         dxc, with `/`; `@FILE` reads more arguments from a file.\n",
    );
    let mut section = |title: &str, text: &str, chosen: &dyn Fn(&Flag) -> bool, columns: (&str, &str)| {
        out.push_str(&format!(
            "\n## {title}\n\n{text}\n\n| option | {} |{}\n|---|---|{}\n",
            columns.0,
            columns.1,
            if columns.1.is_empty() { "" } else { "---|" }
        ));
        for f in FLAGS.iter().filter(|f| chosen(f)) {
            let escape = |s: &str| s.replace('|', "\\|");
            let why = match f.support {
                Support::Full => String::new(),
                Support::NoEffect(why) | Support::Refused(why) => format!(" {} |", escape(why)),
            };
            out.push_str(&format!("| `{}` | {} |{why}\n", escape(&f.spelling()), escape(f.help)));
        }
    };
    section("Of dxc", "They have the effect that they have there.", &|f| f.support == Support::Full && !f.own, ("effect", ""));
    section("Of rtc", "dxc does not have them.", &|f| f.own, ("effect", ""));
    section(
        "Without effect",
        "Accepted, because builds pass them; `-v` prints a note for each.",
        &|f| matches!(f.support, Support::NoEffect(_)),
        ("meaning in dxc", " reason |"),
    );
    section("Refused", "An error with the reason.", &|f| matches!(f.support, Support::Refused(_)), ("meaning in dxc", " reason |"));
    out
}
