/// A value of one scene, such as a store, that persists between runs.
///
///     let filter = SceneStorage("filter", "", of: "/data/quakes.sqlite", in: file)
///     filter.value = "place CONTAINS 'chile'"
@propertyWrapper
public final class SceneStorage<Value: PreferenceRepresentable>: StoredValue<Value> {
  /// Creates the value `name` of `scene`; `value` is the default while the file has none.
  public init(_ name: String, _ value: Value, of scene: String, in file: PreferenceFile) {
    super.init(PreferenceKeyPath(scene: scene, name: name), value, in: file)
  }

  /// Creates a stored property: `@SceneStorage("filter", of: path, in: file) var filter = ""`.
  public convenience init(wrappedValue: Value, _ name: String, of scene: String, in file: PreferenceFile) {
    self.init(name, wrappedValue, of: scene, in: file)
  }

  /// The value, as a property.
  public var wrappedValue: Value {
    get { value }
    set { value = newValue }
  }

  /// A binding to the value.
  public var projectedValue: Binding<Value> { binding() }
}
