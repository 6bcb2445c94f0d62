internal import LuaBindings
internal import Modeling
internal import ObjectGraph

/// The slow reads of a line, told once when its values have been shown.
struct SlowReads {
  /// The slowest, and the context that it was in.
  private(set) var worst: (read: SlowRead, context: ObjectContext)?
  private(set) var count = 0

  mutating func add(_ read: SlowRead, _ context: ObjectContext) {
    count += 1
    if worst.map({ $0.read.seconds < read.seconds }) ?? true { worst = (read, context) }
  }
}

extension EngineSession {
  /// In seconds; what somebody who types notices.
  static let usualSlowReadLimit = 0.1

  /// Collects slow reads; only those that somebody wants to know of are told to us.
  func collectSlowReads() {
    engine.onSlowRead = { [unowned self] read, context in slowReads.add(read, context) }
  }

  /// Tells of the slowest read since the last time.
  func tellSlowReads() {
    defer { slowReads = SlowReads() }
    guard let (read, context) = slowReads.worst else { return }
    let mark = surroundings.charset == .utf8 ? "⚠" : "!"
    let others = slowReads.count > 1 ? ", the slowest of \(Quantity.grouped(slowReads.count)) such reads" : ""
    let text = "\(mark) \(engine.sentence(of: read, in: context))\(others); request:explain() tells more"
    surroundings.say(
      surroundings.messageStyle(.note, DisplayText.picturingControls(in: text, surroundings.charset)) + "\n")
  }
}
