internal import Layouts
internal import Modeling
internal import Stores

// The pairs and the order of to-many relationships.
extension DifferenceStatements {
  /// The statements that remove members, before any row is deleted.
  func leave(_ operation: RowOperation) throws -> [TableStatement] {
    try members(operation) { join, ends, old, new in
      MemberChanges(old, new).removed.map { member in
        join.isInMembers
          ? .update(
            table: join.table, join.ownerColumns.map { .init(.key($0), .value(.null)) }, where: ends.member(member))
          : .delete(table: join.table, where: ends.owner + ends.member(member))
      }
    }
  }

  /// The statements that add members and put them in order, after all rows are there.
  func join(_ operation: RowOperation) throws -> [TableStatement] {
    let pairs = try members(operation) { join, ends, old, new in
      let added: [TableStatement] = MemberChanges(old, new).inserted.map { member in
        join.isInMembers
          ? .update(table: join.table, ends.owner, where: ends.member(member))
          : .insert(table: join.table, ends.owner + ends.member(member))
      }
      guard let order = join.order else { return added }
      return added
        + new.enumerated().map { place, member in
          .update(
            table: join.table, [.init(.key(order), .value(.int(OrderKeys.place(place))))],
            where: ends.owner + ends.member(member))
        }
    }
    return try pairs + places(operation)
  }

  /// The settings that name the two objects of a pair.
  struct PairEnds {
    let owner: [TableStatement.Setting]
    let member: (ComparedReference) -> [TableStatement.Setting]
  }

  private func members(
    _ operation: RowOperation,
    _ body: (JoinLayout, PairEnds, _ old: [ComparedReference], _ new: [ComparedReference]) -> [TableStatement]
  ) throws -> [TableStatement] {
    let (entity, layout) = (operation.entity.first, self.layout(operation))
    return operation.difference.properties.flatMap { property -> [TableStatement] in
      guard case .objects(let old) = property.old, case .objects(let new) = property.new,
        let index = entity.index(of: property.name), case .join(let join) = layout.properties[index]
      else { return [] }
      func settings(_ columns: [String], _ contents: [TableStatement.Content]) -> [TableStatement.Setting] {
        zip(columns, contents).map { .init(.key($0), $1) }
      }
      let owner = first.contents(of: join.ownerTarget, entity, operation.difference.identity)
      let ends = PairEnds(owner: settings(join.ownerColumns, owner)) { member in
        settings(
          join.memberColumns, self.first.contents(of: join.memberTarget, entity.destination(at: index), member.identity)
        )
      }
      return body(join, ends, old, new)
    }
  }

  /// The places of members that keep them in their own rows.
  private func places(_ operation: RowOperation) throws -> [TableStatement] {
    let (entity, layout) = (operation.entity.first, self.layout(operation))
    guard operation.difference.kind != .deleted else { return [] }
    return operation.difference.properties.flatMap { property -> [TableStatement] in
      guard case .objects(let new) = property.new, let index = entity.index(of: property.name),
        case .inverse(_, let order?) = layout.properties[index]
      else { return [] }
      let destination = entity.destination(at: index)
      return new.enumerated().map { place, member in
        .update(
          table: first.store.layout(of: destination).table,
          [.init(.key(order), .value(.int(OrderKeys.place(place))))],
          where: first.condition(destination, member.identity))
      }
    }
  }
}

extension OrderKeys {
  fileprivate static func place(_ index: Int) -> Int64 { start + Int64(index) * step }
}
