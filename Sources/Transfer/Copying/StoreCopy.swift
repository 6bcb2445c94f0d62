import Modeling
internal import Queries
public import Stores

/// Copies the objects of one store into another, entity by entity, between stores of any format.
///
/// Entities, attributes and relationships are matched by their names. Objects get new keys; relationships and the order
/// of members are preserved. Everything is written in one transaction of the target.
///
///     let copy = try StoreCopy(from: app, to: archive)
///     try copy.run().counts["Book"]        // 52
public final class StoreCopy {
  /// The result of a copy.
  public struct Report: Sendable {
    /// The numbers of copied objects, by entity name.
    public var counts: [String: Int] = [:]
    /// The names of everything that the target does not have.
    public var leftOut: [String] = []
  }

  let source: any OpenedStore
  let target: any OpenedStore
  private let subset: Subset?
  private let masks: Masks?
  private let plans: [EntityCopy]
  private var report = Report()
  /// References to objects that are copied after those that refer to them.
  private var waiting: [(plan: EntityCopy, references: [EntityCopy.Reference])] = []
  /// The new keys of copied objects, by the root of their entity in the source.
  private var newKeys: [Entity: [Int64: Int64]] = [:]

  /// Matches the two models, to copy everything.
  ///
  /// - Throws: `.readOnly`, and `.sameStore` if both are one file.
  public convenience init(from source: any OpenedStore, to target: any OpenedStore) throws {
    try self.init(from: source, to: target, nil, masks: nil)
  }

  /// Matches the two models, to copy the objects of a subset of the source, or all without one, with masked values.
  ///
  /// - Throws: `.readOnly`, and `.sameStore` if both are one file.
  package init(from source: any OpenedStore, to target: any OpenedStore, _ subset: Subset?, masks: Masks?) throws {
    if source.isSame(as: target) { throw StoreError(.sameStore, path: source.path) }
    if target.isReadOnly { throw target.readOnlyError }
    self.source = source
    self.target = target
    self.subset = subset
    self.masks = masks
    var plans: [EntityCopy] = []
    for entity in source.model.entities where !entity.isAbstract {
      guard let wanted = target.model.counterpart(of: entity) else {
        report.leftOut.append(entity.name)
        continue
      }
      let plan = EntityCopy(entity, source.layout(of: entity), wanted, target.layout(of: wanted))
      report.leftOut += plan.leftOut
      plans.append(plan)
    }
    self.plans = Self.destinationsFirst(plans)
  }

  /// The plans in an order in which objects are there before others refer to them, as far as there is one.
  private static func destinationsFirst(_ plans: [EntityCopy]) -> [EntityCopy] {
    plans.indices.inPostorder { place in
      let plan = plans[place]
      return plan.references.flatMap { reference in
        let root = plan.source.destination(at: reference.source).root
        return plans.indices.filter { plans[$0].source.root === root }
      }
    }.map { plans[$0] }
  }

  /// Copies everything; if this throws, the target is unchanged.
  ///
  /// - Throws: StoreError; `.wrongValue` with the place of a value that the target's attribute cannot have.
  public func run() throws -> Report {
    try target.transaction {
      for (place, plan) in plans.enumerated() {
        let later = Set(plans[place...].map(\.source.root))
        // References to existing objects are written with the row.
        let isThere = plan.references.map { !later.contains(plan.source.destination(at: $0.source).root) }
        do {
          try copyRows(plan, with: zip(plan.references, isThere).filter(\.1).map(\.0))
        } catch let error as StoreError {
          // The table refuses a row whose reference is to follow.
          guard case .constraint(let text) = error.fact, text.contains("NOT NULL"),
            let cycle = mandatoryCycle(through: plan)
          else { throw error }
          throw CopyError.mandatoryCycle(cycle)
        }
        waiting.append((plan, zip(plan.references, isThere).filter { !$0.1 }.map(\.0)))
      }
      for (plan, references) in waiting { try copyReferences(plan, references) }
      for plan in plans { try copyMembers(plan) }
    }
    return report
  }

  /// The mandatory to-ones that lead from an entity back to it, the shortest way; nil if none do.
  private func mandatoryCycle(through plan: EntityCopy) -> [String]? {
    let start = plan.source.root
    var (ways, seen): ([(root: Entity, names: [String])], Set<Entity>) = ([(start, [])], [])
    while !ways.isEmpty {
      let way = ways.removeFirst()
      for plan in plans where plan.source.root === way.root {
        for reference in plan.references
        where plan.source.properties[reference.source].relationship?.isOptional == false {
          let names = way.names + ["\(plan.source.name).\(plan.source.properties[reference.source].name)"]
          let next = plan.source.destination(at: reference.source).root
          if next === start { return names }
          if seen.insert(next).inserted { ways.append((next, names)) }
        }
      }
    }
    return nil
  }

  // MARK: Rows

  private func request(_ entity: Entity) -> FetchRequest {
    var request = FetchRequest(entity)
    request.includesSubentities = false
    return request
  }

  /// Calls `body` with each row to copy of an entity, subentities left out.
  private func visitRows(of entity: Entity, _ body: (RowCursor) throws -> Void) throws {
    if let subset, try !subset.isWhole(entity.root) { return try subset.visitRows(of: entity, body) }
    let cursor = try source.cursor(request(entity))
    defer { cursor.close() }
    while try cursor.step() { try body(cursor) }
  }

  private func copyRows(_ plan: EntityCopy, with references: [EntityCopy.Reference]) throws {
    let blank = [Value](repeating: .null, count: plan.targetLayout.columns.count)
    var count = 0
    var missing: [String: Int] = [:]
    try visitRows(of: plan.source) { cursor in
      var values = blank
      for attribute in plan.attributes {
        if source.isFileMissing(attribute.source, in: plan.sourceLayout, cursor) {
          missing[attribute.attribute.name, default: 0] += 1
          continue
        }
        values[attribute.target] = try value(of: attribute, plan, cursor)
      }
      for (column, value) in try contents(of: references, plan, cursor) { values[column] = value }
      newKeys[plan.source.root, default: [:]][cursor.key] = try target.insert(plan.target, values)
      count += 1
    }
    report.counts[plan.source.name] = count
    for (name, count) in missing.sorted(by: { $0.key < $1.key }) {
      let what = count == 1 ? "1 value, whose file is missing" : "\(count) values, whose files are missing"
      report.leftOut.append("\(plan.source.name).\(name): \(what)")
    }
  }

  /// The value of an attribute in the current row, as the target keeps it.
  private func value(
    of attribute: EntityCopy.AttributeColumns, _ plan: EntityCopy, _ cursor: RowCursor
  ) throws -> Value {
    let column = plan.targetLayout.columns[attribute.target]
    let isMasked = masks?.covers(attribute.index, of: plan.source) == true
    var value = source.value(attribute.source, in: plan.sourceLayout, cursor, isOpened: isMasked || !column.isArchive)
    if isMasked, let masks {
      let object = ObjectID(entity: plan.source, key: cursor.key)
      value = try masks.masked(value, attribute.index, of: object, as: attribute.attribute)
    }
    do {
      return try column.coerce(value, of: attribute.attribute)
    } catch {
      throw StoreError(
        .wrongValue(entity: plan.source.name, property: attribute.attribute.name, key: cursor.key, value),
        path: source.path)
    }
  }

  // MARK: Relationships

  /// The values of the target's reference columns for the current object of a cursor.
  private func contents(
    of references: [EntityCopy.Reference], _ plan: EntityCopy, _ cursor: RowCursor
  ) throws -> [(column: Int, value: Value)] {
    var changes: [(column: Int, value: Value)] = []
    for reference in references {
      let columns = plan.sourceLayout.properties[reference.source].ownColumns
      let named = columns.map { source.value($0, in: plan.sourceLayout, cursor) }
      let root = plan.source.destination(at: reference.source).root
      guard let old = try key(of: reference, plan, named), let new = newKeys[root]?[old] else { continue }
      let places = plan.targetLayout.properties[reference.target].ownColumns
      changes += zip(places, try target.referenceValues(to: new, of: reference.target, in: plan.target)).map {
        (column: $0, value: $1)
      }
    }
    return changes
  }

  /// The key of the object that a reference of the source names.
  private func key(of reference: EntityCopy.Reference, _ plan: EntityCopy, _ named: [Value]) throws -> Int64? {
    if let key = source.plainKey(named, of: reference.source, in: plan.source) { return key }
    return named.contains(where: \.isNull) ? nil : try source.resolve(named, of: reference.source, in: plan.source)
  }

  private func copyReferences(_ plan: EntityCopy, _ references: [EntityCopy.Reference]) throws {
    guard !references.isEmpty else { return }
    try visitRows(of: plan.source) { cursor in
      guard let key = newKeys[plan.source.root]?[cursor.key] else { return }
      let changes = try contents(of: references, plan, cursor)
      if !changes.isEmpty { _ = try target.update(plan.target, key: key, changes) }
    }
  }

  private func copyMembers(_ plan: EntityCopy) throws {
    for members in plan.members {
      let root = plan.source.destination(at: members.source).root
      guard let owners = newKeys[plan.source.root], let others = newKeys[root] else { continue }
      let keys = try subset?.keys[plan.source.root]?.sorted() ?? source.keys(request(plan.source))
      for start in stride(from: 0, to: keys.count, by: 1_000) {
        let some = Array(keys[start..<min(start + 1_000, keys.count)])
        let found = try source.members(of: members.source, in: plan.source, owners: some)
        let pairs = found.compactMap { pair -> (owner: Int64, member: Int64)? in
          guard let owner = owners[pair.owner], let member = others[pair.member] else { return nil }
          return (owner, member)
        }
        if members.isLinked { try target.link(members.target, in: plan.target, pairs: pairs) }
        // Linked members are in their order already.
        guard members.isOrdered, !members.isLinked else { continue }
        var orders: [Int64: [Int64]] = [:]
        for pair in pairs { orders[pair.owner, default: []].append(pair.member) }
        for key in some {
          guard let owner = owners[key] else { continue }
          try target.setOrder(members.target, in: plan.target, owner: owner, members: orders[owner] ?? [])
        }
      }
    }
  }
}

extension ObjectStore {
  /// Whether the column's value in the cursor's current row names a missing file.
  fileprivate func isFileMissing(_ column: Int, in layout: EntityLayout, _ cursor: RowCursor) -> Bool {
    let kept = layout.columns[column]
    guard kept.encoding == .externalData, cursor.storageClass(column) == .blob else { return false }
    return isFileMissing(.data([UInt8](cursor.bytes(column))), of: kept)
  }
}
