import Foundation
import Modeling
import SQLiteStorage

/// Another writer of a file: the sqlite3 command, in a process of its own, or another connection.
enum OtherWriter {
  case process(String)
  case connection(SQLiteStore)

  /// Runs statements, each for itself: what breaks a constraint is left out. Answers the messages of other errors.
  func run(_ statements: [String]) throws -> [String] {
    switch self {
    case .process(let path): try runProcess(path, statements)
    case .connection(let store): statements.compactMap { run($0, store) }
    }
  }

  private func run(_ statement: String, _ store: SQLiteStore) -> String? {
    do {
      let cursor = try store.sql(statement)
      while try cursor.step() {}
      cursor.close()
      return nil
    } catch let error as StoreError {
      // A reference that leads nowhere leaves the transaction open.
      if statement == "COMMIT" { _ = try? store.sql("ROLLBACK") }
      switch error.fact {
      case .constraint, .notUnique, .missingRow, .deleteDenied: return nil
      default: return "\(statement): \(error)"
      }
    } catch { return "\(statement): \(error)" }
  }

  private func runProcess(_ path: String, _ statements: [String]) throws -> [String] {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/sqlite3")
    process.arguments = [path]
    let (input, output) = (Pipe(), Pipe())
    (process.standardInput, process.standardOutput, process.standardError) = (input, output, output)
    try process.run()
    let script = ".timeout 5000\n" + statements.map { $0 == "COMMIT" ? "COMMIT;\nROLLBACK;\n" : "\($0);\n" }.joined()
    try input.fileHandleForWriting.write(contentsOf: Data(script.utf8))
    try input.fileHandleForWriting.close()
    let text = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init)
      .filter { $0.contains("rror") && !$0.contains("constraint failed") && !$0.contains("no transaction is active") }
  }
}
