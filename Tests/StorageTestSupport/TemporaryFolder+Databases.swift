import Foundation
package import TestSupport

extension TemporaryFolder {
  /// Makes a database with the statements of `sql`, as another program would.
  package func database(_ name: String, _ sql: String) throws -> String {
    let result = try sqlite3(file(name), sql)
    guard result.isEmpty else { throw CommandFailure(output: result) }
    return file(name)
  }

  /// A file of these bytes.
  package func write(_ name: String, _ bytes: [UInt8]) throws -> String {
    try Data(bytes).write(to: URL(fileURLWithPath: file(name)))
    return file(name)
  }
}

package struct CommandFailure: Error {
  package var output: String
  package init(output: String) { self.output = output }
}

/// What the sqlite3 command line prints for `sql`, errors included.
package func sqlite3(_ path: String, _ sql: String) throws -> String {
  let process = Process()
  process.executableURL = URL(fileURLWithPath: "/usr/bin/sqlite3")
  process.arguments = [path]
  let (input, output) = (Pipe(), Pipe())
  (process.standardInput, process.standardOutput, process.standardError) = (input, output, output)
  try process.run()
  try input.fileHandleForWriting.write(contentsOf: Data(sql.utf8))
  try input.fileHandleForWriting.close()
  let text = try output.fileHandleForReading.readToEnd() ?? Data()
  process.waitUntilExit()
  return String(decoding: text, as: UTF8.self).trimmingCharacters(in: .newlines)
}

/// A sqlite3 that has run some statements and waits, holding its locks.
package struct OtherProcess {
  private let process = Process()
  private let input = Pipe()

  package var identifier: Int32 { process.processIdentifier }

  package init(_ path: String, _ sql: String) throws {
    process.executableURL = URL(fileURLWithPath: "/usr/bin/sqlite3")
    process.arguments = [path]
    let output = Pipe()
    (process.standardInput, process.standardOutput) = (input, output)
    try process.run()
    try input.fileHandleForWriting.write(contentsOf: Data("\(sql)\n.print ready\n".utf8))
    _ = output.fileHandleForReading.availableData
  }

  /// Ends it as a crash does.
  package func kill() {
    Glibc.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  package func end() throws {
    try input.fileHandleForWriting.close()
    process.waitUntilExit()
  }
}
