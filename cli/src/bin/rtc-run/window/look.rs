//! How keys and the mouse move a camera: what they did between two frames, and the view of the next frame.

use rtc_host::Result;
use rtc_host::scene::{Camera, Frame, Scene};
use std::time::{Duration, Instant};

/// How much faster the camera moves while shift is held.
const FASTER: f32 = 4.0;

/// The angle of a drag over the height of the window.
const QUARTER: f32 = std::f32::consts::FRAC_PI_2;

/// How close to its up direction the camera looks at most, as an angle from the horizon.
const STEEPEST: f32 = 1.55;

/// A direction in which a key moves the camera.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Direction {
    Left,
    Right,
    Down,
    Up,
    Back,
    Forward,
}

/// What keys and the mouse did since the last frame.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Moved {
    /// Seconds of movement to the right, up, and forward; those with shift count more.
    pub steps: [f32; 3],
    /// How far the mouse was dragged to the right and down, in heights of the window.
    pub turn: [f32; 2],
    /// Back to the begin.
    pub reset: bool,
    /// Whether the scene's time is stopped.
    pub paused: bool,
    /// A picture is to be written.
    pub write: bool,
}

/// The state of keys and mouse. A key counts for as long as it is held, however long a frame takes.
#[derive(Clone, Debug, Default)]
pub struct Controls {
    /// Since when the keys of each [`Direction`] are held, as far as their time is not counted.
    held: [Option<Instant>; 6],
    fast: bool,
    moved: Moved,
}

impl Controls {
    /// A key of a direction is pressed or released; pressed again while it is held, it stays held.
    pub fn key(&mut self, direction: Direction, pressed: bool, now: Instant) {
        self.count(now);
        self.held[direction as usize] = pressed.then_some(now);
    }

    /// Shift is pressed or released.
    pub fn fast(&mut self, fast: bool, now: Instant) {
        self.count(now);
        self.fast = fast;
    }

    /// No key is held any longer: another window has the keyboard.
    pub fn release(&mut self, now: Instant) {
        self.count(now);
        (self.held, self.fast) = ([None; 6], false);
    }

    /// The mouse is dragged to the right and down, in heights of the window.
    pub fn drag(&mut self, by: [f32; 2]) {
        self.moved.turn = [self.moved.turn[0] + by[0], self.moved.turn[1] + by[1]];
    }

    /// Back to the begin.
    pub fn reset(&mut self) {
        self.moved.reset = true;
    }

    /// Stops the scene's time, or lets it go on.
    pub fn pause(&mut self) {
        self.moved.paused = !self.moved.paused;
    }

    /// Asks for a file with the picture.
    pub fn write(&mut self) {
        self.moved.write = true;
    }

    /// What happened since this was called last.
    pub fn take(&mut self, now: Instant) -> Moved {
        self.count(now);
        let paused = self.moved.paused;
        std::mem::replace(&mut self.moved, Moved { paused, ..Moved::default() })
    }

    /// Counts the time of keys that are held until now.
    fn count(&mut self, now: Instant) {
        for (key, since) in self.held.iter_mut().enumerate() {
            let Some(since) = since else { continue };
            let seconds = now.saturating_duration_since(*since).as_secs_f32() * if self.fast { FASTER } else { 1.0 };
            // Of the two directions of an axis the first one is backwards.
            self.moved.steps[key / 2] += if key % 2 == 0 { -seconds } else { seconds };
            *since = now;
        }
    }
}

/// What the next frame shows.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct View {
    /// The frame.
    pub frame: Frame,
    /// Where it is seen from; none: the scene has no camera.
    pub camera: Option<Camera>,
    /// Whether it is not the same view as before, so that an average begins with it.
    pub restart: bool,
}

/// The view from frame to frame.
#[derive(Clone, Debug, Default)]
pub struct Viewer {
    /// Where the person went; none: the camera is that of the scene.
    own: Option<Camera>,
    /// Where the last frame was seen from; none: there was no frame, or it shows something else.
    seen: Option<Option<Camera>>,
    /// How long the scene's time ran.
    ran: Duration,
    /// How many frames were numbered.
    numbered: u32,
}

impl Viewer {
    /// The scene is another one: the person stays where they are.
    pub fn reloaded(&mut self) {
        (self.seen, self.numbered) = (None, 0);
    }

    /// The next frame, after `elapsed`, of numbers from `first` of `count`. If frames are averaged, a new view has the first number again.
    ///
    /// # Errors
    /// The scene's camera sees nothing at that time.
    pub fn next(&mut self, scene: &Scene, moved: &Moved, elapsed: Duration, first: u32, count: u32, averaged: bool) -> Result<View> {
        if moved.reset {
            *self = Viewer::default();
        } else if !moved.paused && self.seen.is_some() {
            self.ran += elapsed;
        }
        let begin = scene.frames.frame(first, count).time;
        let time = begin + self.ran.as_secs_f32();
        let of_the_scene = scene.camera_at(time)?;
        if let (Some(base), true) = (self.own.or(of_the_scene), moved.steps != [0.0; 3] || moved.turn != [0.0; 2]) {
            self.own = Some(walk(&base, moved, pace(scene.camera.as_ref().unwrap_or(&base))));
        }
        // A scene that lost its camera shows what it shows.
        let camera = of_the_scene.map(|c| self.own.map_or(c, |own| Camera { aspect: c.aspect, ..own }));
        let restart = self.seen != Some(camera);
        self.seen = Some(camera);
        if restart && averaged {
            self.numbered = 0;
        }
        let frame = Frame { index: first.saturating_add(self.numbered), count, time };
        self.numbered = self.numbered.saturating_add(1);
        Ok(View { frame, camera, restart })
    }
}

/// How far the camera goes in a second: two seconds lead to what it looks at.
fn pace(camera: &Camera) -> f32 {
    length(from_to(camera.eye, camera.look_at)) * 0.5
}

/// A camera that turned and went on.
fn walk(camera: &Camera, moved: &Moved, pace: f32) -> Camera {
    let distance = length(from_to(camera.eye, camera.look_at));
    let [right, _, forward] = camera.axes();
    let up = scale(camera.up, 1.0 / length(camera.up));
    // Along the horizon and above it.
    let rise: f32 = (0..3).map(|i| forward[i] * up[i]).sum::<f32>().clamp(-1.0, 1.0);
    let level = add(forward, scale(up, -rise));
    let level = scale(level, 1.0 / length(level));
    let [yaw, pitch] = moved.turn.map(|x| x * QUARTER);
    let elevation = rise.asin();
    // A camera that looks steeper already does not move by itself.
    let steepest = STEEPEST.max(elevation.abs());
    let elevation = (elevation - pitch).clamp(-steepest, steepest);
    let turned = add(scale(level, yaw.cos()), scale(right, yaw.sin()));
    let right = add(scale(right, yaw.cos()), scale(level, -yaw.sin()));
    let forward = add(scale(turned, elevation.cos()), scale(up, elevation.sin()));
    let [x, y, z] = moved.steps.map(|s| s * pace);
    let eye = [scale(right, x), scale(up, y), scale(forward, z)].into_iter().fold(camera.eye, add);
    Camera { eye, look_at: add(eye, scale(forward, distance)), ..*camera }
}

fn add(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

fn scale(a: [f32; 3], by: f32) -> [f32; 3] {
    a.map(|x| x * by)
}

fn from_to(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    add(b, scale(a, -1.0))
}

fn length(a: [f32; 3]) -> f32 {
    a.iter().map(|x| x * x).sum::<f32>().sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    const SECOND: Duration = Duration::from_secs(1);

    fn scene(camera: &str) -> Scene {
        let text = format!("[shader]\nsource = 'a.hlsl'\nprofile = 'cs_6_0'\n[dispatch]\ngroups = [1]\n[frames]\nrate = 2\n{camera}");
        Scene::parse(Path::new("scene.toml"), &text).unwrap()
    }

    fn plain() -> Scene {
        scene("[camera]\neye = [0, 0, -2]\n")
    }

    #[track_caller]
    fn near(a: [f32; 3], b: [f32; 3]) {
        assert!(length(from_to(a, b)) < 1e-4, "{a:?}, expected {b:?}");
    }

    #[test]
    fn keys_count_while_they_are_held() {
        let start = Instant::now();
        let at = |tenths: u64| start + Duration::from_millis(tenths * 100);
        let mut controls = Controls::default();
        controls.key(Direction::Forward, true, at(0));
        controls.key(Direction::Left, true, at(0));
        // Repeated by the keyboard.
        controls.key(Direction::Forward, true, at(5));
        controls.key(Direction::Left, false, at(5));
        near(controls.take(at(10)).steps, [-0.5, 0.0, 1.0]);
        near(controls.take(at(20)).steps, [0.0, 0.0, 1.0]);
        controls.fast(true, at(20));
        controls.key(Direction::Forward, false, at(30));
        controls.fast(false, at(30));
        near(controls.take(at(40)).steps, [0.0, 0.0, FASTER]);
        controls.key(Direction::Up, true, at(40));
        controls.key(Direction::Right, true, at(40));
        controls.release(at(50));
        near(controls.take(at(90)).steps, [1.0, 1.0, 0.0]);
        controls.key(Direction::Down, true, at(90));
        controls.key(Direction::Back, true, at(90));
        near(controls.take(at(100)).steps, [0.0, -1.0, -1.0]);
    }

    #[test]
    fn everything_else_happens_once_but_a_pause() {
        let now = Instant::now();
        let mut controls = Controls::default();
        controls.drag([0.25, 0.0]);
        controls.drag([0.25, 0.5]);
        controls.reset();
        controls.pause();
        controls.write();
        assert_eq!(controls.take(now), Moved { steps: [0.0; 3], turn: [0.5, 0.5], reset: true, paused: true, write: true });
        assert_eq!(controls.take(now), Moved { paused: true, ..Moved::default() });
        controls.pause();
        assert_eq!(controls.take(now), Moved::default());
    }

    #[test]
    fn a_camera_walks_and_turns() {
        let scene = plain();
        let camera = scene.camera.unwrap();
        let after = |moved: &Moved| walk(&camera, moved, pace(&camera));
        let gone = after(&Moved { steps: [1.0, 2.0, 3.0], ..Moved::default() });
        near(gone.eye, [1.0, 2.0, 1.0]);
        near(gone.look_at, [1.0, 2.0, 3.0]);
        // A drag by the height to the right: it looks to the right, and forward is there.
        let turned = after(&Moved { turn: [1.0, 0.0], steps: [0.0, 0.0, 1.0], ..Moved::default() });
        near(turned.eye, [1.0, 0.0, -2.0]);
        near(turned.look_at, [3.0, 0.0, -2.0]);
        // Up at most to almost straight up, from where it comes back.
        let steep = after(&Moved { turn: [0.0, -7.0], ..Moved::default() });
        near(steep.look_at, [0.0, 2.0 * STEEPEST.sin(), -2.0 + 2.0 * STEEPEST.cos()]);
        let back = walk(&steep, &Moved { turn: [0.0, STEEPEST / QUARTER], ..Moved::default() }, 1.0);
        near(back.look_at, [0.0; 3]);
    }

    #[test]
    fn averages_begin_again_when_the_camera_moves() {
        let scene = plain();
        let still = Moved { paused: true, ..Moved::default() };
        let forward = Moved { steps: [0.0, 0.0, 1.0], ..still };
        let mut viewer = Viewer::default();
        let mut next = |moved: &Moved| {
            let view = viewer.next(&scene, moved, SECOND, 5, 9, true).unwrap();
            (view.frame.index, view.restart, view.camera.unwrap().eye[2])
        };
        assert_eq!([next(&still), next(&still), next(&still)], [(5, true, -2.0), (6, false, -2.0), (7, false, -2.0)]);
        assert_eq!([next(&forward), next(&still)], [(5, true, -1.0), (6, false, -1.0)]);
        assert_eq!([next(&Moved { reset: true, ..still }), next(&still)], [(5, true, -2.0), (6, false, -2.0)]);
        // Pictures that are not averaged are numbered on; another scene begins again, seen from the same place.
        let view = |viewer: &mut Viewer, moved: &Moved| viewer.next(&scene, moved, SECOND, 5, 9, false).unwrap();
        let mut viewer = Viewer::default();
        view(&mut viewer, &still);
        assert_eq!(view(&mut viewer, &forward).frame, Frame { index: 6, count: 9, time: 2.5 });
        viewer.reloaded();
        let after = view(&mut viewer, &still);
        assert_eq!((after.frame.index, after.restart, after.camera.unwrap().eye[2]), (5, true, -1.0));
    }

    #[test]
    fn time_runs_and_the_camera_follows_its_path_until_it_is_moved() {
        let scene = scene("[camera]\neye = [0, 0, -2]\ninterpolation = 'linear'\npath = [{ time = 0 }, { time = 4, eye = [4, 0, -2] }]\n");
        let mut viewer = Viewer::default();
        let mut next = |moved: &Moved| {
            let view = viewer.next(&scene, moved, SECOND, 0, 1, true).unwrap();
            (view.frame.time, view.restart, view.camera.unwrap().eye[0])
        };
        let runs = Moved::default();
        let still = Moved { paused: true, ..runs };
        assert_eq!([next(&runs), next(&runs), next(&still)], [(0.0, true, 0.0), (1.0, true, 1.0), (1.0, false, 1.0)]);
        let up = Moved { steps: [0.0, 1.0, 0.0], ..runs };
        assert_eq!([next(&up), next(&runs)], [(2.0, true, 2.0), (3.0, false, 2.0)]);
        assert_eq!(next(&Moved { reset: true, ..runs }), (0.0, true, 0.0));
        // Without a camera there is nothing to move.
        let view = Viewer::default().next(&self::scene(""), &up, SECOND, 3, 4, true).unwrap();
        assert_eq!((view.frame.time, view.camera), (1.5, None));
    }
}
