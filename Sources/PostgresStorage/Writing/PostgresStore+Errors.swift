import Modeling
import StoreErrors

extension PostgresStore {
  /// A refusal of the server as a fact that every store has, if it is one; `value` returns the value that was written to a
  /// column.
  func named(_ error: any Error, _ entity: Entity?, _ value: (String) -> Value?) -> any Error {
    guard let error = error as? StoreError, case .server(let answer) = error.fact else { return error }
    let refusal = profile.engine == .citus ? answer.withoutShard : answer
    switch refusal.sqlState {
    case "23505":
      return StoreError(duplicate(refusal, entity, value) ?? .constraint(refusal.message), path: path)
    case "23502", "23503", "23514", "23P01", "22003", "22001":
      return StoreError(.constraint(refusal.message), path: path)
    case "25006": return readOnlyError
    case "40001", "40P01": return StoreError(.notSerialized(attempts: 1), path: path)
    case "55P03": return StoreError(.busy(seconds: 0, holders: []), path: path)
    case "53100": return StoreError(.full, path: path)
    default: return error
    }
  }

  /// Whose values are there already.
  private func duplicate(_ refusal: ServerError, _ entity: Entity?, _ value: (String) -> Value?) -> StoreError.Fact? {
    guard let entity, let constraint = refusal.constraint,
      let columns = tables[layout(of: entity).table].unique(constraint)
    else { return nil }
    let layout = layout(of: entity)
    let names = columns.compactMap { name -> String? in
      guard let column = layout.columns.firstIndex(where: { $0.name == name }) else { return nil }
      let property =
        layout.properties.firstIndex(of: .column(column))
        ?? layout.properties.firstIndex {
          if case .reference(let columns, _) = $0 { columns.contains(column) } else { false }
        }
      return property.map { entity.properties[$0].name }
    }
    guard names.count == columns.count else { return nil }
    let values = columns.compactMap(value)
    return .notUnique(entity: entity.name, properties: names, values: values.count == names.count ? values : [])
  }
}

extension ServerError {
  /// The refusal of a node of Citus with the names of the database. The node appends the number of a shard to names, and
  /// the server passes only the message on.
  fileprivate var withoutShard: ServerError {
    var plain = self
    let names = message.matches(of: /["«„“]([^"«»„“”]+)_[0-9]{6,}["»”“]/).map(\.1)
    plain.message = message.replacing(/_[0-9]{6,}(["»”“])/) { $0.1 }
    // A constraint is named behind its table.
    plain.constraint = names.last.map(String.init) ?? constraint
    return plain
  }
}
