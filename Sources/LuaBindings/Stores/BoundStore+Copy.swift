internal import LuaRuntime
internal import Modeling
internal import Stores
internal import Transfer

extension BoundStore {
  /// `app:copy(open("archive.sqlite", { create = true, model = app.model }))`
  func copy(_ call: Call) throws -> Answer {
    try checkOpen(call)
    guard let other = engine.classes.object(BoundStore.self, at: call.index(1), on: call.stack) else {
      throw call.expected("a store", 1)
    }
    try other.checkOpen(call)
    try other.checkNotSaving()
    let report = try StoreCopy(from: objectStore, to: other.objectStore).run()
    other.refreshAllObjects()
    let stack = call.stack
    stack.pushTable(hash: 2)
    stack.pushTable(hash: Int32(clamping: report.counts.count))
    for (name, count) in report.counts {
      stack.push(Int64(count))
      stack.rawSet(field: name, at: -2)
    }
    stack.rawSet(field: "counts", at: -2)
    engine.push(.list(report.leftOut.map(Value.string)), on: stack)
    stack.rawSet(field: "leftOut", at: -2)
    return 1
  }
}
