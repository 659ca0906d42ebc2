//! Hit objects and ray queries without compiled shaders: which shaders they run, their contents, their lifetime.

use super::*;
use crate::cpu::trace::hit_object::{self, Arena, MAX_OBJECTS};
use crate::cpu::trace::query::State;

fn payload(words: &mut [u32; 2]) -> Memory {
    Memory { data: words.as_mut_ptr().cast(), size: 8 }
}

fn leaked(instances: &[Placed]) -> &'static Top {
    Box::leak(Box::new(top(instances)))
}

#[test]
fn hit_objects_run_the_shaders_of_their_records() {
    let scene = leaked(&[placed(&triangles(&[2.0, 5.0], 0), 40, 0, 3.0)]);
    let t = tables(vec![hit("A", "any", "closest", ""), hit("B", "any", "closest", ""), NO_RECORD.clone()]);
    let (log, failed) = run_with(&t, Limits::default(), |thread| {
        let mut words = [0; 2];
        let memory = payload(&mut words);
        let found = hit_object::trace(thread, SITE, Some(scene), &call(forward()), memory);
        hit_object::invoke(thread, SITE, found, memory);
        // With another record it is another object; bits above the 28th are ignored.
        let other = hit_object::with_index(thread, SITE, found, 0xF000_0001);
        hit_object::invoke(thread, SITE, other, memory);
        hit_object::invoke(thread, SITE, found, memory);
        assert_eq!(hit_object::with_index(thread, SITE, found, 0), found);
        let null = hit_object::with_index(thread, SITE, found, 2);
        hit_object::invoke(thread, SITE, null, memory);
        let missed = hit_object::missed(thread, SITE, RayState::of_ray(&forward(), 0), 0x30001);
        hit_object::invoke(thread, SITE, missed, memory);
        for nothing in [0, 99, u64::MAX] {
            hit_object::invoke(thread, SITE, nothing, memory);
            assert_eq!(hit_object::with_index(thread, SITE, nothing, 1), 0);
        }
        let beyond = hit_object::with_index(thread, SITE, missed, 3);
        hit_object::invoke(thread, SITE, beyond, memory);
    });
    let shaded = |group: &str| format!("closest {group} t 6 kind 254 instance 0 id 40 geometry 0 primitive 0 attributes [0.25, 0.25]");
    let log: Vec<String> = log.into_iter().filter(|l| !l.starts_with("any")).collect();
    assert_eq!(log, [shaded("A"), shaded("B"), shaded("A"), "miss M1 t 0..100".into()]);
    assert_eq!(failed.as_deref(), Some("index 3 is out of range of the miss table, which has 3 records"));
}

#[test]
fn hit_objects_of_procedural_hits_keep_attributes() {
    let scene = leaked(&[placed(&boxes(GEOMETRY_OPAQUE), 3, 0, 0.0)]);
    let t = tables(vec![reporting("", &[(4.0, 7), (2.0, 9)])]);
    let (log, failed) = run_with(&t, Limits::default(), |thread| {
        let mut words = [0; 2];
        let memory = payload(&mut words);
        let first = hit_object::trace(thread, SITE, Some(scene), &call(forward()), memory);
        // Another object does not change it.
        let short = Ray { t_min: 3.0, ..forward() };
        let second = hit_object::trace(thread, SITE, Some(scene), &call(short), memory);
        hit_object::invoke(thread, SITE, first, memory);
        hit_object::invoke(thread, SITE, second, memory);
    });
    assert_eq!(failed, None);
    let closest: Vec<&String> = log.iter().filter(|l| l.starts_with("closest")).collect();
    assert!(closest[0].contains("t 2 kind 9 ") && closest[0].ends_with("attributes [1.5, 9.0]"), "{log:?}");
    assert!(closest[1].contains("t 4 kind 7 ") && closest[1].ends_with("attributes [0.5, 9.0]"), "{log:?}");
}

#[test]
fn invoking_counts_as_a_level_of_recursion() {
    let t = tables(vec![]);
    let (log, failed) = run_with(&t, Limits::default(), |thread| {
        let mut words = [0; 2];
        let memory = payload(&mut words);
        let missed = hit_object::missed(thread, SITE, RayState::NONE, 0);
        thread.rays.depth = 1;
        hit_object::invoke(thread, SITE, missed, memory);
        thread.rays.depth = 2;
        // A NOP runs nothing, at any depth.
        hit_object::invoke(thread, SITE, 0, memory);
        assert!(!thread.failed());
        hit_object::invoke(thread, SITE, missed, memory);
        assert!(thread.failed());
    });
    assert_eq!(log.len(), 1);
    assert_eq!(failed.as_deref(), Some("a ray is traced at recursion depth 2, the maximum that the pipeline declares"));
    let (_, failed) = run_with(&t, Limits::default(), |thread| {
        thread.rays.depth = 2;
        assert_eq!(hit_object::trace(thread, SITE, None, &call(forward()), Memory::NONE), 0);
    });
    assert!(failed.is_some());
}

#[test]
fn hit_objects_go_with_their_shader() {
    run_with(&tables(vec![]), Limits::default(), |thread| {
        let outer = thread.rays.enter();
        let mine = hit_object::missed(thread, SITE, RayState::NONE, 1);
        let inner = thread.rays.enter();
        // Not visible to the inner shader.
        assert!(thread.rays.objects.get(mine).is_none());
        let theirs = hit_object::missed(thread, SITE, RayState::NONE, 2);
        assert_eq!(thread.rays.objects.get(theirs).and_then(|o| o.index()), Some(2));
        thread.rays.leave(inner);
        assert!(thread.rays.objects.get(theirs).is_none());
        assert_eq!(thread.rays.objects.get(mine).and_then(|o| o.index()), Some(1));
        thread.rays.leave(outer);
    });
}

#[test]
fn one_invocation_has_so_many_hit_objects_and_no_more() {
    let (_, failed) = run_with(&tables(vec![]), Limits::default(), |thread| {
        for n in 0..MAX_OBJECTS {
            assert_ne!(hit_object::missed(thread, SITE, RayState::NONE, n as u32), 0);
        }
        // A called shader has its own objects.
        let inner = thread.rays.enter();
        assert_ne!(hit_object::missed(thread, SITE, RayState::NONE, 0), 0);
        thread.rays.leave(inner);
        assert!(!thread.failed());
        assert_eq!(hit_object::missed(thread, SITE, RayState::NONE, 0), 0);
    });
    let why = "an invocation created more than 1048576 hit objects, the maximum of this device";
    assert_eq!(failed.as_deref(), Some(why));
    assert!(Arena::default().get(1).is_none());
}

#[test]
fn queries_give_candidates_and_make_hit_objects() {
    let scene = leaked(&[placed(&triangles(&[2.0], 0), 5, 0, 0.0), placed(&boxes(0), 6, 0, 20.0)]);
    let t = tables(vec![hit("A", "", "closest", "")]);
    let (log, failed) = run_with(&t, Limits::default(), |thread| {
        let handle = thread.rays.queries.allocate(3, flag::CULL_BACK_FACING);
        let nothing = hit_object::from_query(thread, SITE, handle, 0, Attributes::ZERO);
        let query = thread.rays.queries.get(handle).expect("a query");
        query.trace(Some(scene), forward(), flag::FORCE_NON_OPAQUE, 0xff);
        assert_eq!((nothing, query.flags(), query.state()), (0, 0x12, State::Traced));
        let mut kinds = Vec::new();
        while query.proceed() {
            let kind = query.candidate().expect("a candidate").kind;
            kinds.push(kind);
            if kind == Kind::Triangle {
                assert!(!query.commit_procedural(2.0) && query.committed().is_none());
            } else {
                assert!(!query.commit_triangle() && !query.commit_procedural(0.5f32.sqrt() - 9.0) && !query.commit_procedural(f32::NAN));
                assert!(query.commit_procedural(30.0) && query.commit_procedural(25.0) && !query.commit_procedural(26.0));
            }
        }
        assert_eq!(kinds.len(), 2);
        assert!(query.candidate().is_none() && !query.proceed());
        assert_eq!((query.t(), query.committed().map(|h| h.instance_id)), (25.0, Some(6)));
        let attributes = Attributes::triangle([8.0, 9.0]);
        let object = hit_object::from_query(thread, SITE, handle, 77, attributes);
        assert_eq!(thread.rays.objects.get(object).map(|o| (o.index(), o.view.kind, o.view.flags)), Some((None, 77, 0x12)));
        let mut words = [0; 2];
        // Without a record nothing runs.
        hit_object::invoke(thread, SITE, object, payload(&mut words));
        let bound = hit_object::with_index(thread, SITE, object, 0);
        hit_object::invoke(thread, SITE, bound, payload(&mut words));
        // A query that traces another ray forgets its hit; the object does not.
        let query = thread.rays.queries.get(handle).expect("a query");
        query.trace(Some(scene), forward(), 0, 0);
        assert!(!query.proceed() && query.committed().is_none());
        hit_object::invoke(thread, SITE, bound, payload(&mut words));
        let query = thread.rays.queries.get(handle).expect("a query");
        query.trace(Some(scene), forward(), 0, 0xff);
        query.abort();
        assert!(!query.proceed());
    });
    assert_eq!(failed, None);
    assert_eq!(log.len(), 2);
    assert!(log.iter().all(|l| l.contains("t 25 kind 77 ") && l.ends_with("attributes [8.0, 9.0]")), "{log:?}");
}
