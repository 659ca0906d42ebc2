struct Q { float b; };
[shader("miss")] void OtherMissQ(inout Q q) { q.b = 2; }
