/// Text with lines that are broken at spaces where they do not fit a window, colours included.
///
///     WordWrap.broken("  .sql  run SQL; or show the SQL", in: 20)
///     //   .sql  run SQL; or
///     //         show the SQL
///
/// What follows stands below the last column of the line's first half, or two columns behind its beginning. A word that is
/// wider than the window stays whole.
package enum WordWrap {
  package static func broken(_ text: String, in width: Int) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      let plain = line.replacing(#/\u{1B}\[[0-9;]*m/#, with: "")
      return String(plain).terminalWidth <= width ? String(line) : broken(line, indent(plain, width), width)
    }.joined(separator: "\n")
  }

  private static func broken(_ line: Substring, _ indent: Int, _ width: Int) -> String {
    var (result, column, space) = ("", 0, "")
    for piece in line.split(separator: " ", omittingEmptySubsequences: false) {
      let pieceWidth = String(piece.replacing(#/\u{1B}\[[0-9;]*m/#, with: "")).terminalWidth
      if column > indent, pieceWidth > 0, column + space.count + pieceWidth > width {
        result += "\n" + String(repeating: " ", count: indent) + piece
        column = indent + pieceWidth
      } else {
        result += space + piece
        column += space.count + pieceWidth
      }
      space = " "
    }
    return result
  }

  /// The column behind the last two spaces in the first half of a line, or two columns behind where it begins.
  private static func indent(_ line: Substring, _ width: Int) -> Int {
    let beginning = line.prefix { $0 == " " }.count
    // Text that stands that far to the right is a column already.
    let usual = beginning < 8 ? beginning + 2 : beginning
    let half = line.prefix(width / 2)
    guard
      let gap = half.ranges(of: "  ").last(where: {
        half.distance(from: half.startIndex, to: $0.lowerBound) >= beginning
      })
    else { return usual }
    let rest = half[gap.upperBound...].drop { $0 == " " }
    return rest.isEmpty ? usual : String(half[..<rest.startIndex]).terminalWidth
  }
}
