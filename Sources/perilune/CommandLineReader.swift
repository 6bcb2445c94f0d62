internal import Session
internal import Shell

/// Reads a command line in one pass: the options of perilune, the store, and the script with its own arguments.
///
/// A script's arguments follow its name and may look like options, so that they are never parsed.
///
///     perilune -q quakes.sqlite report.lua --all      options: -q    store: quakes.sqlite    script: report.lua --all
///
/// ArgumentParser takes a millisecond to get going, as long as everything else up to the first evaluated expression. It
/// reads what is written in another way (`--mode=csv`, `-iq`), and says what is wrong with the rest.
struct CommandLineReader {
  /// The options of perilune, with their values, as they were written.
  private(set) var options: [String] = []
  /// The words of a command, its name first, where the first name is that of one: `check FILE ...`.
  private(set) var command: [String]?
  private(set) var store: String?
  /// Files of rows, of which a store in memory is made.
  private var data: [String] = []
  private var script: String?
  private var scriptArguments: [String] = []
  /// The settings of plainly written options.
  private var plain = ScriptRun()
  /// Whether all options are written plainly and right.
  private var isPlain = true

  /// Options of the prompt, which a command has not.
  private static let promptOptions: Set<String> = ["--no-init", "-q", "--quiet", "--plain-editor"]

  /// Reads `words`; the first name may be one of the `commands`.
  init(_ words: [String], commands: () -> [String]) {
    var rest = words[...]
    var areOptionsOver = false
    while let word = rest.popFirst() {
      if !areOptionsOver, word == "--" {
        areOptionsOver = true
      } else if !areOptionsOver, word.hasPrefix("-"), word != "-" {
        readOption(word, &rest)
      } else if store == nil, data.isEmpty, FileArgument.mayBeCommand(word), commands().contains(word) {
        // Options before its name are the command's, too, except for those of the prompt.
        command = [word] + options.filter { !Self.promptOptions.contains($0) } + rest
        return
      } else if takeName(word) {
        scriptArguments = Array(rest)
        return
      }
    }
  }

  /// The run that the command line asks for; nil if ArgumentParser must read the options, which it also does if some
  /// exclude each other.
  var plainRun: ScriptRun? {
    let store = plain.store
    if store.isReadOnly, store.writesCoreData || store.createsStore || store.permitsLosses { return nil }
    return isPlain && !(store.permitsLosses && store.modelPath == nil) ? completed(plain) : nil
  }

  /// `run` with the arguments that are no options: the store, the script and its arguments.
  func completed(_ run: ScriptRun) -> ScriptRun {
    var run = run
    run.store.path = store
    run.takeData(data)
    run.scriptPath = script
    run.scriptArguments = scriptArguments
    return run
  }

  private mutating func readOption(_ option: String, _ rest: inout ArraySlice<String>) {
    options.append(option)
    if takeFlag(option) { return }
    guard Self.takesValue(option), let value = rest.popFirst() else { return isPlain = false }
    options.append(value)
    if !take(value, for: option) { isPlain = false }
  }

  private mutating func takeFlag(_ option: String) -> Bool {
    switch option {
    case "--create": plain.store.createsStore = true
    case "--read-only": plain.store.isReadOnly = true
    case "--migrate": plain.store.permitsLosses = true
    case "--write": plain.store.writesCoreData = true
    case "--dry-run": plain.store.isDryRun = true
    case "--profile": plain.profiles = true
    case "--sandbox": plain.options.isSandboxed = true
    case "--trace": plain.options.showsTraces = true
    case "--no-init": plain.runsInit = false
    case "--plain-editor": plain.usesPlainEditor = true
    case "--quiet", "-q": plain.options.isQuiet = true
    case "--interactive", "-i": plain.staysInteractive = true
    default: return false
    }
    return true
  }

  private static func takesValue(_ option: String) -> Bool {
    switch option {
    case "-e", "--execute", "--mode", "--color", "--from", "--schema", "--model", "--timeout", "--memory-limit",
      "--param",
      "--generate-completion-script":
      true
    default: false
    }
  }

  private mutating func take(_ value: String, for option: String) -> Bool {
    switch option {
    case "-e", "--execute": plain.expressions.append(value)
    case "--mode" where RunOptions.modes.contains(value): plain.options.mode = value
    case "--color" where RunOptions.colors.contains(value): plain.options.color = value
    case "--from" where ScriptRun.dataFormats.contains(value): plain.dataFormat = value
    case "--schema" where !value.hasPrefix("-"): plain.store.modelVersion = value
    case "--model" where !value.hasPrefix("-"): plain.store.modelPath = value
    default: return false
    }
    return true
  }

  /// Takes a name that is no option; true if it is the script, so that everything behind belongs to it.
  private mutating func takeName(_ word: String) -> Bool {
    if store == nil {
      switch options.contains("--from") && !word.hasSuffix(".lua")
        ? .data : FileArgument(argument: data.isEmpty || word != "-" ? word : "")
      {
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

  /// The time limit among the words of a command line: it counts from the start, because standard input is read to find the
  /// meaning of words.
  static func timeLimit(in words: [String]) -> Double? {
    guard let option = words.lastIndex(where: { $0 == "--timeout" || $0.hasPrefix("--timeout=") }) else { return nil }
    let value = words[option].split(separator: "=", maxSplits: 1).dropFirst().first.map(String.init)
    let text = value ?? words[(option + 1)...].first ?? ""
    return Double(text).flatMap { $0 > 0 ? $0 : nil }
  }
}
