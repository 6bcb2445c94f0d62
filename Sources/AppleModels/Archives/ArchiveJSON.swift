internal import Modeling

/// Makes JSON of an archive's content, if that is not much larger than the archive itself.
struct ArchiveJSON {

  private var budget: ExpansionBudget

  init(limit: Int) { budget = ExpansionBudget(limit: limit) }

  /// The JSON of Foundation's classes; nil for others, and for too much of it.
  mutating func json(_ content: ArchivedContent, depth: Int) -> JSON? {
    guard depth < Nesting.archives, budget.spend(1) else { return nil }
    switch content {
    case .null: return .null
    case .value(let value): return scalar(value)
    case .reference, .list: return nil
    case .object(let object): return json(object, depth: depth)
    }
  }

  private mutating func json(_ object: ArchivedObject, depth: Int) -> JSON? {
    if let value = object.value { return scalar(value) }
    if ["NSArray", "NSSet", "NSOrderedSet"].contains(where: object.isKind) {
      var elements: [JSON] = []
      for member in object.members {
        guard let element = json(member, depth: depth + 1) else { return nil }
        elements.append(element)
      }
      return .array(elements)
    }
    guard object.isKind(of: "NSDictionary") else { return nil }
    var members: [String: JSON] = [:]
    for (key, value) in object.entries {
      guard let key = name(key), let member = json(value, depth: depth + 1) else { return nil }
      members[key] = member
    }
    return .object(members)
  }

  private mutating func scalar(_ value: Value) -> JSON? {
    guard let json = JSON(value), json.isFinite else { return nil }
    if case .string(let text) = json, !budget.spend(text: text.utf8.count) { return nil }
    return json
  }

  /// A key as the text that JSON needs; a number is its digits.
  private mutating func name(_ key: ArchivedContent) -> String? {
    let value: Value?
    switch key {
    case .value(let plain): value = plain
    case .object(let object): value = object.value
    default: value = nil
    }
    guard let text = value?.displayText, budget.spend(text: text.utf8.count) else { return nil }
    return text
  }
}

/// How much may be made of bytes that refer to the same things many times.
struct ExpansionBudget {
  private var values: Int
  private var text: Int

  /// A budget for `limit` bytes: a value a byte, and texts that are repeated some times.
  init(limit: Int) {
    values = max(limit, 1000)
    text = min(limit, .max / 64 - 1_000_000) * 64 + 1_000_000
  }

  /// Whether so many more values may be made.
  mutating func spend(_ count: Int) -> Bool {
    guard count <= values else { return false }
    values -= count
    return true
  }

  /// Whether a text of so many bytes may be made.
  mutating func spend(text count: Int) -> Bool {
    guard count <= text else { return false }
    text -= count
    return true
  }
}
