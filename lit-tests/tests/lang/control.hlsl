// Loops, switches, attributes, breaks out of nested constructs.
// RUN: %rtc -T lib_6_3 -validator-version 1.6 %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %llvm-verify %t.dxil
// RUN: %rtc -T lib_6_3 -Od -validator-version 1.6 %s -Fo %t.od.dxil
// RUN: %dxil-val %t.od.dxil
// RUN: %rtc -T lib_6_3 -spirv %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc -T lib_6_3 -spirv -Od %s -Fo %t.od.spv
// RUN: %spirv-val %t.od.spv
RWByteAddressBuffer Out : register(u0);

[shader("raygeneration")]
void Main()
{
    uint3 id = DispatchRaysIndex();
    int total = 0;
    [unroll]
    for (int i = 0; i < 3; ++i)
        total += i;
    [loop]
    while (total < int(id.x))
    {
        total += 2;
        if (total == 10)
            continue;
        [branch]
        if (total > 50)
            break;
    }
    do
    {
        total--;
        if (total % 7 == 0)
            break;
    } while (total > int(id.y));
    switch (id.z)
    {
    case 0:
        total += 1;
        break;
    case 1:
    case 2:
        total += 2;
    case 3:
        total += 3;
        break;
    default:
        for (uint k = 0; ; ++k)
        {
            if (k > id.x)
                break;
            switch (k & 3)
            {
            case 2:
                continue;
            case 3:
                total ^= 5;
                break;
            }
            total += int(k);
        }
        break;
    }
    [flatten]
    if (total > 3)
        total = -total;
    Out.Store(0, asuint(total));
    if (total == 5)
        return;
    Out.Store(4, 1);
}
