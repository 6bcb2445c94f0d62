internal import LuaRuntime
internal import Modeling
internal import ObjectGraph

/// Counts the reads from the store that script lines caused.
final class ReadRecord {
  private struct Key: Hashable {
    let position: String
    let kind: FaultRead.Kind
    let entity: String
    let relationship: String?
  }

  private var counts: [Key: Int] = [:]

  func note(_ read: FaultRead, _ stack: LuaStack) {
    var position = ""
    // The innermost line of a script, since bound functions have none.
    for level: Int32 in 0..<8 where position.isEmpty { position = String(stack.position(level: level).dropLast(2)) }
    let key = Key(position: position, kind: read.kind, entity: read.entity.name, relationship: read.relationship)
    counts[key, default: 0] += 1
  }

  /// Adds another record's counts.
  func add(_ other: ReadRecord) { counts.merge(other.counts, uniquingKeysWith: +) }

  /// The lines, ordered by their number of statements, most first.
  var lines: [ReadLine] {
    counts.sorted { ($1.value, $0.key.position) < ($0.value, $1.key.position) }.map { key, count in
      ReadLine(
        position: key.position, kind: key.kind.rawValue, entity: key.entity, relationship: key.relationship,
        statements: count)
    }
  }
}

/// A line of a script that caused reads from the store.
public struct ReadLine: Sendable {
  /// `file:line`; empty if no script was running.
  public let position: String
  /// The kind of read: `fault`, `members`, `count` or `lookup`.
  public let kind: String
  /// The entity of the objects.
  public let entity: String
  /// The relationship that was followed, if any.
  public let relationship: String?
  /// The number of statements.
  public let statements: Int

  /// Whether there are enough statements for a suggestion.
  public var isMany: Bool { statements >= 20 }

  /// The line and its reads, with a suggestion if there were many.
  public var sentence: String {
    let path = relationship.map { "\(entity).\($0)" } ?? entity
    let what =
      switch kind {
      case "members": "for the members of \(path)"
      case "count": "to count \(path)"
      case "lookup": "to find what \(path) refers to"
      default: relationship == nil ? "for faults of \(path)" : "for what \(path) leads to"
      }
    let place = position.isEmpty ? "the program" : position
    let count = Quantity.count(statements, "statement")
    return "\(place) fired \(count) \(what)" + (isMany ? ": \(advice)" : "")
  }

  private var advice: String {
    guard let relationship else { return "fetch them by one request, with returnsObjectsAsFaults = false" }
    return "prefetch it with relationshipKeyPathsForPrefetching = { \"\(relationship)\" }"
  }
}
