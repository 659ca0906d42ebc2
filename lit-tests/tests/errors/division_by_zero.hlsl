// An integer divided by a constant zero: a warning where it is executed, an error where a constant is required, nothing where a constant
// condition leaves it out. `-WX` leaves it a warning.
// RUN: %rtc -T cs_6_6 -E main -validator-version 1.6 %s -Fo %t.dxil 2>&1 | FileCheck %s
// RUN: %dxil-val %t.dxil
// RUN: %rtc -T cs_6_6 -E main -Od -WX -validator-version 1.6 %s -Fo %t.od.dxil 2>&1 | FileCheck %s
// RUN: %dxil-val %t.od.dxil
// RUN: %rtc -T cs_6_6 -E main -spirv %s -Fo %t.spv 2>&1 | FileCheck %s
// RUN: %spirv-val %t.spv
// RUN: %rtc -T cs_6_6 -E main -Wno-division-by-zero %s -Fo %t.dxil 2>&1 | FileCheck %s --check-prefix=OFF --allow-empty
// OFF-NOT: W0325
// RUN: not %rtc -T cs_6_6 -E main -Werror=division-by-zero %s -Fo %t.dxil 2>&1 | FileCheck %s --check-prefix=ERROR
// ERROR: error{{.*}}W0325
// RUN: not %rtc -T cs_6_6 -E main -D SIZE %s -Fo %t.dxil 2>&1 | FileCheck %s --check-prefix=CONSTANT
// RUN: not %rtc -T cs_6_6 -E main -D LABEL %s -Fo %t.dxil 2>&1 | FileCheck %s --check-prefix=CONSTANT
// RUN: not %rtc -T cs_6_6 -E main -D ASSERTION %s -Fo %t.dxil 2>&1 | FileCheck %s --check-prefix=CONSTANT
// RUN: not %rtc -T cs_6_6 -E main -D ENUMERATOR %s -Fo %t.dxil 2>&1 | FileCheck %s --check-prefix=CONSTANT
// RUN: not %rtc -T cs_6_6 -E main -D ARGUMENT %s -Fo %t.dxil 2>&1 | FileCheck %s --check-prefix=CONSTANT
// RUN: not %rtc -T cs_6_6 -E main -D GROUP %s -Fo %t.dxil 2>&1 | FileCheck %s --check-prefix=CONSTANT
// CONSTANT: error{{.*}}constant
RWStructuredBuffer<int> o;
// CHECK: W0325
static const int Tiles = 64 / 0;
template<int N> int value() { return N; }
#ifdef ASSERTION
_Static_assert(1 / 0 == 0, "");
#endif
#ifdef ENUMERATOR
enum E { A = 1 % 0 };
#endif
#ifdef GROUP
[numthreads(1 / 0, 1, 1)]
#else
[numthreads(8, 1, 1)]
#endif
void main(int i : SV_GroupIndex) {
#ifdef SIZE
    int a[4 / 0];
#endif
#ifdef ARGUMENT
    o[9] = value<1 / 0>();
#endif
    switch (i) {
#ifdef LABEL
    case 8 / 0: o[8] = 1; break;
#endif
    default: o[i] = 1;
    }
    if (i > 100) {
        // CHECK: W0325
        o[0] = i / 0;
        // CHECK: W0325
        o[1] = uint(i) % 0u;
        // CHECK: W0325
        o[2] = int3(i / int3(1, 2, 0)).z;
        int n = i;
        // CHECK: W0325
        n /= 0;
        o[3] = n + Tiles;
    }
    // CHECK-NOT: W0325
    o[4] = false ? i / 0 : 1;
    if (false && i % 0 == 1) o[5] = 1;
}
