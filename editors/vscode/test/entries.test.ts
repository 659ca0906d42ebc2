// Entry points are found in the text, and their command lines.

import assert from "node:assert/strict";
import { test } from "node:test";

import { compileArguments, entries, optionsOf } from "../src/entries";

test("stages by attribute", () => {
  const text = `
struct [raypayload] P { float a : read(caller) : write(miss); };
[shader("raygeneration")]
void Rays() {}
[shader("miss")] void Sky(inout P p) { p.a = 1; }
[numthreads(8, 8, 1)]
void Blur(uint3 at : SV_DispatchThreadID) {}
[shader("pixel")] float4 Shade(float4 at : SV_Position) : SV_Target { return 0; }
[RootSignature("UAV(u0)")] [numthreads(1, 1, 1)] void Root() {}
[maxvertexcount(3)] void Geometry(triangle V v[3], inout TriangleStream<V> s) {}
[domain("tri")] [partitioning("integer")] [outputtopology("triangle_cw")] [outputcontrolpoints(3)] [patchconstantfunc("F")]
V Hull(InputPatch<V, 3> v) { return v[0]; }
[numthreads(32, 1, 1)] [outputtopology("triangle")] void Mesh() {}
`;
  const found = entries(text).map((e) => `${e.profile} ${e.name} ${e.line}`);
  assert.deepEqual(found, ["lib Rays 3", "lib Sky 4", "cs Blur 6", "ps Shade 7", "cs Root 8", "gs Geometry 9", "hs Hull 11", "ms Mesh 12"]);
});

test("comments, strings and other functions are no entry points", () => {
  assert.deepEqual(entries(""), []);
  assert.deepEqual(entries('// [shader("miss")] void A() {}\n/* [numthreads(1,1,1)] void B() {} */ float c(float x) { return x; }'), []);
  assert.deepEqual(entries('static const float a[2] = { 1, 2 }; float f(int i) { return a[i] * (i + 1); }'), []);
  assert.deepEqual(entries('[shader("unterminated'), []);
});

test("half-typed text costs no time", () => {
  const before = performance.now();
  entries('[shader("miss")] '.repeat(5000));
  entries("[".repeat(20000));
  entries("[a] ".repeat(20000) + "x ".repeat(20000));
  entries("x<".repeat(20000));
  assert.ok(performance.now() - before < 3000);
});

test("options of the first line", () => {
  assert.deepEqual(optionsOf("// rtc -T lib_6_9 -HV 2021\nfloat a;"), ["-T", "lib_6_9", "-HV", "2021"]);
  assert.deepEqual(optionsOf("float a; // rtc -T lib_6_9"), []);
  assert.deepEqual(optionsOf("// rtc"), []);
  assert.deepEqual(optionsOf(""), []);
});

test("command lines", () => {
  const settings = { model: "6_9", arguments: ["-spirv"] };
  const lib = { name: "Rays", profile: "lib", line: 0 };
  const cs = { name: "Blur", profile: "cs", line: 0 };
  assert.deepEqual(compileArguments("", lib, "a.hlsl", settings, "a.spv"), ["-T", "lib_6_9", "-spirv", "a.hlsl", "-Fo", "a.spv"]);
  const first = "// rtc -T cs_6_6 -E Other -D N=1 -Fo x\n";
  assert.deepEqual(compileArguments(first, cs, "a.hlsl", { ...settings, arguments: [] }, "o"), ["-T", "cs_6_6", "-E", "Blur", "-D", "N=1", "a.hlsl", "-Fo", "o"]);
});
