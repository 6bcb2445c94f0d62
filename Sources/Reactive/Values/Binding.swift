/// A value that reads and writes another value, which is stored elsewhere.
///
///     let text = State("5")
///     let number = text.binding().map(get: { Int($0) ?? 0 }, set: { String($0) })
///     number.wrappedValue += 1                             // text.value is "6"
///
/// Reading through it is tracked like reading what it leads to.
@propertyWrapper @dynamicMemberLookup
public struct Binding<Value> {
  private let get: () -> Value
  private let set: (Value) -> Void

  /// A binding that reads and writes by these functions.
  public init(get: @escaping () -> Value, set: @escaping (Value) -> Void) {
    self.get = get
    self.set = set
  }

  /// A binding to what `base` leads to; nil if that is nil now. Should it become nil later, the last value is read.
  public init?(_ base: Binding<Value?>) {
    guard var last = base.wrappedValue else { return nil }
    self.init(
      get: {
        last = base.wrappedValue ?? last
        return last
      },
      set: {
        last = $0
        base.wrappedValue = $0
      })
  }

  /// A binding that always reads `value`, and forgets what is written.
  public static func constant(_ value: Value) -> Binding { Binding(get: { value }, set: { _ in }) }

  /// The value.
  public var wrappedValue: Value {
    get { get() }
    nonmutating set { set(newValue) }
  }

  /// The binding itself: `$text` of a property.
  public var projectedValue: Binding { self }

  /// A binding to a part of the value.
  public subscript<Part>(dynamicMember keyPath: WritableKeyPath<Value, Part>) -> Binding<Part> {
    Binding<Part>(get: { get()[keyPath: keyPath] }) { part in
      var value = get()
      value[keyPath: keyPath] = part
      set(value)
    }
  }

  /// A binding to the value under a key of a dictionary, nil for none.
  public subscript<Key, Element>(key key: Key) -> Binding<Element?> where Value == [Key: Element] {
    Binding<Element?>(get: { get()[key] }) { element in
      var value = get()
      value[key] = element
      set(value)
    }
  }

  /// A binding that sees the value in another form.
  public func map<Other>(
    get read: @escaping (Value) -> Other, set write: @escaping (Other) -> Value
  ) -> Binding<Other> {
    Binding<Other>(get: { read(get()) }, set: { set(write($0)) })
  }

  /// Returns a binding that reads `value` instead of nil.
  public func `default`<Wrapped>(_ value: Wrapped) -> Binding<Wrapped> where Value == Wrapped? {
    Binding<Wrapped>(get: { get() ?? value }, set: { set($0) })
  }

  /// A binding whose writes are shown by an animation; nil for none.
  public func animation(_ animation: String?, _ turn: Turn) -> Binding {
    Binding(get: get) { value in
      turn.with(Transaction(showing: animation)) { set(value) }
    }
  }
}
