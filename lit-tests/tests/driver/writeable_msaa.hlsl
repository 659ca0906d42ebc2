// Multisampled textures that are written, from the heap: validators from 1.8 on see them there, older ones in declarations alone.
// RUN: %rtc -T lib_6_7 -validator-version 1.7 %s -Fo %t.7.dxil
// RUN: %rtc validate %t.7.dxil
// RUN: %rtc dis %t.7.dxil | FileCheck --check-prefix=OLDER %s
// RUN: %rtc -T lib_6_7 -validator-version 1.8 %s -Fo %t.8.dxil
// RUN: %rtc validate %t.8.dxil
// RUN: %rtc dis %t.8.dxil | FileCheck --check-prefix=NEWER %s
// RUN: %rtc -T lib_6_7 -validator-version 1.7 -D DECLARED %s -Fo %t.declared.dxil
// RUN: %rtc validate %t.declared.dxil
// RUN: %rtc dis %t.declared.dxil | FileCheck --check-prefix=DECLARED %s
// RUN: %rtc -T lib_6_7 -validator-version 1.7 -D STORED %s -Fo %t.stored.dxil
// RUN: %rtc validate %t.stored.dxil
// OLDER: i32 0, i64 9663741968}
// NEWER: i32 0, i64 44023414800}
// DECLARED: i32 0, i64 44023480336}
RWByteAddressBuffer Out : register(u0);
#ifdef DECLARED
RWTexture2DMS<float, 1> Declared : register(u1);
#endif
[shader("raygeneration")] void Main()
{
    RWTexture2DMS<float, 1> image = ResourceDescriptorHeap[0];
    uint3 size;
    image.GetDimensions(size.x, size.y, size.z);
#ifdef DECLARED
    uint3 more;
    Declared.GetDimensions(more.x, more.y, more.z);
    size += more;
#endif
#ifdef STORED
    image.sample[0][uint2(1, 2)] = 1;
#endif
    Out.Store3(0, size);
}
