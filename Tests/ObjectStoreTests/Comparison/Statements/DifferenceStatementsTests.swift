import Comparison
import Foundation
import Modeling
import SQLiteStorage
import Stores
import TestSupport
import Testing

/// Statements make the rows of the first store those of the second.
@Suite struct DifferenceStatementsTests {
  private func statements(_ first: any OpenedStore, _ second: any ObjectStore) throws -> [String] {
    let comparison = try StoreComparison(first, second)
    let statements = try DifferenceStatements(comparison, of: first)
    try comparison.visit { statements.add($0) }
    var texts: [String] = []
    try statements.write { texts.append($0) }
    return texts
  }

  // MARK: A witness

  /// The programs that the witness is made of.
  static let hasWitness = ["sqldiff", "sqlite3"].allSatisfy {
    FileManager.default.isExecutableFile(atPath: "/usr/bin/\($0)")
  }

  private func shell(_ command: [String], input: String = "") throws -> (status: Int32, output: String) {
    let process = Process()
    (process.executableURL, process.arguments) = (URL(filePath: command[0]), Array(command.dropFirst()))
    let (into, out) = (Pipe(), Pipe())
    (process.standardInput, process.standardOutput, process.standardError) = (into, out, FileHandle.nullDevice)
    try process.run()
    try into.fileHandleForWriting.write(contentsOf: Data(input.utf8))
    try into.fileHandleForWriting.close()
    let output = String(decoding: try out.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    return (process.terminationStatus, output)
  }

  private func rows(_ file: String, _ schema: GeneratedSchema) throws -> String {
    let queries = schema.tables.map { table in
      let values = table.columns.map { "quote(\($0.name))" }.joined(separator: ", ")
      return
        "SELECT '\(table.name)', \(values) FROM \(table.name) ORDER BY \(table.columns.map(\.name).joined(separator: ", "));"
    }
    return try shell(["/usr/bin/sqlite3", file], input: queries.joined(separator: "\n")).output
  }

  @Test(.seeded, .enabled(if: hasWitness, "sqldiff and sqlite3 are not installed"))
  func statementsLeadToTheRowsOfAnotherProgram() throws {
    let folder = try TemporaryFolder()
    var random = SplitMix(seed: 4807)
    var (applied, exchanged) = (0, 0)
    for number in 0..<(Effort.isLong ? 1_000 : 200) {
      let schema = GeneratedSchema(&random)
      let files = ["a", "b", "ours", "theirs"].map { folder.file("\(number)\($0).sqlite") }
      for file in files {
        let filled = schema.sql + schema.rows(file == files[1] ? 1 : 0)
        #expect(try shell(["/usr/bin/sqlite3", file], input: filled).status == 0, "\(filled)")
      }
      var options = StoreOptions(path: files[0])
      options.readOnly = true
      let first = try SQLiteStore(options)
      options.path = files[1]
      let second = try SQLiteStore(options)
      defer {
        first.close()
        second.close()
      }
      let ours = try statements(first, second).map { $0 + ";" }.joined(separator: "\n")
      let run = try shell(
        ["/usr/bin/sqlite3", "-bail", files[2]], input: "PRAGMA foreign_keys = ON; BEGIN;\n\(ours)\nCOMMIT;")
      let wanted = try rows(files[1], schema)
      #expect(run.status == 0, "\(number): \(ours)\n\(schema.sql)")
      #expect(try rows(files[2], schema) == wanted, "\(number): \(ours)\n\(schema.sql)")
      let theirs = try shell(["/usr/bin/sqldiff", "--primarykey", files[0], files[1]]).output
      // It does not know that two rows exchange a unique value.
      if try shell(["/usr/bin/sqlite3", "-bail", files[3]], input: theirs).status == 0 {
        applied += 1
        #expect(try rows(files[3], schema) == wanted, "\(number): \(theirs)")
      } else {
        exchanged += 1
      }
    }
    #expect(applied > exchanged, "\(applied) scripts of sqldiff ran, \(exchanged) did not")
  }
}
