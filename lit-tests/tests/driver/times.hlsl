// How long the phases of the compiler take: a report, and a trace for tools.
// RUN: %rtc -T lib_6_3 %s -Fo %t.dxil -ftime-report 2>&1 | FileCheck --check-prefix=REPORT %s
// REPORT: time of the compiler: {{[0-9.]+}} ms
// REPORT-DAG: {{[0-9.]+ +[0-9.]+ +[0-9.]+ +1}}  preprocess and parse
// REPORT-DAG: pass mem2reg
// REPORT-DAG: lower to DXIL Main
// REPORT-DAG: lower to DXIL Other
// REPORT-DAG: validate
// RUN: %rtc -T lib_6_3 -spirv %s -Fo %t.spv -ftime-trace=%t.json
// RUN: FileCheck --check-prefix=TRACE %s < %t.json
// TRACE: "displayTimeUnit":"ms"
// TRACE: "traceEvents":[{
// TRACE: "name":"emit SPIR-V Main"
// RUN: %rtc -T lib_6_3 -spirv %s -Fo %t.spv -ftime-trace -ftime-trace-granularity=100000000 | FileCheck --check-prefix=EMPTY %s
// EMPTY: "traceEvents":[]
// RUN: not %rtc -T lib_6_3 %s -ftime-trace-granularity=long 2>&1 | FileCheck --check-prefix=WRONG %s
// WRONG: -ftime-trace-granularity=long: expected a number of microseconds
RWByteAddressBuffer Out : register(u0);
uint Triple(uint n) { return 3 * n; }
[shader("raygeneration")] void Main() { uint n = Triple(Out.Load(4)); Out.Store(0, n); }
[shader("raygeneration")] void Other() { Out.Store(8, 1); }
