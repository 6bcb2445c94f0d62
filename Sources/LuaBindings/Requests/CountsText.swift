internal import Modeling
internal import ObjectGraph
internal import Queries
internal import Stores

/// The counts of a predicate as text.
///
///     Book  2,000 objects
///       year > 1990                      270 yes  1,549 no  181 neither (year is nil)
///       author.name CONTAINS[c] "jane"   201 yes  1,799 no
///       both                              27 yes  1,955 no   18 neither
struct CountsText {
  private let counts: PredicateCounts
  private let context: ObjectContext
  private var rows: [Row] = []

  private struct Row {
    var label: String
    var tally: PredicateCounts.Tally
    var note = ""
  }

  private static let widestLabel = 70

  init(_ counts: PredicateCounts, _ context: ObjectContext) {
    self.counts = counts
    self.context = context
    for clause in counts.clauses {
      let reasons = clause.reasons.map { reason in
        let count = reason.count == clause.tally.neither ? "" : "\(Quantity.grouped(reason.count)) because "
        return "\(count)\(reason.path) is nil"
      }
      let note = reasons.isEmpty ? "" : " (\(ErrorReport.list(reasons)))"
      rows.append(Row(label: Self.short(clause.predicate), tally: clause.tally, note: note))
    }
    if rows.count > 1 { rows.append(Row(label: wholeLabel, tally: counts.whole)) }
  }

  private var wholeLabel: String {
    switch counts.joint {
    case .all: counts.clauses.count == 2 ? "both" : "all"
    case .any: counts.clauses.count == 2 ? "either" : "any"
    }
  }

  private static func short(_ predicate: Queries.Predicate) -> String {
    let text = predicate.description
    return text.count > widestLabel ? text.prefix(widestLabel - 1) + "…" : text
  }

  /// The whole text.
  var text: String {
    var lines = ["\(counts.entity.name)  \(Quantity.count(counts.total, "object"))"]
    lines += table
    if let clause = counts.mostSelective {
      let chosen = counts.clauses[clause]
      lines.append("most selective: \(Self.short(chosen.predicate)) leaves \(Quantity.grouped(chosen.tally.yes))")
    }
    lines += samples
    lines += Self.hints(counts).map { "hint: \($0)" }
    return lines.joined(separator: "\n")
  }

  private var table: [String] {
    func number(_ value: Int, _ column: KeyPath<PredicateCounts.Tally, Int>) -> String {
      let width = rows.map { Quantity.grouped($0.tally[keyPath: column]).count }.max() ?? 0
      let text = Quantity.grouped(value)
      return String(repeating: " ", count: width - text.count) + text
    }
    let width = rows.map(\.label.count).max() ?? 0
    let hasNeither = rows.contains { $0.tally.neither > 0 }
    return rows.map { row in
      let space = String(repeating: " ", count: width - row.label.count)
      var line = "  \(row.label)\(space)  \(number(row.tally.yes, \.yes)) yes  \(number(row.tally.no, \.no)) no"
      if hasNeither, row.tally.neither > 0 { line += "  \(number(row.tally.neither, \.neither)) neither\(row.note)" }
      return line
    }
  }

  private var samples: [String] {
    var lines: [(label: String, text: String)] = []
    for (label, sample) in [("matches", counts.matches), ("misses", counts.misses), ("neither", counts.neither)]
    where sample.count > 0 {
      lines.append((label, names(sample)))
    }
    for clause in counts.clauses where clause.nearMisses.count > 0 {
      let count = Quantity.grouped(clause.nearMisses.count)
      let verb = clause.nearMisses.count == 1 ? "fails" : "fail"
      lines.append(
        ("near misses", "\(count) \(verb) only \(Self.short(clause.predicate)): \(names(clause.nearMisses))"))
    }
    let width = lines.map(\.label.count).max() ?? 0
    return lines.map { "\($0.label)\(String(repeating: " ", count: width - $0.label.count))  \($0.text)" }
  }

  private func names(_ sample: PredicateCounts.Sample) -> String { ObjectText.names(of: sample, in: context) }

  /// Suggestions if objects are left out because something is nil.
  static func hints(_ counts: PredicateCounts) -> [String] {
    counts.clauses.compactMap { clause in
      guard let reason = clause.reasons.max(by: { $0.count < $1.count }),
        case .path(let path)? = try? Expression.parse(reason.path)
      else { return nil }
      let missing = Queries.Predicate.comparison(Comparison(.path(path), .equal, .constant(.null)))
      let count = reason.count == 1 ? "1 is" : "\(Quantity.grouped(reason.count)) are"
      let write = "(\(missing | clause.predicate))"
      return "\(count) neither because \(reason.path) is nil, and not selected; to include them write \(write)"
    }
  }
}

extension ObjectText {
  /// The names of a sample's objects: `us1, us2, us3, …`.
  static func names(of sample: PredicateCounts.Sample, in context: ObjectContext) -> String {
    let names = sample.objects.map { title(of: context.object($0)) }
    return (names + (sample.count > names.count ? ["…"] : [])).joined(separator: ", ")
  }
}
