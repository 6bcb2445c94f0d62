/// What the format of a cell's number says.
enum NumberFormat {
  /// Whether one of the formats without a code of their own shows a date.
  static func isDate(builtIn id: Int) -> Bool {
    (14...22).contains(id) || (27...36).contains(id) || (50...58).contains(id)
  }

  /// Whether a code such as `yyyy-mm-dd` shows a date. `[h]:mm` shows hours and is none; words in quotes do not count.
  static func isDate(_ code: String) -> Bool {
    var isQuoted = false
    var isEscaped = false
    var bracket: String?
    for character in code.lowercased() {
      if isEscaped {
        isEscaped = false
      } else if character == "\"" {
        isQuoted.toggle()
      } else if isQuoted {
        continue
      } else if "\\_*".contains(character) {
        isEscaped = true
      } else if character == "[" {
        bracket = ""
      } else if character == "]" {
        if let name = bracket, !name.isEmpty, name.allSatisfy({ "hms".contains($0) }) { return false }
        bracket = nil
      } else if bracket != nil {
        bracket?.append(character)
      } else if character == ";" {
        // The first section is that of positive numbers.
        return false
      } else if "ymdhs".contains(character) {
        return true
      }
    }
    return false
  }
}
