// Android's pictures by those of Java. Java's own filter, not one of ours, enlarges them.

@file:Suppress("unused", "UNUSED_PARAMETER")

package android.graphics

import java.awt.RenderingHints
import java.awt.geom.AffineTransform
import java.awt.image.BufferedImage
import java.io.ByteArrayInputStream
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
        val image = runCatching { ImageIO.read(ByteArrayInputStream(data, offset, length)) }.getOrNull()
        if (options?.inJustDecodeBounds == true) {
            options.outWidth = image?.width ?: -1
            options.outHeight = image?.height ?: -1
            return null
        }
        count.incrementAndGet()
        return image?.let(::Bitmap)
    }
}

class Matrix {
    internal val transform = AffineTransform()

    fun setScale(x: Float, y: Float) = transform.setToScale(x.toDouble(), y.toDouble())
    fun postTranslate(x: Float, y: Float): Boolean {
        transform.preConcatenate(AffineTransform.getTranslateInstance(x.toDouble(), y.toDouble()))
        return true
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
    fun drawBitmap(picture: Bitmap, matrix: Matrix, paint: Paint?) {
        val graphics = bitmap.image.createGraphics()
        if (paint!!.flags and Paint.FILTER_BITMAP_FLAG != 0) {
            graphics.setRenderingHint(RenderingHints.KEY_INTERPOLATION, RenderingHints.VALUE_INTERPOLATION_BILINEAR)
        }
        graphics.drawImage(picture.image, matrix.transform, null)
        graphics.dispose()
    }
}
