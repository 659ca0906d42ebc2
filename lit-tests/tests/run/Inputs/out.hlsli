// How the shaders of this folder read their inputs and write their results; cli/tests/differential.rs knows the layout.
ByteAddressBuffer In : register(t1);
RWByteAddressBuffer Out : register(u0);

// How many results this thread has written.
static uint IntegerCount = 0;
static uint FloatCount = 0;

// A compute shader says how many threads its one group has (8 by default), and sets ThreadNumber first of all.
#ifndef THREADS
#define THREADS 8
#endif
#ifdef COMPUTE
static uint ThreadNumber = 0;
uint Thread() { return ThreadNumber; }
#else
uint Thread() { return DispatchRaysIndex().x; }
#endif

// Input words of this thread, i below 512 / THREADS.
uint inU(uint i) { return In.Load((Thread() * (512 / THREADS) + i) * 4); }
int inI(uint i) { return int(inU(i)); }
float inF(uint i) { return asfloat(In.Load(2048 + (Thread() * (512 / THREADS) + i) * 4)); }
// A small integer from -16 to 16, never zero.
int inS(uint i) { int v = inI(i) % 17; return v == 0 ? 3 : v; }

// Results: 4096 / THREADS integers and as many floating-point numbers a thread.
void putU(uint v) { Out.Store((Thread() * (4096 / THREADS) + IntegerCount) * 4, v); IntegerCount = IntegerCount + 1; }
void putI(int v) { putU(uint(v)); }
void putB(bool v) { putU(v ? 1u : 0u); }
void putF(float v) { Out.Store(16384 + (Thread() * (4096 / THREADS) + FloatCount) * 4, asuint(v)); FloatCount = FloatCount + 1; }
void putU2(uint2 v) { putU(v.x); putU(v.y); }
void putU3(uint3 v) { putU2(v.xy); putU(v.z); }
void putU4(uint4 v) { putU3(v.xyz); putU(v.w); }
void putI2(int2 v) { putI(v.x); putI(v.y); }
void putI3(int3 v) { putI2(v.xy); putI(v.z); }
void putI4(int4 v) { putI3(v.xyz); putI(v.w); }
void putB4(bool4 v) { putB(v.x); putB(v.y); putB(v.z); putB(v.w); }
void putF2(float2 v) { putF(v.x); putF(v.y); }
void putF3(float3 v) { putF2(v.xy); putF(v.z); }
void putF4(float4 v) { putF3(v.xyz); putF(v.w); }

// Where there is no reference: the value, and what it must be.
void expect(int value, int must) { putI(value); putI(must); }
