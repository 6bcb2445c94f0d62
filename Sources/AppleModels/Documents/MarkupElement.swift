/// An element of an XML document: its attributes and the elements in it. Text between elements means nothing here.
struct MarkupElement {
  var name: String
  var attributes: [String: String] = [:]
  var children: [MarkupElement] = []
  /// The line it begins in, from 1.
  var line: Int

  /// The elements in it that are called `name`.
  func children(named name: String) -> [MarkupElement] { children.filter { $0.name == name } }

  /// The attribute called `name`.
  subscript(name: String) -> String? { attributes[name] }

  /// Whether the attribute is a yes.
  func flag(_ name: String, default standard: Bool = false) -> Bool {
    guard let text = self[name]?.lowercased() else { return standard }
    return text == "yes" || text == "true" || text == "1"
  }
}
