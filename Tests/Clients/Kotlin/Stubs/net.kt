package android.net

import java.net.URLDecoder
import java.net.URLEncoder

object Uri {
    @JvmStatic fun decode(text: String): String =
        try { URLDecoder.decode(text.replace("+", "%2B"), "UTF-8") } catch (error: IllegalArgumentException) { text }
    @JvmStatic fun encode(text: String): String = URLEncoder.encode(text, "UTF-8").replace("+", "%20")
}
