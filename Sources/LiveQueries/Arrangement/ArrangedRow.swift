internal import Modeling

/// A row with its position in the order.
struct ArrangedRow {
  /// The row's key.
  var key: Int64
  /// The encoded sort values.
  var sortKey: SortKey
  /// The row's section; nil without sections.
  var section: SectionIdentity?
}

/// The identity of a section.
struct SectionIdentity: Hashable {
  /// The identifier's encoded bytes: sections with equal bytes are the same.
  var key: SortKey
  /// The identifier.
  var id: Value

  static func == (left: SectionIdentity, right: SectionIdentity) -> Bool { left.key == right.key }

  func hash(into hasher: inout Hasher) { hasher.combine(key) }
}
