internal import LuaBindings
internal import LuaRuntime
internal import Session

/// The value `page` that the function of a page receives: its methods add elements, by the names that SwiftUI has for them.
///
/// To add one, add its method to `methods`, and an element if there is none that fits.
struct PageBuilder {
  private let page: ScriptPage
  private let session: Session

  init(_ page: ScriptPage, _ session: Session) { (self.page, self.session) = (page, session) }

  private typealias Method = (name: String, body: (LuaStack) throws -> Void)

  private var methods: [Method] {
    [
      ("navigationTitle", { page.setTitle(try text(2, "navigationTitle", $0)) }),
      ("Text", { try page.append(.text(try text(2, "Text", $0))) }),
      ("Section", { try page.append(.section(try text(2, "Section", $0))) }),
      ("Table", table), ("Chart", chart), ("TextField", textField), ("Toggle", toggle), ("Slider", slider),
      ("Picker", picker), ("Button", button),
    ]
  }

  /// Pushes the value.
  func push(on stack: LuaStack) {
    stack.reserve(6)
    stack.pushTable(hash: 12)
    for (name, body) in methods {
      stack.pushFunction { stack in
        guard stack.type(at: 1) == .table else {
          throw ArgumentFailure(function: name, message: "call it with a colon, page:\(name)(…)")
        }
        stack.reserve(8)
        try body(stack)
        return 0
      }
      stack.rawSet(field: name, at: -2)
    }
  }

  // MARK: Arguments

  private func text(_ index: Int32, _ name: String, _ stack: LuaStack) throws -> String {
    guard stack.count >= index else { throw ArgumentFailure(function: name, message: "a text is missing") }
    return try stack.toDisplayString(at: index)
  }

  private func expected(_ name: String, _ what: String, _ index: Int32, _ stack: LuaStack) -> ArgumentFailure {
    ArgumentFailure(
      function: name, message: "expected \(what), got \(stack.count < index ? "nothing" : stack.typeName(at: index))")
  }

  /// The value of the binding at 3, which is left on the top of the stack.
  private func pushValue(_ name: String, _ stack: LuaStack) throws {
    guard stack.count >= 3, [.table, .userdata].contains(stack.type(at: 3)) else {
      throw expected(name, "a state or a binding", 3, stack)
    }
    try stack.get(field: "value", at: 3)
  }

  private func add(_ kind: String, _ stack: LuaStack, _ input: PageInput) throws {
    let label = try text(2, kind, stack)
    try page.append(.input(name: page.name(of: kind, label), label: label, input, stack.reference(at: 3)))
  }

  // MARK: Content

  private func table(_ stack: LuaStack) throws {
    guard stack.count > 1, try addTable("Table", at: 2, on: stack) else {
      throw expected("Table", "a request of objects or an entity", 2, stack)
    }
  }

  /// Adds the objects of the request at an index, with the options behind it; returns false for other values.
  func addTable(_ function: String, at index: Int32, on stack: LuaStack) throws -> Bool {
    let engine = session.engine
    let named = try NamedArguments(function, at: index + 1, on: stack, allowed: ["columns", "limit"])
    guard let browsed = try BrowsedRequest(at: index, on: stack, in: engine) else { return false }
    let columns = try EntityColumns(
      browsed.request.entity, isData: false, only: try named.columns("columns", engine), for: browsed.request)
    try page.append(.table(browsed.request, browsed.context, columns, limit: try named.count("limit") ?? 20))
    return true
  }

  private func chart(_ stack: LuaStack) throws {
    guard stack.count > 1, try addChart(at: 2, on: stack) else { throw expected("Chart", "a plot", 2, stack) }
  }

  /// Adds the plot at an index; returns false for other values.
  func addChart(at index: Int32, on stack: LuaStack) throws -> Bool {
    guard case .plot? = try? EngineValue(at: index, on: stack, in: session.engine) else { return false }
    try stack.get(field: "svg", at: index)
    try page.append(.chart(stack.string(at: -1) ?? ""))
    return true
  }

  // MARK: Inputs

  private func textField(_ stack: LuaStack) throws {
    try pushValue("TextField", stack)
    if stack.type(at: -1) == .number, let number = stack.number(at: -1) {
      return try add("TextField", stack, .number(number, isInteger: stack.integer(at: -1) != nil))
    }
    try add("TextField", stack, .textField(stack.type(at: -1) == .nil ? "" : try stack.toDisplayString(at: -1)))
  }

  private func toggle(_ stack: LuaStack) throws {
    try pushValue("Toggle", stack)
    try add("Toggle", stack, .toggle(stack.bool(at: -1)))
  }

  private func slider(_ stack: LuaStack) throws {
    let named = try NamedArguments("Slider", at: 4, on: stack, allowed: ["from", "to", "step"])
    let (from, to) = (try named.number("from") ?? 0, try named.number("to") ?? 1)
    guard from < to else { throw ArgumentFailure(function: "Slider", message: "expected from below to") }
    try pushValue("Slider", stack)
    guard let value = stack.number(at: -1) else { throw expected("Slider", "a binding to a number", -1, stack) }
    try add("Slider", stack, .slider(value, from: from, to: to, step: try named.number("step") ?? (to - from) / 100))
  }

  private func picker(_ stack: LuaStack) throws {
    guard stack.count >= 4, stack.type(at: 4) == .table else { throw expected("Picker", "a list of choices", 4, stack) }
    try pushValue("Picker", stack)
    let value = stack.count
    var choices: [(value: LuaReference, text: String)] = []
    var chosen: Int?
    for number in 0..<stack.rawLength(at: 4) {
      stack.rawGet(element: Int64(number) + 1, at: 4)
      if try stack.compare(-1, .equal, value) { chosen = number }
      let text = try stack.toDisplayString(at: -1)
      choices.append((stack.popReference(), text))
    }
    try add("Picker", stack, .picker(chosen, choices))
  }

  private func button(_ stack: LuaStack) throws {
    let label = try text(2, "Button", stack)
    guard stack.count >= 3, stack.type(at: 3) == .function else { throw expected("Button", "a function", 3, stack) }
    try page.append(.button(name: page.name(of: "Button", label), label: label, stack.reference(at: 3)))
  }
}
