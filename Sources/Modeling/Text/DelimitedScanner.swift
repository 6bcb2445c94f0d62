internal import Glibc

/// Finds the fields of one row in bytes that end with a line feed.
///
/// One table lookup per byte decides whether an unquoted field continues; in quotes memchr finds the closing quote.
struct DelimitedScanner {
  enum Outcome {
    /// A row of this length in bytes, including its line end.
    case row(length: Int)
    /// The bytes end within a row, and more may follow.
    case incomplete
    /// There are no bytes left.
    case end
    case mistake(DelimitedError.Fact, offset: Int)
  }

  let format: DelimitedReader.Format
  /// For each byte, whether it can end an unquoted field or is invalid in it.
  private let isSpecial: SpecialBytes

  init(_ format: DelimitedReader.Format) {
    self.format = format
    isSpecial = SpecialBytes(
      [format.delimiter, UInt8(ascii: "\n"), UInt8(ascii: "\r")] + [format.quote].compactMap(\.self))
  }

  func scan(_ bytes: UnsafeRawBufferPointer, isAtEnd: Bool, into fields: FieldSlots) -> Outcome {
    fields.removeAll()
    guard let base = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), !bytes.isEmpty else {
      return isAtEnd ? .end : .incomplete
    }
    let text = Text(base: base, count: bytes.count, isAtEnd: isAtEnd)
    var position = 0
    while true {
      if let quote = format.quote, base[position] == quote, position < text.count {
        switch scanQuoted(text, quote, at: position, into: fields) {
        case .success(let end): position = end
        case .failure(let stop): return stop.outcome
        }
      } else {
        let start = position
        while !isSpecial[base[position]] { position += 1 }
        fields.append(start, position)
      }
      if position == text.count { return isAtEnd ? .row(length: position) : .incomplete }
      switch base[position] {
      case format.delimiter: position += 1
      case UInt8(ascii: "\n"): return .row(length: position + 1)
      case UInt8(ascii: "\r"): return endAtReturn(text, position)
      default: return .mistake(.strayQuote, offset: position)
      }
    }
  }

  /// The bytes to scan, followed by a line feed.
  private struct Text {
    var base: UnsafePointer<UInt8>
    var count: Int
    var isAtEnd: Bool
  }

  /// The reason why scanning stops within a field.
  private struct Stop: Error { var outcome: Outcome }

  /// Scans a quoted field and returns the offset of the delimiter or line end after it.
  private func scanQuoted(_ text: Text, _ quote: UInt8, at opening: Int, into fields: FieldSlots) -> Result<Int, Stop> {
    var position = opening + 1
    var isEscaped = false
    while true {
      guard let found = memchr(text.base + position, Int32(quote), text.count - position) else {
        return stop(text.isAtEnd ? .mistake(.unterminatedQuote, offset: opening) : .incomplete)
      }
      position = UnsafeRawPointer(text.base).distance(to: UnsafeRawPointer(found)) + 1
      if position == text.count, !text.isAtEnd { return stop(.incomplete) }
      guard position < text.count, text.base[position] == quote else { break }
      isEscaped = true
      position += 1
    }
    fields.appendQuoted(opening + 1, position - 1, isEscaped: isEscaped)
    let next = text.base[position]
    guard position == text.count || next == format.delimiter || next == UInt8(ascii: "\n") || next == UInt8(ascii: "\r")
    else {
      return stop(.mistake(.textAfterQuote(shown(text, from: position)), offset: position))
    }
    return .success(position)
  }

  private func stop(_ outcome: Outcome) -> Result<Int, Stop> { .failure(Stop(outcome: outcome)) }

  private func endAtReturn(_ text: Text, _ position: Int) -> Outcome {
    if position + 1 == text.count, !text.isAtEnd { return .incomplete }
    let isPair = position + 1 < text.count && text.base[position + 1] == UInt8(ascii: "\n")
    return .row(length: position + (isPair ? 2 : 1))
  }

  /// Returns the text at `position`, shortened for a message.
  private func shown(_ text: Text, from position: Int) -> String {
    let bytes = UnsafeBufferPointer(start: text.base + position, count: min(16, text.count - position))
    return String(decoding: bytes.prefix { !isSpecial[$0] || $0 == format.quote }, as: UTF8.self)
  }
}

/// A set of bytes with fast lookup.
private final class SpecialBytes {
  private let table = UnsafeMutablePointer<Bool>.allocate(capacity: 256)

  init(_ bytes: [UInt8]) {
    table.initialize(repeating: false, count: 256)
    for byte in bytes { table[Int(byte)] = true }
  }

  deinit { table.deallocate() }

  subscript(byte: UInt8) -> Bool { table[Int(byte)] }
}
