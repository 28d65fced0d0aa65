/* Queries: which kinds there are, their sizes, and the protocol of Issue and GetData. */
#include "common.h"

static IDirect3DDevice9 *device;

static HRESULT wait(IDirect3DQuery9 *query, void *data, DWORD size)
{
    HRESULT hr;
    UINT turns = 0;
    while ((hr = IDirect3DQuery9_GetData(query, data, size, D3DGETDATA_FLUSH)) == S_FALSE && turns < 10000000)
        turns++;
    return hr;
}

static void kinds(void)
{
    static const struct { D3DQUERYTYPE kind; DWORD size; } table[] = {
        { D3DQUERYTYPE_EVENT, sizeof(BOOL) }, { D3DQUERYTYPE_OCCLUSION, sizeof(DWORD) },
        { D3DQUERYTYPE_TIMESTAMP, sizeof(UINT64) }, { D3DQUERYTYPE_TIMESTAMPDISJOINT, sizeof(BOOL) },
        { D3DQUERYTYPE_TIMESTAMPFREQ, sizeof(UINT64) },
    };
    IDirect3DQuery9 *query;
    UINT i;

    for (i = 0; i < sizeof table / sizeof *table; i++) {
        unsigned char data[16];
        OK(IDirect3DDevice9_CreateQuery(device, table[i].kind, NULL));
        OK(IDirect3DDevice9_CreateQuery(device, table[i].kind, &query));
        CHECK(IDirect3DQuery9_GetType(query) == table[i].kind, "the type of query %u", table[i].kind);
        CHECK(IDirect3DQuery9_GetDataSize(query) == table[i].size, "the size of query %u", table[i].kind);

        /* Before anything is issued there is an answer of nothing. */
        memset(data, 0xEE, sizeof data);
        OK(IDirect3DQuery9_GetData(query, NULL, 0, D3DGETDATA_FLUSH));
        OK(IDirect3DQuery9_GetData(query, data, table[i].size, D3DGETDATA_FLUSH));
        CHECK(data[0] == 0xDD && data[table[i].size - 1] == 0xDD && data[table[i].size] == 0xEE,
              "query %u begins with %02x", table[i].kind, data[0]);

        OK(IDirect3DQuery9_Issue(query, D3DISSUE_END));
        OK(IDirect3DQuery9_Issue(query, D3DISSUE_END));
        OK(wait(query, NULL, 0));
        memset(data, 0xEE, sizeof data);
        OK(IDirect3DQuery9_GetData(query, data, sizeof data, 0));
        /* Drivers count pixels with 64 bits where there is room. */
        CHECK(data[table[i].kind == D3DQUERYTYPE_OCCLUSION ? 8 : table[i].size] == 0xEE, "query %u writes past its size",
              table[i].kind);
        memset(data, 0xEE, sizeof data);
        OK(IDirect3DQuery9_GetData(query, data, 1, 0));
        CHECK(data[1] == 0xEE, "query %u writes past the room there is", table[i].kind);
        CHECK(IDirect3DQuery9_Release(query) == 0, "query %u", table[i].kind);
    }
    query = (void *)0xDEADBEEF;
    HR(D3DERR_NOTAVAILABLE, IDirect3DDevice9_CreateQuery(device, (D3DQUERYTYPE)3, &query));
    CHECK(query == (void *)0xDEADBEEF, "a failed CreateQuery gives a pointer");
    HR(D3DERR_NOTAVAILABLE, IDirect3DDevice9_CreateQuery(device, (D3DQUERYTYPE)99, NULL));
}

static void occlusion(void)
{
    static const float quad[] = { -1, -1, 0, -1, 1, 0, 1, -1, 0, 1, 1, 0 };
    IDirect3DQuery9 *query = NULL;
    DWORD pixels = 7;
    UINT turn;

    OK(IDirect3DDevice9_CreateQuery(device, D3DQUERYTYPE_OCCLUSION, &query));
    OK(IDirect3DDevice9_SetFVF(device, D3DFVF_XYZ));
    OK(IDirect3DDevice9_SetRenderState(device, D3DRS_LIGHTING, FALSE));
    clear(device, 0);
    for (turn = 0; turn < 2; turn++) {
        OK(IDirect3DQuery9_Issue(query, D3DISSUE_BEGIN));
        /* Beginning again begins anew. */
        OK(IDirect3DQuery9_Issue(query, D3DISSUE_BEGIN));
        HR(S_FALSE, IDirect3DQuery9_GetData(query, &pixels, sizeof pixels, D3DGETDATA_FLUSH));
        HR(S_FALSE, IDirect3DQuery9_GetData(query, NULL, 0, 0));
        OK(IDirect3DDevice9_BeginScene(device));
        OK(IDirect3DDevice9_DrawPrimitiveUP(device, D3DPT_TRIANGLESTRIP, 2, quad, 12));
        OK(IDirect3DDevice9_EndScene(device));
        OK(IDirect3DQuery9_Issue(query, D3DISSUE_END));
        OK(wait(query, &pixels, sizeof pixels));
        CHECK(pixels == EDGE * EDGE, "%u pixels passed", (unsigned)pixels);
        pixels = 7;
        OK(IDirect3DQuery9_GetData(query, &pixels, sizeof pixels, 0));
        CHECK(pixels == EDGE * EDGE, "%u pixels passed, asked again", (unsigned)pixels);
    }
    OK(IDirect3DQuery9_Issue(query, D3DISSUE_BEGIN));
    OK(IDirect3DQuery9_Issue(query, D3DISSUE_END));
    OK(wait(query, &pixels, sizeof pixels));
    CHECK(pixels == 0, "%u pixels of nothing passed", (unsigned)pixels);
    CHECK(IDirect3DQuery9_Release(query) == 0, "the query");
}

static void times(void)
{
    IDirect3DQuery9 *disjoint = NULL, *frequency = NULL, *first = NULL, *second = NULL;
    UINT64 hertz = 0, from = 0, to = 0;
    BOOL broken = 77;

    OK(IDirect3DDevice9_CreateQuery(device, D3DQUERYTYPE_TIMESTAMPDISJOINT, &disjoint));
    OK(IDirect3DDevice9_CreateQuery(device, D3DQUERYTYPE_TIMESTAMPFREQ, &frequency));
    OK(IDirect3DDevice9_CreateQuery(device, D3DQUERYTYPE_TIMESTAMP, &first));
    OK(IDirect3DDevice9_CreateQuery(device, D3DQUERYTYPE_TIMESTAMP, &second));
    OK(IDirect3DQuery9_Issue(disjoint, D3DISSUE_BEGIN));
    HR(S_FALSE, IDirect3DQuery9_GetData(disjoint, &broken, sizeof broken, D3DGETDATA_FLUSH));
    OK(IDirect3DQuery9_Issue(frequency, D3DISSUE_END));
    OK(IDirect3DQuery9_Issue(first, D3DISSUE_END));
    clear(device, 0);
    OK(IDirect3DQuery9_Issue(second, D3DISSUE_END));
    OK(IDirect3DQuery9_Issue(disjoint, D3DISSUE_END));
    OK(wait(disjoint, &broken, sizeof broken));
    OK(wait(frequency, &hertz, sizeof hertz));
    OK(wait(first, &from, sizeof from));
    OK(wait(second, &to, sizeof to));
    CHECK(broken == FALSE || broken == TRUE, "a clock that is %d", broken);
    CHECK(hertz > 0, "a clock that stands");
    CHECK(to >= from, "time runs backwards");
    IDirect3DQuery9_Release(disjoint);
    IDirect3DQuery9_Release(frequency);
    IDirect3DQuery9_Release(first);
    IDirect3DQuery9_Release(second);
}

int main(void)
{
    IDirect3D9 *d3d = make_d3d();
    device = make_device(d3d);
    kinds();
    occlusion();
    times();
    CHECK(IDirect3DDevice9_Release(device) == 0, "something still holds the device");
    CHECK(IDirect3D9_Release(d3d) == 0, "something still holds Direct3D");
    return finish("queries");
}
