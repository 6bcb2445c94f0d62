internal import LuaBindings
internal import LuaRuntime
internal import Modeling
internal import ObjectGraph
internal import Presentation
internal import Stores

/// Runs SQL and its equivalent in Lua for a moment, to see whether they answer the same.
struct SQLComparison {
  enum Outcome {
    case same, different
    /// It takes too long to find out, or the SQL does not run.
    case unknown
  }

  let engine: Engine
  /// What shows values as JSON.
  let presenter: ValuePresenter
  let slowReads: SlowReadReport

  /// How long either may take, in seconds.
  private static let time = 0.15
  /// How many rows are compared.
  private static let mostRows = 1_000

  func verdict(on check: SQLTranslation.Check) -> Outcome { slowReads.ignoring { compare(check) } }

  private func compare(_ check: SQLTranslation.Check) -> Outcome {
    // SQL does not see unsaved changes, and a failure ends a transaction of a server.
    guard let store = engine.store, engine.stores.unsavedChangeCount == 0, !engine.isInServerTransaction else {
      return .unknown
    }
    guard let wanted = try? store.limiting(seconds: Self.time, { try sqlRows(check, in: store) }) else {
      return .unknown
    }
    let found: [[Cell]]
    do {
      found = try store.limiting(seconds: Self.time) { try luaRows(check) }
    } catch {
      return engine.report(error).kind == "interrupted" ? .unknown : .different
    }
    if check.isOrdered { return wanted.elementsEqual(found, by: Self.areSame) ? .same : .different }
    if max(wanted.count, found.count) == Self.mostRows { return .unknown }
    // The order is free.
    var rest = found
    for row in wanted {
      guard let place = rest.firstIndex(where: { Self.areSame(row, $0) }) else { return .different }
      rest.swapAt(place, rest.count - 1)
      rest.removeLast()
    }
    return rest.isEmpty ? .same : .different
  }

  private func sqlRows(_ check: SQLTranslation.Check, in store: any OpenedStore) throws -> [[Cell]] {
    let cursor = try store.sql(check.sql, [])
    defer { cursor.close() }
    var rows: [[Cell]] = []
    let places = check.names.compactMap { cursor.columns.firstIndex(of: $0) }
    while rows.count < Self.mostRows, try cursor.step() { rows.append(places.map { Cell(cursor.value($0)) }) }
    return rows
  }

  private func luaRows(_ check: SQLTranslation.Check) throws -> [[Cell]] {
    let values = try engine.evaluate(check.lua, name: "=sql")
    let stack = engine.lua.stack
    let top = stack.count
    defer { stack.setCount(top) }
    stack.reserve(4)
    guard let value = values.first else { return [[.null]] }
    stack.push(value)
    let asked = check.names.map { ColumnRequest(question: .text($0)) }
    guard let source = try presenter.rows(at: -1, on: stack, only: asked) else {
      return [[try CellReader(engine: engine).cell(at: -1, on: stack)]]
    }
    let places = check.names.compactMap { name in source.columns.firstIndex { $0.name == name } }
    var rows: [[Cell]] = []
    while rows.count < Self.mostRows, let row = try source.next() { rows.append(places.map { row[$0] }) }
    return rows
  }

  private static func areSame(_ left: [Cell], _ right: [Cell]) -> Bool {
    left.elementsEqual(right, by: areSame)
  }

  /// Whether two cells hold the same: dates, which SQL has as numbers or texts, if neither is nil.
  private static func areSame(_ left: Cell, _ right: Cell) -> Bool {
    if left == right { return true }
    if left == .null || right == .null { return false }
    if let left = left.number, let right = right.number {
      return abs(left - right) <= 1e-9 * max(abs(left), abs(right))
    }
    if case .date = right { return true }
    return false
  }
}

extension Cell {
  fileprivate var number: Double? {
    switch self {
    case .integer(let number): Double(number)
    case .real(let number): number
    case .bool(let flag): flag ? 1 : 0
    case .decimal(let digits): Double(digits)
    default: nil
    }
  }
}
