// `loop-masked.hlsl` with a ray of their own in lanes without work.
// rtc -T lib_6_3
// scene: converge.toml
#define IDLE_RAY
#include "loop-masked.hlsl"
