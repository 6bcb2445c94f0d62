internal import LuaBindings
internal import Modeling
internal import ObjectGraph

/// Collects the slow reads of a line, which are reported after its values.
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
  /// In seconds: a delay that is noticeable at the prompt.
  static let usualSlowReadLimit = 0.1

  /// Begins to collect slow reads.
  func collectSlowReads() {
    engine.onSlowRead = { [unowned self] read, context in slowReads.add(read, context) }
  }

  /// Reports the slowest read since the last report.
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
