internal import LuaRuntime
internal import ObjectGraph
internal import Queries
internal import Session

/// A part of a page that a script makes, named as SwiftUI names it.
enum PageElement {
  case text(String)
  case section(String)
  /// Lines as a script prints them.
  case printed(String)
  case table(FetchRequest, ObjectContext, EntityColumns, limit: Int)
  /// A plot as SVG.
  case chart(String)
  case input(name: String, label: String, PageInput, LuaReference)
  case button(name: String, label: String, LuaReference)

  /// What forms call it by; nil for what has no form.
  var name: String? {
    switch self {
    case .input(let name, _, _, _), .button(let name, _, _): name
    case .text, .section, .printed, .table, .chart: nil
    }
  }

  /// Sets the binding of an input, or calls the function of a button.
  ///
  /// - Throws: PageProblem for a text that is no value of the input, LuaError.
  func act(_ text: String?, on stack: LuaStack) throws {
    stack.reserve(6)
    let top = stack.count
    defer { stack.setCount(top) }
    switch self {
    case .input(_, let label, let input, let binding):
      stack.push(binding)
      try input.push(text, label, on: stack)
      try stack.set(field: "value", at: -2)
    case .button(_, _, let function):
      stack.push(function)
      try stack.call()
    case .text, .section, .printed, .table, .chart: break
    }
  }
}

/// A field that shows and sets the value of a binding.
enum PageInput {
  case textField(String)
  case number(Double, isInteger: Bool)
  case toggle(Bool)
  case slider(Double, from: Double, to: Double, step: Double)
  /// The index of the chosen one, and the choices with their texts.
  case picker(Int?, [(value: LuaReference, text: String)])

  /// Pushes the value that a text of a form means.
  func push(_ text: String?, _ label: String, on stack: LuaStack) throws {
    let text = text ?? ""
    switch self {
    case .textField: stack.push(text.replacing("\r\n", with: "\n"))
    case .toggle: stack.push(text == "1")
    case .number(_, let isInteger):
      if isInteger, let whole = Int64(text) { return stack.push(whole) }
      stack.push(try number(text, label, "a number"))
    case .slider(_, let low, let high, _):
      let number = try number(text, label, "a number from \(low) to \(high)")
      guard number >= low, number <= high else {
        throw PageProblem.failure("\(label): expected a number from \(low) to \(high), got \(text)")
      }
      stack.push(number)
    case .picker(_, let choices):
      guard let index = Int(text), choices.indices.contains(index) else {
        throw PageProblem.failure("\(label): '\(text)' is none of the choices")
      }
      stack.push(choices[index].value)
    }
  }

  private func number(_ text: String, _ label: String, _ expected: String) throws -> Double {
    guard let number = Double(text), number.isFinite else {
      throw PageProblem.failure("\(label): expected \(expected), got '\(text)'")
    }
    return number
  }
}
