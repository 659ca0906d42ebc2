#pragma once
static const float3 Sky = { 0.5, 0.7, 1.0 };
