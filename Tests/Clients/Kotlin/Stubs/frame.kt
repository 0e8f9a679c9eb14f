@file:Suppress("unused", "UNUSED_PARAMETER")

package android.widget

import android.content.Context

class FrameLayout(context: Context) : View(context) {
    class LayoutParams(width: Int, height: Int, @JvmField var gravity: Int = -1) {

        companion object { const val WRAP_CONTENT = -2 }
    }
}

class Toast {
    fun show() {}

    companion object {
        const val LENGTH_LONG = 1

        @JvmStatic fun makeText(context: Context, text: CharSequence?, duration: Int) = Toast()
    }
}
