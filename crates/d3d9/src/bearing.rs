//! The directions of a panorama.

/// One of the nine directions of a panorama.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Bearing(u8);

impl Bearing {
    /// How many there are.
    pub const COUNT: usize = 9;
    /// Straight up.
    pub const UP: Bearing = Bearing(6);
    /// Straight down.
    pub const DOWN: Bearing = Bearing(7);
    /// Wherever [`Panorama::set_free`](crate::Panorama::set_free) says.
    pub const FREE: Bearing = Bearing(8);

    /// The bearing `turn` sixths of a circle to the right of straight ahead.
    pub const fn ring(turn: u8) -> Self {
        Bearing(turn % 6)
    }

    /// The bearing of a number: 0 to 5 around the ring, 6 up, 7 down, 8 free.
    pub const fn new(number: u8) -> Option<Self> {
        if (number as usize) < Self::COUNT {
            Some(Bearing(number))
        } else {
            None
        }
    }

    /// Its number, 0 to 8.
    pub const fn number(self) -> u8 {
        self.0
    }

    /// All nine, in the order of their numbers.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..Self::COUNT as u8).map(Bearing)
    }

    /// Whether it is one of the six around.
    pub const fn is_ring(self) -> bool {
        self.0 < 6
    }
}
