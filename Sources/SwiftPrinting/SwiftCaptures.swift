internal import Modeling
internal import SwiftParsing

/// The constants that stand before a predicate and the parameters of the function around it.
struct SwiftCaptures {
  /// `let name = initializer`
  struct Constant {
    var name: String
    /// The type, if the initializer does not determine it.
    var annotation: String?
    var initializer: String
    var comment: String?

    /// The declaration, `prefix` before it.
    func declaration(_ prefix: String = "let") -> String {
      let type = annotation.map { ": \($0)" } ?? ""
      let comment = comment.map { "  // \($0)" } ?? ""
      return "\(prefix) \(SwiftNames.identifier(name))\(type) = \(initializer)\(comment)"
    }
  }

  /// A parameter of the function.
  struct Parameter {
    var name: String
    var type: SwiftType
  }

  private(set) var constants: [Constant] = []
  private(set) var parameters: [Parameter] = []
  /// The names of parameters for objects, by the objects.
  private var objects: [ObjectKey: String] = [:]

  /// One object, or a list of objects.
  private struct ObjectKey: Hashable {
    var ids: [ObjectID]
    var isList: Bool
  }
  /// Names that are used otherwise.
  var reserved: Set<String> = []

  var isEmpty: Bool { constants.isEmpty && parameters.isEmpty }
  /// The declarations outside of the closure.
  var names: Set<String> { Set(constants.map(\.name) + parameters.map(\.name)) }

  /// The name of a constant with this initializer; adds one if there is none.
  mutating func constant(_ name: String, annotation: String? = nil, _ initializer: String, comment: String?) -> String {
    if let known = constants.first(where: { Self.stem($0.name) == name && $0.initializer == initializer }) {
      return known.name
    }
    let unique = Naming.unique(name, among: names.union(reserved))
    constants.append(
      Constant(name: unique, annotation: annotation, initializer: initializer, comment: comment))
    return unique
  }

  /// The parameter called `name`; false where there is one of another type.
  mutating func parameter(_ name: String, _ type: SwiftType) -> Bool {
    if let known = parameters.first(where: { $0.name == name }) { return known.type == type }
    parameters.append(Parameter(name: name, type: type))
    return true
  }

  /// The name of a parameter for an object, or for a list of such: the same objects have one, others have others.
  mutating func parameter(of ids: [ObjectID], _ name: String, _ type: SwiftType) -> String {
    let isList = if case .list = type { true } else { false }
    let key = ObjectKey(ids: ids, isList: isList)
    if let known = objects[key] { return known }
    let unique = Naming.unique(name, among: names.union(reserved))
    objects[key] = unique
    parameters.append(Parameter(name: unique, type: type))
    return unique
  }

  /// A name without the number that made it unique.
  private static func stem(_ name: String) -> String {
    var name = name[...]
    while let last = name.last, last.isNumber { name = name.dropLast() }
    return String(name)
  }
}
