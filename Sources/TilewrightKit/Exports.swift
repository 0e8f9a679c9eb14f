// The values that cross the face of the library stand in the modules that make them. Whoever imports the
// library sees them by their names.

@_exported public import Camera
@_exported public import Codecs
@_exported public import Diagnostics
@_exported public import Georeferencing
@_exported public import Publishing
@_exported public import Raster
@_exported public import Resampling
@_exported public import Tilesets
@_exported public import Tiling
