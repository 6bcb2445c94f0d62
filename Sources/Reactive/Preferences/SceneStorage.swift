/// A value of one scene, such as a store, that lasts from one run to the next.
///
///     let filter = SceneStorage("filter", "", of: "/data/quakes.sqlite", in: file)
///     filter.value = "place CONTAINS 'chile'"
@propertyWrapper
public final class SceneStorage<Value: PreferenceRepresentable>: StoredValue<Value> {
  /// The value called `name` of `scene`; `value` as long as the file has none.
  public init(_ name: String, _ value: Value, of scene: String, in file: PreferenceFile) {
    super.init(PreferenceKeyPath(scene: scene, name: name), value, in: file)
  }

  /// A property that the file keeps: `@SceneStorage("filter", of: path, in: file) var filter = ""`.
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
