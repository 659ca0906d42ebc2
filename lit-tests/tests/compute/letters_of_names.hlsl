// rtc -T cs_6_6 -E main -HV 2021
// Names may have letters of any script, and dollars.
// RUN: %rtc-run-cpu %s --scene %S/Inputs/expect.toml -o %T
// RUN: FileCheck %s --input-file=%T/out.json
// RUN: %rtc-run-cpu %s --scene %S/Inputs/expect.toml -o %T -- -Od
// RUN: FileCheck %s --input-file=%T/out.json
// RUN: %rtc -T cs_6_6 -E main -HV 2021 -spirv %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// CHECK: {{^}}[
// CHECK-NEXT: {{^}}13,
// CHECK-NEXT: {{^}}0,
// RUN: %rtc -T cs_6_6 -E 'größe$1' '-DE=größe$1' -Dβ=3 %s -Fc - | FileCheck --check-prefix=LISTED %s
// LISTED-DAG: define void @"gr\C3\B6\C3\9Fe$1"()
// LISTED-DAG: BufferStore{{.*}} i32 3,
// RUN: %rtc -T lib_6_6 -DL %s -Fo %t.dxil
// RUN: %rtc reflect %t.dxil | FileCheck --check-prefix=REFLECTED %s
// REFLECTED: größe$1
// RUN: %rtc -T cs_6_6 -E 'größe$1' '-DE=größe$1' -Dβ=3 %s -spirv -Fc - | FileCheck --check-prefix=WORDS %s
// WORDS: OpEntryPoint GLCompute %{{.*}} "größe$1"
#ifdef E
RWByteAddressBuffer Ausgänge : register(u0);
[numthreads(1, 1, 1)] void E() { Ausgänge.Store(0, β); }
#elif defined L
RWByteAddressBuffer 出力 : register(u0);
[shader("compute")] [numthreads(1, 1, 1)] void größe$1() { 出力.Store(0, 4); }
#else
#include "Inputs/expect.hlsli"

#define плюс(α, б) ((α) + (б))
#define join$(a, b) a##b
struct Größe { int höhe; int $; int $2 : ÄÖ; int summe() { return höhe + $; } };
enum Größen { klein = 1, groß = 3 };
namespace 名前 { int 値(int x) { return x + 1; } template<typename Τύπος> Τύπος διπλό(Τύπος x) { return x * 2; } }
cbuffer Zahlen$ { int über; };
static const int é = 4, Δx = 5;
int scale$2(int α) { return α * 2; }
struct δ { int ε; int operator+(int ζ) { return ε + ζ; } };

[numthreads(1, 1, 1)] void main()
{
    int β = i(3), $a = i(1), b$ = i(2), _é2 = i(4);
    IS(scale$2(β), 6); IS($a + b$, 3); IS(_é2, 4);
    Größe g; g.höhe = i(5); g.$ = i(1); g.$2 = i(7); IS(g.summe(), 6); IS(g.$2, 7);
    IS((int)groß, 3); IS(名前::値(i(6)), 7); IS(名前::διπλό(i(2)), 4); IS(плюс(i(1), i(2)), 3);
    int αβ = i(8); IS(join$(α, β), 8); IS(é + Δx, 9);
    δ d; d.ε = i(2); IS(d + 1, 3); int ℝ = i(9), a̋ = i(1); IS(ℝ + a̋, 10);
    done();
}
#endif
