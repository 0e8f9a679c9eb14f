// An activity with the fragments of AndroidX, after their references. Nothing is shown.

@file:Suppress("unused", "UNUSED_PARAMETER")

package androidx.fragment.app

import android.content.Context
import android.os.Bundle
import android.widget.FrameLayout
import android.widget.View
import java.io.File

open class Fragment

open class FragmentTransaction {
    fun add(container: Int, fragment: Fragment) = this
    fun commit() = 0
}

open class FragmentManager {
    fun findFragmentById(id: Int): Fragment? = null
    fun beginTransaction() = FragmentTransaction()
}

open class FragmentActivity : Context(File(".")) {
    val supportFragmentManager = FragmentManager()

    protected open fun onCreate(savedInstanceState: Bundle?) {}
    fun addContentView(view: View, params: FrameLayout.LayoutParams) {}
}
