// naga's MSL includes this beside <metal_stdlib> and takes nothing from it.
#pragma once
