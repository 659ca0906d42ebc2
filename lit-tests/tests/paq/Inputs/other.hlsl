struct P { float a; float4 b; };
[shader("miss")] void Other(inout P p) { p.a = 1; p.b = 2; }
