internal import Modeling

internal import struct Foundation.Decimal
internal import struct Foundation.UUID

/// The values of an attribute to test for a change of a predicate's result.
///
/// They are the constants of the predicate, their neighbours and values between them: a comparison's result changes
/// nowhere else.
struct RemedyCandidates {
  let attribute: Attribute?
  private static let most = 40

  /// The distinct values that the attribute can have, other than `current`.
  func values(_ predicate: Predicate, current: Value) -> [Value] {
    guard let attribute else { return [] }
    var seen: Set<ValueKey> = [ValueKey(current)]
    let tried = near(predicate.constants) + usual + [.null]
    let allowed = tried.compactMap { value -> Value? in
      guard let kept = try? attribute.coerce(value), attribute.isOptional || !kept.isNull,
        attribute.violations(of: kept).isEmpty, seen.insert(ValueKey(kept)).inserted
      else { return nil }
      return kept
    }
    return Array(allowed.prefix(Self.most))
  }

  private func near(_ constants: [Value]) -> [Value] {
    guard let attribute else { return [] }
    switch attribute.type {
    case .integer16, .integer32, .integer64, .double, .float, .decimal: return numbers(constants)
    case .date: return dates(constants)
    case .string, .url: return texts(constants).map { attribute.type == .url ? .url($0) : .string($0) }
    case .data:
      return constants + constants.compactMap { if case .data(let bytes) = $0 { .data(bytes + [0]) } else { nil } }
    case .any: return constants + numbers(constants) + texts(constants).map(Value.string)
    case .boolean, .uuid, .transformable, .composite: return constants
    }
  }

  /// The values to test if there are no constants.
  private var usual: [Value] {
    guard let attribute else { return [] }
    switch attribute.type {
    case .integer16, .integer32, .integer64, .double, .float, .decimal: return [.int(0), .int(1)]
    case .boolean: return [.bool(true), .bool(false)]
    case .date: return [.date(Timestamp(0))]
    case .string: return [.string("x"), .string("")]
    case .url: return [.url("https://example.org")]
    case .uuid: return [.uuid(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)))]
    case .data: return [.data([]), .data([1])]
    case .any: return [.int(0), .string("x")]
    case .transformable, .composite: return []
    }
  }

  private func numbers(_ constants: [Value]) -> [Value] {
    let exact = constants.filter { if case .decimal = $0 { true } else { false } }
    let numbers = constants.compactMap(\.doubleValue).filter(\.isFinite)
    var tried = exact + numbers.map(Value.double)
    for number in numbers {
      let whole = number.rounded(.down)
      tried += [whole, whole + 1, whole - 1, whole + 2].map(Value.double)
    }
    for (low, high) in zip(numbers.sorted(), numbers.sorted().dropFirst()) where low < high {
      tried.append(.double(low + (high - low) / 2))
    }
    // A double of a whole number is read as an integer; beyond 2^53 the integer itself must be tested.
    let integers = constants.flatMap { value -> [Value] in
      guard case .int(let number) = value else { return [] }
      return [number, number &+ 1, number &- 1].map(Value.int)
    }
    return integers + tried
  }

  private func dates(_ constants: [Value]) -> [Value] {
    var tried: [Value] = []
    var known: [Double] = []
    for case .date(let date) in constants { known.append(date.seconds) }
    for case .int(let year) in constants where (1...9999).contains(year) {
      known += [year, year + 1].compactMap { Timestamp(iso8601: "\(String($0).leftPadded)-01-01T00:00:00Z")?.seconds }
    }
    for case .string(let text) in constants {
      known += [text, text + "-01"].compactMap { Timestamp(iso8601: $0)?.seconds }
    }
    for seconds in known { tried += [seconds, seconds + 1, seconds - 1].map { .date(Timestamp($0)) } }
    for (low, high) in zip(known.sorted(), known.sorted().dropFirst()) where low < high {
      tried.append(.date(Timestamp(low + (high - low) / 2)))
    }
    return tried
  }

  private func texts(_ constants: [Value]) -> [String] {
    let texts = constants.compactMap(\.text)
    let literal = texts.map { String($0.filter { $0 != "*" && $0 != "\\" }.map { $0 == "?" ? "x" : $0 }) }
    let joined = texts.count > 1 ? [texts.joined(), texts.reversed().joined()] : []
    return texts + literal + joined + texts.flatMap { [$0 + "x", "x" + $0, $0.lowercased(), $0.uppercased()] }
  }
}

extension String {
  /// The year in four digits.
  fileprivate var leftPadded: String { String(repeating: "0", count: max(0, 4 - count)) + self }
}

extension Predicate {
  /// All constants within, elements of lists one by one.
  fileprivate var constants: [Value] {
    var found: [Value] = []
    func note(_ value: Value) {
      if case .list(let values) = value { values.forEach(note) } else if !value.isNull { found.append(value) }
    }
    _ = replacing { (part, _) -> Expression? in
      if let value = part.constantValue { note(value) }
      return nil
    }
    return found
  }
}
