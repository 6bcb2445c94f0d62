internal import SwiftParsing

/// Names of variables for values of the program around a predicate, by their source.
///
///     person.name          // $name
///     author.objectID      // $authorID
///     Calendar.current.startOfDay(for: date)      // $startOfDay
struct OutsideNames {
  private var names: [String: String] = [:]

  /// The name for the value whose source is `source`; another value of the same name has a number.
  mutating func name(for syntax: SwiftSyntax, _ source: String) -> String {
    if let known = names[source] { return known }
    let stem = Self.stem(syntax)
    let taken = Set(names.values)
    var name = stem
    var number = 2
    while taken.contains(name) {
      name = "\(stem)\(number)"
      number += 1
    }
    names[source] = name
    return name
  }

  /// What a value is called that is computed.
  static func stem(_ syntax: SwiftSyntax) -> String {
    switch syntax.kind {
    case .forced(let base), .optionalChain(let base), .cast(let base, _, _): return stem(base)
    case .tuple(let elements) where elements.count == 1: return stem(elements[0].value)
    case .infix("??", let operands): return stem(operands[0])
    case .subscripted(let base, _): return stem(base)
    case .call(let callee, _, let arguments): return stem(ofCall: callee, arguments)
    case .member(let base?, let name) where identifiers.contains(name): return stem(base) + "ID"
    case .member(let base?, let name) where name == "rawValue" || adaptations.contains(name): return stem(base)
    case .member(_, let name), .name(let name):
      return name == "self" || name.hasPrefix("$") ? "value" : lowerCamel(name)
    default: return "value"
    }
  }

  private static func stem(ofCall callee: SwiftSyntax, _ arguments: [SwiftArgument]) -> String {
    switch callee.kind {
    case .name(let type) where wrappers.contains(type) && arguments.count == 1: stem(arguments[0].value)
    case .member(let base?, let name) where adaptations.contains(name): stem(base)
    default: stem(callee)
    }
  }

  private static let identifiers: Set<String> = ["id", "persistentModelID", "objectID"]
  /// What only changes the type of a value.
  private static let wrappers: Set<String> = [
    "NSNumber", "NSDecimalNumber", "NSString", "NSDate", "String", "Int", "Int16", "Int32", "Int64", "Double", "Float",
    "Decimal", "Set", "Array", "NSArray", "NSSet",
  ]
  /// What adapts a text.
  private static let adaptations: Set<String> = [
    "trimmingCharacters", "lowercased", "uppercased", "description", "uuidString", "absoluteString",
  ]

  private static func lowerCamel(_ name: String) -> String {
    if name.allSatisfy(\.isUppercase) { return name.lowercased() }
    return name.prefix(1).lowercased() + name.dropFirst()
  }
}
