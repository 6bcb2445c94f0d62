/// The tables and functions that SQL can name in a database.
public struct DatabaseSchema {
  /// A column and its declared type.
  public struct Column: Equatable, Sendable {
    public var name: String
    public var type: String
  }

  /// A column that refers to a column of another table.
  public struct ForeignKey: Equatable, Sendable {
    public var column: String
    public var table: String
    public var target: String
  }

  /// A table or view.
  public struct Table: Sendable {
    public var name: String
    public var isView = false
    public var columns: [Column] = []
    public var foreignKeys: [ForeignKey] = []
  }

  /// The tables and views, sorted by name.
  public private(set) var tables: [Table] = []
  /// The sorted names of functions.
  public var functions: [String] = []
  private var places: [String: Int] = [:]

  /// Creates an empty schema.
  public init() {}

  /// Returns the table or view of that name; case does not count.
  public func table(_ name: String) -> Table? { places[name.lowercased()].map { tables[$0] } }

  /// Adds a column, and its table if that is new.
  public mutating func addColumn(_ name: String, _ type: String, of table: String, isView: Bool) {
    let place = places[table.lowercased()] ?? tables.count
    if place == tables.count {
      places[table.lowercased()] = place
      tables.append(Table(name: table, isView: isView))
    }
    tables[place].columns.append(Column(name: name, type: type))
  }

  /// Adds a foreign key of a known table, unless its column has one.
  public mutating func addForeignKey(_ column: String, of table: String, to other: String, _ target: String) {
    guard let place = places[table.lowercased()],
      !tables[place].foreignKeys.contains(where: { $0.column.lowercased() == column.lowercased() })
    else { return }
    tables[place].foreignKeys.append(ForeignKey(column: column, table: other, target: target))
  }
}
