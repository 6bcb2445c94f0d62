/// A column of a relation, or an attribute of a composite type.
public struct PostgresColumn: Hashable, Sendable {
  /// Who gives a new row its value.
  public enum Identity: Hashable, Sendable {
    /// The server, unless OVERRIDING says otherwise.
    case always
    /// The server, where the statement gives none.
    case byDefault
  }

  /// The name.
  public var name: String
  /// The place among the columns, from 1, that stays as others are dropped.
  public var number: Int
  /// The number of its type.
  public var type: UInt32
  /// The type as SQL writes it: `character varying(20)`, `public.mood[]`.
  public var typeName: String
  /// What the type is limited to, in the server's form; -1 without.
  public var typeModifier: Int32 = -1
  /// Whether it may be NULL, its domain asked as well.
  public var isNullable = true
  /// The expression of its default.
  public var defaultExpression: String?
  /// Whether the server numbers the rows by it, and when.
  public var identity: Identity?
  /// The expression that the server computes it by, whenever the row is written.
  public var generationExpression: String?
  /// The collation, where it is another than the type's.
  public var collation: String?
  /// What COMMENT ON says of it.
  public var comment: String?

  /// Whether the server draws the default from a sequence: an identity, or what SERIAL makes.
  public var isNumberedByServer: Bool {
    identity != nil || defaultExpression?.lowercased().hasPrefix("nextval(") == true
      || defaultExpression?.lowercased().hasPrefix("unique_rowid(") == true
  }

  /// The precision and scale of a `numeric`; nil where it has none.
  public var precision: (digits: Int, scale: Int)? {
    guard type == PostgresType.numeric, typeModifier >= 4 else { return nil }
    let bits = typeModifier - 4
    // The scale has eleven bits and a sign.
    let scale = (Int(bits) & 0x7FF ^ 1024) - 1024
    return (Int(bits >> 16) & 0xFFFF, scale)
  }

  /// The most characters of a `varchar` or `bpchar`; nil without.
  public var maximumLength: Int? {
    guard [PostgresType.varchar, PostgresType.bpchar].contains(type), typeModifier >= 4 else { return nil }
    return Int(typeModifier) - 4
  }
}
