internal import LuaBindings
package import LuaRuntime
internal import Modeling
package import Presentation

/// Reads Lua values into printable trees, limited in depth and length, with each table once.
///
/// Tables are read without metamethods. A value with its own `__tostring` is shown by it.
package struct NodeBuilder {
  /// The maximum depth and number of entries of a table.
  var depth = 3
  var entries = 20
  /// The maximum number of pairs that are searched for fields.
  private static let mostPairs = 100_000

  private let stack: LuaStack
  /// The enclosing tables of the present value, numbered once something inside refers to them.
  private var open: [(identity: UnsafeRawPointer, number: Int?)] = []
  private var numbers = 0
  private var poll = InterruptionPoll()

  package init(_ stack: LuaStack) { self.stack = stack }

  /// Reads everything, for data modes. Nesting beyond the limit is an error rather than an omission.
  private mutating func removeLimits() { (depth, entries, isWhole) = (Nesting.tables, .max, true) }
  private var isWhole = false

  /// Wants everything, with `null` as nothing.
  mutating func wantJSON(_ engine: Engine) {
    removeLimits()
    isNull = { [stack] index in
      if case .value(.null)? = try? EngineValue(at: index, on: stack, in: engine) { true } else { false }
    }
  }
  private var isNull: ((Int32) -> Bool)?

  /// Wants values as Lua source that makes them again.
  ///
  /// `value` is what a userdata is to the engine.
  mutating func wantSource(_ value: @escaping (Int32) throws -> Value?) {
    removeLimits()
    engineValue = value
  }
  private var engineValue: ((Int32) throws -> Value?)?

  /// The value at `index`.
  package mutating func node(at index: Int32) throws -> DisplayNode {
    let index = stack.absolute(index)
    if let engineValue, let source = try source(at: index, engineValue) { return source }
    switch stack.type(at: index) {
    case .none, .nil: return .missing
    case .boolean: return .boolean(stack.bool(at: index))
    case .number: return .number(try stack.toDisplayString(at: index))
    case .string: return .bytes(stack.bytes(at: index) ?? [])
    case .function: return .plain("function")
    case .thread: return .plain("coroutine")
    case .userdata where isNull?(index) == true: return .missing
    case .userdata, .lightUserdata: return .plain(try stack.toDisplayString(at: index))
    case .table:
      if engineValue == nil, let text = try ownText(at: index) { return .plain(text) }
      return try table(at: index)
    }
  }

  /// The source of a number or of a value of the engine; nil for a value with a form of its own.
  private func source(at index: Int32, _ engineValue: (Int32) throws -> Value?) throws -> DisplayNode? {
    switch stack.type(at: index) {
    case .number where !stack.isInteger(at: index): return .number(LuaText.number(stack.number(at: index) ?? 0))
    case .number: return .number(LuaText.number(stack.integer(at: index) ?? 0))
    case .function, .thread, .lightUserdata: throw NoSource(type: stack.typeName(at: index))
    case .userdata:
      guard let value = try engineValue(index) else { throw NoSource(type: try stack.toDisplayString(at: index)) }
      return .source(LuaText.source { LuaText.write(Cell(value), $0) })
    default: return nil
    }
  }

  /// The result of the table's own `__tostring`.
  private func ownText(at index: Int32) throws -> String? {
    stack.hasText(at: index) ? try stack.toDisplayString(at: index) : nil
  }

  private mutating func table(at index: Int32) throws -> DisplayNode {
    guard let identity = stack.identity(at: index) else { return .missing }
    if let place = open.firstIndex(where: { $0.identity == identity }) {
      if engineValue != nil { throw NoSource(type: "table that contains itself") }
      if open[place].number == nil {
        numbers += 1
        open[place].number = numbers
      }
      return .cycle(open[place].number ?? 0)
    }
    if open.count >= depth { return .table(try closed(at: index)) }
    open.append((identity, nil))
    var table = try entries(at: index)
    table.number = open.removeLast().number
    return .table(table)
  }

  /// A table beyond the depth limit, of which only emptiness is known.
  private func closed(at index: Int32) throws -> DisplayTable {
    do {
      try stack.forEachPair(at: index) { _ in throw Enough() }
      return DisplayTable()
    } catch is Enough {
      if isWhole { throw LuaError("the table is nested more than \(Nesting.tables) levels deep") }
      return DisplayTable(omittedCount: 1)
    }
  }

  private mutating func entries(at index: Int32) throws -> DisplayTable {
    stack.reserve(10)
    var table = DisplayTable()
    let length = stack.rawLength(at: index)
    for number in 0..<min(length, entries) {
      stack.rawGet(element: Int64(number + 1), at: index)
      defer { stack.pop() }
      try poll.step()
      table.items.append(try node(at: -1))
    }
    table.omittedCount = length - table.items.count
    for key in try fieldKeys(at: index, length: length) {
      guard table.items.count + table.fields.count < entries else {
        table.omittedCount += 1
        continue
      }
      stack.push(key.reference)
      stack.pushCopy(of: -1)
      stack.rawGet(at: index)
      defer { stack.pop(2) }
      try poll.step()
      table.fields.append(DisplayTable.Field(try node(at: -2), try node(at: -1)))
    }
    return table
  }

  /// A table key with its sort order: numbers by value, then strings, then everything else.
  private struct Key: Comparable {
    var reference: LuaReference
    var rank: Int
    var number = 0.0
    var text = ""

    static func < (left: Key, right: Key) -> Bool {
      (left.rank, left.number, left.text) < (right.rank, right.number, right.text)
    }

    static func == (left: Key, right: Key) -> Bool { left.reference === right.reference }
  }

  private struct Enough: Error {}

  /// The keys beside 1...length, in order.
  private func fieldKeys(at index: Int32, length: Int) throws -> [Key] {
    var keys: [Key] = []
    var count = 0
    do {
      try stack.forEachPair(at: index) { stack in
        count += 1
        if count > Self.mostPairs { throw Enough() }
        if let number = stack.integer(at: -2), number >= 1, number <= length { return }
        let reference = stack.reference(at: -2)
        switch stack.type(at: -2) {
        case .number: keys.append(Key(reference: reference, rank: 0, number: stack.number(at: -2) ?? 0))
        case .string: keys.append(Key(reference: reference, rank: 1, text: stack.repairedString(at: -2) ?? ""))
        default: keys.append(Key(reference: reference, rank: 2, text: stack.typeName(at: -2)))
        }
      }
    } catch is Enough {}
    return keys.sorted()
  }
}

/// A value that no Lua source makes again.
struct NoSource: Error {
  var type: String
}

extension LuaStack {
  /// Whether the table at `index` has a `__tostring` of its own.
  func hasText(at index: Int32) -> Bool {
    guard type(at: index) == .table, pushMetatable(of: index) else { return false }
    defer { pop(2) }
    return rawGet(field: "__tostring", at: -1) != .nil
  }
}
