import Modeling

/// The dates that a column's declaration promises.
enum DateDeclaration {
  /// The type names a date, which is written so where the column is empty.
  case declared(DateForm)
  /// The type is text, or none, and the name says a time: `created_at`, `birthDate`.
  case named
  case none

  init(_ column: ForeignColumn) {
    let type = asciiLowercased(column.declaredType)
    let words = type.split { !$0.isLetter }
    if type.contains("int") {
      self = .none
    } else if type.contains("datetime") || type.contains("timestamp") {
      self = .declared(.dayAndTime)
    } else if words.first == "date" {
      self = .declared(.day)
    } else if type.isEmpty || ["char", "clob", "text", "string"].contains(where: type.contains) {
      self = Self.isOfTime(column.name) ? .named : .none
    } else {
      self = .none
    }
  }

  /// Words that say a time wherever they stand in a name.
  private static let words: Set<String> = [
    "date", "datetime", "time", "timestamp", "created", "updated", "modified", "deleted", "birthday",
  ]
  /// Words that say a time at the end of a name.
  private static let lastWords: Set<String> = ["at", "on", "day", "since", "until", "ts"]

  private static func isOfTime(_ name: String) -> Bool {
    let parts = Naming.snakeCase(name).split(separator: "_").map { asciiLowercased(String($0)) }
    return parts.contains { words.contains($0) } || parts.last.map(lastWords.contains) ?? false
  }
}
