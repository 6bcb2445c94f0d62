internal import LiveQueries
internal import Modeling
internal import Presentation

/// What became of a row: the sign before it.
enum RowMark: Equatable {
  case inserted, updated, moved, deleted
  /// The row could not be compared.
  case uncompared

  var role: Style.Role {
    switch self {
    case .inserted: .added
    case .deleted: .removed
    case .updated, .moved, .uncompared: .changed
    }
  }

  func sign(_ charset: Charset) -> String {
    switch self {
    case .inserted: "+"
    case .updated: "~"
    case .deleted: "-"
    case .uncompared: "!"
    case .moved: charset == .utf8 ? "↕" : "^"
    }
  }

  /// `2 inserted, 1 deleted · save by feed`, in words for the line above the rows.
  static func text(of change: ResultsChange) -> String {
    var parts = [
      (change.inserted.count, "inserted"), (change.deleted.count, "deleted"), (change.updated.count, "updated"),
      (change.moved.count, "moved"),
    ].filter { $0.0 > 0 }.map { "\(Quantity.grouped($0.0)) \($0.1)" }
    if change.isReload { parts.append("reloaded") }
    let author = change.author.map { " by \($0)" } ?? ""
    return "\(parts.joined(separator: ", ")) (\(change.kind.rawValue)\(author))"
  }
}
