struct [raypayload] P { float a : read(caller) : write(miss); };
[shader("miss")] void Ms(inout P p) { p.a = 1; }
