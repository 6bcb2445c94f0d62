// Statements of closures, which a reader of requests passes over.
extension SwiftParser {
  /// Reads `do`, `for` and `guard` as calls of that name with closures behind them; nil where they are passed over.
  ///
  ///     do { try save() } catch { print(error) }       do({ try save() }, catch: { print(error) })
  ///     for item in items { delete(item) }             for(item, in: items, { delete(item) })
  ///     guard let item else { return }                 guard(if let item { } else { return })
  mutating func viewStatement(_ word: String, from start: Int) -> SwiftStatement? {
    guard readsViews else { return nil }
    let first = index
    advance()
    let arguments: [SwiftArgument]? =
      switch word {
      case "do": doArguments()
      case "for": forArguments()
      default: guardArguments()
      }
    guard let arguments else {
      rewind(to: first)
      return nil
    }
    let callee = SwiftSyntax(kind: .name(word), range: start..<start + word.utf8.count)
    let call = SwiftSyntax(kind: .call(callee, generics: [], arguments), range: range(from: start))
    return SwiftStatement(kind: .value(call), range: call.range)
  }

  private mutating func doArguments() -> [SwiftArgument]? {
    guard isSign("{") else { return nil }
    var arguments = [SwiftArgument(label: nil, value: closure())]
    while isWord("catch"), next().kind == .sign("{") {
      advance()
      arguments.append(SwiftArgument(label: "catch", value: closure()))
    }
    return arguments
  }

  private mutating func forArguments() -> [SwiftArgument]? {
    guard let name = word, next().kind == .name("in") else { return nil }
    let element = SwiftSyntax(kind: .name(name), range: current.range)
    advance()
    advance()
    let outer = isBeforeBrace
    isBeforeBrace = true
    let sequence = value()
    isBeforeBrace = outer
    guard isSign("{") else { return nil }
    return [
      SwiftArgument(label: nil, value: element), SwiftArgument(label: "in", value: sequence),
      SwiftArgument(label: nil, value: closure()),
    ]
  }

  private mutating func guardArguments() -> [SwiftArgument]? {
    let start = current.range.lowerBound
    let outer = isBeforeBrace
    isBeforeBrace = true
    var conditions: [SwiftConditional.Condition] = []
    repeat { conditions.append(condition()) } while accept(",")
    isBeforeBrace = outer
    guard acceptWord("else"), isSign("{"), case .closure(let otherwise) = closure().kind else { return nil }
    let empty = ClosureSyntax(parameters: nil, statements: [], range: range(from: start))
    let conditional = SwiftConditional(conditions: conditions, then: empty, otherwise: otherwise)
    return [
      SwiftArgument(label: nil, value: SwiftSyntax(kind: .conditional(conditional), range: range(from: start)))
    ]
  }
}
