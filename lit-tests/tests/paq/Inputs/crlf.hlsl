RaytracingAccelerationStructure Scene : register(t0); // a comment with trailing blanks   
RWByteAddressBuffer Out : register(u0);
struct P	{
	float a;	// tabs
	float b ;
};
[shader("raygeneration")] void Rg() { RayDesc r; r.Origin = 0; r.TMin = 0; r.Direction = float3(0, 0, 1); r.TMax = 1; P p; p.b = 1; TraceRay(Scene, 0, 255, 0, 0, 0, r, p); Out.Store(0, p.a); }
[shader("miss")] void Ms(inout P p) { p.a = p.b; }
[shader("closesthit")] void Ch(inout P p, BuiltInTriangleIntersectionAttributes t) { p.a = 2; }