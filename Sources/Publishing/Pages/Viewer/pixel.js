// The colour of a pixel of a picture, as its file has it.

class PixelReader {
  constructor() {
    const options = { alpha: true, antialias: false, depth: false };
    this.gl = document.createElement("canvas").getContext("webgl", options);
    if (this.gl) this.prepare(this.gl);
    const canvas = part("canvas", { width: 1, height: 1 });
    this.plain = canvas.getContext("2d", { willReadFrequently: true });
  }

  prepare(gl) {
    gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
    gl.bindFramebuffer(gl.FRAMEBUFFER, gl.createFramebuffer());
    gl.pixelStorei(gl.UNPACK_PREMULTIPLY_ALPHA_WEBGL, false);
    gl.pixelStorei(gl.UNPACK_COLORSPACE_CONVERSION_WEBGL, gl.NONE);
  }

  // Red, green, blue and alpha, of 255. Throws if the page may not look into the file, as on a disk.
  read(image, column, row) {
    return this.readExactly(image, column, row) ?? this.readPlainly(image, column, row);
  }

  // Colours that were not multiplied with their alpha: those of faint pixels are not rounded.
  readExactly(image, column, row) {
    const { gl } = this;
    if (!gl || gl.isContextLost()) return null;
    if (this.image !== image) {
      gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, image);
      const texture = gl.getParameter(gl.TEXTURE_BINDING_2D);
      gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, texture, 0);
      this.image = image;
    }
    if (gl.checkFramebufferStatus(gl.FRAMEBUFFER) !== gl.FRAMEBUFFER_COMPLETE) return null;
    const pixel = new Uint8Array(4);
    gl.readPixels(column, row, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
    return [...pixel];
  }

  readPlainly(image, column, row) {
    this.plain.clearRect(0, 0, 1, 1);
    this.plain.drawImage(image, -column, -row);
    return [...this.plain.getImageData(0, 0, 1, 1).data];
  }
}

// `#aabbcc, alpha 50.2 %` in English
function colourText([red, green, blue, alpha]) {
  if (alpha === 0) return phrase("viewer.transparent");
  const digits = [red, green, blue].map((one) => one.toString(16).padStart(2, "0")).join("");
  return phrase("viewer.alpha", { color: `#${digits}`, percent: Number((alpha / 2.55).toFixed(1)) });
}
