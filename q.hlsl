RWTexture2D<bool> R; [shader("raygeneration")] void main() { R[uint2(0,0)] = true; }
