// A loop inside is counted with what the copies of the outer loop compute: ten passes of a bitonic sort, and no loop.
// RUN: %rtc -T cs_6_0 -validator-version 1.6 -WX %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc dis %t.dxil | FileCheck %s
// RUN: %rtc -T cs_6_0 -spirv -WX %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// CHECK-NOT: phi i32
// CHECK-COUNT-11: call void @dx.op.barrier(i32 80,
// CHECK-NOT: call void @dx.op.barrier(i32 80,
groupshared uint keys[32];
RWStructuredBuffer<uint> o;
uint with_bit(uint v, uint bit) { uint low = bit - 1; return (v & ~low) << 1 | (v & low) | bit; }
[numthreads(16, 1, 1)]
void main(uint t : SV_GroupIndex)
{
    keys[t] = o[t];
    keys[t + 16] = o[t + 16];
    GroupMemoryBarrierWithGroupSync();
    [unroll] for (uint k = 2; k <= 16; k <<= 1)
    {
        [unroll] for (uint j = k / 2; j > 0; j /= 2)
        {
            uint b = with_bit(t, j), a = b ^ (k == 2 * j ? k - 1 : j);
            uint x = keys[a], y = keys[b];
            if (x > y)
            {
                keys[a] = y;
                keys[b] = x;
            }
            GroupMemoryBarrierWithGroupSync();
        }
    }
    o[t] = keys[t];
    o[t + 16] = keys[t + 16];
}
