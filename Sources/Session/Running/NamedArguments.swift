package import LuaBindings
package import LuaRuntime
internal import Modeling
internal import Presentation

/// The named arguments of a shell function, checked against the permitted names.
package struct NamedArguments {
  private let function: String
  private let stack: LuaStack
  /// The table's stack index; nil if there is none.
  private let index: Int32?

  package init(_ function: String, at index: Int32, on stack: LuaStack, allowed: [String]) throws {
    self.function = function
    self.stack = stack
    guard !stack.isNoneOrNil(at: index) else {
      self.index = nil
      return
    }
    guard stack.type(at: index) == .table else {
      throw ArgumentFailure(
        function: function, message: "expected a table of options, got \(stack.typeName(at: index))")
    }
    self.index = stack.absolute(index)
    try stack.forEachPair(at: index) { stack in
      let name =
        stack.type(at: -2) == .string ? stack.repairedString(at: -2) ?? "" : "[\(try stack.toDisplayString(at: -2))]"
      guard !allowed.contains(name) else { return }
      throw ArgumentFailure(function: function, message: ErrorReport.unknownOption(name, among: allowed))
    }
  }

  /// A field as text.
  func string(_ name: String) throws -> String? {
    try field(name, "a string") { stack.string(at: -1) }
  }

  /// A field as a boolean.
  func flag(_ name: String) throws -> Bool? {
    try field(name, "a boolean") { stack.type(at: -1) == .boolean ? stack.bool(at: -1) : nil }
  }

  /// A field as a whole number that is not negative.
  package func count(_ name: String) throws -> Int? {
    try field(name, "a number of 0 or more") { stack.integer(at: -1).flatMap { $0 < 0 ? nil : Int(clamping: $0) } }
  }

  /// A field as a number.
  package func number(_ name: String) throws -> Double? {
    try field(name, "a number") { stack.type(at: -1) == .number ? stack.number(at: -1) : nil }
  }

  /// A field as a list of columns.
  package func columns(_ name: String, _ engine: Engine) throws -> [ColumnRequest]? {
    try field(name, "a list of columns") {
      guard stack.type(at: -1) == .table else { return nil }
      do { return try ColumnRequest.list(at: -1, on: stack, engine) } catch let failure as ColumnFailure {
        throw ArgumentFailure(function: function, message: "\(name): \(failure.place): \(failure.message)")
      }
    }
  }

  /// A field as a function.
  package func function(_ name: String) throws -> LuaReference? {
    try field(name, "a function") {
      guard stack.type(at: -1) == .function else { return nil }
      stack.pushCopy(of: -1)
      return stack.popReference()
    }
  }

  /// A field as an output mode.
  func mode(_ name: String) throws -> OutputMode? {
    guard let text = try string(name) else { return nil }
    if let mode = OutputMode(rawValue: text) { return mode }
    let names = OutputMode.allCases.map(\.rawValue)
    let hint = nearestName(to: text, in: names).map { "; did you mean '\($0)'?" } ?? ""
    throw ArgumentFailure(
      function: function, message: "\(name): expected one of \(names.joined(separator: ", ")), got '\(text)'\(hint)")
  }

  private func field<Result>(_ name: String, _ expected: String, _ read: () throws -> Result?) throws -> Result? {
    guard let index else { return nil }
    stack.reserve(6)
    defer { stack.pop() }
    guard stack.rawGet(field: name, at: index) != .nil else { return nil }
    if let result = try read() { return result }
    throw ArgumentFailure(function: function, message: "\(name): expected \(expected), got \(stack.typeName(at: -1))")
  }
}
