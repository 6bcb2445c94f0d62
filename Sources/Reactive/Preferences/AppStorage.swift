/// A value of the program that persists between runs.
///
///     let minimum = AppStorage("minimum", 5, in: file)
///     minimum.value = 6
@propertyWrapper
public final class AppStorage<Value: PreferenceRepresentable>: StoredValue<Value> {
  /// Creates the value `name`; `value` is the default while the file has none.
  public init(_ name: String, _ value: Value, in file: PreferenceFile) {
    super.init(PreferenceKeyPath(scene: nil, name: name), value, in: file)
  }

  /// Creates a stored property: `@AppStorage("minimum", in: file) var minimum = 5`.
  public convenience init(wrappedValue: Value, _ name: String, in file: PreferenceFile) {
    self.init(name, wrappedValue, in: file)
  }

  /// The value, as a property.
  public var wrappedValue: Value {
    get { value }
    set { value = newValue }
  }

  /// A binding to the value.
  public var projectedValue: Binding<Value> { binding() }
}
