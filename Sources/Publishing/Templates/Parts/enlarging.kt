/** The part of an ancestor's file that a tile at a higher zoom shows, enlarged to a tile. */
private fun enlarged(file: ByteArray, x: Int, y: Int, steps: Int): ByteArray {
    val picture = BitmapFactory.decodeByteArray(file, 0, file.size) ?: throw IOException("no picture")
    val (width, height) = Pair(picture.width, picture.height)
    val part = Bitmap.createBitmap(width, height, Bitmap.Config.ARGB_8888)
    val count = 1 shl steps
    val matrix = Matrix()
    matrix.setScale(count.toFloat(), count.toFloat())
    matrix.postTranslate(-(x % count * width).toFloat(), -(y % count * height).toFloat())
    // The canvas shows a part of the whole picture, so that pixels beyond the part are used at its edges,
    // and nothing larger than a tile is in memory.
    Canvas(part).drawBitmap(picture, matrix, Paint(Paint.FILTER_BITMAP_FLAG))
    return ByteArrayOutputStream().also { part.compress(Bitmap.CompressFormat.PNG, 100, it) }.toByteArray()
}
