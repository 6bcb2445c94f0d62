/// A value that notifies observers of its changes.
///
///     let minimum = State(5)
///     let token = minimum.onChange { new, old in print(old, "is now", new) }
///     minimum.value = 6                                    // prints 5 is now 6
///
/// It is also a property wrapper: `@State var minimum = 5` makes a property of a class observable, and `$minimum` is a
/// binding to it. The assignment calls observers at once; effects run at the end of the turn. Assigning an equal value
/// notifies no observer.
@propertyWrapper
public final class State<Value> {
  private var current: Value
  private let isEqual: (Value, Value) -> Bool
  private let source = ObservationSource()
  private var observers = ChangeObservers<Value>()
  private var untold: [(new: Value, old: Value)] = []
  private var isTelling = false

  /// Creates a state whose values `isEqual` compares.
  public init(_ value: Value, isEqual: @escaping (Value, Value) -> Bool) {
    current = value
    self.isEqual = isEqual
  }

  /// Creates a state.
  public convenience init(_ value: Value) where Value: Equatable { self.init(value, isEqual: ==) }

  /// Creates a state of values that cannot be compared: objects are equal if they are identical, other values never.
  @_disfavoredOverload
  public convenience init(_ value: Value) {
    let isClass = Value.self is AnyClass
    self.init(value) { isClass && $0 as AnyObject === $1 as AnyObject }
  }

  /// Creates the value of an observable property.
  public convenience init(wrappedValue: Value) where Value: Equatable { self.init(wrappedValue, isEqual: ==) }

  /// Creates the value of an observable property, whose values cannot be compared.
  @_disfavoredOverload
  public convenience init(wrappedValue: Value) { self.init(wrappedValue) }

  /// Creates the value of an observable property in an init: `_text = State(initialValue: text)`.
  public convenience init(initialValue: Value) where Value: Equatable { self.init(initialValue, isEqual: ==) }

  /// Creates the value of an observable property in an init, whose values cannot be compared.
  @_disfavoredOverload
  public convenience init(initialValue: Value) { self.init(initialValue) }

  /// The value. If observers keep changing it, they are called for at most a hundred rounds; `set` then throws.
  public var value: Value {
    get {
      source.access()
      return current
    }
    set { try? set(newValue) }
  }

  /// The value, as a property.
  public var wrappedValue: Value {
    get { value }
    set { value = newValue }
  }

  /// A binding to the value.
  public var projectedValue: Binding<Value> { binding() }

  /// A binding to the value.
  public func binding() -> Binding<Value> { Binding(get: { self.value }, set: { self.value = $0 }) }

  /// Changes the value and notifies the observers. Changes by observers are reported in a further round.
  ///
  /// - Throws: EndlessRounds if observers keep changing the value.
  public func set(_ new: Value) throws(EndlessRounds) {
    let old = current
    guard !isEqual(new, old) else { return }
    current = new
    guard source.isObserved || !observers.all.isEmpty else { return }
    untold.append((new, old))
    if !isTelling { try tellAll() }
  }

  /// Registers `body` to be called with the new and the old value at each change; `name` names it in messages.
  public func onChange(
    name: @autoclosure @escaping () -> String = "onChange", _ body: @escaping (_ new: Value, _ old: Value) -> Void
  ) -> ObservationToken {
    let id = observers.add(name: name, body)
    return ObservationToken { [weak self] in self?.observers.remove(id) }
  }

  private func tellAll() throws(EndlessRounds) {
    isTelling = true
    defer {
      isTelling = false
      untold = []
    }
    for _ in 0..<Turn.mostRounds {
      let round = untold
      untold = []
      for change in round { tell(change.new, change.old) }
      if untold.isEmpty { return }
    }
    let names = observers.all.map { $0.name() }
    throw EndlessRounds(names: names.isEmpty ? ["withObservationTracking"] : names)
  }

  private func tell(_ new: Value, _ old: Value) {
    source.didChange()
    for observer in observers.all where observers.contains(observer.id) {
      withoutObservationTracking { observer.body(new, old) }
    }
  }
}
