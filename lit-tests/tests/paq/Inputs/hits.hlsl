#include "shared.hlsli"
[shader("closesthit")] void Hit(inout Shared p, BuiltInTriangleIntersectionAttributes a) { p.color = p.seed; p.hit = true; }
[shader("anyhit")] void Any(inout Shared p, BuiltInTriangleIntersectionAttributes a) { if (p.seed == 3) IgnoreHit(); }
[shader("miss")] void Sky(inout Shared p) { p.color = 0; p.hit = false; }
[shader("miss")] void Lit(inout Shadow p) { p.visible = 1; }
