// Android's files and preferences, as far as the code under test uses them: all are files below a folder. In
// a package as Android builds it, files whose names end in .json are compressed, others are not; here, all in
// `compressed` are.

@file:Suppress("unused", "UNUSED_PARAMETER")

package android.content

import android.content.res.AssetManager
import java.io.File
import java.util.UUID

open class Context(val folder: File) {
    val applicationContext get() = this
    val assets = AssetManager(File(folder, "assets"))
    val noBackupFilesDir = File(folder, "kept").also { it.mkdirs() }
    val packageCodePath: String = File(folder, "app.apk").path
    val resources = android.content.res.Resources()

    fun getSharedPreferences(name: String, mode: Int) = SharedPreferences(File(noBackupFilesDir, name))

    companion object { const val MODE_PRIVATE = 0 }
}

/** Each value is a file. */
class SharedPreferences(private val folder: File) {
    private fun file(key: String) = File(folder, UUID.nameUUIDFromBytes(key.toByteArray()).toString())

    fun getString(key: String, other: String?) = file(key).takeIf { it.exists() }?.readText() ?: other
    fun edit() = this
    fun putString(key: String, value: String) = apply { file(key).also { it.parentFile.mkdirs() }.writeText(value) }
    fun apply() {}
}
