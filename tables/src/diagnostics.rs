//! Every kind of diagnostic: its stable code, its severity, its `-W` group and what it is about.
//!
//! One row, one line. Ranges: `E01xx` characters, tokens and preprocessor; `E02xx` syntax; `E03xx` and on, meaning.
//! Warnings are `W` with the range of the stage that gives them. A row is never renumbered or reused.

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
    E0101 Error   ""                    "a character that no token of HLSL begins with";
    E0102 Error   ""                    "a typographic quotation mark where a plain one belongs";
    E0103 Error   ""                    "a string literal that does not end on its line";
    E0104 Error   ""                    "a character literal that is empty or does not end on its line";
    E0105 Error   ""                    "a block comment that does not end";
    E0106 Error   ""                    "a number that cannot be read";
    E0107 Error   ""                    "an integer literal that does not fit 64 bits";
    E0108 Error   ""                    "an unknown escape sequence in a literal";
    E0109 Error   ""                    "a source text beyond the limits of size";
    // Preprocessor
    E0120 Error   ""                    "an unknown or malformed preprocessing directive";
    E0121 Error   ""                    "a conditional directive without its partner";
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
    W0101 Warning "macro-redefined"     "a macro defined again with another meaning";
    W0102 Warning "include-case"        "an included file whose name differs in letter case from the file found";
    W0103 Warning "unknown-pragmas"     "a pragma that HLSL does not define";
    W0104 Warning "warnings-directive"  "a #warning directive";
    W0105 Warning "extra-tokens"        "tokens after the end of a directive";
    W0106 Warning "undef"               "an undefined name in a condition, which counts as 0";
    W0108 Warning "unknown-pragmas"     "a pragma about diagnostics that is not understood";
    W0107 Warning "builtin-macro-redefined" "a predefined macro defined again or undefined";
    // Syntax
    E0201 Error   ""                    "a token that does not fit where it stands";
    E0202 Error   ""                    "a missing semicolon";
    E0203 Error   ""                    "a missing closing bracket";
    E0204 Error   ""                    "a closing bracket that nothing opened";
    E0205 Error   ""                    "brackets, expressions or statements nested too deeply";
    E0206 Error   ""                    "a malformed register, packoffset or space";
    E0207 Error   ""                    "a source file that ends in the middle of a declaration";
    E0208 Error   ""                    "too many syntax errors to go on";
    E0209 Error   ""                    "a constructor or destructor, which HLSL does not have";
    W0201 Warning "effects-syntax"      "a block of the effects framework, which is ignored";
    // Names and types
    E0301 Error   ""                    "a name that nothing declares";
    E0302 Error   ""                    "a member that the type does not have";
    E0303 Error   ""                    "a name that is no type where a type belongs";
    E0304 Error   ""                    "a name declared twice in one scope, or again with another type";
    E0305 Error   ""                    "a name that is no value where a value belongs";
    E0306 Error   ""                    "something on the left of :: that has no names inside";
    E0307 Error   ""                    "a type that cannot be used here: void, incomplete, unbounded";
    E0308 Error   ""                    "a type that HLSL does not have: pointer, reference, union, auto";
    E0309 Error   ""                    "wrong arguments in angle brackets of a type";
    E0310 Error   ""                    "an array size that is no positive constant";
    E0311 Error   ""                    "a specifier that does not belong there or contradicts another";
    // Expressions
    E0312 Error   ""                    "a value of one type where another is wanted, without a conversion between them";
    E0313 Error   ""                    "a call that fits none of the functions of that name";
    E0314 Error   ""                    "a call that fits several functions equally well";
    E0315 Error   ""                    "a call with too many or too few arguments";
    E0316 Error   ""                    "a call of something that is no function";
    E0317 Error   ""                    "a write to something that cannot be written";
    E0318 Error   ""                    "an operator with operands that it does not take";
    E0319 Error   ""                    "a vector where HLSL 2021 wants a scalar condition";
    E0320 Error   ""                    "an index of the wrong type or out of range, or an index of what has no elements";
    E0321 Error   ""                    "a swizzle that names no components of its vector or matrix";
    E0322 Error   ""                    "an initialiser with too many or too few values";
    E0323 Error   ""                    "a cast between types that have nothing in common";
    E0324 Error   ""                    "an expression that must be constant and is not";
    E0326 Error   ""                    "`this` outside of a method";
    E0327 Error   ""                    "a member of an object used without an object";
    E0328 Error   ""                    "a constant without an initialiser, or an initialiser where none may stand";
    E0330 Error   ""                    "a static assertion that does not hold";
    E0331 Error   ""                    "a base type that cannot be inherited from";
    E0332 Error   ""                    "an enumerator or underlying type that does not fit";
    E0333 Error   ""                    "template arguments that are wrong or cannot be deduced";
    E0334 Error   ""                    "templates that instantiate each other without end";
    E0335 Error   ""                    "a parameter without default argument after one that has one";
    E0336 Error   ""                    "an operator that cannot be overloaded so";
    E0337 Error   ""                    "a bit-field of a type or width that cannot be";
    E0338 Error   ""                    "a feature of C++ that HLSL does not have";
    E0339 Error   ""                    "a definition outside its class or namespace that was not declared there";
    E0325 Error   ""                    "a division by a constant zero";
    E0340 Error   ""                    "types, expressions or statements nested too deeply to be checked";
    // Statements
    E0401 Error   ""                    "break or continue outside of a loop or switch";
    E0402 Error   ""                    "a case label that is misplaced, doubled or not constant";
    E0403 Error   ""                    "a return that does not fit the function";
    E0404 Error   ""                    "a declaration that cannot stand inside a function";
    E0405 Error   ""                    "an attribute with wrong arguments or in the wrong place";
    // Resources and layout
    E0501 Error   ""                    "a register of the wrong class, or for something that has none";
    E0502 Error   ""                    "a packoffset that is misaligned, overlaps or stands outside of a constant buffer";
    E0503 Error   ""                    "an element type that a resource cannot have";
    E0504 Error   ""                    "an object where only numbers can be";
    E0505 Error   ""                    "a groupshared variable that cannot be";
    // Stages
    E0601 Error   ""                    "an entry point with parameters or a result that its stage does not have";
    E0602 Error   ""                    "a call of an intrinsic that the stage does not have";
    E0603 Error   ""                    "a function that calls itself, directly or through others";
    E0604 Error   ""                    "something that the shader model does not have";
    E0605 Error   ""                    "an entry point that is missing or occurs twice";
    E0606 Error   ""                    "a payload access qualifier that is wrong, missing or misplaced";
    E0607 Error   ""                    "a subobject with a wrong initialiser";
    E0608 Error   ""                    "a shader stage that this compiler does not compile";
    E0609 Error   ""                    "a call of a function that is declared but not defined, where no other library can define it";
    E0610 Error   ""                    "an entry point without an attribute that its stage needs";
    E0611 Error   ""                    "an object or array of arrays passed to or returned by a function that another library defines";
    E0620 Error   ""                    "a barrier with flags that mean nothing here";
    E0630 Error   ""                    "an attribute of Vulkan that names no image format";
    E0632 Error   ""                    "a rasterizer-ordered view outside of pixel shaders";
    // Resources as values
    E0640 Error   ""                    "a resource variable that is used and never set";
    E0641 Error   ""                    "a choice between resources of which one is not known";
    E0642 Error   ""                    "a choice between too many resources";
    E0643 Error   ""                    "a root signature that is wrong";
    E0644 Error   ""                    "an export that does not exist or occurs twice";
    E0645 Error   ""                    "a constant argument outside the values that an intrinsic accepts";
    E0646 Error   ""                    "a root signature that does not bind what its shader uses";
    E0647 Error   ""                    "a root signature from a macro that does not exist";
    E0648 Error   ""                    "a root signature on a shader that takes those of subobjects";
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
    E0709 Error   ""                    "a word like `read(…)` behind a declaration that is neither `read` nor `write`";
    E0710 Error   ""                    "an object in a payload structure";
    E0711 Error   ""                    "`[raypayload]` on something that is no definition of a structure";
    E0712 Error   ""                    "declarations of one payload type that differ between libraries";
    E0713 Error   ""                    "payload access qualifiers that cannot be inferred from the libraries given";
    E0714 Error   ""                    "a payload declaration that cannot be rewritten";
    E0720 Error   ""                    "a payload layout file that is malformed";
    E0721 Error   ""                    "a payload declaration, or a shader, that is not as the payload layout file says";
    // Code generation
    E0840 Error   ""                    "an error of the compiler itself: an access that it moved across a reorder point";
    E0841 Error   ""                    "an error of the compiler itself: an access that a pass made up";
    E0842 Error   ""                    "an error of the compiler itself: an access that it replaced by one before another reorder point";
    E0901 Error   ""                    "an error of the compiler itself: a pass broke the program, or the result breaks a rule of DXIL";
    E0902 Error   ""                    "something that has no form in DXIL";
    E0903 Error   ""                    "something that has no form in SPIR-V";
    E0904 Error   ""                    "a part of the language that is not translated yet";
    E0905 Error   ""                    "something that has no form in the IR";
    E0906 Error   ""                    "a program that is too large or too deep once everything is inlined";
    E0920 Error   ""                    "a question about hit objects that the chosen SPIR-V extension cannot answer";
    E0921 Error   ""                    "too many hit objects alive at once for SPIR-V";
    E0935 Error   ""                    "something beside which hit objects cannot be lowered for devices without them";
    W0922 Warning "hit-object-cluster"  "a cluster asked of a hit object through an extension that does not tell";
    // Warnings of the checker
    W0301 Warning "conversion"          "components are lost in an implicit conversion";
    W0302 Warning "conversion"          "an implicit conversion to a narrower type";
    W0303 Warning "literal-conversion"  "a literal that changes its value when converted";
    W0304 Warning "unused-value"        "an expression without effect whose value is not used";
    W0305 Warning "uninitialized"       "a variable read before anything was written to it";
    W0306 Warning "parameter-usage"     "an out parameter that is not written";
    W0307 Warning "uniform-initializer" "an initialiser that has no effect, because the host sets the variable";
    W0308 Warning "intrinsic-hides-function" "a call of an intrinsic where the program has a function of that name";
    W0310 Warning "switch-unreachable"  "a statement of a switch that no label leads to";
    W0311 Warning "conversion"          "a switch on a number that is no integer";
    W0320 Warning "unroll"              "a loop under `[unroll]` that is not unrolled";
    W0330 Warning "deprecated-declarations" "an older spelling of an intrinsic";
    W0401 Warning "return-type"         "a function that can end without returning a value";
    W0402 Warning "unknown-attributes"  "an attribute that is not known";
    W0630 Warning "combined-image-sampler" "a texture and a sampler that are to be one descriptor stay two";
    W0650 Warning "ray-flags"           "ray flags that exclude each other";
    W0651 Warning "ray-flags"           "a ray flag about shaders in a ray query";
    W0652 Warning "ray-flags"           "a ray flag about opacity micromaps where there are none";
    W0653 Warning "ray-flags"           "ray flags that the shader model does not have";
    W0660 Warning "attribute-statement" "an attribute on something that it says nothing about";
    W0661 Warning "attribute-type"      "an attribute whose argument is of no use";
    W0662 Warning "const-expr-overflow" "a floating point literal beyond the range of its type";
    W0663 Warning "empty-body"          "an `if` or loop whose body is a semicolon on the same line";
    W0664 Warning "parentheses"         "an assignment as a condition, or operators whose precedence surprises";
    W0665 Warning "logical-op-parentheses" "`&&` inside of `||` without parentheses";
    W0666 Warning "unused-comparison"   "a comparison whose result is not used";
    W0667 Warning "constant-conversion" "an integer constant that changes its value when converted";
    W0668 Warning "shadow"              "a declaration that hides another one";
    W0669 Warning "tautological-compare" "a comparison that always gives the same result";
    W0700 Warning "payload-access-qualifier" "a stage named twice in a payload access qualifier";
    W0702 Warning "payload-access-qualifier" "declarations of one payload type whose access qualifiers differ between libraries";
    W0701 Warning "payload-access-qualifier" "payload access qualifiers inside of a qualified member, which have no effect";
    // Ray tracing
    E0660 Error   ""                    "a number of a vertex that triangles do not have";
    E0661 Error   ""                    "an offset into local root arguments that is no multiple of four";
    W0670 Warning "ray-arguments"       "a mask or index of a trace that does not fit the bits that it has";
    W0671 Warning "ray-arguments"       "a hit kind beyond those that shaders may report";
    W0672 Warning "ray-arguments"       "a ray that cannot be traced: not a number, empty, never set or without direction";
    W0673 Warning "ray-query"           "a ray query that is used before it is traced";
    W0674 Warning "ray-query"           "a question about the candidate of a ray query that has none";
    W0675 Warning "ray-query"           "a commit or question about the other kind of hit";
    W0676 Warning "ray-query"           "a committed hit used without a check that there is one";
    W0677 Warning "ray-query"           "a traversal step of a ray query whose result is ignored";
    W0678 Warning "ray-query"           "a loop over candidates that does not end";
    W0679 Warning "ray-query-range"     "a procedural hit that is committed without a look at its distance";
    W0680 Warning "ray-arguments"       "vertices of a triangle that may be none";
    W0681 Warning "shader-side-effects" "writes of intersection and any-hit shaders, which may run any number of times";
    W0682 Warning "deprecated-declarations" "an older spelling of an intrinsic";
    W0683 Warning "ray-arguments"       "local root arguments beyond the local root signatures";
    W0684 Warning "ray-flags"           "ray flags that the pipeline's configuration makes useless";
    W0850 Warning "wave-across-reorder" "what a wave operation says of the wave, used behind a reorder point";
    W0851 Warning "wave-data-across-reorder" "what a wave operation makes of data, used behind a reorder point";
    W0852 Warning "reorder-coherence"   "a UAV without coherence that a thread writes before a reorder point and reads behind it";
    W0853 Warning "reorder-coherence"   "a coherent UAV that is written before a reorder point and read behind it, without a barrier";
    W0854 Warning "reorder-coherence"   "a barrier for reorder points where no UAV is coherent across them";
    W0855 Warning "reorder-coherence"   "a barrier on the wrong side of a reorder point";
    W0856 Warning "reorder-divergence"  "a reorder that some threads of a wave may come to and others not";
    W0857 Warning "reorder-single-lane" "a reorder that one thread of each wave comes to";
    W0858 Warning "coherence-hint"      "a hint for reordering with more bits than its values have, or none";
    W0859 Warning "unused-hit-object"   "a reorder by a hit object that nothing else uses";
    W0860 Warning "nop-hit-object"      "an operation on a hit object that is certainly neither hit nor miss";
    W0861 Warning "invoke-without-record" "a hit object of a ray query used without a shader record";
    W0601 Warning "payload-access-qualifier" "payload access qualifiers that have no effect";
    // Payload access qualifiers: what happens to fields
    W0710 Warning "payload-access-shader" "a read of a payload field that does not come into the shader";
    W0711 Warning "payload-access-trace" "a read of a payload field that a trace did not give back";
    W0712 Warning "payload-access-shader" "a write to a payload field that is lost when the shader ends";
    W0713 Warning "payload-access-trace" "a write to a payload field that is lost where it goes into a trace";
    W0714 Warning "payload-access-trace" "a payload field that lost its value before it goes into a trace";
    W0718 Warning "payload-access-call" "a payload with access qualifiers passed to a function that another library defines";
    W0715 Warning "payload-access-trace" "a payload field that nothing was written to before a trace";
    W0716 Warning "payload-access-shader" "a payload field that a shader overwrites without giving it a value";
    W0720 Warning "payload-access-perf" "a payload field that comes back to a caller and is never read there";
    W0721 Warning "payload-access-perf" "a payload field that its qualifiers keep alive where no shader needs it";
    W0722 Warning "payload-access-perf" "a payload that is to be packed and keeps its declared layout";
}

/// Groups inside of groups: what is said of the second holds for the first as well.
#[rustfmt::skip]
pub const PARENTS: &[(&str, &str)] = &[
    ("literal-conversion", "conversion"), ("constant-conversion", "conversion"), ("sign-conversion", "conversion"),
    ("float-conversion", "conversion"), ("logical-op-parentheses", "parentheses"), ("unused-value", "unused"),
    ("unused-comparison", "unused-value"), ("payload-access-shader", "payload-access-qualifier"),
    ("payload-access-trace", "payload-access-qualifier"), ("payload-access-perf", "payload-access-qualifier"),
    ("wave-across-reorder", "reorder-points"), ("wave-data-across-reorder", "reorder-points"),
    ("reorder-coherence", "reorder-points"), ("reorder-divergence", "reorder-points"),
    ("reorder-single-lane", "reorder-points"), ("coherence-hint", "reorder-points"),
    ("unused-hit-object", "reorder-points"), ("nop-hit-object", "reorder-points"),
    ("invoke-without-record", "reorder-points"),
];

/// What the older compiler fxc numbered, and `#pragma warning` still does: number, group.
#[rustfmt::skip]
pub const NUMBERS: &[(&str, &str)] = &[
    ("3205", "conversion"), ("3206", "conversion"), ("3207", "conversion"), ("3554", "unknown-attributes"),
    ("3578", "uninitialized"), ("4000", "uninitialized"), ("3576", "attribute-statement"), ("3568", "unknown-pragmas"),
    ("1519", "macro-redefined"),
];

/// Whether a setting for `of` holds for `group`: they are the same, or one is inside of the other, or `of` is the number of it.
pub fn covers(of: &str, group: &str) -> bool {
    if of == group {
        return true;
    }
    if NUMBERS.iter().any(|&(n, g)| n == of && covers(g, group)) {
        return true;
    }
    PARENTS.iter().any(|&(child, parent)| child == group && covers(of, parent))
}

/// Warnings that are only shown when an option or pragma asks for their group, as with dxc.
pub static OFF_BY_DEFAULT: &[&Code] = &[&W0103, &W0106, &W0668, &W0679, &W0681, &W0851, &W0856];

/// Warnings that are errors unless `-Wno-error=` names their group: the specification forbids it, other compilers let it pass.
pub static ERROR_BY_DEFAULT: &[&Code] = &[&W0651, &W0652, &W0653];

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
