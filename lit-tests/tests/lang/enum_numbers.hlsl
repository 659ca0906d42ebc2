// An enumeration without a type is of `uint` if no number is negative, else of `int`, and of 64 bits if a number is beyond those: they compare and become
// floats accordingly, and hosts see these types. Next to a number one of 32 bits counts as `int`.
// RUN: %rtc -T lib_6_3 -HV 2021 %s -Fo %t.dxil
// RUN: %rtc dis %t.dxil | FileCheck %s
// RUN: %rtc -T lib_6_3 -HV 2021 %s -Fo %t.dxil -Fc - | FileCheck %s --check-prefix=HOST
RWByteAddressBuffer Out : register(u0);
enum Large { High = 0x80000001, Next, One = 1 };
enum Small { Minus = -1, Two = 2 };
enum Mixed { Below = -1, Above = 0xfffffffe };
enum Fixed : uint { Most = 0xffffffff };
enum Beyond { Last = 0xffffffff, TooFar };
enum Plain { Zero, Unit };
enum class Scoped { None };
// HOST: uint large; {{ *}}; Offset: {{ *}}0
// HOST: int small; {{ *}}; Offset: {{ *}}4
// HOST: int64_t mixed; {{ *}}; Offset: {{ *}}8
// HOST: uint fixed; {{ *}}; Offset: {{ *}}16
// HOST: uint64_t beyond; {{ *}}; Offset: {{ *}}24
// HOST: uint plain[2]; {{ *}}; Offset: {{ *}}32
// HOST: int scoped; {{ *}}; Offset: {{ *}}52
struct All { Large large; Small small; Mixed mixed; Fixed fixed; Beyond beyond; Plain plain[2]; Scoped scoped; };
cbuffer C { All all; };
[shader("raygeneration")]
void Main()
{
    const int x = Out.Load(0), y = Out.Load(4);
    const Large large = (Large)x; const Small small = (Small)x; const Mixed mixed = (Mixed)x; const Fixed fixed = (Fixed)x;
    // CHECK: icmp slt i32 %{{[0-9]+}}, 2
    Out.Store(0, small < Two ? 10 : 11);
    // CHECK: icmp ult i32 %{{[0-9]+}}, -2147483646
    Out.Store(4, large < Next ? 12 : 13);
    // CHECK: icmp slt i64 %{{[0-9]+}}, 4294967294
    Out.Store(8, mixed < Above ? 14 : 15);
    // CHECK: sitofp i32
    Out.Store(12, (float)small);
    // CHECK: uitofp i32
    Out.Store(16, (float)large);
    // CHECK: sdiv i32
    Out.Store(20, large / y);
    // CHECK: icmp slt i32 %[[X:[0-9]+]], %[[Y:[0-9]+]]
    Out.Store(24, fixed < y ? 16 : 17);
    // CHECK: rawBufferStore.i32({{.*}}, i32 28, i32 undef, i32 0, i32 undef
    Out.Store(28, High < One);
    // CHECK: rawBufferStore.i32({{.*}}, i32 32, i32 undef, i32 -2147483646, i32 undef
    Out.Store(32, Next);
    // CHECK: rawBufferStore.i32({{.*}}, i32 36, i32 undef, i32 1, i32 undef
    Out.Store(36, (uint)((uint64_t)TooFar >> 32));
    // CHECK: uitofp i32
    Out.Store(40, (float)(Plain)y);
    // CHECK: uitofp i64
    Out.Store(44, (float)all.beyond);
}
