import Foundation
import TestSupport
import Testing

/// Pages in Chromium, where it is installed: browser.py says what is checked.
@Suite struct BrowserTests {
  private static let isHere = ["chromium", "chromedriver", "python3"].allSatisfy { name in
    ["/usr/bin/", "/usr/local/bin/", "/opt/homebrew/bin/"].contains {
      FileManager.default.isExecutableFile(atPath: $0 + name)
    } || name == "python3"
  }

  private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  @Test(.enabled(if: isHere, "chromium and chromium-driver are not installed"), .timeLimit(.minutes(5)))
  func pagesDoInABrowserWhatTheGuideSays() throws {
    let folder = try TemporaryFolder()
    let store = folder.file("quakes.sqlite")
    _ = try run(BuiltProduct.perilune.path, [Self.root.path + "/Examples/quakes.lua", store])
    let script = Self.root.path + "/Tests/PageTests/Browser/browser.py"
    let lines = try run(
      "/usr/bin/env", ["timeout", "-k", "1", "480", "python3", script, BuiltProduct.perilune.path, store, folder.path]
    )
    .split(separator: "\n")
    #expect(lines.count >= 10, "\(lines)")
    for line in lines where !line.hasPrefix("ok ") { Issue.record("\(line)") }
  }

  private func run(_ program: String, _ arguments: [String]) throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: program)
    process.arguments = arguments
    // A file: a process of the browser that outlives the script would keep a pipe open.
    let output = try TemporaryFolder()
    let path = output.file("output")
    _ = FileManager.default.createFile(atPath: path, contents: nil)
    process.standardOutput = FileHandle(forWritingAtPath: path)
    process.standardInput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    return try String(contentsOfFile: path, encoding: .utf8)
  }
}
