// Payload access qualifiers where values decide: choices of choices, operands that are not evaluated, parts of variables and of arrays, long rows of
// branches and calls, hit objects along loops.

// CASE choices_of_choices -T lib_6_7
struct [raypayload] P { float a : write(miss) : read(caller); };
RWBuffer<float> o;
#define SWAP(c, d) if (c) x = y; if (d) y = x;
#define SWAPS SWAP(c0, c1) SWAP(c2, c3) SWAP(c4, c5) SWAP(c1, c2) SWAP(c3, c4) SWAP(c5, c0)
[shader("miss")] void Main(inout P p)
{
    bool c0 = o[0] > 1, c1 = o[1] > 1, c2 = o[2] > 1, c3 = o[3] > 1, c4 = o[4] > 1, c5 = o[5] > 1;
    bool x = o[6] > 1, y = o[7] > 1;
    SWAPS SWAPS SWAPS SWAPS
    if (x) o[0] = p.a;
//                ^^^ W0710 `p.a` is undefined when it is read
// = here: it was not written since the shader began
// = 10:9: note: when this holds
// = note: `a` is `write(miss) : read(caller)`: miss shaders do not receive it
// = note: rule: DXR, payload access qualifiers, detailed semantics
    p.a = 3;
}
// CASE numbers_of_choices -T lib_6_7
struct [raypayload] P { float a : write(miss) : read(caller); };
RWBuffer<float> o;
#define SWAP(c, d) x = o[c] > 1 ? x : y; y = o[d] > 1 ? y : x;
[shader("miss")] void Main(inout P p)
{
    int x = 0, y = 1;
    SWAP(0, 1) SWAP(2, 3) SWAP(4, 5) SWAP(6, 7) SWAP(8, 9) SWAP(10, 11) SWAP(12, 13) SWAP(14, 15) SWAP(16, 17) SWAP(18, 19)
    SWAP(20, 21) SWAP(22, 23) SWAP(24, 25) SWAP(26, 27) SWAP(28, 29) SWAP(30, 31) SWAP(32, 33) SWAP(34, 35) SWAP(36, 37)
    if (x == 1) o[0] = p.a;
//                     ^^^ W0710 `p.a` is undefined when it is read
// = here: it was not written since the shader began
// = 9:9: note: when this holds
// = note: `a` is `write(miss) : read(caller)`: miss shaders do not receive it
// = note: rule: DXR, payload access qualifiers, detailed semantics
    p.a = 3;
}
