//! Where signature elements go: registers of four components, 32 for each signature.
//!
//! The rules are the reference's, because a stage's outputs must be where the next one's inputs are: elements keep the order of
//! the source, each goes to the first place that is free for it ([`Registers::place`]). System values and indexed elements do
//! not share registers with everything; the conditions are those of [`Registers::fits`]. With [`Strategy::Optimized`] the large ones
//! come first, so that fewer registers are needed.

use rtc_tables::limits::SIGNATURE_ROWS;
use rtc_tables::signature::{Interpolation, Interpretation, Packing, SigPoint};
use serde::{Deserialize, Serialize};

use crate::metadata::signature::SignatureElement;

/// Registers of a signature.
pub const ROWS: usize = SIGNATURE_ROWS as usize;

/// The kinds of elements, as they exclude each other in a register.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Arbitrary,
    SystemValue,
    Generated,
    TessFactor,
    ClipCull,
}

impl Kind {
    fn of(i: Interpretation) -> Kind {
        match i {
            Interpretation::SystemValue | Interpretation::Target => Kind::SystemValue,
            Interpretation::SystemGenerated => Kind::Generated,
            Interpretation::TessFactor => Kind::TessFactor,
            Interpretation::ClipCull => Kind::ClipCull,
            _ => Kind::Arbitrary,
        }
    }
    fn bit(self) -> u8 {
        1 << self as u8
    }
}

const ALL: u8 = 31;

/// A register.
#[derive(Clone, Copy, Default)]
struct Register {
    used: u8,
    interpolation: Interpolation,
    small: bool,
    /// Whether its element continues in the register before (1) and after (2).
    index: u8,
    /// No other indexing may be added.
    fixed: bool,
    /// Kinds that each component refuses.
    bans: [u8; 4],
}

/// What packing needs to know of an element.
#[derive(Clone, Copy)]
struct Shape {
    kind: Kind,
    interpolation: Interpolation,
    small: bool,
    rows: usize,
    columns: usize,
}

/// The registers of a signature, or of one stream.
#[derive(Clone)]
pub struct Registers {
    rows: Vec<Register>,
}

impl Shape {
    fn of(point: SigPoint, e: &SignatureElement, native_16bit: bool) -> Shape {
        Shape {
            kind: Kind::of(e.interpretation(point)),
            interpolation: e.interpolation,
            small: native_16bit && e.is_small(),
            rows: e.rows() as usize,
            columns: e.columns as usize,
        }
    }
}

/// What keeps an element from a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Conflict {
    /// The place is not inside of the registers.
    Range,
    /// Other rows are indexed than those of what is there.
    Indexed,
    /// What is there is interpolated otherwise.
    Interpolation,
    /// What is there has components of another width.
    Width,
    /// Something is there.
    Overlap,
    /// It would be on the wrong side of what is there.
    Order,
}

impl Default for Registers {
    /// The registers of a signature, all free.
    fn default() -> Registers {
        Registers::new(ROWS)
    }
}

impl Registers {
    fn new(rows: usize) -> Registers {
        Registers { rows: vec![Register::default(); rows] }
    }

    /// How row `i` of an element is indexed.
    fn index(s: &Shape, i: usize) -> u8 {
        u8::from(i > 0) | u8::from(i + 1 < s.rows) << 1
    }

    /// Whether an element may begin at this row and column.
    fn fits(&self, s: &Shape, row: usize, column: usize) -> bool {
        self.conflict(s, row, column).is_none()
    }

    /// What keeps an element from beginning at this row and column.
    fn conflict(&self, s: &Shape, row: usize, column: usize) -> Option<Conflict> {
        if row + s.rows > self.rows.len() || column + s.columns > 4 {
            return Some(Conflict::Range);
        }
        (0..s.rows).find_map(|i| {
            let r = &self.rows[row + i];
            let index = Self::index(s, i);
            let indexed = r.index != 0 && matches!(s.kind, Kind::SystemValue | Kind::Generated)
                || r.fixed && (r.index | index) != r.index
                || s.kind == Kind::TessFactor && (r.index | index) != index;
            if indexed {
                return Some(Conflict::Indexed);
            }
            if r.used != 0 && r.interpolation != s.interpolation {
                return Some(Conflict::Interpolation);
            }
            if r.used != 0 && r.small != s.small {
                return Some(Conflict::Width);
            }
            (column..column + s.columns).find_map(|c| match (r.used >> c & 1, r.bans[c] & s.kind.bit()) {
                (0, 0) => None,
                (0, _) => Some(Conflict::Order),
                _ => Some(Conflict::Overlap),
            })
        })
    }

    /// Puts an element where it says that it is.
    ///
    /// # Errors
    /// What keeps it from being there.
    pub fn add(&mut self, point: SigPoint, e: &SignatureElement, native_16bit: bool) -> Result<(), Conflict> {
        let Some(row) = e.row else { return Ok(()) };
        let (shape, row, column) = (Shape::of(point, e, native_16bit), row as usize, e.column as usize);
        match self.conflict(&shape, row, column) {
            Some(conflict) => Err(conflict),
            None => {
                self.put(&shape, row, column);
                Ok(())
            }
        }
    }

    /// Whether there is room for the number of the view, which a pixel shader gets in addition to its inputs.
    pub fn has_room_for_view(&mut self) -> bool {
        let view = Shape { kind: Kind::Generated, interpolation: Interpolation::Constant, small: false, rows: 1, columns: 1 };
        self.place(&view, 0, 0).is_some()
    }

    fn put(&mut self, s: &Shape, row: usize, column: usize) {
        for i in 0..s.rows {
            let r = &mut self.rows[row + i];
            r.index |= Self::index(s, i);
            r.fixed |= matches!(s.kind, Kind::SystemValue | Kind::Generated | Kind::TessFactor);
            (r.interpolation, r.small) = (s.interpolation, s.small);
            for c in 0..4 {
                if (column..column + s.columns).contains(&c) {
                    r.used |= 1 << c;
                    continue;
                }
                let left = c < column;
                // Arbitrary elements come first, then system values, then what the hardware makes.
                r.bans[c] |= match s.kind {
                    Kind::Arbitrary if left => ALL & !Kind::Arbitrary.bit(),
                    Kind::SystemValue | Kind::TessFactor | Kind::ClipCull if left => Kind::Generated.bit(),
                    Kind::SystemValue | Kind::TessFactor | Kind::ClipCull => Kind::Arbitrary.bit(),
                    Kind::Generated if !left => ALL & !Kind::Generated.bit(),
                    _ => 0,
                };
            }
        }
    }

    /// The first place from `start` and `column` on.
    fn place(&mut self, s: &Shape, start: usize, column: usize) -> Option<(usize, usize)> {
        for row in start..self.rows.len() {
            for c in column..4 {
                if self.fits(s, row, c) {
                    self.put(s, row, c);
                    return Some((row, c));
                }
            }
        }
        None
    }
}

/// Numbers of elements, each with a row and a column.
type Places = Vec<(usize, (usize, usize))>;

/// In which order elements get their places.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash, Serialize, Deserialize)]
pub enum Strategy {
    /// That of the source: the places of the first elements do not depend on the others.
    #[default]
    PrefixStable,
    /// The large ones first.
    Optimized,
}

/// Places the elements of a signature. `native_16bit`: 16-bit types are native.
///
/// # Errors
/// The number of an element for which there is no room.
pub fn pack(point: SigPoint, elements: &mut [SignatureElement], native_16bit: bool, strategy: Strategy) -> Result<(), usize> {
    match point.packing() {
        Packing::None => return Ok(()),
        Packing::InputAssembler => {
            let mut next = 0;
            for (n, e) in elements.iter_mut().enumerate() {
                if e.interpretation(point).is_packed() {
                    if next + e.rows() > ROWS as u32 {
                        return Err(n);
                    }
                    (e.row, e.column) = (Some(next), 0);
                    next += e.rows();
                }
            }
            return Ok(());
        }
        Packing::Target => {
            for e in elements.iter_mut().filter(|e| e.interpretation(point).is_packed()) {
                (e.row, e.column) = (e.indices.first().copied(), 0);
            }
            return Ok(());
        }
        Packing::Shared => {}
    }
    let streams = elements.iter().map(|e| e.stream).max().unwrap_or(0);
    for stream in 0..=streams {
        match strategy {
            Strategy::PrefixStable => prefix_stable(point, elements, stream, native_16bit)?,
            Strategy::Optimized => optimized(point, elements, stream, native_16bit)?,
        }
    }
    Ok(())
}

/// Every element goes to the first place that is free for it, so that the places of the first elements do not depend on the others.
fn prefix_stable(point: SigPoint, elements: &mut [SignatureElement], stream: u32, native_16bit: bool) -> Result<(), usize> {
    let mut registers = Registers::new(ROWS);
    // Clip and cull distances have two registers of their own, each with a place in the signature once it is used.
    let mut clip = Registers::new(2);
    let mut clip_rows: [Option<usize>; 2] = [None; 2];
    for (n, e) in elements.iter_mut().enumerate().filter(|(_, e)| e.stream == stream) {
        let interpretation = e.interpretation(point);
        if !interpretation.is_packed() {
            continue;
        }
        let shape = Shape::of(point, e, native_16bit);
        let found = match shape.kind {
            Kind::ClipCull => {
                let Some((row, column)) = clip.place(&shape, 0, 0) else { return Err(n) };
                clip_register(&mut registers, &mut clip_rows, &shape, row).map(|row| (row, column))
            }
            Kind::TessFactor if shape.rows > 1 => registers.place(&shape, 0, 3),
            _ => registers.place(&shape, 0, 0),
        };
        let (row, column) = found.ok_or(n)?;
        (e.row, e.column) = (Some(row as u32), column as u32);
    }
    Ok(())
}

/// The register of private clip row `row`, whose element has the shape `s`.
fn clip_register(registers: &mut Registers, rows: &mut [Option<usize>; 2], s: &Shape, row: usize) -> Option<usize> {
    let whole = |rows| Shape { columns: 4, rows, ..*s };
    match (s.rows, *rows) {
        (1, places) if places[row].is_none() => rows[row] = Some(registers.place(&whole(1), 0, 0)?.0),
        (2, [None, None]) => {
            let first = registers.place(&whole(2), 0, 0)?.0;
            *rows = [Some(first), Some(first + 1)];
        }
        (2, [Some(first), None]) => {
            let next = whole(1);
            if !registers.fits(&next, first + 1, 0) {
                return None;
            }
            registers.put(&next, first + 1, 0);
            rows[1] = Some(first + 1);
        }
        _ => {}
    }
    rows[row]
}

/// Elements with four components go first, then indexed tessellation factors, other elements, system values, clip and cull distances, and
/// what the hardware makes; of each kind those come first that are interpolated less, then the longer, then the wider ones.
fn optimized(point: SigPoint, elements: &mut [SignatureElement], stream: u32, native_16bit: bool) -> Result<(), usize> {
    let of_stream = elements.iter().enumerate().filter(|(_, e)| e.stream == stream && e.interpretation(point).is_packed());
    let mut shapes: Vec<(usize, Shape)> = of_stream.map(|(n, e)| (n, Shape::of(point, e, native_16bit))).collect();
    shapes.sort_by_key(|(n, s)| (s.interpolation, std::cmp::Reverse((s.rows, s.columns)), *n));
    let list = |wanted: &dyn Fn(&Shape) -> bool| shapes.iter().filter(|s| wanted(&s.1)).copied().collect::<Vec<_>>();
    let wide = |s: &Shape| s.columns == 4 && matches!(s.kind, Kind::Arbitrary | Kind::SystemValue);
    let indexed = |s: &Shape| s.kind == Kind::TessFactor && s.rows > 1;
    let single = |s: &Shape| matches!(s.kind, Kind::SystemValue | Kind::TessFactor) && !wide(s) && !indexed(s);
    let mut registers = Registers::new(ROWS);
    let mut places = Places::new();
    let mut start = 0;
    for (n, s) in list(&wide) {
        let place = registers.place(&s, 0, 0).ok_or(n)?;
        start = start.max(place.0 + s.rows);
        places.push((n, place));
    }
    let (arbitrary, generated) = (|s: &Shape| s.kind == Kind::Arbitrary && !wide(s), |s: &Shape| s.kind == Kind::Generated);
    for (column, part) in [(3, list(&indexed)), (0, list(&arbitrary)), (0, list(&single))] {
        for (n, s) in part {
            places.push((n, registers.place(&s, start, column).ok_or(n)?));
        }
    }
    let clip = list(&|s| s.kind == Kind::ClipCull);
    if clip.iter().any(|c| c.1.rows > 1) {
        places.extend(registers.place_together(&clip, start)?);
    } else {
        places.extend(registers.place_by_row(&clip, start)?);
    }
    for (n, s) in list(&generated) {
        places.push((n, registers.place(&s, start, 0).ok_or(n)?));
    }
    for (n, (row, column)) in places {
        (elements[n].row, elements[n].column) = (Some(row as u32), column as u32);
    }
    Ok(())
}

impl Registers {
    /// Places clip and cull distances of which some are indexed: in the first two registers, one after the other, that have room for all.
    fn place_together(&mut self, all: &[(usize, Shape)], start: usize) -> Result<Places, usize> {
        for row in start..self.rows.len() - 1 {
            let mut two = Registers { rows: self.rows[row..row + 2].to_vec() };
            let places: Option<Vec<_>> = all.iter().map(|(n, s)| Some((*n, two.place(s, 0, 0)?))).collect();
            if let Some(mut places) = places {
                self.rows[row..row + 2].copy_from_slice(&two.rows);
                for (_, place) in &mut places {
                    place.0 += row;
                }
                return Ok(places);
            }
        }
        Err(all[0].0)
    }

    /// Places other clip and cull distances: those that share a register of their own share one of the signature.
    fn place_by_row(&mut self, all: &[(usize, Shape)], start: usize) -> Result<Places, usize> {
        let mut own = Registers::new(2);
        let mut rows: [Vec<(usize, Shape)>; 2] = [Vec::new(), Vec::new()];
        for &(n, s) in all {
            let (row, _) = own.place(&s, 0, 0).ok_or(n)?;
            rows[row].push((n, s));
        }
        let mut places = Vec::new();
        for list in rows {
            let Some(&(n, first)) = list.first() else { continue };
            let whole = Shape { columns: list.iter().map(|s| s.1.columns).sum(), ..first };
            let fits = |row: usize, column: usize| self.fits(&whole, row, column);
            let free = (start..self.rows.len()).flat_map(|row| (0..4).map(move |column| (row, column))).find(|p| fits(p.0, p.1));
            let (row, mut column) = free.ok_or(n)?;
            for (n, s) in list {
                self.put(&s, row, column);
                places.push((n, (row, column)));
                column += s.columns;
            }
        }
        Ok(places)
    }
}
