// A shader that says how many lanes its waves have runs where they have so many, and is refused elsewhere.
// RUN: %rtc-run %S/Inputs/wave_size.toml -o %T
// RUN: FileCheck %s --input-file=%T/out.json
// RUN: not %rtc-run %S/Inputs/wave_size_64.toml --device llvmpipe -o %T 2>&1 | FileCheck %s --check-prefix=NOT
RWStructuredBuffer<uint> Out : register(u0);
#ifdef LANES
[WaveSize(LANES)]
#else
[WaveSize(4, 64)]
#endif
[numthreads(16, 1, 1)]
void main(uint i : SV_GroupIndex) { Out[i] = (WaveGetLaneCount() >= 4) + i; }
// CHECK: [
// CHECK-NEXT: 1,
// CHECK-NEXT: 2,
// NOT: `main` requires waves of 64 lanes
