// Copies the arguments of the dispatches that an ExecuteIndirect does, one thread each. A dispatch at or after the count gets sizes of 0, so that
// it does nothing. `execute_indirect.spv` is what rtc compiles this file to; a test says when it is not.

// Words at an address; the length is what an index may reach.
struct Words {
    uint at[1 << 26];
};

struct Job {
    vk::BufferPointer<Words, 4> source;
    vk::BufferPointer<Words, 4> target;
    // One word; the source if the host knows the count.
    vk::BufferPointer<Words, 4> count;
    // From dispatch to dispatch in the source.
    uint stride_words;
    // The most that are done.
    uint limit;
    // Whether `count` counts.
    uint counted;
};

[[vk::push_constant]] Job job;

// Words of a D3D12_DISPATCH_RAYS_DESC without padding, and of its part before the sizes.
static const uint SIZE = 26;
static const uint TABLES = 22;

[numthreads(64, 1, 1)]
void Main(uint n : SV_DispatchThreadID) {
    if (n >= job.limit) {
        return;
    }
    const uint count = job.counted != 0 ? job.count.Get().at[0] : job.limit;
    const bool runs = n < count;
    for (uint w = 0; w < SIZE; w++) {
        const uint word = job.source.Get().at[n * job.stride_words + w];
        job.target.Get().at[n * SIZE + w] = runs || w < TABLES ? word : 0;
    }
}
