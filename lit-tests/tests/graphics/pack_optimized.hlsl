// `-pack-optimized`: elements with four components first, then the long and wide ones, then system values, clip distances and what the hardware makes.
// RUN: %rtc -T vs_6_0 -E single -pack-optimized %s -no-warnings | FileCheck %s --check-prefix=SINGLE
// SINGLE: First                    0   xyz         0     NONE   float
// SINGLE-NEXT: WithFirst                0      w        0     NONE   float
// SINGLE-NEXT: SV_ClipDistance          1    yz         1  CLIPDST   float
// SINGLE-NEXT: SV_CullDistance          0      w        1  CULLDST   float
// SINGLE-NEXT: BeforeClipCull           0   x           1     NONE   float
// SINGLE-NEXT: SV_ClipDistance          0      w        2  CLIPDST   float
// SINGLE-NEXT: SV_CullDistance          1   xyz         2  CULLDST   float
struct Single { float3 first : First; float clip0 : SV_ClipDistance0; float3 cull1 : SV_CullDistance1; float cull0 : SV_CullDistance0; float2 clip1 : SV_ClipDistance1; float withFirst : WithFirst; float after : BeforeClipCull; };
Single single() { return (Single)1; }
// RUN: %rtc -T vs_6_0 -E indexed -pack_optimized %s -no-warnings | FileCheck %s --check-prefix=INDEXED
// INDEXED: First                    0   xyz         0     NONE   float
// INDEXED-NEXT: WithFirst                0      w        0     NONE   float
// INDEXED-NEXT: SV_CullDistance          0      w        1  CULLDST   float
// INDEXED-NEXT: SV_ClipDistance          1    yz         1  CLIPDST   float
// INDEXED-NEXT: BeforeClipCull           0   x           1     NONE   float
// INDEXED-NEXT: SV_ClipDistance          0   x           2  CLIPDST   float
// INDEXED-NEXT: SV_ClipDistance          2    yz         2  CLIPDST   float
struct Indexed { float3 first : First; float cull0 : SV_CullDistance0; float clip0 : SV_ClipDistance0; float2 clip1[2] : SV_ClipDistance1; float withFirst : WithFirst; float after : BeforeClipCull; };
Indexed indexed() { return (Indexed)1; }
// RUN: not %rtc -T vs_6_0 -E single -pack-optimized -pack-prefix-stable %s 2>&1 | FileCheck %s --check-prefix=BOTH
// BOTH: -pack-optimized and -pack-prefix-stable contradict each other
// In SPIR-V variables share locations.
// RUN: %rtc -T vs_6_0 -E together -spirv -pack-optimized %s | FileCheck %s --check-prefix=SPIRV
// SPIRV-DAG: OpName [[A:%[0-9A-Za-z_]+]] "out.var.A"
// SPIRV-DAG: OpName [[C:%[0-9A-Za-z_]+]] "out.var.C"
// SPIRV-DAG: OpName [[E:%[0-9A-Za-z_]+]] "out.var.E"
// SPIRV-DAG: OpName [[F:%[0-9A-Za-z_]+]] "out.var.F"
// SPIRV-DAG: OpDecorate [[A]] Location 0
// SPIRV-DAG: OpDecorate [[C]] Location 1
// Rows of matrices are variables of their own.
// SPIRV-DAG: OpName [[D0:%[0-9A-Za-z_]+]] "out.var.D"
// SPIRV-DAG: OpName [[D1:%[0-9A-Za-z_]+]] "out.var.D"
// SPIRV-DAG: OpDecorate [[D0]] Component 2
// SPIRV-DAG: OpDecorate [[D1]] Component 2
// SPIRV-DAG: OpDecorate [[E]] Location 2
// SPIRV-DAG: OpDecorate [[E]] Component 2
// SPIRV-DAG: OpDecorate [[F]] Location 3
// SPIRV-DAG: OpDecorate [[F]] Component 2
struct Shared { float4 at : SV_Position; float a : A; float2 c[3] : C; float2x2 d : D; float e : E; float2 f : F; };
Shared together() { return (Shared)1; }
