internal import Modeling

internal import struct Foundation.Decimal
internal import struct Foundation.URL

/// Constants as Swift writes them.
enum SwiftLiteral {
  /// From 1970 to the date that Foundation counts from.
  private static let secondsTo2001 = 978_307_200.0

  /// A string, raw where that saves escapes.
  static func string(_ text: String) -> String {
    let isEscaped = text.unicodeScalars.contains { $0 == "\"" || $0 == "\\" }
    let isPlain = !text.unicodeScalars.contains(where: \.actsOnTerminals)
    if isEscaped, isPlain {
      let marks = String(repeating: "#", count: longestRun(of: "#", after: ["\"", "\\"], in: text) + 1)
      return "\(marks)\"\(text)\"\(marks)"
    }
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case _ where scalar.actsOnTerminals:
        result += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  /// A regular expression that matches what `pattern` matches of a whole text.
  static func wholeMatch(_ pattern: String) -> String {
    let marks = String(repeating: "#", count: longestRun(of: "#", after: ["/"], in: pattern) + 1)
    return "\(marks)/\\A(?:\(pattern))\\z/\(marks)"
  }

  /// A date; the comment beside it says it in ISO 8601.
  static func date(_ date: Timestamp) -> String {
    "Date(timeIntervalSinceReferenceDate: \(number(date.seconds - secondsTo2001)))"
  }

  /// A number without the fraction of a whole one.
  static func number(_ number: Double) -> String {
    guard let whole = Int64(exactly: number), abs(whole) < 1 << 53 else { return "\(number)" }
    return String(whole)
  }

  /// An expression that makes the value; nil if no Swift expression does.
  static func initializer(_ value: Value) -> String? {
    switch value {
    case .null: return "nil"
    case .bool(let flag): return String(flag)
    case .int(let number): return String(number)
    case .double(let number):
      if number.isFinite { return "\(number)" }
      return number.isNaN ? "Double.nan" : number < 0 ? "-Double.infinity" : "Double.infinity"
    case .decimal(let number): return "Decimal(string: \(string(number.canonicalText)))!"
    case .string(let text): return string(text)
    case .date(let date): return date.seconds.isFinite ? self.date(date) : nil
    case .uuid(let uuid): return "UUID(uuidString: \(string(uuid.uuidString)))!"
    case .url(let text): return URL(string: text) == nil ? nil : "URL(string: \(string(text)))!"
    case .data(let bytes): return "Data([" + bytes.map { String($0) }.joined(separator: ", ") + "])"
    case .json, .object, .list: return nil
    }
  }

  /// A comment for readers that stands beside the value.
  static func comment(_ value: Value) -> String? {
    if case .date(let date) = value, date.seconds.isFinite { date.iso8601 } else { nil }
  }

  private static func longestRun(of mark: Character, after openers: Set<Character>, in text: String) -> Int {
    var longest = 0
    var run: Int?
    for character in text {
      if openers.contains(character) {
        run = 0
      } else if character == mark, let count = run {
        run = count + 1
        longest = max(longest, count + 1)
      } else {
        run = nil
      }
    }
    return longest
  }
}
