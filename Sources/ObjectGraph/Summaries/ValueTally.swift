internal import Glibc
internal import Modeling
internal import Queries
internal import Stores

internal import struct Foundation.Decimal

/// Counts the values of one property, as its type wants to be counted.
struct ValueTally {
  /// How a property's values are counted.
  enum Nature {
    /// Each value by its own class, regardless of the column's type.
    case values
    /// By their sizes alone.
    case sizes
    /// Numbers of members.
    case members
  }

  /// The values that count as numbers.
  private enum Kind {
    case number, date, boolean, object
  }

  let nature: Nature
  private var summary: PropertySummary
  private var numbers: NumberTally
  private var others: DistinctTable<TalliedValue>
  private var texts: TextTally
  /// Sizes of data, lengths of URLs.
  private var lengths: NumberTally
  /// Decimals as doubles, for their mean and ranges.
  private var decimals: NumberTally
  private var otherCount = 0
  private var (leastOther, greatestOther) = (Value.null, Value.null)
  /// What the numbers are: dates, booleans and objects are counted as numbers.
  private var sample: Value?
  private var kind: Kind?
  private var isMixed = false

  /// The maximum number of distinct numbers; half as many for other values.
  static let limit = 1 << 18

  init(_ name: String, _ type: String, _ nature: Nature, limit: Int = Self.limit) {
    self.nature = nature
    summary = PropertySummary(name, type)
    numbers = NumberTally(limit: limit)
    lengths = NumberTally(limit: limit)
    texts = TextTally(limit: limit / 2)
    decimals = NumberTally(limit: limit / 2)
    others = DistinctTable(limit: limit / 2)
  }

  /// Counts the number of members of a to-many.
  mutating func add(members count: Int) {
    if count == 0 { summary.nulls += 1 } else { summary.count += 1 }
    numbers.add(Int64(count))
  }

  /// Counts the value of a column of an attribute's type, most of them without making a value of it.
  mutating func add(_ column: ColumnValue, as type: AttributeType) {
    switch (column, type) {
    case (.null, _): summary.nulls += 1
    case (.integer(let number), .integer16), (.integer(let number), .integer32), (.integer(let number), .integer64):
      note(.number, .int(number))
      numbers.add(number)
    case (.real(let number), .double), (.real(let number), .float):
      note(.number, .double(number))
      numbers.add(number)
    case (.real(let seconds), .date):
      note(.date, .date(Timestamp(seconds)))
      numbers.add(seconds)
    case (.text(let bytes), .string) where bytes.isUTF8:
      summary.count += 1
      texts.add(bytes)
    case (.blob(let bytes), .data) where nature == .sizes: add(size: bytes.count)
    default: add(RawColumn(column).decoded(as: type))
    }
  }

  /// Counts data by its size.
  mutating func add(size: Int) {
    summary.count += 1
    lengths.add(Int64(size))
  }

  /// Counts the object that a to-one leads to, by its key.
  mutating func add(key: Int64, of entity: Entity) {
    note(.object, .object(ObjectID(entity: entity, key: key)))
    numbers.add(key)
  }

  /// Counts a value.
  mutating func add(_ value: Value) {
    if nature == .sizes, case .data(let bytes) = value { return add(size: bytes.count) }
    switch value {
    case .int(let number): add(integer: number, .number, value)
    case .double(let number):
      // The store keeps NaN as NULL.
      if number.isNaN {
        summary.nulls += 1
      } else {
        add(real: number, .number, value)
      }
    case .date(let date): add(real: date.seconds, .date, value)
    case .bool(let flag): add(integer: flag ? 1 : 0, .boolean, value)
    case .object(let id): add(integer: id.key, .object, value)
    case .null: summary.nulls += 1
    case .string(let text):
      summary.count += 1
      texts.add(text)
    case .url(let text):
      lengths.add(Int64(text.scalarCount))
      add(other: value, StableHash.hash(text))
    case .decimal(let decimal):
      let text = decimal.canonicalText
      if let number = Double(text), !number.isNaN { decimals.add(number) }
      add(other: value, StableHash.hash(text))
    default: add(other: value, StableHash.hash(value.displayText))
    }
  }

  private mutating func add(integer: Int64, _ kind: Kind, _ value: Value) {
    note(kind, value)
    numbers.add(integer)
  }

  private mutating func add(real: Double, _ kind: Kind, _ value: Value) {
    note(kind, value)
    numbers.add(real)
  }

  private mutating func note(_ kind: Kind, _ value: @autoclosure () -> Value) {
    summary.count += 1
    if kind == self.kind { return }
    if self.kind == nil {
      (self.kind, sample) = (kind, value())
    } else {
      isMixed = true
    }
  }

  private mutating func add(other value: Value, _ hash: UInt64) {
    summary.count += 1
    otherCount += 1
    if leastOther.isNull || value.order(leastOther) < 0 { leastOther = value }
    if greatestOther.isNull || value.order(greatestOther) > 0 { greatestOther = value }
    others.add(TalliedValue(value: value, stableHash: hash))
  }

  // MARK: The summary

  /// What the values are like. Ends the counting.
  mutating func finished() -> PropertySummary {
    numbers.complete()
    texts.complete()
    lengths.complete()
    decimals.complete()
    if let bounds = texts.bounds {
      let (least, greatest) = (Value.string(bounds.least), Value.string(bounds.greatest))
      if leastOther.isNull || least.order(leastOther) < 0 { leastOther = least }
      if greatestOther.isNull || greatest.order(greatestOther) > 0 { greatestOther = greatest }
    }
    var summary = summary
    summary.isEstimated =
      numbers.isEstimated || texts.isEstimated || others.isEstimated || lengths.isEstimated || decimals.isEstimated
    if nature == .members {
      summary.measure = .members
      summary.measures = numbers.measures { $0 }
      return summary
    }
    if nature == .sizes {
      summary.measure = .size
      summary.measures = lengths.measures { $0 }
      return summary
    }
    // An estimate may be a little above.
    summary.distinct = min(numbers.distinct + texts.distinct + others.distinct, summary.count)
    addTop(to: &summary)
    addEnds(to: &summary)
    addMeasures(to: &summary)
    return summary
  }

  private func addTop(to summary: inout PropertySummary) {
    guard !summary.isEstimated else { return }
    var top = TopValues()
    for (number, count) in numbers.top { top.add(value(number), count) }
    others.forEach { top.add($0.value, $1) }
    texts.forEach { text, count in if top.wants(count) { top.add(.string(text), count) } }
    let isRepeated = top.values.contains { $0.count > 1 }
    summary.top = isRepeated || (summary.distinct ?? 0) <= NumberTally.mostTop ? top.values : []
  }

  private func addEnds(to summary: inout PropertySummary) {
    switch sample ?? leastOther {
    case .bool where !isMixed, .object, .uuid, .json, .data, .list: return
    default: break
    }
    let ends = [value(numbers.least), value(numbers.greatest), leastOther, greatestOther].filter { !$0.isNull }
    summary.least = ends.min { $0.order($1) < 0 } ?? .null
    summary.greatest = ends.max { $0.order($1) < 0 } ?? .null
  }

  private func addMeasures(to summary: inout PropertySummary) {
    switch (sample, leastOther) {
    case (.int?, .null), (.double?, .null), (.date?, .null):
      guard !isMixed else { return }
      summary.measure = .value
      summary.measures = numbers.measures(value)
    case (nil, .decimal):
      summary.measure = .value
      summary.measures = decimalMeasures()
    case (nil, .string), (nil, .url):
      // A column of texts is measured by their lengths, as long as all are texts or all are URLs.
      guard otherCount == 0 || texts.count == 0, lengths.count == otherCount else { return }
      summary.measure = .length
      summary.measures = (texts.count > 0 ? texts.lengths : lengths).measures { $0 }
    default: return
    }
  }

  /// What a counted number was.
  private func value(_ number: Value) -> Value {
    guard !isMixed, let sample else { return number }
    switch (sample, number) {
    case (.date, .double(let seconds)): return .date(Timestamp(seconds))
    case (.bool, .int(let flag)): return .bool(flag != 0)
    case (.object(let id), .int(let key)): return .object(ObjectID(entity: id.entity, key: key))
    default: return number
    }
  }

  /// The quartiles are decimals, exact as long as all are kept; the mean of all and the ranges are computed with doubles.
  private func decimalMeasures() -> PropertySummary.Measures {
    var values: [(value: Value, count: Int)] = []
    others.forEach { values.append(($0.value, $1)) }
    values.sort { $0.value.order($1.value) < 0 }
    let total = values.reduce(0) { $0 + $1.count }
    var measures = decimals.measures { $0 }
    measures.quartiles = [1, 2, 3].map { quarter in
      var rest = (total * quarter + 3) / 4
      return values.first { value in
        rest -= value.count
        return rest <= 0
      }?.value ?? .null
    }
    (measures.least, measures.greatest) = (leastOther, greatestOther)
    return measures
  }
}

/// A value with its hash, as a DistinctTable counts it.
struct TalliedValue: DistinctKey {
  var value: Value
  var stableHash: UInt64

  init(_ value: Value) {
    switch value {
    case .string(let text), .url(let text): self.init(value: value, stableHash: StableHash.hash(text))
    case .int(let number): self.init(value: value, stableHash: number.stableHash)
    case .double(let number): self.init(value: value, stableHash: (number + 0).stableHash)
    case .date(let date): self.init(value: value, stableHash: (date.seconds + 0).stableHash)
    default: self.init(value: value, stableHash: StableHash.hash(value.displayText))
    }
  }

  init(value: Value, stableHash: UInt64) {
    self.value = value
    self.stableHash = stableHash
  }

  static var hashTells: Bool { false }
  static var placeholder: TalliedValue { TalliedValue(value: .null, stableHash: 0) }

  /// Texts are told apart by their bytes: Swift takes some for equal that the store does not.
  func isSame(as other: TalliedValue) -> Bool {
    guard stableHash == other.stableHash else { return false }
    switch (value, other.value) {
    case (.string(let left), .string(let right)), (.url(let left), .url(let right)):
      return left.hasSameBytes(as: right)
    default: return value == other.value
    }
  }
}

extension String {
  /// The number of scalars: of bytes that do not continue one.
  fileprivate var scalarCount: Int {
    utf8.withContiguousStorageIfAvailable { bytes in bytes.reduce(0) { $0 + ($1 & 0xC0 == 0x80 ? 0 : 1) } }
      ?? unicodeScalars.count
  }

  fileprivate func hasSameBytes(as other: String) -> Bool {
    let isSame = utf8.withContiguousStorageIfAvailable { bytes in
      other.utf8.withContiguousStorageIfAvailable { others in
        bytes.count == others.count
          && (bytes.isEmpty || memcmp(bytes.baseAddress!, others.baseAddress!, bytes.count) == 0)
      }
    }
    return (isSame ?? nil) ?? utf8.elementsEqual(other.utf8)
  }
}
