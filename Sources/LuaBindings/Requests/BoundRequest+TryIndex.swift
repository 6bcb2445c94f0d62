internal import LuaRuntime
internal import Modeling
internal import Stores

// `request:tryIndex`
extension BoundRequest {
  static let tryIndexMembers: [Member<BoundRequest>] = [
    .method(
      "tryIndex", "request:tryIndex([keys]) -> trial",
      "Times the request with an index that is taken back at once: `\"place, -time\"`, a list, or what explain advises.",
      sandbox: .allowed, example: #"("magnitude")"#
    ) { call, request in
      try request.tryIndex(call)
    }
  ]

  private func tryIndex(_ call: Call) throws -> ReturnValue {
    let request = try ready(call)
    let store = context.store.objectStore
    let indexes: [IndexAdvice] =
      if call.isMissing(1) {
        try store.diagnosis(of: request).advice
      } else {
        [try store.plans.index(of: try indexKeys(call), for: entity)]
      }
    return try answer(try store.plans.tryIndexes(indexes, for: request))
  }

  /// The keys of `"place, -time"` or `{ "place", "-time" }`.
  private func indexKeys(_ call: Call) throws -> [String] {
    if call.type(1) == .table { return try call.strings(1) }
    let text = try call.string(1, "key paths, or a list of them")
    return text.split(separator: ",").map { part in
      String(part.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
  }

  private func answer(_ trial: IndexTrial) throws -> ReturnValue {
    .printed(
      .record([
        ("isUsed", .boolean(trial.isUsed)), ("isOnCopy", .boolean(trial.isOnCopy)),
        ("secondsBefore", .number(trial.secondsBefore)), ("secondsAfter", .number(trial.secondsAfter)),
        ("secondsToBuild", .number(trial.secondsToBuild)), ("bytes", .integer(trial.bytes)),
        ("wordsBefore", .texts(ExplanationTable.words(trial.wordsBefore))),
        ("wordsAfter", .texts(ExplanationTable.words(trial.wordsAfter))),
        ("indexes", try AdviceTable.list(trial.indexes, of: self)),
      ]), kind: "Trial", text: try text(of: trial))
  }

  /// `6.1 ms → 0.2 ms, the index takes ≈ 44 kB and 12 ms to build`, and the change of the plan.
  private func text(of trial: IndexTrial) throws -> String {
    let what =
      trial.indexes.count == 1 ? "the index takes" : "the \(Quantity.grouped(trial.indexes.count)) indexes take"
    let times = "\(Quantity.duration(trial.secondsBefore)) → \(Quantity.duration(trial.secondsAfter))"
    let cost = "\(what) ≈ \(Quantity.bytes(trial.bytes)) and \(Quantity.duration(trial.secondsToBuild)) to build"
    var lines = ["\(times), \(cost)"]
    func tell(_ label: String, _ words: [(depth: Int, text: String)]) {
      for (number, line) in ExplanationTable.words(words).enumerated() {
        lines.append("  " + (number == 0 ? label : String(repeating: " ", count: label.count)) + line)
      }
    }
    tell("before  ", trial.wordsBefore)
    tell("after   ", trial.wordsAfter)
    if !trial.isUsed {
      lines.append("  the store does not use \(trial.indexes.count == 1 ? "it" : "all of them") for this request")
    } else {
      lines += try trial.indexes.map { "  to keep it: \(try AdviceTable.text(of: $0, self))" }
    }
    if trial.isOnCopy { lines.append("  tried on a copy of the store") }
    return lines.joined(separator: "\n")
  }
}
