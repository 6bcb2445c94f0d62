internal import Modeling
public import ObjectGraph

/// Formats objects as text.
public enum ObjectText {
  private static let longestLine = 120

  /// An object in one line: `Quake/12 { code = "us1", magnitude = 5.1 }`, without properties that are nil.
  public static func line(of object: ManagedObject) -> String {
    let id = object.objectID.description
    if object.isDeleted { return "\(id) (deleted)" }
    var fields: [String] = []
    var length = 0
    for (index, property) in object.entity.properties.enumerated() {
      guard property.attribute != nil else { continue }
      guard let value = try? object.attribute(at: index) else { return "\(id) (missing)" }
      if value.isNull { continue }
      let field = "\(property.name) = \(value.shortText)"
      length += field.count + 2
      if length > longestLine {
        fields.append("…")
        break
      }
      fields.append(field)
    }
    return fields.isEmpty ? id : "\(id) { \(fields.joined(separator: ", ")) }"
  }

  /// Returns the short name of an object: `Quake us1`.
  public static func name(of object: ManagedObject) -> String { "\(object.entity.name) \(title(of: object))" }

  /// The value by which people recognize an object: a name, a title, a unique text, or else its key.
  public static func title(of object: ManagedObject) -> String {
    guard !object.isDeleted, let index = object.entity.titleAttribute,
      let value = try? object.attribute(at: index), !value.isNull
    else { return keyText(of: object) }
    return value.displayText
  }

  private static func keyText(of object: ManagedObject) -> String {
    let text = object.objectID.description
    return String(text[text.index(after: text.firstIndex(of: "/") ?? text.startIndex)...])
  }
}
