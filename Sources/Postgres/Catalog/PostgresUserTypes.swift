/// A type with a list of values.
public struct PostgresEnum: Hashable, Sendable {
  /// The type's number.
  public var oid: UInt32
  /// Its schema.
  public var schema: String
  /// Its name.
  public var name: String
  /// The values in their order.
  public var labels: [String]
}

/// A type that is another one with conditions.
public struct PostgresDomain: Hashable, Sendable {
  /// The type's number.
  public var oid: UInt32
  /// Its schema.
  public var schema: String
  /// Its name.
  public var name: String
  /// The type that it is made of, which may be a domain itself.
  public var baseType: UInt32
  /// What that is limited to; -1 without.
  public var typeModifier: Int32
  /// Whether it may be NULL.
  public var isNullable: Bool
  /// The expression of its default.
  public var defaultExpression: String?
  /// What its values must meet; `VALUE` stands for one.
  public var checks: [PostgresCheck] = []
}

/// A type of several attributes.
public struct PostgresComposite: Hashable, Sendable {
  /// The type's number.
  public var oid: UInt32
  /// Its schema.
  public var schema: String
  /// Its name.
  public var name: String
  /// The attributes in their order.
  public var attributes: [PostgresColumn] = []
}
