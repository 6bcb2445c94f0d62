internal import Foundation
import Layouts
import Modeling
import Postgres
import RelationalStorage
import StoreErrors
import Stores

// Conversions of values to another type.
extension PostgresMigrationDatabase {
  func converted(_ column: String, of table: String, from old: AttributeType, to new: AttributeType) -> String {
    let conversion = Conversion(column: column, table: table, old: old, new: new)
    if !conversions.contains(conversion) { conversions.append(conversion) }
    let number = conversions.firstIndex(of: conversion) ?? 0
    return "(SELECT v.value FROM \(Self.tableName(number)) AS v WHERE v.key = source.\(ModelLayout.key))"
  }

  static func tableName(_ number: Int) -> String { quoted("_new_values_\(number)") }

  /// Converts values here, by the rules of all stores, and keeps the results by the keys of their rows.
  func convert(_ conversion: Conversion, _ number: Int) throws(StoreError) {
    let (name, form) = (Self.tableName(number), ColumnForm(own: conversion.new))
    try execute("CREATE TABLE \(name) (key bigint PRIMARY KEY, value \(form.typeName))")
    let old = ColumnForm(own: conversion.old)
    var last: Int64 = .min
    while true {
      let rows = try result(
        """
        SELECT \(ModelLayout.key), \(old.selected(conversion.column)) FROM \(quoted(conversion.table))
        WHERE \(ModelLayout.key) > \(last) AND \(conversion.column) IS NOT NULL ORDER BY \(ModelLayout.key) LIMIT 5000
        """, [])
      if rows.rowCount == 0 { break }
      var (keys, texts): ([Int64], [String?]) = ([], [])
      var scratch = ColumnReader.Scratch()
      for row in 0..<rows.rowCount {
        last = rows.int(row, 0)
        let stored = Value(keyColumn: ColumnReader.read(rows.bytes(row, 1), old, &scratch))
        guard let converted = ValueConversion.convert(stored, from: conversion.old, to: conversion.new) else {
          continue
        }
        keys.append(last)
        texts.append(Self.text(of: ValueCoding.decode(converted, as: conversion.new)))
      }
      let insertion: PostgresSQL = """
        INSERT INTO \(raw: name) SELECT v.key, v.value::\(raw: form.typeName) \
        FROM unnest(\(.ints(keys)), \(.texts(texts))) AS v(key, value)
        """
      do { _ = try pool.run(insertion) } catch {
        throw error as? StoreError ?? StoreError(.constraint("\(error)"), path: path)
      }
    }
  }
}
