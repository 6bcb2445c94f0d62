public import Reactive

/// A property that is brought up to date before its values are used: those of this library, and structures of them.
///
///     @propertyWrapper struct Celsius: DynamicProperty {
///       @State private var fahrenheit = 68.0
///       @State private(set) var wrappedValue = ""
///       func update() { wrappedValue = "\((fahrenheit - 32) / 1.8) °C" }
///     }
///     updateDynamicProperties(of: view)
///     container.effect(of: view) { view in print(view.celsius) }
public protocol DynamicProperty {
  /// Brings the value up to date. What it keeps must be behind a reference, such as a `State`.
  mutating func update()
}

extension DynamicProperty {
  /// Does nothing.
  public mutating func update() {}
}

extension State: DynamicProperty {}
extension Binding: DynamicProperty {}
extension Bindable: DynamicProperty {}

/// Calls `update` of all dynamic properties of a structure or an object, inner ones first.
public func updateDynamicProperties(of owner: Any) {
  var mirror: Mirror? = Mirror(reflecting: owner)
  while let current = mirror {
    for child in current.children {
      guard var property = child.value as? any DynamicProperty else { continue }
      if Mirror(reflecting: property).displayStyle == .struct { updateDynamicProperties(of: property) }
      property.update()
    }
    mirror = current.superclassMirror
  }
}

extension PersistentContainer {
  /// Runs `body` now, and at the end of each turn in which anything that it has read changed; each time after the dynamic
  /// properties of `owner` were updated.
  @discardableResult
  public func effect<Owner>(of owner: Owner, _ body: @escaping (Owner) -> Void) -> Effect {
    effect {
      updateDynamicProperties(of: owner)
      body(owner)
    }
  }
}
