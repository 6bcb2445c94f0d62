/// Detects the character that separates the fields of a text: `,` `;` tab or `|`.
///
/// It is the one that gives the first rows the same number of fields, more than one; among several, the one with the
/// most fields. The default is a comma.
struct DelimiterDetector {
  /// The number of rows to examine.
  private static let sampleRows = 100
  private static let candidates = [",", ";", "\t", "|"].map { UInt8(ascii: Unicode.Scalar($0)!) }

  /// The delimiter of the text that begins with `bytes`; a line feed follows them in memory.
  static func delimiter(of bytes: UnsafeRawBufferPointer, isAtEnd: Bool, quote: UInt8?) -> UInt8 {
    var best: (score: Score, delimiter: UInt8)?
    for delimiter in candidates {
      let score = Score(DelimitedScanner(.init(delimiter: delimiter, quote: quote)), bytes, isAtEnd, rows: sampleRows)
      guard score.fields > 1 else { continue }
      if let best, best.score >= score { continue }
      best = (score, delimiter)
    }
    return best?.delimiter ?? UInt8(ascii: ",")
  }

  /// The quality of a delimiter.
  private struct Score: Comparable {
    /// The number of fields in the first row.
    var fields = 0
    /// The share of rows with as many fields, in thousandths; 0 for a text that cannot be read.
    var agreement = 0

    init(_ scanner: DelimitedScanner, _ bytes: UnsafeRawBufferPointer, _ isAtEnd: Bool, rows: Int) {
      let slots = FieldSlots()
      var rest = bytes
      var (count, equal) = (0, 0)
      scan: while count < rows {
        switch scanner.scan(rest, isAtEnd: isAtEnd, into: slots) {
        case .row(let length):
          rest = UnsafeRawBufferPointer(rebasing: rest[length...])
          if slots.count == 1, slots[0].start == slots[0].end, !slots[0].isQuoted { continue }
          count += 1
          if fields == 0 { fields = slots.count }
          if slots.count == fields { equal += 1 }
        case .incomplete, .end: break scan
        case .mistake:
          count += 1
          break scan
        }
      }
      agreement = count == 0 ? 0 : equal * 1000 / count
    }

    static func < (left: Score, right: Score) -> Bool {
      (left.agreement, left.fields) < (right.agreement, right.fields)
    }
  }
}
