//! Divided shaders, divided by hand: sorts against a sort on the host, walks against walks that never stop, and refusals.

pub mod stages;

use crate::engine::{Engine, base};
use crate::{ONE, open};
use rtc_engine::vulkan::wavefront::{Launch, Memory, Plan, Progress, Step};
use rtc_engine::vulkan::{Range, Requirements, Uses, Wavefront};
use rtc_oracles::SpirvVal;
use rtc_oracles::skip::skip;
use rtc_tables::wavefront::{ENDED, KEY_BITS, key};
use rtc_test_support::Random;
use stages::{SALT, SCALE, Stages, pairs, shader};
use std::path::Path;

/// A random word.
fn word(random: &mut Random) -> u32 {
    (random.bits() >> 32) as u32
}

/// Sorts keys on the device, and checks the order of the slots against a stable sort on the host.
fn check_sort(stages: &Stages, keys: &[u32], row_bits: u32, hint_bits: u32) {
    let input: Vec<u8> = keys.iter().flat_map(|k| k.to_le_bytes()).collect();
    let input = stages.engine.buffer(input.len() as u64, &input);
    let size = keys.len() as u32;
    // What no ray writes stays.
    let output = stages.engine.buffer(8 * u64::from(size), &vec![0xee; 8 * size as usize]);
    stages.set("Input", &input);
    stages.set("Output", &output);
    let plan = stages.plan(&shader("Sort", 1, row_bits, hint_bits), [size, 1, 1], u64::MAX);
    assert_eq!(plan.tile_count(), 1);
    let (progress, steps) = stages.run("Sort", &plan, 1);
    let mut expected: Vec<(u32, u32)> = (0..size).zip(keys).filter(|(_, k)| **k != ENDED).map(|(slot, k)| (slot, k >> KEY_BITS)).collect();
    expected.sort_by_key(|(slot, _)| keys[*slot as usize]);
    let live = expected.len();
    let found = pairs(&output);
    let wrong = found.iter().zip(&expected).position(|(a, b)| a != b);
    assert_eq!(wrong, None, "of {size} keys of {row_bits} and {hint_bits} bits, {live} live: {:x?} and {:x?}", found, expected);
    assert!(found[live..].iter().all(|p| *p == (0xeeee_eeee, 0xeeee_eeee)));
    // The second sort finds that all have ended.
    let sorts = u32::from(live != 0);
    assert_eq!(progress, Progress { live: 0, sorts, sorted: live as u64 });
    assert_eq!(steps, [Step::Start, Step::Sort, Step::Resume, Step::Sort, Step::Resume, Step::End]);
}

#[test]
fn sorts_are_those_of_the_host() {
    let Some((_one, engine)) = open() else { return };
    let stages = Stages::new(&engine);
    let mut random = Random(1);
    for n in [1, 2, 127, 128, 255, 256, 257, 2047, 2048, 2049, 5000, 65_537] {
        // All ended, all equal, all at the last point, random ones with and without ended ones.
        check_sort(&stages, &vec![ENDED; n], 20, 4);
        check_sort(&stages, &vec![key(1, 5, 3, 4); n], 20, 4);
        check_sort(&stages, &vec![key(2, u32::MAX, u32::MAX, 4); n], 20, 4);
        let keys: Vec<u32> = (0..n).map(|_| key(word(&mut random) % 3, word(&mut random), word(&mut random), 4)).collect();
        check_sort(&stages, &keys, 20, 4);
        let some: Vec<u32> = keys.iter().map(|k| if word(&mut random).is_multiple_of(3) { *k } else { ENDED }).collect();
        check_sort(&stages, &some, 20, 4);
    }
    // Each number of bits, and so of passes.
    for bits in 0..=24 {
        let hint_bits = bits / 3;
        let row = |r: u32| r & ((1 << (bits - hint_bits)) - 1);
        let n = 3000;
        let keys: Vec<u32> = (0..n)
            .map(|_| match word(&mut random) % 5 {
                0 => ENDED,
                _ => key(word(&mut random) % 3, row(word(&mut random)), word(&mut random), hint_bits),
            })
            .collect();
        check_sort(&stages, &keys, bits - hint_bits, hint_bits);
    }
    stages.destroy();
}

#[test]
fn a_million_rays() {
    let Some((_one, engine)) = open() else { return };
    let stages = Stages::new(&engine);
    let mut random = Random(7);
    for (row_bits, hint_bits) in [(4, 0), (6, 4), (16, 8)] {
        let row = |r: u32| r & ((1 << row_bits) - 1);
        let keys: Vec<u32> = (0..1 << 20)
            .map(|_| match word(&mut random) % 8 {
                0 => ENDED,
                // Few rows have most rays, as in a scene.
                1..5 => key(0, row(word(&mut random) % 3), word(&mut random), hint_bits),
                _ => key(word(&mut random) % 3, row(word(&mut random)), word(&mut random), hint_bits),
            })
            .collect();
        check_sort(&stages, &keys, row_bits, hint_bits);
    }
    stages.destroy();
}

/// `mixed` of the shader.
fn mixed(mut v: u32) -> u32 {
    v ^= v >> 16;
    v = v.wrapping_mul(0x7feb_352d);
    v ^= v >> 15;
    v = v.wrapping_mul(0x846c_a68b);
    v ^ (v >> 16)
}

/// What a walk ends with, and its steps.
fn walked(ray: u32) -> (u32, u32) {
    let steps = mixed(ray.wrapping_add(SALT)) % 10;
    let step = |v: u32| mixed(v.wrapping_add((v % 3).wrapping_mul(SCALE)).wrapping_add(SALT));
    ((0..steps).fold(mixed(ray), |v, _| step(v)), steps)
}

#[test]
fn walks_end_where_they_end_without_stops() {
    let Some((_one, engine)) = open() else { return };
    let stages = Stages::new(&engine);
    let shader = shader("Walk", 2, 5, 2);
    for size in [[1, 1, 1], [300, 7, 1], [17, 13, 11], [1, 1, 2500]] {
        let rays = size.iter().product::<u32>();
        let expected: Vec<(u32, u32)> = (0..rays).map(walked).collect();
        let output = stages.engine.buffer(8 * u64::from(rays), &[]);
        let check = |what: &str| {
            assert_eq!(pairs(&output).iter().zip(&expected).position(|(a, b)| a != b), None, "{size:?} {what}");
            // SAFETY: the device is idle.
            unsafe { output.write(0, &vec![0; 8 * rays as usize]).unwrap() };
        };
        stages.set("Output", &output);
        stages.set("Input", &output);
        stages.run_plain("Walk", size);
        check("without stops");
        let all = stages.plan(&shader, size, u64::MAX);
        assert_eq!(all.tile_count(), 1);
        for iterations in [0, 1, 3, 9, 12] {
            let (progress, _) = stages.run("Walk", &all, iterations);
            check(&format!("{iterations} iterations"));
            let found = |n: u32| expected.iter().filter(|e| e.1 > n).count() as u64;
            // Sort n finds the rays that have more steps than n.
            let sorted = (0..=iterations).map(found).sum();
            let sorts = (0..=iterations).filter(|n| found(*n) > 0).count() as u32;
            assert_eq!(progress, Progress { live: found(iterations) as u32, sorts, sorted }, "{iterations} iterations");
        }
        // Memory for a part, for a few, for one.
        for memory in [6000, 2000, 1400] {
            let some = stages.plan(&shader, size, memory);
            assert!(some.sizes().total() <= memory);
            if some.tile_count() <= 60 {
                stages.run("Walk", &some, 4);
                check(&format!("tiles of {} rays", some.capacity()));
            }
        }
    }
    stages.destroy();
}

#[test]
fn a_tile_of_one_ray() {
    let Some((_one, engine)) = open() else { return };
    let stages = Stages::new(&engine);
    let shader = shader("Walk", 2, 5, 2);
    let smallest = (0..10_000).find(|m| Plan::new(&engine.device, &shader, [5, 4, 1], 16, *m).is_ok()).unwrap();
    let plan = stages.plan(&shader, [5, 4, 1], smallest);
    assert_eq!((plan.capacity(), plan.tile_count()), (1, 20));
    let output = stages.engine.buffer(8 * 20, &[]);
    stages.set("Output", &output);
    stages.set("Input", &output);
    let (_, steps) = stages.run("Walk", &plan, 10);
    assert_eq!(steps.len(), 20 * (1 + 2 * 11) + 1);
    assert_eq!(pairs(&output), (0..20).map(walked).collect::<Vec<_>>());
    let e = Plan::new(&engine.device, &shader, [5, 4, 1], 16, smallest - 1).unwrap_err();
    assert!(e.message.contains("`Walk` saves 2 words of a ray"), "{e}");
    // No ray, no tile, nothing recorded.
    let none = stages.plan(&shader, [5, 0, 1], 1 << 20);
    assert_eq!(none.tile_count(), 0);
    assert_eq!(stages.run("Walk", &none, 10).1, [Step::End]);
    stages.destroy();
}

/// The host ends each tile when no ray is left.
#[test]
fn the_host_counts_what_is_left() {
    let Some((_one, engine)) = open() else { return };
    let stages = Stages::new(&engine);
    let plan = stages.plan(&shader("Walk", 2, 5, 2), [64, 32, 1], 30_000);
    assert!(plan.tile_count() > 1);
    let memory = stages.memory(&plan);
    let output = stages.engine.buffer(8 * 64 * 32, &[]);
    stages.set("Output", &output);
    stages.set("Input", &output);
    let target = engine.buffer(Progress::SIZE, &[]);
    let mut left = Vec::new();
    stages.launch("Walk", &plan, &memory, |launch| {
        for tile in plan.tiles() {
            let mut n = 0;
            loop {
                engine.run(|cmd| {
                    stages.bind(cmd);
                    // SAFETY: everything lives until the wait.
                    unsafe {
                        if n == 0 {
                            stages.wavefront.start(cmd, &launch, &tile).unwrap();
                        }
                        stages.wavefront.iterate(cmd, &launch, n, false, &mut |_| {}).unwrap();
                        n += 1;
                        stages.wavefront.copy_progress(cmd, &memory, n, &target).unwrap();
                    }
                });
                // SAFETY: the device is done.
                let progress = Progress::read(&unsafe { target.read(0, Progress::SIZE).unwrap() });
                left.push(progress.live);
                if progress.live == 0 {
                    break;
                }
            }
            assert!(n <= 10, "walks have nine steps, this tile had {n} sorts");
        }
    });
    assert_eq!(left.iter().map(|n| u64::from(*n)).sum::<u64>(), (0..64 * 32).map(|ray| u64::from(walked(ray).1)).sum::<u64>());
    assert_eq!(pairs(&output), (0..64 * 32).map(walked).collect::<Vec<_>>());
    stages.destroy();
}

#[test]
fn what_does_not_fit_is_named() {
    let Some((_one, engine)) = open() else { return };
    let stages = Stages::new(&engine);
    let shader = shader("Walk", 2, 5, 2);
    let (small, large) = (stages.plan(&shader, [8, 8, 1], 1 << 20), stages.plan(&shader, [100, 100, 1], 1 << 20));
    let memory = stages.memory(&small);
    let tiny = engine.buffer(4, &[]);
    stages.launch("Walk", &small, &memory, |good| {
        let record = |launch: Launch| {
            let mut result = Ok(());
            // SAFETY: nothing is recorded after an error.
            engine.run(|cmd| result = unsafe { stages.wavefront.dispatch_rays(cmd, &launch, 2, |_| {}) });
            result.expect_err("a refusal").message
        };
        let rows = [
            (Launch { plan: &large, ..good }, "the dispatch needs buffers of"),
            (Launch { push_constants: &[], ..good }, "0 bytes of push constants, the pipeline's layout has 4"),
            (Launch { resume: Range { size: 10, ..good.resume }, ..good }, "10 bytes at"),
            (Launch { resume: Range { address: good.resume.address + 4, ..good.resume }, ..good }, "for the records of 3 reorder point(s)"),
            (Launch { resume: Range::default(), ..good }, "0 bytes at 0x0"),
        ];
        for (launch, why) in rows {
            let message = record(launch);
            assert!(message.contains(why), "{message} instead of {why}");
        }
        let larger = large.tiles().next().unwrap();
        // SAFETY: as above.
        engine.run(|cmd| unsafe {
            let e = stages.wavefront.start(cmd, &good, &larger).unwrap_err();
            assert!(e.message.contains("a tile of 10000 rays, the plan has room for 64"), "{e}");
            let e = stages.wavefront.copy_progress(cmd, &memory, 1, &tiny).unwrap_err();
            assert!(e.message.contains("progress has 16 bytes, the buffer 4"), "{e}");
            assert!(stages.wavefront.dispatch_rays(0, &good, 1, |_| {}).unwrap_err().message.contains("VkCommandBuffer is null"));
        });
    });
    stages.destroy();
}

/// A device without 64-bit integers or indirect launches sorts no rays.
#[test]
fn what_the_device_must_have() {
    let _one = ONE.lock().unwrap_or_else(|e| e.into_inner());
    let engine = match Engine::with(&Requirements::of(&[&base()], Uses::default()), true, None) {
        Ok(engine) => engine,
        Err(why) => return skip(why),
    };
    let e = Wavefront::new(&engine.device).unwrap_err();
    assert!(e.message.contains("cannot sort rays"), "{e}");
    assert!(e.notes.iter().any(|n| n.contains("shaderInt64")), "{e:?}");
    assert!(e.notes.iter().any(|n| n.contains("rayTracingPipelineTraceRaysIndirect")), "{e:?}");
}

/// Threads may share the kernels.
#[test]
fn objects_go_to_other_threads() {
    fn check<T: Send + Sync>() {}
    check::<Wavefront>();
    check::<Memory>();
    check::<Plan>();
}

/// The kernels' SPIR-V is what rtc compiles their source to; `RTC_BLESS=1` rewrites it.
#[test]
fn the_kernels_are_compiled() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/vulkan/shaders");
    let (source, file) = (folder.join("wavefront.hlsl"), folder.join("wavefront.spv"));
    let text = std::fs::read_to_string(source).unwrap();
    let made = crate::engine::spirv("wavefront.hlsl", &text, &["-T", "lib_6_6", "-spirv", "-fspv-target-env=vulkan1.2"]);
    if std::env::var_os("RTC_BLESS").is_some() {
        std::fs::write(&file, &made).unwrap();
    }
    assert!(std::fs::read(&file).is_ok_and(|old| old == made), "{}: RTC_BLESS=1 rewrites it", file.display());
    match SpirvVal::load() {
        Ok(validator) => validator.validate_bytes(&made).unwrap(),
        Err(why) => skip(why),
    }
}
