import Modeling
import Queries
import SQLite

/// Conditions as ranges of a column, so that its index can be used.
extension SQLCompiler {
  // MARK: Prefixes

  /// The condition that a text begins with `prefix`, as a range, since SQLite orders text by its bytes.
  func beginning(_ text: SQLOperand, with prefix: String) -> SQLCondition {
    let start: SQLFragment = "\(text.sql) >= \(value: .string(prefix))"
    // A prefix of the greatest scalars only has no upper end.
    guard let end = Self.end(ofPrefix: prefix) else { return SQLCondition(start) }
    return SQLCondition("\(start) AND \(text.sql) < \(value: .string(end))", .and)
  }

  /// The smallest text that is greater than all texts with the prefix; nil if there is none.
  private static func end(ofPrefix prefix: String) -> String? {
    var scalars = Array(prefix.unicodeScalars)
    while let last = scalars.popLast() {
      // Surrogates are not scalars.
      let next = last.value == 0xD7FF ? 0xE000 : last.value + 1
      guard let scalar = Unicode.Scalar(next) else { continue }
      var end = String.UnicodeScalarView(scalars)
      end.append(scalar)
      return String(end)
    }
    return nil
  }

  /// The common prefix of all texts that match a constant pattern; nil if it is empty.
  func prefix(of pattern: SQLOperand, _ comparator: Comparator) -> String? {
    guard case .string(let text)? = pattern.constant else { return nil }
    let prefix =
      switch comparator {
      case .like: Self.prefix(ofWildcard: text)
      case .matches: Self.prefix(ofRegularExpression: text)
      default: ""
      }
    return prefix.isEmpty ? nil : prefix
  }

  private static func prefix(ofWildcard pattern: String) -> String {
    var prefix = String.UnicodeScalarView()
    var isEscaped = false
    for scalar in pattern.unicodeScalars {
      if !isEscaped, scalar == "*" || scalar == "?" { return String(prefix) }
      isEscaped = !isEscaped && scalar == "\\"
      if !isEscaped { prefix.append(scalar) }
    }
    // A backslash at the end stands for itself.
    return isEscaped ? "" : String(prefix)
  }

  /// The letters, digits and spaces before the first metacharacter; empty if the pattern has several branches.
  private static func prefix(ofRegularExpression pattern: String) -> String {
    let scalars = Array(pattern.unicodeScalars)
    if scalars.contains("|") || scalars.contains("\\") { return "" }
    var prefix: [Unicode.Scalar] = []
    for scalar in scalars[(scalars.first == "^" ? 1 : 0)...] {
      let isLiteral =
        scalar.properties.isAlphabetic || scalar.properties.numericType != nil
        || " _,:;-".unicodeScalars.contains(scalar)
      if isLiteral {
        prefix.append(scalar)
        continue
      }
      // An optional or repeated character is not part of the prefix.
      if scalar == "*" || scalar == "?" || scalar == "{" { _ = prefix.popLast() }
      break
    }
    return String(String.UnicodeScalarView(prefix))
  }

  // MARK: Parts of dates

  /// `year(time) == 2024` as a range of the date; nil for other comparisons.
  func range(
    _ left: SQLOperand, _ sign: String, _ right: SQLOperand, _ comparison: Comparison
  ) throws -> SQLCondition? {
    guard comparison.options.isPlain else { return nil }
    if let part = left.datePart, let constant = right.constant { return range(part, sign, constant) }
    if let part = right.datePart, let constant = left.constant { return range(part, mirror(sign), constant) }
    return nil
  }

  private func range(
    _ part: DatePart, _ sign: String, _ constant: Value
  ) -> SQLCondition? {
    guard let period = part.function.period(constant) else { return nil }
    let calendar = (start: Double(Calendar.start), end: Double(Calendar.end))
    let bounds: (start: Double, end: Double)
    switch sign {
    case "=": bounds = (period.start, period.end)
    case "<": bounds = (calendar.start, period.start)
    case "<=": bounds = (calendar.start, period.end)
    case ">": bounds = (period.end, calendar.end)
    case ">=": bounds = (period.start, calendar.end)
    default: return nil
    }
    let (start, end) = (Value.date(Timestamp(bounds.start)), Value.date(Timestamp(bounds.end)))
    return part.date.isWithin(start, end)
  }

  /// The operator for exchanged sides.
  func mirror(_ sign: String) -> String {
    switch sign.first {
    case "<" where sign != "<>": sign.replacing("<", with: ">")
    case ">": sign.replacing(">", with: "<")
    default: sign
    }
  }

  // MARK: Lower case

  /// The indexed column that holds an attribute's text in lower case, as `lowercase(name)` derives it in Perilune's own
  /// format.
  func loweredColumn(of attribute: Attribute, _ column: ColumnLayout, at place: SQLPlace) -> SQLFragment? {
    guard attribute.type == .string, column.isExact else { return nil }
    let layout = schema.layout(place.entity)
    let derivation = Queries.Expression.call(.lowercase, .path(PropertyPath([attribute.name])))
    for (property, kept) in zip(place.entity.properties, layout.properties) {
      guard case .column(let position) = kept, let derived = property.attribute, derived.isIndexed,
        let text = derived.derivation, text.contains(attribute.name), layout.columns[position].isExact,
        !layout.columns[position].isWritable, (try? Queries.Expression.parse(text)) == derivation
      else { continue }
      return place.column(layout.columns[position].name)
    }
    return nil
  }

  /// A condition on the lower-case column that helps an equality without case; nil if there is none.
  ///
  /// SQLite's `lower` changes only ASCII letters, so a text in the column may contain other characters that equal ASCII
  /// letters without case, such as the Kelvin sign. The condition therefore lists all spellings.
  func lowered(_ left: SQLOperand, _ right: SQLOperand, _ options: ComparisonOptions) -> SQLCondition? {
    guard options.applied == .caseInsensitive, let column = left.lowered ?? right.lowered,
      case .string(let wanted)? = left.constant ?? right.constant, let spellings = LoweredSpellings.all(of: wanted)
    else { return nil }
    let values = spellings.map { SQLFragment(value: .string($0)) }
    if values.count == 1 { return SQLCondition("\(column) = \(values[0])") }
    return SQLCondition("\(column) IN (\(values.joined(separator: ", ")))")
  }
}

extension ExpressionFunction {
  /// The seconds at which the period begins whose part of a date is `value`, and those at which it ends; nil if no date
  /// has that part.
  fileprivate func period(_ value: Value) -> (start: Double, end: Double)? {
    func start(_ text: String) -> Double? { Timestamp(iso8601: text)?.seconds }
    switch (self, value) {
    case (.year, .int(let year)) where (1...9999).contains(year):
      func padded(_ year: Int64) -> String { String(String(10_000 + year).suffix(4)) }
      guard let first = start("\(padded(year))-01-01") else { return nil }
      return (first, year == 9999 ? Double(Calendar.end) : start("\(padded(year + 1))-01-01") ?? first)
    case (.month, .string(let month)) where month.utf8.count == 7:
      guard let first = start("\(month)-01"), Timestamp(first).monthText == month else { return nil }
      // 31 days later is one of the first days of the next month.
      return (first, start("\(Timestamp(first + 31 * 86400).monthText)-01") ?? Double(Calendar.end))
    case (.day, .string(let day)) where day.utf8.count == 10:
      guard let first = start(day), Timestamp(first).dayText == day else { return nil }
      return (first, first + 86400)
    default: return nil
    }
  }
}
