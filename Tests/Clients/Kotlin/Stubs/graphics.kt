// Android's pictures by those of Java. Java's own filter, not one of ours, enlarges them.

@file:Suppress("unused", "UNUSED_PARAMETER")

package android.graphics

import java.awt.RenderingHints
import java.awt.image.BufferedImage
import java.io.ByteArrayInputStream
import java.io.InputStream
import java.io.OutputStream
import javax.imageio.ImageIO

class Bitmap(val image: BufferedImage) {
    enum class Config { ARGB_8888 }
    enum class CompressFormat { PNG }

    val width = image.width
    val height = image.height

    fun compress(format: CompressFormat, quality: Int, stream: OutputStream) = ImageIO.write(image, "png", stream)

    companion object {
        @JvmStatic
        fun createBitmap(width: Int, height: Int, config: Config) =
            Bitmap(BufferedImage(width, height, BufferedImage.TYPE_INT_ARGB_PRE))
    }
}

object BitmapFactory {
    class Options {
        @JvmField var inJustDecodeBounds = false
        @JvmField var outWidth = 0
        @JvmField var outHeight = 0
    }

    /** How many pictures were decoded. */
    val count = java.util.concurrent.atomic.AtomicInteger()

    @JvmStatic
    fun decodeByteArray(data: ByteArray, offset: Int, length: Int, options: Options? = null): Bitmap? {
        val file = ByteArrayInputStream(data, offset, length)
        if (options?.inJustDecodeBounds == true) return null.also { readEdges(file, options) }
        count.incrementAndGet()
        return runCatching { ImageIO.read(file) }.getOrNull()?.let(::Bitmap)
    }

    private fun readEdges(file: InputStream, options: Options) {
        val stream = ImageIO.createImageInputStream(file)
        val reader = ImageIO.getImageReaders(stream).asSequence().firstOrNull()
        reader?.input = stream
        options.outWidth = runCatching { reader!!.getWidth(0) }.getOrDefault(-1)
        options.outHeight = runCatching { reader!!.getHeight(0) }.getOrDefault(-1)
    }
}

class Rect(var left: Int, var top: Int, var right: Int, var bottom: Int) {
    fun offset(x: Int, y: Int) {
        left += x
        right += x
        top += y
        bottom += y
    }
}

class Paint(val flags: Int) {
    companion object { const val FILTER_BITMAP_FLAG = 2 }
}

object Color {
    const val BLACK = -0x1000000
    const val WHITE = -1
}

class Canvas(private val bitmap: Bitmap) {
    fun drawBitmap(picture: Bitmap, part: Rect?, to: Rect, paint: Paint?) {
        val graphics = bitmap.image.createGraphics()
        if (paint!!.flags and Paint.FILTER_BITMAP_FLAG != 0) {
            graphics.setRenderingHint(RenderingHints.KEY_INTERPOLATION, RenderingHints.VALUE_INTERPOLATION_BILINEAR)
        }
        graphics.drawImage(picture.image, to.left, to.top, to.right - to.left, to.bottom - to.top, null)
        graphics.dispose()
    }
}
