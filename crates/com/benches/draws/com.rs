//! The COM ABI, called as a C program calls it: through vtables.

use std::ffi::c_void;
use std::ptr;

use ninefold_d3d9::consts::*;

use crate::scene::*;

type Object = *mut c_void;

/// The method of an object at a slot that `d3d9.h` names, as a function of type `F`.
fn method<F: Copy>(object: Object, interface: &str, name: &str) -> F {
    assert_eq!(size_of::<F>(), size_of::<usize>());
    let tables = d3d9::layout::vtables();
    let (_, slots) = tables
        .iter()
        .find(|(i, _)| *i == interface)
        .expect("an interface");
    let (_, offset) = slots.iter().find(|(n, _)| *n == name).expect("a method");
    // SAFETY: a COM object begins with a pointer to its vtable, of which the layout test says what
    // lies where; callers name the method's own type.
    unsafe {
        let vtable = object.cast::<*const u8>().read();
        vtable.add(*offset).cast::<F>().read()
    }
}

macro_rules! signatures {
    ($($name:ident($($ty:ty),*);)*) => {
        #[allow(non_snake_case)]
        struct Methods {
            $($name: unsafe extern "C" fn(Object $(, $ty)*) -> i32,)*
        }

        impl Methods {
            fn of(device: Object) -> Self {
                Self { $($name: method(device, "IDirect3DDevice9Ex", stringify!($name)),)* }
            }
        }
    };
}

signatures! {
    SetRenderState(u32, u32);
    SetTextureStageState(u32, u32, u32);
    SetTexture(u32, Object);
    SetTransform(u32, *const [[f32; 4]; 4]);
    SetVertexShaderConstantF(u32, *const [[f32; 4]; 8], u32);
    SetVertexShader(Object);
    SetPixelShader(Object);
    SetFVF(u32);
    SetStreamSource(u32, Object, u32, u32);
    DrawPrimitive(u32, u32, u32);
    Clear(u32, *const c_void, u32, u32, f32, u32);
    BeginScene();
    EndScene();
    Present(*const c_void, *const c_void, *const c_void, *const c_void);
    CreateTexture(u32, u32, u32, u32, u32, u32, *mut Object, *mut c_void);
    CreateVertexBuffer(u32, u32, u32, u32, *mut Object, *mut c_void);
    CreateVertexShader(*const u32, *mut Object);
    CreatePixelShader(*const u32, *mut Object);
    CreateOffscreenPlainSurface(u32, u32, u32, u32, *mut Object, *mut c_void);
    GetFrontBufferData(u32, Object);
}

pub(crate) struct Com {
    device: Object,
    methods: Methods,
    textures: [Object; 2],
    vertex_shader: Object,
    pixel_shader: Object,
}

/// `D3DPRESENT_PARAMETERS`.
#[repr(C)]
struct Parameters {
    before_window: [u32; 8],
    window: *mut c_void,
    after_window: [u32; 6],
}

/// `D3DLOCKED_RECT`.
#[repr(C)]
struct Locked {
    pitch: i32,
    bits: *mut u8,
}

fn check(code: i32) {
    assert_eq!(code, 0, "the scene's calls are valid");
}

impl Com {
    pub(crate) fn new() -> Option<Self> {
        let direct3d = d3d9::Direct3DCreate9(32).cast_mut();
        if direct3d.is_null() {
            return None;
        }
        let create: unsafe extern "C" fn(
            Object,
            u32,
            u32,
            *mut c_void,
            u32,
            *mut Parameters,
            *mut Object,
        ) -> i32 = method(direct3d, "IDirect3D9Ex", "CreateDevice");
        let mut parameters = Parameters {
            before_window: [
                EDGE,
                EDGE,
                D3DFMT_X8R8G8B8,
                1,
                0,
                0,
                D3DSWAPEFFECT_DISCARD,
                0,
            ],
            window: ptr::null_mut(),
            after_window: [1, 1, D3DFMT_D24S8, 0, 0, 0],
        };
        let mut device = ptr::null_mut();
        let mut buffer = ptr::null_mut();
        let (mut vertex_shader, mut pixel_shader) = (ptr::null_mut(), ptr::null_mut());
        // SAFETY: each call has the arguments of its method in `d3d9.h`, which live long enough.
        unsafe {
            check(create(
                direct3d,
                0,
                1,
                ptr::null_mut(),
                0x40,
                &mut parameters,
                &mut device,
            ));
            let m = Methods::of(device);
            let null = ptr::null_mut();
            check((m.CreateVertexBuffer)(
                device,
                300 * STRIDE,
                0,
                FVF,
                D3DPOOL_MANAGED,
                &mut buffer,
                null,
            ));
            let lock: unsafe extern "C" fn(Object, u32, u32, *mut *mut u8, u32) -> i32 =
                method(buffer, "IDirect3DVertexBuffer9", "Lock");
            let unlock: unsafe extern "C" fn(Object) -> i32 =
                method(buffer, "IDirect3DVertexBuffer9", "Unlock");
            let mut bits = ptr::null_mut();
            check(lock(buffer, 0, 0, &mut bits, 0));
            let vertices = vertices();
            bits.copy_from(vertices.as_ptr(), vertices.len());
            check(unlock(buffer));
            check((m.SetStreamSource)(device, 0, buffer, 0, STRIDE));
            check((m.SetFVF)(device, FVF));
            check((m.SetRenderState)(device, D3DRS_LIGHTING, 0));
            check((m.SetRenderState)(device, D3DRS_CULLMODE, 1));
            check((m.CreateVertexShader)(
                device,
                VERTEX_SHADER.as_ptr(),
                &mut vertex_shader,
            ));
            check((m.CreatePixelShader)(
                device,
                PIXEL_SHADER.as_ptr(),
                &mut pixel_shader,
            ));
            let textures = [0xFFFF_FFFFu32, 0xFF80_8080].map(|texel| {
                let mut texture = ptr::null_mut();
                check((m.CreateTexture)(
                    device,
                    1,
                    1,
                    1,
                    0,
                    D3DFMT_A8R8G8B8,
                    D3DPOOL_MANAGED,
                    &mut texture,
                    null,
                ));
                let lock: unsafe extern "C" fn(
                    Object,
                    u32,
                    *mut Locked,
                    *const c_void,
                    u32,
                ) -> i32 = method(texture, "IDirect3DTexture9", "LockRect");
                let unlock: unsafe extern "C" fn(Object, u32) -> i32 =
                    method(texture, "IDirect3DTexture9", "UnlockRect");
                let mut locked = Locked {
                    pitch: 0,
                    bits: ptr::null_mut(),
                };
                check(lock(texture, 0, &mut locked, ptr::null(), 0));
                locked.bits.cast::<u32>().write(texel);
                check(unlock(texture, 0));
                texture
            });
            Some(Self {
                device,
                methods: m,
                textures,
                vertex_shader,
                pixel_shader,
            })
        }
    }
}

impl Api for Com {
    fn begin(&mut self) {
        let flags = D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER;
        // SAFETY: as in `new`.
        unsafe {
            check((self.methods.Clear)(
                self.device,
                0,
                ptr::null(),
                flags,
                0xFF00_0000,
                1.0,
                0,
            ));
            check((self.methods.BeginScene)(self.device));
        }
    }

    fn render_state(&mut self, state: u32, value: u32) {
        // SAFETY: as in `new`.
        check(unsafe { (self.methods.SetRenderState)(self.device, state, value) });
    }

    fn stage_state(&mut self, state: u32, value: u32) {
        // SAFETY: as in `new`.
        check(unsafe { (self.methods.SetTextureStageState)(self.device, 0, state, value) });
    }

    fn texture(&mut self, number: usize) {
        let texture = self.textures[number];
        // SAFETY: as in `new`.
        check(unsafe { (self.methods.SetTexture)(self.device, 0, texture) });
    }

    fn world(&mut self, matrix: &[[f32; 4]; 4]) {
        // SAFETY: as in `new`.
        check(unsafe { (self.methods.SetTransform)(self.device, D3DTS_WORLD, matrix) });
    }

    fn constants(&mut self, values: &[[f32; 4]; 8]) {
        // SAFETY: as in `new`.
        check(unsafe { (self.methods.SetVertexShaderConstantF)(self.device, 0, values, 8) });
    }

    fn shaders(&mut self, on: bool) {
        let (vertex, pixel) = if on {
            (self.vertex_shader, self.pixel_shader)
        } else {
            (ptr::null_mut(), ptr::null_mut())
        };
        // SAFETY: as in `new`.
        unsafe {
            check((self.methods.SetVertexShader)(self.device, vertex));
            check((self.methods.SetPixelShader)(self.device, pixel));
        }
    }

    fn draw(&mut self, start: u32) {
        // SAFETY: as in `new`.
        check(unsafe { (self.methods.DrawPrimitive)(self.device, D3DPT_TRIANGLELIST, start, 1) });
    }

    fn end(&mut self) {
        let null = ptr::null();
        // SAFETY: as in `new`.
        unsafe {
            check((self.methods.EndScene)(self.device));
            check((self.methods.Present)(self.device, null, null, null, null));
        }
    }

    fn middle(&mut self) -> [u8; 3] {
        let mut surface = ptr::null_mut();
        let mut locked = Locked {
            pitch: 0,
            bits: ptr::null_mut(),
        };
        // SAFETY: as in `new`; the surface has the size of the back buffer.
        unsafe {
            check((self.methods.CreateOffscreenPlainSurface)(
                self.device,
                EDGE,
                EDGE,
                D3DFMT_A8R8G8B8,
                D3DPOOL_SYSTEMMEM,
                &mut surface,
                ptr::null_mut(),
            ));
            check((self.methods.GetFrontBufferData)(self.device, 0, surface));
            let lock: unsafe extern "C" fn(Object, *mut Locked, *const c_void, u32) -> i32 =
                method(surface, "IDirect3DSurface9", "LockRect");
            check(lock(surface, &mut locked, ptr::null(), 0));
            let at = (EDGE / 2) as usize * locked.pitch as usize + (EDGE / 2) as usize * 4;
            let bits = locked.bits.add(at);
            [bits.read(), bits.add(1).read(), bits.add(2).read()]
        }
    }
}
