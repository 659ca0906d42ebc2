// Blocks in blocks, with declarations in the innermost: types count with the enclosing blocks.
// RUN: %rtc -T lib_6_3 -validator-version 1.6 %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc -T lib_6_3 -spirv %s -Fo %t.spv
// RUN: %spirv-val %t.spv
RWStructuredBuffer<float4> Out : register(u0);

[shader("raygeneration")]
void Main()
{
    float4 x = Out[0];
    if (x.x > 0) { if (x.x > 1) { if (x.x > 2) { if (x.x > 3) { if (x.x > 4) { if (x.x > 5) { if (x.x > 6) { if (x.x > 7) { if (x.x > 8) { if (x.x > 9) {
    if (x.x > 10) { if (x.x > 11) { if (x.x > 12) { if (x.x > 13) { if (x.x > 14) { if (x.x > 15) { if (x.x > 16) { if (x.x > 17) { if (x.x > 18) { if (x.x > 19) {
    if (x.x > 20) { if (x.x > 21) { if (x.x > 22) { if (x.x > 23) { if (x.x > 24) { if (x.x > 25) { if (x.x > 26) { if (x.x > 27) { if (x.x > 28) { if (x.x > 29) {
    if (x.x > 30) { if (x.x > 31) { if (x.x > 32) { if (x.x > 33) { if (x.x > 34) { if (x.x > 35) { if (x.x > 36) { if (x.x > 37) { if (x.x > 38) { if (x.x > 39) {
    if (x.x > 40) { if (x.x > 41) { if (x.x > 42) { if (x.x > 43) { if (x.x > 44) { if (x.x > 45) { if (x.x > 46) { if (x.x > 47) { if (x.x > 48) { if (x.x > 49) {
    if (x.x > 50) { if (x.x > 51) { if (x.x > 52) { if (x.x > 53) { if (x.x > 54) { if (x.x > 55) { if (x.x > 56) { if (x.x > 57) { if (x.x > 58) { if (x.x > 59) {
    if (x.x > 60) { if (x.x > 61) { if (x.x > 62) { if (x.x > 63) { if (x.x > 64) { if (x.x > 65) { if (x.x > 66) { if (x.x > 67) { if (x.x > 68) { if (x.x > 69) {
    if (x.x > 70) { if (x.x > 71) { if (x.x > 72) { if (x.x > 73) { if (x.x > 74) { if (x.x > 75) { if (x.x > 76) { if (x.x > 77) { if (x.x > 78) { if (x.x > 79) {
    if (x.x > 80) { if (x.x > 81) { if (x.x > 82) { if (x.x > 83) { if (x.x > 84) { if (x.x > 85) { if (x.x > 86) { if (x.x > 87) { if (x.x > 88) { if (x.x > 89) {
    if (x.x > 90) { if (x.x > 91) { if (x.x > 92) { if (x.x > 93) { if (x.x > 94) { if (x.x > 95) { if (x.x > 96) { if (x.x > 97) { if (x.x > 98) { if (x.x > 99) {
    if (x.x > 100) { if (x.x > 101) { if (x.x > 102) { if (x.x > 103) { if (x.x > 104) { if (x.x > 105) { if (x.x > 106) { if (x.x > 107) { if (x.x > 108) { if (x.x > 109) {
    float4 inner = { 1, 2, 3, x.y };
    x += inner;
    }}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}
    Out[1] = x;
}
