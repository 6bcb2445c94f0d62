internal import LuaBindings
internal import LuaRuntime
internal import Presentation
internal import Session

/// A file of Lua as a page: what it prints, shows and returns, then what the function that it gives to `serve` makes.
///
/// It runs with globals of its own behind which those of the session are, so that pages do not change each other's.
final class NotebookScript {
  let name: String
  private let session: Session
  private var text: [UInt8]
  /// The function that it gave to `serve` when it ran; nil as long as it has not, or has not run.
  private var function: LuaReference?
  /// What it had printed and shown by then.
  private var beginning: [PageElement] = []

  init(_ name: String, _ text: [UInt8], _ session: Session) {
    (self.name, self.text, self.session) = (name, text, session)
  }

  /// Takes the text that the file has now; returns whether it is another one.
  func replace(_ text: [UInt8]) -> Bool {
    if text == self.text { return false }
    (self.text, function) = (text, nil)
    return true
  }

  /// The function that makes the page. Runs the file if it has none yet, which adds to the page.
  ///
  /// - Throws: LuaError.
  func function(for page: ScriptPage) throws -> LuaReference? {
    if function == nil { try run(on: page) } else { for element in beginning { try page.append(element) } }
    return function
  }

  private func run(on page: ScriptPage) throws {
    let stack = session.engine.lua.stack
    let top = stack.count
    stack.reserve(8)
    defer { stack.setCount(top) }
    let source = String(decoding: text, as: UTF8.self)
    // A first line that names an interpreter is no Lua. An expression is shown, as at the prompt.
    let start = text.first == UInt8(ascii: "#") ? "-- " : session.engine.isExpression(source) ? "return " : ""
    session.sources.add(source, chunk: "@" + name)
    try session.engine.lua.load(Array("local _ENV = ... \(start)".utf8) + text, name: "@" + name)
    pushGlobals(of: page, on: stack)
    try session.engine.asking { try stack.call(arguments: 1, results: LuaStack.allResults) }
    for index in top + 1..<stack.count + 1 where stack.type(at: index) != .nil {
      stack.pushCopy(of: index)
      try show(page, at: stack.count, stack)
      stack.pop()
    }
  }

  /// Pushes the table of its globals.
  private func pushGlobals(of page: ScriptPage, on stack: LuaStack) {
    stack.pushTable(hash: 4)
    for (name, body) in [("print", print), ("show", show), ("serve", serve)] {
      stack.pushFunction { [weak self, weak page] stack in
        // What the script leaves behind may call it later.
        guard self != nil, let page else { return 0 }
        stack.reserve(8)
        try body(page, stack)
        return 0
      }
      stack.rawSet(field: name, at: -2)
    }
    stack.pushTable(hash: 1)
    stack.pushGlobal("_G")
    stack.rawSet(field: "__index", at: -2)
    stack.setMetatable(of: -2)
  }

  private func print(_ page: ScriptPage, _ stack: LuaStack) throws {
    var texts: [String] = []
    for index in 0..<stack.count { texts.append(try stack.toDisplayString(at: index + 1)) }
    try page.print(texts.joined(separator: "\t"))
  }

  private func show(_ page: ScriptPage, _ stack: LuaStack) throws {
    guard stack.count > 0 else { throw ArgumentFailure(function: "show", message: "a value is missing") }
    try show(page, at: 1, stack)
  }

  /// Shows the value at an index, with the options behind it.
  private func show(_ page: ScriptPage, at index: Int32, _ stack: LuaStack) throws {
    let builder = PageBuilder(page, session)
    if try builder.addTable("show", at: index, on: stack) { return }
    if try builder.addChart(at: index, on: stack) { return }
    let sink = OutputSink.inMemory()
    try ValuePresenter(session.engine, .table, RenderOptions(width: 120)).show(at: index, on: stack, to: sink)
    try page.print(String(sink.text.dropLast(sink.text.hasSuffix("\n") ? 1 : 0)))
  }

  private func serve(_ page: ScriptPage, _ stack: LuaStack) throws {
    guard stack.count > 0, stack.type(at: 1) == .function else { throw ServeFunction.noFunction(on: stack) }
    (function, beginning) = (stack.reference(at: 1), page.elements)
  }
}
