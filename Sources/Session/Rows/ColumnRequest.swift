package import LuaBindings
package import LuaRuntime
internal import Modeling
package import ObjectGraph
package import Presentation
internal import Queries

/// A column that a script asks for: a property, a question in the words of predicates, or a function of its own.
///
///     show(quakes, { columns = { "code", "mainshock.code", { "magnitude", title = "M" }, age = function(q) ... end } })
package struct ColumnRequest {
  package enum Question {
    case text(String)
    /// The result of a function for an object.
    case function((ManagedObject) throws -> Cell)
  }

  var question: Question
  /// The title of the column; nil for the question's own text.
  var title: String?
  /// How its values are shown; nil for as they are.
  var format: ColumnFormat?

  package init(question: Question, title: String? = nil, format: ColumnFormat? = nil) {
    self.question = question
    self.title = title
    self.format = format
  }

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
      guard let text = try engine.predicates.expressionText(at: index, on: stack) else { break }
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
      defer { stack.pop(3) }
      stack.rawGet(element: 1, at: index)
      stack.rawGet(field: "title", at: index)
      stack.rawGet(field: "format", at: index)
      guard stack.type(at: -3) != .table else { break }
      var column = try column(at: stack.count - 2, on: stack, engine, place: place)
      if let title = stack.string(at: -2) { column.title = title }
      if !stack.isNoneOrNil(at: -1) { column.format = try format(at: -1, on: stack, place) }
      return column
    default: break
    }
    throw ColumnFailure(
      place: place,
      message:
        "expected a key path, an expression, a function or { one of them, title = , format = }, got \(stack.typeName(at: index))"
    )
  }
}

extension ColumnRequest {
  private static func format(at index: Int32, on stack: LuaStack, _ place: String) throws -> ColumnFormat {
    if let format = stack.string(at: index).flatMap(ColumnFormat.init) { return format }
    let given = stack.string(at: index).map { "'\($0)'" } ?? stack.typeName(at: index)
    let names = ColumnFormat.names.joined(separator: ", ")
    throw ColumnFailure(
      place: place,
      message: "format: expected \(names), a number's form such as '%.1f', or a text with one in braces, got \(given)")
  }

  /// The columns that a script has given to live results by `results.columns`; nil for anything else.
  ///
  /// - Throws: ArgumentFailure.
  package static func own(ofValueAt index: Int32, on stack: LuaStack, _ engine: Engine) throws -> [ColumnRequest]? {
    guard let columns = engine.shownColumns(at: index, on: stack) else { return nil }
    stack.push(columns)
    defer { stack.pop() }
    do { return try list(at: -1, on: stack, engine) } catch let failure as ColumnFailure {
      throw ArgumentFailure(function: "results.columns", message: "\(failure.place): \(failure.message)")
    }
  }
}

/// A column that cannot be shown.
struct ColumnFailure: Error {
  var place: String
  var message: String
}
