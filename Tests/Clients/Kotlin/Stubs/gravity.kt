package android.view

object Gravity {
    const val CENTER_VERTICAL = 0x10
    const val END = 0x800005
}
