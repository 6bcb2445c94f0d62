extension PostgresField {
  /// An integer of two, four or eight bytes, or an `oid`.
  public var int: Int64? {
    if isText { return Int64(characters) }
    if typeOID == PostgresType.oid { return (bytes.bigEndian(at: 0) as UInt32?).map(Int64.init) }
    return Self.int(bytes)
  }

  /// A `float4` or `float8`, the nearest number to a `numeric`, or an integer.
  public var double: Double? {
    if isText { return Double(characters) }
    switch typeOID {
    case PostgresType.float4: return Self.float4(bytes).map(Double.init)
    case PostgresType.numeric: return numericText.flatMap { Double($0) }
    case PostgresType.int2, PostgresType.int4, PostgresType.int8: return Self.int(bytes).map(Double.init)
    default: return Self.float(bytes)
    }
  }

  /// A truth value.
  public var bool: Bool? {
    if isText { return ["t": true, "f": false][characters] }
    guard bytes.count == 1, bytes[0] <= 1 else { return nil }
    return bytes[0] == 1
  }

  /// An integer by the number of its bytes.
  static func int(_ bytes: UnsafeRawBufferPointer) -> Int64? {
    switch bytes.count {
    case 8: bytes.bigEndian(at: 0)
    case 4: (bytes.bigEndian(at: 0) as Int32?).map(Int64.init)
    case 2: (bytes.bigEndian(at: 0) as Int16?).map(Int64.init)
    default: nil
    }
  }

  /// A number by the number of its bytes.
  static func float(_ bytes: UnsafeRawBufferPointer) -> Double? {
    switch bytes.count {
    case 8: (bytes.bigEndian(at: 0) as UInt64?).map(Double.init(bitPattern:))
    case 4: float4(bytes).map(Double.init)
    default: nil
    }
  }

  static func float4(_ bytes: UnsafeRawBufferPointer) -> Float? {
    bytes.count == 4 ? (bytes.bigEndian(at: 0) as UInt32?).map(Float.init(bitPattern:)) : nil
  }

  /// A number as PostgreSQL writes it.
  static func spelled<Number: BinaryFloatingPoint & LosslessStringConvertible>(_ number: Number) -> String {
    if number.isNaN { return "NaN" }
    if number.isInfinite { return number < 0 ? "-Infinity" : "Infinity" }
    let text = "\(number)"
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }
}
