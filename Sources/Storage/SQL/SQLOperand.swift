import Foundation
import Modeling
import Queries
import SQLite

/// What kind of value a piece of SQL yields, which decides how it is compared.
enum SQLKind: Hashable {
  /// NULL only.
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
  /// Whatever SQLite holds.
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

  /// Whether it is a number to arithmetic: Booleans are 0 and 1.
  var isNumeric: Bool { self == .number || self == .decimal || self == .boolean }

  /// The type by which a value read back is decoded.
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
  /// Text that needs no parentheses around it.
  var sql: SQLFragment
  var kind: SQLKind
  /// Whether every value is known to be of the kind; in files made elsewhere a column holds what was put there.
  var isExact = true
  /// The constant it was made from.
  var constant: Value?
  /// The type the values are shown as, where it is narrower than the kind.
  var type: AttributeType?
  /// The entity of the objects whose keys it yields.
  var entity: Entity?
  /// The composite attribute, or element, whose values it yields.
  var composite: Attribute?
  /// The array in JSON that the value may be.
  var array: JSONArray?
  /// The value as operators of text see it, where that is not the value itself: JSON that is a text.
  var text: SQLFragment?
  /// The date that it is a part of.
  var datePart: DatePart?
  /// The column it was read from, where that keeps it in another form.
  var kept: KeptColumn?
  /// An indexed column that holds the same text in lower case, as SQLite's `lower` makes it.
  var lowered: SQLFragment?

  /// The constant nil.
  static let null = SQLOperand(sql: "NULL", kind: .null, constant: .null)
  /// What a function gives for nil.
  static let nothing = SQLOperand(sql: "NULL", kind: .null)

  var isNull: Bool { kind == .null }
}

/// What a function such as `year` takes out of a date.
///
/// A class, like what follows: operands are held in many frames of deep expressions, and few have either.
final class DatePart: Sendable {
  let function: ExpressionFunction
  /// The date as SQL.
  let sql: SQLFragment
  /// The column that it was read from, where that keeps it in another form.
  let kept: KeptColumn?

  init(function: ExpressionFunction, sql: SQLFragment, kept: KeptColumn?) {
    self.function = function
    self.sql = sql
    self.kept = kept
  }

  /// The date itself.
  var date: SQLOperand { SQLOperand(sql: sql, kind: .date, kept: kept) }
}

/// A column that keeps an operand's values in a form of its own.
final class KeptColumn: Sendable {
  let sql: SQLFragment
  private let encoding: ColumnEncoding

  init(sql: SQLFragment, encoding: ColumnEncoding) {
    self.sql = sql
    self.encoding = encoding
  }

  /// A constant as the column keeps it, if order and equality are the same there.
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

  /// The numbers that are read as a date, where the column keeps dates in a form of its own.
  func dates(_ date: Timestamp) -> ReferenceDateRange? { encoding == .referenceDate ? ReferenceDateRange(date) : nil }
}

/// An object in SQL: what identifies it, column by column.
struct SQLObject {
  var entity: Entity
  /// What the columns hold: the key, or other unique values of the object.
  var target: ReferenceTarget
  var columns: [SQLFragment]
  /// Where the object's own columns can be read; nil for constants.
  var place: SQLPlace?
  /// The relationship that leads to the object, from `place`; nil when it stands at `place`.
  var relationship: Int?
}
