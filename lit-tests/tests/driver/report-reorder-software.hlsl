// RUN: %rtc -T lib_6_9 -spirv -fspv-ser=wavefront -disable-payload-qualifiers %s -report reorder,%t.txt -Fo %t.spv
// RUN: FileCheck %s --input-file=%t.txt
// RUN: %rtc -T lib_6_9 -spirv -fspv-ser=lower -disable-payload-qualifiers %s -report reorder,%t.lower.txt -Fo %t.lower.spv
// RUN: FileCheck %s --check-prefix=LOWER --input-file=%t.lower.txt
// RUN: not %rtc -T lib_6_9 -spirv -fspv-ser=lower -fspv-wavefront %s -Fo %t.spv 2>&1 | FileCheck %s --check-prefix=BOTH

// The report says what rays save at the points of software reordering.

// BOTH: -fspv-wavefront sorts rays in software, which only -fspv-ser=wavefront and auto do

RWByteAddressBuffer Out : register(u0);

[shader("raygeneration")]
void Main()
{
    uint word = Out.Load(DispatchRaysIndex().x * 4);
    dx::MaybeReorderThread(word, 8);
    Out.Store(DispatchRaysIndex().x * 4, word + 1);
}

// CHECK: MaybeReorderThread at {{.*}}report-reorder-software.hlsl:17:5
// CHECK: saves 1 word for software reordering
// LOWER: MaybeReorderThread at
// LOWER-NOT: saves {{[0-9]+}} word
