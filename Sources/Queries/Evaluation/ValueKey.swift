package import Foundation
package import Modeling

/// A value as an element of a set: two keys are equal exactly when the values compare as equal.
package enum ValueKey: Hashable {
  case number(Int64)
  case real(UInt64)
  case decimal(Decimal)
  case text(Bytes)
  case date(UInt64)
  case other(Value)

  /// A text by its bytes; Swift's own equality takes canonically equivalent texts for equal.
  package struct Bytes: Hashable {
    let text: String

    package static func == (left: Bytes, right: Bytes) -> Bool { compareBytes(left.text, right.text) == 0 }

    package func hash(into hasher: inout Hasher) {
      var text = text
      text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
  }

  package init(_ value: Value) {
    switch value {
    case .bool(let flag): self = .number(flag ? 1 : 0)
    case .int(let number): self = .number(number)
    case .double(let number): self = Self.key(of: number)
    case .decimal(let number):
      // A decimal that is the shortest notation of a double equals that double.
      if let double = Double(number.canonicalText), Value.double(double).decimalValue == number {
        self = Self.key(of: double)
      } else {
        self = .decimal(number)
      }
    case .string(let text), .url(let text): self = .text(Bytes(text: text))
    case .date(let date): self = .date((date.seconds == 0 ? 0 : date.seconds).bitPattern)
    default: self = .other(value)
    }
  }

  private static func key(of number: Double) -> ValueKey {
    Int64(exactly: number).map(ValueKey.number) ?? .real(number.bitPattern)
  }
}
