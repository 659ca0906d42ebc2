// Matrices in byte-address buffers: stores follow the packing of the type, which is the default one of the options unless
// the source says another, and a variable keeps its own where the type is deduced. Loads are of rows, whatever the packing.
// RUN: %rtc -T cs_6_2 %s -emit-ir | FileCheck %s --check-prefixes=CHECK,COLUMNS
// RUN: %rtc -T cs_6_2 -Zpr %s -emit-ir | FileCheck %s --check-prefixes=CHECK,ROWS
// RUN: %rtc -T cs_6_2 -spirv -Zpr %s -emit-ir | FileCheck %s --check-prefixes=CHECK,ROWS
// RUN: %rtc -T cs_6_2 -Zpr -validator-version 1.6 %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
RWByteAddressBuffer O;
// CHECK-LABEL: fn fn0
// COLUMNS-DAG: [[A:v[0-9]+]] = construct {{.*}} : i32x2
// ROWS-DAG: [[A:v[0-9]+]] = construct {{.*}} : i32x3
[numthreads(1, 1, 1)] void main()
{
    uint2x3 g = { 1, 2, 3, 4, 5, 6 };
    row_major uint2x3 q = g;
    column_major uint2x3 c = g;
    // Two rows, or three columns.
    // COLUMNS-COUNT-3: raw_store #4 {{.*}} v
    // ROWS-COUNT-2: raw_store #4 {{.*}} v
    O.Store<uint2x3>(64, g);
    // CHECK-COUNT-2: raw_store #4 {{.*}} v
    O.Store(128, q);
    // CHECK-COUNT-3: raw_store #4 {{.*}} v
    O.Store(192, c);
    // COLUMNS-COUNT-3: raw_store #4 {{.*}} v
    // ROWS-COUNT-2: raw_store #4 {{.*}} v
    O.Store(320, g + 1);
    // CHECK: raw_load #4 {{.*}} : i32x3
    // CHECK: raw_store
    O.Store3(576, O.Load<uint2x3>(512)[1]);
}
