//! PDBs: against those of the reference compiler, and against damage.

use super::hash::ShaderHash;
use super::pdb::{Pdb, is_pdb};
use super::source_info::{Source, SourceInfo};
use super::*;
use rtc_dxil_testing::Random;

/// A compute shader with an included file, with debug module; another with sources alone.
const REFERENCES: [(&str, &[u8]); 2] =
    [("cs_include.pdb", include_bytes!("testdata/cs_include.pdb")), ("cs_query.Zs.pdb", include_bytes!("testdata/cs_query.Zs.pdb"))];

fn source_info(pdb: &[u8]) -> SourceInfo {
    SourceInfo::read(Pdb::read(pdb).unwrap().parts().unwrap().require(FourCc::SRCI).unwrap()).unwrap()
}

#[test]
fn reference_pdbs_come_back_byte_for_byte() {
    for (name, data) in REFERENCES {
        assert!(is_pdb(data));
        let pdb = Pdb::read(data).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!(pdb.write().unwrap(), data, "{name}");
        let parts = pdb.parts().unwrap();
        let again: Vec<_> = parts.parts.iter().map(|p| (p.name, &p.data)).collect();
        assert_eq!(Pdb::new(pdb.hash, &again).unwrap(), pdb, "{name}");
        assert_eq!(ShaderHash::read(parts.require(FourCc::HASH).unwrap()).unwrap().digest, pdb.hash, "{name}");
    }
}

#[test]
fn sources_and_arguments_of_the_reference() {
    let info = source_info(REFERENCES[0].1);
    let names: Vec<&str> = info.sources.iter().map(|s| s.name.as_str()).collect();
    assert_eq!(names, ["withinc.hlsl", "./inc/q.hlsli"]);
    assert!(info.sources[0].text.starts_with("#include \"q.hlsli\"\n"), "{info:?}");
    assert_eq!(info.sources[1].text, "static const int Q = 1;\n");
    assert_eq!((info.arg("T"), info.arg("E"), info.arg("Zi")), (Some("cs_6_6"), Some("main"), Some("")));
    assert_eq!(info.arg("D"), Some("A=1"));
    assert_eq!(source_info(REFERENCES[1].1).arg("Zs"), Some(""));
}

#[test]
fn what_is_written_is_read() {
    let source = |name: &str, text: &str| Source { name: name.into(), text: text.into() };
    let infos = [
        SourceInfo::default(),
        source_info(REFERENCES[0].1),
        SourceInfo {
            sources: vec![source("a.hlsl", ""), source("", "no name"), source("ä/ö.hlsl", &"wide ".repeat(40_000))],
            args: vec![("".into(), "".into()), ("D".into(), "x=1 2".into()), ("".into(), "file".into())],
        },
    ];
    for info in infos {
        let data = info.write().unwrap();
        assert_eq!((data.len() % 4, data.len() < 6000), (0, true));
        assert_eq!(SourceInfo::read(&data).unwrap(), info);
    }
    let many: Vec<Source> = (0..2000).map(|i| source(&format!("directory/{i:020}.hlsl"), "x")).collect();
    let error = SourceInfo { sources: many, args: Vec::new() }.write().unwrap_err();
    assert!(error.reason.contains("65535"), "{error}");
}

#[test]
fn large_files_have_directories_of_several_blocks() {
    for size in [0, 1, 511, 512, 513, 100_000, 9_000_000] {
        let stream: Vec<u8> = (0..size).map(|i: u32| (i / 7) as u8).collect();
        let data = msf::write(&[&[], &stream, b"end"]).unwrap();
        assert_eq!(msf::read(&data).unwrap(), [Vec::new(), stream, b"end".to_vec()], "{size}");
    }
}

/// `PDBI` with one source and one argument, not compressed.
#[test]
fn pdbi_is_read() {
    let mut strings = b"\0".to_vec();
    let mut text = |t: &str| {
        let at = strings.len() as u32;
        strings.extend_from_slice(t.as_bytes());
        strings.push(0);
        at
    };
    let [name, body, t, lib] = ["a.hlsl", "text", "T", "lib_6_6"].map(&mut text);
    let words = |w: &[u32]| w.iter().flat_map(|w| w.to_le_bytes()).collect::<Vec<u8>>();
    let indices = words(&[1, 0, 2, t, lib]);
    let mut row = vec![0, u32::MAX, 2];
    row.resize(11, 0);
    let tables =
        [(1, strings.clone()), (2, indices), (0x1_0001, [words(&[1, 44]), words(&row)].concat()), (0x1_0002, words(&[1, 8, name, body]))];
    let mut rdat = words(&[0x10, 4]);
    let mut at = 8 + 16;
    for (_, data) in &tables {
        put_u32(&mut rdat, at);
        at += 8 + data.len() as u32;
    }
    for (kind, data) in &tables {
        rdat.extend(words(&[*kind, data.len() as u32]));
        rdat.extend_from_slice(data);
    }
    let part = |how: u16, bytes: &[u8]| {
        let mut part = vec![0; 2];
        put_u16(&mut part, how);
        part.extend(words(&[bytes.len() as u32, rdat.len() as u32]));
        part.extend_from_slice(bytes);
        part
    };
    let want =
        SourceInfo { sources: vec![Source { name: "a.hlsl".into(), text: "text".into() }], args: vec![("T".into(), "lib_6_6".into())] };
    assert_eq!(SourceInfo::read_pdbi(&part(0, &rdat)).unwrap(), want);
    let deflated = miniz_oxide::deflate::compress_to_vec_zlib(&rdat, 9);
    assert_eq!(SourceInfo::read_pdbi(&part(1, &deflated)).unwrap(), want);
    let mut random = Random(5);
    for data in [part(0, &rdat), part(1, &deflated)] {
        (0..data.len()).for_each(|n| assert!(SourceInfo::read_pdbi(&data[..n]).is_err(), "{n}"));
        for _ in 0..4_000 {
            let mut damaged = data.clone();
            random.damage(&mut damaged);
            _ = SourceInfo::read_pdbi(&damaged);
        }
    }
}

fn read_all(data: &[u8]) {
    let Ok(pdb) = Pdb::read(data) else { return };
    let Ok(c) = pdb.parts() else { return };
    if let Some(part) = c.part(FourCc::SRCI) {
        _ = SourceInfo::read(&part.data);
    }
}

#[test]
fn truncated_and_damaged_pdbs_are_refused_or_read() {
    let started = std::time::Instant::now();
    let mut random = Random(77);
    for (name, data) in REFERENCES {
        for n in 0..data.len() {
            // Padding of the last block is all that may be missing.
            let whole = data.len() - n < 512;
            assert!(whole || Pdb::read(&data[..n]).and_then(|p| p.parts()).is_err(), "{name} cut to {n}");
        }
        let srci = Pdb::read(data).unwrap().parts().unwrap().require(FourCc::SRCI).unwrap().to_vec();
        for n in 0..srci.len() {
            assert!(SourceInfo::read(&srci[..n]).is_err(), "{name}: SRCI cut to {n}");
        }
        for i in 0..4_000 {
            let mut damaged = data.to_vec();
            // The superblock and the directory are where damage matters most.
            let end = if i % 2 == 0 { damaged.len() } else { 2560 };
            random.damage(&mut damaged[..end]);
            read_all(&damaged);
            let mut damaged = srci.clone();
            random.damage(&mut damaged);
            _ = SourceInfo::read(&damaged);
        }
    }
    assert!(started.elapsed().as_secs() < 120);
}
