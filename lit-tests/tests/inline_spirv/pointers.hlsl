// Pointers to buffers: members, assignments, lists, casts, templates, arguments of inline SPIR-V.
// RUN: %rtc -T cs_6_6 -E main -spirv -fspv-target-env=vulkan1.3 %s -Fo %t.spv -Fc %t.txt
// RUN: %spirv-val %t.spv
// RUN: FileCheck %s < %t.txt
// RUN: %rtc -T cs_6_6 -E main -spirv -fspv-target-env=vulkan1.3 -Od %s -Fo %t.od.spv
// RUN: %spirv-val %t.od.spv
// CHECK: OpMemoryModel PhysicalStorageBuffer64 GLSL450
typedef struct block_s block_t;
typedef vk::BufferPointer<block_t, 32> block_p;
struct block_s { float4 x; block_p next; };
struct Base { float a; };
struct Derived : Base { int b; uint list[3]; };
struct Pushed { block_p root; vk::BufferPointer<Derived, 16> derived; vk::BufferPointer<uint> words; };
[[vk::push_constant]] Pushed pc;
cbuffer Constants { vk::BufferPointer<float4> In; };
RWStructuredBuffer<float4> Out : register(u0);
RWStructuredBuffer<vk::BufferPointer<float, 4> > List : register(u1);
cbuffer Matrices { vk::BufferPointer<float4x4> Matrix; };

template <typename T> struct Accessor { vk::BufferPointer<T> ptr; T load() { return ptr.Get(); } };
template <typename T, uint A> T read(vk::BufferPointer<T, A> p) { return p.Get(); }

[[vk::ext_instruction(/* OpAtomicIAdd */ 234)]]
uint atomic_add([[vk::ext_reference]] uint memory, uint scope, uint semantics, uint value);

[numthreads(32, 1, 1)]
void main(uint3 id : SV_DispatchThreadID)
{
    [[vk::aliased_pointer]] block_p p = pc.root;
    // CHECK: OpConvertUToPtr
    p = p.Get().next;
    uint64_t address = (uint64_t)p;
    block_p copy = block_p(address);
    if (address == 0)
        return;
    float4 x = copy.Get().x + read(In);
    vk::BufferPointer<Base> base = vk::static_pointer_cast<Base>(pc.derived);
    x.x += base.Get().a + (float)pc.derived.Get().list[id.x % 3];
    pc.derived.Get().b = 4;
    pc.derived.Get().list[1] += 2;
    Accessor<float4> accessor = Accessor<float4>(In);
    x += accessor.load();
    vk::BufferPointer<float> bits = vk::reinterpret_pointer_cast<float>(pc.words);
    x.y += bits.Get();
    vk::BufferPointer<float, 4>(0xdeadbeefull).Get() = 4.5f;
    // CHECK: OpAtomicIAdd
    x.z += atomic_add(pc.words.Get(), vk::DeviceScope, 0, 1);
    // CHECK: OpAtomicIAdd
    x.z += atomic_add(pc.derived.Get().list[2], vk::DeviceScope, 0, 1);
    uint old, other;
    // CHECK: OpAtomicExchange
    InterlockedExchange(pc.words.Get(), 7, old);
    // CHECK: OpAtomicUMax
    InterlockedMax(pc.derived.Get().list[0], old);
    // CHECK: OpAtomicCompareExchange
    InterlockedCompareExchange(pc.words.Get(), 7, 8, other);
    List[3].Get() = 4;
    List[2] = id.x > 3 ? List[1] : List[4];
    float4x4 m = Matrix.Get();
    Matrix.Get()[1] = m[2];
    Matrix.Get()._m11 = 3;
    Matrix.Get()[id.x % 4].y = 4;
    Out[id.x] = x + sizeof(p) + other;
}
