public import Foundation

// Foundation on Apple's platforms converts these to objects, so that they can be arguments of formats:
// `NSPredicate(format: "time >= %@", startDate as CVarArg)`.

extension Date: @retroactive CVarArg {
  /// The date as text, for `%@`.
  public var _cVarArgEncoding: [Int] { encodedText(of: self) }
}

extension UUID: @retroactive CVarArg {
  /// The UUID as text, for `%@`.
  public var _cVarArgEncoding: [Int] { encodedText(of: self) }
}

extension URL: @retroactive CVarArg {
  /// The URL as text, for `%@`.
  public var _cVarArgEncoding: [Int] { encodedText(of: self) }
}

extension Data: @retroactive CVarArg {
  /// The data as text, for `%@`.
  public var _cVarArgEncoding: [Int] { encodedText(of: self) }
}

extension Decimal: @retroactive CVarArg {
  /// The number as text, for `%@`.
  public var _cVarArgEncoding: [Int] { encodedText(of: self) }
}

extension Array: @retroactive CVarArg where Element: PredicateValue {
  /// The list as text, for `%@`.
  public var _cVarArgEncoding: [Int] { encodedText(of: self) }
}

extension Set: @retroactive CVarArg where Element: PredicateValue {
  /// The set as text, for `%@`.
  public var _cVarArgEncoding: [Int] { encodedText(of: self) }
}

extension ManagedObject: CVarArg {
  /// The object's ID as text, for `%@`.
  public final var _cVarArgEncoding: [Int] { encodedText(of: objectID) }
}

/// Encodes the text of a value for functions such as `String(format:)`. It is never released, because it must outlive
/// the call that asks for it. Predicates do not use it.
private func encodedText(of value: Any) -> [Int] {
  [Int(bitPattern: Unmanaged.passRetained(NSString(string: "\(value)")).toOpaque())]
}
