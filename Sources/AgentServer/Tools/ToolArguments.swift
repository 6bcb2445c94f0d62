internal import JSONRPC
internal import Modeling

/// The arguments of a call, checked against the tool's parameters.
struct ToolArguments {
  let tool: String
  let values: [String: JSON]

  /// Checks the names and the kinds of values; null is an argument that is not given.
  ///
  /// - Throws: ToolFailure.
  init(_ given: [String: JSON], of tool: Tool) throws(ToolFailure) {
    self.tool = tool.name
    values = given.filter { $0.value != .null }
    for (name, value) in values.sorted(by: { $0.key < $1.key }) {
      guard let parameter = tool.parameters.first(where: { $0.name == name }) else {
        let names = tool.parameters.map(\.name)
        let hint = nearestName(to: name, in: names).map { "did you mean '\($0)'?" }
        throw ToolFailure(
          "\(tool.name) has no '\(name)'; \(hint ?? "it has \(names.joined(separator: ", "))")")
      }
      guard parameter.accepts(value) else {
        throw ToolFailure(
          "\(tool.name).\(name): expected \(parameter.expectation), got \(BoundedText(value.text, 80).text)")
      }
    }
    if let missing = tool.parameters.first(where: { $0.isRequired && values[$0.name] == nil }) {
      throw ToolFailure("\(tool.name): '\(missing.name)' is missing: \(missing.expectation)")
    }
  }

  func text(_ name: String) -> String? { if case .string(let text)? = values[name] { text } else { nil } }

  func texts(_ name: String) -> [String] {
    guard case .array(let elements)? = values[name] else { return [] }
    return elements.compactMap { if case .string(let text) = $0 { text } else { nil } }
  }

  func integer(_ name: String) -> Int? { if case .int(let number)? = values[name] { Int(number) } else { nil } }

  func flag(_ name: String) -> Bool { values[name] == .bool(true) }

  /// The arguments for a call like this one with others in place of some.
  func replacing(_ others: [String: JSON]) -> JSON {
    .object(["tool": .string(tool), "arguments": .object(values.merging(others) { $1 })])
  }
}

/// What went wrong in a call, in words for the model that made it.
struct ToolFailure: Error {
  var text: String

  init(_ text: String) { self.text = text }
}

/// The answer of a tool.
struct ToolAnswer {
  var members: [String: JSON]
  /// Whether it holds values of the store, which the client is warned of.
  var isData = true

  init(_ members: [String: JSON], isData: Bool = true) { (self.members, self.isData) = (members, isData) }
}
