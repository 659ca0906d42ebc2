// `loop.hlsl` with arithmetic in place of traces.
// rtc -T lib_6_3
// scene: converge.toml
#define NO_TRACE
#include "loop.hlsl"
