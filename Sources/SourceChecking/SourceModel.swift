package import Modeling

/// A model that predicates in source are checked against.
package struct SourceModel: Sendable {
  package var model: Model
  /// Whether its classes are those of SwiftData.
  package var isSwiftData: Bool

  package init(_ model: Model, isSwiftData: Bool) { (self.model, self.isSwiftData) = (model, isSwiftData) }

  /// The entity of a name, or the one whose objects are of a class of that name.
  package func entity(_ name: String) -> Entity? {
    if let named = model.entity(named: name) { return named }
    let found = model.entities.filter { $0.description.className?.split(separator: ".").last.map(String.init) == name }
    return found.count == 1 ? found[0] : nil
  }
}
