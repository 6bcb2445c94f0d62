import Layouts
import Modeling
import Postgres
import Queries
import Stores

/// A comparison of a column's value as SQL: a condition that holds for exactly the rows for which the comparison is true,
/// or, negated, false.
struct PostgresComparison {
  let left: PostgresOperand
  let comparison: Comparison
  let isNegated: Bool
  let store: PostgresStore

  init(_ left: PostgresOperand, _ comparison: Comparison, isNegated: Bool, _ store: PostgresStore) {
    self.left = left
    self.comparison = comparison
    self.isNegated = isNegated
    self.store = store
  }

  /// The operator; for a negated comparison the opposite one.
  private var comparator: Comparator { isNegated ? comparison.comparator.opposite : comparison.comparator }

  /// Whether bytes are compared, without folding and in no language's order.
  private var isPlain: Bool { comparison.options.isPlain }

  // MARK: Constants

  /// Compares with one value.
  func constant(_ value: Value) -> PostgresCondition? {
    if value.isNull {
      switch comparison.comparator {
      case .equal, .notEqual:
        guard case .value(let form) = left.content, form.mayHoldNaN else {
          return .exact(left.isNull(comparator == .equal))
        }
        let value: PostgresSQL = "NULLIF(\(left.sql), 'NaN')"
        return .exact("\(value) IS \(raw: comparator == .equal ? "" : "NOT ")NULL")
      case .less, .lessOrEqual, .greater, .greaterOrEqual: return .no
      default: return nil
      }
    }
    switch left.content {
    case .object(let entity, let target): return object(value, entity, target)
    case .value(let form):
      if comparison.comparator.isStringOperator { return text(value, form) }
      // A lone value as the right side of IN may be a text to look in, or a list in JSON.
      guard comparison.comparator.isEquality || comparison.comparator.isOrder else { return nil }
      guard let bound = ComparedConstant(value, form) else { return nil }
      return ordered(bound, form, comparator)
    }
  }

  private func object(_ value: Value, _ entity: Entity, _ target: ReferenceTarget) -> PostgresCondition? {
    guard case .object(let id) = value, id.entity.root === entity.root,
      comparator == .equal || comparator == .notEqual
    else { return nil }
    var values = store.keyValues(of: id.entity, key: id.key)
    if case .columns(let names) = target, names != store.layout(of: entity).key.columns { return nil }
    if id.isTemporary { values = [] }
    guard values.count == left.columns.count, !values.contains(where: \.isNull) else {
      // No row refers to an object without a row.
      return comparator == .equal ? .no : .exact(left.isNull(false))
    }
    let layout = store.layout(of: entity)
    var tests: [PostgresSQL] = []
    for ((column, name), value) in zip(zip(left.columns, layout.key.columns), values) {
      guard let argument = store.tables.form(layout.table, name).written(value) else { return nil }
      tests.append("\(column) = \(argument)")
    }
    let same: PostgresSQL = tests.joined(" AND ")
    return .exact(comparator == .equal ? "(\(same))" : "NOT (\(same))")
  }

  private func ordered(_ bound: ComparedConstant, _ form: ColumnForm, _ comparator: Comparator) -> PostgresCondition? {
    let sql: PostgresSQL = form.isOrderedByBytes && comparator.isOrder ? "\(left.sql) COLLATE \"C\"" : left.sql
    var condition: PostgresSQL
    switch (bound, comparator) {
    case (.never, .notEqual): condition = left.isNull(false)
    case (.never, _): return .no
    case (.exactly(let argument), _):
      guard isPlain || form.kind != .text && form.kind != .label else { return nil }
      condition = "\(sql) \(raw: comparator.sql) \(argument)"
    case (.between, .equal): return .no
    case (.between, .notEqual): condition = left.isNull(false)
    case (.between(let below, _), .less), (.between(let below, _), .lessOrEqual): condition = "\(sql) <= \(below)"
    case (.between(_, let above), .greater), (.between(_, let above), .greaterOrEqual):
      condition = "\(sql) >= \(above)"
    default: return nil
    }
    // In PostgreSQL, NaN is greater than all numbers; here it is nil.
    if form.mayHoldNaN, [.notEqual, .greater, .greaterOrEqual].contains(comparator) {
      condition = "(\(condition) AND \(left.sql) <> 'NaN')"
    }
    return .exact(condition)
  }

  // MARK: Lists

  /// IN and BETWEEN.
  func list(_ values: [Value]) -> PostgresCondition? {
    switch comparison.comparator {
    case .between:
      guard values.count == 2, !values.contains(where: \.isNull) else { return nil }
      let (low, high) = (part(.greaterOrEqual, values[0]), part(.lessOrEqual, values[1]))
      return isNegated ? .any([low, high]) : .all([low, high])
    case .in:
      if values.contains(where: \.isNull) || !isPlain { return nil }
      if let array = array(values) { return array }
      let parts = values.map { part(.equal, $0) }
      return isNegated ? .all(parts) : .any(parts)
    default: return nil
    }
  }

  private func part(_ comparator: Comparator, _ value: Value) -> PostgresCondition? {
    var comparison = comparison
    comparison.comparator = comparator
    return PostgresComparison(left, comparison, isNegated: isNegated, store).constant(value)
  }

  /// IN with all values as one argument, or one for each column of a key.
  private func array(_ values: [Value]) -> PostgresCondition? {
    if values.count < 2 { return nil }
    switch left.content {
    case .object(let entity, let target): return objects(values, entity, target)
    case .value(let form):
      let elements = values.compactMap { element($0, form) }
      guard elements.count == values.count else { return nil }
      let argument = form.array(elements)
      if !isNegated { return .exact("\(left.sql) = ANY(\(argument))") }
      let isNone: PostgresSQL = "\(left.sql) <> ALL(\(argument))"
      // In PostgreSQL, NaN is a value; here it is nil.
      return .exact(form.mayHoldNaN ? "(\(isNone) AND \(left.sql) <> 'NaN')" : isNone)
    }
  }

  /// A value that the column can hold as it is; nil for one that must be compared alone.
  private func element(_ value: Value, _ form: ColumnForm) -> PostgresArgument? {
    switch (form.kind, value) {
    case (.integer, .int), (.numeric, .int), (.numeric, .decimal), (.uuid, .uuid), (.bytes, .data): form.element(value)
    case (.real, .double(let number)): number.isNaN ? nil : .double(number)
    case (.text, .string(let text)), (.label, .string(let text)): text.utf8.contains(0) ? nil : .text(text)
    case (.instant, .date), (.civilTime, .date):
      if case .exactly = ComparedConstant(value, form) { form.element(value) } else { nil }
    default: nil
    }
  }

  /// The same for objects; no row refers to those without a row.
  private func objects(_ values: [Value], _ entity: Entity, _ target: ReferenceTarget) -> PostgresCondition? {
    let layout = store.layout(of: entity)
    if case .columns(let names) = target, names != layout.key.columns { return nil }
    var keys: [[Value?]] = []
    for value in values {
      guard case .object(let id) = value, id.entity.root === entity.root else { return nil }
      let key = id.isTemporary ? [] : store.keyValues(of: id.entity, key: id.key)
      if key.count == left.columns.count, !key.contains(where: \.isNull) { keys.append(key) }
    }
    let columns = zip(left.columns, layout.key.columns).map {
      SoughtRows.Column(sql: $0, form: store.tables.form(layout.table, $1))
    }
    guard let condition = SoughtRows(columns, keys).condition else {
      return isNegated ? .exact(left.isNull(false)) : .no
    }
    return .exact(isNegated ? "NOT (\(condition))" : condition)
  }

  // MARK: Text

  private func text(_ value: Value, _ form: ColumnForm) -> PostgresCondition? {
    guard form.kind == .text || form.kind == .label, isPlain, let text = value.plainText, !text.utf8.contains(0) else {
      return nil
    }
    switch comparison.comparator {
    case .contains: return search(.contains, text)
    case .beginsWith: return search(.beginsWith, text)
    case .endsWith: return search(.endsWith, text)
    case .like:
      // A pattern whose only wildcards are stars at its ends is one of the others.
      if text.contains("?") || text.contains("\\") { return nil }
      let inner = text.split(separator: "*", omittingEmptySubsequences: true)
      guard inner.count == 1 else { return nil }
      let (first, last) = (text.hasPrefix("*"), text.hasSuffix("*"))
      let word = String(inner[0])
      if first { return search(last ? .contains : .endsWith, word) }
      if last { return search(.beginsWith, word) }
      return .exact("\(left.sql) \(raw: isNegated ? "<>" : "=") \(.text(word))")
    default: return nil
    }
  }

  private func search(_ comparator: Comparator, _ text: String) -> PostgresCondition? {
    // No text contains an empty one.
    if text.isEmpty { return isNegated ? .exact(left.isNull(false)) : .no }
    switch comparator {
    case .contains: return .exact("strpos(\(left.sql), \(.text(text))) \(raw: isNegated ? "=" : ">") 0")
    case .beginsWith: return .exact("\(raw: isNegated ? "NOT " : "")starts_with(\(left.sql), \(.text(text)))")
    default:
      let count = Int64(text.unicodeScalars.count)
      return .exact(
        "right(\(left.sql), \(.int(count))::int) COLLATE \"C\" \(raw: isNegated ? "<>" : "=") \(.text(text))")
    }
  }

  // MARK: Columns

  /// Compares with another column of the same form.
  func operand(_ right: PostgresOperand) -> PostgresCondition? {
    switch (left.content, right.content) {
    case (.object(let one, let target), .object(let other, let otherTarget)):
      guard one.root === other.root, target == otherTarget, left.columns.count == right.columns.count,
        comparator == .equal || comparator == .notEqual
      else { return nil }
      let same = zip(left.columns, right.columns).map { "\($0) = \($1)" as PostgresSQL }.joined(" AND ")
      return .exact(comparator == .equal ? "(\(same))" : "NOT (\(same))")
    case (.value(let one), .value(let other)):
      guard one.kind == other.kind, one.isComparable, comparator.isOrder || comparator.isEquality, isPlain else {
        return nil
      }
      let collation: PostgresSQL = one.isOrderedByBytes ? " COLLATE \"C\"" : ""
      var condition: PostgresSQL = "\(left.sql)\(collation) \(raw: comparator.sql) \(right.sql)\(collation)"
      if one.mayHoldNaN || other.mayHoldNaN {
        condition = "(\(condition) AND \(left.sql) <> 'NaN' AND \(right.sql) <> 'NaN')"
      }
      return .exact(condition)
    default: return nil
    }
  }
}

extension ColumnForm {
  fileprivate var isOrderedByBytes: Bool { kind == .text || kind == .label }

  fileprivate var isComparable: Bool {
    switch kind {
    case .boolean, .integer, .real, .numeric, .text, .label, .bytes, .instant, .civilTime, .day, .uuid: true
    case .json, .foreign: false
    }
  }
}

extension Comparator {
  var isEquality: Bool { self == .equal || self == .notEqual }
  var isOrder: Bool { [.less, .lessOrEqual, .greater, .greaterOrEqual].contains(self) }
  var sql: String { self == .equal ? "=" : self == .notEqual ? "<>" : rawValue }

  /// The operator that is true where this one is false.
  fileprivate var opposite: Comparator {
    switch self {
    case .equal: .notEqual
    case .notEqual: .equal
    case .less: .greaterOrEqual
    case .lessOrEqual: .greater
    case .greater: .lessOrEqual
    case .greaterOrEqual: .less
    case .between, .in, .contains, .beginsWith, .endsWith, .like, .matches: self
    }
  }
}

extension Value {
  fileprivate var plainText: String? {
    switch self {
    case .string(let text), .url(let text): text
    default: nil
    }
  }
}

/// A constant beside the values of a column.
private enum ComparedConstant {
  /// A value that the column can hold.
  case exactly(PostgresSQL)
  /// A value between two that it can hold.
  case between(PostgresSQL, PostgresSQL)
  /// A value that is neither equal to any, nor before or after one.
  case never

  /// Nil if the database would compare otherwise.
  init?(_ value: Value, _ form: ColumnForm) {
    switch form.kind {
    case .integer: self.init(integer: value)
    case .real: self.init(real: value)
    case .numeric:
      switch value {
      case .int, .decimal: self.init(written: value, form)
      case .double(let number):
        if number.isNaN { self = .never } else { self.init(written: value, form) }
      default: return nil
      }
    case .boolean:
      switch value {
      case .bool: self.init(written: value, form)
      case .int(let number) where number == 0 || number == 1: self.init(written: value, form)
      default: return nil
      }
    case .text, .label:
      guard let text = value.plainText, !text.utf8.contains(0) else { return nil }
      self = .exactly(PostgresSQL(.text(text)))
    case .bytes:
      guard case .data = value else { return nil }
      self.init(written: value, form)
    case .uuid:
      guard case .uuid = value else { return nil }
      self.init(written: value, form)
    case .instant, .civilTime, .day: self.init(date: value, form)
    case .json, .foreign: return nil
    }
  }

  private init?(written value: Value, _ form: ColumnForm) {
    guard let sql = form.written(value) else { return nil }
    self = .exactly(sql)
  }

  private init?(integer value: Value) {
    switch value {
    case .int(let number): self = .exactly(PostgresSQL(.int(number)))
    case .bool(let flag): self = .exactly(PostgresSQL(.int(flag ? 1 : 0)))
    case .double(let number):
      if number.isNaN {
        self = .never
      } else if let whole = Int64(exactly: number) {
        self = .exactly(PostgresSQL(.int(whole)))
      } else if let below = Int64(exactly: number.rounded(.down)), let above = Int64(exactly: number.rounded(.up)) {
        self = .between(PostgresSQL(.int(below)), PostgresSQL(.int(above)))
      } else {
        return nil
      }
    default: return nil
    }
  }

  private init?(real value: Value) {
    switch value {
    case .double(let number): self = number.isNaN ? .never : .exactly(PostgresSQL(.double(number)))
    case .int(let number):
      guard let double = Double(exactly: number) else { return nil }
      self = .exactly(PostgresSQL(.double(double)))
    case .decimal(let number):
      // A double beside a decimal is read as its shortest notation.
      guard let double = Double(number.canonicalText), Value.double(double).decimalValue == number else { return nil }
      self = .exactly(PostgresSQL(.double(double)))
    default: return nil
    }
  }

  private init?(date value: Value, _ form: ColumnForm) {
    // Within these years each microsecond is a number of its own.
    guard case .date(let date) = value, abs(date.seconds) < 8_000_000_000,
      case .timestamp(let nearest)? = ColumnForm.instant(date)
    else { return nil }
    func bound(_ microseconds: Int64) -> PostgresSQL {
      let argument = PostgresSQL(.timestamp(microsecondsSince2000: microseconds))
      return form.kind == .instant ? argument : "(\(argument) AT TIME ZONE 'UTC')"
    }
    let seconds = ColumnForm.seconds(microseconds: nearest)
    if seconds == date.seconds {
      self = .exactly(bound(nearest))
    } else if seconds < date.seconds {
      self = .between(bound(nearest), bound(nearest + 1))
    } else {
      self = .between(bound(nearest - 1), bound(nearest))
    }
  }
}
