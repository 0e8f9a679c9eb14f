// A function that draws tiles of an archive.
const load__NAME__ = (archive, stop) => async (tile) => {
  const canvas = document.createElement("canvas");
  try {
    if (await archive.draw(canvas, ...tile.getTileCoord(), stop)) tile.setImage(canvas);
    else tile.setState(4); // There is no such tile.
  } catch {
    tile.setState(3); // Not now.
  }
};
