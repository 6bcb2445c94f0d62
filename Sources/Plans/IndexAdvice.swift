public import Modeling
import SQLite
public import SQLiteStorage

/// A suggested index of an entity's properties, in order.
public struct IndexAdvice: Hashable, Sendable {
  /// A property, or an element within a composite, with its direction.
  public struct Key: Hashable, Sendable {
    /// The property's name, or the dotted path of an element.
    public var name: String
    /// Whether the smallest value comes first.
    public var isAscending: Bool

    /// Creates a key.
    public init(_ name: String, ascending: Bool = true) {
      self.name = name
      isAscending = ascending
    }
  }

  /// The entity of the properties.
  public var entity: Entity
  /// The keys, most important first.
  public var keys: [Key]

  /// Creates an index of `entity`.
  public init(_ entity: Entity, _ keys: [Key]) {
    self.entity = entity
    self.keys = keys
  }

  /// The declaration of the index in a model of our own: `magnitude = Double { indexed = true }`, or a line of `_`; nil
  /// if a model cannot declare it.
  public var modelText: String? {
    // An index serves both directions if all of its keys have the same.
    guard Set(keys.map(\.isAscending)).count == 1 else { return nil }
    if keys.count == 1, let attribute = entity.property(named: keys[0].name)?.attribute, attribute.isWritable,
      let word = attribute.type.modelWord
    {
      return "\(keys[0].name) = \(word) { indexed = true }"
    }
    return "_ = { indexes = { { \(keys.map(\.name.quotedForLua).joined(separator: ", ")) } } }"
  }

  /// The keys in a script's notation: `place, -time`.
  public var keyText: String {
    keys.map { ($0.isAscending ? "" : "-") + $0.name }.joined(separator: ", ")
  }
}

extension AttributeType {
  /// The declaration's type word, if a model can declare an index of the attribute alone.
  fileprivate var modelWord: String? {
    switch self {
    case .integer16: "Integer16"
    case .integer32: "Integer32"
    case .integer64: "Int"
    case .double: "Double"
    case .float: "Float"
    case .decimal: "Decimal"
    case .string: "String"
    case .boolean: "Bool"
    case .date: "Date"
    case .uuid: "UUID"
    case .url: "URL"
    case .data: "Data"
    case .transformable, .composite, .any: nil
    }
  }
}

/// The reason why an index cannot be created.
public enum IndexObstacle: Error, Hashable, Sendable {
  /// The entity has no such property.
  case unknownProperty(String, entity: String, nearest: String?)
  /// A path through a to-many relationship, or keys of several entities.
  case severalEntities([String])
  /// The store has no column of the entity for it.
  case noColumn(String, entity: String)
  case view(String)
  case noKeys
  /// No keys were given, and there is no index to suggest.
  case noAdvice
}

extension SQLiteStore {
  /// Parses keys such as `place`, `-time` or `mainshock.depth`: a path through to-one relationships means a property of
  /// their destination.
  ///
  /// - Throws: IndexObstacle.
  public func index(of texts: [String], for entity: Entity) throws -> IndexAdvice {
    var advice: IndexAdvice?
    for text in texts {
      let isAscending = !text.hasPrefix("-")
      let path = (isAscending ? text : String(text.dropFirst())).split(separator: ".").map(String.init)
      let (owner, name) = try indexed(path, in: entity)
      if let known = advice?.entity, known !== owner { throw IndexObstacle.severalEntities(texts) }
      let keys = (advice?.keys ?? []) + [IndexAdvice.Key(name, ascending: isAscending)]
      advice = IndexAdvice(owner, keys)
    }
    guard let advice else { throw IndexObstacle.noKeys }
    _ = try definition(of: advice)
    return advice
  }

  private func indexed(_ path: [String], in entity: Entity) throws -> (Entity, String) {
    guard let first = path.first, let index = entity.index(of: first) else {
      let name = path.first ?? ""
      let near = nearestName(to: name, in: entity.properties.map(\.name))
      throw IndexObstacle.unknownProperty(name, entity: entity.name, nearest: near)
    }
    guard path.count > 1, let relationship = entity.properties[index].relationship else {
      return (entity, path.joined(separator: "."))
    }
    if relationship.isToMany { throw IndexObstacle.severalEntities([path.joined(separator: ".")]) }
    return try indexed(Array(path.dropFirst()), in: entity.destination(at: index))
  }

  /// Returns the statement that creates an index, under a unique name.
  ///
  /// - Throws: IndexObstacle.
  public func statement(making advice: IndexAdvice) throws -> String { try definition(of: advice).sql }

  /// The name and the statement of an index.
  func definition(of advice: IndexAdvice) throws -> (name: String, sql: String) {
    let layout = layout(of: advice.entity)
    let places = try advice.keys.flatMap { key in
      try columns(of: key, in: advice.entity, layout).map { $0 + (key.isAscending ? "" : " DESC") }
    }
    guard !places.isEmpty else { throw IndexObstacle.noKeys }
    let isView = try connection.first("SELECT type = 'view' FROM sqlite_schema WHERE name = ?", [.string(layout.table)])
    if isView == .int(1) { throw IndexObstacle.view(advice.entity.name) }
    let parts = [layout.table] + advice.keys.map { $0.name.replacing(".", with: "_") } + ["index"]
    let name = try freeName(parts.joined(separator: "_"))
    let list = places.joined(separator: ", ")
    return (name, "CREATE INDEX \(quotedName(name)) ON \(quotedName(layout.table)) (\(list))")
  }

  private func columns(of key: IndexAdvice.Key, in entity: Entity, _ layout: EntityLayout) throws -> [String] {
    if let index = entity.index(of: key.name) {
      let columns = layout.properties[index].ownColumns
      guard !columns.isEmpty else { throw IndexObstacle.noColumn(key.name, entity: entity.name) }
      return columns.map { quotedName(layout.columns[$0].name) }
    }
    guard let (attribute, path, _) = entity.compositeElement(at: key.name),
      case .column(let column) = layout.properties[attribute]
    else {
      let near = nearestName(to: key.name, in: entity.properties.map(\.name))
      throw IndexObstacle.unknownProperty(key.name, entity: entity.name, nearest: near)
    }
    return ["json_extract(\(quotedName(layout.columns[column].name)), \(jsonPath(path)))"]
  }

  private func freeName(_ wanted: String) throws -> String {
    let taken = Set(
      try connection.all("SELECT lower(name) FROM sqlite_schema").compactMap { row -> String? in
        if case .string(let name) = row[0] { name } else { nil }
      })
    var name = wanted
    var number = 2
    while taken.contains(asciiLowercased(name)) {
      name = "\(wanted)_\(number)"
      number += 1
    }
    return name
  }
}
