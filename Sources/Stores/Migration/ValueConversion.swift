import Foundation
package import Modeling

/// Converts stored values from one attribute type to another without losing information.
package enum ValueConversion {
  /// Whether some values of `old` are values of `new`, so that it is worth examining them.
  static func isPossible(from old: AttributeType, to new: AttributeType) -> Bool {
    if old == new || new == .string || old == .string || old == .any || new == .any { return true }
    func isNumber(_ type: AttributeType) -> Bool { type.isNumeric || type == .boolean }
    if isNumber(old), isNumber(new) { return true }
    switch (old, new) {
    case (.date, .double), (.double, .date), (.transformable, .composite), (.composite, .transformable): return true
    default: return false
    }
  }

  /// Returns the stored form of the same value as `new`; nil if the conversion would lose information.
  ///
  /// Values are in SQLite's form: null, integers, reals, text and blobs.
  package static func convert(_ stored: Value, from old: AttributeType, to new: AttributeType) -> Value? {
    if stored.isNull || old == new || new == .any { return stored }
    if new == .string { return text(of: stored, old).map(Value.string) }
    switch stored {
    case .string(let text): return parse(text, as: new)
    case .int(let number): return convert(number, to: new)
    case .double(let number): return convert(number, to: new)
    default: return new == .data ? stored : nil
    }
  }

  private static func text(of stored: Value, _ type: AttributeType) -> String? {
    switch stored {
    case .int(let number) where type == .boolean && (number == 0 || number == 1): number == 1 ? "true" : "false"
    case .int(let number): "\(number)"
    case .double(let seconds) where type == .date: Timestamp(seconds).iso8601
    case .double(let number): "\(number)"
    case .string(let text): text
    case .data(let bytes): String(validating: bytes, as: UTF8.self)
    default: nil
    }
  }

  private static func parse(_ text: String, as type: AttributeType) -> Value? {
    var copy = text
    return copy.withUTF8 { bytes -> Value? in
      let bytes = UnsafeRawBufferPointer(bytes)
      switch type {
      case .integer16, .integer32, .integer64, .double, .float:
        // A leading zero or sign may matter: only a text can preserve `007`.
        if let number = parseInt64(bytes) { return "\(number)" == text ? convert(number, to: type) : nil }
        guard let number = parseDouble(bytes) else { return nil }
        if let exact = parseDecimal(bytes), Decimal(shortest: number) != exact { return nil }
        return convert(number, to: type)
      case .boolean: return ["true": .int(1), "false": .int(0), "1": .int(1), "0": .int(0)][text]
      case .decimal: return parseDecimal(bytes).map { .string($0.canonicalText) }
      case .date: return parseTimestamp(bytes).map { .double($0.seconds) }
      case .uuid: return parseUUID(bytes).map { .string($0.canonicalText) }
      case .transformable: return (try? JSON.parse(bytes)).map { .string($0.text) }
      case .url, .any, .string: return .string(text)
      case .data: return .data([UInt8](bytes))
      case .composite:
        guard case .object? = try? JSON.parse(bytes) else { return nil }
        return .string(text)
      }
    }
  }

  private static func convert(_ number: Int64, to type: AttributeType) -> Value? {
    switch type {
    case .integer16, .integer32, .integer64: type.integerRange!.contains(number) ? .int(number) : nil
    case .boolean: number == 0 || number == 1 ? .int(number) : nil
    case .double, .float, .date: Int64(exactly: Double(number)) == number ? .double(Double(number)) : nil
    case .decimal: .string("\(number)")
    default: nil
    }
  }

  private static func convert(_ number: Double, to type: AttributeType) -> Value? {
    switch type {
    case .integer16, .integer32, .integer64, .boolean: Int64(exactly: number).flatMap { convert($0, to: type) }
    case .double, .date: .double(number)
    case .float: abs(number) <= Double(Float.greatestFiniteMagnitude) ? .double(number) : nil
    case .decimal: Decimal(shortest: number).map { .string($0.canonicalText) }
    default: nil
    }
  }
}
