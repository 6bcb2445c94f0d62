/// A value of the program that lasts from one run to the next.
///
///     let minimum = AppStorage("minimum", 5, in: file)
///     minimum.value = 6
@propertyWrapper
public final class AppStorage<Value: PreferenceRepresentable>: StoredValue<Value> {
  /// The value called `name`; `value` as long as the file has none.
  public init(_ name: String, _ value: Value, in file: PreferenceFile) {
    super.init(PreferenceKeyPath(scene: nil, name: name), value, in: file)
  }

  /// A property that the file keeps: `@AppStorage("minimum", in: file) var minimum = 5`.
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
