#define HALF(x) ((x) * half_of)
float h(float x) { return HALF(y); } // expected-error 1+ {{undeclared identifier}} expected-error * {{}}
