// The public names of Android's utilities that snippets use, after its reference:
// https://developer.android.com/reference/android/util/package-summary.

@file:Suppress("unused", "UNUSED_PARAMETER")

package android.util

class LruCache<K, V>(maxSize: Int) {
    fun get(key: K): V? = null
    fun put(key: K, value: V): V? = null
}
