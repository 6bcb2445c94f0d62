/// The words of a name, which relate names with different spellings: `departure_delay` and `dep_delay`.
enum NameWords {
  /// The candidate with the same meaning, or with the most words in common; nil if there is none.
  static func related(to name: String, in candidates: some Sequence<String>) -> String? {
    let words = words(of: name)
    guard !words.isEmpty else { return nil }
    let meanings = synonyms.filter { $0.contains(words.joined()) }
    var best: (score: Int, length: Int, name: String)?
    for candidate in candidates where candidate != name {
      let other = self.words(of: candidate)
      let isSynonym = meanings.contains { $0.contains(other.joined()) }
      let score = isSynonym ? 1000 : shared(words, other)
      guard score > 0 else { continue }
      if let known = best, (-known.score, known.length, known.name) <= (-score, candidate.count, candidate) { continue }
      best = (score, candidate.count, candidate)
    }
    return best?.name
  }

  /// The similarity of two names; 0 if it is too small to matter.
  private static func shared(_ words: [String], _ others: [String]) -> Int {
    var (equal, similar) = (0, 0)
    for word in words where word.count > 2 && !common.contains(word) {
      if others.contains(word) {
        equal += 1
      } else if others.contains(where: { isAbbreviation($0, word) || isAbbreviation(word, $0) }) {
        similar += 1
      }
    }
    if equal > 0 { return equal * 10 + similar }
    // A common beginning alone counts if it is all of the typed name, or most of it.
    guard words.count == 1, others.count == 1, let word = words.first, let other = others.first else { return 0 }
    if word.count > 2, other.hasPrefix(word) { return 5 }
    return other.count > 3 && word.hasPrefix(other) && other.count * 2 >= word.count ? 5 : 0
  }

  private static func isAbbreviation(_ short: String, _ long: String) -> Bool {
    short.count > 2 && short.count < long.count && long.hasPrefix(short)
  }

  /// The words of a name in lower case and in the singular, split at separators and capitals.
  private static func words(of name: String) -> [String] {
    Naming.snakeCase(name).split(separator: "_").map { Naming.singular(String($0)) }
  }

  /// Words that do not distinguish names.
  private static let common: Set = ["the", "and", "for", "get", "set", "has", "not", "with", "from", "new", "all"]

  /// Groups of synonyms, in the singular. To teach a word, add a group.
  private static let synonyms: [Set<String>] = [
    ["where", "filter", "filtered", "select", "matching", "having", "query"],
    ["sorted", "sort", "sortby", "sortedby", "order", "orderby", "orderedby", "ordered"],
    ["count", "size", "length", "len"], ["each", "foreach", "iterate", "iter"],
    ["all", "every", "findall", "fetchall", "object", "row"], ["first", "one", "head", "top"],
    ["limit", "take", "head", "top"], ["offset", "skip", "drop"], ["find", "get", "lookup", "byid", "findbyid"],
    ["fetch", "load", "execute", "run", "toarray", "tolist", "list"], ["average", "avg", "mean"], ["sum", "total"],
    ["min", "minimum", "smallest", "lowest"], ["max", "maximum", "largest", "highest", "biggest"],
    ["groupby", "group", "grouped"], ["exists", "any", "contains"], ["live", "observe", "watch", "subscribe"],
    ["delete", "remove", "destroy", "erase"], ["add", "insert", "append", "push"], ["update", "modify", "change"],
    ["print", "echo", "puts", "printf", "println", "log"], ["show", "display", "view", "render"],
    ["export", "write", "dump"], ["describe", "desc", "inspect", "info"], ["entity", "table", "class", "model"],
    ["time", "date", "timestamp", "when"], ["place", "location", "position"], ["name", "title", "label"],
    ["price", "cost", "amount"], ["quantity", "qty", "number"], ["latitude", "lat"], ["longitude", "lon", "lng"],
    ["null", "none", "undefined"], ["tostring", "str", "stringify"], ["pair", "item", "entry"],
  ]
}
