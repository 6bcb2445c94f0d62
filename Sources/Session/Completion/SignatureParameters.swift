/// The parameters that the signature of a function or method names.
///
///     SignatureParameters("request:groupBy(keys, { name = aggregate, ... } [, { having = , sort = }]) -> rows")
///     // keys, a table of values, a table with the options having and sort
struct SignatureParameters {
  enum Parameter: Equatable {
    case named(String)
    /// A table of options.
    case options([String])
    /// A table whose fields the caller names, each with a value of this kind: `aggregate`, `value`.
    case fields(String)
  }

  private(set) var parameters: [Parameter] = []
  /// Where they stand in the signature, in bytes; what stands for further ones is the last.
  private(set) var ranges: [Range<Int>] = []
  /// Whether the last one may be repeated.
  private(set) var isVariadic = false

  init(_ signature: String) {
    guard let open = signature.firstIndex(where: { "({".contains($0) }) else { return }
    func bytes(_ part: Substring) -> Range<Int> {
      let start = signature.utf8.distance(from: signature.startIndex, to: part.startIndex)
      return start..<start + part.utf8.count
    }
    if signature[open] == "{" {
      let table = signature[signature.index(after: open)...].prefix { $0 != "}" }
      parameters = [Self.table(table)]
      ranges = [bytes(signature[open..<table.endIndex]).lowerBound..<bytes(table).upperBound + 1]
      return
    }
    guard let close = Self.close(signature, from: open) else { return }
    for part in Self.parts(signature[signature.index(after: open)..<close]) {
      let text = part.filter { $0 != "[" && $0 != "]" }
      ranges.append(bytes(part))
      if text == "..." {
        isVariadic = true
      } else if let table = text.first == "{" ? text.dropFirst().prefix(while: { $0 != "}" }) : nil {
        parameters.append(Self.table(table))
      } else {
        parameters.append(.named(String(text.prefix { $0.isLetter })))
      }
    }
  }

  /// The parameter of an argument, counted from 0; nil if there is none.
  subscript(argument: Int) -> Parameter? {
    if parameters.indices.contains(argument) { return parameters[argument] }
    return isVariadic ? parameters.last : nil
  }

  private static func table(_ content: Substring) -> Parameter {
    let fields = content.split(separator: ",").map { field in
      field.split(separator: "=", maxSplits: 1).map { String($0).trimmingSpace }
    }
    // A placeholder for several fields has a word as its value.
    if let first = fields.first, first.count == 2, ["aggregate", "value"].contains(first[1]) {
      return .fields(first[1])
    }
    return .options(fields.compactMap(\.first).filter { $0.allSatisfy(\.isLetter) })
  }

  /// The text between commas that lie in no parentheses or braces, without the brackets of what may be left out around it.
  private static func parts(_ text: Substring) -> [Substring] {
    var parts: [Substring] = []
    var (depth, start) = (0, text.startIndex)
    for index in text.indices {
      switch text[index] {
      case "(", "{": depth += 1
      case ")", "}": depth -= 1
      case "," where depth == 0:
        parts.append(text[start..<index])
        start = text.index(after: index)
      default: break
      }
    }
    func isOutside(_ character: Character) -> Bool { character == " " || character == "[" || character == "]" }
    return (parts + [text[start...]]).compactMap { part in
      let own = part.drop(while: isOutside)
      return own.lastIndex { !isOutside($0) }.map { own[...$0] }
    }
  }

  private static func close(_ text: String, from open: String.Index) -> String.Index? {
    var depth = 0
    for index in text[open...].indices {
      if text[index] == "(" { depth += 1 }
      if text[index] == ")" { depth -= 1 }
      if depth == 0 { return index }
    }
    return nil
  }
}
