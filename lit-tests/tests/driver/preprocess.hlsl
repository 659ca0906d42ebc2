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
// Dependencies: printed, next to the object, in a separate file.
// RUN: %rtc -T lib_6_6 -M %s -I %S/Inputs -no-warnings | FileCheck --check-prefix=DEP %s
// RUN: %rtc -T lib_6_6 -MD %s -I %S/Inputs -no-warnings -Fo %t.dxil
// RUN: cat %t.dxil.d | FileCheck --check-prefix=DEP %s
// RUN: test -s %t.dxil
// RUN: %rtc -T lib_6_6 -MD -MF %t.rule %s -I %S/Inputs -no-warnings -Fo %t.dxil
// RUN: cat %t.rule | FileCheck --check-prefix=DEP %s
// DEP: : \
// DEP-NEXT: preprocess.hlsl \
// DEP-NEXT: With\ Space/Palette.hlsli
// RUN: %rtc -T lib_6_6 -H %s -I %S/Inputs -no-warnings -Fo %t.dxil 2>&1 | FileCheck --check-prefix=NEST %s
// NEST: . {{.*}}Palette.hlsli
// RUN: %rtc -T lib_6_6 -P %s -I %S/Inputs -ignore-line-directives -fdiagnostics-format=short -Fi %t.i 2>&1 | FileCheck --check-prefix=PLAIN %s
// PLAIN: preprocess.hlsl:10:1: warning: seen here
// Warnings by group, as errors, none at all; diagnostics in a file.
// RUN: not %rtc -T lib_6_6 %s -I %S/Inputs -WX -Fo %t.no.dxil -Fe %t.err 2>&1 | FileCheck --check-prefix=WX %s
// RUN: not test -e %t.no.dxil
// RUN: cat %t.err | FileCheck --check-prefix=WX %s
// WX: error
// RUN: %rtc -T lib_6_6 %s -I %S/Inputs -WX -Wno-include-case -Wno-warnings-directive -Fo %t.dxil 2>&1 | count 0
// Options from a file, one to a missing folder.
// RUN: echo -T lib_6_6 -nologo -no-warnings -I %S/Inputs > %t.rsp
// RUN: %rtc @%t.rsp %s -Fo %t.dxil 2>&1 | count 0
// RUN: not %rtc @%t.rsp %s -Fo %t.missing/folder/x.dxil 2>&1 | FileCheck --check-prefix=FOLDER %s
// FOLDER: rtc: error: cannot write {{.*}}x.dxil`: no such file or directory
