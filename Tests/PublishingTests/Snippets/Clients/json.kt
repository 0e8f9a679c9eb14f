// The public names of org.json that snippets use, as they are in Android:
// https://developer.android.com/reference/org/json/package-summary.

@file:Suppress("unused", "UNUSED_PARAMETER")

package org.json

class JSONObject(json: String) {
    fun getString(name: String) = ""
    fun optString(name: String) = ""
    fun getInt(name: String) = 0
    fun optBoolean(name: String) = false
    fun getJSONArray(name: String) = JSONArray()
    fun getJSONObject(name: String) = JSONObject("")
    fun getDouble(name: String) = 0.0
}

class JSONArray {
    fun length() = 0
    fun get(index: Int) = Any()
    fun getDouble(index: Int) = 0.0
}
