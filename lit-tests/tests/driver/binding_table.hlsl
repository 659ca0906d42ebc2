// Binding tables give registers to resources that have none, by name and class; from a file or a macro. SPIR-V has other options for that.
// RUN: %rtc -T cs_6_6 -import-binding-table %S/Inputs/binding_table.csv -validator-version 1.6 %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc dis %t.dxil | FileCheck %s
// RUN: %rtc -T cs_6_6 -binding-table-define TABLE -validator-version 1.6 %s -Fo %t.macro.dxil
// RUN: %rtc dis %t.macro.dxil | FileCheck %s
// RUN: %rtc -T cs_6_6 -binding-table-define GIVEN -DGIVEN="space,binding,resourcename;2,t9,both" %s -Fo %t.given.dxil
// RUN: %rtc dis %t.given.dxil | FileCheck %s --check-prefix=GIVEN
// RUN: %rtc -T cs_6_6 -spirv -binding-table-define MISSING %s -Fo %t.spv
// RUN: not %rtc -T cs_6_6 -binding-table-define MISSING %s 2>&1 | FileCheck %s --check-prefix=MISSING
// RUN: not %rtc -T cs_6_6 -binding-table-define CELLS %s 2>&1 | FileCheck %s --check-prefix=CELLS
// RUN: not %rtc -T cs_6_6 -binding-table-define CLASS %s 2>&1 | FileCheck %s --check-prefix=CLASS
// RUN: not %rtc -T cs_6_6 -binding-table-define NUMBER %s 2>&1 | FileCheck %s --check-prefix=NUMBER
// RUN: not %rtc -T cs_6_6 -binding-table-define COLUMNS %s 2>&1 | FileCheck %s --check-prefix=COLUMNS
// RUN: not %rtc -T cs_6_6 -binding-table-define EMPTY %s 2>&1 | FileCheck %s --check-prefix=EMPTY
// RUN: not %rtc -T cs_6_6 -import-binding-table %S/Inputs/binding_table_wrong.csv %s 2>&1 | FileCheck %s --check-prefix=FILE

// CHECK: Resource Bindings
// CHECK: ; Constants {{.*}}cb10,space30 {{ *}}1
// CHECK: ; both {{.*}}t7,space2 {{ *}}1
// CHECK: ; Fixed {{.*}} t1 {{ *}}1
// CHECK: ; Out {{.*}} u3 {{ *}}4
// GIVEN: ; both {{.*}}t9,space2 {{ *}}1
#define TABLE "resourcename, binding,  Space;" \
              "Constants,    b10,      0x1e;" \
              "both,         u5,       1;" \
              "both,         t7,       2;" \
              "Fixed,        t5,       5;" \
              "Out,          u3,       0"
// MISSING: error: there is no macro `MISSING` to take a binding table from [E0649]
// CELLS: binding_table.hlsl:[[#@LINE+1]]:46: error: in this binding table: a row of 2 cells, where there are 3 columns [E0649]
#define CELLS "resourcename,binding,space;cb,b10;"
// CLASS: error: in this binding table: a binding begins with `b`, `s`, `t` or `u` [E0649]
#define CLASS "resourcename,binding,space;cb,x10,0"
// NUMBER: error: in this binding table: `4294967296` is no number of 32 bits [E0649]
#define NUMBER "resourcename,binding,space;cb,b10,4294967296"
// COLUMNS: error: in this binding table: its first row must name the columns ResourceName, Binding and Space [E0649]
#define COLUMNS "resourcename,space;cb,1"
// EMPTY: error: in this binding table: it is empty [E0649]
#define EMPTY ""
// FILE: binding_table_wrong.csv:2:16: error: in this binding table: a cell must end after its quotation mark [E0649]

cbuffer Constants { uint a; };
Texture2D<float> both;
Texture2D<float> Fixed : register(t1);
RWByteAddressBuffer Out[4];
[numthreads(1, 1, 1)] void main() { Out[a & 3].Store(0, both[uint2(a, a)] + Fixed[uint2(0, 0)]); }
