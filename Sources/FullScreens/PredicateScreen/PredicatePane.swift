/// The contents of the lower part of a predicate's screen.
enum PredicatePane: Int, CaseIterable {
  case rows = 0
  case help, explain, counts, swift, plot, check, why, object

  /// The pane that a function key opens.
  init?(functionKey: Int) {
    guard functionKey > 0 else { return nil }
    self.init(rawValue: functionKey)
  }

  /// Its name in the footer.
  var name: String {
    switch self {
    case .rows: "rows"
    case .help: "help"
    case .explain: "explain"
    case .counts: "clauses"
    case .swift: "Swift"
    case .plot: "plot"
    case .check: "check"
    case .why: "why"
    case .object: "object"
    }
  }

  /// Whether it is made of an answer of the store.
  var asks: Bool { self != .rows && self != .help }

  /// Whether it shows rows, or is about one of them, so that the arrows go to others.
  var isOfRows: Bool { self == .rows || self == .why || self == .object }

  /// The forms of Swift, in the order of F4.
  static let swiftForms = [
    "nspredicate", "macro", "fetchRequest", "sectionedFetchRequest", "query", "fetchDescriptor",
  ]

  static let helpText = """
    Type a predicate; what fulfils it is shown below as you type.

      Tab              what can stand here: key paths, operators, functions, values
      Up, Down         predicates that were entered before
      Enter, Esc       back to the prompt, the request in _
      Ctrl-C           stop what runs; then empty the line; then back without a request
      Ctrl-_           take back the last change

    Editing is that of the prompt: Home, End, Ctrl-A, Ctrl-E, Ctrl-B, Ctrl-F, Alt-B, Alt-F,
    Ctrl-W, Ctrl-U, Ctrl-K, Alt-D, Ctrl-Y.

      F2 explain       SQL, plan and costs
      F3 clauses       how many each clause lets through, and near misses
      F4 Swift         the predicate as Swift; again, or Left and Right: other forms
      F5 plot          the values of an attribute among the rows; Left and Right: others
      F6 check         what Apple's stores would refuse
      F7 why           each clause with its value for a row; Up and Down: other rows
      F8 object        all of a row's object; Up and Down: other rows

    Page Up and Page Down scroll; among the rows they choose one. Left and Right go to the rows
    that do not fulfil the predicate, Alt-Left and Alt-Right to another column: Alt-S sorts by it,
    Alt-minus hides it, Alt-plus shows all. Esc goes back.
    """
}
