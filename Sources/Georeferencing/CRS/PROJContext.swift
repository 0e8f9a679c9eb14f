import CPROJ
import Platform

/// One context of PROJ (`PJ_CONTEXT`): silent, without network, its error texts kept for a `Failure`.
///
/// A context belongs to one thread at a time.
struct PROJContext: ~Copyable {
    /// The C handle.
    let handle: OpaquePointer
    private let log: PROJLog

    /// Creates a context (`proj_context_create`); the first one loads PROJ.
    init() throws {
        guard let handle = proj_context_create() else {
            throw Failure(
                .systemLimit, cannot: "load PROJ, the library for reference systems", nil,
                remedy: "install it (Debian: libproj25)")
        }
        self.handle = handle
        self.log = PROJLog()
        proj_context_set_enable_network(handle, 0)
        proj_context_use_proj4_init_rules(handle, 1)
        proj_log_func(handle, Unmanaged.passUnretained(log).toOpaque()) { log, _, text in
            guard let log, let text else { return }
            Unmanaged<PROJLog>.fromOpaque(log).takeUnretainedValue().record(String(cString: text))
        }
        _ = proj_log_level(handle, PJ_LOG_ERROR)
    }

    deinit { proj_context_destroy(handle) }

    /// Why the last call failed, in PROJ's words.
    var reason: String {
        log.last ?? "PROJ gives no reason"
    }

    /// Stops collecting error texts: coordinates that cannot be transformed are not worth a word.
    func muteLog() {
        _ = proj_log_level(handle, PJ_LOG_NONE)
    }
}

/// The last error text that PROJ gave to its log function.
private final class PROJLog {
    private(set) var last: String?

    /// Keeps a text without the name of the C function that PROJ puts in front of its words.
    func record(_ text: String) {
        last = text.hasPrefix("proj_create: ") ? String(text.dropFirst(13)) : text
    }
}
