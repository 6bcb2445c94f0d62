internal import CPostgres

/// A piece of what a COPY sends, which libpq allocated.
final class CopyChunk {
  let bytes: UnsafeRawBufferPointer

  /// Takes the memory over.
  init(_ start: UnsafeMutablePointer<CChar>, count: Int) { bytes = UnsafeRawBufferPointer(start: start, count: count) }

  deinit { PQfreemem(UnsafeMutableRawPointer(mutating: bytes.baseAddress)) }
}

/// Takes the pieces of a binary COPY apart into rows, wherever the pieces end.
struct CopyReader {
  /// The bytes of a field within what is read; -1 for the length of NULL.
  struct Field {
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

  private(set) var fields: [Field] = []
  private(set) var isAtEnd = false
  private var hasHead = false
  /// The piece that is read.
  private var chunk: CopyChunk?
  /// The beginning of a row whose rest is in the next piece, with that: the server sends whole rows, others need not.
  private var joined: [UInt8]?
  private var offset = 0

  /// The bytes that are read.
  private func with<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    if let joined { return joined.withUnsafeBytes(body) }
    return body(chunk?.bytes ?? UnsafeRawBufferPointer(start: nil, count: 0))
  }

  /// Goes on with the next piece.
  mutating func take(_ next: CopyChunk) {
    let rest = with { Array($0.dropFirst(offset)) }
    joined = rest.isEmpty ? nil : rest + next.bytes
    chunk = next
    offset = 0
    fields.removeAll(keepingCapacity: true)
  }

  /// Moves to the next row of what is there.
  mutating func next() -> Step {
    fields.removeAll(keepingCapacity: true)
    if isAtEnd { return .end }
    var (fields, offset, hasHead) = (fields, offset, hasHead)
    self.fields = []
    let step = with { bytes -> Step in
      if !hasHead {
        guard let extra: Int32 = bytes.bigEndian(at: offset + 15) else { return .incomplete }
        guard bytes[offset..<offset + 11].elementsEqual(Self.signature), extra >= 0 else { return .malformed }
        guard bytes.count - offset - 19 >= Int(extra) else { return .incomplete }
        offset += 19 + Int(extra)
        hasHead = true
      }
      guard let count: Int16 = bytes.bigEndian(at: offset) else { return .incomplete }
      if count == -1 { return .end }
      guard count >= 0 else { return .malformed }
      var place = offset + 2
      for _ in 0..<count {
        guard let length: Int32 = bytes.bigEndian(at: place) else { return .incomplete }
        place += 4
        fields.append(Field(offset: place, count: Int(length)))
        guard length >= 0 else {
          if length < -1 { return .malformed }
          continue
        }
        guard bytes.count - place >= Int(length) else { return .incomplete }
        place += Int(length)
      }
      offset = place
      return .row
    }
    if step != .row { fields.removeAll(keepingCapacity: true) }
    (self.fields, self.offset, self.hasHead) = (fields, offset, hasHead)
    if step == .end { isAtEnd = true }
    return step
  }

  /// The bytes of a field, until the next step; nil for NULL and for one that is not there.
  func bytes(_ column: Int) -> UnsafeRawBufferPointer? {
    guard column >= 0, column < fields.count, fields[column].count >= 0 else { return nil }
    let field = fields[column]
    // The array that holds the bytes stays as it is until the next step.
    return with { UnsafeRawBufferPointer(rebasing: $0[field.offset..<field.offset + field.count]) }
  }
}
