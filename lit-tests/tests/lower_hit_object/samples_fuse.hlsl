// The hit objects of the samples are plain traces where they are lowered: nothing that runs before hit objects fuse may keep a traversal and
// its invocation apart.
// RUN: %rtc -spirv -fspv-ser=lower -T lib_6_9 -HV 2021 -no-warnings %S/../../../samples/ser-pathtracer/ser-pathtracer.hlsl | FileCheck %s
// RUN: %rtc -spirv -fspv-ser=lower -T lib_6_9 -HV 2021 -no-warnings %S/../../../samples/divergent/divergent.hlsl | FileCheck %s
// CHECK-NOT: rtc.record
// CHECK-COUNT-2: OpTraceRayKHR
// CHECK-NOT: OpTraceRayKHR
