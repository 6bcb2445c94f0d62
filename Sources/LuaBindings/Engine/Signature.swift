/// The maximum number of a function's arguments, parsed from its help line.
///
///     Signature("request:page(number, size) -> results").limit     // 2
///     Signature("request:with { fetchLimit = 10 } -> request").limit  // 1
///     Signature("Entity:where(predicate, ...) -> request").limit   // nil: any number
///
/// The help line is therefore binding: a surplus argument is an error and is never ignored.
struct Signature: Sendable {
  let text: String
  /// The maximum number of arguments, without self; nil if the function takes any number, or if the line shows several
  /// forms.
  let limit: Int32?

  init(_ text: String) {
    self.text = text
    limit = Self.limit(of: text)
  }

  private static func limit(of text: String) -> Int32? {
    guard let open = text.firstIndex(where: { "({\"".contains($0) }) else { return nil }
    // `with { name = value }` takes one table; the result of `ToOne "Entity"` is called again with the rest.
    guard text[open] == "(" else { return text[open] == "{" ? 1 : nil }
    var depth = 0
    var parameters = [""]
    var rest = text[open...].dropFirst()
    scan: while let character = rest.popFirst() {
      switch character {
      case ")" where depth == 0: break scan
      case "(", "{": depth += 1
      case ")", "}": depth -= 1
      case "," where depth == 0:
        parameters.append("")
        continue
      // Arguments in square brackets are optional.
      case "[", "]", " ": continue
      default: break
      }
      parameters[parameters.count - 1].append(character)
    }
    if parameters.contains("...") || rest.drop(while: { $0 == " " }).hasPrefix("|") { return nil }
    return Int32(parameters.count(where: { !$0.isEmpty }))
  }
}

extension Call {
  /// Throws if there are surplus arguments; trailing nils do not count.
  @inline(__always)
  func refuseSurplus(_ signature: Signature) throws {
    if let limit = signature.limit, count > limit { try refuseGiven(beyond: limit, signature) }
  }

  private func refuseGiven(beyond limit: Int32, _ signature: Signature) throws {
    guard (limit + 1...count).contains(where: { !stack.isNoneOrNil(at: index($0)) }) else { return }
    throw fail(.surplus(limit: Int(limit), found: Int(count), signature.text))
  }
}
