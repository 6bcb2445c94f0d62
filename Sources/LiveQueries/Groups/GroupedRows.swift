internal import Modeling
internal import Queries

/// The rows of groups: for each its key, the group that it is in, and the values that its group adds up or compares.
///
/// A row takes 12 bytes, 4 for finding it by its key, and 9 for each value; texts and decimals stand beside. Places of rows that
/// are gone are used again.
struct GroupedRows: ~Copyable {
  private(set) var keys: ContiguousArray<Int64> = []
  /// The group of each row; -1 for a free place.
  private(set) var groups: ContiguousArray<Int32> = []
  private(set) var columns: [ValueColumn]
  private var index = KeyIndex()
  private var free: [Int32] = []

  /// No rows, with so many values each.
  init(columns count: Int) { columns = Array(repeating: ValueColumn(), count: count) }

  deinit { index.deallocate() }

  /// How many rows there are.
  var count: Int { index.count }

  /// The place of the row with a key; nil where there is none.
  func place(of key: Int64) -> Int? {
    let place = index[key]
    return place < 0 ? nil : place
  }

  /// The group of the row at a place.
  func group(at place: Int) -> Int32 { groups[place] }

  /// Says which group the row at a place is in.
  mutating func setGroup(_ group: Int32, at place: Int) { groups[place] = group }

  /// The value of a column at a place.
  func value(_ column: Int, at place: Int) -> Value { columns[column][place] }

  /// Compares the values of a column at two places, as `Value.order` does.
  func order(_ column: Int, _ one: Int, _ other: Int) -> Int { columns[column].order(one, other) }

  /// Changes a value.
  mutating func set(_ value: Value, _ column: Int, at place: Int) { columns[column].set(value, at: place) }

  /// Adds a row that is not there; returns its place.
  mutating func insert(_ key: Int64, group: Int32, _ values: some Collection<Value>) -> Int {
    let place: Int
    if let last = free.popLast() {
      place = Int(last)
      keys[place] = key
      groups[place] = group
      for (column, value) in values.enumerated() { columns[column].set(value, at: place) }
    } else {
      place = keys.count
      keys.append(key)
      groups.append(group)
      for (column, value) in values.enumerated() { columns[column].append(value) }
    }
    index.set(key, to: place)
    return place
  }

  /// Takes the row at a place away.
  mutating func remove(at place: Int) {
    index.remove(keys[place])
    groups[place] = -1
    for column in columns.indices { columns[column].set(.null, at: place) }
    free.append(Int32(clamping: place))
  }

  /// The bytes that the rows take, texts beside them left out.
  var bytesUsed: Int {
    keys.capacity * 12 + index.bytesUsed + free.capacity * 4 + columns.reduce(0) { $0 + $1.bytesUsed }
  }
}

/// Values of rows by their places: nine bytes each, and others where a value is no number, date or truth value.
struct ValueColumn {
  private enum Tag: UInt8 {
    case null, bool, int, double, date, other
  }

  private var tags: ContiguousArray<UInt8> = []
  private var bits: ContiguousArray<UInt64> = []
  private var others: ContiguousArray<Value> = []
  private var free: [Int] = []

  /// The value at a place.
  subscript(place: Int) -> Value {
    switch Tag(rawValue: tags[place]) ?? .null {
    case .null: .null
    case .bool: .bool(bits[place] != 0)
    case .int: .int(Int64(bitPattern: bits[place]))
    case .double: .double(Double(bitPattern: bits[place]))
    case .date: .date(Timestamp(Double(bitPattern: bits[place])))
    case .other: others[Int(bits[place])]
    }
  }

  /// Compares the values at two places, as `Value.order` does.
  func order(_ one: Int, _ other: Int) -> Int {
    if tags[one] == tags[other] {
      switch Tag(rawValue: tags[one]) {
      case .double, .date:
        let (left, right) = (Double(bitPattern: bits[one]), Double(bitPattern: bits[other]))
        if left < right { return -1 }
        if left > right { return 1 }
        if left == right { return 0 }
      case .int, .bool:
        let (left, right) = (Int64(bitPattern: bits[one]), Int64(bitPattern: bits[other]))
        return left < right ? -1 : left == right ? 0 : 1
      default: break
      }
    }
    return self[one].order(self[other])
  }

  /// The value at a place as a number whose order is that of the values, where it is not the same for both; nil for a value that
  /// is no number.
  func sortingBits(at place: Int) -> UInt64? {
    switch Tag(rawValue: tags[place]) {
    case .int, .bool: return orderedBits(Double(Int64(bitPattern: bits[place])))
    case .double, .date:
      let number = Double(bitPattern: bits[place])
      return number.isNaN ? nil : orderedBits(number)
    default: return nil
    }
  }

  /// Whether there is no value at a place.
  func isNull(at place: Int) -> Bool { tags[place] == Tag.null.rawValue }

  /// Adds a value behind the last.
  mutating func append(_ value: Value) {
    tags.append(Tag.null.rawValue)
    bits.append(0)
    set(value, at: tags.count - 1)
  }

  /// Changes the value at a place.
  mutating func set(_ value: Value, at place: Int) {
    if tags[place] == Tag.other.rawValue {
      let former = Int(bits[place])
      others[former] = .null
      free.append(former)
    }
    let (tag, pattern): (Tag, UInt64) =
      switch value {
      case .null: (.null, 0)
      case .bool(let flag): (.bool, flag ? 1 : 0)
      case .int(let number): (.int, UInt64(bitPattern: number))
      case .double(let number): (.double, number.bitPattern)
      case .date(let date): (.date, date.seconds.bitPattern)
      default: (.other, UInt64(placeForOther(value)))
      }
    tags[place] = tag.rawValue
    bits[place] = pattern
  }

  private mutating func placeForOther(_ value: Value) -> Int {
    if let place = free.popLast() {
      others[place] = value
      return place
    }
    others.append(value)
    return others.count - 1
  }

  /// The bytes that it takes, texts left out.
  var bytesUsed: Int { tags.capacity + bits.capacity * 8 + others.capacity * MemoryLayout<Value>.stride }
}
