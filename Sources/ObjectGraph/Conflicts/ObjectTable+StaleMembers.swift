internal import Modeling

extension ObjectTable {
  /// Returns the members in the store, corrected by changed objects that still have an older row.
  ///
  /// This keeps both sides of a relationship in agreement although others have moved a member.
  func asShown(_ committed: [Int32], _ slot: Int32, _ index: Int) throws -> [Int32] {
    guard context.hasStaleBases, case .inverse(let back, _) = shape(slot).layout.properties[index] else {
      return committed
    }
    let table = destinationTable(slot, index)
    func shows(_ member: Int32) throws -> Bool? {
      guard table.changes[member]?.kind == .updated, table.row(member) != nil else { return nil }
      guard case .reference(let columns, .key) = table.shape(member).layout.properties[back] else {
        return try table.knownReference(member, back) == slot
      }
      switch try table.column(member, columns[0]) {
      case .integer(let key), .value(.int(let key)): return key == self.key(slot)
      case .value(.object(let id)): return id.key == self.key(slot)
      default: return false
      }
    }
    let members = try committed.filter { try shows($0) ?? true }
    let present = Set(members)
    let destination = entity(slot).destination(at: index)
    return try members
      + table.changes.keys.filter {
        try !present.contains($0) && table.entity($0).isKind(of: destination) && shows($0) == true
      }
  }
}
