/* Fixed-function lighting: every term of the D3D9 lighting equation on its own. Lighting is per
 * vertex, so the quad's corners are placed alike and the whole quad has one colour. */
#include "common.h"

struct vertex {
    float x, y, z;
    float nx, ny, nz;
};

struct colored {
    float x, y, z;
    float nx, ny, nz;
    DWORD diffuse;
};

static IDirect3DDevice9 *device;

/* A quad over the whole target at z = 0.5, facing the viewer with a normal of this length. */
static void draw(float length)
{
    struct vertex quad[4] = {
        { -1, 1, 0.5f, 0, 0, -length }, { 1, 1, 0.5f, 0, 0, -length },
        { -1, -1, 0.5f, 0, 0, -length }, { 1, -1, 0.5f, 0, 0, -length },
    };
    draw_strip(device, D3DFVF_XYZ | D3DFVF_NORMAL, quad, sizeof quad[0]);
}

static D3DCOLORVALUE value(float r, float g, float b)
{
    D3DCOLORVALUE v = { r, g, b, 1 };
    return v;
}

static void material(D3DCOLORVALUE diffuse, D3DCOLORVALUE ambient, D3DCOLORVALUE specular,
                     D3DCOLORVALUE emissive, float power)
{
    D3DMATERIAL9 m = { diffuse, ambient, specular, emissive, power };
    OK(IDirect3DDevice9_SetMaterial(device, &m));
}

static D3DLIGHT9 light(D3DLIGHTTYPE type)
{
    D3DLIGHT9 l;
    memset(&l, 0, sizeof l);
    l.Type = type;
    l.Diffuse = value(1, 1, 1);
    l.Direction.z = 1;
    l.Range = 100;
    l.Attenuation0 = 1;
    return l;
}

static void set(const D3DLIGHT9 *l)
{
    OK(IDirect3DDevice9_SetLight(device, 0, l));
    OK(IDirect3DDevice9_LightEnable(device, 0, TRUE));
}

int main(void)
{
    IDirect3D9 *d3d = make_d3d();
    D3DCOLORVALUE black = { 0, 0, 0, 0 }, white = value(1, 1, 1);
    /* From the light at (0, 0, -0.5) to a corner at (1, 1, 0.5). */
    const double distance = sqrt(3), cosine = 1 / sqrt(3);
    D3DLIGHT9 l;

    device = make_device(d3d);
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_LIGHTING, TRUE));
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_CULLMODE, D3DCULL_NONE));

    /* Directional: diffuse = light * material * (N . -direction). */
    l = light(D3DLIGHT_DIRECTIONAL);
    l.Diffuse = value(1, 0.5f, 0.25f);
    set(&l);
    material(value(0.5f, 1, 1), black, black, black, 0);
    draw(1);
    EXPECT(device, rgb(0.5, 0.5, 0.25), "directional, head on");

    /* 60 degrees off: the cosine is a half. */
    l.Direction.y = (float)sin(M_PI / 3);
    l.Direction.z = 0.5f;
    set(&l);
    draw(1);
    EXPECT(device, rgb(0.25, 0.25, 0.125), "directional, 60 degrees");

    /* From behind: nothing. */
    l.Direction.y = 0;
    l.Direction.z = -1;
    set(&l);
    draw(1);
    EXPECT(device, 0, "directional, from behind");

    /* Normals are taken as they come, unless D3DRS_NORMALIZENORMALS; the cosine ends at 1. */
    l = light(D3DLIGHT_DIRECTIONAL);
    set(&l);
    material(value(0.25f, 0.25f, 0.25f), black, black, black, 0);
    draw(0.5f);
    EXPECT(device, rgb(0.125, 0.125, 0.125), "a normal of length 1/2");
    draw(2);
    EXPECT(device, rgb(0.25, 0.25, 0.25), "a normal of length 2");
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_NORMALIZENORMALS, TRUE));
    draw(0.5f);
    EXPECT(device, rgb(0.25, 0.25, 0.25), "a normal of length 1/2, normalised");
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_NORMALIZENORMALS, FALSE));

    /* Ambient and emissive: D3DRS_AMBIENT * material ambient + emissive, and the light's own. */
    OK(IDirect3DDevice9_LightEnable(device, 0, FALSE));
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_AMBIENT, 0x00204060));
    material(white, value(1, 0.5f, 1), black, value(0.25f, 0, 0), 0);
    draw(1);
    EXPECT(device, rgb(0x20 / 255.0 + 0.25, 0x20 / 255.0, 0x60 / 255.0), "ambient and emissive");
    l = light(D3DLIGHT_DIRECTIONAL);
    l.Diffuse = black;
    l.Ambient = value(0.25f, 0.25f, 0);
    set(&l);
    draw(1);
    EXPECT(device, rgb(0x20 / 255.0 + 0.5, 0x20 / 255.0 + 0.125, 0x60 / 255.0), "the light's ambient");
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_AMBIENT, 0));

    /* Point: 1 / (a0 + a1 d + a2 d^2), nothing beyond the range. */
    material(white, black, black, black, 0);
    l = light(D3DLIGHT_POINT);
    l.Position.z = -0.5f;
    set(&l);
    draw(1);
    EXPECT(device, rgb(cosine, cosine, cosine), "point, constant attenuation");
    l.Attenuation0 = 0;
    l.Attenuation1 = 1;
    set(&l);
    draw(1);
    EXPECT(device, rgb(cosine / distance, cosine / distance, cosine / distance), "point, linear attenuation");
    l.Attenuation1 = 0;
    l.Attenuation2 = 1;
    set(&l);
    draw(1);
    EXPECT(device, rgb(cosine / 3, cosine / 3, cosine / 3), "point, quadratic attenuation");
    l.Range = 1.7f;
    set(&l);
    draw(1);
    EXPECT(device, 0, "point, out of range");

    /* Spot: ((rho - cos(phi/2)) / (cos(theta/2) - cos(phi/2))) ^ falloff between the cones. */
    l = light(D3DLIGHT_SPOT);
    l.Position.z = -0.5f;
    l.Phi = (float)(2 * acos(0.4));
    l.Theta = (float)(2 * acos(0.8));
    l.Falloff = 1;
    set(&l);
    draw(1);
    {
        double factor = (cosine - 0.4) / 0.4;
        EXPECT(device, rgb(cosine * factor, cosine * factor, cosine * factor), "spot, falloff 1");
        l.Falloff = 2;
        set(&l);
        draw(1);
        factor *= factor;
        EXPECT(device, rgb(cosine * factor, cosine * factor, cosine * factor), "spot, falloff 2");
    }
    l.Theta = (float)(2 * acos(0.5));
    set(&l);
    draw(1);
    EXPECT(device, rgb(cosine, cosine, cosine), "spot, inside the inner cone");
    l.Phi = (float)(2 * acos(0.6));
    l.Theta = (float)(2 * acos(0.8));
    set(&l);
    draw(1);
    EXPECT(device, 0, "spot, outside the outer cone");

    /* Specular: (N . H) ^ power, H half way between the light and a viewer at infinity. */
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_LOCALVIEWER, FALSE));
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_SPECULARENABLE, TRUE));
    material(black, black, value(0.5f, 1, 0.25f), black, 4);
    l = light(D3DLIGHT_DIRECTIONAL);
    l.Specular = white;
    l.Direction.y = (float)sin(M_PI / 3);
    l.Direction.z = 0.5f;
    set(&l);
    draw(1);
    {
        double s = pow(cos(M_PI / 6), 4);
        EXPECT(device, rgb(0.5 * s, s, 0.25 * s), "specular, 60 degrees");
    }
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_SPECULARENABLE, FALSE));
    draw(1);
    EXPECT(device, 0, "specular switched off");

    /* The vertex colour is the diffuse material by default, and D3DRS_COLORVERTEX says no. */
    {
        struct colored quad[4] = {
            { -1, 1, 0.5f, 0, 0, -1, 0xFF00FF80 }, { 1, 1, 0.5f, 0, 0, -1, 0xFF00FF80 },
            { -1, -1, 0.5f, 0, 0, -1, 0xFF00FF80 }, { 1, -1, 0.5f, 0, 0, -1, 0xFF00FF80 },
        };
        material(value(1, 0, 0), black, black, black, 0);
        l = light(D3DLIGHT_DIRECTIONAL);
        set(&l);
        draw_strip(device, D3DFVF_XYZ | D3DFVF_NORMAL | D3DFVF_DIFFUSE, quad, sizeof quad[0]);
        EXPECT(device, 0x00FF80, "diffuse from the vertex");
        OK(IDirect3DDevice9_SetRenderState(device, D3DRS_COLORVERTEX, FALSE));
        draw_strip(device, D3DFVF_XYZ | D3DFVF_NORMAL | D3DFVF_DIFFUSE, quad, sizeof quad[0]);
        EXPECT(device, 0xFF0000, "diffuse from the material");
        OK(IDirect3DDevice9_SetRenderState(device, D3DRS_COLORVERTEX, TRUE));
        OK(IDirect3DDevice9_SetRenderState(device, D3DRS_DIFFUSEMATERIALSOURCE, D3DMCS_MATERIAL));
        draw_strip(device, D3DFVF_XYZ | D3DFVF_NORMAL | D3DFVF_DIFFUSE, quad, sizeof quad[0]);
        EXPECT(device, 0xFF0000, "diffuse from the material by its source");
    }

    /* Two lights add up, and saturate. */
    material(value(0.75f, 0.25f, 0.5f), black, black, black, 0);
    OK(IDirect3DDevice9_SetLight(device, 7, &l));
    OK(IDirect3DDevice9_LightEnable(device, 7, TRUE));
    draw(1);
    EXPECT(device, rgb(1, 0.5, 1), "two lights");

    CHECK(IDirect3DDevice9_Release(device) == 0, "the device is still referenced");
    CHECK(IDirect3D9_Release(d3d) == 0, "IDirect3D9 is still referenced");
    return finish("lighting");
}
