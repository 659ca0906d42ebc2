//! The window itself: it opens with the first picture, shows the last one, and passes keys and mouse to the other thread.

use super::fit::Pixels;
use super::look::Direction;
use super::render;
use super::shared::{News, Shared};
use crate::Failure;
use crate::arguments::Arguments;
use softbuffer::{Context, Surface};
use std::num::NonZeroU32;
use std::path::Path;
use std::process::ExitCode;
use std::rc::Rc;
use winit::application::ApplicationHandler;
use winit::dpi::{PhysicalPosition, PhysicalSize};
use winit::event::{ElementState, MouseButton, WindowEvent};
use winit::event_loop::{ActiveEventLoop, ControlFlow, EventLoop, OwnedDisplayHandle};
use winit::keyboard::{KeyCode, PhysicalKey};
use winit::window::{Window, WindowId};

/// The stack of the thread that runs frames, as large as that of a main thread.
const STACK: usize = 8 << 20;

fn error(why: impl std::fmt::Display) -> Failure {
    Failure::Error(format!("rtc run: error: {why}"))
}

/// Shows a scene in a window until it is closed.
///
/// # Errors
/// There is no display, or the scene cannot run.
pub fn show(file: &Path, a: &Arguments) -> Result<ExitCode, Failure> {
    let no_display = |e: &dyn std::fmt::Display| error(format!("cannot open a window: {}", cause(&e.to_string())));
    let events = EventLoop::<()>::with_user_event().build().map_err(|e| no_display(&e))?;
    events.set_control_flow(ControlFlow::Wait);
    let context = Context::new(events.owned_display_handle()).map_err(|e| no_display(&e))?;
    let proxy = events.create_proxy();
    // It fails when the loop is over, and then there is nothing to wake.
    let shared = Shared::new(move || _ = proxy.send_event(()));
    let mut app = App { shared: &shared, context, shown: None, picture: Pixels::default(), name: name(file), dragged: None, end: None };
    std::thread::scope(|threads| {
        let frames = || {
            let done = render::frames(file, a, &shared);
            shared.tell(|news| news.end = Some(done));
        };
        let thread = std::thread::Builder::new().name("frames".into()).stack_size(STACK);
        let thread = thread.spawn_scoped(threads, frames).map_err(|e| error(format!("cannot start a thread: {e}")))?;
        let looped = events.run_app(&mut app);
        // Its last frame ends first.
        shared.close();
        thread.join().map_err(|_| error("the thread that runs frames panicked, which is a bug of rtc"))?;
        looped.map_err(|e| error(format!("the window: {e}")))
    })?;
    // Without an end of its own the window was closed.
    let ended = app.end.or_else(|| shared.news().end).unwrap_or(Ok(()));
    ended.map(|()| ExitCode::SUCCESS)
}

/// The cause in an error of winit, after the place in winit's source that noticed it.
fn cause(message: &str) -> &str {
    message.strip_prefix("os error at ").and_then(|m| m.split_once(": ")).map_or(message, |(_, cause)| cause)
}

fn name(file: &Path) -> String {
    file.file_name().unwrap_or(file.as_os_str()).to_string_lossy().into_owned()
}

/// A window, and what draws into it.
struct Shown {
    window: Rc<Window>,
    surface: Surface<OwnedDisplayHandle, Rc<Window>>,
}

struct App<'a> {
    shared: &'a Shared,
    context: Context<OwnedDisplayHandle>,
    /// None until there is a picture, whose size it has.
    shown: Option<Shown>,
    picture: Pixels,
    name: String,
    /// Where the mouse was, while its button is held.
    dragged: Option<Option<PhysicalPosition<f64>>>,
    end: Option<Result<(), Failure>>,
}

impl App<'_> {
    /// Takes what the other thread has to say.
    fn hear(&mut self, events: &ActiveEventLoop, news: News) -> Result<(), Failure> {
        if let Some(picture) = news.picture {
            let [width, height] = picture.size;
            self.picture = picture;
            let shown = match &self.shown {
                Some(shown) => shown,
                None => {
                    let wanted = Window::default_attributes().with_title(&self.name).with_inner_size(PhysicalSize::new(width, height));
                    let window = Rc::new(events.create_window(wanted).map_err(|e| error(format!("cannot open a window: {e}")))?);
                    let surface =
                        Surface::new(&self.context, window.clone()).map_err(|e| error(format!("cannot draw into a window: {e}")))?;
                    self.shown.insert(Shown { window, surface })
                }
            };
            shown.window.request_redraw();
        }
        if let (Some(title), Some(shown)) = (news.title, &self.shown) {
            shown.window.set_title(&title);
        }
        match news.end {
            Some(Err(e)) => Err(e),
            Some(Ok(())) => {
                events.exit();
                Ok(())
            }
            None => Ok(()),
        }
    }

    /// Draws the picture.
    fn draw(&mut self) -> Result<(), softbuffer::SoftBufferError> {
        let Some(shown) = &mut self.shown else { return Ok(()) };
        let size = shown.window.inner_size();
        let (Some(width), Some(height)) = (NonZeroU32::new(size.width), NonZeroU32::new(size.height)) else {
            // A window without a pixel, for example a minimised one.
            return Ok(());
        };
        shown.surface.resize(width, height)?;
        let mut buffer = shown.surface.buffer_mut()?;
        self.picture.draw([size.width, size.height], &mut buffer);
        shown.window.pre_present_notify();
        buffer.present()
    }

    /// A key is pressed or released.
    fn key(&self, events: &ActiveEventLoop, key: KeyCode, pressed: bool, repeated: bool) {
        let direction = match key {
            KeyCode::KeyW => Some(Direction::Forward),
            KeyCode::KeyS => Some(Direction::Back),
            KeyCode::KeyA => Some(Direction::Left),
            KeyCode::KeyD => Some(Direction::Right),
            KeyCode::KeyQ => Some(Direction::Down),
            KeyCode::KeyE => Some(Direction::Up),
            _ => None,
        };
        self.shared.control(|c, now| match (direction, key) {
            (Some(direction), _) => c.key(direction, pressed, now),
            (None, _) if !pressed || repeated => {}
            (None, KeyCode::KeyR) => c.reset(),
            (None, KeyCode::Space) => c.pause(),
            (None, KeyCode::KeyP) => c.write(),
            (None, KeyCode::Escape) => events.exit(),
            (None, _) => {}
        });
    }

    /// The mouse is somewhere else.
    fn mouse(&mut self, position: PhysicalPosition<f64>) {
        let (Some(before), Some(shown)) = (&mut self.dragged, &self.shown) else { return };
        if let Some(from) = before.replace(position) {
            let height = f64::from(shown.window.inner_size().height.max(1));
            let by = [position.x - from.x, position.y - from.y].map(|d| (d / height) as f32);
            self.shared.control(|c, _| c.drag(by));
        }
    }

    /// The window cannot go on.
    fn fail(&mut self, events: &ActiveEventLoop, e: Failure) {
        self.end = Some(Err(e));
        events.exit();
    }
}

impl ApplicationHandler for App<'_> {
    fn resumed(&mut self, _events: &ActiveEventLoop) {}

    fn user_event(&mut self, events: &ActiveEventLoop, (): ()) {
        let news = self.shared.news();
        if let Err(e) = self.hear(events, news) {
            self.fail(events, e);
        }
    }

    fn window_event(&mut self, events: &ActiveEventLoop, _window: WindowId, event: WindowEvent) {
        match event {
            WindowEvent::CloseRequested => events.exit(),
            WindowEvent::RedrawRequested => {
                if let Err(e) = self.draw() {
                    self.fail(events, error(format!("cannot draw into a window: {e}")));
                }
            }
            WindowEvent::KeyboardInput { event, .. } => {
                if let PhysicalKey::Code(key) = event.physical_key {
                    self.key(events, key, event.state == ElementState::Pressed, event.repeat);
                }
            }
            WindowEvent::ModifiersChanged(keys) => self.shared.control(|c, now| c.fast(keys.state().shift_key(), now)),
            WindowEvent::Focused(false) => {
                self.dragged = None;
                self.shared.control(|c, now| c.release(now));
            }
            WindowEvent::MouseInput { state, button: MouseButton::Left, .. } => {
                self.dragged = (state == ElementState::Pressed).then_some(None);
            }
            WindowEvent::CursorMoved { position, .. } => self.mouse(position),
            _ => {}
        }
    }

    fn exiting(&mut self, _events: &ActiveEventLoop) {
        // The last frame may take a while, and nothing is to be seen of it.
        self.shown = None;
    }
}
