internal import CPostgres

/// The columns of a result of libpq's.
struct ResultColumns {
  let handle: OpaquePointer
  let count: Int

  private func number(_ column: Int) -> Int32? {
    column >= 0 && column < count ? Int32(truncatingIfNeeded: column) : nil
  }

  func name(_ column: Int) -> String {
    number(column).flatMap { PQfname(handle, $0) }.map { String(cString: $0) } ?? ""
  }

  func typeOID(_ column: Int) -> UInt32 { number(column).map { PQftype(handle, $0) } ?? 0 }

  func typeModifier(_ column: Int) -> Int32 { number(column).map { PQfmod(handle, $0) } ?? -1 }

  func isText(_ column: Int) -> Bool { number(column).map { PQfformat(handle, $0) == 0 } ?? false }

  func origin(_ column: Int) -> (table: UInt32, column: Int)? {
    guard let number = number(column) else { return nil }
    let (table, place) = (PQftable(handle, number), PQftablecol(handle, number))
    return table == 0 || place <= 0 ? nil : (table, Int(place))
  }
}
