// Android's files, as far as the code under test uses them: assets are files below a folder. In a package as Android
// builds it, files whose names end in .json are compressed, others are not; here, all in `compressed` are.

@file:Suppress("unused", "UNUSED_PARAMETER")

package android.content

import android.content.res.AssetManager
import java.io.File

open class Context(val folder: File) {
    val applicationContext get() = this
    val assets = AssetManager(File(folder, "assets"))
    val noBackupFilesDir = File(folder, "kept").also { it.mkdirs() }
    val packageCodePath: String = File(folder, "app.apk").path
    val resources = android.content.res.Resources()
}
