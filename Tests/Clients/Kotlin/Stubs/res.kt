@file:Suppress("unused")

package android.content.res

import java.io.*

class AssetManager(private val folder: File) {
    val compressed = HashSet<String>()

    fun open(path: String): InputStream = FileInputStream(File(folder, path))

    fun openFd(path: String): AssetFileDescriptor {
        if (path in compressed) throw FileNotFoundException("This file can not be opened as a file descriptor")
        return AssetFileDescriptor(File(folder, path))
    }
}

/** As in a package, the asset is a part of a larger file. */
class AssetFileDescriptor(file: File) : Closeable {
    val length = file.length()
    private val all = packages.getOrPut(file.path) {
        File.createTempFile("package", null).also {
            it.deleteOnExit()
            it.writeBytes(ByteArray(100) + file.readBytes() + ByteArray(100))
        }
    }

    fun createInputStream(): FileInputStream = object : FileInputStream(all) {
        private var left = this@AssetFileDescriptor.length

        init { super.skip(100) }

        override fun skip(count: Long) = super.skip(minOf(count, left)).also { left -= it }
        override fun read(bytes: ByteArray, offset: Int, count: Int): Int {
            if (left <= 0) return -1
            return super.read(bytes, offset, minOf(count.toLong(), left).toInt()).also { left -= it }
        }
    }

    override fun close() {}

    companion object { private val packages = java.util.concurrent.ConcurrentHashMap<String, File>() }
}

class DisplayMetrics(val density: Float = 2f)

class Resources { val displayMetrics = DisplayMetrics() }
