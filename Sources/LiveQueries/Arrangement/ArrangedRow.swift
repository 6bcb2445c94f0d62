internal import Modeling

/// A row and its place.
struct ArrangedRow {
  /// The row's key.
  var key: Int64
  /// What it is sorted by.
  var sortKey: SortKey
  /// What section it is in; nil where there are none.
  var section: SectionIdentity?
}

/// What a section is known by.
struct SectionIdentity: Hashable {
  /// The identifier's encoded bytes: sections are the same when these are.
  var key: SortKey
  /// The identifier.
  var id: Value

  static func == (left: SectionIdentity, right: SectionIdentity) -> Bool { left.key == right.key }

  func hash(into hasher: inout Hasher) { hasher.combine(key) }
}
