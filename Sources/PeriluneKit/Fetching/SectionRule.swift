internal import Modeling
internal import ObjectGraph
internal import Queries

/// The common value of a section's objects.
enum SectionRule {
  /// A property, or an expression such as `year(time)`, by which the store groups.
  case expression(String)
  /// A computed property of the class, by which the program groups the fetched objects.
  case function(SectionFunction)

  /// Sections by a key path: those of the store if it is a property of the model, otherwise by the values that Swift
  /// computes.
  init<Object: ManagedObject>(_ keyPath: PartialKeyPath<Object>) {
    if let name = Object.propertyNames[keyPath] {
      self = .expression(name)
      return
    }
    self = .function(
      SectionFunction("\(keyPath)", source: keyPath) { subject in
        guard let handle = subject as? ObjectGraph.ManagedObject,
          let context = handle.context.face as? ManagedObjectContext
        else { return .null }
        let value = context.object(handle, as: Object.self)[keyPath: keyPath]
        guard let value = value as? any PredicateValue else {
          throw PeriluneError(.notAProperty(keyPath: "\(keyPath)", entity: Object.entityName))
        }
        return value.predicateValue
      })
  }

  /// The key path, if the class has one.
  func keyPath<Object: ManagedObject>(of type: Object.Type) -> PartialKeyPath<Object>? {
    switch self {
    case .expression(let text): Object.propertyNames.keyPath(to: text) as? PartialKeyPath<Object>
    case .function(let function): function.source as? PartialKeyPath<Object>
    }
  }

  /// The text of the expression; nil for a computed property.
  var text: String? {
    if case .expression(let text) = self { text } else { nil }
  }
}
