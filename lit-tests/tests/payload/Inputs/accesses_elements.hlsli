// The payloads of accesses_elements.hlsl: `rtc paq -fix` gives a copy of them qualifiers.
struct Part { uint kept; uint given; };
struct Payload { uint gi; Part parts[2]; uint c; uint seen; };
