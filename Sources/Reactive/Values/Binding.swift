/// A value that reads and writes another value, which is stored elsewhere.
///
///     let text = State("5")
///     let number = text.binding().map(get: { Int($0) ?? 0 }, set: { String($0) })
///     number.wrappedValue += 1                             // text.value is "6"
///
/// Reads through it are tracked as reads of the other value.
@propertyWrapper @dynamicMemberLookup
public struct Binding<Value> {
  private let get: () -> Value
  private let set: (Value) -> Void

  /// Creates a binding from functions that read and write the value.
  public init(get: @escaping () -> Value, set: @escaping (Value) -> Void) {
    self.get = get
    self.set = set
  }

  /// Creates a binding from another one: what a function or an init with a wrapped parameter is called with, `$text`.
  public init(projectedValue: Binding) { self = projectedValue }

  /// Creates a binding to the wrapped value of `base`; returns nil if that is nil now. If it becomes nil later, the
  /// binding reads the last value.
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

  /// A binding that always reads `value`, and ignores writes.
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

  /// A binding to the value for a key of a dictionary; nil for no value.
  public subscript<Key, Element>(key key: Key) -> Binding<Element?> where Value == [Key: Element] {
    Binding<Element?>(get: { get()[key] }) { element in
      var value = get()
      value[key] = element
      set(value)
    }
  }

  /// A binding that converts the value.
  public func map<Other>(
    get read: @escaping (Value) -> Other, set write: @escaping (Other) -> Value
  ) -> Binding<Other> {
    Binding<Other>(get: { read(get()) }, set: { set(write($0)) })
  }

  /// Returns a binding that reads `value` instead of nil.
  public func `default`<Wrapped>(_ value: Wrapped) -> Binding<Wrapped> where Value == Wrapped? {
    Binding<Wrapped>(get: { get() ?? value }, set: { set($0) })
  }

  /// A binding whose writes have an animation; nil for none.
  public func animation(_ animation: Animation?, _ turn: Turn) -> Binding {
    Binding(get: get) { value in
      turn.with(Transaction(showing: animation)) { set(value) }
    }
  }
}
