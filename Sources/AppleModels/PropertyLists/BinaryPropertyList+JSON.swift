public import Modeling

extension BinaryPropertyList {
  /// The list as JSON: dates, data and large numbers as texts; nil where it refers to itself, or would become more than
  /// a value for each of `limit` bytes.
  public func json(limit: Int) -> JSON? {
    var budget = ExpansionBudget(limit: limit)
    return json(root, depth: 0, &budget)
  }

  private func json(_ index: Int, depth: Int, _ budget: inout ExpansionBudget) -> JSON? {
    guard depth < Nesting.archives, budget.spend(1) else { return nil }
    switch objects[index] {
    case .null: return .null
    case .bool(let flag): return .bool(flag)
    case .int(let number): return .int(number)
    case .real(let number): return number.isFinite ? .double(number) : nil
    case .largeInt(let text), .string(let text): return budget.spend(text: text.utf8.count) ? .string(text) : nil
    case .date(let seconds): return JSON(.date(Timestamp(seconds + ArchivedObject.referenceDate)))
    case .data(let bytes): return budget.spend(text: bytes.count * 2) ? JSON(.data(bytes)) : nil
    case .uid(let number): return .int(Int64(number))
    case .array(let elements), .set(let elements):
      var members: [JSON] = []
      for element in elements {
        guard let member = json(element, depth: depth + 1, &budget) else { return nil }
        members.append(member)
      }
      return .array(members)
    case .dictionary(let entries):
      var members: [String: JSON] = [:]
      for entry in entries {
        guard case .string(let key) = objects[entry.key], budget.spend(text: key.utf8.count),
          let member = json(entry.value, depth: depth + 1, &budget)
        else { return nil }
        members[key] = member
      }
      return .object(members)
    }
  }
}
