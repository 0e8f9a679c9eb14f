import Foundation
import TestSupport
import Testing

/// `Examples/Night/Makefile` and `github-workflow.yml`, as their user would run them.
@Suite(.needs("make"))
struct NightMakeTests {
    private func written(_ night: NightFolder, _ plan: String) throws -> Int? {
        struct Report: Decodable {
            struct Output: Decodable { var tiles: [String: Int]? }
            var outputs: [Output]
        }
        let data = try Data(contentsOf: night.workshop.file("reports/\(plan).json"))
        return try JSONDecoder().decode(Report.self, from: data).outputs.first?.tiles?["written"]
    }

    @Test("Only plans with other contents are built again, not those that a checkout has touched")
    func nights() throws {
        let night = try NightFolder("Makefile")
        let plans = (0..<(TestRun.isComplete ? 30 : 4)).map { "plan\($0)" }
        for (index, plan) in plans.enumerated() { try night.draw(plan, mark: 20 + index) }
        let first = try night.run("make -k -j8")
        #expect(first.status == 0, "\(first.errors)")
        #expect(try plans.allSatisfy { try written(night, $0) ?? 0 > 0 })
        let pending = try night.text("pending")
        #expect(
            plans.allSatisfy { pending.contains("added https://example.org/tiles/\($0)/tilejson.json\n") })
        // Nothing is newer than its tiles, and make starts nothing.
        #expect(try !night.run("make -k -j8").output.contains("tilewright"))

        try FileManager.default.removeItem(at: night.workshop.file("pending"))
        let made = try plans.map { try FileIdentities(of: night.workshop.file("tiles/\($0)")) }
        // A run that starts nothing would have no tiles to report.
        let second = try night.run("rm reports/*; touch plans/*; make -k -j8")
        #expect(second.status == 0, "\(second.errors)")
        #expect(try plans.allSatisfy { try written(night, $0) == 0 })
        #expect(try plans.map { try FileIdentities(of: night.workshop.file("tiles/\($0)")) } == made)
        #expect(try !night.workshop.has("pending") || night.text("pending").isEmpty)

        // One plan changes, the position of another one, and one is damaged.
        try night.draw(plans[1], mark: 100)
        let world = try night.text("plans/\(plans[2]).pgw").replacing("0.0475", with: "0.0485")
        try night.workshop.write(world.utf8, to: "plans/\(plans[2]).pgw")
        try night.workshop.write("no plan".utf8, to: "plans/\(plans[0]).png")
        let third = try night.run("make -k -j8")
        #expect(third.status == 2 && third.errors.contains("plans/\(plans[0]).png"), "\(third.errors)")
        #expect(try written(night, plans[1]) ?? 0 > 0 && written(night, plans[2]) ?? 0 > 0)
        #expect(try FileIdentities(of: night.workshop.file("tiles/\(plans[0])")) == made[0])
        let news = try night.text("pending").split(separator: "\n")
        #expect(!news.isEmpty && news.allSatisfy { $0.contains(plans[1]) || $0.contains(plans[2]) })
    }

    @Test("A tileset is uploaded after it has changed, and again until an upload succeeds", .needs("python3"))
    func publish() throws {
        let night = try NightFolder("Makefile")
        let server = try BucketServer()
        for plan in ["one", "two"] { try night.draw(plan) }
        func publish() throws -> (status: Int32, requests: [String]) {
            let command =
                "env \(server.environment.joined(separator: " ")) make -k publish STORE=s3://plans/tiles"
            let status = try night.run(command).status
            return (status, try server.takeRequests())
        }
        #expect(try night.run("make -k -j2").status == 0)
        #expect(try publish().status == 0)
        let objects = try server.objects(below: "tiles/")
        #expect(objects["one/tilejson.json"] != nil && objects["two/tilejson.json"] != nil)
        let idle = try publish()
        #expect(idle.status == 0 && idle.requests.isEmpty, "\(idle.requests)")

        try night.draw("two", mark: 100)
        #expect(try night.run("make -k -j2").status == 0)
        try server.refuse(true)
        #expect(try publish().status == 2)
        try server.refuse(false)
        let news = try publish()
        #expect(news.status == 0 && news.requests.contains("PUT /plans/tiles/two/tilejson.json"))
        #expect(!news.requests.contains { $0.contains("/one/") }, "\(news.requests)")
    }

    @Test("All plans together use as many jobs as make allows")
    func jobServer() throws {
        let night = try NightFolder("Makefile")
        try night.draw("plan")
        try night.install(
            "tilewright", #"echo "$MAKEFLAGS" > flags; { : <&3; } 2> closed; mkdir -p tiles/plan"#)
        _ = try night.run("make -j8")
        let flags = try night.text("flags")
        #expect(flags.contains("-j8") && flags.contains("--jobserver-auth="))
        // make 4.3 leaves the pipe open only for recipes with '+'.
        if flags.contains("auth=3,") { #expect(try night.text("closed").isEmpty) }
    }

    @Test("The steps of the GitHub workflow build, sum up and fail", .needs("jq"), .needsPython("yaml"))
    func workflow() throws {
        let night = try NightFolder("Makefile", "github-workflow.yml")
        let script = """
            import json, sys, yaml
            workflow = yaml.safe_load(open(sys.argv[1]))
            assert "schedule" in workflow[True] and workflow["permissions"]["pages"] == "write"
            print(json.dumps([{"run": step.get("run", ""), "uses": step.get("uses", ""), "if": step.get("if", "")}
                              for step in workflow["jobs"]["tiles"]["steps"]]))
            """
        let outcome = try Python.run(
            script, [night.workshop.path("github-workflow.yml")], with: ["yaml"])
        let steps = try JSONDecoder().decode([[String: String]].self, from: Data(outcome.output.utf8))
        let actions = steps.compactMap { $0["uses"]?.split(separator: "@").first }
        #expect(
            actions == [
                "actions/checkout", "actions/cache/restore", "actions/cache/save",
                "actions/upload-pages-artifact", "actions/deploy-pages",
            ])

        /// The steps as GitHub runs them; those with `always()` even after a failure.
        func pass() throws -> (status: Int32, summary: String) {
            try night.workshop.write([], to: "summary")
            var status: Int32 = 0
            for step in steps {
                guard let run = step["run"], !run.isEmpty, status == 0 || step["if"] == "always()" else {
                    continue
                }
                let outcome = try night.run(
                    "set -eo pipefail\n\(run)", "GITHUB_STEP_SUMMARY=summary", "GITHUB_REPOSITORY=me/plans")
                if status == 0 { status = outcome.status }
            }
            return (status, try night.text("summary"))
        }

        try night.draw("ground")
        try night.draw("first", mark: 50)
        let first = try pass()
        #expect(
            first.status == 0 && first.summary.contains(/\| ground \| done \| [1-9][0-9]* \| 0 \| 0 \|  \|/))
        #expect(try night.text("tiles/first/tilejson.json").contains("https://me.github.io/plans/first/"))
        // The next checkout has other times, and no reports.
        try #require(night.run("rm -r reports pending; touch plans/*").status == 0)
        let second = try pass()
        #expect(second.status == 0 && second.summary.contains(/\| first \| done \| 0 \| [1-9][0-9]* \|/))
        try night.workshop.write("no plan".utf8, to: "plans/first.png")
        let third = try pass()
        #expect(
            third.status == 2 && third.summary.contains(/\| first \| .*cannot read .*first\.png/), "\(third)")
    }
}
