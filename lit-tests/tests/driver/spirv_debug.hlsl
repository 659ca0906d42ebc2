// Debug information in SPIR-V, for each value of -fspv-debug.
RWStructuredBuffer<uint> target;

uint Twice(uint x) {
  return x * 2;
}

struct Cell {
  uint2 at;
  float depth;
};

[numthreads(1, 1, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  Cell cell;
  cell.at = id.xy;
  cell.depth = 1;
  for (uint i = 0; i < id.z; i++) {
    uint two = Twice(i);
    target[i] = two + cell.at.y;
  }
}
// Without the option there is nothing, as with -Zs.
// RUN: %rtc -T cs_6_6 -spirv %s | FileCheck --check-prefix=NOTHING %s
// RUN: %rtc -T cs_6_6 -spirv -Zs %s | FileCheck --check-prefix=NOTHING %s
// NOTHING-NOT: {{OpString|OpSource|OpLine|OpModuleProcessed|NonSemantic}}

// -Zi: file, source, line and tool.
// RUN: %rtc -T cs_6_6 -spirv -Zi -fspv-target-env=vulkan1.1 %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc dis %t.spv | FileCheck --check-prefixes=LINES,TOOL %s
// RUN: %rtc -T cs_6_6 -spirv -fspv-debug=line -fspv-debug=tool -fspv-target-env=vulkan1.2 %s | FileCheck --check-prefixes=LINES,TOOL %s
// RUN: %rtc -T cs_6_6 -spirv -Zi -fspv-debug=line %s | FileCheck --check-prefixes=LINES,NOTOOL %s
// SPIR-V 1.0 has no instruction for the tool.
// RUN: %rtc -T cs_6_6 -spirv -Zi -fspv-target-env=vulkan1.0 %s -Fo %t.old.spv
// RUN: %spirv-val %t.old.spv
// RUN: %rtc dis %t.old.spv | FileCheck --check-prefixes=LINES,NOTOOL %s
// LINES-NOT: {{^OpExtension}}
// LINES: %[[FILE:[0-9A-Za-z_]+]] = OpString "{{.*}}spirv_debug.hlsl"
// LINES-NEXT: OpSource HLSL 660 %[[FILE]] "// Debug information in SPIR-V, for each value{{.*}}\n"
// NOTOOL-NOT: {{^OpModuleProcessed}}
// TOOL: OpModuleProcessed "rtc
// TOOL-NEXT: OpModuleProcessed "dxc-cl-option: {{.*}}spirv_debug.hlsl -T cs_6_6 -spirv -
// LINES: OpFunction
// LINES: OpLine %[[FILE]] 18
// LINES: OpLine %[[FILE]] 5
// LINES-NEXT: OpIMul
// LINES: OpLine %[[FILE]] 20
// LINES: OpStore

// File and source without lines, the tool alone.
// RUN: %rtc -T cs_6_6 -spirv -fspv-debug=source %s | FileCheck --check-prefix=TEXT %s
// TEXT: OpSource HLSL 660 %{{[0-9A-Za-z_]+}} "//
// TEXT-NOT: {{^OpLine}}
// RUN: %rtc -T cs_6_6 -spirv -fspv-debug=file %s | FileCheck --check-prefix=NAMES %s
// NAMES: %[[FILE:[0-9A-Za-z_]+]] = OpString
// NAMES-NEXT: OpSource HLSL 660 %[[FILE]]{{$}}
// NAMES-NOT: {{^OpLine}}
// RUN: %rtc -T cs_6_6 -spirv -fspv-debug=tool -fspv-target-env=vulkan1.1 %s | FileCheck --check-prefix=ALONE %s
// ALONE-NOT: {{^OpSource}}
// ALONE: OpModuleProcessed "rtc

// Types, variables, scopes, inlined calls: by non-semantic instructions, which are an extension before SPIR-V 1.6.
// RUN: %rtc -T cs_6_6 -spirv -fspv-debug=vulkan-with-source %s -Fo %t.vulkan.spv
// RUN: %spirv-val %t.vulkan.spv
// RUN: %rtc dis %t.vulkan.spv | FileCheck --check-prefixes=RICH,BEFORE %s
// RUN: %rtc -T cs_6_6 -spirv -fspv-debug=vulkan-with-source -fspv-target-env=vulkan1.3 %s -Fo %t.new.spv
// RUN: %spirv-val %t.new.spv
// RUN: %rtc dis %t.new.spv | FileCheck --check-prefixes=RICH,SINCE %s
// BEFORE: OpExtension "SPV_KHR_non_semantic_info"
// SINCE-NOT: SPV_KHR_non_semantic_info
// RICH: %[[SET:[0-9A-Za-z_]+]] = OpExtInstImport "NonSemantic.Shader.DebugInfo.100"
// RICH-DAG: %[[NAME:[0-9A-Za-z_]+]] = OpString "{{.*}}spirv_debug.hlsl"
// RICH-DAG: %[[SOURCE_TEXT:[0-9A-Za-z_]+]] = OpString "// Debug information in SPIR-V
// RICH-DAG: %[[TWICE_NAME:[0-9A-Za-z_]+]] = OpString "Twice"
// RICH-DAG: %[[CELL_NAME:[0-9A-Za-z_]+]] = OpString "cell"
// RICH-DAG: %[[UINT_NAME:[0-9A-Za-z_]+]] = OpString "uint"
// RICH-DAG: %[[N0:[0-9A-Za-z_]+]] = OpConstant {{.*}} 0{{$}}
// RICH-DAG: %[[N1:[0-9A-Za-z_]+]] = OpConstant {{.*}} 1{{$}}
// RICH-DAG: %[[N2:[0-9A-Za-z_]+]] = OpConstant {{.*}} 2{{$}}
// RICH-DAG: %[[N5:[0-9A-Za-z_]+]] = OpConstant {{.*}} 5{{$}}
// RICH-DAG: %[[N6:[0-9A-Za-z_]+]] = OpConstant {{.*}} 6{{$}}
// RICH-DAG: %[[N15:[0-9A-Za-z_]+]] = OpConstant {{.*}} 15{{$}}
// RICH-DAG: %[[N32:[0-9A-Za-z_]+]] = OpConstant {{.*}} 32{{$}}
// RICH-DAG: %[[SOURCE:[0-9A-Za-z_]+]] = OpExtInst %{{[0-9A-Za-z_]+}} %[[SET]] DebugSource %[[NAME]] %[[SOURCE_TEXT]]
// RICH-DAG: %[[UNIT:[0-9A-Za-z_]+]] = OpExtInst %{{[0-9A-Za-z_]+}} %[[SET]] DebugCompilationUnit %[[N1]] %{{[0-9A-Za-z_]+}} %[[SOURCE]] %[[N5]]
// RICH-DAG: %[[UINT:[0-9A-Za-z_]+]] = OpExtInst {{.*}} DebugTypeBasic %[[UINT_NAME]] %[[N32]] %[[N6]] %[[N0]]
// RICH-DAG: %[[VECTOR:[0-9A-Za-z_]+]] = OpExtInst {{.*}} DebugTypeVector %[[UINT]] %[[N2]]
// RICH-DAG: %[[AT:[0-9A-Za-z_]+]] = OpExtInst {{.*}} DebugTypeMember %{{[0-9A-Za-z_]+}} %[[VECTOR]] %[[SOURCE]]
// RICH-DAG: %[[CELL:[0-9A-Za-z_]+]] = OpExtInst {{.*}} DebugTypeComposite %{{[0-9A-Za-z_]+}} %[[N1]] %[[SOURCE]] {{.*}} %[[AT]] %{{[0-9A-Za-z_]+}}{{$}}
// RICH-DAG: %[[MAIN:[0-9A-Za-z_]+]] = OpExtInst {{.*}} DebugFunction
// RICH-DAG: %[[TWICE:[0-9A-Za-z_]+]] = OpExtInst {{.*}} DebugFunction %[[TWICE_NAME]] %{{[0-9A-Za-z_]+}} %[[SOURCE]] {{.*}} %[[UNIT]]
// RICH-DAG: %[[CALL:[0-9A-Za-z_]+]] = OpExtInst {{.*}} DebugInlinedAt
// RICH-DAG: %[[LOCAL:[0-9A-Za-z_]+]] = OpExtInst {{.*}} DebugLocalVariable %[[CELL_NAME]] %[[CELL]] %[[SOURCE]] %[[N15]]
// RICH: OpFunction
// RICH: DebugFunctionDefinition
// RICH: DebugValue %[[LOCAL]] {{.*}} %[[N0]] %[[N1]]{{$}}
// RICH: DebugScope %[[TWICE]] %[[CALL]]
// RICH: DebugLine %[[SOURCE]] %[[N5]] %[[N5]]
// RICH: OpIMul

// The other set of instructions.
// RUN: %rtc -T cs_6_6 -spirv -fspv-debug=rich-with-source %s -Fo %t.rich.spv
// RUN: %spirv-val %t.rich.spv
// RUN: %rtc dis %t.rich.spv | FileCheck --check-prefix=OPENCL %s
// OPENCL-NOT: SPV_KHR_non_semantic_info
// OPENCL: OpExtInstImport "OpenCL.DebugInfo.100"
// OPENCL: DebugTypeBasic %{{[0-9A-Za-z_]+}} %{{[0-9A-Za-z_]+}} 6{{$}}
// OPENCL: OpLine %{{[0-9A-Za-z_]+}} 5

// Values that are unknown or contradict each other.
// RUN: not %rtc -T cs_6_6 -spirv -fspv-debug=lines %s 2>&1 | FileCheck --check-prefix=UNKNOWN %s
// RUN: not %rtc -T cs_6_6 -spirv -fspv-debug= %s 2>&1 | FileCheck --check-prefix=UNKNOWN %s
// UNKNOWN: rtc: error: -fspv-debug={{(lines)?}}: expected one of file, source, line, tool, rich, rich-with-source, vulkan, vulkan-with-source
// RUN: not %rtc -T cs_6_6 -spirv -fspv-debug=rich -fspv-debug=vulkan %s 2>&1 | FileCheck --check-prefix=BOTH %s
// BOTH: rtc: error: -fspv-debug=rich and -fspv-debug=vulkan contradict each other
