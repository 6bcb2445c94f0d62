internal import LuaRuntime

/// Which reads of stores are recorded by the lines of scripts, and which are reported as slow.
public final class ReadReports {
  /// The engine, which holds the reports.
  unowned(unsafe) var engine: Engine!
  /// Whether each line's time and queries are measured.
  private(set) var isProfiling = false
  /// The reads that dropped contexts had recorded.
  var ofDroppedContexts = ReadRecord()

  /// Whether contexts record which lines of scripts cause reads from the store.
  public var recordsLines = false {
    didSet {
      ofDroppedContexts = ReadRecord()
      for context in engine.stores.contexts { context.recordsReads = recordsLines }
    }
  }

  /// The seconds after which a fetch or a count is slow; nil if slow reads are not reported.
  public var slowLimit: Double? {
    didSet {
      for context in engine.stores.contexts { context.watchSlowReads() }
    }
  }

  /// The lines of scripts that had a store asked most often, as far as `recordsLines` is on; the worst first.
  public var lines: [ReadLine] {
    let records = engine.stores.contexts.compactMap(\.reads) + [ofDroppedContexts]
    return records.flatMap(\.lines).sorted { $0.statements > $1.statements }
  }

  /// Begins to measure each line of Lua: its time, the queries of stores that are opened later, and their rows.
  ///
  /// - Throws: LuaError.
  public func startProfiling() throws {
    try engine.lua.startProfiling()
    isProfiling = true
    recordsLines = true
  }
}
