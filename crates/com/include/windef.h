/* Windows base types for Linux x86-64: LONG, ULONG and DWORD have 32 bits here, as they have on
 * Windows, whatever the compiler's long has. Handles are opaque pointers. Part of ninefold. */
#ifndef NINEFOLD_WINDEF_H
#define NINEFOLD_WINDEF_H

#include <stddef.h>
#include <stdint.h>

/* One calling convention, that of the system. */
#ifndef __stdcall
#define __stdcall
#endif
#ifndef __cdecl
#define __cdecl
#endif
#ifndef __fastcall
#define __fastcall
#endif
#define WINAPI
#define APIENTRY
#define CALLBACK
#define STDAPICALLTYPE
#define STDMETHODCALLTYPE
#define STDMETHODVCALLTYPE

#ifndef FAR
#define FAR
#endif
#ifndef NEAR
#define NEAR
#endif
#ifndef CONST
#define CONST const
#endif
#ifndef VOID
#define VOID void
#endif
#ifndef IN
#define IN
#endif
#ifndef OUT
#define OUT
#endif

/* mingw-w64 writes 32-bit literals so. */
#ifndef __MSABI_LONG
#define __MSABI_LONG(x) x
#endif
#ifndef __LONG32
#define __LONG32 int
#endif
#ifndef DUMMYUNIONNAME
#define DUMMYUNIONNAME
#define DUMMYUNIONNAME1
#define DUMMYUNIONNAME2
#define DUMMYSTRUCTNAME
#define DUMMYSTRUCTNAME1
#define DUMMYSTRUCTNAME2
#endif

typedef char CHAR, *LPSTR, *PSTR;
typedef const char *LPCSTR, *PCSTR;
typedef wchar_t WCHAR, *LPWSTR, *PWSTR;
typedef const wchar_t *LPCWSTR, *PCWSTR;
typedef unsigned char UCHAR, BYTE, BOOLEAN, *PBYTE, *LPBYTE;
typedef signed char INT8;
typedef uint8_t UINT8;
typedef int16_t SHORT, INT16;
typedef uint16_t USHORT, UINT16, WORD, *LPWORD;
typedef int32_t LONG, INT, INT32, *PLONG, *LPLONG;
typedef uint32_t ULONG, UINT, UINT32, DWORD, *PULONG, *PDWORD, *LPDWORD;
typedef int64_t LONGLONG, INT64, LONG64;
typedef uint64_t ULONGLONG, UINT64, ULONG64, DWORD64;
typedef intptr_t INT_PTR, LONG_PTR;
typedef uintptr_t UINT_PTR, ULONG_PTR, DWORD_PTR;
typedef size_t SIZE_T;
typedef float FLOAT;
typedef double DOUBLE;
typedef void *PVOID, *LPVOID;
typedef const void *LPCVOID;
typedef int WINBOOL;
typedef WINBOOL BOOL, *PBOOL, *LPBOOL;
typedef int32_t HRESULT;

#ifndef TRUE
#define TRUE 1
#endif
#ifndef FALSE
#define FALSE 0
#endif

typedef void *HANDLE;
#define DECLARE_HANDLE(name) typedef struct name##__ *name
DECLARE_HANDLE(HWND);
DECLARE_HANDLE(HDC);
DECLARE_HANDLE(HMONITOR);
DECLARE_HANDLE(HINSTANCE);
DECLARE_HANDLE(HICON);
typedef HINSTANCE HMODULE;
typedef HICON HCURSOR;

typedef union _LARGE_INTEGER {
    struct {
        DWORD LowPart;
        LONG HighPart;
    };
    struct {
        DWORD LowPart;
        LONG HighPart;
    } u;
    LONGLONG QuadPart;
} LARGE_INTEGER;

typedef struct _LUID {
    DWORD LowPart;
    LONG HighPart;
} LUID;

typedef struct tagPOINT {
    LONG x;
    LONG y;
} POINT, *LPPOINT;

typedef struct tagSIZE {
    LONG cx;
    LONG cy;
} SIZE;

typedef struct tagRECT {
    LONG left;
    LONG top;
    LONG right;
    LONG bottom;
} RECT, *LPRECT;
typedef const RECT *LPCRECT;

/* The only kind of region data: dwSize of the header, then nCount rectangles. */
#define RDH_RECTANGLES 1

typedef struct _RGNDATAHEADER {
    DWORD dwSize;
    DWORD iType;
    DWORD nCount;
    DWORD nRgnSize;
    RECT rcBound;
} RGNDATAHEADER;

typedef struct _RGNDATA {
    RGNDATAHEADER rdh;
    char Buffer[1];
} RGNDATA;

typedef struct tagPALETTEENTRY {
    BYTE peRed;
    BYTE peGreen;
    BYTE peBlue;
    BYTE peFlags;
} PALETTEENTRY;

#define S_OK ((HRESULT)0)
#define S_FALSE ((HRESULT)1)
#define E_NOTIMPL ((HRESULT)0x80004001)
#define E_NOINTERFACE ((HRESULT)0x80004002)
#define E_POINTER ((HRESULT)0x80004003)
#define E_FAIL ((HRESULT)0x80004005)
#define E_OUTOFMEMORY ((HRESULT)0x8007000E)
#define E_INVALIDARG ((HRESULT)0x80070057)
#define SUCCEEDED(hr) ((HRESULT)(hr) >= 0)
#define FAILED(hr) ((HRESULT)(hr) < 0)
#define MAKE_HRESULT(severity, facility, code) \
    ((HRESULT)(((uint32_t)(severity) << 31) | ((uint32_t)(facility) << 16) | (uint32_t)(code)))

#endif
