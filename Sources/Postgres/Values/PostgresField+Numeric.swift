extension PostgresField {
  /// A `numeric` as decimal text with all its digits, also zeros at its end: `-12.50`, `NaN`, `Infinity`.
  public var numericText: String? {
    guard typeOID == PostgresType.numeric else { return nil }
    if isText { return characters }
    guard let count: Int16 = bytes.bigEndian(at: 0), let weight: Int16 = bytes.bigEndian(at: 2),
      let sign: UInt16 = bytes.bigEndian(at: 4), let scale: UInt16 = bytes.bigEndian(at: 6), count >= 0,
      bytes.count == 8 + 2 * Int(count)
    else { return nil }
    switch sign {
    case 0xC000: return "NaN"
    case 0xD000: return "Infinity"
    case 0xF000: return "-Infinity"
    case 0, 0x4000: break
    default: return nil
    }
    var text: [UInt8] = sign == 0x4000 ? [UInt8(ascii: "-")] : []
    /// Four digits, by the power of 10,000 that they stand for.
    func group(_ power: Int) -> Int16? {
      let place = Int(weight) - power
      guard place >= 0, place < Int(count) else { return 0 }
      guard let group: Int16 = bytes.bigEndian(at: 8 + 2 * place), (0..<10_000).contains(group) else { return nil }
      return group
    }
    func append(_ group: Int16, digits: Int = 4) {
      var divisor: Int16 = 1000
      for _ in 0..<digits {
        text.append(UInt8(ascii: "0") + UInt8(group / divisor % 10))
        divisor /= 10
      }
    }
    let start = text.count
    for power in stride(from: Int(weight), through: 0, by: -1) {
      guard let group = group(power) else { return nil }
      append(group)
    }
    // The first group has no zeros in front.
    let zeros = text[start...].prefix { $0 == UInt8(ascii: "0") }.count
    text.removeSubrange(start..<start + zeros)
    if text.count == start { text.append(UInt8(ascii: "0")) }
    if scale > 0 {
      text.append(UInt8(ascii: "."))
      var left = Int(scale)
      var power = -1
      while left > 0 {
        guard let group = group(power) else { return nil }
        append(group, digits: min(left, 4))
        left -= 4
        power -= 1
      }
    }
    return String(decoding: text, as: UTF8.self)
  }
}
