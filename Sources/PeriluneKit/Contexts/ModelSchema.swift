/// The classes of a model and the model itself, as `perilune types --swift` writes them at the end of its source.
///
///     let container = try PersistentContainer("quakes.sqlite", for: QuakesSchema.self)
public protocol ModelSchema {
  /// The class of each entity.
  static var classes: [ManagedObject.Type] { get }
  /// The model in the store's form: JSON.
  static var model: String { get }
}
