internal import LuaBindings

/// The call that is being typed around the cursor, and the place in its arguments.
///
///     Quake:all():groupBy("place", { n = "co        groupBy, of Quake:all(), argument 1, option n
struct CallPlace {
  /// The name of the function or method; `io.open` for a field of a library.
  private(set) var function = ""
  /// The receiver of the method; nil for a function.
  private(set) var receiver: LuaExpression?
  /// Whether the called value is itself a call: `ToMany "Report" { inverse`.
  private(set) var isOfResult = false
  /// The parenthesis or the brace that opens its arguments; nil for a string alone.
  private(set) var open: Int?
  /// The number of the argument, from 0.
  private(set) var argument = 0
  /// The field of the table of options whose value is being typed.
  private(set) var option: String?
  /// The tokens in the table argument, up to the cursor; nil if the argument is not a table.
  private(set) var table: ArraySlice<LuaToken>?
  /// The first argument, if it is not the one that is being typed.
  private(set) var firstArgument: LuaExpression?

  /// Finds the call behind whose `tokens` a string or a name is being typed; nil if there is none.
  ///
  /// - Parameter isString: whether it is a string, which is the argument of a name right before it: `print(Quake:where "mag`.
  init?(before tokens: ArraySlice<LuaToken>, in bytes: [UInt8], isString: Bool = false) {
    var rest = tokens
    func text(_ token: LuaToken?) -> String? { token?.text(in: bytes) }
    let isOnlyArgument = isString && tokens.last?.kind == .name
    loop: while !isOnlyArgument, let open = Self.openBracket(rest, bytes) {
      let inside = rest[(open + 1)...]
      if let field = Self.field(at: inside, bytes) { option = field }
      rest = rest[..<open]
      switch bytes[tokens[open].range.lowerBound] {
      case UInt8(ascii: "{"):
        table = inside
        // The table is the call's only argument, or an argument in parentheses, or it lies in another table.
        if let last = rest.last, last.kind == .name || last.isString {
          self.open = open
          break loop
        }
      case UInt8(ascii: "("):
        let commas = Self.commas(in: inside, bytes)
        argument = commas.count
        self.open = open
        if let first = commas.first { firstArgument = LuaExpression(endingAt: inside[..<first], in: bytes) }
        break loop
      default: return nil
      }
    }
    if rest.last?.isString == true {
      rest = rest.dropLast()
      isOfResult = true
    }
    guard let name = rest.popLast(), name.kind == .name else { return nil }
    function = name.text(in: bytes)
    switch text(rest.last) {
    case ":":
      guard let expression = LuaExpression(endingAt: rest.dropLast(), in: bytes) else { return nil }
      receiver = expression
    case ".":
      guard let owner = rest.dropLast().last, owner.kind == .name else { return nil }
      function = owner.text(in: bytes) + "." + function
    default: break
    }
  }

  /// The value of a field of the table, if it is a name or a text: `entity = Quake`.
  func value(of field: String, in bytes: [UInt8]) -> String? {
    guard let table else { return nil }
    for index in table.indices.dropLast(2)
    where table[index].text(in: bytes) == field && table[index + 1].text(in: bytes) == "=" {
      return table[index + 2].text(in: bytes).trimmingQuotes
    }
    return nil
  }

  /// The name of the field whose value begins behind the tokens.
  private static func field(at tokens: ArraySlice<LuaToken>, _ bytes: [UInt8]) -> String? {
    guard tokens.last?.text(in: bytes) == "=", let name = tokens.dropLast().last, name.kind == .name else { return nil }
    return name.text(in: bytes)
  }

  /// The indices of the commas that are in no brackets.
  private static func commas(in tokens: ArraySlice<LuaToken>, _ bytes: [UInt8]) -> [Int] {
    var depth = 0
    return tokens.indices.filter { index in
      guard tokens[index].kind == .symbol else { return false }
      switch tokens[index].text(in: bytes) {
      case "(", "[", "{": depth += 1
      case ")", "]", "}": depth -= 1
      case ",": return depth == 0
      default: break
      }
      return false
    }
  }

  /// The index of the innermost open bracket at the end of `tokens`.
  private static func openBracket(_ tokens: ArraySlice<LuaToken>, _ bytes: [UInt8]) -> Int? {
    var depth = 0
    for index in tokens.indices.reversed() where tokens[index].kind == .symbol {
      switch tokens[index].text(in: bytes) {
      case ")", "]", "}": depth += 1
      case "(", "[", "{":
        if depth == 0 { return index }
        depth -= 1
      default: break
      }
    }
    return nil
  }
}

extension LuaToken {
  fileprivate var isString: Bool { if case .string = kind { true } else { false } }
}

extension String {
  fileprivate var trimmingQuotes: String {
    guard count >= 2, let first, first == last, first == "\"" || first == "'" else { return self }
    return String(dropFirst().dropLast())
  }
}
