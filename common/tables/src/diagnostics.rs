//! The diagnostics: stable code, severity, `-W` group, and a description of each.
//!
//! One row, one line. Ranges: `E01xx` characters, tokens and preprocessor; `E02xx` syntax; `E03xx` and above, semantic
//! analysis and later stages. Warnings are `W` with the range of the stage that reports them. A row is never renumbered or reused.

use rtc_base::{Code, Severity};

macro_rules! codes {
    ($($id:ident $severity:ident $group:literal $about:literal;)*) => {
        $(#[doc = $about]
        pub static $id: Code =
            Code { id: stringify!($id), severity: Severity::$severity, group: $group, about: $about };)*
        /// All rows, in the order of the table.
        pub static ALL: &[&Code] = &[$(&$id,)*];
    };
}

#[rustfmt::skip]
codes! {
    // Characters and tokens
    E0101 Error   ""                    "a character that no token of HLSL starts with";
    E0102 Error   ""                    "a typographic quotation mark where a plain one belongs";
    E0103 Error   ""                    "a string literal that does not end on its line";
    E0104 Error   ""                    "a character literal that is empty or does not end on its line";
    E0105 Error   ""                    "a block comment that does not end";
    E0106 Error   ""                    "an invalid number";
    E0107 Error   ""                    "an integer literal that does not fit 64 bits";
    E0108 Error   ""                    "a literal of no character, of several, or with digits that are missing";
    E0109 Error   ""                    "a source text beyond the limits of size";
    // Preprocessor
    E0120 Error   ""                    "an unknown or malformed preprocessing directive";
    E0121 Error   ""                    "a conditional directive without its counterpart";
    E0122 Error   ""                    "a malformed condition of #if or #elif";
    E0123 Error   ""                    "an #error directive";
    E0124 Error   ""                    "an included file that is not found or cannot be read";
    E0125 Error   ""                    "includes nested too deeply, usually a cycle";
    E0126 Error   ""                    "a malformed macro definition";
    E0127 Error   ""                    "a macro called with the wrong arguments";
    E0128 Error   ""                    "macro expansion beyond the limits of size or nesting";
    E0129 Error   ""                    "two tokens that ## cannot join";
    E0130 Error   ""                    "a malformed #line directive";
    E0131 Error   ""                    "a malformed #pragma that HLSL defines";
    W0101 Warning "macro-redefined"     "a redefinition of a macro with another body";
    W0102 Warning "include-case"        "an included file whose name differs in letter case from the existing file";
    W0103 Warning "unknown-pragmas"     "a pragma that HLSL does not define";
    W0104 Warning "warnings-directive"  "a #warning directive";
    W0105 Warning "extra-tokens"        "tokens after the end of a directive";
    W0106 Warning "undef"               "an undefined name in a condition, which evaluates to 0";
    W0108 Warning "unknown-pragmas"     "a malformed pragma about diagnostics";
    W0109 Warning "confusable-names"    "a name with characters that are not seen, or that look like others";
    W0107 Warning "builtin-macro-redefined" "a predefined macro that is redefined or undefined";
    W0110 Warning "unknown-escape-sequence" "an escape sequence that has no meaning";
    // Syntax
    E0201 Error   ""                    "an unexpected token";
    E0202 Error   ""                    "a missing semicolon";
    E0203 Error   ""                    "a missing closing bracket";
    E0204 Error   ""                    "an unmatched closing bracket";
    E0205 Error   ""                    "brackets, expressions or statements nested too deeply";
    E0206 Error   ""                    "a malformed register, packoffset or space";
    E0207 Error   ""                    "a source file that ends in the middle of a declaration";
    E0208 Error   ""                    "too many errors";
    E0209 Error   ""                    "a constructor or destructor, which HLSL does not have";
    W0201 Warning "effects-syntax"      "a block of the effects framework, which is ignored";
    // Names and types
    E0301 Error   ""                    "an undeclared name";
    E0302 Error   ""                    "a member that the type does not have";
    E0303 Error   ""                    "a name that is not a type in the position of a type";
    E0304 Error   ""                    "a name declared twice in one scope, or again with another type";
    E0305 Error   ""                    "a name that is not a value in the position of a value";
    E0306 Error   ""                    "a qualifier before :: that is not a namespace or type";
    E0307 Error   ""                    "a type that cannot be used here: void, incomplete, unbounded";
    E0308 Error   ""                    "a type that HLSL does not have: pointer, reference, union, auto";
    E0309 Error   ""                    "invalid template arguments of a built-in type";
    E0310 Error   ""                    "an array size that is negative or not a constant";
    E0311 Error   ""                    "a specifier that is not allowed or contradicts another";
    // Expressions
    E0312 Error   ""                    "a value of the wrong type, without an implicit conversion";
    E0313 Error   ""                    "a call without a viable function";
    E0314 Error   ""                    "an ambiguous call";
    E0315 Error   ""                    "a call with too many or too few arguments";
    E0316 Error   ""                    "a call of a value that is not a function";
    E0317 Error   ""                    "a write to an expression that is not a writable l-value";
    E0318 Error   ""                    "an operator with invalid operands";
    E0319 Error   ""                    "a vector where HLSL 2021 requires a scalar condition";
    E0320 Error   ""                    "an index of the wrong type or out of range, or of a type without elements";
    E0321 Error   ""                    "an invalid swizzle";
    E0322 Error   ""                    "an initialiser with too many or too few values";
    E0323 Error   ""                    "a cast between types that have nothing in common";
    E0324 Error   ""                    "an expression that is not a constant";
    E0326 Error   ""                    "`this` outside of a method";
    E0327 Error   ""                    "a member of an object used without an object";
    E0328 Error   ""                    "a constant without an initialiser, or an initialiser that is not allowed";
    E0330 Error   ""                    "a failed static assertion";
    E0331 Error   ""                    "a base type that cannot be inherited from";
    E0332 Error   ""                    "an enumerator or underlying type that does not fit";
    E0333 Error   ""                    "invalid template arguments, or failed deduction";
    E0334 Error   ""                    "endless recursive instantiation of templates";
    E0335 Error   ""                    "a parameter without default argument after one that has one";
    E0336 Error   ""                    "an invalid operator overload";
    E0337 Error   ""                    "a bit-field of an invalid type or width";
    E0338 Error   ""                    "a feature of C++ that HLSL does not have";
    E0339 Error   ""                    "an out-of-line definition without a declaration";
    E0340 Error   ""                    "types, expressions or statements nested too deeply to be checked";
    E0341 Error   ""                    "a name that `using namespace` makes mean several things";
    E0342 Error   ""                    "an attribute after a type that does not say which matrix of linear algebra it is";
    // Statements
    E0401 Error   ""                    "break or continue outside of a loop or switch";
    E0402 Error   ""                    "a case label that is misplaced, doubled or not constant";
    E0403 Error   ""                    "a return that does not match the return type";
    E0404 Error   ""                    "a declaration that is not allowed in a function";
    E0405 Error   ""                    "an attribute with invalid arguments or in an invalid position";
    E0406 Error   ""                    "a loop that never ends";
    // Resources and layout
    E0501 Error   ""                    "a register of the wrong class, or on a declaration without registers";
    E0502 Error   ""                    "a packoffset that is misaligned, overlaps or is outside of a constant buffer";
    E0503 Error   ""                    "an element type that a resource cannot have";
    E0504 Error   ""                    "an object in a type that allows numbers only";
    E0505 Error   ""                    "an invalid groupshared variable";
    E0506 Error   ""                    "two resources that share a register";
    E0507 Error   ""                    "a resource that gets no register or binding";
    // Stages
    E0601 Error   ""                    "an entry point with parameters or a result that its stage does not have";
    E0602 Error   ""                    "a call of an intrinsic that the stage does not have";
    E0603 Error   ""                    "recursion, direct or indirect";
    E0604 Error   ""                    "a feature that the shader model does not have";
    E0605 Error   ""                    "an entry point that is missing or occurs twice";
    E0606 Error   ""                    "a payload access qualifier that is invalid, missing or misplaced";
    E0607 Error   ""                    "a subobject with an invalid initialiser";
    E0608 Error   ""                    "a shader stage that this compiler does not support";
    E0609 Error   ""                    "a call of an undefined function that cannot be external";
    E0610 Error   ""                    "an entry point without an attribute that its stage requires";
    E0611 Error   ""                    "an object in the signature of an external or exported function";
    E0620 Error   ""                    "a barrier with invalid flags";
    E0630 Error   ""                    "an attribute of Vulkan that names no image format";
    E0632 Error   ""                    "a rasterizer-ordered view outside of pixel shaders";
    // Resources as values
    E0640 Error   ""                    "a resource variable that is used and never assigned";
    E0641 Error   ""                    "a selection between resources of which one is unknown";
    E0642 Error   ""                    "a selection between too many resources";
    E0643 Error   ""                    "an invalid root signature";
    E0644 Error   ""                    "an export that does not exist or occurs twice";
    E0645 Error   ""                    "a constant argument outside the values that an intrinsic accepts";
    E0646 Error   ""                    "a root signature that does not bind what its shader uses";
    E0647 Error   ""                    "a root signature from a macro that does not exist";
    E0648 Error   ""                    "a root signature attribute on a shader that uses subobjects";
    E0649 Error   ""                    "a binding table that cannot be read";
    E0650 Error   ""                    "an operation on matrices of linear algebra whose types, layout or alignment do not fit";
    // Stage inputs and outputs
    E0670 Error   ""                    "a semantic that a stage does not have among its inputs or outputs";
    E0671 Error   ""                    "a stage input or output without a semantic";
    E0672 Error   ""                    "stage inputs or outputs that exclude each other, or share a semantic";
    E0673 Error   ""                    "a stage input or output of a type that it cannot have";
    E0674 Error   ""                    "an interpolation modifier that does not apply";
    E0675 Error   ""                    "an evaluation of an attribute that is no stage input";
    E0676 Error   ""                    "stage inputs or outputs that do not fit into the registers of the stage";
    E0677 Error   ""                    "locations of stage inputs or outputs that clash, or that only some of them have";
    E0680 Error   ""                    "a mesh or amplification shader without an attribute that it needs, or with one that does not fit";
    E0681 Error   ""                    "arrays of vertices, indices or primitives that a mesh shader cannot have";
    E0682 Error   ""                    "a parameter or variable that cannot be the payload of mesh shaders";
    E0683 Error   ""                    "an output of a mesh shader that is read, or written in part where it must be written whole";
    E0684 Error   ""                    "calls of `DispatchMesh` or `SetMeshOutputCounts` that are missing, too many, or not in uniform control flow";
    // Geometry and tessellation
    E0690 Error   ""                    "attributes of a geometry, hull or domain shader that do not fit each other or its outputs";
    E0691 Error   ""                    "vertices or streams that a geometry shader cannot have";
    E0692 Error   ""                    "a patch that a hull or domain shader cannot have";
    E0693 Error   ""                    "a patch constant function that is missing, or does not fit its hull shader";
    E0694 Error   ""                    "tessellation factors that are missing or do not fit the domain";
    E0695 Error   ""                    "a system value among the outputs that is not written";
    // Payload access qualifiers
    E0700 Error   ""                    "a stage that reads a payload field which no stage before it writes";
    E0701 Error   ""                    "a stage that writes a payload field which no stage after it reads";
    E0702 Error   ""                    "an unknown stage in a payload access qualifier";
    E0703 Error   ""                    "a payload access qualifier given twice";
    E0704 Error   ""                    "a payload access qualifier outside of a payload structure";
    E0705 Error   ""                    "a payload access qualifier on a member whose type has its own";
    E0706 Error   ""                    "a payload whose type is not declared `[raypayload]`";
    E0707 Error   ""                    "a payload that inherits members without qualifiers";
    E0708 Error   ""                    "a payload without members";
    E0709 Error   ""                    "an unknown qualifier like `read(…)` after a declaration";
    E0710 Error   ""                    "an object in a payload structure";
    E0711 Error   ""                    "`[raypayload]` on something other than a definition of a structure";
    E0712 Error   ""                    "declarations of one payload type that differ between libraries";
    E0713 Error   ""                    "payload access qualifiers that cannot be inferred from the libraries given";
    E0714 Error   ""                    "a payload declaration that cannot be rewritten";
    E0720 Error   ""                    "a payload layout file that is malformed";
    E0721 Error   ""                    "a payload declaration, or a shader, that differs from the payload layout file";
    // Code generation
    E0840 Error   ""                    "an error of the compiler itself: an access that it moved across a reorder point";
    E0841 Error   ""                    "an error of the compiler itself: an access that a pass inserted";
    E0842 Error   ""                    "an error of the compiler itself: an access that it replaced by one before another reorder point";
    E0901 Error   ""                    "an error of the compiler itself: a pass broke the program, or the result breaks a rule of DXIL";
    E0902 Error   ""                    "a construct that DXIL cannot express";
    E0903 Error   ""                    "a construct that SPIR-V cannot express";
    E0904 Error   ""                    "a part of the language that is not supported yet";
    E0905 Error   ""                    "a construct that the IR cannot express";
    E0906 Error   ""                    "a program that is too large or too deep once everything is inlined";
    E0920 Error   ""                    "a hit object query that the selected SPIR-V extension does not support";
    E0921 Error   ""                    "too many hit objects alive at once for SPIR-V";
    E0935 Error   ""                    "a construct that prevents the lowering of hit objects for devices without them";
    E0923 Error   ""                    "inline SPIR-V that is no valid instruction, type, variable or decoration";
    E0924 Error   ""                    "a feature that the selected version of Vulkan does not have";
    E0927 Error   ""                    "a declaration that runtime packages do not describe";
    W0923 Warning "inline-spirv"        "inline SPIR-V that this compiler does not know and emits as written";
    W0922 Warning "hit-object-cluster"  "a cluster query of a hit object through an extension that does not support it";
    W0925 Warning "software-reordering" "a ray generation shader that cannot be divided at its reorder points for software reordering";
    W0926 Warning "package-forms"       "a form of hit objects that a library does not have, where the compiler chooses";
    // Warnings of the checker
    W0301 Warning "conversion"          "an implicit truncation of components";
    W0302 Warning "conversion"          "an implicit conversion to a narrower type";
    W0303 Warning "literal-conversion"  "a literal that changes its value when converted";
    W0304 Warning "unused-value"        "an expression without effect whose value is not used";
    W0305 Warning "uninitialized"       "a variable that is read uninitialised";
    W0306 Warning "parameter-usage"     "an out parameter that is not written";
    W0307 Warning "uniform-initializer" "an initialiser that has no effect, because the host sets the variable";
    W0308 Warning "intrinsic-hides-function" "a call of an intrinsic where the program has a function of that name";
    W0309 Warning "const-argument"      "a constant passed to an inout or out parameter of a function that is named with a qualifier";
    W0310 Warning "switch-unreachable"  "an unreachable statement of a switch";
    W0311 Warning "switch-float"        "a switch on a floating-point number";
    W0312 Warning "hlsl-extension"      "code that other compilers of HLSL, or other versions of the language, do not have";
    W0313 Warning "semantic-identifier-collision" "a semantic that has the name of an integer variable";
    W0314 Warning "conversion"          "a resource that becomes more or less coherent";
    W0315 Warning "for-redefinition"    "a variable of a `for` that the block around it has, before HLSL 2021";
    W0316 Warning "parentheses-equality" "an equality comparison in a second pair of parentheses";
    W0317 Warning "ignored-attributes"  "a semantic of Direct3D 9 that means nothing here";
    W0318 Warning "semantic-overridden" "a semantic of a member that the semantic of its structure replaces";
    W0320 Warning "unroll"              "a loop under `[unroll]` that is not unrolled";
    W0321 Warning "array-bounds"        "a constant index outside of an array, in HLSL 2016";
    W0322 Warning "conversion"          "a minimum-precision type that is a wider one with these options";
    W0323 Warning "literal-range"       "a literal of a 16-bit float that is out of range";
    W0325 Warning "division-by-zero"    "a division of integers by a constant zero";
    W0326 Warning "ambig-lit-shift"     "a shift of a literal by a value with a type";
    W0330 Warning "deprecated-declarations" "an older spelling of an intrinsic or semantic";
    W0401 Warning "return-type"         "a function that can end without returning a value";
    W0402 Warning "unknown-attributes"  "an unknown attribute";
    W0403 Warning "exported-statics"    "a static variable of resources that keeps no value between calls of exported functions from other libraries";
    W0630 Warning "combined-image-sampler" "combined image sampler without its texture or its sampler";
    W0631 Warning "image-format"        "an image format whose integers have another sign than those of the type";
    W0650 Warning "ray-flags"           "ray flags that exclude each other";
    W0651 Warning "ray-flags"           "a ray flag about shaders in a ray query";
    W0652 Warning "ray-flags"           "a ray flag about opacity micromaps where there are none";
    W0653 Warning "ray-flags"           "ray flags that the shader model does not have";
    W0660 Warning "attribute-statement" "an attribute that does not apply to its declaration or statement";
    W0661 Warning "attribute-type"      "an attribute whose argument is ignored";
    W0662 Warning "const-expr-overflow" "a floating point literal beyond the range of its type";
    W0663 Warning "empty-body"          "an `if` or loop whose body is a semicolon on the same line";
    W0664 Warning "parentheses"         "an assignment as a condition, or nested operators without parentheses";
    W0665 Warning "logical-op-parentheses" "`&&` inside of `||` without parentheses";
    W0666 Warning "unused-comparison"   "a comparison whose result is not used";
    W0667 Warning "constant-conversion" "an integer constant that changes its value when converted";
    W0668 Warning "shadow"              "a declaration that hides another one";
    W0669 Warning "tautological-compare" "a comparison that always gives the same result";
    W0700 Warning "payload-access-qualifier" "a duplicate stage in a payload access qualifier";
    W0702 Warning "payload-access-qualifier" "declarations of one payload type whose access qualifiers differ between libraries";
    W0701 Warning "payload-access-qualifier" "payload access qualifiers inside of a qualified member, which have no effect";
    // Ray tracing
    E0660 Error   ""                    "a vertex number that is out of range";
    E0661 Error   ""                    "an offset into local root arguments that is not a multiple of four";
    W0670 Warning "ray-arguments"       "a mask or index of a trace that does not fit the bits that it has";
    W0671 Warning "ray-arguments"       "a hit kind beyond those that shaders may report";
    W0672 Warning "ray-arguments"       "a ray that cannot be traced: not a number, empty, never set or without direction";
    W0673 Warning "ray-query"           "a ray query that is used before it is traced";
    W0674 Warning "ray-query"           "a candidate query of a ray query without a candidate";
    W0675 Warning "ray-query"           "a commit or query of the wrong kind of hit";
    W0676 Warning "ray-query"           "a committed hit used without a check that there is one";
    W0677 Warning "ray-query"           "a traversal step of a ray query whose result is ignored";
    W0678 Warning "ray-query"           "a loop over candidates that does not end";
    W0679 Warning "ray-query-range"     "a procedural hit that is committed without a check of its distance";
    W0680 Warning "ray-arguments"       "vertices of a triangle that may be none";
    W0681 Warning "shader-side-effects" "writes of intersection and any-hit shaders, which may run any number of times";
    W0682 Warning "deprecated-declarations" "an older spelling of an intrinsic";
    W0683 Warning "ray-arguments"       "local root arguments beyond the local root signatures";
    W0684 Warning "ray-flags"           "ray flags that have no effect with the pipeline configuration";
    W0685 Warning "binding-overlap"     "resources of one entry point that share a binding in Vulkan";
    W0688 Warning "output-not-written"  "a render target of which a pixel shader does not write all components";
    W0686 Warning "patch-constant-overloads" "a patch constant function whose name several functions have";
    W0687 Warning "mesh-output-counts"  "outputs of a mesh shader that are written before their number is set, or whose number is set again";
    W0850 Warning "wave-across-reorder" "a wave property that is used after a reorder point";
    W0851 Warning "wave-data-across-reorder" "a wave reduction that is used after a reorder point";
    W0852 Warning "reorder-coherence"   "a UAV without coherence that a thread writes before a reorder point and reads after it";
    W0853 Warning "reorder-coherence"   "a coherent UAV that is written before a reorder point and read after it, without a barrier";
    W0854 Warning "reorder-coherence"   "a barrier for reorder points where no UAV is coherent across them";
    W0855 Warning "reorder-coherence"   "a barrier on the wrong side of a reorder point";
    W0856 Warning "reorder-divergence"  "a reorder in divergent control flow";
    W0857 Warning "reorder-single-lane" "a reorder that a single lane of each wave executes";
    W0858 Warning "coherence-hint"      "a hint for reordering with more bits than its values have, or none";
    W0859 Warning "unused-hit-object"   "a reorder by a hit object that nothing else uses";
    W0860 Warning "nop-hit-object"      "an operation on a hit object that is certainly neither hit nor miss";
    W0861 Warning "invoke-without-record" "a hit object of a ray query used without a shader record";
    W0862 Warning "divergent-trace"     "a trace, a call of a shader or a reorder under divergent control flow";
    W0863 Warning "non-uniform-index"   "an index of a resource that may differ among lanes and is not marked";
    W0601 Warning "payload-access-qualifier" "payload access qualifiers that have no effect";
    W0602 Warning "direct3d-limits"     "a value beyond the limits of Direct3D";
    W0603 Warning "register-overlap"    "resources whose registers overlap, where their Vulkan bindings do not";
    W0703 Warning "payload-access-outside" "a payload access qualifier in a structure that is not declared `[raypayload]`";
    W0704 Warning "payload-access-unread" "a payload field that names no readers";
    // Payload access qualifiers: what happens to fields
    W0710 Warning "payload-access-shader" "a read of a payload field that is not passed to the shader";
    W0711 Warning "payload-access-trace" "a read of a payload field that a trace does not return";
    W0712 Warning "payload-access-shader" "a write to a payload field that is lost when the shader ends";
    W0713 Warning "payload-access-trace" "a write to a payload field that is not passed to a trace";
    W0714 Warning "payload-access-trace" "a payload field without a value at a trace";
    W0718 Warning "payload-access-call" "a payload with access qualifiers passed to an external function";
    W0715 Warning "payload-access-trace" "a payload field that is not written before a trace";
    W0716 Warning "payload-access-shader" "a payload field that a shader overwrites without giving it a value";
    W0720 Warning "payload-access-perf" "a payload field that is returned to a caller and never read there";
    W0721 Warning "payload-access-perf" "a payload field that is live because of its qualifiers only";
    W0722 Warning "payload-access-perf" "a payload that cannot be packed and keeps its declared layout";
}

/// Nested groups, as pairs of child and parent: a setting of the parent applies to the child.
#[rustfmt::skip]
pub const PARENTS: &[(&str, &str)] = &[
    ("literal-conversion", "conversion"), ("constant-conversion", "conversion"), ("sign-conversion", "conversion"),
    ("float-conversion", "conversion"), ("logical-op-parentheses", "parentheses"), ("unused-value", "unused"),
    ("unused-comparison", "unused-value"), ("payload-access-shader", "payload-access-qualifier"),
    ("payload-access-trace", "payload-access-qualifier"), ("payload-access-perf", "payload-access-qualifier"),
    ("payload-access-outside", "payload-access-qualifier"), ("payload-access-unread", "payload-access-qualifier"),
    ("switch-float", "conversion"),
    ("wave-across-reorder", "reorder-points"), ("wave-data-across-reorder", "reorder-points"),
    ("reorder-coherence", "reorder-points"), ("reorder-divergence", "reorder-points"),
    ("reorder-single-lane", "reorder-points"), ("coherence-hint", "reorder-points"),
    ("unused-hit-object", "reorder-points"), ("nop-hit-object", "reorder-points"),
    ("invoke-without-record", "reorder-points"),
];

/// Warning numbers of the older compiler fxc, which `#pragma warning` uses: number, group.
#[rustfmt::skip]
pub const NUMBERS: &[(&str, &str)] = &[
    ("3205", "conversion"), ("3206", "conversion"), ("3207", "conversion"), ("3554", "unknown-attributes"),
    ("3578", "uninitialized"), ("4000", "uninitialized"), ("3576", "attribute-statement"), ("3568", "unknown-pragmas"),
    ("1519", "macro-redefined"),
];

/// Whether a setting of `of` applies to `group`: they are the same, `of` is an ancestor, or `of` is a number of one of these.
pub fn covers(of: &str, group: &str) -> bool {
    if of == group {
        return true;
    }
    if NUMBERS.iter().any(|&(n, g)| n == of && covers(g, group)) {
        return true;
    }
    PARENTS.iter().any(|&(child, parent)| child == group && covers(of, parent))
}

/// The groups of warnings that have a name here: those of warnings and those that hold them.
pub fn groups() -> impl Iterator<Item = &'static str> {
    ALL.iter().map(|c| c.group).filter(|g| !g.is_empty()).chain(PARENTS.iter().map(|p| p.1)).chain(NUMBERS.iter().map(|n| n.0))
}

/// Whether Clang, from which the reference compiler has its groups, has one of this name.
pub fn is_clangs(group: &str) -> bool {
    CLANG.contains(&group) || group.starts_with("vk-") || group.starts_with("hlsl-")
}

/// Groups of Clang's for which there is no warning here.
#[rustfmt::skip]
const CLANG: &[&str] = &[
    "abi", "absolute-value", "address", "address-of-temporary", "aggregate-return", "ambiguous-macro", "anonymous-pack-parens",
    "array-bounds", "array-bounds-pointer-arithmetic", "assign-enum", "attributes", "availability", "bad-array-new-length",
    "bad-function-cast", "bool-conversion", "bitfield-constant-conversion", "bitfield-width", "bitwise-op-parentheses",
    "builtin-macro-redefined", "builtin-requires-header", "c++-compat", "c++11-compat", "c++11-extensions", "c++11-narrowing",
    "c++14-extensions", "c99-extensions", "cast-align", "cast-qual", "char-subscripts", "comment", "comments",
    "compare-distinct-pointer-types", "conditional-type-mismatch", "conditional-uninitialized", "config-macros",
    "constant-logical-operand", "conversion-null", "covered-switch-default", "dangling-else", "dangling-field", "date-time",
    "declaration-after-statement", "delete-incomplete", "delete-non-virtual-dtor", "deprecated", "deprecated-declarations",
    "deprecated-register", "disabled-macro-expansion", "div-by-zero", "documentation", "double-promotion", "duplicate-decl-specifier",
    "duplicate-enum", "effc++", "embedded-directive", "empty-body", "empty-translation-unit", "endif-labels", "enum-conversion",
    "enum-compare", "exit-time-destructors", "extended-offsetof", "extern-initializer", "extra-semi", "extra-tokens",
    "flexible-array-extensions", "float-equal", "for-loop-analysis", "format", "four-char-constants", "function-def-in-objc-container",
    "gcc-compat", "global-constructors", "gnu", "header-guard", "header-hygiene", "ignored-attributes", "ignored-qualifiers", "implicit",
    "implicit-fallthrough", "implicit-function-declaration", "implicit-int", "incompatible-pointer-types", "infinite-recursion",
    "initializer-overrides", "inline", "int-conversion", "int-to-pointer-cast", "integer-overflow", "invalid-command-line-argument",
    "invalid-offsetof", "invalid-pp-token", "keyword-compat", "knr-promoted-parameter", "language-extension-token", "large-by-value-copy",
    "literal-range", "logical-not-parentheses", "long-long", "loop-analysis", "main", "main-return-type", "microsoft", "mismatched-tags",
    "missing-braces", "missing-declarations", "missing-field-initializers", "missing-prototypes", "missing-variable-declarations", "most",
    "multichar", "narrowing", "nested-anon-types", "newline-eof", "non-literal-null-conversion", "non-pod-varargs", "non-virtual-dtor",
    "nonnull", "null-arithmetic", "null-conversion", "null-dereference", "out-of-line-declaration", "over-aligned", "overflow",
    "overlength-strings", "overloaded-shift-op-parentheses", "overloaded-virtual", "packed", "padded", "pedantic", "pointer-arith",
    "pointer-sign", "pragmas", "range-loop-analysis", "redundant-decls", "reorder", "return-type-c-linkage", "self-assign",
    "self-assign-field", "self-move", "semicolon-before-method-body", "sequence-point", "shadow", "shift-count-negative",
    "shift-count-overflow", "shift-negative-value", "shift-op-parentheses", "shift-overflow", "shift-sign-overflow", "shorten-64-to-32",
    "sign-compare", "sizeof-array-argument", "sometimes-uninitialized", "stack-protector", "static-float-init", "string-compare",
    "string-conversion", "string-plus-int", "strict-aliasing", "switch", "switch-bool", "switch-default", "switch-enum", "synth",
    "tautological-constant-out-of-range-compare", "tautological-overlap-compare", "tentative-definition", "trigraphs", "type-limits",
    "type-safety", "typedef-redefinition", "undefined-inline", "undefined-internal", "unknown-warning-option",
    "unneeded-internal-declaration", "unneeded-member-function", "unreachable-code", "unreachable-code-break", "unreachable-code-return",
    "unsequenced", "unused-argument", "unused-const-variable", "unused-function", "unused-label", "unused-local-typedef", "unused-macros",
    "unused-member-function", "unused-parameter", "unused-private-field", "unused-result", "unused-variable", "used-but-marked-unused",
    "user-defined-literals", "varargs", "variadic-macros", "vector-conversion", "vexing-parse", "visibility", "vla",
    "volatile-register-var", "weak-vtables", "write-strings", "zero-length-array",
];

/// Warnings that are off unless an option or pragma enables their group, as in dxc.
pub static OFF_BY_DEFAULT: &[&Code] = &[&W0103, &W0106, &W0668, &W0679, &W0681, &W0851, &W0856, &W0862];

/// Groups of warnings that `-WX` leaves warnings, with all groups inside of them; `-Werror=GROUP` makes errors of them. The reference
/// compiler is silent about these programs, so builds that turn its warnings into errors compile them.
#[rustfmt::skip]
pub static NOT_BY_WX: &[&str] = &[
    "binding-overlap", "combined-image-sampler", "const-argument", "direct3d-limits", "divergent-trace", "division-by-zero", "hit-object-cluster", "hlsl-extension", "image-format", "include-case", "intrinsic-hides-function",
    "non-uniform-index", "package-forms", "payload-access-outside", "payload-access-unread", "ray-arguments", "ray-flags", "ray-query", "ray-query-range", "reorder-points",
    "register-overlap", "shader-side-effects", "software-reordering", "switch-float", "switch-unreachable", "tautological-compare", "uninitialized", "unroll",
];

/// Warnings that are errors unless `-Wno-error=` names their group, as with the reference compiler.
pub static ERROR_BY_DEFAULT: &[&Code] = &[&W0401, &W0652];

/// The codes with which a target refuses what the program does. Dead code may be the only cause.
#[rustfmt::skip]
pub static REFUSALS: &[&Code] = &[
    &E0406, &E0506, &E0507, &E0601, &E0602, &E0604, &E0605, &E0607, &E0609, &E0610, &E0611, &E0641, &E0643, &E0646, &E0650, &E0673, &E0676, &E0677,
    &E0682, &E0902, &E0903, &E0906, &E0924, &E0927,
];

/// Whether a target that reports this code may have a form for the program without its dead code.
pub fn is_refusal(code: &Code) -> bool {
    REFUSALS.contains(&code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_unique_and_well_formed() {
        let mut seen = std::collections::HashSet::new();
        for c in ALL {
            assert!(seen.insert(c.id), "{} occurs twice", c.id);
            let (letter, digits) = c.id.split_at(1);
            assert!(digits.len() == 4 && digits.bytes().all(|b| b.is_ascii_digit()), "{}", c.id);
            match letter {
                "E" => assert!(c.severity == Severity::Error && c.group.is_empty(), "{}", c.id),
                "W" => assert!(c.severity == Severity::Warning && !c.group.is_empty(), "{}", c.id),
                _ => panic!("{}", c.id),
            }
        }
    }
}
