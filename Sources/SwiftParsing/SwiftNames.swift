package import Modeling

/// How things of a model are called in Swift.
package enum SwiftNames {
  /// A name as it is written where an identifier is expected; keywords in backticks.
  package static func identifier(_ name: String) -> String { keywords.contains(name) ? "`\(name)`" : name }

  /// The name of a property wrapper's storage: `_quakes` for quakes.
  package static func storage(_ identifier: String) -> String { "_" + identifier.filter { $0 != "`" } }

  /// Whether Swift can have a property of that name.
  package static func isIdentifier(_ name: String) -> Bool {
    guard let first = name.unicodeScalars.first, name != "_", first == "_" || first.properties.isXIDStart else {
      return false
    }
    return name.unicodeScalars.allSatisfy { $0 == "_" || $0.properties.isXIDContinue }
  }

  /// The name of one object: `quake` for Quake.
  package static func object(_ entity: Entity) -> String { Naming.lowerCamelCase(entity.name) }

  /// The name of many objects: `quakes` for Quake.
  package static func objects(_ entity: Entity) -> String { Naming.plural(object(entity)) }

  /// The part of a declaration's name after its first word: `Since` of `since`.
  package static func capitalized(_ name: String) -> String { name.prefix(1).uppercased() + name.dropFirst() }

  /// The words that cannot be an identifier as they are, nor a member's name in an expression.
  private static let keywords: Set<String> = [
    "Any", "as", "associatedtype", "break", "case", "catch", "class", "continue", "default", "defer", "deinit", "do",
    "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard", "if", "import", "in",
    "init", "inout", "internal", "is", "let", "nil", "operator", "precedencegroup", "private", "Protocol", "protocol",
    "public", "repeat", "rethrows", "return", "self", "Self", "static", "struct", "subscript", "super", "switch",
    "throw", "throws", "true", "try", "Type", "typealias", "var", "where", "while",
  ]
}
