extension OutputSink {
  /// Writes the decimal digits of `value`.
  package func write(integer value: Int64) {
    // 19 digits and a sign at most.
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
      var position = digits.count
      var rest = value.magnitude
      repeat {
        position -= 1
        let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
        digits[position] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digit)
        rest = quotient
      } while rest != 0
      if value < 0 {
        position -= 1
        digits[position] = UInt8(ascii: "-")
      }
      write(UnsafeBufferPointer(rebasing: UnsafeBufferPointer(digits)[position...]))
    }
  }

  /// Writes the shortest digits that read back as `value`.
  package func write(real value: Double) {
    write(value.description)
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
