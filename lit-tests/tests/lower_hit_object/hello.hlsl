// Hit objects on a device without them make the picture that plain traces make.
// rtc -T lib_6_9
// scene: ../../../samples/hello/scene.toml
// RUN: %rtc-run %s -o %T -- -no-warnings -disable-payload-qualifiers -fspv-ser=lower
// RUN: %rtc-run %s -o %T/plain -- -no-warnings -disable-payload-qualifiers -DPLAIN
// RUN: cmp %T/hello.png %T/plain/hello.png
// RUN: %rtc -spirv -fspv-ser=lower -T lib_6_9 -no-warnings -disable-payload-qualifiers %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc -spirv -fspv-ser=lower -Od -T lib_6_9 -no-warnings -disable-payload-qualifiers %s -Fo %t.od.spv
// RUN: %spirv-val %t.od.spv
#ifndef PLAIN
#include "Inputs/ser_form.hlsli"
#endif
#include "../../../samples/hello/hello.hlsl"
