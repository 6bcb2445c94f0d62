internal import Glibc

/// Dates in the conversions of C's `strftime`, as `os.date` writes them: `%Y-%m-%d`.
///
/// Each conversion is checked before C gets it, as an unknown one is undefined there.
struct DateFormat {
  /// A conversion that there is not, such as `%Q`.
  struct UnknownConversion: Error {
    let text: String
  }

  /// A date that has no place in the calendar.
  struct OutOfRange: Error {}

  /// The letters of conversions, and those that follow `%E` and `%O`.
  private static let plain = Set("aAbBcCdDeFgGhHIjmMnprRStTuUVwWxXyYzZ%".utf8)
  private static let withE = Set("cCxXyY".utf8)
  private static let withO = Set("deHImMSuUVwWy".utf8)

  /// The calendar's fields.
  private(set) var fields: tm

  /// The fields of an instant, in UTC or in the time zone of the process; a fraction of a second is left out.
  init(seconds: Double, isUTC: Bool) throws(OutOfRange) {
    guard let whole = time_t(exactly: seconds.rounded(.down)) else { throw OutOfRange() }
    var (time, fields) = (whole, tm())
    guard (isUTC ? gmtime_r(&time, &fields) : localtime_r(&time, &fields)) != nil else { throw OutOfRange() }
    self.fields = fields
  }

  /// The pattern's bytes with each conversion replaced.
  func text(_ pattern: [UInt8]) throws(UnknownConversion) -> [UInt8] {
    var written: [UInt8] = []
    var position = 0
    while position < pattern.count {
      guard pattern[position] == UInt8(ascii: "%") else {
        written.append(pattern[position])
        position += 1
        continue
      }
      let end = try Self.end(ofConversionAt: position, in: pattern)
      written += converted(Array(pattern[position..<end]))
      position = end
    }
    return written
  }

  /// The position behind a conversion.
  private static func end(ofConversionAt start: Int, in pattern: [UInt8]) throws(UnknownConversion) -> Int {
    func letter(_ offset: Int) -> UInt8? { start + offset < pattern.count ? pattern[start + offset] : nil }
    switch letter(1) {
    case let found? where plain.contains(found): return start + 2
    case UInt8(ascii: "E")? where letter(2).map(withE.contains) == true: return start + 3
    case UInt8(ascii: "O")? where letter(2).map(withO.contains) == true: return start + 3
    default:
      let isLong = [UInt8(ascii: "E"), UInt8(ascii: "O")].contains(letter(1))
      let found = pattern[start..<min(start + (isLong ? 3 : 2), pattern.count)]
      throw UnknownConversion(text: String(decoding: found, as: UTF8.self))
    }
  }

  private func converted(_ conversion: [UInt8]) -> [UInt8] {
    var fields = fields
    // No conversion is longer, in any language.
    var buffer = [CChar](repeating: 0, count: 1024)
    let format = conversion.map { CChar(bitPattern: $0) } + [0]
    let count = strftime(&buffer, buffer.count, format, &fields)
    return buffer[..<count].map { UInt8(bitPattern: $0) }
  }
}

extension DateFormat {
  /// The calendar's fields of a date that a script gives.
  ///
  /// - Throws: ScriptError for a date that has no place in the calendar.
  init(_ seconds: Double, isUTC: Bool, for call: Call) throws {
    do { self = try DateFormat(seconds: seconds, isUTC: isUTC) } catch {
      throw call.fail("the date has no place in the calendar")
    }
  }

  /// The date as text, by a pattern that a script gives.
  ///
  /// - Throws: ScriptError for a conversion that there is not.
  func text(_ pattern: [UInt8], for call: Call) throws -> [UInt8] {
    do { return try text(pattern) } catch {
      throw call.fail(
        "there is no conversion '\(error.text)'; %Y-%m-%d %H:%M:%S are the usual ones, and %% is a percent sign")
    }
  }
}
