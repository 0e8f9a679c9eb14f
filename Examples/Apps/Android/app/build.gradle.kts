import org.jetbrains.kotlin.gradle.dsl.JvmTarget

plugins {
    id("com.android.application") version "8.13.0"
    id("org.jetbrains.kotlin.android") version "2.2.20"
}

android {
    namespace = "org.example.harbourmall"
    compileSdk = 36
    defaultConfig {
        applicationId = "org.example.harbourmall"
        minSdk = 24
        targetSdk = 36
        versionCode = 1
        versionName = "1.0"
    }
    compileOptions {
        sourceCompatibility = JavaVersion.VERSION_17
        targetCompatibility = JavaVersion.VERSION_17
    }
    // Archives are read in parts, so they must not be compressed.
    androidResources { noCompress += listOf("pmtiles", "mbtiles") }
}

kotlin { compilerOptions { jvmTarget = JvmTarget.JVM_17 } }

dependencies {
    implementation("androidx.fragment:fragment:1.8.9")
    implementation("com.google.android.gms:play-services-maps:19.2.0")
}
