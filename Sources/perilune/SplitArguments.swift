internal import Shell

/// The words of a command line, those for the script apart from those for perilune.
///
/// A script's own arguments follow its name and may look like options, so they are taken off before the rest is parsed.
///
///     perilune -q quakes.sqlite report.lua --all      own: -q    store: quakes.sqlite    script: report.lua --all
struct SplitArguments {
  /// The options of perilune, with their values.
  var own: [String] = []
  var store: String?
  /// Files of rows, of which a store in memory is made.
  var data: [String] = []
  var script: String?
  var scriptArguments: [String] = []
  /// A name that is kept for a command of a later version.
  var reserved: String?

  /// Whether the command examines the store: `perilune doctor STORE`.
  var isDoctor = false
  /// Whether the command writes the store's types: `perilune types --swift STORE`.
  var isTypes = false
  /// Whether the command looks for mistakes in scripts: `perilune check FILE…`.
  var isCheck = false
  /// The scripts in which it does.
  var checked: [String] = []
  /// Whether the command runs specs: `perilune test [FILE | FOLDER …]`.
  var isTest = false
  /// The specs and folders that it runs.
  var tested: [String] = []
  /// The options of that command.
  private(set) var testFilter: String?
  private(set) var junitPath: String?
  private(set) var writesTAP = false
  /// Whether the command writes the manual page and completions: `perilune manual FOLDER`.
  var isManual = false
  /// The form of the types.
  var typesForm: Launch.TypesForm?
  /// The name of the schema that the types are written with.
  var schemaName: String?

  /// Options that take the next word as their value.
  static let optionsWithValue: Set<String> = [
    "--model", "--mode", "--timeout", "--memory-limit", "--color", "-e", "--execute", "--from", "--param",
    "--generate-completion-script",
  ]

  /// Splits `words`; `kind` tells what a name stands for.
  init(_ words: [String], kind: (String) -> Launch.Argument) {
    var rest = words[...]
    var areOptionsOver = false
    while let word = rest.popFirst() {
      if !areOptionsOver, word == "--" {
        areOptionsOver = true
      } else if !areOptionsOver, isDoctor || isCheck, word == "--json" {
        own += ["--mode", "json"]
      } else if !areOptionsOver, isCheck, word == "--store", let path = rest.popFirst() {
        store = path
      } else if !areOptionsOver, isTest, word == "--tap" {
        writesTAP = true
      } else if !areOptionsOver, isTest, word == "--junit", let path = rest.popFirst() {
        junitPath = path
      } else if !areOptionsOver, isTest, word == "--filter", let text = rest.popFirst() {
        testFilter = text
      } else if !areOptionsOver, isTypes, let form = Launch.TypesForm.allCases.first(where: { word == "--\($0)" }) {
        typesForm = form
      } else if !areOptionsOver, isTypes, word == "--schema", let name = rest.popFirst() {
        schemaName = name
      } else if !areOptionsOver, word.hasPrefix("-"), word != "-" {
        own.append(word)
        if Self.optionsWithValue.contains(word), let value = rest.popFirst() { own.append(value) }
      } else if takePositional(word, kind) {
        scriptArguments = Array(rest)
        return
      }
    }
  }

  /// Whether a command has all that it needs.
  var isWhole: Bool {
    if isDoctor || isManual { return store != nil && script == nil }
    if isCheck { return !checked.isEmpty }
    return !isTypes || typesForm != nil && script == nil && (store != nil || own.contains { $0.hasPrefix("--model") })
  }

  /// `launch` with what is no option: the store, the script and its arguments.
  func completed(_ launch: Launch) -> Launch {
    var launch = launch
    launch.storePath = store
    launch.dataPaths = data
    launch.examinesStore = isDoctor
    launch.typesForm = typesForm
    launch.checkedPaths = checked
    if isTest { launch.testedPaths = tested.isEmpty ? ["."] : tested }
    (launch.testFilter, launch.junitPath, launch.writesTAP) = (testFilter, junitPath, writesTAP)
    launch.schemaName = schemaName
    // Types and checks are of what is there: they change nothing.
    if isTypes || isCheck, store != nil { launch.isReadOnly = true }
    launch.scriptPath = script
    launch.scriptArguments = scriptArguments
    return launch
  }

  /// Takes a name that is no option; true if it is the script, so that everything behind belongs to it.
  private mutating func takePositional(_ word: String, _ kind: (String) -> Launch.Argument) -> Bool {
    if isCheck || isTest {
      if isCheck { checked.append(word) } else { tested.append(word) }
      return false
    }
    if store == nil, isDoctor || isTypes || isManual {
      store = word
      return false
    }
    if store == nil {
      switch own.contains("--from") && !word.hasSuffix(".lua") ? .data : kind(data.isEmpty || word != "-" ? word : "") {
      case .store where data.isEmpty:
        store = word
        return false
      case .data:
        data.append(word)
        return false
      case .reserved:
        reserved = word
        return true
      case .doctor:
        isDoctor = true
        return false
      case .types:
        isTypes = true
        return false
      case .check where store == nil:
        isCheck = true
        return false
      case .test where store == nil:
        isTest = true
        return false
      case .manual:
        isManual = true
        return false
      case .script, .store, .check, .test: break
      }
    }
    script = word
    return true
  }
}
