extension Timestamp {
  /// Reads ISO 8601: `2024-01-22`, `2024-01-22T16:26:12Z`, `2024-01-22 16:26:12.5+01:00`.
  ///
  /// Without an offset the text is in UTC. Seconds may be omitted; fractions may have any number of digits. Returns nil
  /// for anything else, for invalid days, leap seconds, and instants outside the years 1 to 9999.
  public init?(iso8601 text: String) {
    var text = text
    let parsed = text.withUTF8 { parseTimestamp(UnsafeRawBufferPointer($0)) }
    guard let parsed else { return nil }
    self = parsed
  }

  /// The instant in UTC: `2024-01-22T16:26:12Z`, with a fraction of up to six digits if there is one.
  ///
  /// Reading the text again gives the same instant to the microsecond. An instant outside the years 1 to 9999 prints as
  /// `Date(<seconds>)`.
  public var iso8601: String {
    guard let parts = components else { return "Date(\(Self.secondsText(seconds)))" }
    return String(unsafeUninitializedCapacity: Self.iso8601Capacity) { Self.writeISO8601(parts, to: $0) }
  }

  /// The bytes that the ISO 8601 text of an instant of the years 1 to 9999 needs at most.
  package static let iso8601Capacity = 27

  /// Writes the ISO 8601 text to a buffer of `iso8601Capacity` bytes, and returns its length; nil, and nothing is
  /// written, outside the years 1 to 9999.
  package func writeISO8601(to buffer: UnsafeMutableBufferPointer<UInt8>) -> Int? {
    components.map { Self.writeISO8601($0, to: buffer) }
  }

  private static func writeISO8601(_ parts: Components, to buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
    var writer = DigitWriter(buffer)
    writer.write(parts.year, parts.month, parts.day)
    writer.write(UInt8(ascii: "T"))
    writer.write(parts.hour, width: 2)
    writer.write(UInt8(ascii: ":"))
    writer.write(parts.minute, width: 2)
    writer.write(UInt8(ascii: ":"))
    writer.write(parts.second, width: 2)
    if parts.microsecond != 0 { writer.writeFraction(parts.microsecond) }
    writer.write(UInt8(ascii: "Z"))
    return writer.count
  }

  /// The day in UTC, `2024-01-22`; the value of `day(t)`.
  public var dayText: String {
    guard let parts = components else { return iso8601 }
    return String(unsafeUninitializedCapacity: 10) { buffer in
      var writer = DigitWriter(buffer)
      writer.write(parts.year, parts.month, parts.day)
      return writer.count
    }
  }

  /// The month in UTC, `2024-01`; the value of `month(t)`.
  public var monthText: String {
    components == nil ? iso8601 : String(dayText.prefix(7))
  }

  /// Seconds without a final `.0`: `253402300800`, `inf`, `1e+300`.
  private static func secondsText(_ seconds: Double) -> String {
    Int64(exactly: seconds).map { String($0) } ?? "\(seconds)"
  }
}

extension Timestamp: CustomStringConvertible {
  /// The ISO 8601 text.
  public var description: String { iso8601 }
}

/// Writes digits of fixed width into a buffer that is large enough.
private struct DigitWriter {
  private let buffer: UnsafeMutableBufferPointer<UInt8>
  private(set) var count = 0

  init(_ buffer: UnsafeMutableBufferPointer<UInt8>) { self.buffer = buffer }

  mutating func write(_ byte: UInt8) {
    buffer[count] = byte
    count += 1
  }

  mutating func write(_ value: Int, width: Int) {
    var rest = value
    for place in stride(from: count + width - 1, through: count, by: -1) {
      buffer[place] = UInt8(ascii: "0") + UInt8(rest % 10)
      rest /= 10
    }
    count += width
  }

  mutating func write(_ year: Int, _ month: Int, _ day: Int) {
    write(year, width: 4)
    write(UInt8(ascii: "-"))
    write(month, width: 2)
    write(UInt8(ascii: "-"))
    write(day, width: 2)
  }

  mutating func writeFraction(_ microseconds: Int) {
    write(UInt8(ascii: "."))
    write(microseconds, width: 6)
    while buffer[count - 1] == UInt8(ascii: "0") { count -= 1 }
  }
}
