internal import Queries

/// Values for the placeholders of a predicate's text, in place of those that the script computes.
struct PlaceholderValues {
  private(set) var values: [PredicateArgument] = []

  /// The values for a text; variables are numbered behind those of `known` other placeholders.
  init(_ text: String, behind known: Int = 0) {
    var quote: Character?
    var rest = Substring(text)
    while let character = rest.popFirst() {
      if let open = quote {
        if character == "\\" { rest = rest.dropFirst() }
        if character == open { quote = nil }
        continue
      }
      if character == "'" || character == "\"" { quote = character }
      guard character == "%" else { continue }
      rest = rest.drop { "lhqzt0123456789.".contains($0) }
      switch rest.first {
      // A variable may be of any type.
      case "@": values.append(.expression(.variable("argument\(known + values.count + 1)")))
      case "d", "D", "i", "u", "U", "x", "X", "o", "O", "p", "c", "C": values.append(.value(.int(0)))
      case "f", "F", "e", "E", "g", "G", "a", "A": values.append(.value(.double(0)))
      case "s", "S": values.append(.value(.string("")))
      default: continue
      }
      rest = rest.dropFirst()
    }
  }
}
