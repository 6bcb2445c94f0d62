internal import LuaBindings
package import LuaRuntime
package import Presentation

/// A Lua list of tables as rows: results of SQL, groups and dictionary requests, or lists made by scripts.
final class ListRows: TabularSource {
  let columns: [TabularColumn]
  let rowName: String? = nil
  private let list: LuaReference
  private let count: Int
  private let stack: LuaStack
  private let reader: CellReader
  private var position = 0

  /// How many rows are examined to find the columns.
  private static let sampleCount = 100
  private static let mostColumns = 100

  /// Reads the list at `index`; nil unless its elements are tables with string keys, or it declares columns.
  init?(at index: Int32, on stack: LuaStack, _ reader: CellReader) throws {
    count = stack.rawLength(at: index)
    guard stack.type(at: index) == .table, let names = try Self.columnNames(at: index, count, stack) else {
      return nil
    }
    let numbers = Self.numberColumns(names, at: index, count, stack)
    columns = names.map { TabularColumn($0, alignment: numbers.contains($0) ? .trailing : .leading) }
    list = stack.reference(at: index)
    self.stack = stack
    self.reader = reader
  }

  /// The columns that contain only numbers.
  private static func numberColumns(_ names: [String], at index: Int32, _ count: Int, _ stack: LuaStack) -> Set<String>
  {
    var numbers: Set<String> = []
    var others: Set<String> = []
    for number in 1..<min(count, sampleCount) + 1 {
      stack.rawGet(element: Int64(number), at: index)
      for name in names {
        let type = stack.rawGet(field: name, at: -1)
        if type == .number { numbers.insert(name) } else if type != .nil { others.insert(name) }
        stack.pop()
      }
      stack.pop()
    }
    return numbers.subtracting(others)
  }

  private static func columnNames(at index: Int32, _ count: Int, _ stack: LuaStack) throws -> [String]? {
    let index = stack.absolute(index)
    stack.reserve(10)
    // A list that says so has columns without rows, too.
    if count == 0 { return try declaredNames(at: index, stack) }
    var names: Set<String> = []
    for number in 1...min(count, sampleCount) {
      stack.rawGet(element: Int64(number), at: index)
      defer { stack.pop() }
      guard stack.type(at: -1) == .table, stack.rawLength(at: -1) == 0 else { return nil }
      var isRow = true
      try stack.forEachPair(at: -1) { stack in
        guard stack.type(at: -2) == .string, let name = stack.string(at: -2) else { return isRow = false }
        names.insert(name)
      }
      guard isRow, names.count <= mostColumns else { return nil }
    }
    if names.isEmpty { return nil }
    return try declaredNames(at: index, stack) ?? names.sorted()
  }

  /// The columns in the order that the list declares.
  private static func declaredNames(at index: Int32, _ stack: LuaStack) throws -> [String]? {
    guard stack.pushMetatable(of: index) else { return nil }
    defer { stack.pop(2) }
    guard stack.rawGet(field: "__columns", at: -1) == .table else { return nil }
    return (1..<stack.rawLength(at: -1) + 1).map { number in
      stack.rawGet(element: Int64(number), at: -1)
      defer { stack.pop() }
      return stack.repairedString(at: -1) ?? ""
    }
  }

  func next() throws -> [Cell]? {
    guard position < count else { return nil }
    position += 1
    return try row(position)
  }

  func totalCount() -> Int? { count }

  func lastRows(_ count: Int) throws -> [[Cell]]? {
    try (max(0, self.count - count)..<self.count).map { try row($0 + 1) }
  }

  private func row(_ number: Int) throws -> [Cell] {
    stack.reserve(10)
    stack.push(list)
    stack.rawGet(element: Int64(number), at: -1)
    defer { stack.pop(2) }
    return try columns.map { column in
      stack.rawGet(field: column.name, at: -1)
      defer { stack.pop() }
      return try reader.cell(at: -1, on: stack)
    }
  }
}

/// Turns Lua values into cells.
package struct CellReader {
  let engine: Engine
  /// Whether tables within rows are JSON, for programs that read them; otherwise they are shown as Lua writes them.
  var nestsJSON = false

  package func cell(at index: Int32, on stack: LuaStack) throws -> Cell {
    switch stack.type(at: index) {
    case .none, .nil: return .null
    case .boolean: return .bool(stack.bool(at: index))
    case .number:
      if stack.isInteger(at: index), let number = stack.integer(at: index) { return .integer(number) }
      return .real(stack.number(at: index) ?? 0)
    case .string:
      if let text = stack.string(at: index) { return .text(text) }
      return .blob(Blob(stack.bytes(at: index) ?? []))
    case .userdata:
      switch try EngineValue(at: index, on: stack, in: engine) {
      case .value(let value): return Cell(value)
      case .object(let object): return .reference(label: ObjectText.title(of: object))
      case .collection(let members, _): return .count(members.count)
      default: return .text(try stack.toDisplayString(at: index))
      }
    default:
      var builder = NodeBuilder(stack)
      if nestsJSON, stack.type(at: index) == .table {
        builder.wantJSON(engine)
        let sink = OutputSink.inMemory()
        try NodeJSON.write(try builder.node(at: index), to: sink)
        return .json(sink.text)
      }
      return .text(NodePrinter(width: .max).text(try builder.node(at: index)))
    }
  }
}
