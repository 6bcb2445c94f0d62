public import StoreErrors

/// What a database holds: its schemas, tables and types, those of the server itself left out.
///
///     let catalog = try PostgresCatalog(connection)
///     catalog.tables.map(\.name)
///
/// It is read in one round trip, as of one moment.
public struct PostgresCatalog: Sendable {
  /// The schemas that the user may look into: first those of the search path, in its order.
  public var schemas: [String] = []
  /// The schemas in which names without one are looked for.
  public var searchPath: [String] = []
  /// Tables, views and the like, by schema in the order of `schemas`, then by name. Partitions are left out: the
  /// partitioned table stands for them.
  public var tables: [PostgresTable] = []
  /// Enums by their numbers.
  public var enums: [UInt32: PostgresEnum] = [:]
  /// Domains by their numbers.
  public var domains: [UInt32: PostgresDomain] = [:]
  /// Composite types by their numbers; those of tables left out.
  public var composites: [UInt32: PostgresComposite] = [:]
  /// Range and multirange types, with the types that they are ranges of, those of the server included.
  public var ranges: [UInt32: UInt32] = [:]
  /// Array types with the types of their elements, those of the server included.
  public var arrays: [UInt32: UInt32] = [:]
  /// The conditions of domains, which are read before these.
  var domainChecks: [UInt32: [PostgresCheck]] = [:]

  /// Reads the catalog of the database that a connection is to.
  ///
  /// - Throws: `StoreError`.
  public init(_ connection: PostgresConnection) throws(StoreError) {
    let answers = try connection.pipeline(
      CatalogQuery.allCases.map { ($0.sql(serverVersion: connection.serverVersion), []) })
    for (query, answer) in zip(CatalogQuery.allCases, answers) { read(query, answer) }
    order()
  }

  /// The table of a name; the first on the search path where no schema is given.
  public func table(_ name: String, schema: String? = nil) -> PostgresTable? {
    if let schema { return tables.first { $0.name == name && $0.schema == schema } }
    return searchPath.lazy.compactMap { schema in tables.first { $0.name == name && $0.schema == schema } }.first
  }

  /// The type that values of a type are written in: what a domain is of, and so on to its ground.
  public func baseType(of type: UInt32) -> UInt32 {
    var base = type
    // A domain is made of types that were there before it, so that this ends; a broken catalog must not make it endless.
    for _ in 0..<64 {
      guard let domain = domains[base] else { break }
      base = domain.baseType
    }
    return base
  }
}
