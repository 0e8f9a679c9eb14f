// Public values are defined in the modules below. They are re-exported, so that programs which import the
// library see them.

@_exported public import Codecs
@_exported public import Platform
@_exported public import Georeferencing
@_exported public import Publishing
@_exported public import Raster
@_exported public import Rendering
@_exported public import Tilesets
@_exported public import Tiling
