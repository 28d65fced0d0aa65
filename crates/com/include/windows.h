/* The Windows base types that d3d9.h needs, for Linux x86-64. Part of ninefold. */
#ifndef NINEFOLD_WINDOWS_H
#define NINEFOLD_WINDOWS_H

#include <windef.h>

#ifndef COM_NO_WINDOWS_H
#include <objbase.h>
#endif

#endif
