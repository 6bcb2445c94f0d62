internal import JSONRPC
internal import Modeling

/// The parameters of a message, read strictly.
///
///     try parameters.text("textDocument", "uri")       // throws: textDocument/hover: 'textDocument.uri' is missing
struct Parameters {
  let method: String
  let members: [String: JSON]

  init(_ method: String, _ members: [String: JSON]) { (self.method, self.members) = (method, members) }

  /// The value behind names; nil where there is none.
  func value(_ names: String...) -> JSON? { value(names) }

  private func value(_ names: [String]) -> JSON? {
    var found = JSON.object(members)
    for name in names {
      guard case .object(let members) = found, let next = members[name] else { return nil }
      found = next
    }
    return found == .null ? nil : found
  }

  /// The text behind names.
  ///
  /// - Throws: MessageError for a member that is missing, or no text.
  func text(_ names: String...) throws(MessageError) -> String {
    guard case .string(let text)? = value(names) else { throw wrong(names, "a string") }
    return text
  }

  /// The elements of a list.
  ///
  /// - Throws: MessageError for a member that is missing, or no list.
  func list(_ names: String...) throws(MessageError) -> [JSON] {
    guard case .array(let list)? = value(names) else { throw wrong(names, "an array") }
    return list
  }

  /// The address of the document that the message is about.
  func uri() throws(MessageError) -> String { try text("textDocument", "uri") }

  /// The place that the message is about.
  func position() throws(MessageError) -> Position {
    guard let position = value("position").flatMap(Position.init) else {
      throw wrong(["position"], "a line and a character")
    }
    return position
  }

  private func wrong(_ names: [String], _ expected: String) -> MessageError {
    let name = names.joined(separator: ".")
    let found = value(names) == nil ? "is missing" : "is something else"
    return MessageError(.invalidParameters, "\(method): expected '\(name)' to be \(expected); it \(found)")
  }
}

extension JSON {
  /// The number as an index; nil for anything else, and for what no document has.
  var index: Int? {
    switch self {
    case .int(let number): (0...Int64(Int32.max)).contains(number) ? Int(number) : nil
    default: nil
    }
  }
}
