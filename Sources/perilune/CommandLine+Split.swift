/// The words of a command line, those for the script apart from those for perilune.
///
/// A script's own arguments follow its name and may look like options, so they are taken off before the rest is parsed.
struct SplitArguments {
  /// Options of perilune and the store's name.
  var own: [String] = []
  var store: String?
  var script: String?
  var scriptArguments: [String] = []

  /// Options that take the next word as their value.
  static let optionsWithValue: Set<String> = [
    "--model", "--mode", "--timeout", "--memory-limit", "--color", "-e", "--execute",
  ]

  /// Splits `words`; `isStore` tells whether a name is that of a store.
  init(_ words: [String], isStore: (String) -> Bool) {
    var rest = words[...]
    while let word = rest.popFirst() {
      if word == "--" {
        rest.forEach { takePositional($0, isStore) }
        return
      }
      guard word.hasPrefix("-"), word != "-" else {
        takePositional(word, isStore)
        if script != nil {
          scriptArguments = Array(rest)
          return
        }
        continue
      }
      own.append(word)
      if Self.optionsWithValue.contains(word), let value = rest.popFirst() { own.append(value) }
    }
  }

  private mutating func takePositional(_ word: String, _ isStore: (String) -> Bool) {
    if script != nil {
      scriptArguments.append(word)
    } else if store == nil, word != "-", isStore(word) {
      store = word
    } else {
      script = word
    }
  }
}
