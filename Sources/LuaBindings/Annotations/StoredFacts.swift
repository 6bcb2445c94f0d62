internal import Modeling
internal import ObjectGraph
internal import Queries

/// What the values of a store add to the annotations of its properties, as they are when these are written.
struct StoredFacts {
  /// The most values of a property that are listed.
  private static let mostValues = 20

  /// The values of texts that take few, the most frequent first, by entities and names.
  private(set) var values: [Entity: [String: [String]]] = [:]
  /// Counts and ranges in words, by entities and names.
  private(set) var remarks: [Entity: [String: String]] = [:]

  /// Lists the values of texts that take few, each of which comes twice on average: others are no choices.
  ///
  /// A grouped request for each text.
  mutating func readValues(_ model: Model, in context: ObjectContext) throws {
    for entity in model.entities {
      for attribute in entity.ownAttributes where attribute.type == .string && !attribute.isUnique {
        let path = Queries.Expression.path(PropertyPath([attribute.name]))
        let found = try context.frequentValues(FetchRequest(entity), of: path, most: Self.mostValues)
        let texts = found.values.compactMap { value, _ in if case .string(let text) = value { text } else { nil } }
        let total = found.values.reduce(0) { $0 + ($1.value.isNull ? 0 : $1.count) }
        guard !found.isCut, !texts.isEmpty, total >= 2 * texts.count else { continue }
        values[entity, default: [:]][attribute.name] = texts
      }
    }
  }

  /// Sums up the attributes of each entity. One pass over its rows.
  mutating func readStatistics(_ model: Model, in context: ObjectContext) throws {
    for entity in model.entities {
      let names = Set(entity.ownAttributes.map(\.name))
      for summary in try context.summary(FetchRequest(entity)) where names.contains(summary.name) {
        remarks[entity, default: [:]][summary.name] = summary.remark
      }
    }
  }
}

extension Entity {
  /// The stored attributes that no parent has.
  fileprivate var ownAttributes: [Attribute] {
    properties.dropFirst(parent?.properties.count ?? 0).compactMap { $0.isTransient ? nil : $0.attribute }
  }
}

extension PropertySummary {
  /// The counts and the range in words: `4,000 objects, 12 without, 81 different, 2.5 to 7.9`.
  fileprivate var remark: String {
    var parts = [Quantity.count(total, "object")]
    if nulls > 0 { parts.append("\(Quantity.grouped(nulls)) without") }
    if let distinct, count > 0 {
      parts.append((isEstimated ? "about " : "") + "\(Quantity.grouped(distinct)) different")
    }
    if measure == .value, !least.isNull { parts.append("\(least.displayText) to \(greatest.displayText)") }
    return parts.joined(separator: ", ")
  }
}
