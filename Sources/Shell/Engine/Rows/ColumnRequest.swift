internal import LuaBindings
internal import LuaRuntime
internal import Modeling
internal import ObjectGraph
internal import Queries
internal import Terminal

/// A column that a script asks for: a property, a question in the words of predicates, or a function of its own.
///
///     show(quakes, { columns = { "code", "mainshock.code", { "magnitude", title = "M" }, age = function(q) ... end } })
struct ColumnRequest {
  enum Question {
    case text(String)
    /// What a function answers for an object.
    case function((ManagedObject) throws -> Cell)
  }

  var question: Question
  /// What the column is called; nil for the question's own text.
  var title: String?

  /// The columns that the table at `index` names: those in its list in their order, those by name after them.
  ///
  /// - Throws: ColumnFailure.
  static func list(at index: Int32, on stack: LuaStack, _ engine: Engine) throws -> [ColumnRequest] {
    let index = stack.absolute(index)
    stack.reserve(8)
    var columns: [ColumnRequest] = []
    for number in 0..<stack.rawLength(at: index) {
      stack.rawGet(element: Int64(number + 1), at: index)
      defer { stack.pop() }
      columns.append(try column(at: stack.count, on: stack, engine, place: "column \(number + 1)"))
    }
    var named: [ColumnRequest] = []
    try stack.forEachPair(at: index) { stack in
      guard stack.type(at: -2) == .string, let title = stack.string(at: -2) else { return }
      var column = try column(at: stack.count, on: stack, engine, place: "column '\(title)'")
      column.title = title
      named.append(column)
    }
    // A table of Lua has no order.
    return columns + named.sorted { ($0.title ?? "") < ($1.title ?? "") }
  }

  private static func column(
    at index: Int32, on stack: LuaStack, _ engine: Engine, place: String
  ) throws -> ColumnRequest {
    switch stack.type(at: index) {
    case .string, .userdata:
      guard let text = try engine.expressionText(at: index, on: stack) else { break }
      return ColumnRequest(question: .text(text))
    case .function:
      let function = stack.reference(at: index)
      return ColumnRequest(
        question: .function { object in
          let stack = engine.lua.stack
          let top = stack.count
          defer { stack.setCount(top) }
          try engine.push(answerOf: function, for: object)
          return try CellReader(engine: engine).cell(at: -1, on: stack)
        }, title: place)
    case .table:
      stack.reserve(4)
      defer { stack.pop(2) }
      stack.rawGet(element: 1, at: index)
      stack.rawGet(field: "title", at: index)
      guard stack.type(at: -2) != .table else { break }
      var column = try column(at: stack.count - 1, on: stack, engine, place: place)
      if let title = stack.string(at: -1) { column.title = title }
      return column
    default: break
    }
    throw ColumnFailure(
      place: place,
      message:
        "expected a key path, an expression, a function or { one of them, title = }, got \(stack.typeName(at: index))")
  }
}

/// A column that cannot be shown.
struct ColumnFailure: Error {
  var place: String
  var message: String
}
