// The payload of accesses_hit_objects.hlsl: `rtc paq -fix` gives a copy of it qualifiers.
struct Payload { uint gi; uint c; uint seen; uint kept; };
