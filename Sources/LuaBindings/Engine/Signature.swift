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

  // By its bytes where they are, as every function is read at each start.
  private static func limit(of text: String) -> Int32? {
    var text = text
    return text.withUTF8(limit)
  }

  private static func limit(_ text: UnsafeBufferPointer<UInt8>) -> Int32? {
    let opens: (UInt8) -> Bool = { $0 == UInt8(ascii: "(") || $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "\"") }
    guard let open = text.firstIndex(where: opens) else { return nil }
    // `with { name = value }` takes one table; `ToOne "Entity"` is called again with what follows.
    guard text[open] == UInt8(ascii: "(") else { return text[open] == UInt8(ascii: "{") ? 1 : nil }
    var depth = 0
    var count: Int32 = 0
    // The parameter that is read: how long it is, and how much of that is points.
    var (length, points) = (0, 0)
    var takesAny = false
    func endParameter() {
      if length > 0 { count += 1 }
      if length == 3, points == 3 { takesAny = true }
      (length, points) = (0, 0)
    }
    var place = open + 1
    scan: while place < text.count {
      let byte = text[place]
      place += 1
      switch byte {
      case UInt8(ascii: ")") where depth == 0: break scan
      case UInt8(ascii: "("), UInt8(ascii: "{"): depth += 1
      case UInt8(ascii: ")"), UInt8(ascii: "}"): depth -= 1
      case UInt8(ascii: ",") where depth == 0:
        endParameter()
        continue
      // Brackets say that what is in them may be left out.
      case UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: " "): continue
      case UInt8(ascii: "."): points += 1
      default: break
      }
      length += 1
    }
    endParameter()
    if takesAny || text[place...].first(where: { $0 != UInt8(ascii: " ") }) == UInt8(ascii: "|") { return nil }
    return count
  }
}

extension Signature {
  /// Throws if a call has surplus arguments; trailing nils do not count.
  @inline(__always)
  func refuseSurplus(of call: Call) throws {
    if let limit, call.count > limit { try refuseGiven(beyond: limit, call) }
  }

  private func refuseGiven(beyond limit: Int32, _ call: Call) throws {
    guard (limit + 1...call.count).contains(where: { !call.stack.isNoneOrNil(at: call.index($0)) }) else { return }
    throw call.fail(.surplus(limit: Int(limit), found: Int(call.count), text))
  }
}
