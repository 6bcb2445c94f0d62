/// A plain reader of CSV by the letter of RFC 4180: the reference that the writer is held against.
struct CSVReader {
  struct Malformed: Error {}

  /// Fields as they were written: nil for an empty one without quotes.
  static func read(_ bytes: [UInt8]) throws -> [[[UInt8]?]] {
    var rows: [[[UInt8]?]] = []
    var row: [[UInt8]?] = []
    var index = 0
    while index < bytes.count {
      let field: [UInt8]?
      if bytes[index] == UInt8(ascii: "\"") {
        field = try quoted(bytes, &index)
      } else {
        let start = index
        while index < bytes.count, bytes[index] != UInt8(ascii: ","), bytes[index] != UInt8(ascii: "\n") {
          guard bytes[index] != UInt8(ascii: "\"") else { throw Malformed() }
          index += 1
        }
        field = start == index ? nil : Array(bytes[start..<index])
      }
      row.append(field)
      guard index < bytes.count else { throw Malformed() }
      if bytes[index] == UInt8(ascii: "\n") {
        rows.append(row)
        row = []
      } else {
        guard bytes[index] == UInt8(ascii: ",") else { throw Malformed() }
        // A comma at the end of a line is followed by an empty field.
        if index + 1 < bytes.count, bytes[index + 1] == UInt8(ascii: "\n") {
          row.append(nil)
          rows.append(row)
          row = []
          index += 1
        }
      }
      index += 1
    }
    guard row.isEmpty else { throw Malformed() }
    return rows
  }

  private static func quoted(_ bytes: [UInt8], _ index: inout Int) throws -> [UInt8] {
    var field: [UInt8] = []
    index += 1
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "\"") {
        index += 1
        guard index < bytes.count, bytes[index] == UInt8(ascii: "\"") else { return field }
      }
      field.append(bytes[index])
      index += 1
    }
    throw Malformed()
  }
}
