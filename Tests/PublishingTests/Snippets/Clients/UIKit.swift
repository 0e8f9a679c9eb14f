@_exported import GoogleMaps
