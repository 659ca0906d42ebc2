//! Reading of valid scenes, and the errors for invalid ones.

use super::*;

const HEAD: &str = "[shader]\nsource = \"a.hlsl\"\n[dispatch]\nsize = [4, 2]\n";

#[track_caller]
pub(in crate::scene) fn scene(rest: &str) -> Scene {
    match Scene::parse("dir/scene.toml".as_ref(), &format!("{HEAD}{rest}")) {
        Ok(scene) => scene,
        Err(e) => panic!("{e}"),
    }
}

#[track_caller]
pub(in crate::scene) fn meshes(rest: &str) -> Vec<Mesh> {
    scene(rest).meshes
}

/// Checks the error of `HEAD` and `rest`.
#[track_caller]
pub(in crate::scene) fn fails(rest: &str, expected: &str) {
    let e = Scene::parse("dir/scene.toml".as_ref(), &format!("{HEAD}{rest}")).expect_err("must fail");
    assert_eq!(e.kind, crate::ErrorKind::Scene);
    assert_eq!(e.to_string(), expected);
}

#[test]
fn smallest() {
    let s = scene("");
    assert_eq!(s.dispatches[0].size, [4, 2, 1]);
    assert_eq!(s.shader.source.as_deref(), Some(Path::new("a.hlsl")));
    assert_eq!(s.shader.profile, "lib_6_3");
    assert_eq!(s.dir(), Path::new("dir"));
    assert!(s.dispatches[0].miss.is_none());
}

#[test]
fn records() {
    let s = scene(
        "raygen = 'Gen'\nhit = ['A', { export = 'B', record = { Material = { color = { float3 = [1, 2, 3] }, index = { uint = 7 } }, t1 = { buffer = 'Data', offset = 16 } } }, {}]\n[buffers.Data]\nsize = 64\n",
    );
    let hit = s.dispatches[0].hit.clone().unwrap();
    assert_eq!(hit.len(), 3);
    assert_eq!(hit[0].export.as_deref(), Some("A"));
    assert_eq!(hit[2].export, None);
    let (slot, argument, _) = &hit[1].arguments[0];
    assert_eq!(*slot, Slot::Name("Material".into()));
    let mut expected: Vec<u8> = [1.0f32, 2.0, 3.0].iter().flat_map(|f| f.to_le_bytes()).collect();
    expected.extend(7u32.to_le_bytes());
    let SceneArgument::Constants(members) = argument else { panic!("{argument:?}") };
    assert_eq!(members.iter().map(|m| m.name.as_str()).collect::<Vec<_>>(), ["color", "index"]);
    assert_eq!(super::frames::pack(members, None, &Frames::default().frame(0, 1)), expected);
    assert_eq!(hit[1].arguments[1].0, Slot::Register { class: 't', register: 1, space: 0 });
    assert_eq!(hit[1].arguments[1].1, SceneArgument::Buffer("Data".into(), 16));
}

#[test]
fn order_of_members_is_the_order_of_the_file() {
    let s = scene("[constants.C]\nz = { uint = 1 }\na = { uint = 2 }\nm = { uint = 3 }\n");
    assert_eq!(s.constants[0].bytes, [1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0]);
}

#[test]
fn buffers() {
    let s = scene(
        "[buffers.A]\nlayout = ['float2', 'uint']\nelements = [[[1, 2], 3], [[4, 5], 6]]\nsave = 'a.json'\n[buffers.B]\nlayout = 'uint'\nelements = [1, 0x10]\nbind = ['X[2]', 'u3.space1']\n[buffers.C]\nelements = [{ uint = 1 }, { float4 = [0, 0, 0, 0] }]\n",
    );
    let BufferContents::Bytes(a) = &s.buffers[0].contents else { panic!() };
    assert_eq!(a.len(), 24);
    assert_eq!(s.buffers[1].contents, BufferContents::Bytes(vec![1, 0, 0, 0, 16, 0, 0, 0]));
    assert_eq!(s.buffers[1].target.slots, [(Slot::Name("X".into()), 2), (Slot::Register { class: 'u', register: 3, space: 1 }, 0)]);
    let BufferContents::Bytes(c) = &s.buffers[2].contents else { panic!() };
    assert_eq!(c.len(), 20);
}

#[test]
fn elements_fit_into_their_buffer() {
    scene("[buffers.b]\nsize = 16\nlayout = ['float3', 'uint']\n[buffers.c]\nelements = []\nlayout = 'float4'\n");
    fails(
        "[buffers.b]\nlayout = ['float3', 'uint']\nsize = 12\n",
        "dir/scene.toml:7: `buffers.b.size`: an element of its layout has 16 bytes, but the buffer has 12",
    );
}

#[test]
fn a_dispatch_has_threads() {
    for (bad, key) in [("size = [0]", "size[0]"), ("size = [4, 0]", "size[1]"), ("groups = [1, 2, 0]", "groups[2]")] {
        let e = Scene::parse("s.toml".as_ref(), &format!("[shader]\nsource = 'a'\n[dispatch]\n{bad}\n")).unwrap_err();
        assert_eq!(e.to_string(), format!("s.toml:4: `dispatch.{key}`: a dispatch of size 0 runs nothing"));
    }
}

#[test]
fn reports_have_whole_rows() {
    let s = scene("[buffers.b]\nsize = 64\nchecks = 32\n[buffers.c]\nsize = 64\n");
    assert_eq!((s.buffers[0].checks, s.buffers[1].checks), (Some(32), None));
    for bad in ["0", "16", "40"] {
        fails(
            &format!("[buffers.b]\nsize = 64\nchecks = {bad}\n"),
            "dir/scene.toml:7: `buffers.b.checks`: a report has at least two rows of 16 bytes",
        );
    }
}

#[test]
fn instances() {
    let s = scene(
        "[meshes.m]\ncube = {}\n[accel.S]\nbuild = ['allow_update']\ninstances = [{ mesh = 'm' }, { mesh = 'm', mask = 1, id = 5, flags = ['cull_disable', 'force_opaque'], transform = { scale = 2, rotate = { axis = [0, 0, 3], degrees = 90 }, translate = [7, 8, 9] } }]\n",
    );
    let a = &s.accels[0];
    assert!(a.flags.allow_update);
    assert_eq!(a.instances[0].mask, 0xff);
    let i = &a.instances[1];
    assert_eq!((i.mask, i.id, i.flags), (1, 5, 5));
    let expected = [[0.0, -2.0, 0.0, 7.0], [2.0, 0.0, 0.0, 8.0], [0.0, 0.0, 2.0, 9.0]];
    for (row, expected) in i.transform.iter().zip(expected) {
        for (x, e) in row.iter().zip(expected) {
            assert!((x - e).abs() < 1e-5, "{:?}", i.transform);
        }
    }
}

#[test]
fn places_are_named() {
    fails("[camera]\neye = [0, 0]\n", "dir/scene.toml:6: `camera.eye`: expected 3 numbers, found 2");
    fails(
        "colour = 3\n",
        "dir/scene.toml:5: `dispatch.colour`: unknown key `colour`\n  note: known keys: `size`, `groups`, `repeat`, `raygen`, `miss`, `hit`, `callable`",
    );
    fails(
        "[constants.C]\na = 3\n",
        "dir/scene.toml:6: `constants.C.a`: expected `{ <type> = <value> }`, for example `{ float3 = [0, 1, 0] }`",
    );
    fails(
        "[constants.C]\na = { float3 = [1, 'x', 2] }\n",
        "dir/scene.toml:6: `constants.C.a.float3[1]`: expected a number, found a string",
    );
    fails("[constants.C]\na = { float3 = [1, 2] }\n", "dir/scene.toml:6: `constants.C.a.float3`: expected 3 values, found 2");
    fails("[constants.C]\na = { camera = 'eye' }\n", "dir/scene.toml:6: `constants.C.a.camera`: the scene has no `[camera]`");
    fails(
        "[accel.S]\ninstances = [{ mesh = 'm' }]\n",
        "dir/scene.toml:6: `accel.S.instances[0].mesh`: the scene has no mesh `m`\n  note: meshes: none",
    );
    fails("[images.O]\nsize = [1, 1]\nformat = 'rgb'\n", &{
        let all: Vec<String> = Format::ALL.iter().map(|f| format!("`{}`", f.1)).collect();
        format!("dir/scene.toml:7: `images.O.format`: `rgb` is not one of {}", all.join(", "))
    });
    fails("[meshes.m]\ncube = {}\nsphere = {}\n", "dir/scene.toml:7: `meshes.m.sphere`: `cube` and `sphere` exclude each other");
    fails(
        "[meshes.m]\n",
        "dir/scene.toml:5: `meshes.m`: one of `triangles`, `boxes`, `grid`, `sphere`, `cube`, `gltf`, `parts`, `clusters` is missing",
    );
    fails(
        "raygen = { export = 'A', record = { X = { accel = 'Nope' } } }\n",
        "dir/scene.toml:5: `dispatch.raygen.record.X`: the scene has no `Nope`\n  note: known: none",
    );
    fails(
        "[scenery]\n",
        "dir/scene.toml:5: `scenery`: unknown key `scenery`\n  note: known keys: `images`, `dispatch`, `draw`, `targets`, `templates`, `meshes`, `gltf`, `camera`, `frames`, `buffers`, `shader`, `pipeline`, `hit_group`, `constants`, `textures`, `samplers`, `accel`, `feedback`",
    );
}

#[test]
fn syntax_errors_have_a_line() {
    let e = Scene::parse("s.toml".as_ref(), "[shader]\nsource = \n").unwrap_err();
    assert!(e.message.starts_with("s.toml:2: "), "{e}");
    // Deep nesting is an error, not a stack overflow.
    let deep = format!("a = {}{}", "[".repeat(100_000), "]".repeat(100_000));
    assert!(Scene::parse("s.toml".as_ref(), &deep).is_err());
    let binary: String = (0u8..200).map(char::from).collect();
    assert!(Scene::parse("s.toml".as_ref(), &binary).is_err());
}

#[test]
fn without_a_size() {
    let e = Scene::parse("s.toml".as_ref(), "[shader]\nsource = 'a'\n").unwrap_err();
    assert!(e.message.contains("the dispatch has no size"), "{e}");
    let s = Scene::parse("s.toml".as_ref(), "[shader]\nsource = 'a'\n[images.O]\nsize = [3, 5]\n").unwrap();
    assert_eq!(s.dispatches[0].size, [3, 5, 1]);
}

#[cfg(not(feature = "gltf"))]
#[test]
fn gltf_is_an_option() {
    let e = Scene::parse("s.toml".as_ref(), &format!("{HEAD}[meshes.m]\ngltf = 'x.glb'\n")).unwrap_err();
    assert!(e.message.contains("cargo feature `gltf`"), "{e}");
}

/// Scenes with bytes changed, cut out and doubled: read or refused, never a panic.
#[test]
fn mutated_scenes() {
    let whole = format!(
        "{HEAD}hit = [{{ export = 'A', record = {{ M = {{ c = {{ float3 = [1, 2, 3] }} }} }} }}]\n[camera]\neye = [0, 1, -3]\n[constants.C]\nm = {{ camera = 'clip_to_world' }}\n[meshes.m]\nsphere = {{ segments = 4, rings = 3 }}\n[accel.S]\ninstances = [{{ mesh = 'm', transform = {{ rotate = {{ axis = [0, 1, 0], degrees = 3 }} }} }}]\n[buffers.B]\nfrom = 'm.normals'\nlayout = 'float3'\nsave = 'x.json'\n[images.O]\nsize = [3, 4]\n"
    );
    Scene::parse("s.toml".as_ref(), &whole).unwrap();
    let mut seed = 99u64;
    let mut next = |n: usize| {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (seed >> 33) as usize % n
    };
    let alphabet = b"0123456789-.eE[]{}='\"\n xaZ_\\#,\xff";
    let mut read = 0;
    for _ in 0..4000 {
        let mut bytes = whole.clone().into_bytes();
        for _ in 0..1 + next(3) {
            let at = next(bytes.len());
            let to = (at + next(12)).min(bytes.len());
            match next(3) {
                0 => bytes[at] = alphabet[next(alphabet.len())],
                1 => drop(bytes.drain(at..to)),
                _ => {
                    let piece = bytes[at..to].to_vec();
                    bytes.splice(at..at, piece);
                }
            }
        }
        let text = String::from_utf8_lossy(&bytes);
        read += u32::from(Scene::parse("s.toml".as_ref(), &text).is_ok());
    }
    assert!(read > 0, "no mutation was harmless");
}

#[test]
fn dispatches_of_thread_groups() {
    let parse = |dispatch: &str| {
        let text = format!("[shader]\nsource = \"a.hlsl\"\n{dispatch}");
        Scene::parse("a.toml".as_ref(), &text)
    };
    let s = parse("[[dispatch]]\ngroups = [4, 2]\nentry = \"A\"\nrepeat = 3\n[[dispatch]]\nsize = [9]").unwrap();
    let (a, b) = (&s.dispatches[0], &s.dispatches[1]);
    assert_eq!((a.compute, a.size, a.repeat), (true, [4, 2, 1], 3));
    assert_eq!(a.entry.as_deref(), Some("A"));
    assert_eq!((b.compute, b.size, b.repeat), (false, [9, 1, 1], 1));
    for (bad, why) in [
        ("[dispatch]\ngroups = [1]\nsize = [1]", "not both"),
        ("[dispatch]\nentry = \"A\"", "give `groups"),
        ("[dispatch]\ngroups = [1]\nmiss = []", "unknown key `miss`"),
        ("[dispatch]\ngroups = [1, 2, 3, 4]", "width, height and depth"),
    ] {
        let e = parse(bad).unwrap_err().to_string();
        assert!(e.contains(why), "{bad}: {e}");
    }
}
