public import Foundation
internal import ObjectGraph
internal import Queries

// Foundation on Linux has NSPredicate without the format language; these initializers parse it as the engine does.
extension NSPredicate {
  /// Parses the format language; each `%@` takes the next argument: `NSPredicate(format: "place CONTAINS %@", text)`.
  ///
  /// A fetch throws the errors of the text. Evaluated with an object, an invalid predicate is false.
  public convenience init(format predicateFormat: String, _ args: any CVarArg...) {
    self.init(FormatArguments.parse(predicateFormat, args))
  }

  /// Parses the format language; each `%@` takes the next argument.
  public convenience init(format predicateFormat: String, argumentArray arguments: [Any]?) {
    self.init(FormatArguments.parse(predicateFormat, arguments ?? []))
  }

  /// Creates a predicate with the meaning of a `FetchPredicate`.
  public convenience init<Object: ManagedObject>(_ predicate: FetchPredicate<Object>) { self.init(predicate.tree) }

  /// Translates a `#Predicate`.
  public convenience init<Object: ManagedObject>(_ predicate: Foundation.Predicate<Object>) {
    self.init(FetchPredicate(predicate).tree)
  }

  private convenience init(_ tree: Result<Queries.Predicate, any Error>) {
    self.init(block: { object, _ in
      guard let object = object as? ManagedObject, let tree = try? tree.get() else { return false }
      return (try? object.evaluate(tree)) == true
    })
    _ = Self.trees.value(of: self) { tree }
  }

  /// The conditions of the predicates that the initializers above created.
  private static let trees = WeakTable<NSPredicate, Result<Queries.Predicate, any Error>>()

  /// Returns the condition.
  ///
  /// - Throws: PredicateError of the text; PeriluneError.blockPredicate.
  func tree() throws -> Queries.Predicate {
    if let tree = Self.trees[self] { return try tree.get() }
    if let compound = self as? NSCompoundPredicate {
      let parts = try compound.subpredicates.map { try $0.tree() }
      switch compound.compoundPredicateType {
      case .not: return .not(parts.first ?? .constant(false))
      case .and: return .and(parts)
      case .or: return .or(parts)
      @unknown default: throw PeriluneError(.blockPredicate)
      }
    }
    if NSPredicate(value: true).isEqual(self) { return .constant(true) }
    if NSPredicate(value: false).isEqual(self) { return .constant(false) }
    throw PeriluneError(.blockPredicate)
  }
}

extension ManagedObject {
  /// Whether the object matches in memory, with its unsaved changes.
  fileprivate final func evaluate(_ tree: Queries.Predicate) throws -> Bool {
    access()
    return try CompiledPredicate(tree, entity: handle.entity).evaluate(handle) == true
  }
}
