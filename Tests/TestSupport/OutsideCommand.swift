public import Foundation

/// A program of the system that a test runs, such as the compiler.
public enum OutsideCommand {
  /// What a command prints, its errors among it, and its status: 124 where it takes longer.
  public static func run(
    _ command: [String], in folder: URL? = nil, seconds: Int = 300
  ) throws -> (status: Int32, text: String) {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["timeout", String(seconds)] + command
    process.environment = TemporaryFolder.environment
    process.currentDirectoryURL = folder
    // A file, unlike a pipe, never fills up.
    let output = TemporaryFolder.ofThisRun.appending(path: UUID().uuidString)
    try Data().write(to: output)
    defer { try? FileManager.default.removeItem(at: output) }
    let handle = try FileHandle(forWritingTo: output)
    (process.standardOutput, process.standardError) = (handle, handle)
    try process.run()
    process.waitUntilExit()
    try handle.close()
    return (process.terminationStatus, String(decoding: try Data(contentsOf: output), as: UTF8.self))
  }
}
