internal import Presentation

/// A line that is typed below the title of a table.
struct ScreenField {
  /// What is typed.
  enum Purpose: Equatable {
    /// A text to look for.
    case search
    /// The whole predicate.
    case predicate
    /// A condition besides the predicate.
    case filter
    /// The value of a cell, by the name of its column.
    case value(String)

    /// What stands before the line.
    var prompt: String {
      switch self {
      case .search: "search: "
      case .predicate: "where: "
      case .filter: "filter: "
      case .value(let column): "\(column) = "
      }
    }
  }

  let purpose: Purpose
  var editor: PredicateEditor
  /// Whether keys go into the line; one that is taken may stay to be seen.
  var isOpen = true

  init(_ purpose: Purpose, _ editor: PredicateEditor = PredicateEditor()) {
    (self.purpose, self.editor) = (purpose, editor)
  }
}
