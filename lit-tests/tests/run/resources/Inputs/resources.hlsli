// What the shaders of this folder share: reports, and numbers that no compiler knows.
uint thread() { return DispatchRaysIndex().x; }
#include "../../../ser/Inputs/report.hlsli"
RaytracingShaderConfig Sizes = { 16, 8 };
RaytracingPipelineConfig Pipeline = { 1 };
// One that the optimiser cannot fold.
uint one() { return DispatchRaysDimensions().y; }
