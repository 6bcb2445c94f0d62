internal import Modeling
package import Presentation

/// The user's settings for this session.
package final class ShellSettings {
  /// The output mode: the one that was chosen, or else the usual one of where the output goes.
  package var mode: OutputMode {
    get { chosenMode ?? (isForPrograms ? .tsv : .table) }
    set { chosenMode = newValue }
  }
  /// The mode that `--mode` or `.mode` has chosen.
  private(set) var chosenMode: OutputMode?
  /// Whether results go to a file or a program now, where they are the rows of tsv unless a mode was chosen.
  package var isForPrograms: Bool
  /// The table that INSERT statements name, where it is not the rows' own.
  var tableName: String?
  /// Whether the time of each block is printed.
  package var isTimed = false
  /// Whether the SQL of each request is shown.
  var showsSQL = false
  /// Whether slow reads are reported also where no index would help.
  var tellsSlowReads = false
  /// Whether what may follow is shown in grey while one types.
  package var showsHints = true
  /// Whether csv, tsv and list begin with the names of the columns; nil leaves it to the mode.
  var showsHeaders: Bool?
  /// How many objects a line at the prompt may change or delete without being asked about; nil for any number.
  var confirmLimit: Int? = 100
  /// What the table that was shown last had for columns.
  var lastTable: ShownTable?
  /// The columns that tables of an entity have, by its name, where `.cols` has chosen.
  var columnChoices: [String: ColumnChoice] = [:]

  package init(mode: OutputMode?, isForPrograms: Bool = false) {
    chosenMode = mode
    self.isForPrograms = isForPrograms
  }
}

/// The columns of the table that was shown last.
struct ShownTable {
  var rowName: String?
  var shown: [String]
  /// Those that the window had no room for.
  var dropped: [String]
}

extension ShellSettings {
  /// The choice for an entity, or for its nearest ancestor with one.
  func columnChoice(of entity: Entity) -> ColumnChoice? {
    var next: Entity? = entity
    while let entity = next {
      if let choice = columnChoices[entity.name] { return choice }
      next = entity.parent
    }
    return nil
  }
}
