internal import LuaRuntime
internal import ObjectGraph

// Reading faults, and the cost of it.
extension BoundContext {
  static let faultMembers: [Member<BoundContext>] = [
    .property(
      "shouldDeleteInaccessibleFaults", "context.shouldDeleteInaccessibleFaults -> boolean",
      "Whether an object without a row counts as deleted, with nil values; otherwise reading it is an error.",
      sandbox: .allowed
    ) { call, context in
      .boolean(context.objectContext.shouldDeleteInaccessibleFaults)
    } set: { call, context in
      context.objectContext.shouldDeleteInaccessibleFaults = try context.flag(call)
    },
    .property(
      "statistics", "context.statistics -> table",
      "How often the store was read for faults, to-manys and counts, and by which lines.", sandbox: .allowed
    ) { call, context in
      .pushing { context.pushStatistics(on: $0) }
    },
    .property(
      "recordsStatistics", "context.recordsStatistics -> boolean",
      "Whether `statistics` records the lines that read from the store; turning it on resets them.", sandbox: .allowed
    ) { call, context in
      .boolean(context.recordsReads)
    } set: { call, context in
      context.recordsReads = try context.flag(call)
    },
  ]

  /// The new value of a Boolean property.
  func flag(_ call: Call) throws -> Bool {
    try checkOpen(call.place)
    return try call.boolean(1)
  }

  private func pushStatistics(on stack: LuaStack) {
    let statistics = objectContext.statistics
    let lines = reads?.lines ?? []
    let fields = [
      ("faultStatements", statistics.faultBatches), ("rowsRead", statistics.rowsFaulted),
      ("memberStatements", statistics.memberStatements), ("membersRead", statistics.membersRead),
      ("countStatements", statistics.countStatements), ("lookupStatements", statistics.lookupStatements),
    ]
    stack.reserve(10)
    stack.pushTable(hash: 8)
    for (name, number) in fields {
      stack.push(number)
      stack.rawSet(field: name, at: -2)
    }
    stack.pushTable(array: Int32(clamping: lines.count))
    for (number, line) in lines.enumerated() {
      push(line, on: stack)
      stack.rawSet(element: Int64(number + 1), at: -2)
    }
    stack.rawSet(field: "lines", at: -2)
    let text = (fields.map { "\($0): \($1)" } + lines.map(\.sentence)).joined(separator: "\n")
    stack.setText(text, kind: "Statistics")
  }

  private func push(_ line: ReadLine, on stack: LuaStack) {
    stack.pushTable(hash: 6)
    let texts = [
      ("line", line.position), ("kind", line.kind), ("entity", line.entity), ("relationship", line.relationship),
      ("sentence", line.sentence),
    ]
    for (name, text) in texts {
      guard let text else { continue }
      stack.push(text)
      stack.rawSet(field: name, at: -2)
    }
    stack.push(line.statements)
    stack.rawSet(field: "statements", at: -2)
  }

  /// Reports slow reads to the engine, if it has a limit for them.
  func watchSlowReads() {
    objectContext.slowReadWatch = engine.reads.slowLimit.map { limit in
      SlowRead.Watch(limit: limit) { [unowned self] read in engine.host.onSlowRead?(read, objectContext) }
    }
  }
}
