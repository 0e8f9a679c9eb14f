import Testing
import WebRequests

/// The hosts that a server accepts.
@Suite struct HostRuleTests {
    @Test(
        "hosts and ports are read as RFC 3986 writes them",
        arguments: [
            ("localhost", "localhost", nil), ("LocalHost:80", "localhost", 80),
            ("127.0.0.1:8080", "127.0.0.1", 8080),
            ("[::1]:8080", "[::1]", 8080), ("[2001:DB8::1]", "[2001:db8::1]", nil),
            ("a.example.", "a.example.", nil),
        ] as [(String, String, Int?)])
    func authority(text: String, host: String, port: Int?) throws {
        let authority = try #require(Authority(text))
        #expect(authority.host == host && authority.port == port)
    }

    @Test(
        "an invalid host is refused",
        arguments: [
            "", ":80", "a:", "a:b", "a:-1", "a:65536", "a:8080:1", "user@a", "a/b", "a b", "[::1", "::1",
            "[::1]80",
            "[g::1]", "[1.2.3.4]", "a\u{0}", "é.example", "a?b", String(repeating: "a", count: 300),
            "[fe80::1%25eth0]",
        ])
    func noAuthority(text: String) {
        #expect(Authority(text) == nil)
    }

    private func admitted(_ hosts: [String], by rule: HostRule) -> [String] {
        hosts.filter { host in Authority(host).map(rule.admits) ?? false }
    }

    private let hosts = [
        "127.0.0.1:8080", "localhost:8080", "[::1]:8080", "127.0.0.1", "127.0.0.1:9090", "evil.example:8080",
        "evil.example", "192.168.1.7:8080", "[fd00::7]:8080", "127.0.0.1.evil.example:8080",
        "plans.example:8080",
        "plans.example", "PLANS.example:443",
    ]

    @Test("a server on the loopback accepts only its names, with its own port")
    func loopback() {
        for address in ["127.0.0.1", "localhost", "::1"] {
            let rule = HostRule(listeningOn: address, port: 8080, allowed: [])
            #expect(admitted(hosts, by: rule) == ["127.0.0.1:8080", "localhost:8080", "[::1]:8080"])
        }
    }

    @Test("a server on all addresses accepts IP addresses, which DNS cannot redirect")
    func everywhere() {
        let expected = [
            "127.0.0.1:8080", "localhost:8080", "[::1]:8080", "192.168.1.7:8080", "[fd00::7]:8080",
        ]
        #expect(admitted(hosts, by: HostRule(listeningOn: "0.0.0.0", port: 8080, allowed: [])) == expected)
        #expect(admitted(hosts, by: HostRule(listeningOn: "::", port: 8080, allowed: [])) == expected)
    }

    @Test("a server on one address accepts this address, and names that were allowed")
    func allowed() throws {
        let any = try #require(Authority("Plans.example")),
            one = try #require(Authority("plans.example:8080"))
        let rule = HostRule(listeningOn: "192.168.1.7", port: 8080, allowed: [any])
        #expect(
            admitted(hosts, by: rule)
                == ["192.168.1.7:8080", "plans.example:8080", "plans.example", "PLANS.example:443"])
        let narrow = HostRule(listeningOn: "192.168.1.7", port: 8080, allowed: [one])
        #expect(admitted(hosts, by: narrow) == ["192.168.1.7:8080", "plans.example:8080"])
    }

    @Test("port 80 may be left out")
    func port80() {
        let rule = HostRule(listeningOn: "127.0.0.1", port: 80, allowed: [])
        #expect(
            admitted(["localhost", "localhost:80", "localhost:81"], by: rule) == [
                "localhost", "localhost:80",
            ])
    }
}
