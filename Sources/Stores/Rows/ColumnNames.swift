/// The names of a statement's columns, under which each value of a row is found.
enum ColumnNames {
  /// The names, where each that was there before has the next free number behind it.
  ///
  ///     ColumnNames.distinct(["id", "name", "id", "id"])     // ["id", "name", "id_2", "id_3"]
  ///
  /// A name that another column has itself is left to that.
  static func distinct(_ names: [String]) -> [String] {
    var taken = Set(names)
    guard taken.count < names.count else { return names }
    var seen: Set<String> = []
    var numbers: [String: Int] = [:]
    return names.map { name in
      if seen.insert(name).inserted { return name }
      var number = numbers[name] ?? 2
      while !taken.insert("\(name)_\(number)").inserted { number += 1 }
      numbers[name] = number + 1
      return "\(name)_\(number)"
    }
  }
}
