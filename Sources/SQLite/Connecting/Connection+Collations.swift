internal import CSQLite
import Foundation

extension Connection {
  /// Adds the collations that GRDB gives to every app's database, when a table or an index asks for one by its name.
  ///
  /// Apps that use GRDB declare columns and indexes with them. Both implementations compare as Foundation does, so
  /// indexes have the app's order.
  func provideCollationsOfApps() {
    sqlite3_collation_needed(handle, nil) { _, connection, _, name in
      guard let name, let body = appCollations[String(cString: name)] else { return }
      sqlite3_create_collation_v2(connection, name, SQLITE_UTF8, nil, body, nil)
    }
  }
}

/// The comparisons by the names that GRDB declares.
private let appCollations: [String: CollationBody] = [
  "swiftCompare": {
    compare($1, $2, $3, $4) { $0 == $1 ? .orderedSame : $0 < $1 ? .orderedAscending : .orderedDescending }
  },
  "swiftCaseInsensitiveCompare": { compare($1, $2, $3, $4) { $0.caseInsensitiveCompare($1) } },
  "swiftLocalizedCaseInsensitiveCompare": { compare($1, $2, $3, $4) { $0.localizedCaseInsensitiveCompare($1) } },
  "swiftLocalizedCompare": { compare($1, $2, $3, $4) { $0.localizedCompare($1) } },
  "swiftLocalizedStandardCompare": { compare($1, $2, $3, $4) { $0.localizedStandardCompare($1) } },
]

private func compare(
  _ leftCount: Int32, _ left: UnsafeRawPointer?, _ rightCount: Int32, _ right: UnsafeRawPointer?,
  _ order: (String, String) -> ComparisonResult
) -> Int32 {
  let left = String(decoding: UnsafeRawBufferPointer(start: left, count: Int(leftCount)), as: UTF8.self)
  let right = String(decoding: UnsafeRawBufferPointer(start: right, count: Int(rightCount)), as: UTF8.self)
  return Int32(clamping: order(left, right).rawValue)
}
