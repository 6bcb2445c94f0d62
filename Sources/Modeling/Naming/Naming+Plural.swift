extension Naming {
  /// The English plural of the last word of a name in camel case; a plural stays unchanged.
  ///
  /// Simple rules, in this order: words in `irregular`; words that are their own plural; a plural stays, which is a
  /// word in `-s` other than `-ss`, `-us`, `-is` and a few like `bias`; then `-is` becomes `-es`; `-s`, `-x`, `-z`,
  /// `-ch`, `-sh` get `es`; a consonant and `y` become `ies`; all others get `s`.
  public static func plural(_ name: String) -> String {
    let start = name.lastIndex { $0.isUppercase } ?? name.startIndex
    let word = name[start...].lowercased()
    guard word.last?.isLetter == true, !isPlural(word) else { return name }
    for (singular, plural) in irregular where word == singular {
      return name.dropLast(singular.count) + (start == name.startIndex ? plural : capitalized(plural))
    }
    if word.hasSuffix("is") { return name.dropLast(2) + "es" }
    if ["s", "x", "z", "ch", "sh"].contains(where: word.hasSuffix) { return name + "es" }
    if word.hasSuffix("y"), let before = word.dropLast().last, !"aeiou".contains(before) {
      return name.dropLast() + "ies"
    }
    return name + "s"
  }

  private static func isPlural(_ word: String) -> Bool {
    if unchanging.contains(word) || irregular.contains(where: { $0.1 == word }) { return true }
    guard word.hasSuffix("s"), !singularInS.contains(word) else { return false }
    return !["ss", "us", "is"].contains(where: word.hasSuffix) || pluralInUs.contains(word)
  }

  // To add a word, add it to one of these lists.

  static let irregular = [
    ("person", "people"), ("child", "children"), ("man", "men"), ("woman", "women"), ("foot", "feet"),
    ("tooth", "teeth"), ("mouse", "mice"), ("goose", "geese"), ("leaf", "leaves"), ("life", "lives"),
    ("knife", "knives"), ("shelf", "shelves"), ("half", "halves"), ("index", "indices"), ("matrix", "matrices"),
    ("vertex", "vertices"), ("criterion", "criteria"), ("quiz", "quizzes"), ("hero", "heroes"), ("echo", "echoes"),
    ("potato", "potatoes"), ("tomato", "tomatoes"), ("datum", "data"), ("medium", "media"),
  ]

  static let unchanging: Set = [
    "aircraft", "equipment", "fish", "info", "information", "metadata", "money", "news", "series", "sheep", "software",
    "species", "staff", "weather",
  ]

  static let singularInS: Set = ["alias", "atlas", "bias", "canvas", "gas", "lens", "address", "process"]

  static let pluralInUs: Set = ["menus", "gurus", "cpus", "gpus", "taxis", "skis", "apis"]
}
