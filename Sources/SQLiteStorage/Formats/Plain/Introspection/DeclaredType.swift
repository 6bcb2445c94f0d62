import Modeling

/// The attribute type for a column's declaration.
///
/// SQLite lets any column hold anything, so this is what the values are expected to be; others are kept as they are.
/// A DATE column holds text or numbers; whether these are dates, `DateSample` finds out.
enum DeclaredType {
  /// The type is clear from the declaration.
  case known(AttributeType)
  /// The declaration names no storage class: the first rows decide, or else the given type.
  case sampled(AttributeType)

  /// Reads a declaration by SQLite's affinity rules, after the type names that these rules take for numbers.
  init(_ declaration: String) {
    let words = asciiLowercased(declaration)
    let name = String(words.prefix { $0.isLetter || $0 == "_" })
    func has(_ parts: String...) -> Bool { parts.contains { words.contains($0) } }
    switch name {
    case "": self = .known(.any)
    case "bool", "boolean": self = .known(.boolean)
    case "string": self = .known(.string)
    case "any": self = .known(.any)
    case _ where has("int"): self = .known(.integer64)
    case _ where has("char", "clob", "text"): self = .known(.string)
    case _ where has("blob"): self = .known(.data)
    case _ where has("real", "floa", "doub"): self = .known(.double)
    case "numeric", "decimal", "dec", "num", "number", "money", "currency": self = .sampled(.double)
    case _ where has("date", "time", "uuid", "guid", "json", "xml", "url", "enum"): self = .sampled(.string)
    default: self = .sampled(.any)
    }
  }

  /// The type for the storage class of a row, as `typeof` names it; nil for no row.
  func type(found storage: String?) -> AttributeType {
    switch self {
    case .known(let type): return type
    case .sampled(let expected):
      switch storage {
      // A column of money may hold 5 in one row and 5.5 in the next.
      case "integer": return expected == .double ? .double : .integer64
      case "real": return .double
      case "text": return .string
      case "blob": return .data
      default: return expected
      }
    }
  }

  /// Whether a column of a table that is declared so makes texts of numbers, by SQLite's own rules.
  static func makesTexts(_ declaration: String) -> Bool {
    let words = asciiLowercased(declaration)
    return !words.contains("int") && ["char", "clob", "text"].contains(where: words.contains)
  }

  /// Whether rows have to be looked at.
  var isSampled: Bool { if case .sampled = self { true } else { false } }
}
