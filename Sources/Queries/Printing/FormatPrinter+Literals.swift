internal import Modeling

internal import struct Foundation.Decimal

extension FormatPrinter {
  /// Prints a constant so that it reads back equal.
  ///
  /// A value without a literal is printed as a CAST, with Apple's class names. An object is printed as its ID, which
  /// reads back as a text, because the parser has no model.
  func text(_ value: Value) -> String {
    switch value {
    case .null: "nil"
    case .bool(let flag): flag ? "YES" : "NO"
    case .int(let number): String(number)
    case .double(let number): number.isFinite ? "\(number)" : cast("\(number)", "NSNumber")
    case .decimal(let number): cast(number.canonicalText, "NSDecimalNumber")
    case .string(let text): Self.quoted(text)
    case .date(let date): self.date(date)
    case .uuid(let uuid): cast(uuid.uuidString, "NSUUID")
    case .url(let text): cast(text, "NSURL")
    case .data(let bytes): cast(hexadecimal(bytes), "NSData")
    case .json(let json): cast(json.text, "JSON")
    case .object(let id): cast("\(id)", "NSManagedObjectID")
    case .list(let values): "{" + values.map { text($0) }.joined(separator: ", ") + "}"
    }
  }

  private func cast(_ text: String, _ type: String) -> String { "CAST(\(Self.quoted(text)), \"\(type)\")" }

  /// Prints seconds since 2001 or ISO 8601 if they are exact, otherwise the seconds since 1970 as a text.
  private func date(_ date: Timestamp) -> String {
    let sinceReference = date.seconds - Timestamp.referenceDate
    if dates == .reference, sinceReference + Timestamp.referenceDate == date.seconds, date.seconds.isFinite {
      return "CAST(\(sinceReference), \"NSDate\")"
    }
    return cast(Timestamp(iso8601: date.iso8601) == date ? date.iso8601 : "\(date.seconds)", "NSDate")
  }

  private func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  /// Prints a text in double quotes, with quotes and invisible characters escaped.
  static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\t": result += "\\t"
      case "\r": result += "\\r"
      case _ where scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value):
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
