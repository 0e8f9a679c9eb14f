extension GoldenTileset {
    /// How many tiles each tileset has, and the hash of their pixels. A test that fails prints the
    /// line to put here.
    static let digests: [String: String] = [
        "gray noise in degrees, area": "9 tiles, a26111cb74bac1e7",
        "gray noise in degrees, lanczos": "9 tiles, 580f80e2b9e72f7f",
        "thin plate spline, area": "9 tiles, f36de9713a31b07a",
        "thin plate spline, cubic": "9 tiles, d25833b3bb1ac00b",
        "thin plate spline, lanczos": "9 tiles, 50048329e65a03a4",
        "thin plate spline, nearest": "9 tiles, 94c0bba023ff1ce1",
        "three sheets with alpha, area": "6 tiles, ad9b0a6b172d51a9",
        "three sheets with alpha, lanczos": "6 tiles, 224bb60df8ba8d85",
        "tiles of 512 pixels, cubic": "6 tiles, e233cba9128d3a90",
        "turned plan by four corners, area": "9 tiles, 272543adc04f4e47",
        "turned plan by four corners, bilinear": "9 tiles, 250113ee7a4eb1b7",
        "turned plan by four corners, cubic": "9 tiles, f9da6ec81f12e3af",
        "turned plan by four corners, lanczos": "9 tiles, 7b01e947225f940c",
        "turned plan by four corners, mode": "9 tiles, 1d5e28ec5573f041",
        "turned plan by four corners, nearest": "9 tiles, 4ab4a98d0b66be77",
        "turned plan over a colour, other kernels below": "9 tiles, 13ff7b65d1f21cea",
        "upright plan, area": "6 tiles, a30410e07a0f1b03",
        "upright plan, bilinear": "6 tiles, eecfba9fbf2267db",
        "upright plan, cubic": "6 tiles, 501e45c7ca23417e",
        "upright plan, lanczos": "6 tiles, 859b73d2a1ce3edd",
        "upright plan, mode": "6 tiles, 04e1696b993cadb7",
        "upright plan, nearest": "6 tiles, c87e6a7dcbd24fe6",
    ]
}
