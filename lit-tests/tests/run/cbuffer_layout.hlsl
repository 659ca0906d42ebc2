// Constant buffer packing.
// RUN: %rtc -T lib_6_3 -HV 2021 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %llvm-verify %t.dxil
// RUN: %rtc -T lib_6_3 -HV 2021 -Od -validator-version 1.6 -no-warnings %s -Fo %t.od.dxil
// RUN: %dxil-val %t.od.dxil
// RUN: %rtc -T lib_6_3 -HV 2021 -spirv -no-warnings %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc -T lib_6_3 -HV 2021 -spirv -Od -no-warnings %s -Fo %t.od.spv
// RUN: %spirv-val %t.od.spv
#include "Inputs/out.hlsli"

struct In1 { float a; float3 b; };
struct In2 { float2 p; In1 q; float r; };
cbuffer C : register(b2)
{
    float A;
    float3 B;
    float2 D;
    float3 E;
    float Fx[3];
    float G;
    In1 H;
    float I1;
    In2 J[2];
    float K;
    int2 L[2];
    int Mn;
    float3 N[2];
    float O;
    float3x3 P;
    float Q;
    row_major float2x3 R;
    float Sx;
    float4x4 T;
    column_major float2x4 U[2];
    row_major float4x2 V[2];
    float W;
    bool X;
    bool3 Y;
    row_major int2x3 Z;
    row_major int3x2 Z2;
    uint Z3;
};
[shader("raygeneration")]
void Main()
{
    uint k = inU(0) & 1, l = inU(1) % 3;
    putF(A); putF3(B); putF2(D); putF3(E);
    putF(Fx[0]); putF(Fx[1]); putF(Fx[2]); putF(Fx[l]); putF(G);
    putF(H.a); putF3(H.b); putF(I1);
    for (uint i = 0; i < 2; ++i) { putF2(J[i].p); putF(J[i].q.a); putF3(J[i].q.b); putF(J[i].r); }
    putF(J[k].q.b[l]);
    In2 whole = J[k];
    putF2(whole.p); putF(whole.q.a); putF3(whole.q.b); putF(whole.r);
    putF(K); putI2(L[0]); putI2(L[1]); putI2(L[k]); putI(Mn);
    putF3(N[0]); putF3(N[1]); putF3(N[k]); putF(O);
    for (uint i = 0; i < 3; ++i) putF3(P[i]);
    putF(P[l][k]); putF(P._m02); putF3(mul(P, B)); putF3(mul(B, P)); putF(Q);
    putF3(R[0]); putF3(R[1]); putF(R[k][l]); putF2(mul(R, B)); putF(Sx);
    for (uint i = 0; i < 4; ++i) putF4(T[i]);
    putF4(T[l]); putF4(mul(T, float4(B, A))); putF4(T._m00_m11_m22_m33);
    putF4(U[0][0]); putF4(U[0][1]); putF4(U[1][0]); putF4(U[k][1]); putF(U[k][k][l]);
    for (uint i = 0; i < 4; ++i) { putF2(V[0][i]); putF2(V[k][i]); }
    putF(W); putB(X); putB(Y.x); putB(Y.y); putB(Y.z);
    putI3(Z[0]); putI3(Z[1]); putI2(Z2[0]); putI2(Z2[2]); putI(Z[k][l]); putU(Z3);
    float3x3 copy = P;
    copy[1] = 0;
    for (uint i = 0; i < 3; ++i) putF3(copy[i]);
    float local[3] = Fx;
    local[1] = 9;
    putF(local[l]);
}
