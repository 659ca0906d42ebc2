// An enumeration without a type is of `int`, or of `uint` if a number is beyond that: they compare and become floats accordingly. Next to a
// number it counts as `int`. So says the reference compiler's DXIL; its SPIR-V takes the first of these for `int` too.
// RUN: %rtc -T lib_6_3 -HV 2021 %s -Fo %t.dxil
// RUN: %rtc dis %t.dxil | FileCheck %s
// RUN: not %rtc -T lib_6_3 -HV 2021 -D BEYOND %s -Fo %t.beyond.dxil
RWByteAddressBuffer Out : register(u0);
enum Large { High = 0x80000001, Next, One = 1 };
enum Small { Minus = -1, Two = 2 };
enum Mixed { Below = -1, Above = 0xfffffffe };
enum Fixed : uint { Most = 0xffffffff };
#ifdef BEYOND
enum Beyond { Last = 0xffffffff, TooFar };
#endif
[shader("raygeneration")]
void Main()
{
    const int x = Out.Load(0), y = Out.Load(4);
    const Large large = (Large)x; const Small small = (Small)x; const Mixed mixed = (Mixed)x; const Fixed fixed = (Fixed)x;
    // CHECK: icmp slt i32 %{{[0-9]+}}, 2
    Out.Store(0, small < Two ? 10 : 11);
    // CHECK: icmp ult i32 %{{[0-9]+}}, -2147483646
    Out.Store(4, large < Next ? 12 : 13);
    // CHECK: icmp slt i32 %{{[0-9]+}}, -2
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
}
