/* Routines that a compiler turns into code for the interpreter to be held against the
   processor with: a source of code that nobody wrote with the interpreter in mind.

   Every routine has the same signature. They keep to what the interpreter has: no
   division, no 64-bit shifts, no unsigned multiplication to 64 bits. */

typedef unsigned char u8;
typedef signed char s8;
typedef unsigned short u16;
typedef short s16;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef long long s64;

/* 64 floats, 32 doubles and 64 integers come in; the same shape goes out. */
struct block {
  float f[64];
  double d[32];
  int i[64];
};
typedef const struct block *in;
typedef struct block *out;

/* Compilers keep other constants in 80 bits. */
static const volatile float half = 0.5f;

/* Compilers call it for structures of their choice. */
void *memcpy(void *to, const void *from, __SIZE_TYPE__ size) {
  for (__SIZE_TYPE__ k = 0; k < size; k++) ((u8 *)to)[k] = ((const u8 *)from)[k];
  return to;
}

static double root(double x) {
  __asm__("fsqrt" : "+t"(x));
  return x;
}

void matrix_product(in a, out o, int n) {
  for (int row = 0; row < 3; row++)
    for (int column = 0; column < 4; column++) {
      float sum = column == 3 ? a->f[row + 30] : 0;
      for (int k = 0; k < 3; k++) sum += a->f[row * 3 + k] * a->f[12 + k * 4 + column];
      o->f[row * 4 + column] = sum;
    }
  o->i[0] = n;
}

void normalize(in a, out o, int n) {
  for (int v = 0; v < (n & 7); v++) {
    const float *p = a->f + 3 * v;
    float length = (float)root(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
    if (length == 0) continue;
    float scale = 1.0f / length;
    for (int k = 0; k < 3; k++) o->f[3 * v + k] = p[k] * scale;
    o->f[40 + v] = length;
  }
}

void cross_products(in a, out o, int n) {
  for (int v = 0; v < (n & 7); v++) {
    const float *p = a->f + 3 * v, *q = p + 24;
    o->f[3 * v + 0] = p[1] * q[2] - p[2] * q[1];
    o->f[3 * v + 1] = p[2] * q[0] - p[0] * q[2];
    o->f[3 * v + 2] = p[0] * q[1] - p[1] * q[0];
  }
}

void polynomial(in a, out o, int n) {
  for (int v = 0; v < 8; v++) {
    double x = a->d[v], y = a->d[8];
    for (int k = 1; k < (n & 3) + 2; k++) y = y * x + a->d[8 + k];
    o->d[v] = y;
    o->f[v] = (float)y;
  }
}

void compensated_sum(in a, out o, int n) {
  double sum = 0, lost = 0;
  for (int v = 0; v < (n & 31); v++) {
    double y = a->d[v] - lost, t = sum + y;
    lost = (t - sum) - y;
    sum = t;
  }
  o->d[0] = sum;
  o->d[1] = lost;
}

void sort_floats(in a, out o, int n) {
  n &= 63;
  for (int v = 0; v < n; v++) o->f[v] = a->f[v];
  for (int v = 1; v < n; v++)
    for (int w = v; w > 0 && o->f[w] < o->f[w - 1]; w--) {
      float t = o->f[w];
      o->f[w] = o->f[w - 1];
      o->f[w - 1] = t;
    }
}

static void quick(int *first, int *last) {
  if (last - first < 2) return;
  int pivot = first[(last - first) >> 1], *low = first, *high = last - 1;
  while (low <= high) {
    while (*low < pivot) low++;
    while (*high > pivot) high--;
    if (low <= high) {
      int t = *low;
      *low++ = *high;
      *high-- = t;
    }
  }
  quick(first, high + 1);
  quick(low, last);
}

void sort_integers(in a, out o, int n) {
  for (int v = 0; v < 64; v++) o->i[v] = a->i[v];
  quick(o->i, o->i + (n & 63));
}

void compare_floats(in a, out o, int n) {
  for (int v = 0; v < 32; v++) {
    float x = a->f[v], y = a->f[v + 32];
    o->i[v] = (x < y) | (x <= y) << 1 | (x == y) << 2 | (x != y) << 3 | (x >= y) << 4 | (x > y) << 5 |
              __builtin_isunordered(x, y) << 6 | (x < 0) << 7 | n << 8;
  }
}

void clamp(in a, out o, int n) {
  for (int v = 0; v < 32; v++) {
    float x = a->f[v], low = -a->f[32], high = __builtin_fabsf(a->f[33]);
    if (x < low) x = low;
    if (x > high) x = high;
    o->f[v] = v & n ? x : -x;
  }
}

void to_integers(in a, out o, int n) {
  for (int v = 0; v < 16; v++) {
    o->i[v] = (int)a->f[v];
    o->i[v + 16] = (s16)a->f[v + 16];
    o->i[v + 32] = (int)(a->d[v] * half);
    s64 wide = (s64)a->d[v];
    o->i[v + 48] = (int)wide ^ (int)(wide >> 32) ^ n;
  }
}

void from_integers(in a, out o, int n) {
  for (int v = 0; v < 16; v++) {
    o->f[v] = (float)a->i[v] * half;
    o->f[v + 16] = (float)(s16)a->i[v + 16] + n;
    o->d[v] = (double)(u16)a->i[v + 32];
    o->d[v + 16] = (double)((s64)a->i[v] + a->i[v + 1]);
  }
}

void box_and_planes(in a, out o, int n) {
  const float *box = a->f;
  int outside = 0, inside = 1;
  for (int p = 0; p < (n & 7); p++) {
    const float *plane = a->f + 8 + 4 * p;
    int behind = 0;
    for (int corner = 0; corner < 8; corner++) {
      float d = plane[0] * box[corner & 1] + plane[1] * box[2 + (corner >> 1 & 1)] +
                plane[2] * box[4 + (corner >> 2)] - plane[3];
      if (d < 0) behind++;
    }
    if (behind == 8) outside = 1;
    if (behind) inside = 0;
  }
  o->i[0] = outside ? 0 : inside + 1;
}

void checksum(in a, out o, int n) {
  const u8 *bytes = (const u8 *)a->i;
  u32 crc = ~0u;
  for (int v = 0; v < (n & 255); v++) {
    crc ^= bytes[v];
    for (int k = 0; k < 8; k++) crc = crc >> 1 ^ (0xEDB88320u & -(crc & 1));
  }
  o->i[0] = (int)~crc;
}

void hash(in a, out o, int n) {
  const s8 *bytes = (const s8 *)a->i;
  u32 h = 2166136261u;
  for (int v = 0; v < (n & 255); v++) h = (h ^ (u32)bytes[v]) * 16777619u;
  o->i[0] = (int)h;
}

void wide_sums(in a, out o, int n) {
  u64 sum = (u32)n;
  s64 difference = n;
  for (int v = 0; v < 62; v += 2) {
    u64 x = (u64)(u32)a->i[v + 1] << 32 | (u32)a->i[v];
    sum += x;
    difference -= (s64)x;
    if (sum < x) sum ^= 1;
    if (difference > (s64)x) difference = -difference;
  }
  o->i[0] = (int)sum;
  o->i[1] = (int)(sum >> 32);
  o->i[2] = (int)difference;
  o->i[3] = (int)(difference >> 32);
}

/* The upper half of a signed product, as compilers divide by constants. */
static int scaled(int x, int factor) {
  int high;
  __asm__("imull %2" : "=d"(high), "+a"(x) : "r"(factor));
  return high;
}

void upper_halves(in a, out o, int n) {
  for (int v = 0; v < 32; v++) {
    int x = a->i[v] + n;
    o->i[v] = (scaled(x, 0x2AAAAAAB) >> 1) + scaled(x, a->i[v + 32]) - (x >> 31);
  }
}

void bits(in a, out o, int n) {
  for (int v = 0; v < 32; v++) {
    u32 x = (u32)a->i[v], count = 0, turned = 0;
    for (int k = 0; k < 32; k++) {
      count += x >> k & 1;
      turned = turned << 1 | (x >> k & 1);
    }
    o->i[v] = (int)(turned << (n & 15)) + (int)count;
    ((u16 *)o->f)[v] = (u16)(x * 3 - (x >> 16));
    ((s8 *)o->d)[v] = (s8)((s8)x >> 2);
  }
}

void copies(in a, out o, int n) {
  *o = *a;
  for (int v = 0; v < 64; v++) o->i[v] = n;
}

static int twice(int x) { return x + x; }
static int flip(int x) { return ~x; }
static int mix(int x) { return x * 31 ^ x >> 4; }

void calls(in a, out o, int n) {
  int (*const table[])(int) = {twice, flip, mix, twice};
  int x = n;
  for (int v = 0; v < 48; v++) x = table[a->i[v] & 3](x);
  o->i[0] = x;
}

void choices(in a, out o, int n) {
  int x = n;
  for (int v = 0; v < 64; v++) switch (a->i[v] & 7) {
      case 0: x += a->i[(v + 1) & 63]; break;
      case 1: x ^= x << 5; break;
      case 2: x = -x; break;
      case 3: x -= x >> 3; break;
      case 4: x |= 0x55; break;
      case 5: x = (x & 0xFFFF) * 1234567; break;
      case 6: x = x > 0 ? x - 1 : x + 1; break;
      default: x++;
    }
  o->i[0] = x;
}

static int deep(int n, int x) { return n < 2 ? x : deep(n - 1, x + 1) - deep(n - 2, x * 3); }

void recursion(in a, out o, int n) { o->i[0] = deep(n & 7, a->i[0]); }
