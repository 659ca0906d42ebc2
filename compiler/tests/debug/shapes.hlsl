// -T cs_6_6 -E main
RWByteAddressBuffer o;
cbuffer Constants : register(b0) { float4 k; float2x3 mm; int numbers[3]; };
struct Base { float a; };
struct Shape : Base {
  float3 p;
  uint low : 3;
  uint high : 29;
  row_major float2x3 m;
  float2 v[2];
  int Sum(int n) { return int(p.x) + n; }
};
ConstantBuffer<Base> cs;
Texture2D<float4> textures[] : register(t0, space1);
enum Plain { A, B = 4 };
enum class Scoped : uint { X = 1, Y };
groupshared float shared_values[64];
static int counter = 3;
static const uint SEVEN = 7;
namespace outer { namespace inner { struct In { int x; }; static float st; } }
template<typename A, int N> struct Pair { A a; float b[N]; };

[numthreads(64, 1, 1)]
void main(uint3 id : SV_DispatchThreadID, uint gi : SV_GroupIndex) {
  Shape s = (Shape)0;
  s.a = k.w;
  s.p = k.xyz;
  s.low = id.x;
  s.high = 9;
  s.m = mm;
  s.v[id.x & 1] = 2;
  Shape many[2];
  many[0] = s;
  many[1] = s;
  many[id.y & 1].p.y = 3;
  Plain e = B;
  Scoped ec = Scoped::Y;
  const float2x2 m = float2x2(1, 2, 3, k.x);
  Pair<int, 4> pair;
  pair.a = 1;
  for (int n = 0; n < 4; n++) pair.b[n] = n;
  outer::inner::In q;
  q.x = (int)id.z;
  vector<float, 1> one = k.y;
  float1x1 single = k.z;
  min16float h = (min16float)k.x;
  bool flag = k.x > 2;
  uint64_t wide = id.x;
  static int again = 4;
  again += id.x;
  outer::inner::st = k.x;
  shared_values[gi] = k.x;
  GroupMemoryBarrierWithGroupSync();
  [loop] for (uint i = 0; i < id.x; ++i) {
    float acc = shared_values[i];
    if (acc > 3) {
      int inside = (int)acc;
      counter += inside;
    } else {
      uint inside = 2;
      counter += inside;
    }
    switch (id.y) {
      case 1: { int z = counter * 2; counter = z; } break;
      default: counter--;
    }
    o.Store(i * 4, counter);
  }
  RWByteAddressBuffer same = o;
  int total = s.Sum(numbers[1]) + pair.a + (int)pair.b[id.x & 3] + q.x + (int)one.x + (int)single._11 + SEVEN + flag + (int)wide + again;
  same.Store(64, total + (int)e + (int)ec + s.low + s.high);
  o.Store(128, asuint(m[id.x & 1][1] + h + many[id.x & 1].p.y + many[0].v[1].x + s.m[1][2] + outer::inner::st + cs.a));
}
