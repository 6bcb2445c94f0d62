import Modeling
import Queries
import Stores

extension PostgresCompiler {
  /// The ORDER BY of sort descriptors, with nulls first when ascending, and the condition under which the database computes what is
  /// ordered, nil for always; nil if it would order otherwise.
  func order(
    _ descriptors: [SortDescriptor], at place: PostgresPlace
  ) -> (columns: [PostgresSQL], domain: PostgresSQL?)? {
    var order: [PostgresSQL] = []
    var domains: [PostgresSQL] = []
    for descriptor in descriptors {
      guard let operand = operand(descriptor.expression, at: place), case .value(let form) = operand.content else {
        return nil
      }
      var sql = operand.sql
      if let domain = operand.domain { domains.append(domain) }
      switch form.kind {
      case .text, .label:
        guard descriptor.comparator == .binary else { return nil }
        sql += " COLLATE \"C\""
      case .real, .numeric: if form.mayHoldNaN { sql = "NULLIF(\(sql), 'NaN')" }
      case .boolean, .integer, .bytes, .instant, .civilTime, .day, .uuid: break
      case .json, .foreign: return nil
      }
      order.append("\(sql) \(raw: descriptor.isAscending ? "ASC NULLS FIRST" : "DESC NULLS LAST")")
    }
    return (order, domains.isEmpty ? nil : domains.joined(" AND "))
  }

  /// The order of keys, for rows that are equal by everything else.
  func keyOrder(_ place: PostgresPlace) -> [PostgresSQL] {
    let layout = store.layout(of: place.entity)
    return layout.key.columns.map { name in
      switch store.tables.form(layout.table, name).kind {
      case .text, .label: "\(place.column(name)) COLLATE \"C\""
      case .foreign: "\(place.column(name))::text COLLATE \"C\""
      case .json: "\(place.column(name))::text COLLATE \"C\""
      default: place.column(name)
      }
    }
  }
}
