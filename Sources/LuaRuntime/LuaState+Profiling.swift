internal import CLuaShim

/// The cost of a line of Lua.
public struct LuaProfiledLine: Sendable {
  /// The file, or the beginning of a text that was run.
  public let source: String
  /// The line's number, from 1.
  public let line: Int
  /// The number of its runs.
  public let count: Int
  /// The seconds that it took, those of the functions in C and Swift that it called among them, and without those of other lines.
  public let seconds: Double
  /// The queries that it had the store answer.
  public let queries: Int
  /// The seconds that these took, which are among `seconds`.
  public let querySeconds: Double
}

extension LuaState {
  /// Measures the time of each line from now on. Without this call nothing is measured, and nothing is slower.
  public func startProfiling() throws(LuaError) {
    guard shim_start_profile(shim) else { throw LuaError("not enough memory for a profile", kind: .memory) }
  }

  /// Counts a query to the line that runs.
  public func profileQuery(seconds: Double) {
    shim_profile_query(shim, UInt64(exactly: (max(0, seconds) * 1e9).rounded()) ?? 0)
  }

  /// The lines that were measured, in the order of their first run.
  public var profiledLines: [LuaProfiledLine] {
    (0..<shim_profile_count(shim)).map { index in
      let line = shim_profile_line(shim, index)
      return LuaProfiledLine(
        source: String(cString: line.source), line: Int(line.line), count: Int(line.count),
        seconds: Double(line.nanoseconds) / 1e9, queries: Int(line.queries),
        querySeconds: Double(line.query_nanoseconds) / 1e9)
    }
  }
}
