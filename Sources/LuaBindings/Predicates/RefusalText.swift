internal import Refusals

/// The refusals of Apple's stores, as lines of text.
///
///     refused  all-over-to-many (Core Data SQLite)
///       ALL reports.score > 3
///       ^^^^^^^^^^^^^^^^^^^^^
///       ALL over a to-many relationship is not made into SQL.
///       Apple: the text is not known
///       instead: SUBQUERY(reports, $x, NOT $x.score > 3).@count == 0
struct RefusalText {
  func text(_ refusals: [Refusal], store: AppleStore?) -> String {
    guard !refusals.isEmpty else { return "nothing that \(store.map(\.name) ?? "Apple's stores") would refuse" }
    var blocks: [[String]] = []
    for (number, refusal) in refusals.enumerated() {
      if number > 0, refusals[number - 1].rule.id == refusal.rule.id {
        // Several places with one rule are listed together under the rule's name.
        let ending = blocks[blocks.count - 1].firstIndex { $0.hasPrefix("  " + refusal.rule.summary) } ?? 1
        blocks[blocks.count - 1].insert(contentsOf: spot(refusal), at: ending)
      } else {
        blocks.append(block(refusal))
      }
    }
    return blocks.map { $0.joined(separator: "\n") }.joined(separator: "\n")
  }

  private func block(_ refusal: Refusal) -> [String] {
    let rule = refusal.rule
    let stores = rule.stores.map(\.name).joined(separator: ", ") + (rule.versions.map { "; \($0)" } ?? "")
    var lines = ["\(rule.severity.rawValue)  \(rule.id) (\(stores))"]
    lines += spot(refusal)
    lines.append("  \(rule.summary)")
    if rule.severity == .refused || rule.severity == .crash || refusal.appleText != nil {
      lines.append("  Apple: \(refusal.appleText ?? "the text is not known")")
    }
    lines.append("  instead: \(refusal.wayRound.map(\.description) ?? rule.advice)")
    return lines
  }

  /// The line of the text with the place underlined; only the part if there is no text.
  private func spot(_ refusal: Refusal) -> [String] {
    guard let origin = refusal.origin, !origin.range.isEmpty else { return ["  \(refusal.part)"] }
    let line = ErrorReport.Excerpt(text: origin.text, range: origin.range).line
    let mark =
      String(repeating: " ", count: line.columns.lowerBound) + String(repeating: "^", count: line.columns.count)
    return ["  \(line.text)", "  \(mark)"]
  }
}
