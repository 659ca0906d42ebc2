// What a shader found, and what it must be. The numbers come from a buffer, so that no compiler folds them: i(n) is n up to 9, then -1, -2 and so on.
ByteAddressBuffer In : register(t0);
RWByteAddressBuffer Out : register(u0);

int i(uint n) { return In.Load(4 * n); }
float f(uint n) { return i(n); }

static uint Passed = 0, Failed = 0;
// A failure writes its number and what it found.
void IS(uint found, uint must)
{
    if (found == must) { ++Passed; return; }
    Out.Store2(8 + 8 * min(Failed, 6), uint2(Passed + Failed, found));
    ++Failed;
}
void IS(float found, float must) { IS(asuint(found), asuint(must)); }
void IS(int found, int must) { IS((uint)found, (uint)must); }
void done() { Out.Store2(0, uint2(Passed, Failed)); }
