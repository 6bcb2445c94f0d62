internal import LuaBindings
internal import Modeling
internal import ObjectGraph
internal import Presentation

/// The slow reads of a line, reported once after its values.
struct SlowReads {
  /// The slowest read and its context.
  private(set) var worst: (read: SlowRead, context: ObjectContext)?
  private(set) var count = 0

  mutating func add(_ read: SlowRead, _ context: ObjectContext) {
    count += 1
    if worst.map({ $0.read.seconds < read.seconds }) ?? true { worst = (read, context) }
  }
}

extension Session {
  /// The delay in seconds that a person at the prompt notices.
  package static let usualSlowReadLimit = 0.1

  /// The number of rows whose keys take a second to read.
  private static let largeResultLimit = 2_000_000

  /// Reports the cost of live results of whole large tables before they are read.
  package func announceLargeResults() {
    engine.host.largeResultWatch = LargeResultWatch(limit: Self.largeResultLimit) { [unowned self] entity, count in
      let bytes = Quantity.bytes(count * LargeResultWatch.bytesPerRow)
      tellNote(
        "a live result of all \(Quantity.grouped(count)) \(entity.name) reads each of them and keeps some \(bytes); with "
          + "limit(n) it keeps a window")
    }
  }

  /// Reports the slowest read since the last call: one that an index would help, or any where `.slow` asks for that.
  func tellSlowReads() {
    defer { slowReads = SlowReads() }
    guard let (read, context) = slowReads.worst,
      let sentence = read.sentence(in: context, onlyAdvice: !settings.tellsSlowReads)
    else { return }
    let others = slowReads.count > 1 ? ", the slowest of \(Quantity.grouped(slowReads.count)) such reads" : ""
    tellNote("\(sentence)\(others); request:explain() tells more")
  }

  private func tellNote(_ text: String) {
    tell(Remark(.slow, "\(layout.charset == .utf8 ? "⚠" : "!") \(text)"))
  }
}
