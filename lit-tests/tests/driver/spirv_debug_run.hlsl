// A package with debug information runs like one without.
// RUN: %rtc-run %S/../run/dxr/any_hit_before_closest.hlsl -o %T -- -fspv-debug=vulkan-with-source
