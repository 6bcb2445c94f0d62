import Layouts
public import Modeling
import Queries
import Stores

/// The values of keys, and objects by the values of their properties.
extension PostgresStore {
  /// The values of a key's columns, for display to users.
  public func keyValues(of entity: Entity, key: Int64) -> [Value] {
    guard let interner = interner(of: entity) else { return [.int(key)] }
    return interner.key(key) ?? layout(of: entity).key.columns.map { _ in .null }
  }

  /// Compares the keys of two rows by the values of their columns. The numbers of keys that are no integers show only which
  /// was read first.
  func order(of entity: Entity, _ left: Int64, _ right: Int64) -> Int {
    let values = zip(keyValues(of: entity, key: left), keyValues(of: entity, key: right))
    return values.lazy.map { $0.order($1) }.first { $0 != 0 } ?? 0
  }

  /// The key with these values, whether or not it has a row.
  public func key(of entity: Entity, fromKeyValues values: [Value]) throws -> Int64? {
    let layout = layout(of: entity)
    guard values.count == layout.key.columns.count else { return nil }
    if let interner = interner(of: entity) {
      return interner.number(
        of: zip(layout.key.columns, values).map { name, value in
          value.asKey(tables.form(layout.table, name))
        })
    }
    switch values[0] {
    case .int(let key): return key
    case .double(let number): return Int64(exactly: number)
    default: return nil
    }
  }

  /// The key of the object whose values of properties are `values`.
  public func key(of entity: Entity, where indices: [Int], equal values: [Value]) throws -> Int64? {
    var request = FetchRequest(entity)
    request.predicate = .and(
      zip(indices, values).map { index, value in
        .comparison(Comparison(.path(PropertyPath([entity.properties[index].name])), .equal, .constant(value)))
      })
    request.fetchLimit = 1
    return try keys(request).first
  }
}

extension Value {
  /// The value as packed rows have it in a column of a key.
  func asKey(_ form: ColumnForm) -> Value {
    switch self {
    case .bool(let flag): .int(flag ? 1 : 0)
    case .date(let date): .double(date.seconds)
    case .uuid(let uuid): .string(uuid.canonicalText)
    case .decimal(let number): .string(number.canonicalText)
    case .url(let text): .string(text)
    case .string(let text) where form.kind == .uuid: .string(text.uppercased())
    case .int(let number) where form.kind == .numeric: .string(String(number))
    default: self
    }
  }
}
