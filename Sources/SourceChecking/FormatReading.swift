package import Queries
package import SwiftInterchange

/// The predicate of `NSPredicate(format:)` with its arguments, as far as the source says them.
package struct FormatReading {
  /// What stands for a key that is not known.
  private static let unknownKey = "__key__"

  let placeholders: [PlaceholderKinds.Placeholder]
  let arguments: [PredicateArgument]
  private let text: String

  /// Reads a format; arguments that are not known become variables.
  package init(_ format: FormatSite) { self.init(format, names: { "argument\($0 + 1)" }) }

  /// Reads a format; nil where an argument has no value and `name` has no name for it.
  package init?(_ format: FormatSite, name: (Int) -> String?) {
    let count = PlaceholderKinds(format.format.text)?.all.count ?? 0
    let names = (0..<count).map(name)
    self.init(format, names: { names[$0] ?? "" })
    let variables = arguments.compactMap { if case .expression(.variable(let name, _)) = $0 { name } else { nil } }
    if variables.contains("") || hasUnknownKey { return nil }
  }

  private init(_ format: FormatSite, names: (Int) -> String) {
    text = format.format.text
    placeholders = PlaceholderKinds(text)?.all ?? []
    let given = format.arguments ?? []
    arguments = placeholders.enumerated().map { number, placeholder in
      let argument = number < given.count ? given[number] : nil
      if placeholder.specification.hasSuffix("K") {
        return .value(.string(argument?.key?.text ?? Self.unknownKey))
      }
      if placeholder.specification == "@", let value = argument?.value, argument?.kind == .object {
        return .value(value)
      }
      return .expression(.variable(names(number)))
    }
  }

  /// The predicate; arguments that are not known are variables.
  ///
  /// - Throws: PredicateError.
  package func predicate() throws(PredicateError) -> Predicate { try Predicate.parse(text, arguments: arguments) }

  /// Whether a key is not known.
  package var hasUnknownKey: Bool { arguments.contains(.value(.string(Self.unknownKey))) }

  /// Whether a name has the key that is not known in it.
  static func isUnknown(_ name: String) -> Bool { name.contains(unknownKey) }
}
