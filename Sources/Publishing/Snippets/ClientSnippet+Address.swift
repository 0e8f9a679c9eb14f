import Tilesets
import Tiling

extension ClientSnippet {
    /// The values of the placeholders for the address. Each client has its own way to count rows from
    /// the south and to use quadkeys.
    var addresses: SourceTemplate.Values {
        let template = AddressTemplate(versionedAddress, scheme: metadata.scheme)
        let quadkey = template.hasQuadkey ? client.language.quadkeyFunction(of: typeName) : []
        var values: SourceTemplate.Values = [
            "URL": [client.language.expression(template)],
            "ADDRESS": [client.language.literal(template.text())],
            "SCHEME": [client.language.literal(template.countsFromSouth ? "tms" : "xyz")],
            "QUADKEY": quadkey, "TMS": [], "TMS_NOTE": [],
        ]
        switch client {
        case .leaflet:
            if template.hasQuadkey {
                // No `tms`: it would count the quadkey's rows from the south, too.
                values["QUADKEY"] = Self.leafletQuadkey
                let row = template.countsFromSouth ? "{-y}" : "{y}"
                values["ADDRESS"] = [client.language.literal(template.text(row: row))]
            } else if template.countsFromSouth {
                values["TMS"] = ["tms: true"]
                values["TMS_NOTE"] = ["Rows are counted from the south."]
            }
        case .openlayers:
            values["SOURCE"] =
                template.hasQuadkey
                ? [
                    "tileUrlFunction: ([zoom, x, y]) =>",
                    "  " + client.language.expression(template),
                ]
                : [
                    "url: "
                        + client.language.literal(
                            template.text(row: template.countsFromSouth ? "{-y}" : "{y}"))
                ]
        default: break
        }
        return values
    }

    /// The address with the tileset's version, so that no cache serves old tiles after an update.
    private var versionedAddress: String {
        let text = address.text
        guard let digest = metadata.contents?.digest, !digest.isEmpty else { return text }
        return text + (text.contains("?") ? "&" : "?") + "v=" + digest.prefix(8)
    }

    /// An option that Leaflet calls for each tile.
    private static let leafletQuadkey = [
        "// The address in one word: a digit per zoom, 0 NW, 1 NE, 2 SW, 3 SE.",
        "quadkey: ({ x, y, z }) => Array.from({ length: z }, (_, i) => z - 1 - i)",
        "  .map((bit) => (x >> bit & 1) | (y >> bit & 1) << 1).join(\"\")",
    ]
}
