// The same together with callable shaders.
// rtc -T lib_6_9
// scene: ../../../samples/callable/scene.toml
// RUN: %rtc-run %s -o %T -- -no-warnings -disable-payload-qualifiers -fspv-ser=lower
// RUN: %rtc-run %s -o %T/plain -- -no-warnings -disable-payload-qualifiers -DPLAIN
// RUN: cmp %T/callable.png %T/plain/callable.png
// RUN: %rtc -spirv -fspv-ser=lower -T lib_6_9 -no-warnings -disable-payload-qualifiers %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc -spirv -fspv-ser=lower -Od -T lib_6_9 -no-warnings -disable-payload-qualifiers %s -Fo %t.od.spv
// RUN: %spirv-val %t.od.spv
#ifndef PLAIN
#include "Inputs/ser_form.hlsli"
#endif
#include "../../../samples/callable/callable.hlsl"
