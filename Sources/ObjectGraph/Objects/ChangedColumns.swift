public import Modeling

/// The new values of an object's changed columns, by column of its entity's layout, in the order of the columns.
///
/// A single change takes no memory of its own; few take 32 bytes each, and many are an array of all columns. A new object
/// whose values were given together has them packed until one is set again.
/// Equal contents are equal, in whichever form.
public struct ChangedColumns: Sequence {
  fileprivate enum Form {
    /// No changes. Not an empty list, whose copies would be counted.
    case empty
    /// A change of the column with this number, which stands behind the value so that both take 24 bytes.
    case one(Value, UInt16)
    /// The changes in the order of their columns.
    case few([Change])
    /// The values by column; columns behind the last one are not changed.
    case many([Value?])
    case packed(PackedColumns)
  }

  fileprivate struct Change {
    let column: Int
    var value: Value
  }

  /// The number of changes from which an array of all columns is no larger, for most entities.
  private static let mostFew = 6

  private var form: Form

  /// No changes.
  public init() { form = .empty }

  /// Changes from the values of all columns, of which nil says that a column is not changed.
  public init(all values: [Value?]) { form = .many(values) }

  /// Changes from the values of all columns, as `init(all:)`, in as few bytes as they can have.
  public init(packing values: [Value?]) {
    form = if let packed = PackedColumns(values) { .packed(packed) } else { .many(values) }
  }

  /// The new value of a column; nil if the column is not changed, or if there is none.
  public subscript(column: Int) -> Value? {
    get {
      switch form {
      case .empty: return nil
      case .one(let value, let changed): return Int(changed) == column ? value : nil
      case .few(let changes):
        for place in changes.indices where changes[place].column == column { return changes[place].value }
        return nil
      case .many(let values): return column < values.count ? values[column] : nil
      case .packed(let packed): return packed[column]
      }
    }
    set {
      switch form {
      case .empty:
        if column > UInt16.max {
          form = .few([])
          self[column] = newValue
        } else if let newValue {
          form = .one(newValue, UInt16(truncatingIfNeeded: column))
        }
      case .one(let value, let changed):
        if Int(changed) == column {
          form = newValue.map { .one($0, changed) } ?? .empty
        } else if newValue != nil {
          form = .few([Change(column: Int(changed), value: value)])
          self[column] = newValue
        }
      case .few(var changes):
        // The array has this owner alone while it is changed, so it is not copied.
        form = .empty
        set(column, newValue, in: &changes)
      case .many(var values):
        form = .empty
        if column >= values.count { values += Array(repeating: nil, count: column + 1 - values.count) }
        values[column] = newValue
        form = .many(values)
      case .packed(let packed):
        form = .many(packed.values)
        self[column] = newValue
      }
    }
  }

  private mutating func set(_ column: Int, _ value: Value?, in changes: inout [Change]) {
    let place = changes.firstIndex { $0.column >= column } ?? changes.count
    let isThere = place < changes.count && changes[place].column == column
    switch (value, isThere) {
    case (let value?, true): changes[place].value = value
    case (let value?, false) where changes.count < Self.mostFew:
      changes.insert(Change(column: column, value: value), at: place)
    case (let value?, false):
      var values: [Value?] = Array(repeating: nil, count: Swift.max(changes[changes.count - 1].column, column) + 1)
      for change in changes { values[change.column] = change.value }
      values[column] = value
      form = .many(values)
      return
    case (nil, true): changes.remove(at: place)
    case (nil, false): break
    }
    form = .few(changes)
  }

  /// Whether the new value of a column is null; nil if the column is not changed, or if there is none.
  public func isNull(_ column: Int) -> Bool? {
    switch form {
    case .empty: nil
    case .packed(let packed): packed.isNull(column)
    case .one(let value, let changed): Int(changed) == column ? value.isNull : nil
    default: self[column]?.isNull
    }
  }

  /// Whether no column is changed.
  public var isEmpty: Bool {
    switch form {
    case .empty: true
    case .one: false
    case .few(let changes): changes.isEmpty
    case .many(let values): values.allSatisfy { $0 == nil }
    case .packed(let packed): packed.isEmpty
    }
  }

  /// Whether one of the columns is changed.
  public func containsAny(of columns: [Int]) -> Bool { columns.contains { isNull($0) != nil } }

  /// The values of the first `count` columns, null where a column is not changed: the row of a new object.
  public func row(count: Int) -> [Value] {
    switch form {
    case .many(let values) where values.count == count: return values.map { $0 ?? .null }
    case .packed(let packed) where packed.count == count:
      var place = packed.firstPlace
      return (0..<count).map { packed.value($0, at: &place) ?? .null }
    default: return (0..<count).map { self[$0] ?? .null }
    }
  }

  /// The changed columns with their new values, in the order of the columns.
  public func makeIterator() -> Iterator { Iterator(form) }

  /// Goes through changed columns.
  public struct Iterator: IteratorProtocol {
    private let form: Form
    private var place = 0
    /// Where the next value of a packed form stands.
    private var packedPlace = 0

    fileprivate init(_ form: Form) {
      self.form = form
      if case .packed(let packed) = form { packedPlace = packed.firstPlace }
    }

    /// The next changed column; nil behind the last.
    public mutating func next() -> (column: Int, value: Value)? {
      switch form {
      case .empty: return nil
      case .one(let value, let column):
        guard place == 0 else { return nil }
        place = 1
        return (Int(column), value)
      case .few(let changes):
        guard place < changes.count else { return nil }
        defer { place += 1 }
        return (changes[place].column, changes[place].value)
      case .many(let values):
        while place < values.count {
          defer { place += 1 }
          if let value = values[place] { return (place, value) }
        }
        return nil
      case .packed(let packed):
        while place < packed.count {
          defer { place += 1 }
          if let value = packed.value(place, at: &packedPlace) { return (place, value) }
        }
        return nil
      }
    }
  }
}

extension ChangedColumns: Hashable {
  /// Whether the same columns have the same new values.
  public static func == (left: ChangedColumns, right: ChangedColumns) -> Bool { left.elementsEqual(right, by: ==) }

  /// Feeds the changed columns and their new values to the hasher.
  public func hash(into hasher: inout Hasher) {
    for (column, value) in self {
      hasher.combine(column)
      hasher.combine(value)
    }
  }
}
