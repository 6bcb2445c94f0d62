internal import Comparison
internal import LuaBindings
internal import Modeling
internal import Presentation
internal import Queries
internal import Session

/// Which differences a screen shows, in which order, and in which sections.
struct DifferenceArrangement {
  /// What sections are made by.
  enum Grouping: CaseIterable {
    case entity, kind, nothing
  }

  /// What narrows the differences.
  enum Condition: Equatable {
    /// The entity or the kind of a section.
    case section(Grouping, String)
    /// A text in any value, or in the identity.
    case text(String)
    /// A property whose values differ.
    case property(String)

    /// The condition for a title: `with "suva"`.
    var wording: String {
      switch self {
      case .section(_, let name): "only \(name)"
      case .text(let text): "search \(text)"
      case .property(let name): "where \(name) differs"
      }
    }
  }

  /// What the rows are sorted by.
  enum Key: Equatable {
    case identity
    case property(String)
  }

  var grouping: Grouping
  var order: (key: Key, isAscending: Bool)?
  var conditions: [Condition] = []

  /// The rows of a list, by their indices, and how many of them are in each section.
  ///
  /// Texts, properties and their order are known once each difference was read; memory holds a value for each then.
  ///
  /// - Throws: StoreError, ComparisonError, EvaluationInterrupted.
  func rows(of list: DifferenceList) throws -> (indices: [Int], sections: [(id: Value, count: Int)]) {
    let sectioned = list.entries.indices.filter { index in
      conditions.allSatisfy { condition in
        if case .section(let grouping, let name) = condition { return grouping.name(index, list) == name }
        return true
      }
    }
    var indices = try read(sectioned, of: list)
    if order?.key == .identity, order?.isAscending == false { indices.reverse() }
    if grouping == .nothing { return (indices, []) }
    let groups = Dictionary(grouping: indices) { grouping.name($0, list) }
    let names =
      grouping == .kind ? ObjectDifference.Kind.allCases.map(\.rawValue) : list.comparison.entities.map(\.first.name)
    let shown = names.compactMap { name in groups[name].map { (name, $0) } }
    return (shown.flatMap(\.1), shown.map { (.string($0.0), $0.1.count) })
  }

  /// The differences that fulfil the conditions about values, in the order of a property.
  private func read(_ indices: [Int], of list: DifferenceList) throws -> [Int] {
    let values = conditions.filter { if case .section = $0 { false } else { true } }
    var property: String?
    if case .property(let name)? = order?.key { property = name }
    if values.isEmpty, property == nil { return indices }
    var found: [(index: Int, value: Value)] = []
    for start in stride(from: 0, to: indices.count, by: Self.readCount) {
      try Interruption.check()
      let part = Array(indices[start..<min(start + Self.readCount, indices.count)])
      let differences = try list.differences(at: part)
      for index in part {
        guard let difference = differences[index], values.allSatisfy({ $0.matches(difference) }) else { continue }
        found.append((index, property.flatMap { difference.value(of: $0) } ?? .null))
      }
    }
    guard property != nil else { return found.map(\.index) }
    let isAscending = order?.isAscending == true
    // Objects without a value come last.
    return found.sorted { left, right in
      if left.value.isNull || right.value.isNull { return !left.value.isNull && right.value.isNull }
      let order = left.value.order(right.value)
      return order == 0 ? left.index < right.index : isAscending ? order < 0 : order > 0
    }.map(\.index)
  }

  private static let readCount = 500
}

extension DifferenceArrangement.Grouping {
  /// The name of a difference's section.
  func name(_ index: Int, _ list: DifferenceList) -> String {
    let entry = list.entries[index]
    switch self {
    case .entity: return list.comparison.entities[entry.entity].first.name
    case .kind: return entry.kind.rawValue
    case .nothing: return ""
    }
  }
}

extension DifferenceArrangement.Condition {
  fileprivate func matches(_ difference: ObjectDifference) -> Bool {
    switch self {
    case .section: return true
    case .property(let name): return difference.properties.contains { $0.name == name }
    case .text(let text):
      let options: ComparisonOptions = [.caseInsensitive, .diacriticInsensitive]
      let wanted = folded(text, options)
      let texts = difference.properties.flatMap { [DifferenceText().text($0.old), DifferenceText().text($0.new)] }
      return ([DifferenceText().identity(of: difference)] + texts).contains { folded($0, options).contains(wanted) }
    }
  }
}

extension ObjectDifference {
  /// The new value of a property, or that of a deleted object; nil if it does not differ.
  fileprivate func value(of name: String) -> Value? {
    guard let property = properties.first(where: { $0.name == name }) else { return nil }
    switch kind == .deleted ? property.old : property.new {
    case .value(let value): return value
    case .object(let reference): return reference?.identity.first
    case .objects(let members): return .int(Int64(members.count))
    }
  }
}
