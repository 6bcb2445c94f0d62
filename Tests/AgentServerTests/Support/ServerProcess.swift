import Foundation
import Modeling
import TestSupport
import Testing

/// The program as a client starts it, over pipes.
final class ServerProcess {
  private let process = Process()
  private let input: Pipe
  private let output: Pipe
  private var rest = Data()

  init(_ arguments: [String], _ input: Pipe, _ output: Pipe) throws {
    (self.input, self.output) = (input, output)
    process.executableURL = BuiltProduct.perilune
    process.arguments = arguments
    process.environment = ["PATH": "/usr/bin:/bin", "HOME": "/nonexistent"].merging(BuiltProduct.measurement) { $1 }
    (process.standardInput, process.standardOutput) = (input, output)
    process.standardError = FileHandle.nullDevice
    try process.run()
  }

  func send(_ line: String) throws { try input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8)) }

  /// The next message; nil at the end.
  func receive() throws -> JSON? {
    while true {
      if let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
        defer { rest = Data(rest[(end + 1)...]) }
        return try JSON.parse(Array(rest[..<end]))
      }
      let more = output.fileHandleForReading.availableData
      if more.isEmpty { return nil }
      rest += more
    }
  }

  func call(_ id: Int, _ tool: String, _ arguments: JSON) throws -> ToolResult {
    try send(Agent.request(id, "tools/call", ["name": .string(tool), "arguments": arguments]).text)
    return ToolResult(try #require(try receive()))
  }

  /// Closes the input, and returns the status with which the program ends.
  func end() throws -> Int32 {
    try input.fileHandleForWriting.close()
    process.waitUntilExit()
    return process.terminationStatus
  }
}
