//! The lattice of value ranges: an unsigned interval, a signed interval, and known bits. Each can express sets that the others
//! cannot (`x & 0xf0`, `min(x, 7)`, `-1..1`), and each tightens the others (a reduced product).

/// The numbers that a value of 32 bits may be. A boolean is 0 or 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Range {
    /// The smallest number, without sign.
    pub umin: u32,
    /// The largest number, without sign.
    pub umax: u32,
    /// The smallest number, with sign.
    pub smin: i32,
    /// The largest number, with sign.
    pub smax: i32,
    /// Bits that are 0 in every number.
    pub zeros: u32,
    /// Bits that are 1 in every number.
    pub ones: u32,
}

impl Range {
    /// Every number.
    pub const ALL: Range = Range { umin: 0, umax: u32::MAX, smin: i32::MIN, smax: i32::MAX, zeros: 0, ones: 0 };
    /// No number: what is never computed.
    pub const NONE: Range = Range { umin: 1, umax: 0, smin: 1, smax: 0, zeros: u32::MAX, ones: u32::MAX };
    /// Either boolean.
    pub const BOOL: Range = Range::ALL.meet_unsigned(0, 1);

    /// Just this number.
    pub const fn just(n: u32) -> Range {
        Range { umin: n, umax: n, smin: n as i32, smax: n as i32, zeros: !n, ones: n }
    }
    /// The numbers from `min` to `max`, without sign.
    pub const fn unsigned(min: u32, max: u32) -> Range {
        Range::ALL.meet_unsigned(min, max)
    }
    /// The numbers from `min` to `max`, with sign.
    pub fn signed(min: i32, max: i32) -> Range {
        Range { smin: min, smax: max, ..Range::ALL }.tight()
    }
    /// The numbers with these bits.
    pub fn bits(zeros: u32, ones: u32) -> Range {
        Range { zeros, ones, ..Range::ALL }.tight()
    }

    /// Whether there is no such number: the place is never reached.
    pub const fn is_empty(self) -> bool {
        self.umin > self.umax || self.smin > self.smax || self.zeros & self.ones != 0
    }
    /// Whether nothing is known.
    pub fn is_all(self) -> bool {
        self == Range::ALL
    }
    /// The number, if there is one only.
    pub fn constant(self) -> Option<u32> {
        (self.umin == self.umax).then_some(self.umin)
    }
    /// How many bits the largest number has, without sign: what a field must have to hold every number.
    pub fn width(self) -> u32 {
        32 - self.umax.leading_zeros()
    }

    /// The numbers that are in one or the other, and some between.
    pub fn join(self, o: Range) -> Range {
        if self.is_empty() {
            return o;
        }
        if o.is_empty() {
            return self;
        }
        Range {
            umin: self.umin.min(o.umin),
            umax: self.umax.max(o.umax),
            smin: self.smin.min(o.smin),
            smax: self.smax.max(o.smax),
            zeros: self.zeros & o.zeros,
            ones: self.ones & o.ones,
        }
    }
    /// The numbers that are in both.
    pub fn meet(self, o: Range) -> Range {
        Range {
            umin: self.umin.max(o.umin),
            umax: self.umax.min(o.umax),
            smin: self.smin.max(o.smin),
            smax: self.smax.min(o.smax),
            zeros: self.zeros | o.zeros,
            ones: self.ones | o.ones,
        }
        .tight()
    }
    const fn meet_unsigned(self, min: u32, max: u32) -> Range {
        let r = Range { umin: if min > self.umin { min } else { self.umin }, umax: if max < self.umax { max } else { self.umax }, ..self };
        r.tight()
    }

    /// The widening operator, from `self` to include `o`: bounds that move go to their extreme at once, known bits that change become
    /// unknown. So a value that changes in each iteration of a loop reaches a fixpoint after a few steps.
    pub fn widen(self, o: Range) -> Range {
        let r = self.join(o);
        if self.is_empty() {
            return r;
        }
        Range {
            umin: if r.umin < self.umin { 0 } else { r.umin },
            umax: if r.umax > self.umax { u32::MAX } else { r.umax },
            smin: if r.smin < self.smin { i32::MIN } else { r.smin },
            smax: if r.smax > self.smax { i32::MAX } else { r.smax },
            zeros: if r.zeros == self.zeros { r.zeros } else { 0 },
            ones: if r.ones == self.ones { r.ones } else { 0 },
        }
    }

    /// Tightens each component by the others.
    pub(super) const fn tight(mut self) -> Range {
        let mut step = 0;
        while step < 2 {
            if self.is_empty() {
                return Range::NONE;
            }
            // Bits bound the number.
            if self.ones > self.umin {
                self.umin = self.ones;
            }
            if !self.zeros < self.umax {
                self.umax = !self.zeros;
            }
            // An interval on one side of the sign is the same interval in both readings.
            if (self.umax as i32) >= 0 || (self.umin as i32) < 0 {
                if self.umin as i32 > self.smin {
                    self.smin = self.umin as i32;
                }
                if (self.umax as i32) < self.smax {
                    self.smax = self.umax as i32;
                }
            }
            if self.smin >= 0 || self.smax < 0 {
                if self.smin as u32 > self.umin {
                    self.umin = self.smin as u32;
                }
                if (self.smax as u32) < self.umax {
                    self.umax = self.smax as u32;
                }
            }
            if self.is_empty() {
                return Range::NONE;
            }
            // Bits above the highest one in which the ends differ are the same in all between.
            let differ = self.umin ^ self.umax;
            let same = match differ.leading_zeros() {
                32 => u32::MAX,
                n => !(u32::MAX >> n),
            };
            self.ones |= self.umin & same;
            self.zeros |= !self.umin & same;
            step += 1;
        }
        if self.is_empty() { Range::NONE } else { self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_narrow_each_other() {
        let r = Range::unsigned(0, 9);
        assert_eq!((r.smin, r.smax, r.zeros), (0, 9, !15));
        let r = Range::signed(-3, -1);
        assert_eq!((r.umin, r.umax, r.ones), (0xffff_fffd, u32::MAX, !3));
        let r = Range::bits(!0x30, 0x10);
        assert_eq!((r.umin, r.umax), (0x10, 0x30));
        assert_eq!(Range::signed(-1, 1).umax, u32::MAX);
        assert!(Range::unsigned(3, 5).meet(Range::unsigned(6, 9)).is_empty());
        assert!(Range::just(4).meet(Range::bits(4, 0)).is_empty());
        assert_eq!(Range::NONE.join(Range::just(7)), Range::just(7));
        assert_eq!(Range::BOOL.width(), 1);
        assert_eq!(Range::just(u32::MAX).constant(), Some(u32::MAX));
    }
}
