@file:Suppress("unused", "UNUSED_PARAMETER")

package android.widget

import android.content.Context

open class View(context: Context) {
    var layoutParams: FrameLayout.LayoutParams? = null
    var id = 0
    var contentDescription: CharSequence? = null
    var minimumWidth = 0
    var minimumHeight = 0
    fun setBackgroundColor(color: Int) {}
}

class RadioButton(context: Context) : View(context) {
    var text: CharSequence = ""
    fun setTextColor(color: Int) {}
}

class RadioGroup(context: Context) : View(context) {
    val buttons = ArrayList<RadioButton>()
    var checked = -1
        private set
    private var listener: (RadioGroup, Int) -> Unit = { _, _ -> }

    fun addView(button: RadioButton) { buttons.add(button) }
    fun check(id: Int) {
        if (id == checked) return
        checked = id
        listener(this, id)
    }
    fun setOnCheckedChangeListener(action: (RadioGroup, Int) -> Unit) { listener = action }
}
