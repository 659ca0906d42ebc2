#define CAT_(a, b) a##b
#define CAT(a, b) CAT_(a, b)
#define LIST(first, ...) first __VA_OPT__(+) __VA_ARGS__
#include "with space\palette.hlsli"
#pragma pack_matrix(row_major)
struct Payload { float3 CAT(col, or); };
float3x4 Transform;
[shader("miss")] void Miss(inout Payload p) { p.color = LIST(Sky, mul(Transform, float4(1, 2, 3, 4)).xyz) * __LINE__; }
#line 50 "elsewhere.hlsl"
#warning seen here
// The preprocessed text compiles to the same bytes, without the header and without a profile for preprocessing.
// RUN: %rtc -P %s -fdiagnostics-format=short -Fi %t.i -I Inputs -I%S/Inputs 2>&1 | FileCheck --check-prefix=WARN %s
// RUN: %rtc -T lib_6_6 %s -I %S/Inputs -no-warnings -Fo %t.1.dxil
// RUN: %rtc -T lib_6_6 %t.i -no-warnings -Fo %t.2.dxil
// RUN: cmp %t.1.dxil %t.2.dxil
// WARN: 4:10: warning: `with space/palette.hlsli` is found as
// WARN-SAME: With Space/Palette.hlsli` [-Winclude-case] [W0102]
// WARN: elsewhere.hlsl:50:1: warning: seen here [-Wwarnings-directive] [W0104]
// Dependencies: printed, next to the source, in a separate file; nothing is compiled, and no profile is needed.
// RUN: %rtc -T lib_6_6 -M %s -I %S/Inputs -no-warnings | FileCheck --check-prefix=DEP %s
// RUN: cp %s %t.copy.hlsl
// RUN: %rtc -T lib_6_6 -MD %t.copy.hlsl -I %S/Inputs -no-warnings -Fo %t.md.dxil
// RUN: cat %t.copy.d | FileCheck --check-prefix=DEP %s
// RUN: not test -e %t.md.dxil
// RUN: %rtc -MF %t.rule %s -I %S/Inputs -no-warnings -Fo %t.md.dxil
// RUN: cat %t.rule | FileCheck --check-prefix=DEP %s
// RUN: not test -e %t.md.dxil
// DEP: : {{.*}}preprocess{{.*}}hlsl \
// DEP-NEXT: With\ Space/Palette.hlsli
// RUN: %rtc -T lib_6_6 -H %s -I %S/Inputs -no-warnings -Fo %t.dxil | FileCheck --check-prefix=NEST %s
// RUN: %rtc -T lib_6_6 -Vi %s -I %S/Inputs -no-warnings -Fo %t.dxil 2>&1 | FileCheck --check-prefix=NEST %s
// NEST: ; Opening file [{{.*}}Palette.hlsli], stack top [0]
// Without -Fi, the file is next to the source; -Po names it as the argument after it.
// RUN: %rtc -P %t.copy.hlsl -I %S/Inputs -no-warnings
// RUN: test -s %t.copy.i
// RUN: %rtc -Po %t.po.i %t.copy.hlsl -I %S/Inputs -no-warnings
// RUN: cmp %t.po.i %t.copy.i
// RUN: %rtc -P - -Fi %t.in.i -I %S/Inputs -no-warnings < %s
// RUN: test -s %t.in.i
// RUN: not %rtc -P - -I %S/Inputs -no-warnings < %s 2>&1 | FileCheck --check-prefix=STDIN %s
// RUN: not %rtc -MD - -I %S/Inputs -no-warnings < %s 2>&1 | FileCheck --check-prefix=STDIN %s
// STDIN: rtc: error: standard input has no name to write a file
// RUN: %rtc -T lib_6_6 -P %s -I %S/Inputs -ignore-line-directives -fdiagnostics-format=short -Fi %t.i 2>&1 | FileCheck --check-prefix=PLAIN %s
// PLAIN: preprocess.hlsl:10:1: warning: seen here
// Warnings by group, as errors, none at all; diagnostics in a file.
// RUN: not %rtc -T lib_6_6 %s -I %S/Inputs -WX -Fo %t.no.dxil -Fe %t.err 2>&1 | count 0
// RUN: not test -e %t.no.dxil
// RUN: cat %t.err | FileCheck --check-prefix=WX %s
// WX: error
// RUN: %rtc -T lib_6_6 %s -I %S/Inputs -WX -Wno-include-case -Wno-warnings-directive -Fo %t.dxil 2>&1 | count 0
// Options from a file, one to a missing folder.
// RUN: echo -T lib_6_6 -nologo -no-warnings -I %S/Inputs > %t.rsp
// RUN: %rtc @%t.rsp %s -Fo %t.dxil 2>&1 | count 0
// The last argument that is no option is the source, and an option with its value can be one argument.
// RUN: %rtc @%t.rsp main %s -Fo %t.dxil "-HV 2021" 2>&1 | count 1
// Diagnostics as other tools print them; -v names options without effect.
// RUN: %rtc -T lib_6_6 %s -I %S/Inputs -fdiagnostics-format=msvc -Fo %t.dxil 2>&1 | FileCheck --check-prefix=MSVC %s
// RUN: %rtc -T lib_6_6 %s -I %S/Inputs -fdiagnostics-format=vi -Fo %t.dxil 2>&1 | FileCheck --check-prefix=VI %s
// RUN: %rtc -T lib_6_6 %s -I %S/Inputs -Fo %t.dxil 2>&1 | FileCheck --check-prefix=SHORT %s
// RUN: %rtc @%t.rsp %s -v -Ges -Oconfig=-O -Fo %t.dxil 2>&1 | FileCheck --check-prefix=NOTE %s
// RUN: not %rtc @%t.rsp %s -metal 2>&1 | FileCheck --check-prefix=METAL %s
// MSVC: elsewhere.hlsl(50,1) : warning: seen here
// VI: elsewhere.hlsl +50:1: warning: seen here
// SHORT: elsewhere.hlsl:50:1: warning: seen here
// NOTE-DAG: rtc: note: `-Ges` has no effect: rtc has no other
// NOTE-DAG: rtc: note: `-Oconfig` has no effect: rtc optimises its IR, not SPIR-V
// METAL: rtc: error: option `-metal` is not supported: rtc writes DXIL and SPIR-V
// RUN: not %rtc @%t.rsp %s -Fo %t.missing/folder/x.dxil 2>&1 | FileCheck --check-prefix=FOLDER %s
// FOLDER: rtc: error: cannot write {{.*}}x.dxil`: no such file or directory
