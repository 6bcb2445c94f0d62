import Foundation
import Modeling

/// Masks values: the same value by the same mask of the same secret is the same, wherever it stands.
final class Masker {
  private let secret: MaskSecret
  private var permutation: ShapePermutation

  init(_ secret: MaskSecret) {
    self.secret = secret
    permutation = ShapePermutation(secret)
  }

  /// The mask of a value; nil for one of another kind than the mask is for.
  func masked(_ value: Value, _ mask: Mask, maximumLength: Int?) -> Value? {
    switch (mask, value) {
    case (.null, _): return .null
    case (.text, .string(let text)): return .string(permutation.masked(text))
    case (.text, .url(let text)): return .url(masked(url: text))
    case (.text, .json(let json)): return .json(masked(json))
    case (.phone, .string(let text)): return .string(permutation.masked(text, keepsZeros: true))
    case (.text, .int(let number)), (.phone, .int(let number)): return .int(masked(number))
    case (.name, .string(let text)): return .string(masked(name: text))
    case (.email, .string(let text)): return .string(masked(email: text))
    case (.uuid, .uuid(let id)), (.text, .uuid(let id)): return .uuid(masked(id))
    case (.uuid, .string(let text)): return UUID(uuidString: text).map { .string(sameCase(masked($0), as: text)) }
    case (.hash, .string(let text)):
      return .string(String(hexadecimal(text).prefix(maximumLength ?? 32)))
    case (.hash, .data(let bytes)):
      let halves = [UInt8(1), 2].map { secret.hash(bytes + [$0]) }
      return .data(halves.flatMap { half in (0..<8).map { UInt8(truncatingIfNeeded: half >> ($0 * 8)) } })
    case (.number(let percent), _): return near(value, percent)
    case (.date(let days), .date(let date)):
      let hash = secret.hash(4, date.seconds.description)
      let shift = Int(hash % UInt64(days)) + 1
      return .date(Timestamp(date.seconds + Double(hash >> 63 == 0 ? shift : -shift) * 86_400))
    default: return nil
    }
  }

  // MARK: Texts

  /// Word by word, so that a name is masked alike by itself and in a full name.
  private func masked(name text: String) -> String {
    text.split(omittingEmptySubsequences: false) { !$0.isLetter && !$0.isNumber }.reduce(into: text[...].prefix(0)) {
      result, word in
      let end = word.endIndex
      result += sameCase(permutation.masked(word.lowercased()), as: String(word))
      if end < text.endIndex { result.append(text[end]) }
    }.description
  }

  /// A text with the upper and lower case of another one, letter by letter.
  private func sameCase(_ text: String, as model: String) -> String {
    guard text.count == model.count else { return text }
    return zip(text, model).map { $1.isUppercase ? $0.uppercased() : String($0) }.joined()
  }

  private func sameCase(_ id: UUID, as text: String) -> String {
    text.contains { $0.isLowercase } ? id.uuidString.lowercased() : id.uuidString
  }

  /// The scheme stays.
  private func masked(url text: String) -> String {
    guard let colon = text.range(of: "://") else { return permutation.masked(text) }
    return text[..<colon.upperBound] + permutation.masked(String(text[colon.upperBound...]))
  }

  /// An address of the same length, from 17 characters on, in a domain that is reserved for examples and tests.
  private func masked(email text: String) -> String {
    let domain = text.utf8.count >= 22 ? "@example.com" : "@a.test"
    let count = max(10, text.utf8.count - domain.utf8.count)
    let alphabet = Array("abcdefghijklmnopqrstuvwxyz0123456789".utf8)
    var letters: [UInt8] = []
    for part in UInt64(0)..<UInt64(count / 10 + 1) {
      var hash = secret.hash(1_000 + part, text.lowercased())
      for _ in 0..<min(10, count - letters.count) {
        // An address begins with a letter.
        letters.append(alphabet[Int(hash % (letters.isEmpty ? 26 : 36))])
        hash /= 36
      }
    }
    return String(decoding: letters, as: UTF8.self) + domain
  }

  private func hexadecimal(_ text: String) -> String {
    [UInt64(1), 2].map { number in
      let digits = String(secret.hash(number, text), radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }

  private func masked(_ id: UUID) -> UUID {
    let text = id.uuidString.lowercased()
    let high = secret.hash(5, text) & ~0xF000 | 0x4000
    let low = secret.hash(6, text) & ~(0b11 << 62) | 0b10 << 62
    let bytes = [high, low].flatMap { number in (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) } }
    return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
  }

  /// The names of fields stay. JSON that was read is not nested deeply.
  private func masked(_ json: JSON) -> JSON {
    switch json {
    case .string(let text): .string(permutation.masked(text))
    case .int(let number): .int(masked(number))
    case .double(let number):
      near(.double(number), 10).map { if case .double(let new) = $0 { .double(new) } else { json } } ?? json
    case .array(let elements): .array(elements.map(masked))
    case .object(let fields): .object(fields.mapValues(masked))
    case .null, .bool: json
    }
  }

  // MARK: Numbers

  private func masked(_ number: Int64) -> Int64 {
    let size = permutation.masked(number.magnitude)
    let result = Int64(truncatingIfNeeded: size & UInt64(Int64.max))
    return number < 0 ? -result : result
  }

  /// Another number within some percent, with as many digits behind the point.
  private func near(_ value: Value, _ percent: Double) -> Value? {
    let hash = secret.hash(3, value.displayText)
    let share = (Double(hash >> 11) / 0x1p52 - 1) * percent / 100
    let step: Double = hash & 1 == 0 ? 1 : -1
    switch value {
    case .int(let number):
      let shift = Int64(clamping: Int((Double(number) * share).rounded().clamped))
      return .int((number +| (shift == 0 ? Int64(step) : shift)))
    case .double(let number):
      let text = number.description
      guard number.isFinite, !text.contains("e"), let point = text.firstIndex(of: ".") else {
        return .double(number * (1 + share))
      }
      let digits = text.hasSuffix(".0") ? 0 : text.distance(from: point, to: text.endIndex) - 1
      let unit = pow(10, Double(digits))
      let new = (number * (1 + share) * unit).rounded() / unit
      return .double(new == number ? ((number * unit) + step).rounded() / unit : new)
    case .decimal(let number):
      var (product, rounded) = (number * Decimal(1 + share), Decimal())
      NSDecimalRound(&rounded, &product, max(0, -number.exponent), .plain)
      return .decimal(
        rounded == number
          ? number + Decimal(sign: .plus, exponent: number.exponent, significand: Decimal(step)) : rounded)
    default: return nil
    }
  }
}

extension Double {
  /// The number within those of Int64.
  fileprivate var clamped: Double { Swift.min(Swift.max(self, -9e18), 9e18) }
}
