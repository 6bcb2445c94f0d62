/// The tables and functions that SQL can name in a database.
public struct DatabaseSchema {
  /// A column and its declared type.
  public struct Column: Equatable, Sendable {
    /// The column's name.
    public var name: String
    /// The declared type, in the database's words.
    public var type: String
  }

  /// A column that refers to a column of another table.
  public struct ForeignKey: Equatable, Sendable {
    /// The column that refers.
    public var column: String
    /// The table that it refers to.
    public var table: String
    /// The column of that table.
    public var target: String
  }

  /// A table or view.
  public struct Table: Sendable {
    /// The name, as SQL writes it without quotes.
    public var name: String
    /// Whether it is a view.
    public var isView = false
    /// The columns, in their order.
    public var columns: [Column] = []
    /// The columns that refer to other tables.
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
