internal import Terminal

/// The user's settings for this session.
final class ShellSettings {
  /// The output mode.
  var mode: OutputMode
  /// The table that INSERT statements name, where it is not the rows' own.
  var tableName: String?
  /// Whether the time of each block is printed.
  var isTimed = false
  /// Whether the SQL of each request is shown.
  var showsSQL = false
  /// Whether slow reads are told also where no index would help.
  var tellsSlowReads = false
  /// Whether what may follow is shown in grey while one types.
  var showsHints = true
  /// Whether csv, tsv and list begin with the names of the columns; nil leaves it to the mode.
  var showsHeaders: Bool?
  /// How many objects a line at the prompt may change or delete without being asked about; nil for any number.
  var confirmLimit: Int? = 100
  /// What shows text that is longer than the window, where `.pager` has chosen.
  var pager: Pager?
  /// How plots are drawn at the prompt.
  var plotForm = PlotForm.auto
  /// What the table that was shown last had for columns.
  var lastTable: ShownTable?
  /// The columns that tables of an entity have, by its name, where `.cols` has chosen.
  var columnChoices: [String: ColumnChoice] = [:]
  /// Where what is shown goes instead of standard output.
  var outputTarget: OutputTarget? { didSet { outputChangeCount += 1 } }
  /// How often it was chosen.
  private(set) var outputChangeCount = 0

  init(mode: OutputMode) {
    self.mode = mode
  }
}
