//! Where things are in the one build that the native routines are for: the retail PC
//! build 1.0.10.0621, a PE32 based at 400000h.

/// What a node's byte is divided by to give a part of its parent's axis; FFh is the
/// maximum. Other public notes say 255.
pub const BOUNDS_DIVISOR: f32 = 254.0;

/// Where the executable is loaded.
pub const IMAGE_BASE: u32 = 0x0040_0000;

/// Globals.
pub mod global {
    /// The camera's frustum (18Ch bytes).
    pub const VIEW_FRUSTUM: u32 = 0x007C_3168;
    /// The cluster that the camera is in, -1 outside of the BSP.
    pub const CAMERA_CLUSTER: u32 = 0x007C_3348;
    /// One record of [`RECORD_SIZE`] bytes per visible cluster, at most [`RECORDS`].
    pub const RECORD_LIST: u32 = 0x007C_3390;
    /// Bytes in a record.
    pub const RECORD_SIZE: u32 = 0x1A0;
    /// Records that there is room for.
    pub const RECORDS: u32 = 128;
    /// How many records there are.
    pub const RECORD_COUNT: u32 = 0x007D_0390;
    /// A bit for each surface of the level: the view sees it.
    pub const SURFACE_BITS: u32 = 0x007D_0394;
    /// Bytes reserved for the bits.
    pub const SURFACE_BITS_SIZE: u32 = 0x0008_0000;
    /// How many bits were set, 16 bits.
    pub const SURFACE_COUNT: u32 = 0x0085_0394;
    /// The list of visible surfaces.
    pub const SURFACE_LIST: u32 = 0x0085_0398;
    /// A byte: structures use the PVS for visible surfaces.
    pub const PVS_FLAG: u32 = 0x0072_4A45;
    /// Pointer to the structure BSP.
    pub const STRUCTURE_BSP: u32 = 0x0074_6F9C;
}

/// Visible surfaces that a view marks at most.
pub const SURFACE_LIMIT: i16 = 0x4000;
/// Entries that a surface list has at most.
pub const LIST_LIMIT: u32 = 0x7FFF;

/// The callback that does nothing: a bare `ret`.
pub const BARE_RETURN: u32 = 0x0044_AD80;

/// A routine of the engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Routine {
    /// 004CC0D0: the product of two matrices.
    MatrixProduct,
    /// 00553380: a BSP node's bounds from its parent's and six bytes.
    NodeBounds,
    /// 00554260: a box against planes.
    BoxPlanes,
    /// 005541B0: a box against a box.
    BoxOverlap,
    /// 00552C20: indices and vertex numbers of the visible surfaces.
    SurfaceList,
    /// 00552DE0: the walk over lightmaps and materials.
    MaterialWalk,
    /// 00553920: marks the surfaces that a view sees.
    VisibleSurfaces,
    /// 005540C0: gathers the surfaces of a BSP leaf.
    LeafGather,
    /// 00553C40: gathers the surfaces of clusters.
    ClusterGather,
    /// 00553F10: gathers the surfaces of a BSP tree.
    TreeGather,
    /// 0050D5B0: a box against a frustum. Calls of it are native only inside of
    /// [`Routine::VisibleSurfaces`].
    FrustumBox,
    /// 00553D80: gathers by clusters and tree. It has no native version.
    WholeGather,
}

impl Routine {
    /// All, native ones first.
    pub const ALL: [Routine; 12] = [
        Routine::MatrixProduct,
        Routine::NodeBounds,
        Routine::BoxPlanes,
        Routine::BoxOverlap,
        Routine::SurfaceList,
        Routine::MaterialWalk,
        Routine::VisibleSurfaces,
        Routine::LeafGather,
        Routine::ClusterGather,
        Routine::TreeGather,
        Routine::FrustumBox,
        Routine::WholeGather,
    ];

    /// How many of [`Routine::ALL`] have a native version of their own.
    pub const NATIVE: usize = 10;

    /// Address of its first instruction.
    pub const fn address(self) -> u32 {
        match self {
            Routine::MatrixProduct => 0x004C_C0D0,
            Routine::NodeBounds => 0x0055_3380,
            Routine::BoxPlanes => 0x0055_4260,
            Routine::BoxOverlap => 0x0055_41B0,
            Routine::SurfaceList => 0x0055_2C20,
            Routine::MaterialWalk => 0x0055_2DE0,
            Routine::VisibleSurfaces => 0x0055_3920,
            Routine::LeafGather => 0x0055_40C0,
            Routine::ClusterGather => 0x0055_3C40,
            Routine::TreeGather => 0x0055_3F10,
            Routine::FrustumBox => 0x0050_D5B0,
            Routine::WholeGather => 0x0055_3D80,
        }
    }

    /// Bytes from its first instruction to the end of its last one, where that is known.
    pub const fn size(self) -> Option<u32> {
        Some(match self {
            Routine::MatrixProduct => 384,
            Routine::NodeBounds => 265,
            Routine::BoxPlanes => 434,
            Routine::BoxOverlap => 175,
            Routine::SurfaceList => 192,
            Routine::MaterialWalk => 629,
            Routine::VisibleSurfaces => 322,
            Routine::LeafGather => 218,
            Routine::ClusterGather => 308,
            Routine::TreeGather => 428,
            Routine::FrustumBox => 731,
            Routine::WholeGather => return None,
        })
    }

    /// The routine at an address.
    #[inline]
    pub const fn at(address: u32) -> Option<Routine> {
        Some(match address {
            0x004C_C0D0 => Routine::MatrixProduct,
            0x0055_3380 => Routine::NodeBounds,
            0x0055_4260 => Routine::BoxPlanes,
            0x0055_41B0 => Routine::BoxOverlap,
            0x0055_2C20 => Routine::SurfaceList,
            0x0055_2DE0 => Routine::MaterialWalk,
            0x0055_3920 => Routine::VisibleSurfaces,
            0x0055_40C0 => Routine::LeafGather,
            0x0055_3C40 => Routine::ClusterGather,
            0x0055_3F10 => Routine::TreeGather,
            0x0050_D5B0 => Routine::FrustumBox,
            0x0055_3D80 => Routine::WholeGather,
            _ => return None,
        })
    }

    /// Whether it is one of the three gathers that have a native version.
    pub(crate) const fn is_gather(self) -> bool {
        matches!(
            self,
            Routine::LeafGather | Routine::ClusterGather | Routine::TreeGather
        )
    }

    /// What it is, in a few words.
    pub const fn name(self) -> &'static str {
        match self {
            Routine::MatrixProduct => "matrix product",
            Routine::NodeBounds => "node bounds",
            Routine::BoxPlanes => "box against planes",
            Routine::BoxOverlap => "box against box",
            Routine::SurfaceList => "surface list",
            Routine::MaterialWalk => "material walk",
            Routine::VisibleSurfaces => "visible surfaces",
            Routine::LeafGather => "leaf gather",
            Routine::ClusterGather => "cluster gather",
            Routine::TreeGather => "tree gather",
            Routine::FrustumBox => "box against frustum",
            Routine::WholeGather => "whole gather",
        }
    }

    /// The routines that it calls, in the order of its call instructions; `None` for a
    /// call through a pointer.
    pub const fn calls(self) -> &'static [Option<Routine>] {
        use Routine::*;
        match self {
            MaterialWalk => &[None, None, None, None],
            VisibleSurfaces => &[Some(FrustumBox)],
            LeafGather => &[Some(NodeBounds), Some(BoxOverlap), Some(BoxPlanes)],
            ClusterGather => &[Some(BoxOverlap), Some(BoxPlanes)],
            TreeGather => &[
                Some(NodeBounds),
                Some(BoxOverlap),
                Some(BoxPlanes),
                Some(LeafGather),
                Some(TreeGather),
            ],
            _ => &[],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn routines_are_found_at_their_addresses() {
        for (number, routine) in Routine::ALL.into_iter().enumerate() {
            assert_eq!(Routine::at(routine.address()), Some(routine));
            assert_eq!(routine as usize, number);
            assert_eq!(Routine::at(routine.address() + 1), None);
        }
    }
}
