//! Dispatches of a scene on a device, with their shader tables.

use super::{DispatchReport, Run};
use crate::device::{Argument, Program, Record, ShaderTables, Sorting, Timing};
use crate::error::{ErrorKind, Result, list};
use crate::scene::frames::pack;
use crate::scene::{Dispatch, Frames, SceneArgument, SceneRecord, SourceLocation, by_name};
use rtc_dxil_container::ShaderKind;
use rtc_engine::forms::Form;
use std::time::{Duration, Instant};

impl Run<'_> {
    /// Runs one dispatch, `repeat` times.
    pub(super) fn dispatch(&mut self, d: &Dispatch, repeat: u32) -> Result<DispatchReport> {
        let started = Instant::now();
        let shader_tables = if d.compute { None } else { Some(self.tables(d)?) };
        let mut tables = started.elapsed();
        // Of several forms those that run get them.
        let mut with_tables: Vec<Program> = Vec::new();
        let mut time = Timing::default();
        let mut sorting: Option<Sorting> = None;
        let mut fastest = Duration::MAX;
        let mut runs: Vec<(Form, u32)> = Vec::new();
        for _ in 0..repeat {
            let (program, form) = match d.compute {
                true => (self.program, None),
                false => {
                    let shader = shader_tables.as_ref().and_then(|t| t.raygen.export.as_deref());
                    self.next_program(d, shader.unwrap_or_default())
                }
            };
            if let Some(shader_tables) = shader_tables.as_ref().filter(|_| !with_tables.contains(&program)) {
                let started = Instant::now();
                self.device.set_tables(program, shader_tables).map_err(|e| self.scene.at(&d.location, e))?;
                with_tables.push(program);
                tables += started.elapsed();
            }
            let done = match d.compute {
                true => self.device.dispatch_groups(program, d.entry.as_deref(), d.size),
                false => self.device.dispatch(program, d.size),
            };
            let once = done.map_err(|e| match e.kind {
                ErrorKind::Binding | ErrorKind::Limit | ErrorKind::StateObject => self.scene.at(&d.location, e),
                _ => e,
            })?;
            if let Some(own) = self.device.sorting().filter(|_| !d.compute) {
                sorting = Some(sorting.map_or(own, |before| before.with(own)));
            }
            if let Some(form) = form {
                self.dispatched(d, form, once);
                match runs.iter_mut().find(|r| r.0 == form) {
                    Some(r) => r.1 += 1,
                    None => runs.push((form, 1)),
                }
            }
            fastest = fastest.min(once.device.unwrap_or(once.host));
            time.host += once.host;
            time.device = match (time.device, once.device) {
                (Some(a), Some(b)) => Some(a + b),
                (a, b) => a.or(b),
            };
        }
        let form = if d.compute { None } else { self.form_report(d, &runs) };
        Ok(DispatchReport { compute: d.compute, size: d.size, repeat, time, fastest, tables, sorting, form })
    }

    /// The shader tables of a dispatch.
    fn tables(&self, d: &Dispatch) -> Result<ShaderTables> {
        let scene = self.scene;
        let library = self.device.library(self.program)?;
        // Names first, with the line of the scene: the device would not know it.
        for (records, stage) in [
            (d.raygen.as_slice(), Some(ShaderKind::RayGeneration)),
            (d.miss.as_deref().unwrap_or_default(), Some(ShaderKind::Miss)),
            (d.hit.as_deref().unwrap_or_default(), None),
            (d.callable.as_deref().unwrap_or_default(), Some(ShaderKind::Callable)),
        ] {
            for r in records {
                let Some(name) = &r.export else { continue };
                let known = match stage {
                    Some(stage) => library.exports(stage).any(|e| e == name),
                    None => library.hit_groups().any(|g| g == name),
                };
                if !known {
                    let what = stage.map_or("hit group", ShaderKind::name);
                    return Err(scene.at(&r.location, library.no_such(name, &format!("{what} record"))));
                }
            }
        }
        let all = |names: Vec<&str>| -> Vec<Record> { names.into_iter().map(Record::of).collect() };
        let defaults = [
            all(library.exports(ShaderKind::Miss).collect()),
            all(library.hit_groups().collect()),
            all(library.exports(ShaderKind::Callable).collect()),
        ];
        let raygens: Vec<String> = library.exports(ShaderKind::RayGeneration).map(str::to_string).collect();
        let raygen = match (&d.raygen, raygens.as_slice()) {
            (Some(r), _) => self.record(r)?,
            (None, [one]) => Record::of(one.as_str()),
            (None, many) => {
                let why = if many.is_empty() {
                    "the library has no ray generation shader"
                } else {
                    "the library has several ray generation shaders: choose one with `raygen`"
                };
                return Err(scene.error(&d.location, why).note(format!("ray generation shaders: {}", list(many))));
            }
        };
        let [miss, hit, callable] = defaults;
        let tables = ShaderTables {
            raygen,
            miss: self.records(d.miss.as_deref(), miss)?,
            hit: self.records(d.hit.as_deref(), hit)?,
            callable: self.records(d.callable.as_deref(), callable)?,
        };
        self.check_arguments(d, &tables)?;
        Ok(tables)
    }

    /// Checks the arguments of records, while the source location is known.
    fn check_arguments(&self, d: &Dispatch, tables: &ShaderTables) -> Result<()> {
        let library = self.device.library(self.program)?;
        let listed: [(&[Record], Option<&[SceneRecord]>); 4] = [
            (std::slice::from_ref(&tables.raygen), d.raygen.as_ref().map(std::slice::from_ref)),
            (&tables.miss, d.miss.as_deref()),
            (&tables.hit, d.hit.as_deref()),
            (&tables.callable, d.callable.as_deref()),
        ];
        for (records, said) in listed {
            for (i, r) in records.iter().enumerate() {
                let Some(export) = &r.export else { continue };
                let raw: Vec<_> = r
                    .arguments
                    .iter()
                    .map(|(slot, a)| {
                        use crate::library::RawArgument as Raw;
                        let raw = match a {
                            Argument::Constants(bytes) => Raw::Constants(bytes.clone()),
                            Argument::Index(i) => Raw::Index(*i),
                            Argument::Address(..) | Argument::Accel(_) => Raw::Address(0),
                        };
                        (slot.clone(), raw)
                    })
                    .collect();
                let location: &SourceLocation = said.and_then(|s| s.get(i)).map_or(&d.location, |s| &s.location);
                library.record_data(export, &raw).map_err(|e| self.scene.at(location, e))?;
            }
        }
        Ok(())
    }

    fn records(&self, said: Option<&[SceneRecord]>, default: Vec<Record>) -> Result<Vec<Record>> {
        match said {
            None => Ok(default),
            Some(list) => list.iter().map(|r| self.record(r)).collect(),
        }
    }

    fn record(&self, r: &SceneRecord) -> Result<Record> {
        let mut arguments = Vec::with_capacity(r.arguments.len());
        for (slot, argument, location) in &r.arguments {
            let missing = |name: &str| self.scene.error(location, format!("the scene has no `{name}`"));
            let argument = match argument {
                SceneArgument::Constants(members) => {
                    let (camera, frame) = (self.scene.camera.as_ref(), Frames::default().frame(0, 1));
                    Argument::Constants(match self.layouts.find(slot) {
                        Some(layout) => by_name::bytes(self.scene, members, layout, false, camera, &frame)?,
                        None => pack(members, camera, &frame),
                    })
                }
                SceneArgument::Index(i) => Argument::Index(*i),
                SceneArgument::Buffer(name, offset) => {
                    let buffer = self.buffers.get(name.as_str()).ok_or_else(|| missing(name))?;
                    Argument::Address(*buffer, *offset)
                }
                SceneArgument::Accel(name) => Argument::Accel(*self.accels.get(name.as_str()).ok_or_else(|| missing(name))?),
            };
            arguments.push((slot.clone(), argument));
        }
        Ok(Record { export: r.export.clone(), arguments })
    }
}
