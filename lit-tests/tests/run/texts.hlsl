// Texts as arguments of function templates, which see arrays of characters, and as constants outside of functions.
// reference: no, its validator refuses indices that vary
// RUN: %rtc -T lib_6_3 -HV 2021 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %llvm-verify %t.dxil
// RUN: %rtc -T lib_6_3 -HV 2021 -Od -validator-version 1.6 -no-warnings %s -Fo %t.od.dxil
// RUN: %dxil-val %t.od.dxil
// RUN: %rtc -T lib_6_3 -HV 2021 -spirv -no-warnings %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: not %rtc -T lib_6_3 -HV 2021 -DWRONG %s 2>&1 | FileCheck %s --check-prefix=WRONG
#include "Inputs/out.hlsli"

static const string Format = "x=%d";
string Other = "Az";
static const int First = Format[0];

template <typename C, uint N> uint length(C text[N]) { return N - 1; }
template <typename C> uint number(in C c)
{
    if (c == 'A') return 65;
    if (c == 'x') return 120;
    return 0;
}
template <typename C, uint N> uint number_at(C text[N], uint i) { return number(text[i % N]); }
template <typename T> uint sum(T text) { uint s = 0; for (uint i = 0; text[i] != 0; ++i) s += text[i]; return s; }

uint plain(uint text[3]) { return text[0]; }

struct Printer
{
    uint count;
    uint hash;
    template <typename C, uint N> void append(C text[N]) { for (uint i = 0; i + 1 < N; ++i) { hash = hash * 31 + (uint)text[i]; ++count; } }
};

[shader("raygeneration")]
void Main()
{
    expect(length("Abc"), 3);
    expect(length(""), 0);
    expect(length(Format), 4);
    expect(First, 120);
    expect(number("A"[0]), 65);
    expect(number_at(Format, 4 + 1 + inU(0) * 0), 120);
    expect(number_at("zAzzzzzz", 1), 65);
    expect(sum("Az"), 65 + 122);
    expect(sum(Other), 65 + 122);
    uint at = inU(1) & 3;
    expect(Format[at], at == 0 ? 120 : at == 1 ? 61 : at == 2 ? 37 : 100);
    Printer p; p.count = 0; p.hash = 0;
    p.append("ab"); p.append(Other);
    expect(p.count, 4);
    expect(p.hash, ((97 * 31 + 98) * 31 + 65) * 31 + 122);
#ifdef WRONG
    // WRONG: error: argument 1 of `plain` is `string`, expected `uint[3]`
    plain("ab");
#endif
}
