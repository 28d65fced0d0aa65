use crate::image::Image;

/// One level and layer of an image as a render target or depth-stencil surface.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attachment {
    /// The image, made with [`ImageUsage::COLOR`](crate::ImageUsage::COLOR) or
    /// [`ImageUsage::DEPTH`](crate::ImageUsage::DEPTH).
    pub image: Image,
    /// Mip level.
    pub level: u32,
    /// Cube face or volume slice.
    pub layer: u32,
    /// `D3DRS_SRGBWRITEENABLE`: the shader's output is encoded as sRGB. Ignored where the format
    /// has no sRGB form.
    pub srgb: bool,
    /// The format has no alpha (`D3DFMT_X8R8G8B8`): alpha is never written and reads as 1 in
    /// blending.
    pub opaque_alpha: bool,
}

impl Attachment {
    /// Level 0, layer 0, linear, with alpha.
    pub fn new(image: Image) -> Self {
        Self {
            image,
            level: 0,
            layer: 0,
            srgb: false,
            opaque_alpha: false,
        }
    }
}

/// What a pass draws into: `SetRenderTarget(0..4)` and `SetDepthStencilSurface`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Targets {
    /// Colour targets. Those with another sample count than the first one are not drawn into, nor
    /// is a depth target of another count or of less width or height; the drawable area is the
    /// intersection of the sizes of all that are.
    pub colors: [Option<Attachment>; 4],
    /// Depth-stencil target.
    pub depth: Option<Attachment>,
}
