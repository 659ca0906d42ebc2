// Divided ray generation shaders, divided by hand: the contract of common/tables/src/wavefront.rs with plain buffers.

RWByteAddressBuffer Control : register(u0);
RWByteAddressBuffer State : register(u1);
RWByteAddressBuffer Keys : register(u2);
RWByteAddressBuffer Slots : register(u3);
// Keys of the rays of `Sort`, by slot.
ByteAddressBuffer Input : register(t0);
RWByteAddressBuffer Output : register(u4);

cbuffer Record : register(b0, space1) { uint Salt; };
struct Pushed { uint scale; };
[[vk::push_constant]] Pushed Push;

LocalRootSignature Salted = {"RootFlags(LOCAL_ROOT_SIGNATURE), RootConstants(num32BitConstants = 1, b0, space = 1)"};
SubobjectToExportsAssociation SaltedShaders = {"Salted", "Walk;WalkResume0;WalkResume1;WalkResume2"};
RaytracingShaderConfig Shaders = {4, 8};
RaytracingPipelineConfig Pipeline = {1};

static const uint STOP = 0, CAPACITY = 4, ORIGIN = 8, SIZE = 20, DIMENSIONS = 32, POINTS = 48;
static const uint ENDED = 0xffffffff;

bool stops() { return Control.Load(STOP) != 0; }

// The slot, and the position, of a ray that starts.
uint started()
{
    const uint3 i = DispatchRaysIndex();
    const uint3 size = Control.Load3(SIZE);
    return (i.z * size.y + i.y) * size.x + i.x;
}

uint position_of(uint place) { return Control.Load(POINTS + 8 * place) + DispatchRaysIndex().x; }

// Rays with the keys that are given: where each arrives is where the sort put it.
[shader("raygeneration")]
void Sort()
{
    const uint slot = started();
    if (stops())
        Keys.Store(4 * slot, Input.Load(4 * slot));
}

void arrive(uint place)
{
    const uint position = position_of(place);
    const uint slot = Slots.Load(4 * position);
    Output.Store(8 * position, slot);
    Output.Store(8 * position + 4, place);
    if (stops())
        Keys.Store(4 * position, ENDED);
}

[shader("raygeneration")] void SortResume0() { arrive(0); }
[shader("raygeneration")] void SortResume1() { arrive(1); }
[shader("raygeneration")] void SortResume2() { arrive(2); }

uint mixed(uint v)
{
    v ^= v >> 16;
    v *= 0x7feb352d;
    v ^= v >> 15;
    v *= 0x846ca68b;
    return v ^ (v >> 16);
}

uint column(uint c, uint slot) { return 4 * (c * Control.Load(CAPACITY) + slot); }

// A walk of up to nine steps with a reorder point before each, one of three.
void walk(uint slot, uint position, uint ray, uint v, uint n)
{
    const bool stop = stops();
    while (n < mixed(ray + Salt) % 10)
    {
        if (stop)
        {
            State.Store(column(0, slot), v);
            State.Store(column(1, slot), n);
            Keys.Store(4 * position, (v % 3) << 24 | ((v >> 8) & 0x1f) << 2 | ((v >> 2) & 3));
            return;
        }
        v = mixed(v + v % 3 * Push.scale + Salt);
        ++n;
    }
    Output.Store(8 * ray, v);
    Output.Store(8 * ray + 4, n);
    if (stop)
        Keys.Store(4 * position, ENDED);
}

uint ray_of(uint3 index)
{
    uint3 size = Control.Load3(DIMENSIONS);
    size = size.x == 0 ? DispatchRaysDimensions() : size;
    return (index.z * size.y + index.y) * size.x + index.x;
}

[shader("raygeneration")]
void Walk()
{
    const uint ray = ray_of(Control.Load3(ORIGIN) + DispatchRaysIndex());
    walk(started(), started(), ray, mixed(ray), 0);
}

void resume(uint place)
{
    const uint position = position_of(place);
    const uint slot = Slots.Load(4 * position);
    const uint3 size = Control.Load3(SIZE);
    const uint3 index = uint3(slot % size.x, slot / size.x % size.y, slot / size.x / size.y);
    uint v = State.Load(column(0, slot));
    v = mixed(v + place * Push.scale + Salt);
    walk(slot, position, ray_of(Control.Load3(ORIGIN) + index), v, State.Load(column(1, slot)) + 1);
}

[shader("raygeneration")] void WalkResume0() { resume(0); }
[shader("raygeneration")] void WalkResume1() { resume(1); }
[shader("raygeneration")] void WalkResume2() { resume(2); }
