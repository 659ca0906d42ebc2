// ShaderIndex chooses the record of the table of callable shaders, differently in each thread.
// rtc -T lib_6_3
// scene: Inputs/tables.toml
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
// RUN: %rtc -T lib_6_3 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#include "Inputs/tables.hlsli"

[shader("raygeneration")] void Main()
{
    uint n = thread() & 3;
    Parameter c = { 0, 0 };
    CallShader(n, c);
    IS(c.tag, 300 + n); IS(c.who, n & 1 ? CALL_B : CALL_A);
    CallShader(3 - n, c);
    IS(c.tag, 303 - n);
    done(3);
}
