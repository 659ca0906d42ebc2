// What the tests of linear algebra share: reports of one thread each, and the matrices of matrices.toml.
#include <dx/linalg.h>
using namespace dx::linalg;

ByteAddressBuffer Weights : register(t0);
// Zeros at first.
RWByteAddressBuffer Sums : register(u1);
static uint Thread = 0;
uint thread() { return Thread; }
#include "../../../ser/Inputs/report.hlsli"

// The component in this row and column.
int component(int row, int column) { return (row * 3 + column * 5) % 7 - 3; }
// What matrices of numbers without sign have more.
#define PLUS 3
