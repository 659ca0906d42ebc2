// `[noinline]` and `[experimental]` are attributes of the function in DXIL, the latter in the order of their names, of which the last value
// counts. Functions that are inlined and those of SPIR-V have none.
// RUN: %rtc -T lib_6_3 -validator-version 1.6 %s -Fo %t.dxil -Fc - | FileCheck %s
// RUN: %dxil-val %t.dxil
// RUN: %llvm-verify %t.dxil
// RUN: %rtc -T lib_6_3 -Od -emit-ir %s | FileCheck %s --check-prefix=IR
// RUN: not %rtc -T lib_6_3 -DWRONG='"a"' %s -Fo %t.wrong 2>&1 | FileCheck %s --check-prefix=WRONG
// RUN: not %rtc -T lib_6_3 -DWRONG='"a", 3' %s -Fo %t.wrong 2>&1 | FileCheck %s --check-prefix=WRONG
// WRONG: the attribute `experimental` takes two texts: a name and a value
// CHECK: define float @"\01?twice@@YAMM@Z"(float) #[[TWICE:[0-9]+]]
// CHECK: define float @"\01?plain@@YAMM@Z"(float) #[[PLAIN:[0-9]+]]
// CHECK-DAG: attributes #[[TWICE]] = { noinline nounwind "exp-empty" "exp-tier"="two" }
// CHECK-DAG: attributes #[[PLAIN]] = { nounwind }
// IR: noinline experimental("tier", "one") experimental("empty", "") experimental("tier", "two") -> f32
#ifdef WRONG
[experimental(WRONG)] export float wrong(float x) { return x; }
#endif
[noinline] [experimental("tier", "one")] [experimental("empty", "")] [experimental("tier", "two")] export float twice(float x) { return 2 * x; }
[noinline] float inner(float x) { return x + 1; }
export float plain(float x) { return inner(x); }
