// Debug information: lines, calls that were inlined, variables, types, sources, and what the options ask for.
//
// RUN: %rtc -T cs_6_6 -E main %s -Zi -Qembed_debug -D SIZE=4 -Fo %t.dxil
// RUN: %rtc dis %t.dxil | FileCheck %s
// RUN: %rtc -T cs_6_6 -E main %s -D SIZE=4 -Od -Zi -Qembed_debug | FileCheck %s --check-prefix=OD
// RUN: %rtc -T cs_6_6 -E main %s -D SIZE=4 -Zi -Fo %t.dxil 2>&1 | FileCheck %s --check-prefix=EMBEDDED
// RUN: not %rtc -T cs_6_6 -E main %s -D SIZE=4 -Zi -Zs 2>&1 | FileCheck %s --check-prefix=BOTH
// RUN: not %rtc -T cs_6_6 -E main %s -D SIZE=4 -Qembed_debug 2>&1 | FileCheck %s --check-prefix=EMBED
// RUN: not %rtc -T cs_6_6 -E main %s -D SIZE=4 -Zss 2>&1 | FileCheck %s --check-prefix=SOURCE
// RUN: not %rtc -T cs_6_6 -E main %s -D SIZE=4 -Zi -Zss -Zsb 2>&1 | FileCheck %s --check-prefix=NAMES

// EMBEDDED: warning: no output for debug information is specified
// BOTH: -Zi and -Zs contradict each other
// EMBED: -Qembed_debug requires debug information
// SOURCE: -Zss requires debug information
// NAMES: -Zss and -Zsb contradict each other

RWStructuredBuffer<uint> target;

struct Cell {
  uint2 at;
  float values[SIZE];
};

uint Twice(uint x) {
  return x * 2;
}

[numthreads(1, 1, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  Cell cell;
  cell.at = id.xy;
  for (uint i = 0; i < SIZE; i++)
    cell.values[i] = i;
  uint doubled = Twice(cell.at.y);
  target[id.x] = doubled + (uint)cell.values[id.z & 3];
}

// CHECK: ; shader debug name: {{[0-9a-f]+}}.pdb
// CHECK: define void @main()
// CHECK: call void @llvm.dbg.value(metadata i32 %{{.*}}, i64 0, metadata ![[ID:[0-9]+]], {{.*}}, !dbg !{{[0-9]+}} ; var:"id" !DIExpression(DW_OP_bit_piece, 0, 32) func:"main"
// CHECK: call void @llvm.dbg.value(metadata i32 %{{.*}}, i64 0, metadata !{{[0-9]+}}, {{.*}} ; var:"cell" !DIExpression(DW_OP_bit_piece, 0, 32) func:"main"
// CHECK: call void @llvm.dbg.value({{.*}} ; var:"x" !DIExpression() func:"Twice"
// CHECK: call void @dx.op.rawBufferStore{{.*}} ; line:36 col:3
// CHECK: ret void, !dbg !{{[0-9]+}} ; line:37 col:1
// CHECK-DAG: !DICompileUnit(language: DW_LANG_C_plus_plus, file: ![[FILE:[0-9]+]], producer: "rtc {{.*}}"
// CHECK-DAG: ![[MAIN:[0-9]+]] = !DISubprogram(name: "main", scope: ![[FILE]], file: ![[FILE]], line: 30, {{.*}}isDefinition: true, scopeLine: 30, {{.*}}function: void ()* @main)
// CHECK-DAG: ![[TWICE:[0-9]+]] = !DISubprogram(name: "Twice", linkageName: "\01?Twice@@YAII@Z", scope: ![[FILE]], file: ![[FILE]], line: 25
// CHECK-DAG: ![[CALL:[0-9]+]] = distinct !DILocation(line: 35, column: 18, scope: ![[MAIN]])
// CHECK-DAG: !DILocation(line: 26, column: {{[0-9]+}}, scope: ![[TWICE]], inlinedAt: ![[CALL]])
// CHECK-DAG: !DILocalVariable(tag: DW_TAG_arg_variable, name: "x", arg: 1, scope: ![[TWICE]], file: ![[FILE]], line: 25, type: ![[UINT:[0-9]+]])
// CHECK-DAG: ![[UINT]] = !DIDerivedType(tag: DW_TAG_typedef, name: "uint", {{.*}}baseType: ![[UNSIGNED:[0-9]+]])
// CHECK-DAG: ![[UNSIGNED]] = !DIBasicType(name: "unsigned int", size: 32, align: 32, encoding: DW_ATE_unsigned)
// CHECK-DAG: !DICompositeType(tag: DW_TAG_class_type, name: "vector<unsigned int, 2>", {{.*}}size: 64, align: 32
// CHECK-DAG: !DICompositeType(tag: DW_TAG_structure_type, name: "Cell", file: ![[FILE]], line: 20, size: 192, align: 32
// CHECK-DAG: !DIDerivedType(tag: DW_TAG_member, name: "values", {{.*}}line: 22, {{.*}}size: 128, align: 32, offset: 64)
// CHECK-DAG: !DIGlobalVariable(name: "target", linkageName: "\01?target@@3V?$RWStructuredBuffer@I@@A", {{.*}}line: 18,
// CHECK-DAG: !{i32 2, !"Debug Info Version", i32 3}
// CHECK-DAG: !dx.source.args = !{
// CHECK-DAG: !{!"-T", !"cs_6_6", {{.*}}!"-Zi"
// CHECK-DAG: !{!"SIZE=4"}

// An array that is indexed at run time is memory.
// OD: call void @llvm.dbg.declare(metadata [4 x float]* %{{.*}} ; var:"cell" !DIExpression(DW_OP_bit_piece, 64, 128) func:"main"
// OD: call void @llvm.dbg.value(metadata i32 0, i64 0, {{.*}} ; var:"i" !DIExpression() func:"main"
// OD: distinct !DILexicalBlock(scope: !{{[0-9]+}}, file: !{{[0-9]+}}, line: 33, column: 3)
