internal import Modeling
internal import Terminal

/// What is typed as the value of an attribute, as Lua.
///
///     BrowseValue.source("2024-05-01", for: .date)      // Date("2024-05-01")
///     BrowseValue.source("San Pedro", for: .string)     // "San Pedro"
enum BrowseValue {
  static func source(_ text: String, for type: AttributeType) -> String {
    let word = text.filter { !$0.isWhitespace }
    if word == "nil" || word.isEmpty && type != .string { return "nil" }
    let literal = QuotedString.literal(Array(text.utf8), .utf8)
    switch type {
    case .date: return word.first?.isNumber == true ? "Date(\(literal))" : text
    case .decimal: return "Decimal(\(literal))"
    case _ where type.isNumeric, .boolean: return text
    default: return literal
    }
  }
}
