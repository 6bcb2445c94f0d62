internal import CPostgres

/// The columns of a result of libpq's; all rows of a statement share them.
final class ResultColumns {
  /// The numbers of their types.
  let types: [UInt32]
  /// Whether values are written as text; those of one result are all written alike.
  let areText: Bool
  private let names: [String]
  private let modifiers: [Int32]
  private let origins: [(table: UInt32, column: Int)?]

  /// Reads the columns of a result.
  init(_ handle: OpaquePointer) {
    let numbers = 0..<PQnfields(handle)
    types = numbers.map { PQftype(handle, $0) }
    names = numbers.map { PQfname(handle, $0).map { String(cString: $0) } ?? "" }
    modifiers = numbers.map { PQfmod(handle, $0) }
    origins = numbers.map { number in
      let (table, place) = (PQftable(handle, number), PQftablecol(handle, number))
      return table == 0 || place <= 0 ? nil : (table, Int(place))
    }
    areText = !numbers.isEmpty && PQfformat(handle, 0) == 0
  }

  func name(_ column: Int) -> String { names.indices.contains(column) ? names[column] : "" }
  func type(_ column: Int) -> UInt32 { types.indices.contains(column) ? types[column] : 0 }
  func modifier(_ column: Int) -> Int32 { modifiers.indices.contains(column) ? modifiers[column] : -1 }
  func origin(_ column: Int) -> (table: UInt32, column: Int)? {
    origins.indices.contains(column) ? origins[column] : nil
  }
}
