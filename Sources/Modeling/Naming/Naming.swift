/// Conversions between names of entities and properties and names of tables and columns.
public enum Naming {
  /// The name of an entity in snake_case: `OrderItem` becomes `order_item`, `HTTPServer` becomes `http_server`.
  ///
  /// A word begins at a capital after a lower-case letter or digit, and at the last capital of a run before a
  /// lower-case letter. Digits belong to the word before them: `URL2x` becomes `url2x`. Other characters separate
  /// words; a name without letters and digits becomes `entity`.
  public static func snakeCase(_ name: String) -> String {
    let words = words(of: name)
    return words.isEmpty ? "entity" : words.map { $0.lowercased() }.joined(separator: "_")
  }

  /// The name of a table in UpperCamelCase: `order_items` and `ORDER ITEMS` become `OrderItems`.
  ///
  /// Capitals inside words stay (`customerID` becomes `CustomerID`) unless the whole name is in capitals. A leading
  /// digit gets a `_` before it; a name without letters and digits becomes `Entity`. Letters of any script count;
  /// `isLuaIdentifier` says whether the result is a Lua identifier.
  public static func upperCamelCase(_ name: String) -> String {
    let joined = parts(of: name).map(capitalized).joined()
    if joined.isEmpty { return "Entity" }
    return joined.first?.isNumber == true ? "_" + joined : joined
  }

  /// The name in lowerCamelCase: `tail_number` becomes `tailNumber`, `HTTPServer` becomes `httpServer`.
  public static func lowerCamelCase(_ name: String) -> String {
    let parts = parts(of: name)
    guard let first = parts.first else { return "property" }
    let joined =
      words(of: first).enumerated().map { $0 == 0 ? $1.lowercased() : $1 }.joined()
      + parts.dropFirst().map(capitalized).joined()
    return joined.first?.isNumber == true ? "_" + joined : joined
  }

  /// The to-one relationship's name for a foreign key column: `author_id` and `authorId` become `author`.
  ///
  /// It is the column without a final `_id`, `Id` or `ID`, in lowerCamelCase. A column named only `id` keeps its name.
  public static func toOne(column: String) -> String {
    lowerCamelCase(withoutKeySuffix(column))
  }

  /// The name of a to-many relationship to the rows of `table`: its plural in lowerCamelCase, `order_item` becomes
  /// `orderItems`.
  public static func toMany(table: String) -> String {
    plural(lowerCamelCase(table))
  }

  /// The name of a to-many relationship if `table` has several foreign keys back: `origin` and `flights` make
  /// `originFlights`.
  public static func toMany(table: String, through relationship: String) -> String {
    relationship + capitalized(toMany(table: table))
  }

  /// `name`, or the first of `name2`, `name3`, ... that is not in `taken`.
  public static func unique(_ name: String, among taken: Set<String>) -> String {
    guard taken.contains(name) else { return name }
    var number = 2
    while taken.contains("\(name)\(number)") { number += 1 }
    return "\(name)\(number)"
  }

  /// The names, each with a number behind it where one before it is the same; in time that grows as they do.
  public static func unique(_ names: [String]) -> [String] {
    var taken: Set<String> = []
    var numbers: [String: Int] = [:]
    return names.map { name in
      var (free, number) = (name, numbers[name] ?? 1)
      while !taken.insert(free).inserted {
        number += 1
        free = "\(name)\(number)"
      }
      numbers[name] = number
      return free
    }
  }

  private static func withoutKeySuffix(_ column: String) -> String {
    let stem = column.dropLast(2)
    switch column.suffix(2) {
    case "Id" where !stem.isEmpty: return String(stem)
    case "ID" where stem.last.map { $0.isLowercase || $0.isNumber } == true: return String(stem)
    case "id", "ID", "Id", "iD":
      guard let separator = stem.last, !isWordCharacter(separator), stem.contains(where: isWordCharacter) else {
        return column
      }
      return String(stem.dropLast())
    default: return column
    }
  }
}

extension Naming {
  /// The runs of letters and digits; in lower case if the name has only capitals, so that word boundaries can be found.
  private static func parts(of name: String) -> [String] {
    let shouts = !name.contains(where: \.isLowercase) && name.count(where: \.isUppercase) > 1
    return name.split { !isWordCharacter($0) }.map { shouts ? $0.lowercased() : String($0) }
  }

  /// The words of a name, split at separators and capitals.
  private static func words(of name: String) -> [String] {
    name.split { !isWordCharacter($0) }.flatMap { camelWords(Array($0)) }
  }

  private static func camelWords(_ letters: [Character]) -> [String] {
    var words: [String] = []
    var word = ""
    for (index, letter) in letters.enumerated() {
      if index > 0, letter.isUppercase {
        let endsRun = index + 1 < letters.count && letters[index + 1].isLowercase
        if !letters[index - 1].isUppercase || endsRun {
          words.append(word)
          word = ""
        }
      }
      word.append(letter)
    }
    return words + [word]
  }

  private static func isWordCharacter(_ character: Character) -> Bool { character.isLetter || character.isNumber }

  static func capitalized(_ word: String) -> String { word.prefix(1).uppercased() + String(word.dropFirst()) }
}
