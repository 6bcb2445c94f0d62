/// The classes of a model and the model itself: what `perilune types --swift` writes at the end of its source.
///
///     let container = try PersistentContainer("quakes.sqlite", for: QuakesSchema.self)
public protocol ModelSchema {
  /// The class of each entity.
  static var classes: [ManagedObject.Type] { get }
  /// The model as the store keeps it: JSON.
  static var model: String { get }
}
