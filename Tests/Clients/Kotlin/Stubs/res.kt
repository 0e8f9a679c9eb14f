@file:Suppress("unused")

package android.content.res

import java.io.*

class AssetManager(private val folder: File) {
    val compressed = HashSet<String>()

    fun open(path: String): InputStream = FileInputStream(File(folder, path))

    fun openFd(path: String): Closeable {
        if (path in compressed) throw FileNotFoundException("This file can not be opened as a file descriptor")
        return open(path)
    }
}

class DisplayMetrics(val density: Float = 2f)

class Resources { val displayMetrics = DisplayMetrics() }
