struct [raypayload] P { float kept : read(miss, closesthit) : write(caller); float o : read(caller) : write(miss, closesthit); };
[shader("miss")] void Miss(inout P p)
{
    bool c = WorldRayDirection().x > 0;
    p.o = 1;
    if (c)
        p.kept = 3;
    if (!c)
        p.o = p.kept;
}
[shader("miss")] void Both(inout P p)
{
    bool c = WorldRayDirection().x > 0;
    p.o = 1;
    if (c)
        p.kept = 3;
    if (WorldRayDirection().y > 0)
        p.o = p.kept;
}
