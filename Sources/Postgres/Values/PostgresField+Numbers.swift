extension PostgresField {
  /// An integer of two, four or eight bytes, or a number of the server's own, as an `oid`.
  ///
  /// Where the type is not known, the number of the bytes decides.
  public var int: Int64? {
    if isText { return Int64(characters) }
    return switch typeOID {
    case 0, PostgresType.int8, PostgresType.int4, PostgresType.int2: Self.int(bytes)
    case _ where Self.isUnsigned(typeOID) && bytes.count == 4: (bytes.bigEndian(at: 0) as UInt32?).map(Int64.init)
    default: nil
    }
  }

  /// A `float4` or `float8`, the nearest number to a `numeric`, or an integer.
  ///
  /// Where the type is not known, the number of the bytes decides.
  public var double: Double? {
    if isText { return Double(characters) }
    return switch typeOID {
    case 0, PostgresType.float8, PostgresType.float4: Self.float(bytes)
    case PostgresType.numeric: numericText.flatMap { Double($0) }
    case PostgresType.int2, PostgresType.int4, PostgresType.int8: Self.int(bytes).map(Double.init)
    default: nil
    }
  }

  /// A truth value.
  public var bool: Bool? {
    if isText { return characters == "t" ? true : characters == "f" ? false : nil }
    guard typeOID == PostgresType.bool || typeOID == 0, bytes.count == 1, bytes[0] <= 1 else { return nil }
    return bytes[0] == 1
  }

  /// Types whose four bytes hold a number without a sign: `oid`, what refers to something of the catalog by it, `xid` and
  /// `cid`.
  static func isUnsigned(_ type: UInt32) -> Bool {
    switch type {
    case PostgresType.oid, 24, 28, 29, 2202...2206, 4089, 4096: true
    default: false
    }
  }

  /// An integer of two, four or eight bytes; nil for another number of bytes.
  public static func int(_ bytes: UnsafeRawBufferPointer) -> Int64? {
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
