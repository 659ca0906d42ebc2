// Sorts the rays of a tile between the stages of divided ray generation shaders: a stable radix sort of (key, slot) by the bits that differ, which
// drops the rays that ended. `wavefront.spv` is what rtc compiles this file to; a test says when it is not.
//
// One pass sorts by one digit: `Histogram` counts the digits of each block, `Scan` turns the counts of each digit into first positions, and `Scatter`
// moves the pairs of a block, which it ranks first. The first pass of a tile drops rays; `Count` follows its `Histogram`, and writes what the launches
// of the points and the next passes need. The number of rays is known on the device alone, so all but `Scan` and `Count` are dispatched indirectly.
//
// Stability comes from order, not from atomic operations: a thread ranks consecutive pairs one after the other, in counters of its own.

// Words at an address; the length is what an index may reach.
struct Words {
    uint at[1 << 26];
};
typedef vk::BufferPointer<Words, 4> Pointer;

struct Job {
    Pointer keys;
    Pointer slots;
    Pointer sorted_keys;
    Pointer sorted_slots;
    // For each digit the blocks' counts, then the sums of all digits.
    Pointer histogram;
    // The words at COUNT and after.
    Pointer progress;
    // The control block of the shaders.
    Pointer control;
    // The digit is `low_bits` bits of a key from `low_shift`, and above them `high_bits` from `high_shift`.
    uint low_shift;
    uint low_bits;
    uint high_shift;
    uint high_bits;
    // Words of a row of the histogram.
    uint blocks;
    // Reorder points of the shader: a ray with a key of another point ended.
    uint points;
    // Which of the two counts is that of the rays that were launched; the other is that of those which go on.
    uint parity;
    uint flags;
};

[[vk::push_constant]] Job job;

// The first pass after a launch, which drops rays.
static const uint FIRST = 1;
// The slots of this launch are its positions.
static const uint IDENTITY = 2;
// No pass follows, so that keys are of no use.
static const uint LAST = 4;
// The rays that are resumed next run to their end.
static const uint FINISH = 8;

// Words of progress; `Progress` in memory.rs has the same.
static const uint COUNT = 0;
static const uint GROUPS = 4;
static const uint ITERATIONS = 12;
static const uint SORTED = 13;
static const uint COUNT_OF_POINT = 16;
static const uint LAUNCHES = 48;
// Words of the control block (common/tables/src/wavefront.rs).
static const uint CONTROL_STOP = 0;
static const uint CONTROL_LAUNCH = 11;
static const uint CONTROL_POINTS = 12;
static const uint MAX_POINTS = 26;
static const uint ENDED = 0xffffffff;
static const uint KEY_BITS = 24;

static const uint THREADS = 128;
static const uint PER_THREAD = 16;
static const uint BLOCK = THREADS * PER_THREAD;
static const uint DIGITS = 64;

// Pairs that this pass reads.
uint pairs() {
    return job.progress.Get().at[COUNT + ((job.flags & FIRST) != 0 ? job.parity : 1 - job.parity)];
}

uint digits() {
    return 1u << (job.low_bits + job.high_bits);
}

uint digit(uint key) {
    const uint low = (key >> job.low_shift) & ((1u << job.low_bits) - 1);
    const uint high = (key >> job.high_shift) & ((1u << job.high_bits) - 1);
    return low | (high << job.low_bits);
}

// The key at a position; ENDED beyond the last.
uint key_at(uint position, uint count) {
    return position < count ? job.keys.Get().at[position] : ENDED;
}

bool goes_on(uint key) {
    return (key >> KEY_BITS) < job.points;
}

// Each counter of a block is several, because rays often have equal keys, and threads that add to one word wait for each other.
static const uint COPIES = 8;
groupshared uint counts[DIGITS * COPIES];
groupshared uint points[MAX_POINTS * COPIES];

[shader("compute")]
[numthreads(THREADS, 1, 1)]
void Histogram(uint block : SV_GroupID, uint thread : SV_GroupIndex) {
    for (uint c = thread; c < DIGITS * COPIES; c += THREADS) {
        counts[c] = 0;
    }
    for (uint p = thread; p < MAX_POINTS * COPIES; p += THREADS) {
        points[p] = 0;
    }
    GroupMemoryBarrierWithGroupSync();
    const uint copy = thread % COPIES;
    const uint count = pairs();
    const bool first = (job.flags & FIRST) != 0;
    for (uint i = 0; i < PER_THREAD; i++) {
        const uint key = key_at(block * BLOCK + i * THREADS + thread, count);
        if (goes_on(key)) {
            InterlockedAdd(counts[digit(key) * COPIES + copy], 1);
            if (first) {
                InterlockedAdd(points[(key >> KEY_BITS) * COPIES + copy], 1);
            }
        }
    }
    GroupMemoryBarrierWithGroupSync();
    if (thread < digits()) {
        uint sum = 0;
        for (uint n = 0; n < COPIES; n++) {
            sum += counts[thread * COPIES + n];
        }
        job.histogram.Get().at[thread * job.blocks + block] = sum;
    }
    if (first && thread < job.points) {
        uint sum = 0;
        for (uint n = 0; n < COPIES; n++) {
            sum += points[thread * COPIES + n];
        }
        if (sum != 0) {
            InterlockedAdd(job.progress.Get().at[COUNT_OF_POINT + thread], sum);
        }
    }
}

groupshared uint sums[THREADS];

// The exclusive sums of a digit's counts, one group for each digit.
[shader("compute")]
[numthreads(THREADS, 1, 1)]
void Scan(uint row : SV_GroupID, uint thread : SV_GroupIndex) {
    const uint blocks = (pairs() + BLOCK - 1) / BLOCK;
    const uint each = (blocks + THREADS - 1) / THREADS;
    const uint begin = min(thread * each, blocks);
    const uint end = min(begin + each, blocks);
    const uint at = row * job.blocks;
    uint sum = 0;
    for (uint i = begin; i < end; i++) {
        sum += job.histogram.Get().at[at + i];
    }
    sums[thread] = sum;
    GroupMemoryBarrierWithGroupSync();
    for (uint distance = 1; distance < THREADS; distance *= 2) {
        const uint before = thread >= distance ? sums[thread - distance] : 0;
        GroupMemoryBarrierWithGroupSync();
        sums[thread] += before;
        GroupMemoryBarrierWithGroupSync();
    }
    uint position = sums[thread] - sum;
    for (uint j = begin; j < end; j++) {
        const uint own = job.histogram.Get().at[at + j];
        job.histogram.Get().at[at + j] = position;
        position += own;
    }
    if (thread == THREADS - 1) {
        job.histogram.Get().at[DIGITS * job.blocks + row] = sums[thread];
    }
}

// Counters of digits, two of 16 bits in a word: a row for each pair of digits, in it a word for each thread. A word is left out after 32, so that
// neither the threads of a wave at one row nor those at one place of their part of it meet in a bank.
static const uint ROW = THREADS + THREADS / 32;
groupshared uint counters[DIGITS / 2 * ROW];
groupshared uint parts[THREADS];
groupshared uint totals[DIGITS];
groupshared uint first_positions[DIGITS];

uint counter(uint digit, uint thread) {
    return (digit >> 1) * ROW + thread + (thread >> 5);
}

[shader("compute")]
[numthreads(THREADS, 1, 1)]
void Scatter(uint block : SV_GroupID, uint thread : SV_GroupIndex) {
    const uint rows = (digits() + 1) / 2;
    for (uint r = 0; r < rows; r++) {
        counters[counter(2 * r, thread)] = 0;
    }
    if (thread < digits()) {
        totals[thread] = job.histogram.Get().at[DIGITS * job.blocks + thread];
    }
    const uint count = pairs();
    const uint begin = block * BLOCK + thread * PER_THREAD;
    uint keys[PER_THREAD];
    [unroll]
    for (uint i = 0; i < PER_THREAD; i++) {
        keys[i] = key_at(begin + i, count);
        if (goes_on(keys[i])) {
            const uint d = digit(keys[i]);
            counters[counter(d, thread)] += 1u << (16 * (d & 1));
        }
    }
    GroupMemoryBarrierWithGroupSync();

    // The first position of the block's pairs of each digit: after those of smaller digits, and after those of earlier blocks.
    if (thread < digits()) {
        uint sum = job.histogram.Get().at[thread * job.blocks + block];
        for (uint d = 0; d < thread; d++) {
            sum += totals[d];
        }
        first_positions[thread] = sum;
    }
    // The exclusive sums of each row, a quarter of it a thread.
    const uint row = thread / 4;
    const uint quarter = row * ROW + (thread % 4) * (THREADS / 4 + 1);
    uint part = 0;
    if (row < rows) {
        for (uint k = 0; k < THREADS / 4; k++) {
            part += counters[quarter + k];
        }
    }
    parts[thread] = part;
    GroupMemoryBarrierWithGroupSync();
    if (row < rows) {
        uint sum = 0;
        for (uint p = row * 4; p < thread; p++) {
            sum += parts[p];
        }
        for (uint k = 0; k < THREADS / 4; k++) {
            const uint own = counters[quarter + k];
            counters[quarter + k] = sum;
            sum += own;
        }
    }
    GroupMemoryBarrierWithGroupSync();

    const bool identity = (job.flags & IDENTITY) != 0;
    const bool with_keys = (job.flags & LAST) == 0;
    [unroll]
    for (uint j = 0; j < PER_THREAD; j++) {
        if (goes_on(keys[j])) {
            const uint d = digit(keys[j]);
            const uint c = counter(d, thread);
            const uint half_word = 16 * (d & 1);
            const uint position = first_positions[d] + ((counters[c] >> half_word) & 0xffff);
            counters[c] += 1u << half_word;
            job.sorted_slots.Get().at[position] = identity ? begin + j : job.slots.Get().at[begin + j];
            if (with_keys) {
                job.sorted_keys.Get().at[position] = keys[j];
            }
        }
    }
}

groupshared uint of_point[MAX_POINTS];

// What follows from the numbers of rays at each point, which the first `Histogram` counted.
[shader("compute")]
[numthreads(32, 1, 1)]
void Count(uint thread : SV_GroupIndex) {
    const bool is_point = thread < job.points;
    if (thread < MAX_POINTS) {
        of_point[thread] = is_point ? job.progress.Get().at[COUNT_OF_POINT + thread] : 0;
        job.progress.Get().at[COUNT_OF_POINT + thread] = 0;
    }
    GroupMemoryBarrierWithGroupSync();
    uint sum = 0;
    for (uint p = 0; p < min(thread, MAX_POINTS); p++) {
        sum += of_point[p];
    }
    if (is_point) {
        const uint own = of_point[thread];
        job.control.Get().at[CONTROL_POINTS + 2 * thread] = sum;
        job.control.Get().at[CONTROL_POINTS + 2 * thread + 1] = own;
        const uint launch = LAUNCHES + 3 * thread;
        job.progress.Get().at[launch] = own;
        job.progress.Get().at[launch + 1] = 1;
        job.progress.Get().at[launch + 2] = 1;
    }
    // The last thread is at no point, so that its sum is that of all.
    if (thread == 31) {
        const uint next = 1 - job.parity;
        job.progress.Get().at[COUNT + next] = sum;
        job.progress.Get().at[GROUPS + 4 * next] = (sum + BLOCK - 1) / BLOCK;
        job.progress.Get().at[GROUPS + 4 * next + 1] = 1;
        job.progress.Get().at[GROUPS + 4 * next + 2] = 1;
        if (sum != 0) {
            job.progress.Get().at[ITERATIONS] += 1;
        }
        const uint low = job.progress.Get().at[SORTED];
        job.progress.Get().at[SORTED] = low + sum;
        if (low + sum < low) {
            job.progress.Get().at[SORTED + 1] += 1;
        }
        // The next launch resumes the rays of the first point.
        job.control.Get().at[CONTROL_LAUNCH] = 1;
        if ((job.flags & FINISH) != 0) {
            job.control.Get().at[CONTROL_STOP] = 0;
        }
    }
}

// Copies sorted slots to where the shaders look for them, when the number of passes is odd.
[shader("compute")]
[numthreads(THREADS, 1, 1)]
void Copy(uint block : SV_GroupID, uint thread : SV_GroupIndex) {
    const uint count = pairs();
    for (uint i = 0; i < PER_THREAD; i++) {
        const uint position = block * BLOCK + i * THREADS + thread;
        if (position < count) {
            job.slots.Get().at[position] = job.sorted_slots.Get().at[position];
        }
    }
}
