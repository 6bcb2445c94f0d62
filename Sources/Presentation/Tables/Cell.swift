package import Modeling

/// One value of a row, as every renderer sees it.
///
///     [.integer(55), .text("The 雪 Road"), .null, .reference(label: "Jane Austen"), .count(3)]
package enum Cell: Equatable, Sendable {
  case null
  case text(String)
  case integer(Int64)
  case real(Double)
  case bool(Bool)
  /// An exact number as its digits: a Decimal.
  case decimal(String)
  /// A date as text in ISO 8601.
  case date(String)
  case blob(Blob)
  /// The destination of a to-one relationship, by its name for users. Data modes expect its key as a plain cell.
  case reference(label: String)
  /// How many objects a to-many relationship leads to.
  case count(Int)
  /// A value that is JSON text already.
  case json(String)
}

/// Bytes by their number and as many of them as the reader needs.
///
/// A table shows the size and a few bytes, so `head` may be a short beginning. The data modes write the whole of it and
/// refuse a shortened one.
package struct Blob: Equatable, Sendable {
  package let byteCount: Int
  package var head: [UInt8]

  package init(byteCount: Int, head: [UInt8]) {
    self.byteCount = byteCount
    self.head = head
  }

  package var isWhole: Bool { head.count == byteCount }

  /// A blob of which all bytes are at hand.
  package init(_ bytes: [UInt8]) {
    self.init(byteCount: bytes.count, head: bytes)
  }
}

extension Cell {
  /// A value of the engine as a cell.
  package init(_ value: Value) {
    switch value {
    case .null: self = .null
    case .bool(let flag): self = .bool(flag)
    case .int(let number): self = .integer(number)
    case .double(let number): self = .real(number)
    case .decimal(let number): self = .decimal(number.canonicalText)
    case .string(let text), .url(let text): self = .text(text)
    case .date(let date): self = .date(date.iso8601)
    case .uuid: self = .text(value.displayText)
    case .data(let bytes): self = .blob(Blob(bytes))
    case .json(let json): self = .json(json.text)
    case .object(let id): self = .reference(label: id.description)
    case .list: self = .text(value.displayText)
    }
  }
}
