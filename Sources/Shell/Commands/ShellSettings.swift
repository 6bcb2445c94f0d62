internal import Presentation

/// The user's settings for this session.
final class ShellSettings {
  /// The output mode: the one that was chosen, or else the usual one of where the output goes.
  var mode: OutputMode {
    get { chosenMode ?? (isForPrograms ? .tsv : .table) }
    set { chosenMode = newValue }
  }
  /// The mode that `--mode` or `.mode` has chosen.
  private(set) var chosenMode: OutputMode?
  /// Whether results go to a file or a program now, where they are the rows of tsv unless a mode was chosen.
  var isForPrograms: Bool
  /// The table that INSERT statements name, where it is not the rows' own.
  var tableName: String?
  /// Whether the time of each block is printed.
  var isTimed = false
  /// Whether the SQL of each request is shown.
  var showsSQL = false
  /// Whether slow reads are reported also where no index would help.
  var tellsSlowReads = false
  /// Whether what may follow is shown in grey while one types.
  var showsHints = true
  /// Whether csv, tsv and list begin with the names of the columns; nil leaves it to the mode.
  var showsHeaders: Bool?
  /// How many objects a line at the prompt may change or delete without being asked about; nil for any number.
  var confirmLimit: Int? = 100
  /// The pager for text longer than the window, if `.pager` has chosen one.
  var pager: Pager?
  /// How plots are drawn at the prompt.
  var plotForm = PlotForm.auto
  /// The columns of the table that was shown last.
  var lastTable: ShownTable?
  /// The columns that tables of an entity have, by its name, where `.cols` has chosen.
  var columnChoices: [String: ColumnChoice] = [:]
  /// The target of output instead of standard output.
  var outputTarget: OutputTarget? { didSet { outputChangeCount += 1 } }
  /// The number of times that it was chosen.
  private(set) var outputChangeCount = 0

  init(mode: OutputMode?, isForPrograms: Bool = false) {
    chosenMode = mode
    self.isForPrograms = isForPrograms
  }
}
