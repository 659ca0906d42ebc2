// `loop-masked.hlsl` with a miss shader that does nothing in lanes without work.
// rtc -T lib_6_3
// scene: converge.toml
#define IDLE_ROW
#include "loop-masked.hlsl"
