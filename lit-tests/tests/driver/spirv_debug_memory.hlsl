// Debug information in SPIR-V of variables in memory: arrays, arrays of structures of which each field is in memory of its own, parameters
// that refer to them, payloads.
struct Point {
  float3 at;
  uint kind;
};

struct [raypayload] Payload {
  float t : write(caller, miss) : read(caller);
};

RaytracingAccelerationStructure scene;
RWStructuredBuffer<float> target;

void Move(inout uint all[2], uint n) {
  all[n & 1] += n;
}

[shader("raygeneration")]
void Generate() {
  uint id = DispatchRaysIndex().x;
  uint counts[2] = { id, 1 };
  Point points[2];
  points[0].at = id;
  points[1].at = 1;
  points[0].kind = points[1].kind = 2;
  points[id & 1].at.y = counts[id & 1];
  Move(counts, id);
  RayDesc ray = { points[id & 1].at, 0, float3(0, 0, 1), 1 };
  Payload payload;
  payload.t = counts[id & 1];
  TraceRay(scene, 0, 255, 0, 0, 0, ray, payload);
  target[id] = payload.t + points[id & 1].kind;
}

[shader("miss")]
void Sky(inout Payload payload) {
  payload.t = -1;
}
// RUN: %rtc -T lib_6_6 -enable-payload-qualifiers -spirv -Od -fspv-debug=vulkan -fspv-target-env=vulkan1.3 %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc dis %t.spv | FileCheck %s
// RUN: %rtc -T lib_6_6 -enable-payload-qualifiers -spirv -Od -fspv-debug=rich %s -Fo %t.rich.spv
// RUN: %spirv-val %t.rich.spv
// RUN: %rtc dis %t.rich.spv | FileCheck --check-prefix=OPENCL %s
// CHECK-DAG: %[[COUNTS_NAME:[0-9A-Za-z_]+]] = OpString "counts"
// CHECK-DAG: %[[POINTS_NAME:[0-9A-Za-z_]+]] = OpString "points"
// CHECK-DAG: %[[ALL_NAME:[0-9A-Za-z_]+]] = OpString "all"
// CHECK-DAG: %[[PAYLOAD_NAME:[0-9A-Za-z_]+]] = OpString "payload"
// CHECK-DAG: %[[SCENE_NAME:[0-9A-Za-z_]+]] = OpString "scene"
// CHECK-DAG: %[[SCENE_TYPE:[0-9A-Za-z_]+]] = OpString "@RaytracingAccelerationStructure"
// CHECK-DAG: %[[N0:[0-9A-Za-z_]+]] = OpConstant {{.*}} 0{{$}}
// CHECK-DAG: %[[N1:[0-9A-Za-z_]+]] = OpConstant {{.*}} 1{{$}}
// CHECK-DAG: %[[N2:[0-9A-Za-z_]+]] = OpConstant {{.*}} 2{{$}}
// CHECK-DAG: %[[SCENE_VAR:[0-9A-Za-z_]+]] = OpVariable {{.*}} UniformConstant
// CHECK-DAG: %[[PAYLOAD_VAR:[0-9A-Za-z_]+]] = OpVariable {{.*}} IncomingRayPayloadKHR
// CHECK-DAG: %[[ARRAY:[0-9A-Za-z_]+]] = OpExtInst {{.*}} DebugTypeArray %{{[0-9A-Za-z_]+}} %[[N2]]{{$}}
// CHECK-DAG: %[[COUNTS:[0-9A-Za-z_]+]] = OpExtInst {{.*}} DebugLocalVariable %[[COUNTS_NAME]] %[[ARRAY]]
// CHECK-DAG: %[[POINTS:[0-9A-Za-z_]+]] = OpExtInst {{.*}} DebugLocalVariable %[[POINTS_NAME]]
// CHECK-DAG: %[[ALL:[0-9A-Za-z_]+]] = OpExtInst {{.*}} DebugLocalVariable %[[ALL_NAME]] %[[ARRAY]] {{.*}} %[[N1]]{{$}}
// CHECK-DAG: %[[PAYLOAD:[0-9A-Za-z_]+]] = OpExtInst {{.*}} DebugLocalVariable %[[PAYLOAD_NAME]] {{.*}} %[[N1]]{{$}}
// CHECK-DAG: %[[OWN:[0-9A-Za-z_]+]] = OpExtInst {{.*}} DebugLocalVariable %[[PAYLOAD_NAME]]
// CHECK-DAG: %[[NONE:[0-9A-Za-z_]+]] = OpExtInst {{.*}} DebugInfoNone
// CHECK-DAG: %[[OBJECT:[0-9A-Za-z_]+]] = OpExtInst {{.*}} DebugTypeComposite %[[SCENE_TYPE]] {{.*}} %[[NONE]] %{{[0-9A-Za-z_]+}}{{$}}
// CHECK-DAG: DebugGlobalVariable %[[SCENE_NAME]] %[[OBJECT]] {{.*}} %[[SCENE_VAR]] %{{[0-9A-Za-z_]+}}{{$}}
// CHECK: OpFunction
// CHECK: DebugFunctionDefinition
// CHECK-DAG: DebugDeclare %[[COUNTS]] %[[MEMORY:[0-9A-Za-z_]+]] %{{[0-9A-Za-z_]+}}{{$}}
// CHECK-DAG: DebugDeclare %[[ALL]] %[[MEMORY]] %{{[0-9A-Za-z_]+}}{{$}}
// CHECK-DAG: %[[ADDRESS:[0-9A-Za-z_]+]] = OpAccessChain {{.*}} %[[N1]]{{$}}
// CHECK-DAG: DebugValue %[[POINTS]] %[[ADDRESS]] %{{[0-9A-Za-z_]+}} %[[N1]] %[[N0]]{{$}}
// CHECK: DebugValue %[[OWN]] {{.*}} %[[N0]]{{$}}
// CHECK: OpTraceRayKHR
// CHECK: DebugValue %[[OWN]] {{.*}} %[[N0]]{{$}}
// CHECK: OpFunctionEnd
// CHECK: DebugDeclare %[[PAYLOAD]] %[[PAYLOAD_VAR]]
// OPENCL: DebugTypeMember {{.*}} 3{{$}}
// OPENCL: OpFunction
// OPENCL: DebugDeclare
