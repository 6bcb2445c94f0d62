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
  /// The words of a command, its name first, where the first name is that of one: `check FILE ...`.
  var command: [String]?

  /// Options that take the next word as their value.
  static let optionsWithValue: Set<String> = [
    "--model", "--schema", "--mode", "--timeout", "--memory-limit", "--color", "-e", "--execute", "--from", "--param",
    "--generate-completion-script",
  ]

  /// Options of the prompt, which a command has not.
  private static let promptOptions: Set<String> = ["--no-init", "-q", "--quiet", "--plain-editor"]

  /// Splits `words`; `kind` returns the kind of a name that is not one of the `commands`.
  init(_ words: [String], commands: [String], kind: (String) -> Launch.Argument) {
    var rest = words[...]
    var areOptionsOver = false
    while let word = rest.popFirst() {
      if !areOptionsOver, word == "--" {
        areOptionsOver = true
      } else if !areOptionsOver, word.hasPrefix("-"), word != "-" {
        own.append(word)
        if Self.optionsWithValue.contains(word), let value = rest.popFirst() { own.append(value) }
      } else if store == nil, data.isEmpty, commands.contains(word) {
        // What stands before its name is the command's, too, but for what is about the prompt alone.
        command = [word] + own.filter { !Self.promptOptions.contains($0) } + rest
        return
      } else if takePositional(word, kind) {
        scriptArguments = Array(rest)
        return
      }
    }
  }

  /// `launch` with what is no option: the store, the script and its arguments.
  func completed(_ launch: Launch) -> Launch {
    var launch = launch
    launch.storePath = store
    launch.dataPaths = data
    launch.scriptPath = script
    launch.scriptArguments = scriptArguments
    return launch
  }

  /// Takes a name that is no option; true if it is the script, so that everything behind belongs to it.
  private mutating func takePositional(_ word: String, _ kind: (String) -> Launch.Argument) -> Bool {
    if store == nil {
      switch own.contains("--from") && !word.hasSuffix(".lua") ? .data : kind(data.isEmpty || word != "-" ? word : "") {
      case .store where data.isEmpty:
        store = word
        return false
      case .data:
        data.append(word)
        return false
      case .script, .store: break
      }
    }
    script = word
    return true
  }
}
