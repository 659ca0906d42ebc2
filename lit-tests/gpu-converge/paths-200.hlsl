// `paths.hlsl` with a tenth of the shading.
// rtc -T lib_6_3
// scene: converge.toml
#define ROUNDS 200
#include "paths.hlsl"
