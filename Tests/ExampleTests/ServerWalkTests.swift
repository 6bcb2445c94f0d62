import Foundation
import Glibc
import TestSupport
import Testing

/// What docs/postgres.md has people type, from their first server to several, does what it shows.
@Suite(.enabled(if: PostgresServer.isInstalled)) struct ServerWalkTests {
  private static let document = "docs/postgres.md"

  @Test func theWalkGoesFromOneServerToTwo() {
    let parts = Documentation.all.walks[Self.document] ?? []
    #expect(parts.contains { $0.source.contains("initdb -D one") } && parts.contains { $0.program == "pgbouncer" })
    #expect(parts.contains { $0.source.contains("postgres_fdw") } && parts.count { $0.expected != nil } >= 5)
  }

  @Test func theWalkPrintsWhatIsShown() throws {
    let folder = try TemporaryFolder(forSocketsOf: "walk")
    let programs = try #require(PostgresServer.programs)
    var parts = Documentation.all.walks[Self.document] ?? []
    let path =
      ["/usr/sbin", "/usr/local/sbin"]
      + (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init)
    parts.removeAll { part in
      guard let program = part.program else { return false }
      let isMissing = !path.contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(program)") }
      if isMissing { print("\(part.place) is left out: there is no \(program)") }
      return isMissing
    }
    // Servers that a failed part has left are ended with it.
    var script = """
      set -e
      trap 'for data in one two; do if [ -f $data/postmaster.pid ]; then pg_ctl -D $data -m immediate stop; fi; done >/dev/null 2>&1; \
        if [ -f pool.pid ]; then kill -9 "$(cat pool.pid)"; fi' EXIT

      """
    for (number, part) in parts.enumerated() {
      script += "echo '=== \(number)'\n" + part.source.replacing("/usr/lib/postgresql/15/bin", with: programs) + "\n"
    }
    try script.write(toFile: folder.file("walk.sh"), atomically: true, encoding: .utf8)
    let output = try Perilune.runCommand(Self.asSomebody(folder) + ["bash", "walk.sh"], path: path, in: folder)
    #expect(output.status == 0, "\(output.errors)")
    let answers = output.text.components(separatedBy: "=== ").dropFirst().map { answer in
      answer.split(separator: "\n", omittingEmptySubsequences: false).dropFirst().joined(separator: "\n")
    }
    #expect(answers.count == parts.count, "\(output.text) \(output.errors)")
    for (part, answer) in zip(parts, answers) {
      #expect(visibleLines(answer) == visibleLines(part.expected ?? ""), "\(part.place)")
    }
  }

  /// What runs a command as another user where the tests run as root, for whom no server starts.
  private static func asSomebody(_ folder: TemporaryFolder) throws -> [String] {
    guard geteuid() == 0 else { return [] }
    for name in ["postgres", "nobody"] {
      guard let user = getpwnam(name) else { continue }
      chown(folder.url.path, user.pointee.pw_uid, user.pointee.pw_gid)
      return ["setpriv", "--reuid", name, "--regid", "\(user.pointee.pw_gid)", "--clear-groups"]
    }
    return []
  }
}
