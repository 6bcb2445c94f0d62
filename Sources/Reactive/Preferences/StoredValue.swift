/// A value in a preference file: an `AppStorage` or a `SceneStorage`.
///
/// All instances with the same name, scene and file are the same value. A stored value of another type than the
/// default's stays in the file and is reported to the file's `onProblem`; the default is used.
public class StoredValue<Value: PreferenceRepresentable> {
  private let state: State<Value>
  private let file: PreferenceFile
  private let key: PreferenceKeyPath
  private let defaultValue: Value
  private var token: ObservationToken?
  private var isSetting = false

  init(_ key: PreferenceKeyPath, _ defaultValue: Value, in file: PreferenceFile) {
    self.key = key
    self.file = file
    self.defaultValue = defaultValue
    state = State(Self.value(file[key], key, defaultValue, file))
    token = file.onChange(key) { [weak self] value in
      guard let self, !isSetting else { return }
      state.value = Self.value(value, key, defaultValue, file)
    }
  }

  deinit { token?.cancel() }

  /// The name.
  public var name: String { key.name }

  /// The value.
  public var value: Value {
    get { state.value }
    set { try? set(newValue) }
  }

  /// A binding to the value.
  public func binding() -> Binding<Value> { Binding(get: { self.value }, set: { self.value = $0 }) }

  /// Changes the value; nil removes it from the file, so that the default applies again.
  ///
  /// - Throws: EndlessRounds if observers keep changing the value.
  public func set(_ value: Value?) throws(EndlessRounds) {
    // Write the file before calling observers, so that a value set by an observer is kept.
    isSetting = true
    file[key] = value?.preferenceValue
    isSetting = false
    try state.set(Self.value(file[key], key, defaultValue, file))
  }

  /// Registers `body` to be called with the new and the old value at each change; `name` names it in messages.
  public func onChange(
    name: @autoclosure @escaping () -> String = "onChange", _ body: @escaping (_ new: Value, _ old: Value) -> Void
  ) -> ObservationToken {
    state.onChange(name: name(), body)
  }

  private static func value(
    _ kept: PreferenceValue?, _ key: PreferenceKeyPath, _ defaultValue: Value, _ file: PreferenceFile
  ) -> Value {
    guard let kept else { return defaultValue }
    if let value = Value(preferenceValue: kept), defaultValue.accepts(value) { return value }
    let expected = defaultValue.preferenceValue.typeName
    file.report(.otherType(name: key.name, expected: expected, found: kept.typeName))
    return defaultValue
  }
}
