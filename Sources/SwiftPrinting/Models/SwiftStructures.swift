internal import Modeling
internal import SwiftReading

/// The structures and enumerations that stand for a model's composites in Swift, in the order in which they are met.
struct SwiftStructures {
  private(set) var all: [(name: String, elements: [Attribute])] = []
  private(set) var enumerations: [SwiftEnumeration] = []
  private let taken: Set<String>
  /// Whether composites that keep enumerations are those.
  private let hasEnumerations: Bool

  /// Structures whose names differ from those in use.
  init(besides taken: Set<String>, enumerations: Bool = false) {
    self.taken = taken
    hasEnumerations = enumerations
  }

  /// The name of the structure of a composite's elements; the same for the same elements.
  mutating func name(of attribute: Attribute) -> String {
    if var found = enumeration(of: attribute) {
      if let known = known(found) { return known.name }
      found.name = unique(found.name)
      enumerations.append(found)
      return found.name
    }
    let wanted = SwiftModelNames.plain(
      attribute.compositeName.flatMap { $0.isEmpty ? nil : $0 } ?? Naming.upperCamelCase(attribute.name))
    for element in attribute.elements where element.type == .composite { _ = name(of: element) }
    if let known = all.first(where: { $0.elements == attribute.elements && $0.name.hasPrefix(wanted) }) {
      return known.name
    }
    let name = unique(wanted)
    all.append((name, attribute.elements))
    return name
  }

  /// The structure that is already there for a composite.
  func knownName(of attribute: Attribute) -> String? {
    if let found = enumeration(of: attribute) { return known(found)?.name }
    return all.first { $0.elements == attribute.elements }?.name
  }

  /// The enumeration that a composite keeps.
  func enumeration(of attribute: Attribute) -> SwiftEnumeration? {
    hasEnumerations ? SwiftEnumeration(of: attribute) : nil
  }

  private func known(_ found: SwiftEnumeration) -> SwiftEnumeration? {
    enumerations.first { $0.rawType == found.rawType && $0.cases == found.cases && $0.name.hasPrefix(found.name) }
  }

  private func unique(_ name: String) -> String {
    Naming.unique(name, among: taken.union(all.map(\.name)).union(enumerations.map(\.name)))
  }
}
