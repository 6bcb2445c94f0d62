extension PostgresField {
  /// An array, of any number of dimensions; nil for other types.
  public var array: PostgresArray? { isText ? nil : PostgresArray(bytes) }
}

/// An array that the server sent; its elements are borrowed from the row.
public struct PostgresArray {
  /// The lengths of its dimensions, the outermost first; none for an array without elements.
  public let dimensions: [Int]
  /// The number of the elements' type.
  public let elementOID: UInt32
  /// The elements in the order in which they are written; nil for NULL.
  public let elements: [PostgresField?]

  /// The most dimensions that the server allows.
  private static let mostDimensions = 6

  /// Reads the binary form of an array; nil for bytes that are none.
  init?(_ bytes: UnsafeRawBufferPointer) {
    guard let count: Int32 = bytes.bigEndian(at: 0), count >= 0, count <= Self.mostDimensions,
      let type: UInt32 = bytes.bigEndian(at: 8)
    else { return nil }
    var dimensions: [Int] = []
    var total = count == 0 ? 0 : 1
    var place = 12
    for _ in 0..<count {
      guard let length: Int32 = bytes.bigEndian(at: place), length >= 0 else { return nil }
      dimensions.append(Int(length))
      total = total.multipliedReportingOverflow(by: Int(length)).partialValue
      // Each element has four bytes at least: no more is believed than the bytes can hold.
      guard total >= 0, total <= bytes.count / 4 else { return nil }
      place += 8
    }
    var elements: [PostgresField?] = []
    elements.reserveCapacity(total)
    for _ in 0..<total {
      guard let length: Int32 = bytes.bigEndian(at: place), length >= -1 else { return nil }
      place += 4
      guard length >= 0 else {
        elements.append(nil)
        continue
      }
      guard bytes.count - place >= Int(length) else { return nil }
      elements.append(
        PostgresField(bytes: UnsafeRawBufferPointer(rebasing: bytes[place..<place + Int(length)]), typeOID: type))
      place += Int(length)
    }
    guard place == bytes.count else { return nil }
    (self.dimensions, elementOID, self.elements) = (dimensions, type, elements)
  }

  /// The array as PostgreSQL writes it: `{1,NULL,"a b"}`, `{{1,2},{3,4}}`.
  public var text: String {
    var next = 0
    return dimensions.isEmpty ? "{}" : text(of: dimensions[...], &next)
  }

  private func text(of dimensions: ArraySlice<Int>, _ next: inout Int) -> String {
    guard let count = dimensions.first else {
      defer { next += 1 }
      return elements[next].map { Self.quoted($0.text) } ?? "NULL"
    }
    var parts: [String] = []
    for _ in 0..<count { parts.append(text(of: dimensions.dropFirst(), &next)) }
    return "{" + parts.joined(separator: ",") + "}"
  }

  private static func quoted(_ text: String) -> String {
    let special: Set<Character> = ["{", "}", ",", "\"", "\\", " ", "\t", "\n", "\r", "\r\n", "\u{B}", "\u{C}"]
    guard text.isEmpty || text.uppercased() == "NULL" || text.contains(where: special.contains) else { return text }
    return "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
  }
}

extension PostgresType {
  /// The type of the elements of an array type; nil for other types, and for those that a database made.
  public static func elements(of type: UInt32) -> UInt32? { arrays[type] }

  private static let arrays: [UInt32: UInt32] = [
    boolArray: bool, byteaArray: bytea, 1002: char, 1003: name, int2Array: int2, int4Array: int4, textArray: text,
    1014: bpchar, 1015: varchar, int8Array: int8, 1021: float4, float8Array: float8, 1028: oid, 1115: timestamp,
    dateArray: date, 1183: time, timestamptzArray: timestamptz, 1187: interval, numericArray: numeric, 1270: timetz,
    199: json, uuidArray: uuid, 3807: jsonb, 143: xml,
  ]
}
