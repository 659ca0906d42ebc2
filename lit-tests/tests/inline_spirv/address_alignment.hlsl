// Accesses at addresses say the alignment that the program promises: no more, and no less. Where it is less than a component, smaller parts are accessed.
// RUN: %rtc -T cs_6_6 -E main -spirv -fspv-target-env=vulkan1.3 -DT=float4 -DA=16 %s -Fo %t.1.spv -Fc %t.1.txt
// RUN: %spirv-val %t.1.spv
// RUN: FileCheck %s --check-prefix=VECTOR < %t.1.txt
// RUN: %rtc -T cs_6_6 -E main -spirv -fspv-target-env=vulkan1.3 -Od -DT=float4 -DA=16 %s -Fo %t.2.spv -Fc %t.2.txt
// RUN: %spirv-val %t.2.spv
// RUN: FileCheck %s --check-prefix=VECTOR < %t.2.txt
// VECTOR: [[FLOAT:%[0-9A-Za-z_]+]] = OpTypeFloat 32
// VECTOR: [[V4:%[0-9A-Za-z_]+]] = OpTypeVector [[FLOAT]] 4
// VECTOR-NOT: Aligned
// VECTOR: OpLoad [[V4]] {{.*}} Aligned 16
// VECTOR: OpStore {{.*}} Aligned 16
// VECTOR: OpLoad [[V4]] {{.*}} Aligned 16
// VECTOR: OpStore {{.*}} Aligned 16
// VECTOR-NOT: Aligned
// RUN: %rtc -T cs_6_6 -E main -spirv -fspv-target-env=vulkan1.3 -DT=float4 -DA=8 %s -Fo %t.3.spv -Fc %t.3.txt
// RUN: %spirv-val %t.3.spv
// RUN: FileCheck %s --check-prefix=LESS < %t.3.txt
// LESS: OpLoad {{.*}} Aligned 8
// LESS-NOT: OpCompositeConstruct
// LESS-NOT: Aligned 16
// RUN: %rtc -T cs_6_6 -E main -spirv -fspv-target-env=vulkan1.3 -DT=uint64_t -DA=4 %s -Fo %t.4.spv -Fc %t.4.txt
// RUN: %spirv-val %t.4.spv
// RUN: FileCheck %s --check-prefix=WORDS < %t.4.txt
// RUN: %rtc -T cs_6_6 -E main -spirv -fspv-target-env=vulkan1.3 -DT=double -DA=4 %s -Fo %t.5.spv -Fc %t.5.txt
// RUN: %spirv-val %t.5.spv
// RUN: FileCheck %s --check-prefix=WORDS < %t.5.txt
// WORDS: [[TWO:%[0-9A-Za-z_]+]] = OpTypeVector {{%[0-9A-Za-z_]+}} 2
// WORDS: OpLoad [[TWO]] {{.*}} Aligned 4
// WORDS: OpStore {{.*}} Aligned 4
// WORDS-NOT: Aligned 8
// RUN: %rtc -T cs_6_6 -E main -spirv -fspv-target-env=vulkan1.3 -DT=double2 -DA=4 %s -Fo %t.6.spv -Fc %t.6.txt
// RUN: %spirv-val %t.6.spv
// RUN: FileCheck %s --check-prefix=PAIR < %t.6.txt
// PAIR: [[WORD:%[0-9A-Za-z_]+]] = OpTypeInt 32 0
// PAIR: [[FOUR:%[0-9A-Za-z_]+]] = OpTypeVector [[WORD]] 4
// PAIR: OpLoad [[FOUR]] {{.*}} Aligned 4
// PAIR-NOT: Aligned 8
// RUN: %rtc -T cs_6_6 -E main -spirv -fspv-target-env=vulkan1.3 -DT=uint64_t -DA=2 %s -Fo %t.7.spv -Fc %t.7.txt
// RUN: %spirv-val %t.7.spv
// RUN: FileCheck %s --check-prefix=HALVES < %t.7.txt
// HALVES: [[HALF:%[0-9A-Za-z_]+]] = OpTypeInt 16 0
// HALVES: OpLoad [[HALF]] {{.*}} Aligned 2
// HALVES-NOT: Aligned 8
// RUN: %rtc -T cs_6_6 -E main -spirv -fspv-target-env=vulkan1.3 -enable-16bit-types -DT=half3 -DA=1 %s -Fo %t.8.spv -Fc %t.8.txt
// RUN: %spirv-val %t.8.spv
// RUN: FileCheck %s --check-prefix=BYTES < %t.8.txt
// BYTES: [[BYTE:%[0-9A-Za-z_]+]] = OpTypeInt 8 0
// BYTES: OpLoad [[BYTE]] {{.*}} Aligned 1
// BYTES-NOT: Aligned 2
// RUN: %rtc -T cs_6_6 -E main -spirv -fspv-target-env=vulkan1.3 -DT=Item -DA=16 %s -Fo %t.9.spv -Fc %t.9.txt
// RUN: %spirv-val %t.9.spv
// RUN: FileCheck %s --check-prefix=MEMBERS < %t.9.txt
// MEMBERS: [[FLOAT:%[0-9A-Za-z_]+]] = OpTypeFloat 32
// MEMBERS: OpLoad [[FLOAT]] {{.*}} Aligned 16
// MEMBERS: OpLoad {{.*}} Aligned 4
// MEMBERS: OpLoad {{.*}} Aligned 16
// MEMBERS: OpLoad {{.*}} Aligned 8
// RUN: %rtc -T cs_6_6 -E main -spirv -fspv-target-env=vulkan1.3 -DT=uint64_t -DA=1 -DDEFAULT %s -Fo %t.10.spv -Fc %t.10.txt
// RUN: %spirv-val %t.10.spv
// RUN: FileCheck %s --check-prefix=DEFAULT < %t.10.txt
// DEFAULT: [[WIDE:%[0-9A-Za-z_]+]] = OpTypeInt 64 0
// DEFAULT: OpLoad {{.*}} Aligned 4
// DEFAULT: OpStore {{.*}} Aligned 4
// DEFAULT: OpLoad [[WIDE]] {{.*}} Aligned 8
// DEFAULT: OpStore {{.*}} Aligned 8
// RUN: %rtc -T cs_6_6 -E main -spirv -fspv-target-env=vulkan1.3 -DT=uint -DA=4 -DLIST %s -Fo %t.11.spv -Fc %t.11.txt
// RUN: %spirv-val %t.11.spv
// RUN: FileCheck %s --check-prefix=LIST < %t.11.txt
// A list whose elements have 12 bytes: 16 bytes promised, 4 by an index, 8 at the third element.
// LIST: OpLoad {{.*}} Aligned 4
// LIST: OpLoad {{.*}} Aligned 8
// LIST: OpLoad {{.*}} Aligned 16

struct Item { float a; float3 b; uint64_t c, d; };
struct Three { uint a, b, c; };
struct List { Three all[4]; };
struct Pushed { uint64_t at; uint index; };
[[vk::push_constant]] Pushed pc;
RWStructuredBuffer<uint> Out : register(u0);
static const uint Alignment = A;

#ifdef LIST
[numthreads(1, 1, 1)] void main()
{
    vk::BufferPointer<List, 16> list = vk::BufferPointer<List, 16>(pc.at);
    Out[0] = list.Get().all[pc.index].a;
    Out[1] = list.Get().all[2].a;
    Out[2] = list.Get().all[0].a;
}
#elif defined(DEFAULT)
[numthreads(1, 1, 1)] void main()
{
    vk::RawBufferStore<T>(pc.at + 64, vk::RawBufferLoad<T>(pc.at));
    vk::BufferPointer<T> p = vk::BufferPointer<T>(pc.at + 128);
    p.Get() = p.Get() + 1;
}
#else
[numthreads(1, 1, 1)] void main()
{
    vk::RawBufferStore<T>(pc.at + 64, vk::RawBufferLoad<T>(pc.at, Alignment), max(Alignment, 1));
    vk::BufferPointer<T, A> from = vk::BufferPointer<T, A>(pc.at + 128), to = vk::BufferPointer<T, A>(pc.at + 256);
    to.Get() = from.Get();
}
#endif
