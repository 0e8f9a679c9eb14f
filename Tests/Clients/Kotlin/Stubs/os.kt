// The main thread of an app, by hand: what was posted runs when the checks say so.

package android.os

import java.util.PriorityQueue

class Looper {
    companion object { @JvmStatic fun getMainLooper() = Looper() }
}

class Handler(@Suppress("UNUSED_PARAMETER") looper: Looper) {
    fun post(action: Runnable) = postDelayed(action, 0)
    fun postDelayed(action: Runnable, milliseconds: Long): Boolean = synchronized(waiting) {
        waiting.add(Triple(now + milliseconds, number++, action))
    }

    companion object {
        private val waiting = PriorityQueue(compareBy<Triple<Long, Int, Runnable>>({ it.first }, { it.second }))
        private var now = 0L
        private var number = 0

        /** Lets time pass on the main thread. */
        fun pass(milliseconds: Long) {
            val end = now + milliseconds
            while (true) {
                val next = synchronized(waiting) { waiting.peek()?.takeIf { it.first <= end }?.also { waiting.poll() } } ?: break
                now = next.first
                next.third.run()
            }
            now = end
        }
    }
}
