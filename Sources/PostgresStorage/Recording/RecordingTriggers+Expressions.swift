import Layouts
import Modeling
import Stores

// The SQL of entities, keys and properties.
extension RecordingTriggers {
  func own(_ entity: Entity) -> Range<Int> { (entity.parent?.properties.count ?? 0)..<entity.properties.count }

  func number(of entity: Entity) -> Int? { names.number(of: entity) }

  /// The number of the entity that a row is of.
  func number(of root: Entity, _ row: String) -> String {
    func number(_ entity: Entity) -> String { names.number(of: entity).map { "\($0)" } ?? "NULL" }
    guard let column = layouts[root]?.discriminator?.column, !root.subentities.isEmpty else { return number(root) }
    let cases = root.family.map { "WHEN \(quotedText($0.name)) THEN \(number($0))" }.joined(separator: " ")
    return "CASE \(row).\(quoted(column)) \(cases) ELSE \(number(root)) END"
  }

  /// The names of a table's rows: a number, or the texts of several columns.
  struct Key {
    let layout: EntityLayout
    func number(_ row: String) -> String {
      layout.key.integerName.map { "\(row).\(quoted($0))::bigint" } ?? "NULL::bigint"
    }
    func names(_ row: String) -> String {
      if layout.key.integerName != nil { return "NULL::jsonb" }
      return "jsonb_build_array(\(layout.key.columns.map { "\(row).\(quoted($0))::text" }.joined(separator: ", ")))"
    }
  }

  func keyColumns(_ layout: EntityLayout) -> Key { Key(layout: layout) }

  /// The SQL of an owner's entity and key, and the join that they take. A node of Citus may not have the owner's row, but its key
  /// is what refers to it.
  func ownerByKey(
    _ entity: Entity, _ layout: EntityLayout, _ reference: String, _ link: String
  ) -> (number: String, key: String, join: String) {
    if books.isOfNodes {
      let owner = " JOIN LATERAL (SELECT \(reference)::bigint) AS owner(key) ON owner.key IS NOT NULL"
      return (number(of: entity).map { "\($0)" } ?? "NULL", "owner.key", owner)
    }
    return (
      number(of: entity.root, "owner"), keyColumns(layout).number("owner"),
      " JOIN \(qualified(layout.table)) AS owner ON \(link)"
    )
  }

  /// A JSON object without nulls; functions take a hundred arguments at most.
  func object(_ entries: [(name: String, value: String)]) -> String {
    if entries.isEmpty { return "NULL::jsonb" }
    let parts = stride(from: 0, to: entries.count, by: 40).map { start in
      let part = entries[start..<min(start + 40, entries.count)].map { "\(quotedText($0.name)), \($0.value)" }
      return "jsonb_strip_nulls(jsonb_build_object(\(part.joined(separator: ", "))))"
    }
    return parts.joined(separator: " || ")
  }

  /// The bit of one property, as a list of words.
  func word(_ position: Int) -> String {
    let words = position / RecordedChange.wordLength
    return ([String](repeating: "0", count: words) + ["\(Int64(1) << Int64(position % RecordedChange.wordLength))"])
      .joined(separator: ",")
  }

  /// The changed properties as a text: words of bits, separated by commas.
  func bits(_ conditions: [(position: Int, condition: String)], isConstant: Bool = false) -> String {
    let words = (conditions.map(\.position).max() ?? 0) / RecordedChange.wordLength
    if isConstant { return quotedText([String](repeating: "0", count: words + 1).joined(separator: ",")) }
    let parts = (0...words).map { word -> String in
      let terms = conditions.filter { $0.position / RecordedChange.wordLength == word }.map { position, condition in
        "CASE WHEN \(condition) THEN \(Int64(1) << Int64(position % RecordedChange.wordLength))::bigint ELSE 0 END"
      }
      return terms.isEmpty ? "'0'" : "(\(terms.joined(separator: " | ")))::text"
    }
    return parts.joined(separator: " || ',' || ")
  }
}
