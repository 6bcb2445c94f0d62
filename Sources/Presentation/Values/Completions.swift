import Modeling

/// The candidates that can replace the bytes from `start` to the cursor.
package struct Completions: Equatable {
  package struct Candidate: Equatable {
    package var text: String
    /// Its kind, beside it in the list: `Double`, `→ Person`, `to-one, optional`.
    package var remark: String

    package init(_ text: String, _ remark: String = "") {
      self.text = text
      self.remark = remark
    }
  }

  /// A byte of UTF-8 in the block.
  package var start: Int
  package var candidates: [Candidate]
  /// The character to insert after the only candidate: a space, a quote, a parenthesis.
  package var appendCharacter: Character?
  /// Whether nothing else can stand there; if values could only be read in part, none of them is certain.
  package var isWhole: Bool

  package init(start: Int, candidates: [Candidate] = [], appendCharacter: Character? = nil, isWhole: Bool = true) {
    self.start = start
    self.candidates = candidates
    self.appendCharacter = appendCharacter
    self.isWhole = isWhole
  }

  /// Whether `commonText` says more than the `typed` bytes that it replaces, and may be put in their place.
  package func isCertain(typed: Int) -> Bool {
    isWhole && !candidates.isEmpty && (candidates.count == 1 || commonText.utf8.count > typed)
  }

  /// The text that can be inserted: the only candidate with its suffix, or the common prefix of all candidates.
  package var commonText: String {
    guard let first = candidates.first else { return "" }
    if candidates.count == 1 { return first.text + (appendCharacter.map(String.init) ?? "") }
    return candidates.dropFirst().reduce(first.text) { common, candidate in
      String(zip(common, candidate.text).prefix { $0 == $1 }.map(\.0))
    }
  }

  /// The candidates as lines that fit a window: in columns, or one to a line if any has a remark.
  package func listing(width: Int, rows: Int, style: Style, charset: Charset) -> [String] {
    let most = max(rows - 3, 5)
    let names = candidates.map { DisplayText($0.text, in: max(width - 2, 8), charset) }
    let widest = names.map(\.width).max() ?? 0
    var lines: [String]
    if candidates.contains(where: { !$0.remark.isEmpty }) {
      lines = zip(names, candidates).prefix(most).map { name, candidate in
        let remark = DisplayText(candidate.remark, in: max(width - widest - 4, 8), charset).text
        return name.text + String(repeating: " ", count: widest - name.width + 2) + style(.note, remark)
      }
    } else {
      let perLine = max(width / (widest + 2), 1)
      // Down the columns, as ls lists files.
      let height = (names.count + perLine - 1) / perLine
      lines = (0..<min(height, most)).map { row in
        stride(from: row, to: names.count, by: height).map { index in
          names[index].text + String(repeating: " ", count: widest - names[index].width + 2)
        }.joined()
      }
      if height > most {
        lines.append(style(.note, "\(charset.ellipsis) \(Quantity.grouped(candidates.count)) in all"))
      }
      return lines
    }
    if !isWhole { lines.append(style(.note, "\(charset.ellipsis) of what could be read in time")) }
    if candidates.count > most {
      lines.append(style(.note, "\(charset.ellipsis) \(Quantity.grouped(candidates.count)) in all"))
    }
    return lines
  }
}
