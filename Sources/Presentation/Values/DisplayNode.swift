/// A value of the session prepared for display: a tree without the language's own types.
///
///     .table(DisplayTable(items: [.number("1"), .string("a")], fields: [.init(.string("n"), .missing)]))
///     // { 1, "a", n = nil }
package indirect enum DisplayNode {
  /// nil.
  case missing
  /// A number in its digits.
  case number(String)
  case boolean(Bool)
  /// The bytes of a string, UTF-8 or not.
  case bytes([UInt8])
  /// Anything that has one line for people: an object, a date, a function.
  case plain(String)
  /// Lua source that makes the value: `Date "2024-01-22T16:26:12Z"`.
  case source(String)
  case table(DisplayTable)
  /// A table that contains this place, by its number.
  case cycle(Int)

  package static func string(_ text: String) -> DisplayNode { .bytes(Array(text.utf8)) }
}

/// The entries of a table, or as many of them as are wanted.
package struct DisplayTable {
  /// An entry under a key. No tuple: the compiler then finds a circle in these types, depending on what it compiles first.
  package struct Field {
    package var key: DisplayNode
    package var value: DisplayNode

    package init(_ key: DisplayNode, _ value: DisplayNode) { (self.key, self.value) = (key, value) }
  }

  /// The number that `cycle` refers to, if anything does.
  package var number: Int?
  /// The name before the brace: that of the table's metatable.
  package var label: String?
  /// The entries 1, 2, 3 ... without a hole.
  package var items: [DisplayNode] = []
  /// All other entries, in the order to show them.
  package var fields: [Field] = []
  /// The number of entries that the builder of this table left out.
  package var omittedCount = 0

  package init(
    number: Int? = nil, label: String? = nil, items: [DisplayNode] = [], fields: [Field] = [], omittedCount: Int = 0
  ) {
    self.number = number
    self.label = label
    self.items = items
    self.fields = fields
    self.omittedCount = omittedCount
  }
}
