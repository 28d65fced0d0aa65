/* COM for C and C++: GUIDs, IUnknown, and the macros that declare interfaces. Part of ninefold. */
#ifndef NINEFOLD_OBJBASE_H
#define NINEFOLD_OBJBASE_H

#include <windef.h>
#include <guiddef.h>

#ifndef interface
#define interface struct
#endif

#ifdef __cplusplus
#define EXTERN_C extern "C"
#else
#define EXTERN_C extern
#endif
#define STDAPI EXTERN_C HRESULT
#define STDAPI_(type) EXTERN_C type

#if defined(__cplusplus) && !defined(CINTERFACE)

#define PURE = 0
#define THIS_
#define THIS void
#define STDMETHOD(method) virtual HRESULT method
#define STDMETHOD_(type, method) virtual type method
#define DECLARE_INTERFACE(iface) struct iface
#define DECLARE_INTERFACE_(iface, base) struct iface : public base

#else

#define PURE
#define THIS_ INTERFACE *This,
#define THIS INTERFACE *This
#define STDMETHOD(method) HRESULT (*method)
#define STDMETHOD_(type, method) type (*method)
#define DECLARE_INTERFACE(iface) \
    typedef struct iface { \
        const struct iface##Vtbl *lpVtbl; \
    } iface; \
    typedef struct iface##Vtbl iface##Vtbl; \
    struct iface##Vtbl
#define DECLARE_INTERFACE_(iface, base) DECLARE_INTERFACE(iface)

#endif

#include <unknwn.h>

#endif
