const __NAME__Layer = L.GridLayer.extend({
  createTile({ x, y, z }, done) {
    const canvas = document.createElement("canvas");
    canvas.stop = new AbortController();
    this.options.archive.draw(canvas, z, x, y, canvas.stop)
      .then(() => done(null, canvas), (error) => done(error, canvas));
    return canvas;
  },
});
