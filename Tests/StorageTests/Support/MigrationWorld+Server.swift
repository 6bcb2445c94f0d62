import Modeling
import Queries
import Stores

extension MigrationWorld {
  /// Writes all objects into an empty store of any kind that has the world's model.
  func write(toAny store: any ObjectStore) throws {
    try store.transaction {
      var keys: [Int: (entity: Entity, key: Int64)] = [:]
      for object in objects {
        let entity = store.model.entity(named: object.kind)!
        let layout = store.layout(of: entity)
        var values = [Value](repeating: .null, count: layout.columns.count)
        for field in fields(object.kind) {
          guard let index = entity.index(of: field.name), case .column(let column) = layout.properties[index] else {
            continue
          }
          values[column] = ValueCoding.decode(object.values[field.id] ?? .null, as: layout.columns[column].type)
        }
        keys[object.uid] = (entity, try store.insert(entity, values))
      }
      for association in associations { try write(association, keys, store) }
    }
  }

  /// Everything that a store of any kind holds, as lines that do not depend on keys.
  func lines(of store: any ObjectStore) throws -> [String] {
    var uids: [Entity: [Int64: String]] = [:]
    var rows: [(entity: Entity, key: Int64, values: [Value])] = []
    for root in store.model.entities where root.parent == nil {
      let cursor = try store.cursor(FetchRequest(root))
      while try cursor.step() {
        let (entity, layout) = (cursor.entity, store.layout(of: cursor.entity))
        let values = layout.columns.indices.map { column -> Value in
          let value: Value =
            switch cursor.value(column) {
            case .null: .null
            case .integer(let number): .int(number)
            case .real(let number): .double(number)
            case .text(let bytes): .string(String(decoding: bytes, as: UTF8.self))
            case .blob(let bytes): .data([UInt8](bytes))
            }
          return ValueCoding.decode(value, as: layout.columns[column].type)
        }
        rows.append((entity, cursor.key, values))
        if let index = entity.index(of: "uid"), case .column(let column) = layout.properties[index] {
          uids[root, default: [:]][cursor.key] = values[column].displayText
        }
      }
    }
    var lines: [String] = []
    for (entity, key, values) in rows {
      let layout = store.layout(of: entity)
      for (index, property) in entity.properties.enumerated() {
        let text: String
        switch layout.properties[index] {
        case .column(let column): text = values[column].debugText
        case .reference(let columns, _):
          if case .int(let other) = values[columns[0]] {
            text = uids[entity.destination(at: index).root]?[other] ?? "dangling"
          } else {
            text = "nil"
          }
        case .inverse, .join:
          let known = uids[entity.destination(at: index).root] ?? [:]
          let members = try store.members(of: index, in: entity, owners: [key]).map { known[$0.member] ?? "?" }
          let end = associations.flatMap { [$0.first, $0.second] }.first { $0.name == property.name }!
          text = "\(end.isOrdered && end.keepsOrder ? members : members.sorted())"
        case .none: continue
        }
        lines.append("\(entity.name) \(uids[entity.root]?[key] ?? "?").\(property.name) = \(text)")
      }
    }
    return lines.sorted()
  }
}
