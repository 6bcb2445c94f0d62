internal import LuaRuntime
internal import Modeling
internal import Stores
internal import Transfer

extension BoundStore {
  /// `app:copy(open("archive.sqlite", { create = true, model = app.model }))`
  func copy(_ call: Call) throws -> ReturnValue {
    try checkOpen(call)
    guard let other = engine.classes.object(BoundStore.self, at: call.index(1), on: call.stack) else {
      throw call.expected("a store", 1)
    }
    try other.checkOpen(call)
    try other.checkNotSaving()
    let report = try StoreCopy(from: objectStore, to: other.objectStore).run()
    other.refreshAllObjects()
    return .record([
      ("counts", .record(report.counts.map { ($0.key, .integer($0.value)) })), ("leftOut", .texts(report.leftOut)),
    ])
  }
}
