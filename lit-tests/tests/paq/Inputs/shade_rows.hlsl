struct P { row_major float2x3 m; float c; };
export void shade(inout P p) { p.c = p.m[1].z; }
