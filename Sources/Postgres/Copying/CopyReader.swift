internal import CPostgres

/// Takes the pieces of a binary COPY apart into rows, wherever the pieces end.
final class CopyReader {
  /// The bytes of a field within the buffer; the length of NULL is -1.
  private struct Field {
    var offset: Int
    var count: Int
  }

  enum Step {
    case row
    /// Another piece is needed.
    case incomplete
    /// The rows have ended.
    case end
    case malformed
  }

  private static let signature = Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0x00]
  /// The bytes between the signature and the length of the header's extension.
  private static let flagsSize = 4

  private(set) var isAtEnd = false
  private var hasHead = false
  /// The bytes that are read: libpq's piece, or `joined`.
  private var bytes = UnsafeRawBufferPointer(start: nil, count: 0)
  private var offset = 0
  /// The piece that libpq allocated.
  private var piece: UnsafeMutableRawPointer?
  /// The beginning of a row whose rest came with the next piece, and that: PostgreSQL sends whole rows, others need not.
  private var joined: UnsafeMutableRawBufferPointer?
  /// The fields of the current row, and behind them remains of longer rows.
  private var fields: [Field] = []
  /// The number of fields of the current row.
  private(set) var fieldCount = 0

  deinit { discard() }

  private func discard() {
    if let piece { PQfreemem(piece) }
    joined?.deallocate()
    (piece, joined) = (nil, nil)
  }

  /// Goes on with the next piece, which libpq allocated, and takes it over.
  func take(_ next: UnsafeMutablePointer<CChar>, count: Int) {
    let rest = UnsafeRawBufferPointer(rebasing: bytes[offset...])
    let fresh = UnsafeRawBufferPointer(start: next, count: count)
    var whole: UnsafeMutableRawBufferPointer?
    if !rest.isEmpty {
      let room = UnsafeMutableRawBufferPointer.allocate(byteCount: rest.count + count, alignment: 1)
      room.copyBytes(from: rest)
      UnsafeMutableRawBufferPointer(rebasing: room[rest.count...]).copyBytes(from: fresh)
      whole = room
    }
    discard()
    (piece, joined) = (UnsafeMutableRawPointer(next), whole)
    bytes = whole.map { UnsafeRawBufferPointer($0) } ?? fresh
    offset = 0
    fieldCount = 0
  }

  /// Moves to the next row in the buffer.
  func next() -> Step {
    fieldCount = 0
    if isAtEnd { return .end }
    if !hasHead {
      let step = readHead()
      if step != .row { return step }
    }
    let step = readRow()
    if step == .end { isAtEnd = true }
    return step
  }

  private func readHead() -> Step {
    let place = offset + Self.signature.count + Self.flagsSize
    guard let extra: Int32 = bytes.bigEndian(at: place) else { return .incomplete }
    guard bytes[offset..<offset + Self.signature.count].elementsEqual(Self.signature), extra >= 0 else {
      return .malformed
    }
    guard bytes.count - place - 4 >= Int(extra) else { return .incomplete }
    offset = place + 4 + Int(extra)
    hasHead = true
    return .row
  }

  private func readRow() -> Step {
    let bytes = bytes
    guard let count: Int16 = bytes.bigEndian(at: offset) else { return .incomplete }
    if count == -1 { return .end }
    guard count >= 0 else { return .malformed }
    var place = offset + 2
    for index in 0..<Int(count) {
      guard let length: Int32 = bytes.bigEndian(at: place) else { return .incomplete }
      place += 4
      let field = Field(offset: place, count: Int(length))
      if index < fields.count { fields[index] = field } else { fields.append(field) }
      if length < 0 {
        if length < -1 { return .malformed }
        continue
      }
      guard bytes.count - place >= Int(length) else { return .incomplete }
      place += Int(length)
    }
    offset = place
    fieldCount = Int(count)
    return .row
  }

  /// The bytes of a field, until the next step; nil for NULL and for one that is not there.
  func field(_ column: Int) -> UnsafeRawBufferPointer? {
    guard column >= 0, column < fieldCount, fields[column].count >= 0 else { return nil }
    let field = fields[column]
    return UnsafeRawBufferPointer(rebasing: bytes[field.offset..<field.offset + field.count])
  }
}
