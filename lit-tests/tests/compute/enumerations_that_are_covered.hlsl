// rtc -T cs_6_6 -E main -HV 2021
// A switch over an enumeration with a label for each of its values ends a function whose arms all return: nothing is missing after it.
// RUN: %rtc-run-cpu %s --scene %S/Inputs/expect.toml -o %T
// RUN: FileCheck %s --input-file=%T/out.json
// RUN: %rtc-run-cpu %s --scene %S/Inputs/expect.toml -o %T -- -Od
// RUN: FileCheck %s --input-file=%T/out.json
// RUN: %rtc -T cs_6_6 -E main -HV 2021 -spirv %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// CHECK: {{^}}[
// CHECK-NEXT: {{^}}9,
// CHECK-NEXT: {{^}}0,
#include "Inputs/expect.hlsli"
enum class Material : uint { Diffuse, Metal = 7, Glass };
enum Letter { A, B = -1, C = A, D = 5 };
struct Surface
{
    Material material;
    int of(int n)
    {
        switch (material)
        {
        case Material::Diffuse: { int twice = 2 * n; return twice; }
        case Material::Metal: return n;
        case Material::Glass:
            if (n > 3)
                return 30;
            else
                return 40;
        }
    }
};
int ofLetter(Letter l)
{
    switch (l) { case A: return 10; case D: return 20; case B: return 30; }
}
// A value that no enumerator has goes on in the arm of the outer switch.
int nested(Letter l, int n)
{
    switch (n)
    {
    case 1:
        switch (l) { case A: return 1; case B: return 2; case D: return 3; }
    case 2: return 4;
    default: return 5;
    }
}
[numthreads(1, 1, 1)] void main()
{
    Surface s;
    s.material = (Material)i(0);
    IS(s.of(i(4)), 8);
    s.material = (Material)i(7);
    IS(s.of(i(4)), 4);
    s.material = (Material)i(8);
    IS(s.of(i(4)), 30);
    IS(s.of(i(3)), 40);
    IS(ofLetter((Letter)i(0)), 10);
    IS(ofLetter((Letter)i(5)), 20);
    IS(ofLetter((Letter)i(10)), 30);
    IS(nested((Letter)i(5), i(1)), 3);
    IS(nested((Letter)i(5), i(2)), 4);
    done();
}
