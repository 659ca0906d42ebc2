struct [raypayload] P { float more : write(caller) : read(miss); float out2 : write(miss) : read(caller); };
[shader("miss")] void Other(inout P p) { p.out2 = p.more; }
