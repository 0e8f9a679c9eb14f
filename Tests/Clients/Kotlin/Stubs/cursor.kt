package android.database

import java.io.Closeable

class Cursor(private val rows: List<List<Any?>>) : Closeable {
    private var row = -1
    val count get() = rows.size

    fun moveToNext() = ++row < rows.size
    fun getString(column: Int): String? = rows[row][column]?.toString()
    fun getBlob(column: Int): ByteArray? = rows[row][column] as ByteArray?
    override fun close() {}
}
