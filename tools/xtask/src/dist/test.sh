#!/bin/sh
# Tests the programs and libraries of this archive where it was unpacked: ./test.sh
set -eu
cd "$(dirname "$0")"
sha256sum --quiet -c SHA256SUMS
out=$(mktemp -d)
trap 'rm -r "$out"' EXIT
bin/rtc --version
bin/rtc -T lib_6_3 samples/hello/hello.hlsl -Fo "$out/hello.dxil"
bin/rtc -T lib_6_3 -spirv -fspv-target-env=vulkan1.2 samples/hello/hello.hlsl -Fo "$out/hello.rtp"
bin/rtc validate "$out/hello.dxil"
bin/rtc dis "$out/hello.dxil" -o "$out/hello.txt"
bin/rtc reflect "$out/hello.dxil" -o "$out/hello.json"
bin/rtc run --device list
for file in bin/rtc-opt include/rtc.h include/rtcrt.h lib/librtc.so lib/librtcrt.so lib/libdxcompiler.so lib/libdxil.so lib/pkgconfig/rtc.pc lib/cmake/rtc/rtc-config.cmake; do
    test -e "$file" || { echo "there is no $file"; exit 1; }
done
echo "the archive is complete"
