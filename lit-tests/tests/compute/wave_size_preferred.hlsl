// The third number of a wave size is the preferred one, and the CPU device has all of them; without it any of the range will do.
// RUN: %rtc-run-cpu %S/Inputs/wave_size_preferred.toml -o %T
// RUN: FileCheck %s --input-file=%T/out.json
// RUN: %rtc-run-cpu %S/Inputs/wave_size_preferred.toml -o %T -- -D SIZE=4,128,128
// RUN: FileCheck %s --input-file=%T/out.json --check-prefix=LARGE
// RUN: %rtc-run-cpu %S/Inputs/wave_size_preferred.toml -o %T -- -D SIZE=4,64,4
// RUN: FileCheck %s --input-file=%T/out.json --check-prefix=SMALL
// RUN: %rtc-run-cpu %S/Inputs/wave_size_preferred.toml -o %T -- -D SIZE=64,128
// RUN: FileCheck %s --input-file=%T/out.json --check-prefix=RANGE
#ifndef SIZE
#define SIZE 8, 64, 16
#endif
RWStructuredBuffer<uint> Out : register(u0);
[WaveSize(SIZE)] [numthreads(64, 1, 1)] void main(uint i : SV_GroupIndex)
{
    uint sum = WaveActiveSum(1);
    if (i == 0) { Out[0] = WaveGetLaneCount(); Out[1] = sum; }
}
// CHECK: [
// CHECK-NEXT: 16,
// CHECK-NEXT: 16,
// LARGE: [
// LARGE-NEXT: 128,
// LARGE-NEXT: 64,
// SMALL: [
// SMALL-NEXT: 4,
// SMALL-NEXT: 4,
// RANGE: [
// RANGE-NEXT: 64,
