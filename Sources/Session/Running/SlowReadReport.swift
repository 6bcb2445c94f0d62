internal import LuaBindings
internal import Modeling
internal import ObjectGraph
internal import Presentation

/// The slow reads of a line, reported once after its values.
package final class SlowReadReport {
  /// The delay in seconds that a person at the prompt notices.
  package static let usualLimit = 0.1
  /// The number of rows whose keys take a second to read.
  private static let largeResultLimit = 2_000_000

  private let console: Console
  private var engine: Engine { console.engine }
  /// The slowest read and its context.
  private var worst: (read: SlowRead, context: ObjectContext)?
  private var count = 0

  /// Collects slow reads; the engine reports only those above the limit.
  init(_ console: Console) {
    self.console = console
    engine.host.onSlowRead = { [unowned self] read, context in
      count += 1
      if worst.map({ $0.read.seconds < read.seconds }) ?? true { worst = (read, context) }
    }
  }

  /// Runs `body`, whose slow reads are not those of the line.
  func ignoring<Result>(_ body: () throws -> Result) rethrows -> Result {
    let kept = (worst, count)
    defer { (worst, count) = kept }
    return try body()
  }

  /// Reports the cost of live results of whole large tables before they are read.
  package func announceLargeResults() {
    engine.host.largeResultWatch = LargeResultWatch(limit: Self.largeResultLimit) { [unowned self] entity, count in
      let bytes = Quantity.bytes(count * LargeResultWatch.bytesPerRow)
      tell(
        "a live result of all \(Quantity.grouped(count)) \(entity.name) reads each of them and keeps some \(bytes); with "
          + "limit(n) it keeps a window")
    }
  }

  /// Reports the slowest read since the last call: one that an index would help, or any where `.slow` asks for that.
  func tell() {
    defer { (worst, count) = (nil, 0) }
    guard let (read, context) = worst,
      let sentence = read.sentence(in: context, onlyAdvice: !console.settings.tellsSlowReads)
    else { return }
    let others = count > 1 ? ", the slowest of \(Quantity.grouped(count)) such reads" : ""
    tell("\(sentence)\(others); request:explain() tells more")
  }

  private func tell(_ text: String) {
    console.tell(Remark(.slow, "\(console.layout.charset == .utf8 ? "⚠" : "!") \(text)"))
  }
}
