#pragma once
struct Shared { float3 color; uint seed; bool hit; };
struct [raypayload] Shadow { float visible : read(caller, miss) : write(caller, miss, closesthit); };
RaytracingAccelerationStructure Scene : register(t0);
RWByteAddressBuffer Out : register(u0);
RayDesc ray() { RayDesc r; r.Origin = 0; r.TMin = 0; r.Direction = float3(0, 0, 1); r.TMax = 1; return r; }
