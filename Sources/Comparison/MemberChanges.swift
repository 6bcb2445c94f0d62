internal import Modeling

/// What distinguishes two lists of members.
package struct MemberChanges {
  package private(set) var inserted: [ComparedReference] = []
  package private(set) var removed: [ComparedReference] = []
  /// The members of both lists that have another place among those of both; as few as possible.
  package private(set) var moved: [ComparedReference] = []

  package init(_ old: [ComparedReference], _ new: [ComparedReference]) {
    let difference = new.difference(from: old) { $0.isSame(as: $1) }
    var gone = difference.removals.map(\.member)
    for change in difference.insertions {
      if let index = gone.firstIndex(where: { $0.isSame(as: change.member) }) {
        moved.append(gone.remove(at: index))
      } else {
        inserted.append(change.member)
      }
    }
    removed = gone
  }
}

extension CollectionDifference<ComparedReference>.Change {
  fileprivate var member: ComparedReference {
    switch self {
    case .insert(_, let member, _), .remove(_, let member, _): member
    }
  }
}
