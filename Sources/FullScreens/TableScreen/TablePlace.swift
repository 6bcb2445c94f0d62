internal import Modeling

/// Where one is in a table: the line, the column, and what is not shown.
struct TablePlace {
  /// The line that the arrows move.
  var selected = 0
  /// The first line that is shown.
  var top = 0
  /// The column that keys are about, among those that are shown.
  var column = 0
  /// The columns that are not shown.
  var hidden: Set<String> = []
  /// The widths that keys gave to columns, by the columns' names.
  var widths: [String: Int] = [:]
  /// The sections of which only the headings are shown.
  var folded: Set<Value> = []

  /// Moves to the first line.
  mutating func goToTop() { (selected, top) = (0, 0) }
}
