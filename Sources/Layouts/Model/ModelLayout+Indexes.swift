package import Modeling

extension ModelLayout {
  mutating func indexes(of table: TableSchema, _ roots: [String: Entity]) -> [IndexSchema] {
    if let pair = table.pairKey.last {
      return [index(of: table.name, [pair, table.pairKey[0]])]
    }
    guard let root = roots[table.name] else { return [] }
    var found: [IndexSchema] = []
    func add(_ index: IndexSchema) {
      let known = found.contains {
        $0.columns == index.columns && $0.isUnique == index.isUnique && $0.condition == index.condition
      }
      if !known { found.append(index) }
    }
    if !root.subentities.isEmpty { add(index(of: table.name, [Self.discriminator])) }
    for entity in root.family {
      for names in ownUniquenessConstraints(of: entity) {
        let condition = inheritsAny(names, entity) ? familyCondition(entity) : nil
        add(index(of: table.name, columns(names, of: entity), isUnique: true, condition: condition))
      }
      for property in ownIndices(of: entity) {
        switch layouts[entity]!.properties[property] {
        case .column(let column) where entity.properties[property].attribute?.isIndexed == true:
          add(index(of: table.name, [layouts[entity]!.columns[column].name]))
        case .column:
          for path in entity.properties[property].attribute?.indexedElements ?? [] {
            add(index(of: table.name, columns([path], of: entity), expressions: expressions([path], of: entity)))
          }
        case .reference(let columns, _):
          let order = Declaration(entity, property).inverse.flatMap { orders[$0] }
          add(index(of: table.name, columns.map { layouts[entity]!.columns[$0].name } + (order.map { [$0] } ?? [])))
        default: break
        }
      }
      for names in entity.description.indexes.compactMap({ $0.listed(in: entity) }) {
        add(index(of: table.name, columns(names, of: entity), expressions: expressions(names, of: entity)))
      }
    }
    var needed = found.filter { index in !found.contains { index.isServed(by: $0) } }
    for position in needed.indices { needed[position].name = names.take(needed[position].name) }
    return needed
  }

  private func index(
    of table: String, _ columns: [String], isUnique: Bool = false, condition: String? = nil,
    expressions: [String: String] = [:]
  ) -> IndexSchema {
    let parts = columns.map { $0.replacing(".", with: "_") }
    let name = ([table] + parts + [isUnique ? "unique" : "index"]).joined(separator: "_")
    return IndexSchema(
      name: name, table: table, columns: columns, expressions: expressions, isUnique: isUnique, condition: condition)
  }

  private func ownUniquenessConstraints(of entity: Entity) -> [[String]] {
    Array(entity.uniquenessConstraints.dropFirst(entity.parent?.uniquenessConstraints.count ?? 0))
  }

  private func inheritsAny(_ names: [String], _ entity: Entity) -> Bool {
    let inherited = entity.parent?.properties.count ?? 0
    return names.contains { name in entity.index(of: name).map { $0 < inherited } ?? false }
  }

  private func familyCondition(_ entity: Entity) -> String {
    let names = entity.family.map { quoteText($0.name) }.joined(separator: ", ")
    return "\(quoteIdentifier(Self.discriminator)) IN (\(names))"
  }

  private func columns(_ names: [String], of entity: Entity) -> [String] {
    let layout = layouts[entity]!
    return names.flatMap { name -> [String] in
      switch entity.index(of: name).map({ layout.properties[$0] }) {
      case .column(let column): [layout.columns[column].name]
      case .reference(let columns, _): columns.map { layout.columns[$0].name }
      case nil: entity.compositeElement(at: name) == nil ? [] : [name]
      default: []
      }
    }
  }

  /// The indexed expressions for paths of composite elements among `names`, exactly as SQLCompiler writes them.
  private func expressions(_ names: [String], of entity: Entity) -> [String: String] {
    var expressions: [String: String] = [:]
    for name in names where entity.index(of: name) == nil {
      guard let (attribute, path, _) = entity.compositeElement(at: name),
        case .column(let place) = layouts[entity]!.properties[attribute]
      else { continue }
      let column = quoteIdentifier(layouts[entity]!.columns[place].name)
      expressions[name] = "json_extract(\(column), \(jsonPath(path)))"
    }
    return expressions
  }
}

extension IndexSchema {
  /// Whether `other` serves every lookup of this index: it begins with the same columns.
  fileprivate func isServed(by other: IndexSchema) -> Bool {
    !isUnique && other != self && other.condition == nil && other.columns.starts(with: columns)
  }
}

extension FetchIndex {
  /// The stored properties that it lists; nil for one on expressions or on a part of the objects, which a store of our
  /// own does not keep.
  package func listed(in entity: Entity) -> [String]? {
    guard predicate == nil, !elements.isEmpty, !elements.contains(where: \.isRTree) else { return nil }
    let areKept = properties.allSatisfy { name in
      entity.compositeElement(at: name) != nil
        || entity.property(named: name).map { !$0.isToMany && !$0.isTransient } ?? false
    }
    return areKept ? properties : nil
  }
}

extension Property {
  fileprivate var isToMany: Bool { relationship?.isToMany ?? false }
}

/// The path of an element within a JSON object, as a literal of SQL; the names are a model's own.
package func jsonPath(_ names: [String]) -> String {
  quoteText("$." + names.map { "\"\($0)\"" }.joined(separator: "."))
}
