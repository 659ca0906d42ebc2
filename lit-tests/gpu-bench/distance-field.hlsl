// Rings and blobs in boxes: an intersection shader marches along a distance field.
// rtc -T lib_6_3 -HV 2021
//> [camera]
//> eye = [0.6, 2.4, -6.2]
//> look_at = [0.0, 0.4, 0.0]
//> fov_y = 40
//> [constants.Frame]
//> ClipToWorld = { camera = "clip_to_world" }
//> Eye = { camera = "eye" }
//> Samples = { uint = 1 }
//> Light = { float3 = [-0.5298, 0.6623, -0.5298] }
//> Depth = { uint = 1 }
//> [meshes.unit]
//> boxes = [[[-1, -1, -1], [1, 1, 1]]]
//> opaque = true
//> [accel.Scene]
//> instances = [
//>     { mesh = "unit", id = 1, transform = { scale = 0.9, translate = [-1.9, 0.3, 0.4] } },
//>     { mesh = "unit", id = 2, transform = { scale = 1.1, rotate = { axis = [1, 0, 0], degrees = 33 }, translate = [0.1, 0.6, 0.9] } },
//>     { mesh = "unit", id = 3, transform = { scale = 0.8, rotate = { axis = [0, 0, 1], degrees = 61 }, translate = [1.8, 0.2, -0.4] } },
//>     { mesh = "unit", id = 4, transform = { scale = 0.7, rotate = { axis = [1, 1, 0], degrees = 20 }, translate = [-0.7, -0.6, -1.1] } },
//>     { mesh = "unit", id = 5, transform = { scale = 0.5, translate = [0.9, -0.7, -1.6] } },
//> ]
//> [images.Output]
//> size = [240, 160]
//> format = "rgba8_unorm"
//> save = "picture.png"
#include "Inputs/bench.hlsli"

struct Payload
{
    float3 color;
};

struct Attributes
{
    float3 normal;
};

#ifndef NO_SUBOBJECTS
GlobalRootSignature Globals = { "CBV(b0), SRV(t0), DescriptorTable(UAV(u0))" };
ProceduralPrimitiveHitGroup Field = { "", "Shade", "March" };
RaytracingShaderConfig Sizes = { 12, 12 };
RaytracingPipelineConfig Recursion = { 1 };
#endif

float Distance(float3 p, uint id)
{
    float ring = length(float2(length(p.xz) - 0.65, p.y)) - 0.22;
    float blob = length(p) - 0.75 + 0.08 * sin(9 * p.x) * sin(8 * p.y) * sin(7 * p.z);
    return id & 1 ? ring : blob;
}

[shader("raygeneration")]
void Render()
{
    Payload p = (Payload)0;
    TraceRay(Scene, RAY_FLAG_NONE, 0xff, 0, 1, 0, CameraRay(), p);
    Output[DispatchRaysIndex().xy] = float4(p.color, 1);
}

[shader("miss")]
void Missed(inout Payload p)
{
    p.color = Sky(WorldRayDirection());
}

[shader("intersection")]
void March()
{
    float3 origin = ObjectRayOrigin(), along = ObjectRayDirection();
    float scale = length(along);
    along /= scale;
    float3 inverse = 1 / along;
    float3 a = (-1 - origin) * inverse, b = (1 - origin) * inverse;
    float3 low = min(a, b), high = max(a, b);
    float t = max(max(low.x, low.y), max(low.z, 0));
    float end = min(high.x, min(high.y, high.z));
    for (uint i = 0; i < 96 && t < end; ++i)
    {
        float d = Distance(origin + t * along, InstanceID());
        if (d < 0.0005)
        {
            float3 p = origin + t * along;
            float2 e = float2(0.001, 0);
            uint id = InstanceID();
            Attributes at;
            at.normal = normalize(float3(Distance(p + e.xyy, id), Distance(p + e.yxy, id), Distance(p + e.yyx, id)) - Distance(p, id));
            ReportHit(t / scale, 0, at);
            return;
        }
        t += d * 0.7;
    }
}

[shader("closesthit")]
void Shade(inout Payload p, in Attributes attributes)
{
    float3 normal = normalize(mul((float3x3)ObjectToWorld3x4(), attributes.normal));
    p.color = Albedo(InstanceID()) * (0.25 + 0.75 * saturate(dot(normal, Light)));
}
