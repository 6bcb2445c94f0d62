import Modeling

/// The value of a DEFAULT clause that is a literal; nil for expressions, which only SQLite can evaluate.
func literalValue(ofDefault sql: String) -> Value? {
  var text = sql.trimmingPrefix { $0.isWhitespace }[...]
  while text.last?.isWhitespace == true { text.removeLast() }
  if text.hasPrefix("("), text.hasSuffix(")") {
    return literalValue(ofDefault: String(text.dropFirst().dropLast()))
  }
  switch asciiLowercased(String(text)) {
  case "null": return .null
  case "true": return .int(1)
  case "false": return .int(0)
  default: break
  }
  let scalars = text.unicodeScalars
  if let first = scalars.first, first == "'" || first == "\"", scalars.count >= 2, scalars.last == first {
    return unquoted(scalars.dropFirst().dropLast(), first).map(Value.string)
  }
  let digits = text.hasPrefix("+") ? text.dropFirst() : text
  if let number = Int64(digits) { return .int(number) }
  guard digits.contains(where: \.isNumber), digits.allSatisfy({ "+-.eE0123456789".contains($0) }) else { return nil }
  return Double(digits).map(Value.double)
}

/// The text between quotes; nil if a quote inside is not doubled, because the whole is then not a literal.
private func unquoted(_ text: Substring.UnicodeScalarView, _ quote: Unicode.Scalar) -> String? {
  var result = ""
  var isOpen = false
  for scalar in text {
    if scalar == quote {
      isOpen.toggle()
      if isOpen { continue }
    } else if isOpen {
      return nil
    }
    result.unicodeScalars.append(scalar)
  }
  return isOpen ? nil : result
}
