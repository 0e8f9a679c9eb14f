@file:Suppress("unused", "UNUSED_PARAMETER")

package android.database.sqlite

import android.database.Cursor
import java.io.Closeable
import java.io.File
import java.sql.DriverManager
import java.sql.SQLException

class SQLiteException(message: String) : RuntimeException(message)

class SQLiteDatabase private constructor(private val path: String) : Closeable {
    private val connection = DriverManager.getConnection("jdbc:sqlite:file:$path?mode=ro")

    fun rawQuery(sql: String, arguments: Array<String>?): Cursor = guarded {
        val rows = connection.createStatement().executeQuery(sql)
        val all = ArrayList<List<Any?>>()
        while (rows.next()) all.add(List(rows.metaData.columnCount) { rows.getObject(it + 1) })
        Cursor(all)
    }

    override fun close() = connection.close()

    companion object {
        const val OPEN_READONLY = 1

        @JvmStatic
        fun openDatabase(path: String, factory: Any?, flags: Int, handler: (SQLiteDatabase) -> Unit): SQLiteDatabase {
            if (!File(path).exists()) throw SQLiteException("cannot open $path")
            return guarded { SQLiteDatabase(path).also { it.rawQuery("SELECT 1 FROM sqlite_master", null) } }
        }

        private fun <T> guarded(action: () -> T): T =
            try { action() } catch (error: SQLException) { throw SQLiteException("${error.message}") }
    }
}
