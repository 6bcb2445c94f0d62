internal import LuaBindings
internal import Modeling
internal import ObjectGraph
internal import Terminal

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

extension EngineSession {
  /// The delay in seconds that a person at the prompt notices.
  static let usualSlowReadLimit = 0.1

  /// Collects slow reads; the engine reports only those above the limit.
  func collectSlowReads() {
    engine.onSlowRead = { [unowned self] read, context in slowReads.add(read, context) }
  }

  /// Reports the slowest read since the last call.
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
