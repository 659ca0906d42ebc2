//! Acceleration structures of a scene: one bottom level for each mesh that is named, whatever the number of its instances, and top
//! levels over them, in partitions if the scene says so.

use super::StructureReport;
use super::indirect_builds::{self, Allowed, Partitions};
use crate::device::{Accel, BottomDesc, BuildFlags, ClusterTemplate, Device, Instance, PartitionedChanges, PartitionedUpdate, TopDesc};
use crate::error::Result;
use crate::scene::{AccelSource, ClusterSource, DestinationMode, PartitionedSource, Scene, SceneInstance};
use rustc_hash::FxHashMap;
use std::time::{Duration, Instant};

/// Bottom levels that have been built.
pub(super) struct Bottoms<'a> {
    scene: &'a Scene,
    built: FxHashMap<(usize, BuildFlags), Accel>,
    /// Templates of clusters, for each set of flags.
    templates: FxHashMap<BuildFlags, Vec<ClusterTemplate>>,
    /// What was built since the caller took them.
    pub reports: Vec<StructureReport>,
    time: Duration,
}

impl<'a> Bottoms<'a> {
    /// None yet.
    pub fn new(scene: &'a Scene) -> Bottoms<'a> {
        Bottoms { scene, built: FxHashMap::default(), templates: FxHashMap::default(), reports: Vec::new(), time: Duration::ZERO }
    }

    /// How long bottom-level structures took so far.
    pub fn time(&self) -> Duration {
        self.time
    }

    /// Builds a top-level structure; also gives what it was built from, unless it is partitioned.
    ///
    /// # Errors
    /// Errors of a mesh have its source location, errors of the structure itself have none.
    pub fn top(&mut self, device: &mut dyn Device, a: &AccelSource, mut flags: BuildFlags) -> Result<(Accel, Option<TopDesc>)> {
        let instances = a.instances.iter().map(|i| self.instance(device, i, flags)).collect::<Result<Vec<_>>>()?;
        match &a.partitioned {
            Some(p) => Ok((self.partitioned(device, p, instances, flags)?, None)),
            None => {
                flags.allow_data_access = false;
                flags.allow_update |= a.refit;
                let desc = TopDesc { instances, flags };
                Ok((device.build_top(&desc)?, Some(desc)))
            }
        }
    }

    fn partitioned(
        &mut self,
        device: &mut dyn Device,
        p: &PartitionedSource,
        instances: Vec<Instance>,
        flags: BuildFlags,
    ) -> Result<Accel> {
        let writes = p.rows.iter().zip(instances).map(|(home, i)| home.write(i)).collect();
        let first = PartitionedChanges { writes, ..PartitionedChanges::default() };
        let mut in_memory = None;
        let made = match p.in_memory {
            true => {
                let built = in_memory.insert(Partitions::build(device, &p.desc, &first)?);
                built.accel(device)?
            }
            false => device.build_partitioned(&p.desc, &first)?,
        };
        for c in &p.changes {
            let mut changes = PartitionedChanges { translations: c.translations.clone(), ..PartitionedChanges::default() };
            for (home, i) in &c.writes {
                changes.writes.push(home.write(self.instance(device, i, flags)?));
            }
            for &(index, mesh, hit_group_offset) in &c.updates {
                let bottom = self.bottom(device, mesh, flags)?;
                changes.updates.push(PartitionedUpdate { index, bottom, hit_group_offset });
            }
            match &mut in_memory {
                Some(built) => built.change(device, &changes)?,
                None => device.update_partitioned(made, &p.desc, &changes)?,
            }
        }
        Ok(made)
    }

    fn instance(&mut self, device: &mut dyn Device, i: &SceneInstance, flags: BuildFlags) -> Result<Instance> {
        Ok(Instance {
            bottom: i.mesh.map(|mesh| self.bottom(device, mesh, flags)).transpose()?,
            transform: i.transform,
            id: i.id,
            mask: i.mask,
            hit_group_offset: i.hit_group_offset,
            flags: i.flags,
        })
    }

    fn bottom(&mut self, device: &mut dyn Device, index: usize, flags: BuildFlags) -> Result<Accel> {
        if let Some(&built) = self.built.get(&(index, flags)) {
            return Ok(built);
        }
        let (scene, mesh) = (self.scene, &self.scene.meshes[index]);
        let started = Instant::now();
        let at = |e| scene.at(&mesh.location, e);
        let made = match &mesh.clusters {
            Some(clusters) if mesh.destinations != DestinationMode::Handles => {
                let allowed = Allowed { positions: flags.allow_data_access, disable_omms: flags.allow_disable_omms };
                indirect_builds::bottom(device, clusters, &scene.templates, mesh.destinations, allowed).map_err(at)?
            }
            Some(clusters) => {
                if clusters.iter().any(|c| matches!(c, ClusterSource::Of { .. })) {
                    self.templates(device, flags)?;
                }
                let templates = self.templates.get(&flags).map_or(&[][..], Vec::as_slice);
                let (positions, disable) = (flags.allow_data_access, flags.allow_disable_omms);
                let build = |c: &ClusterSource| c.build(device, templates, positions, disable).map(Some);
                let clusters = clusters.iter().map(build).collect::<Result<Vec<_>>>().map_err(at)?;
                device.build_bottom_of_clusters(&clusters).map_err(at)?
            }
            None => {
                let geometries = mesh.geometries(&mut |d| device.build_micromaps(d)).map_err(at)?;
                let made = device.build_bottom(&BottomDesc { geometries, flags }).map_err(at)?;
                if flags.allow_compaction {
                    device.compact(made).map_err(at)?;
                }
                made
            }
        };
        self.built.insert((index, flags), made);
        let time = started.elapsed();
        let bytes = device.accel_size(made).unwrap_or(0);
        self.reports.push(StructureReport { name: mesh.name.clone(), top: false, primitives: mesh.primitives(), bytes, time });
        self.time += time;
        Ok(made)
    }

    fn templates(&mut self, device: &mut dyn Device, flags: BuildFlags) -> Result<()> {
        if self.templates.contains_key(&flags) {
            return Ok(());
        }
        let scene = self.scene;
        let (positions, disable) = (flags.allow_data_access, flags.allow_disable_omms);
        let build = |t: &crate::scene::TemplateSource| t.build(device, positions, disable).map_err(|e| scene.at(&t.location, e));
        let built = scene.templates.iter().map(build).collect::<Result<_>>()?;
        self.templates.insert(flags, built);
        Ok(())
    }
}
