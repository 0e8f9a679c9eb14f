package android

object R {
    @Suppress("ClassName") object id { const val content = 0x01020002 }
}
