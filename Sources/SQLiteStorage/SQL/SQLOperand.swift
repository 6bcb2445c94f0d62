import Foundation
import Modeling
import Queries
import SQLite

/// The kind of value that an SQL expression yields, which decides how it is compared.
enum SQLKind: Hashable {
  /// Always NULL.
  case null
  case boolean
  /// An INTEGER or REAL.
  case number
  /// Decimal text, ordered by the collation `decimal`.
  case decimal
  case text
  /// Seconds since 1970.
  case date
  case uuid
  case data
  /// JSON text.
  case json
  /// Any storage class: a column without a declared type.
  case any

  /// The kind of an attribute's column.
  init(_ type: AttributeType) {
    self =
      switch type {
      case .integer16, .integer32, .integer64, .double, .float: .number
      case .decimal: .decimal
      case .string, .url: .text
      case .boolean: .boolean
      case .date: .date
      case .uuid: .uuid
      case .data: .data
      case .transformable, .composite: .json
      case .any: .any
      }
  }

  /// The kind of a constant; nil for objects and lists, which no single column holds.
  init?(_ value: Value) {
    switch value {
    case .null: self = .null
    case .bool: self = .boolean
    case .int, .double: self = .number
    case .decimal: self = .decimal
    case .string, .url: self = .text
    case .date: self = .date
    case .uuid: self = .uuid
    case .data: self = .data
    case .json: self = .json
    case .object, .list: return nil
    }
  }

  /// Whether arithmetic takes it as a number: Booleans are 0 and 1.
  var isNumeric: Bool { self == .number || self == .decimal || self == .boolean }

  /// The type with which a value read back is decoded.
  var attributeType: AttributeType {
    switch self {
    case .null, .any, .number: .any
    case .boolean: .boolean
    case .decimal: .decimal
    case .text: .string
    case .date: .date
    case .uuid: .uuid
    case .data: .data
    case .json: .transformable
    }
  }
}

/// An expression in SQL.
struct SQLOperand {
  /// SQL that needs no parentheses around it.
  var sql: SQLFragment
  var kind: SQLKind
  /// Whether every value is known to be of the kind. In plain SQLite files a column may hold any value.
  var isExact = true
  /// The constant from which it was made.
  var constant: Value?
  /// The type as which values are shown, if it is narrower than the kind.
  var type: AttributeType?
  /// The entity, if the values are keys of objects.
  var entity: Entity?
  /// The composite attribute, or its element, if the values are its values.
  var composite: Attribute?
  /// The JSON array that the value may be.
  var array: JSONArray?
  /// The value for string operators, if it differs from the value itself: JSON that is a text.
  var text: SQLFragment?
  /// The part of a date that the expression is.
  var datePart: DatePart?
  /// The column from which the value is read, if its encoding differs from our own form.
  var kept: KeptColumn?
  /// An indexed column that holds the same text in lower case, as SQLite's `lower` makes it.
  var lowered: SQLFragment?

  /// The constant nil.
  static let null = SQLOperand(sql: "NULL", kind: .null, constant: .null)
  /// The result of a function for nil.
  static let nothing = SQLOperand(sql: "NULL", kind: .null)

  var isNull: Bool { kind == .null }
}

/// The part of a date that a function such as `year` returns.
///
/// This and `KeptColumn` are classes, because deep expressions hold operands in many stack frames and few operands have
/// either.
final class DatePart: Sendable {
  let function: ExpressionFunction
  /// The date as SQL.
  let sql: SQLFragment
  /// The column from which the date is read, if its encoding differs from our own form.
  let kept: KeptColumn?

  init(function: ExpressionFunction, sql: SQLFragment, kept: KeptColumn?) {
    self.function = function
    self.sql = sql
    self.kept = kept
  }

  /// The date itself.
  var date: SQLOperand { SQLOperand(sql: sql, kind: .date, kept: kept) }
}

/// A column whose encoding differs from our own form.
final class KeptColumn: Sendable {
  let sql: SQLFragment
  private let encoding: ColumnEncoding

  init(sql: SQLFragment, encoding: ColumnEncoding) {
    self.sql = sql
    self.encoding = encoding
  }

  /// A constant in the column's encoding; nil if order or equality would differ there.
  func stored(_ constant: Value) -> Value? {
    switch (encoding, constant) {
    case (.uuidBytes, .string(let text)): UUID(uuidString: text).flatMap { stored(.uuid($0)) }
    case (.referenceDate, .date), (.uuidBytes, .uuid):
      ColumnLayout(name: "", type: .any, isWritable: false, encoding: encoding).stored(constant)
    default: nil
    }
  }

  /// Whether it holds dates as texts.
  var isDateText: Bool { encoding.isDateText }

  /// Whether it holds what a transformer made of values.
  var isArchive: Bool { encoding == .archive || encoding == .transformed }

  /// The numbers that are read as a date, if the column keeps seconds since 2001.
  func dates(_ date: Timestamp) -> ReferenceDateRange? { encoding == .referenceDate ? ReferenceDateRange(date) : nil }
}

/// An object in SQL: the columns that identify it.
struct SQLObject {
  var entity: Entity
  /// The content of the columns: the key, or other unique values of the object.
  var target: ReferenceTarget
  var columns: [SQLFragment]
  /// The place from which the object's own columns can be read; nil for constants.
  var place: SQLPlace?
  /// The relationship that leads from `place` to the object; nil if the object is the row at `place`.
  var relationship: Int?
}
