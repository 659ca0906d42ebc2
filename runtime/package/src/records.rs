//! From the local root signatures of a library to the shader record layouts of its package.
//!
//! The SPIR-V back end asks where in the record a register lies, the runtime where to write an
//! argument: both read the same [`RecordLayout`].

use crate::RecordLayout;
use rtc_dxil_container::FormatError;
use rtc_dxil_container::ResourceClass;
use rtc_dxil_container::rdat::associate::{Associations, Slot};
use rtc_dxil_container::rdat::{Rdat, SubobjectValue};
use rtc_rootsig::{self as rootsig, RecordBinding, RecordParam, UNBOUNDED};

/// The layouts of a library and which export has which.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LibraryRecords {
    /// One for each local root signature that is in force for some export.
    pub layouts: Vec<RecordLayout>,
    /// Export (shader or hit group, in the order of the associations) and index of its layout.
    pub exports: Vec<(String, u32)>,
}

impl LibraryRecords {
    /// Lays out the record of every export that has a local root signature.
    ///
    /// # Errors
    /// When the binary form of a local root signature is damaged or too large for a record; the part
    /// in the error is the name of the subobject.
    pub fn new(rdat: &Rdat, associations: &Associations) -> Result<Self, FormatError> {
        let mut out = LibraryRecords::default();
        let mut done: Vec<(usize, u32)> = Vec::new();
        for e in &associations.exports {
            let Some(index) = e.get(Slot::LocalRootSignature) else {
                continue;
            };
            let layout = match done.iter().find(|(i, _)| *i == index) {
                Some(&(_, layout)) => layout,
                None => {
                    let s = &rdat.subobjects[index];
                    let SubobjectValue::LocalRootSignature { data } = &s.value else {
                        continue;
                    };
                    let named = |e: FormatError| FormatError { part: s.name.clone(), ..e };
                    let record = rootsig::read(data).and_then(|signature| rootsig::record_layout(&signature)).map_err(named)?;
                    let layout = out.layouts.len() as u32;
                    out.layouts.push(RecordLayout { root_signature: s.name.clone(), params: record.params, size: record.size });
                    done.push((index, layout));
                    layout
                }
            };
            out.exports.push((e.name.clone(), layout));
        }
        Ok(out)
    }

    /// Index of the layout of an export. What resumes the rays of a shader has the shader's.
    pub fn of(&self, export: &str) -> Option<u32> {
        let export = rtc_tables::wavefront::shader_of(export).unwrap_or(export);
        self.exports.iter().find(|(name, _)| name == export).map(|&(_, layout)| layout)
    }
}

/// A register that an argument of the record fills.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RecordRegister<'a> {
    /// The argument.
    pub param: &'a RecordParam,
    /// The range of registers that the register is in.
    pub bind: RecordBinding,
    /// For tables: index of the register's descriptor relative to the handle; 0 otherwise.
    pub table_index: u32,
}

impl RecordLayout {
    /// The argument that fills a register.
    pub fn find(&self, class: ResourceClass, register: u32, space: u32) -> Option<RecordRegister<'_>> {
        self.params.iter().find_map(|param| {
            let bind = *param.binds.iter().find(|b| {
                let inside = register.checked_sub(b.register).is_some_and(|i| b.count == UNBOUNDED || i < b.count);
                b.class == class && b.space == space && inside
            })?;
            let table_index = bind.table_offset.checked_add(register - bind.register)?;
            Some(RecordRegister { param, bind, table_index })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rtc_dxil_container::rdat::associate::resolve;
    use rtc_dxil_container::{Container, FourCc};
    use rtc_dxil_testing::corpus;
    use rtc_rootsig::{RecordParamKind, RootVersion, Scope};

    #[test]
    fn records_of_rt_basic() {
        let c = Container::parse(corpus::get("rt_basic.dxil")).unwrap();
        let rdat = Rdat::read(c.require(FourCc::RDAT).unwrap()).unwrap();
        let records = LibraryRecords::new(&rdat, &resolve(&rdat)).unwrap();
        assert_eq!(records.layouts.len(), 1);
        for hit in ["AnyHit", "ClosestHit", "ClosestProc", "Intersect", "Tri", "Proc"] {
            assert_eq!(records.of(hit), Some(0), "{hit}");
        }
        assert_eq!(records.of("RayGen"), None);
        let layout = &records.layouts[0];
        assert_eq!((layout.root_signature.as_str(), layout.size), ("LRS", 20));
        let l = layout.find(ResourceClass::Cbv, 1, 1).unwrap();
        assert_eq!((l.param.kind, l.param.offset, l.param.size), (RecordParamKind::Constants, 0, 20));
        assert_eq!(layout.find(ResourceClass::Cbv, 1, 0), None);
        assert_eq!(layout.find(ResourceClass::Srv, 1, 1), None);
    }

    #[test]
    fn registers_in_tables() {
        let text = "CBV(b0), DescriptorTable(SRV(t2, numDescriptors=3), SRV(t7, numDescriptors=unbounded))";
        let signature = rootsig::parse(text, RootVersion::V1_1, Scope::Local).unwrap();
        let record = rootsig::record_layout(&signature).unwrap();
        let layout = RecordLayout { root_signature: "l".into(), params: record.params, size: record.size };
        let index = |register| layout.find(ResourceClass::Srv, register, 0).map(|r| (r.param.offset, r.table_index));
        assert_eq!(index(1), None);
        assert_eq!(index(2), Some((8, 0)));
        assert_eq!(index(4), Some((8, 2)));
        assert_eq!(index(5), None);
        assert_eq!(index(9), Some((8, 5)));
        assert_eq!(index(u32::MAX), Some((8, 3 + (u32::MAX - 7))));
    }

    #[test]
    fn a_damaged_local_root_signature_is_named() {
        let c = Container::parse(corpus::get("rt_basic.dxil")).unwrap();
        let mut rdat = Rdat::read(c.require(FourCc::RDAT).unwrap()).unwrap();
        let i = rdat.subobjects.iter().position(|s| s.name == "LRS").unwrap();
        rdat.subobjects[i].value = SubobjectValue::LocalRootSignature { data: vec![2, 0, 0, 0] };
        let e = LibraryRecords::new(&rdat, &resolve(&rdat)).unwrap_err();
        assert_eq!(e.to_string(), "LRS at byte 0x4: needs 4 bytes, 0 are left");
    }
}
