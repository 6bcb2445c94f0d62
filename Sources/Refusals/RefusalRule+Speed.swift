internal import Modeling
internal import Queries

// What every row is read for.
extension RefusalRule {
  static let speed = [matchesScan, textSearchScan, sortScan]

  private static let matchesScan = RefusalRule(
    id: "matches-scan", severity: .slow, stores: [.sqlite, .swiftData],
    summary: "MATCHES reads every row, and old versions of the SQLite store did not take it at all.",
    advice: "narrow it down with a BEGINSWITH or a comparison that an index serves"
  ) { subject in
    subject.comparisons { comparison, _ in comparison.comparator == .matches }
  }

  private static let textSearchScan = RefusalRule(
    id: "text-search-scan", severity: .slow, stores: [.sqlite, .swiftData],
    summary: "A text is searched, or compared without case or diacritics: no index serves that.",
    appleText: "NSCoreDataStringSearch(ZNAME, ?, 417, 1) in the SQL",
    advice: "narrow it down first, or keep a derived attribute canonical:(name) with an index and compare that"
  ) { subject in
    subject.comparisons { comparison, scope in
      guard comparison.left.constantValue == nil, comparison.comparator != .matches,
        scope.attributeType(of: comparison.left)?.isTextual == true
      else { return false }
      switch comparison.comparator {
      case .contains, .endsWith, .like: return true
      default: return !comparison.options.isDisjoint(with: [.caseInsensitive, .diacriticInsensitive])
      }
    }
  }

  private static let sortScan = RefusalRule(
    id: "localized-sort-scan", severity: .slow, stores: [.sqlite, .swiftData],
    summary: "Text is sorted as people of a locale expect: no index serves that.",
    appleText: "ORDER BY ZNAME COLLATE NSCollateLocaleSensitive in the SQL",
    advice: "sort by bytes where order alone matters, or by a derived attribute canonical:(name)"
  ) { subject in
    subject.request.sortDescriptors.filter { $0.comparator == .localized || $0.comparator == .standard }.flatMap {
      subject.request("sort by \($0.expression)", where: true, at: $0.expression.origin)
    }
  }
}
