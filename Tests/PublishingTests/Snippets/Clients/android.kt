// The public names of Android that snippets use, after its reference:
// https://developer.android.com/reference/android/os/package-summary.

@file:Suppress("unused", "UNUSED_PARAMETER")

package android.os

class Looper {
    companion object {
        @JvmStatic
        fun getMainLooper() = Looper()
    }
}

class Handler(looper: Looper) {
    // In Java a Runnable, which Kotlin makes of a function.
    fun post(action: () -> Unit) = true
}
