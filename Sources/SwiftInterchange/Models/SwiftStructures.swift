internal import Modeling

/// The structures that stand for a model's composites in Swift, in the order in which they are met.
struct SwiftStructures {
  private(set) var all: [(name: String, elements: [Attribute])] = []
  private let taken: Set<String>

  /// Structures called otherwise than what is there already.
  init(besides taken: Set<String>) { self.taken = taken }

  /// The name of the structure of a composite's elements; the same for the same elements.
  mutating func name(of attribute: Attribute) -> String {
    let wanted = SwiftModelNames.plain(
      attribute.compositeName.flatMap { $0.isEmpty ? nil : $0 } ?? Naming.upperCamelCase(attribute.name))
    for element in attribute.elements where element.type == .composite { _ = name(of: element) }
    if let known = all.first(where: { $0.elements == attribute.elements && $0.name.hasPrefix(wanted) }) {
      return known.name
    }
    let name = Naming.unique(wanted, among: taken.union(all.map(\.name)))
    all.append((name, attribute.elements))
    return name
  }

  /// The structure that is already there for a composite.
  func knownName(of attribute: Attribute) -> String? { all.first { $0.elements == attribute.elements }?.name }
}
