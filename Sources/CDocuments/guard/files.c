#include "sandbox.h"

#if defined(__linux__) && __has_include(<linux/landlock.h>)

#include <fcntl.h>
#include <linux/landlock.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

// Landlock: what may be read, by folder. Kernels have it since 5.13.

/* Libraries and what they read: fonts and fontconfig's lists of them, poppler's tables of Asian characters,
 * types of files, conversions of text. Where a system keeps all software in one place, that place. */
static const char *const readable[] = {
    "/lib",
    "/lib64",
    "/usr/lib",
    "/usr/lib64",
    "/usr/local/lib",
    "/etc/ld.so.cache",
    "/etc/fonts",
    "/usr/local/etc/fonts",
    "/usr/share/fontconfig",
    "/var/cache/fontconfig",
    "/usr/share/fonts",
    "/usr/local/share/fonts",
    "/usr/share/texmf/fonts",
    "/usr/share/texlive/texmf-dist/fonts",
    "/usr/share/ghostscript",
    "/usr/share/poppler",
    "/usr/share/mime",
    "/nix/store",
    "/gnu/store",
    "/home/linuxbrew/.linuxbrew",
};

/* The same of the user: below HOME. */
static const char *const readable_at_home[] = {
    ".fonts", ".fonts.conf", ".local/share/fonts", ".config/fontconfig", ".cache/fontconfig",
};

#define COUNT(array) (sizeof(array) / sizeof *(array))

static uint64_t handled_rights(int version) {
    uint64_t rights = LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_WRITE_FILE
        | LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR | LANDLOCK_ACCESS_FS_REMOVE_DIR
        | LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_DIR
        | LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO
        | LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM;
    // LANDLOCK_ACCESS_FS_REFER and _TRUNCATE, which older headers lack.
    if (version >= 2) rights |= UINT64_C(1) << 13;
    if (version >= 3) rights |= UINT64_C(1) << 14;
    return rights;
}

/* What is not there needs no rule. */
static void allow(int rules, const char *path) {
    int descriptor = open(path, O_PATH | O_CLOEXEC);
    if (descriptor < 0) return;
    struct landlock_path_beneath_attr rule = {
        LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR, descriptor};
    // A file has no right to be listed.
    if (syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0)) {
        rule.allowed_access = LANDLOCK_ACCESS_FS_READ_FILE;
        syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
    }
    close(descriptor);
}

static void allow_at_home(int rules) {
    const char *home = getenv("HOME");
    if (!home || home[0] != '/') return;
    for (size_t index = 0; index < COUNT(readable_at_home); index++) {
        char path[4096];
        int length = snprintf(path, sizeof path, "%s/%s", home, readable_at_home[index]);
        if (length > 0 && (size_t)length < sizeof path) allow(rules, path);
    }
}

bool cd_restrict_files(void) {
    long version = syscall(SYS_landlock_create_ruleset, 0, 0, LANDLOCK_CREATE_RULESET_VERSION);
    if (version < 1) return false;
    struct landlock_ruleset_attr attributes = {.handled_access_fs = handled_rights((int)version)};
    // Of a kernel's larger structure, the rest is zero.
    int rules =
        (int)syscall(SYS_landlock_create_ruleset, &attributes, sizeof attributes.handled_access_fs, 0);
    if (rules < 0) return false;
    for (size_t index = 0; index < COUNT(readable); index++) allow(rules, readable[index]);
    allow_at_home(rules);
    bool is_restricted =
        !prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) && !syscall(SYS_landlock_restrict_self, rules, 0);
    close(rules);
    return is_restricted;
}

#else

bool cd_restrict_files(void) { return false; }

#endif
