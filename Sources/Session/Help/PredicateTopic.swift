/// A page of help on a word or a sign of the predicate language.
///
///     PredicateTopic.topic("CONTAINS")?.example       // Quake:where "place CONTAINS[cd] 'chile'"
///
/// To add one, add it to a list of `all`.
package struct PredicateTopic {
  /// The ways to write it, the first one as the title.
  package var names: [String]
  /// How it is written.
  package var form: String
  /// What it means.
  package var text: String
  /// A predicate with it, for earthquakes; with arguments where `arguments` are given.
  var predicate: String
  var arguments: String?

  /// The line that shows it.
  package var example: String {
    let quoted = predicate.contains("\"") ? "[[\(predicate)]]" : "\"\(predicate)\""
    return arguments.map { "Quake:where(\(quoted), \($0))" } ?? "Quake:where \(quoted)"
  }

  private init(_ names: String, _ form: String, _ text: String, _ predicate: String, arguments: String? = nil) {
    self.names = names.split(separator: " ").map(String.init)
    self.form = form
    self.text = text
    self.predicate = predicate
    self.arguments = arguments
  }

  /// The page on a word in any case, with or without options in brackets.
  package static func topic(_ name: String) -> PredicateTopic? {
    let word = name.split(separator: "[", maxSplits: 1, omittingEmptySubsequences: false).first.map(String.init) ?? ""
    func find(_ word: String) -> PredicateTopic? {
      all.first { $0.names.contains(word) } ?? all.first { $0.names.contains { $0.lowercased() == word.lowercased() } }
    }
    return find(name) ?? (word.isEmpty ? nil : find(word))
  }

  /// All pages, in the order of the overview.
  package static let all = comparisons + texts + logic + collections + values + functions

  private static let comparisons = [
    PredicateTopic(
      "== =", "a == b", "The two are equal. A nil is equal to nil alone: `place == nil` finds what has no place.",
      "magnitude == 3.5"),
    PredicateTopic(
      "!= <>", "a != b",
      "The two differ. What is nil matches neither this nor ==, unless the other side is nil: `place != nil`.",
      "place != 'Suva'"),
    PredicateTopic("<", "a < b", "Less. A nil is neither less nor greater.", "magnitude < 3"),
    PredicateTopic("<= =<", "a <= b", "Less or equal.", "magnitude <= 3"),
    PredicateTopic(">", "a > b", "Greater; of dates, later.", "magnitude > 3"),
    PredicateTopic(">= =>", "a >= b", "Greater or equal.", "magnitude >= 3"),
    PredicateTopic(
      "BETWEEN", "a BETWEEN { low, high }", "Not less than the one and not greater than the other.",
      "magnitude BETWEEN { 2, 4 }"),
    PredicateTopic(
      "IN", "a IN { b, c }", "Equal to one of a list; the list may be an argument.", "code IN { 'us1', 'us2' }"),
  ]

  private static let texts = [
    PredicateTopic(
      "CONTAINS", "text CONTAINS[cd] part",
      "The text has the part in it. [c] takes capitals for small letters, [d] é for e. Of a to-many: has the object.",
      "place CONTAINS[cd] 'japan'"),
    PredicateTopic("BEGINSWITH", "text BEGINSWITH[cd] part", "The text begins so.", "place BEGINSWITH[c] 's'"),
    PredicateTopic("ENDSWITH", "text ENDSWITH[cd] part", "The text ends so.", "place ENDSWITH 'Japan'"),
    PredicateTopic(
      "LIKE", "text LIKE[cd] pattern", "* stands for any characters, ? for one, all of the text is meant.",
      "place LIKE[c] '*japan'"),
    PredicateTopic(
      "MATCHES", "text MATCHES pattern", "A regular expression that all of the text matches.", "code MATCHES 'us[0-9]+'"
    ),
    PredicateTopic(
      "[c] [d] [cd] [n] [l]", "CONTAINS[cd]",
      "Options of text operators and of == and !=: c capitals, d marks, l as people expect, n as the bytes are.",
      "place ==[c] 'SUVA'"),
  ]

  private static let logic = [
    PredicateTopic("AND &&", "a AND b", "Both.", "magnitude > 2 AND place != nil"),
    PredicateTopic("OR ||", "a OR b", "One of them, or both.", "magnitude > 4 OR place == 'Suva'"),
    PredicateTopic(
      "NOT !", "NOT a",
      "The opposite. Neither is the opposite of neither: what has no magnitude matches neither `magnitude > 5` nor its NOT.",
      "NOT (magnitude > 3)"),
    PredicateTopic("TRUEPREDICATE", "TRUEPREDICATE", "Matches everything.", "TRUEPREDICATE"),
    PredicateTopic("FALSEPREDICATE", "FALSEPREDICATE", "Matches nothing.", "FALSEPREDICATE"),
  ]

  private static let collections = [
    PredicateTopic(
      "ANY SOME", "ANY toMany.key > a", "At least one of the objects that a to-many leads to.",
      "ANY reports.text CONTAINS 'felt'"),
    PredicateTopic(
      "ALL", "ALL toMany.key > a", "Every one of them; also where there are none.", "ALL reports.text CONTAINS 'felt'"),
    PredicateTopic("NONE", "NONE toMany.key > a", "Not one of them.", "NONE reports.text CONTAINS 'felt'"),
    PredicateTopic(
      "SUBQUERY", "SUBQUERY(toMany, $x, predicate of $x).@count > 0",
      "The objects of a to-many that match a predicate with several conditions.",
      "SUBQUERY(reports, $r, $r.text CONTAINS 'felt' AND $r.text != nil).@count > 0"),
    PredicateTopic("@count", "toMany.@count", "How many objects a to-many leads to.", "reports.@count > 0"),
    PredicateTopic(
      "@sum @avg @min @max", "toMany.@sum.key", "The sum, average, least and greatest of a key of these objects.",
      "reports.@max.quake.magnitude > 3"),
    PredicateTopic(
      "@distinctUnionOfObjects @unionOfObjects @unionOfArrays @distinctUnionOfArrays @unionOfSets @distinctUnionOfSets",
      "toMany.@distinctUnionOfObjects.key", "The values of a key of all these objects, each once with distinct.",
      "'felt it' IN reports.@distinctUnionOfObjects.text"),
  ]

  private static let values = [
    PredicateTopic(
      "%@", "format, value", "The place of an argument: any value. Never put values into the text by yourself.",
      "magnitude > %@ AND place == %@", arguments: "3, \"Suva\""),
    PredicateTopic(
      "%K", "format, key path", "The place of a key path that is an argument.", "%K > 3", arguments: "\"magnitude\""),
    PredicateTopic(
      "%d %i %u %ld %lld %f %s %%", "format, number", "As %@, with the letters of C.", "magnitude > %f",
      arguments: "3.5"),
    PredicateTopic(
      "$ $x $name", "$name", "A variable, which gets its value from `request:bind { name = value }`.",
      "magnitude > 3 AND SUBQUERY(reports, $x, $x.text != nil).@count >= 0"),
    PredicateTopic("nil NULL NIL", "a == nil", "Nothing. Only == and != match it.", "place == nil"),
    PredicateTopic("YES NO TRUE FALSE", "flag == YES", "True and false.", "TERNARY(magnitude > 3, YES, NO) == YES"),
    PredicateTopic("SELF", "SELF", "The object itself.", "SELF IN %@", arguments: "{ Quake:first() }"),
    PredicateTopic(
      "CAST", "CAST(a, 'type')", "A value as one of another type: NSDate, NSNumber, NSDecimalNumber, NSString.",
      "CAST('2023-11-14T00:00:00Z', 'NSDate') < time"),
    PredicateTopic(
      "TERNARY", "TERNARY(condition, a, b)", "The one value or the other.", "TERNARY(magnitude > 3, 1, 2) == 1"),
    PredicateTopic(
      "FUNCTION", "FUNCTION(a, 'selector', b)", "A function by the selector that Apple calls it by.",
      "FUNCTION(code, 'uppercase') == 'US1'"),
  ]

  private static let functions = [
    PredicateTopic("+ - * / **", "a + b", "Arithmetic; ** is the power.", "magnitude * 2 - 1 > 5"),
    PredicateTopic(
      "year month day hour minute second weekday", "year(date)",
      "Parts of a date in UTC: year is a number, month \"2024-01\", day \"2024-01-22\".", "year(time) == 2023"),
    PredicateTopic("now now()", "now()", "The present.", "time < now()"),
    PredicateTopic(
      "lowercase uppercase", "lowercase(text)", "The text in small letters, in capitals.", "uppercase(code) == 'US1'"),
    PredicateTopic("length", "length(text)", "How many characters a text has.", "length(place) > 4"),
    PredicateTopic(
      "abs round floor ceiling ceil trunc sqrt", "abs(number)", "Functions of numbers.", "round(magnitude) == 4"),
  ]
}
