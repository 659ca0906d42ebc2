//! The scenes of the samples are scenes.

use rtc_host::scene::Scene;
use std::path::Path;

#[test]
fn every_sample_scene_is_read() {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples");
    let mut count = 0;
    for folder in std::fs::read_dir(&samples).expect("the folder of samples") {
        let file = folder.expect("a folder").path().join("scene.toml");
        if !file.is_file() {
            continue;
        }
        let scene = match Scene::read(&file) {
            Ok(scene) => scene,
            Err(e) => panic!("{e}"),
        };
        let source = scene.shader.source.as_ref().expect("samples are sources");
        assert!(scene.dir().join(source).is_file(), "{}", file.display());
        let saves = scene.images.iter().any(|i| i.save.is_some()) || scene.targets.iter().any(|t| t.save.is_some());
        assert!(saves, "{} saves no picture", file.display());
        count += 1;
    }
    assert!(count > 0, "no scene in {}", samples.display());
}
