internal import Layouts
internal import Modeling
internal import Queries
internal import Stores

/// Steps through the differences of an entity, in the order of the identity, by merging the rows of both stores.
///
/// It holds some hundred rows of each store, and eight bytes for each row of a server. Rows in the order of their stores are paired
/// first, so that they need not be sorted; if that fails, they are read again.
package final class DifferenceCursor {
  private let entity: ComparedEntity
  private var first: ComparedRows
  private var second: ComparedRows
  /// Reads the rows in the order of the identity; nil if they come so.
  private var sorted: (() throws -> (ComparedRows, ComparedRows))?
  /// The rest of the differences, in their order, where the rows were paired.
  private var paired: ArraySlice<ObjectDifference>?
  private let tolerance: Double
  /// The columns of the attributes on both sides.
  private let columns: [(first: Int, second: Int)]
  /// Whether rows with the same bytes have equal attributes.
  private let isSameForm: Bool
  /// Whether equal values of an updated object are among its properties, too.
  var includesEqualValues = false
  /// The number of objects without a difference so far.
  package private(set) var equalCount = 0
  private var poll = InterruptionPoll()

  /// With `sorted`, the rows are in the order of their stores, and `sorted` reads them in that of the identity.
  init(
    _ entity: ComparedEntity, _ first: ComparedRows, _ second: ComparedRows, tolerance: Double,
    sorted: (() throws -> (ComparedRows, ComparedRows))? = nil
  ) {
    (self.entity, self.first, self.second, self.tolerance) = (entity, first, second, tolerance)
    self.sorted = sorted
    columns = entity.attributes.map { property in
      (first.layout.properties[property.first].ownColumns[0], second.layout.properties[property.second].ownColumns[0])
    }
    isSameForm = entity.attributes.allSatisfy(\.isSameForm) && columns.allSatisfy { $0.first == $0.second }
  }

  /// The next difference; nil behind the last.
  ///
  /// - Throws: StoreError, ComparisonError for a store whose rows come in another order.
  package func next() throws -> ObjectDifference? {
    if let sorted {
      paired = try pairs()
      self.sorted = nil
      if paired == nil { (first, second) = try sorted() }
    }
    if paired != nil { return paired?.popFirst() }
    while true {
      try poll.step()
      let (left, right) = (try first.current(), try second.current())
      if let left, let found = try refused(left, first, isFirst: true) { return found }
      if let right, let found = try refused(right, second, isFirst: false) { return found }
      guard let order = order(left, right) else { return nil }
      if let left, order < 0 { return only(left, first) }
      if let right, order > 0 { return only(right, second) }
      guard let left, let right else { return nil }
      first.last = left.identity
      second.last = right.identity
      let properties = differences(left, right)
      first.advance()
      second.advance()
      if !properties.isEmpty { return found(.updated, left, right, properties) }
      equalCount += 1
    }
  }

  /// All differences, in the order of the identity; nil if the rows cannot be paired in the order of their stores.
  private func pairs() throws -> ArraySlice<ObjectDifference>? {
    var differing: [ObjectDifference] = []
    let areUnique = entity.hasUniqueIdentity(first.layout, second.layout)
    let isWhole = try RowPairing(first, second, areUnique: areUnique).visit { left, right in
      if let left, let right {
        let properties = differences(left, right)
        if properties.isEmpty { equalCount += 1 } else { differing.append(found(.updated, left, right, properties)) }
      } else if let left {
        differing.append(found(.deleted, left, nil, contents(left, isFirst: true)))
      } else if let right {
        differing.append(found(.inserted, nil, right, contents(right, isFirst: false)))
      }
      return differing.count <= RowPairing.most
    }
    if isWhole { return differing.sorted { $0.identity.order($1.identity) < 0 }[...] }
    equalCount = 0
    return nil
  }

  /// The order of two objects by identity; one that is missing comes last. Nil if both are missing.
  private func order(_ left: ComparedRow?, _ right: ComparedRow?) -> Int? {
    switch (left?.identity, right?.identity) {
    case (nil, nil): nil
    case (_?, nil): -1
    case (nil, _?): 1
    case (let left?, let right?): left.order(right)
    }
  }

  /// The difference for an object that cannot be compared: one without an identity, or with that of the one before.
  private func refused(_ row: ComparedRow, _ rows: ComparedRows, isFirst: Bool) throws -> ObjectDifference? {
    var kind = ObjectDifference.Kind.unidentified
    if let identity = row.identity {
      guard let last = rows.last else { return nil }
      let order = last.order(identity)
      if order > 0 { throw ComparisonError.disorder(entity: rows.entity.name) }
      if order < 0 { return nil }
      kind = .duplicated
    }
    rows.advance()
    return isFirst ? found(kind, row, nil, []) : found(kind, nil, row, [])
  }

  private func only(_ row: ComparedRow, _ rows: ComparedRows) -> ObjectDifference {
    let isFirst = rows === first
    rows.last = row.identity
    defer { rows.advance() }
    return isFirst
      ? found(.deleted, row, nil, contents(row, isFirst: true))
      : found(.inserted, nil, row, contents(row, isFirst: false))
  }

  private func found(
    _ kind: ObjectDifference.Kind, _ left: ComparedRow?, _ right: ComparedRow?, _ properties: [PropertyDifference]
  ) -> ObjectDifference {
    ObjectDifference(
      kind: kind, entity: entity.first.name, identity: (left ?? right)?.identity?.values ?? [],
      first: left.map { ObjectID(entity: entity.first, key: $0.key) },
      second: right.map { ObjectID(entity: entity.second, key: $0.key) }, properties: properties)
  }

  // MARK: Values

  private func differences(_ left: ComparedRow, _ right: ComparedRow) -> [PropertyDifference] {
    var found: [PropertyDifference] = []
    let isSame = isSameForm && !includesEqualValues && left.packed.isEqual(to: right.packed)
    for (property, (one, two)) in zip(entity.attributes, columns) where !isSame {
      if !includesEqualValues, property.isSameForm, left.packed.hasSameBytes(one, as: right.packed, two) { continue }
      if first.side.isFileMissing(one, in: first.layout, left.packed)
        || second.side.isFileMissing(two, in: second.layout, right.packed)
      {
        continue
      }
      let old = first.side.value(one, in: first.layout, left.packed)
      let new = second.side.value(two, in: second.layout, right.packed)
      if !includesEqualValues, old.isSame(as: new, within: tolerance) { continue }
      found.append(PropertyDifference(name: property.name, old: .value(old), new: .value(new)))
    }
    for (index, property) in entity.references.enumerated() {
      let (old, new) = (left.references[index], right.references[index])
      if !includesEqualValues, old == nil && new == nil { continue }
      if !includesEqualValues, let old, let new, old.isSame(as: new) { continue }
      found.append(
        PropertyDifference(name: property.name, old: .object(named(old, property)), new: .object(named(new, property))))
    }
    for (index, property) in entity.members.enumerated() {
      let (old, new) = (inOrder(left.members[index], property), inOrder(right.members[index], property))
      if !includesEqualValues, old.count == new.count, zip(old, new).allSatisfy({ $0.isSame(as: $1) }) { continue }
      found.append(PropertyDifference(name: property.name, old: listed(old, property), new: listed(new, property)))
    }
    return found
  }

  /// All values of an object that only one store has.
  private func contents(_ row: ComparedRow, isFirst: Bool) -> [PropertyDifference] {
    let rows = isFirst ? first : second
    var found: [PropertyDifference] = []
    func add(_ name: String, _ value: ComparedValue, _ nothing: ComparedValue) {
      if value.isNothing { return }
      found.append(PropertyDifference(name: name, old: isFirst ? value : nothing, new: isFirst ? nothing : value))
    }
    for (property, columns) in zip(entity.attributes, columns) {
      let column = isFirst ? columns.first : columns.second
      add(property.name, .value(rows.side.value(column, in: rows.layout, row.packed)), .value(.null))
    }
    for (index, property) in entity.references.enumerated() {
      add(property.name, .object(named(row.references[index], property)), .object(nil))
    }
    for (index, property) in entity.members.enumerated() {
      add(property.name, listed(inOrder(row.members[index], property), property), .objects([]))
    }
    return found
  }

  private func inOrder(_ members: [[Value]], _ property: ComparedEntity.Compared) -> [[Value]] {
    property.isOrdered ? members : members.sorted { $0.order($1) < 0 }
  }

  private func named(_ identity: [Value]?, _ property: ComparedEntity.Compared) -> ComparedReference? {
    identity.map { ComparedReference(entity: entity.first.destination(at: property.first).name, identity: $0) }
  }

  private func listed(_ members: [[Value]], _ property: ComparedEntity.Compared) -> ComparedValue {
    .objects(members.compactMap { named($0, property) })
  }
}

extension PackedRow {
  /// Whether a column has the bytes that a column of another row has.
  func hasSameBytes(_ column: Int, as other: PackedRow, _ otherColumn: Int) -> Bool {
    let storage = storageClass(column)
    guard storage == other.storageClass(otherColumn) else { return false }
    switch storage {
    case .null: return true
    case .integer: return integer(column) == other.integer(otherColumn)
    case .real: return real(column) == other.real(otherColumn)
    case .text, .blob: return bytes(column).order(other.bytes(otherColumn)) == 0
    }
  }
}
