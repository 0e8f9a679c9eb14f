@file:Suppress("unused", "UNUSED_PARAMETER")

package android.util

object Log {
    @JvmStatic fun w(tag: String, message: String): Int = 0.also { System.err.println("$tag: $message") }
    @JvmStatic fun w(tag: String, message: String, error: Throwable?): Int = w(tag, "$message $error")
}

/** Hides Kotlin's in a file that imports android.util.*. */
class Pair<F, S>(@JvmField val first: F, @JvmField val second: S)

/** As in Android, two threads may both create a value, of which one is kept. */
open class LruCache<K : Any, V : Any>(private val maxSize: Int) {
    private val map = LinkedHashMap<K, V>(0, 0.75f, true)

    protected open fun create(key: K): V? = null

    operator fun get(key: K): V? {
        synchronized(this) { map[key] }?.let { return it }
        val value = create(key) ?: return null
        return synchronized(this) {
            map[key] ?: value.also {
                map[key] = it
                if (map.size > maxSize) map.remove(map.keys.first())
            }
        }
    }
}
