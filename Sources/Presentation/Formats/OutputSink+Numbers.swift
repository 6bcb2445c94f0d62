extension OutputSink {
  /// Writes the decimal digits of `value`.
  package func write(integer value: Int64) {
    // 19 digits and a sign at most.
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { buffer in
      var text = BackwardDigits(buffer)
      text.put(value.magnitude)
      if value < 0 { text.put(byte: UInt8(ascii: "-")) }
      write(text.bytes)
    }
  }

  /// Writes the shortest digits that read back as `value`, as Swift's `description` has them.
  package func write(real value: Double) {
    if !write(decimal: value) { write(value.description) }
  }

  /// Writes a number of at most 15 digits, up to six of them behind the point, as most measured numbers are; returns
  /// false, and writes nothing, if `value` is another.
  ///
  /// A quotient of two whole numbers that are exact in a Double is rounded correctly, so it is the Double nearest to
  /// that decimal. Decimals of 15 digits differ as Doubles: no other reads back as `value`, and none is shorter.
  @inline(__always)
  private func write(decimal value: Double) -> Bool {
    let magnitude = value.magnitude
    guard magnitude >= 1e-3, magnitude < 1e14 else { return false }
    var scale: UInt64 = magnitude < 1e9 ? 1_000_000 : magnitude < 1e12 ? 1_000 : 10
    let scaled = (magnitude * Double(scale)).rounded()
    guard scaled < 1e15, scaled / Double(scale) == magnitude else { return false }
    let whole = UInt64(magnitude)
    var fraction = UInt64(scaled) - whole * scale
    while scale > 10, case let (shorter, digit) = fraction.quotientAndRemainder(dividingBy: 10), digit == 0 {
      (fraction, scale) = (shorter, scale / 10)
    }
    // 15 digits, the point and a sign.
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 17) { buffer in
      var text = BackwardDigits(buffer)
      // The 1 before the fraction keeps its leading zeros, and is then the place of the point.
      text.put(scale + fraction)
      text.replaceFirst(by: UInt8(ascii: "."))
      text.put(whole)
      if value < 0 { text.put(byte: UInt8(ascii: "-")) }
      write(text.bytes)
    }
    return true
  }

  /// Writes bytes in base 64, padded.
  package func write(base64 bytes: UnsafeBufferPointer<UInt8>) {
    let alphabet = StaticString("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/").utf8Start
    var index = 0
    while index < bytes.count {
      let available = min(3, bytes.count - index)
      var group: UInt32 = 0
      for offset in 0..<3 {
        group = group << 8 | (offset < available ? UInt32(bytes[index + offset]) : 0)
      }
      for position in 0..<4 {
        let code = Int(group >> UInt32(18 - 6 * position)) & 0x3F
        write(byte: position <= available ? alphabet[code] : UInt8(ascii: "="))
      }
      index += 3
    }
  }
}

/// Digits that are written from the last one to the first, into a buffer that is large enough.
private struct BackwardDigits {
  private let buffer: UnsafeMutableBufferPointer<UInt8>
  private var start: Int

  /// The texts of 0 to 99, so that one division yields two digits.
  private static let pairs = StaticString(
    """
    00010203040506070809101112131415161718192021222324252627282930313233343536373839404142434445464748495051525354555657\
    585960616263646566676869707172737475767778798081828384858687888990919293949596979899
    """)

  init(_ buffer: UnsafeMutableBufferPointer<UInt8>) {
    self.buffer = buffer
    start = buffer.count
  }

  var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(rebasing: buffer[start...]) }

  @inline(__always)
  mutating func put(byte: UInt8) {
    start -= 1
    buffer[start] = byte
  }

  func replaceFirst(by byte: UInt8) { buffer[start] = byte }

  /// Puts the decimal digits of a number before the present ones.
  @inline(__always)
  mutating func put(_ number: UInt64) {
    let pairs = Self.pairs.utf8Start
    var rest = number
    while rest >= 10 {
      let (quotient, pair) = rest.quotientAndRemainder(dividingBy: 100)
      start -= 2
      buffer[start] = pairs[Int(pair) * 2]
      buffer[start + 1] = pairs[Int(pair) * 2 + 1]
      rest = quotient
      if rest == 0 { return }
    }
    put(byte: UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest))
  }
}
