import Modeling
import SQLite

extension SQLitePlans {
  /// Returns the statement that creates an index, under a unique name.
  ///
  /// - Throws: IndexObstacle.
  func statement(making advice: IndexAdvice) throws -> String { try definition(of: advice).sql }

  /// The name and the statement of an index.
  func definition(of advice: IndexAdvice) throws -> (name: String, sql: String) {
    let layout = store.layout(of: advice.entity)
    let places = try advice.keys.flatMap { key in
      try columns(of: key, in: advice.entity, layout).map { $0 + (key.isAscending ? "" : " DESC") }
    }
    guard !places.isEmpty else { throw IndexObstacle.noKeys }
    let isView = try store.connection.first(
      "SELECT type = 'view' FROM sqlite_schema WHERE name = ?", [.string(layout.table)])
    if isView == .int(1) { throw IndexObstacle.view(advice.entity.name) }
    let parts = [layout.table] + advice.keys.map { $0.name.replacing(".", with: "_") } + ["index"]
    let name = try freeName(parts.joined(separator: "_"))
    let list = places.joined(separator: ", ")
    return (name, "CREATE INDEX \(quotedName(name)) ON \(quotedName(layout.table)) (\(list))")
  }

  private func columns(of key: IndexAdvice.Key, in entity: Entity, _ layout: EntityLayout) throws -> [String] {
    if let index = entity.index(of: key.name) {
      let columns = layout.properties[index].ownColumns
      guard !columns.isEmpty else { throw IndexObstacle.noColumn(key.name, entity: entity.name) }
      return columns.map { quotedName(layout.columns[$0].name) }
    }
    guard let (attribute, path, _) = entity.compositeElement(at: key.name),
      case .column(let column) = layout.properties[attribute]
    else {
      let near = nearestName(to: key.name, in: entity.properties.map(\.name))
      throw IndexObstacle.unknownProperty(key.name, entity: entity.name, nearest: near)
    }
    return ["json_extract(\(quotedName(layout.columns[column].name)), \(jsonPath(path)))"]
  }

  private func freeName(_ wanted: String) throws -> String {
    let taken = Set(
      try store.connection.all("SELECT lower(name) FROM sqlite_schema").compactMap { row -> String? in
        if case .string(let name) = row[0] { name } else { nil }
      })
    var name = wanted
    var number = 2
    while taken.contains(asciiLowercased(name)) {
      name = "\(wanted)_\(number)"
      number += 1
    }
    return name
  }
}
