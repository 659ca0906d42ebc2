// -T cs_6_6 -E main
RWStructuredBuffer<uint> target;
struct Cell { uint at; uint value; };

template<typename T> void Put(T at, T value) {
  target[at] = value; // store
}

uint Step(uint x) {
  if (x > 10) {
    target[x] = 1; // store
    return x - 1;
  }
  return x + 1;
}

void Fill(inout Cell c, out uint last) {
  c.value = Step(c.value);
  last = c.value;
  Put(c.at, c.value);
}

[numthreads(1, 1, 1)]
void main(uint i : SV_GroupIndex) {
  Cell c = { i, target[i] };
  uint last;
  Fill(c, last);
  Fill(c, last);
  [unroll] for (uint n = 0; n < 3; n++) {
    Cell d = { n, last };
    Fill(d, last);
    target[n + 5] = d.value; // store
  }
  target[7] = last; // store
}
