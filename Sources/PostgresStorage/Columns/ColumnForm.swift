import Modeling
import Postgres

/// How a column of PostgreSQL keeps its values, and the attribute type that they have here.
struct ColumnForm: Hashable {
  /// The forms in which the server sends a column, as it is selected.
  enum Kind: Hashable {
    case boolean
    case integer
    case real
    case numeric
    case text
    case bytes
    /// A `timestamptz`: an instant.
    case instant
    /// A `timestamp`, which is taken as UTC.
    case civilTime
    /// A `date`, which is taken as its first moment in UTC.
    case day
    case uuid
    case json
    /// A value that is known by its text, such as a label of an enum: read and written as text.
    case label
    /// A type that is only read, as the text that the server prints; arrays as JSON.
    case foreign(isArray: Bool)
  }

  let kind: Kind
  /// The type, as SQL names it.
  let typeName: String
  /// The type in whose binary form values are written, that of a domain's ground; text for a label.
  let wireType: UInt32
  /// Whether only stores of our own have such columns.
  private(set) var isOwn = false

  /// The form of a type by its name in the catalog; `isEnum` for one with labels, `isArray` for one of several values.
  init(typeName: String, name: String, isEnum: Bool = false, isArray: Bool = false) {
    self.typeName = typeName
    wireType = Self.wireTypes[name] ?? PostgresType.text
    kind =
      switch name {
      case _ where isArray: .foreign(isArray: true)
      case _ where isEnum: .label
      case "bool": .boolean
      case "int2", "int4", "int8": .integer
      case "float4", "float8": .real
      case "numeric": .numeric
      case "text", "varchar": .text
      case "bpchar", "name", "citext": .label
      case "bytea": .bytes
      case "timestamptz": .instant
      case "timestamp": .civilTime
      case "date": .day
      case "uuid": .uuid
      case "json", "jsonb": .json
      default: .foreign(isArray: false)
      }
  }

  /// The form that columns of our own stores have.
  init(own type: AttributeType) {
    switch type {
    case .integer16, .integer32, .integer64: self.init(typeName: "bigint", name: "int8")
    case .boolean: self.init(typeName: "boolean", name: "bool")
    case .double, .float: self.init(typeName: "double precision", name: "float8")
    case .decimal: self.init(typeName: "numeric", name: "numeric")
    case .date: self.init(typeName: "timestamptz", name: "timestamptz")
    case .uuid: self.init(typeName: "uuid", name: "uuid")
    case .data: self.init(typeName: "bytea", name: "bytea")
    case .transformable, .composite: self.init(typeName: "jsonb", name: "jsonb")
    case .string, .url, .any: self.init(typeName: "text", name: "text")
    }
    isOwn = true
  }

  /// The type of attributes that such a column holds.
  func attributeType(ofType name: String) -> AttributeType {
    switch kind {
    case .boolean: .boolean
    case .integer: name == "int2" ? .integer16 : name == "int4" ? .integer32 : .integer64
    case .real: name == "float4" ? .float : .double
    case .numeric: .decimal
    case .text, .label: .string
    case .bytes: .data
    case .instant, .civilTime, .day: .date
    case .uuid: .uuid
    case .json: .transformable
    case .foreign(let isArray): isArray ? .transformable : .string
    }
  }

  /// Whether numbers may be NaN, which is read as nil and never written.
  var mayHoldNaN: Bool { (kind == .real || kind == .numeric) && !isOwn }

  /// Whether values can be written.
  var isWritable: Bool { if case .foreign = kind { false } else { true } }

  /// The column as it is selected, in a form that `ColumnReader` reads.
  func selected(_ column: String) -> String {
    switch kind {
    case .label, .numeric, .json: "\(column)::text"
    case .foreign(let isArray): isArray ? "to_json(\(column))::text" : "\(column)::text"
    case .boolean, .integer, .real, .text, .bytes, .instant, .civilTime, .day, .uuid: column
    }
  }

  /// The column as it is compared with values of its attribute's type.
  func compared(_ column: String) -> String {
    switch kind {
    case .label: "\(column)::text"
    default: column
    }
  }

  /// The types by their names in the catalog whose binary form is not that of a text.
  private static let wireTypes: [String: UInt32] = [
    "bool": PostgresType.bool, "int2": PostgresType.int2, "int4": PostgresType.int4, "int8": PostgresType.int8,
    "float4": PostgresType.float4, "float8": PostgresType.float8, "numeric": PostgresType.numeric,
    "bytea": PostgresType.bytea, "timestamptz": PostgresType.timestamptz, "timestamp": PostgresType.timestamp,
    "date": PostgresType.date, "uuid": PostgresType.uuid, "json": PostgresType.json, "jsonb": PostgresType.jsonb,
    "bpchar": PostgresType.bpchar, "name": PostgresType.name,
  ]
}
