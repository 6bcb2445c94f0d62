extension Naming {
  /// The English singular of the last word of a name in camel case or with separators; a singular stays unchanged.
  ///
  ///     Naming.singular("sales")         // sale
  ///     Naming.singular("orderEntries")  // orderEntry
  ///
  /// It reverses the rules of `plural`, with lists of the words whose plural is ambiguous.
  public static func singular(_ name: String) -> String {
    let start = lastWord(name)
    let word = name[start...].lowercased()
    func ending(_ dropped: Int, _ added: String = "") -> String { name.dropLast(dropped) + added }
    for (singular, plural) in irregular where word == plural {
      let begins = name[start].isUppercase
      return name[..<start] + (begins ? capitalized(singular) : singular)
    }
    guard word.hasSuffix("s"), word.count > 3, !keepsItsS(word) else { return name }
    if word.hasSuffix("ies") { return pluralOfIe.contains(word) ? ending(1) : ending(3, "y") }
    if pluralInEs.contains(where: word.hasSuffix) { return ending(2) }
    if pluralOfIs.contains(word) { return ending(2, "is") }
    return ending(1)
  }

  /// The start of the last word, at a capital within the last run of letters.
  private static func lastWord(_ name: String) -> String.Index {
    var start = name.endIndex
    while start > name.startIndex {
      let before = name.index(before: start)
      guard name[before].isLetter else { break }
      start = before
      if name[before].isUppercase, start < name.endIndex, name[name.index(after: before)...].first?.isLowercase == true
      {
        break
      }
    }
    return start == name.endIndex ? name.startIndex : start
  }

  /// Whether a word in `-s` is a singular, or both.
  private static func keepsItsS(_ word: String) -> Bool {
    if unchanging.contains(word) || singularInS.contains(word) { return true }
    return ["ss", "us", "is"].contains(where: word.hasSuffix) && !pluralInUs.contains(word)
  }

  // To add a word, add it to one of these lists.

  private static let pluralOfIe: Set = [
    "movies", "cookies", "zombies", "calories", "ties", "pies", "dies", "lies", "selfies", "rookies", "brownies",
  ]

  private static let pluralOfIs: Set = ["analyses", "crises", "theses", "hypotheses", "diagnoses", "parentheses"]

  private static let pluralInEs = [
    "sses", "shes", "xes", "tches", "nches", "rches", "eaches", "oaches", "wiches", "buses", "statuses", "viruses",
    "bonuses", "campuses", "censuses", "lenses", "aliases", "atlases", "biases", "canvases", "gases", "cactuses",
  ]
}
