struct P { float c; uint other; };
static P kept;
float ask();
void deeper(P p) { kept = p; }
export void shade(inout P p) { deeper(p); p.c = kept.other + ask(); }
