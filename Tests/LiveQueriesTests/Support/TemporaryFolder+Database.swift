import Foundation
import TestSupport

extension TemporaryFolder {
  /// Makes a database with the statements of `sql`, as another program would.
  func database(_ name: String, _ sql: String) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/sqlite3")
    process.arguments = ["-bail", file(name), sql]
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw CocoaError(.fileWriteUnknown) }
    return file(name)
  }
}
