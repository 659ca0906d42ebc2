// -res-may-alias: from shader model 6.7 on a module does not say that its UAVs do not alias.
// RUN: %rtc -T cs_6_7 -E main %s | FileCheck %s --check-prefix=ALONE
// RUN: %rtc -T cs_6_7 -E main -res-may-alias %s | FileCheck %s --check-prefix=ALIAS
// RUN: %rtc -T cs_6_7 -E main -res_may_alias -DTYPED %s -Fo %t.dxil
// RUN: %rtc dis %t.dxil | FileCheck %s --check-prefix=TYPED
// RUN: %rtc validate %t.dxil
// RUN: %rtc -T cs_6_6 -E main -res-may-alias -DTYPED %s | FileCheck %s --check-prefix=OLDER

// ALONE: !{i32 0, i64 8589934608,
// ALIAS: !{i32 0, i64 16,
// No flag would say nothing, so that math may not be refactored either.
// TYPED: !{i32 0, i64 2,
// OLDER-NOT: !{i32 0, i64

#ifdef TYPED
RWBuffer<uint> o;
#else
RWStructuredBuffer<uint> o;
#endif
[numthreads(1, 1, 1)] void main(uint i : SV_DispatchThreadID) { o[i] = i; }
