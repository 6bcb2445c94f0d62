public import StoreErrors

/// Writes the rows of a `COPY … FROM STDIN (FORMAT binary)`.
///
/// A row begins with `beginRow` and has as many fields as that says. Each is written in the binary form of its column's
/// type: `int4` for an `integer`, whose four bytes the server counts.
public struct PostgresCopyWriter {
  private unowned let connection: PostgresConnection
  private var writer = BinaryWriter()
  /// The number of fields that the row still lacks.
  private var missing = 0
  /// The rows that were begun.
  public private(set) var rowCount = 0

  /// The number of written bytes from which on they are sent.
  private static let pieceSize = 1 << 16

  init(_ connection: PostgresConnection) {
    self.connection = connection
    writer.append("PGCOPY\n".utf8)
    writer.append([0xFF, 0x0D, 0x0A, 0x00])
    // Flags, and the length of the header's extension.
    writer.append(0 as Int64)
  }

  /// Begins a row of so many fields.
  public mutating func beginRow(_ fieldCount: Int) throws(StoreError) {
    guard missing == 0, let count = Int16(exactly: fieldCount), count >= 0 else {
      throw connection.failure(.wrongFieldCount(row: rowCount, missing: missing))
    }
    if writer.bytes.count >= Self.pieceSize { try send() }
    writer.append(count)
    missing = fieldCount
    rowCount += 1
  }

  /// Writes a field in the form that the argument has as a parameter: an integer has eight bytes.
  public mutating func field(_ argument: PostgresArgument) throws(StoreError) {
    try begin()
    do throws(StoreError) { try writer.append(counted: argument) } catch { throw connection.failure(error.fact) }
  }

  /// Writes NULL.
  public mutating func null() throws(StoreError) {
    try begin()
    writer.append(-1 as Int32)
  }

  /// Writes a field of an `int2` column; a number that does not fit is an error.
  public mutating func int2(_ number: Int64) throws(StoreError) { try fixed(number, as: Int16.self) }
  /// Writes a field of an `int4` column.
  public mutating func int4(_ number: Int64) throws(StoreError) { try fixed(number, as: Int32.self) }
  /// Writes a field of an `int8` column.
  public mutating func int8(_ number: Int64) throws(StoreError) { try fixed(number, as: Int64.self) }

  /// Writes a field of a `float4` column.
  public mutating func float4(_ number: Double) throws(StoreError) {
    try begin()
    writer.append(4 as Int32)
    writer.append(Float(number).bitPattern)
  }

  /// Writes a field of a `float8` column.
  public mutating func float8(_ number: Double) throws(StoreError) {
    try begin()
    writer.append(8 as Int32)
    writer.append(number)
  }

  /// Writes a field of a `bool` column.
  public mutating func bool(_ flag: Bool) throws(StoreError) {
    try begin()
    writer.append(1 as Int32)
    writer.append(flag ? 1 : 0 as UInt8)
  }

  /// Writes a field of a column of texts: `text`, `varchar`, `json`, an enum.
  public mutating func text(_ text: String) throws(StoreError) { try field(.text(text)) }

  /// Writes a field in the binary form of its column.
  public mutating func bytes(_ bytes: UnsafeRawBufferPointer) throws(StoreError) {
    try begin()
    guard let count = Int32(exactly: bytes.count) else {
      throw connection.failure(.valueTooLarge(bytes: bytes.count))
    }
    writer.append(count)
    writer.append(bytes)
  }

  private mutating func fixed<Number: FixedWidthInteger>(_ number: Int64, as type: Number.Type) throws(StoreError) {
    guard let fitting = Number(exactly: number) else {
      throw connection.failure(.numberTooLarge(number, bits: Number.bitWidth))
    }
    try begin()
    writer.append(Int32(Number.bitWidth / 8))
    writer.append(fitting)
  }

  private mutating func begin() throws(StoreError) {
    guard missing > 0 else { throw connection.failure(.wrongFieldCount(row: rowCount, missing: -1)) }
    missing -= 1
  }

  private mutating func send() throws(StoreError) {
    // The connection copies the bytes.
    let outcome = writer.bytes.withUnsafeBytes { bytes in
      Result { () throws(StoreError) in try connection.put(bytes) }
    }
    writer.bytes.removeAll(keepingCapacity: true)
    try outcome.get()
  }

  /// Sends the rest, and the end.
  mutating func end() throws(StoreError) {
    guard missing == 0 else { throw connection.failure(.wrongFieldCount(row: rowCount, missing: missing)) }
    writer.append(-1 as Int16)
    try send()
    try connection.putEnd(try connection.openHandle(), nil)
  }
}
