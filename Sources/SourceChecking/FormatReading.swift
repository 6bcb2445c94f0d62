package import Queries
package import SwiftReading

/// The predicate of `NSPredicate(format:)` with its arguments, as far as the source says them.
package struct FormatReading {
  /// What stands for a key that is not known.
  private static let unknownKey = "__key__"

  package let placeholders: [PlaceholderKinds.Placeholder]
  let arguments: [PredicateArgument]
  private let text: String

  /// Reads a format; arguments that are not known become variables.
  package init(_ format: FormatSite) { self.init(format, names: Self.variable) }

  /// Reads a format; nil where an argument has no value and `name` has no name for it.
  package init?(_ format: FormatSite, name: (Int) -> String?) {
    let count = PlaceholderKinds(format.format.text)?.all.count ?? 0
    let names = (0..<count).map(name)
    self.init(format, names: { names[$0] ?? "" })
    let variables = arguments.compactMap { if case .expression(.variable(let name, _)) = $0 { name } else { nil } }
    if variables.contains("") || hasUnknownKey { return nil }
  }

  private init(_ format: FormatSite, names: (Int) -> String) {
    self.init(format.format.text, format.arguments ?? [], names: names)
  }

  /// Reads a format of whose arguments the keys alone are known; the others become variables.
  package init(_ text: String, keys arguments: [SiteArgument] = []) {
    let keys = arguments.map { argument in
      var key = argument
      key.value = nil
      return key
    }
    self.init(text, keys, names: Self.variable)
  }

  private static func variable(_ number: Int) -> String { "argument\(number + 1)" }

  private init(_ text: String, _ given: [SiteArgument], names: (Int) -> String) {
    self.text = text
    placeholders = PlaceholderKinds(text)?.all ?? []
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

  /// What the value of each placeholder is compared with, by their numbers; empty for a format that does not parse.
  package var counterparts: [Int: (expression: Expression, isList: Bool)] {
    var found: [String: (Expression, Bool)] = [:]
    func collect(_ predicate: Predicate) {
      switch predicate {
      case .and(let terms), .or(let terms): terms.forEach(collect)
      case .not(let inner): collect(inner)
      case .comparison(let comparison):
        for (one, other) in [(comparison.left, comparison.right), (comparison.right, comparison.left)] {
          // A list may be one value, or several.
          guard case .variable(let name, _) = one else {
            for name in one.variables { found[name] = (other, false) }
            continue
          }
          found[name] = (other, comparison.comparator == .in || comparison.comparator == .between)
        }
      case .expression, .constant: break
      }
    }
    (try? predicate()).map(collect)
    return Dictionary(
      uniqueKeysWithValues: placeholders.indices.compactMap { number in
        found[Self.variable(number)].flatMap { Self.isUnknown($0.0.description) ? nil : (number, $0) }
      })
  }

  /// Whether a key is not known.
  package var hasUnknownKey: Bool { arguments.contains(.value(.string(Self.unknownKey))) }

  /// Whether a name has the key that is not known in it.
  static func isUnknown(_ name: String) -> Bool { name.contains(unknownKey) }
}
