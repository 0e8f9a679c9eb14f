// The public names of Android's graphics that snippets use, after its reference:
// https://developer.android.com/reference/android/graphics/package-summary.

@file:Suppress("unused", "UNUSED_PARAMETER")

package android.graphics

import java.io.OutputStream

class Bitmap {
    enum class Config { ARGB_8888 }
    enum class CompressFormat { PNG }

    val width = 0
    val height = 0

    fun compress(format: CompressFormat, quality: Int, stream: OutputStream) = true

    companion object {
        @JvmStatic
        fun createBitmap(width: Int, height: Int, config: Config) = Bitmap()
    }
}

object BitmapFactory {
    @JvmStatic
    fun decodeByteArray(data: ByteArray, offset: Int, length: Int): Bitmap? = null
}

class Matrix {
    fun setScale(x: Float, y: Float) {}
    fun postTranslate(x: Float, y: Float) = true
}

class Paint(flags: Int) {
    companion object {
        const val FILTER_BITMAP_FLAG = 2
    }
}

class Canvas(bitmap: Bitmap) {
    fun drawBitmap(bitmap: Bitmap, matrix: Matrix, paint: Paint?) {}
}
