// Highlighting: scopes of words in lines of HLSL, by the engine that VS Code uses.

import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as path from "node:path";
import { test } from "node:test";
import * as oniguruma from "vscode-oniguruma";
import * as textmate from "vscode-textmate";

import { root } from "./vscode";

const wasm = fs.readFileSync(require.resolve("vscode-oniguruma/release/onig.wasm"));
const library = oniguruma.loadWASM(wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength)).then(() => ({
  createOnigScanner: (p: string[]) => new oniguruma.OnigScanner(p),
  createOnigString: (s: string) => new oniguruma.OnigString(s),
}));
const file = path.join(root, "syntaxes/hlsl.tmLanguage.json");
const registry = new textmate.Registry({
  onigLib: library,
  loadGrammar: async () => textmate.parseRawGrammar(fs.readFileSync(file, "utf8"), file),
});

/** The innermost scopes of the words in a text, as `word scope`; without those that have none. */
async function scopes(text: string): Promise<string[]> {
  const grammar = await registry.loadGrammar("source.hlsl");
  assert.ok(grammar);
  const out: string[] = [];
  let stack = textmate.INITIAL;
  for (const line of text.split("\n")) {
    const { tokens, ruleStack } = grammar.tokenizeLine(line, stack);
    stack = ruleStack;
    for (const t of tokens) {
      const scope = t.scopes.at(-1)!.replace(/\.hlsl$/, "");
      const word = line.slice(t.startIndex, t.endIndex).trim();
      if (scope !== "source" && word !== "") {
        out.push(`${word} ${scope}`);
      }
    }
  }
  return out;
}

async function has(text: string, ...expected: string[]): Promise<void> {
  const found = await scopes(text);
  for (const e of expected) {
    assert.ok(found.includes(e), `${e} is not among\n${found.join("\n")}`);
  }
}

test("payloads", async () => {
  await has(
    "struct [raypayload] P { float3 color : read(caller) : write(closesthit, mis); };",
    "raypayload entity.other.attribute-name",
    "P entity.name.type",
    "float3 storage.type.numeric",
    "read storage.modifier.payload-access",
    "caller variable.other.enummember.stage",
    "closesthit variable.other.enummember.stage",
    "mis invalid.illegal.stage",
  );
});

test("functions named read are functions", async () => {
  await has("float a = read(caller);", "read entity.name.function");
});

test("attributes", async () => {
  await has('[shader("miss")] void Sky() {}', "shader entity.other.attribute-name", "Sky entity.name.function", "void storage.type.numeric");
  await has("[[vk::binding(3, 1)]] Texture2D<float4> T : register(t0, space1);", "binding entity.other.attribute-name", "Texture2D support.class.resource", "register support.function.annotation", "t0 variable.other.enummember.register", "space1 variable.other.enummember.register");
  const found = await scopes("float f(float a[2], int i) { return a[i]; }");
  assert.ok(!found.includes("i entity.other.attribute-name"), "an index is no attribute");
});

test("rays", async () => {
  await has(
    "dx::HitObject h = dx::HitObject::TraceRay(Scene, RAY_FLAG_NONE, 0xff, 0, 1, 0, ray, p);",
    "dx entity.name.namespace",
    "HitObject support.class.raytracing",
    "TraceRay entity.name.function",
    "RAY_FLAG_NONE variable.other.enummember.raytracing",
    "0xff constant.numeric.hex",
  );
  await has("RayQuery<RAY_FLAG_NONE> q; RayDesc r;", "RayQuery support.class.raytracing", "RayDesc support.class.raytracing");
});

test("semantics, numbers, comments, preprocessor", async () => {
  await has("float4 main(uint2 at : SV_DispatchThreadID) : SV_Target", "SV_DispatchThreadID support.variable.semantic", "SV_Target support.variable.semantic");
  await has("x = 1.5f + .25h + 3e-4 + 7u + 1.;", "1.5f constant.numeric.float", ".25h constant.numeric.float", "3e-4 constant.numeric.float", "7u constant.numeric.integer", "1. constant.numeric.float");
  await has("/* a\nb */ int c; // d", "b comment.block", "int storage.type.numeric", "d comment.line.double-slash");
  await has('#include "a.hlsli"\n#define N(x) x##1\n#if defined(N)', "#include keyword.control.directive.include", '"a.hlsli" string.quoted.other.include', "N entity.name.function.preprocessor", "#if keyword.control.directive");
});

test("words that are modifiers in front of a type only", async () => {
  await has("void Main(in payload P p, point V v[1])", "payload storage.modifier.contextual", "point storage.modifier.contextual");
  const found = await scopes("payload.color = line + sample;");
  assert.ok(!found.some((f) => f.includes("modifier")), found.join("\n"));
});

test("unfinished strings end with their line", async () => {
  const found = await scopes('[shader("miss)] void A() {}\nfloat b;');
  assert.ok(found.includes("float storage.type.numeric"));
});
