package import Layouts
package import Modeling
package import StoreErrors

/// The layouts of a given model over a plain SQLite file: the model's names and types, the file's tables and columns.
///
/// A name, or a renaming identifier, finds the table or column of that name as it is or in snake_case, or what
/// introspection calls so. A to-one may stand on a column that declares no foreign key. What the model leaves out is
/// left out; what it has and the file does not is a mismatch.
package struct OverlaidLayout {
  package private(set) var layouts: [Entity: EntityLayout] = [:]

  private let file: IntrospectedLayout
  /// The file's entities by the name of their table in lower case.
  private let byTable: [String: Entity]
  private var sources: [Entity: Entity] = [:]
  private var mismatches: [String] = []

  /// Fits `model` to the file at `path`.
  ///
  /// - Throws: `.modelMismatch` with all that does not fit.
  package init(_ model: Model, over file: IntrospectedLayout, path: String) throws(StoreError) {
    self.file = file
    byTable = Dictionary(
      file.model.entities.map { (asciiLowercased(file.layouts[$0]!.table), $0) },
      uniquingKeysWith: { first, _ in first })
    for entity in model.entities { find(entity) }
    for entity in model.entities { layOut(entity) }
    for entity in model.entities { layOutToMany(entity) }
    if !mismatches.isEmpty { throw StoreError(.modelMismatch(mismatches), path: path) }
  }

  // MARK: Entities

  private mutating func find(_ entity: Entity) {
    if entity.parent != nil {
      mismatches.append("\(entity.name): tables of other programs have no subentities")
      return
    }
    let names = names(entity.name, entity.description.renamingIdentifier)
    let found = names.compactMap { name in
      file.model.entity(named: name) ?? byTable[asciiLowercased(name)]
    }.first
    guard let found else {
      let tables = file.model.entities.map { file.layouts[$0]!.table }
      mismatches.append("\(entity.name): there is no table for it\(suggestion(entity.name, tables))")
      return
    }
    sources[entity] = found
    layouts[entity] = file.layouts[found]!
    layouts[entity]!.properties = entity.properties.map { _ in .none }
  }

  /// The names to look for, best first.
  private func names(_ name: String, _ identifier: String?) -> [String] {
    [identifier, name].compactMap { $0 }.flatMap { [$0, Naming.snakeCase($0)] }
  }

  private func suggestion(_ name: String, _ candidates: [String]) -> String {
    nearestName(to: name, in: candidates).map { "; the nearest is \($0)" } ?? ""
  }

  // MARK: Attributes and to-ones

  private mutating func layOut(_ entity: Entity) {
    guard let source = sources[entity] else { return }
    for (index, property) in entity.properties.enumerated() {
      switch property {
      case let property where property.isTransient: break
      case .attribute(let attribute):
        guard let column = column(attribute.name, attribute.renamingIdentifier, of: entity) else {
          mismatches.append(missing(attribute.name, "column", of: entity))
          continue
        }
        let known = layouts[entity]!.columns[column].type
        layouts[entity]!.columns[column].type = attribute.type
        if known != attribute.type {
          layouts[entity]!.columns[column].isExact = false
          layouts[entity]!.columns[column].encoding = .plain
        }
        layouts[entity]!.properties[index] = .column(column)
      case .relationship(let relationship) where !relationship.isToMany:
        layouts[entity]!.properties[index] = toOne(relationship, index, entity, source)
      case .relationship: break
      }
    }
  }

  private func column(_ name: String, _ identifier: String?, of entity: Entity) -> Int? {
    names(name, identifier).compactMap { name in
      let wanted = asciiLowercased(name)
      return layouts[entity]!.columns.firstIndex { asciiLowercased($0.name) == wanted }
    }.first
  }

  private func missing(_ name: String, _ what: String, of entity: Entity) -> String {
    let columns = layouts[entity]!.columns.map(\.name)
    return
      "\(entity.name).\(name): the table \(layouts[entity]!.table) has no \(what) for it\(suggestion(name, columns))"
  }

  private mutating func toOne(
    _ relationship: Relationship, _ index: Int, _ entity: Entity, _ source: Entity
  ) -> PropertyLayout {
    for name in names(relationship.name, relationship.renamingIdentifier) {
      guard let known = source.index(of: name), source.properties[known].relationship?.isToMany == false else {
        continue
      }
      guard source.destination(at: known) === sources[entity.destination(at: index)] else { continue }
      return file.layouts[source]!.properties[known]
    }
    let candidates = names(relationship.name, relationship.renamingIdentifier)
      .flatMap { ["\($0)_id", "\($0)Id", "\($0)_pk", $0] }
    let column = candidates.compactMap { self.column($0, nil, of: entity) }.first
    let destination = entity.destination(at: index)
    guard let column, let target = layouts[destination] else {
      mismatches.append(missing(relationship.name, "foreign key", of: entity))
      return .none
    }
    if case .rowID(let name) = target.key,
      target.primaryKey.isEmpty || target.columns[target.primaryKey[0]].name == name
    {
      return .reference([column], .key)
    }
    guard target.primaryKey.count == 1 else {
      mismatches.append(missing(relationship.name, "foreign key of \(target.primaryKey.count) columns", of: entity))
      return .none
    }
    return .reference([column], .columns([target.columns[target.primaryKey[0]].name]))
  }

  // MARK: To-manys

  private mutating func layOutToMany(_ entity: Entity) {
    guard let source = sources[entity] else { return }
    for (index, property) in entity.properties.enumerated() {
      guard let relationship = property.relationship, relationship.isToMany, !relationship.isTransient else {
        continue
      }
      let destination = entity.destination(at: index)
      guard sources[destination] != nil else { continue }
      if let inverse = entity.inverse(at: index), destination.properties[inverse].relationship?.isToMany == false {
        layouts[entity]!.properties[index] = .inverse(inverse, order: nil)
      } else if let join = join(relationship, source, sources[destination]!) {
        layouts[entity]!.properties[index] = .join(join)
      } else {
        mismatches.append(
          "\(entity.name).\(relationship.name): there is neither an inverse nor a table of pairs for it")
      }
    }
  }

  /// The join table of the relationship with the introspected name, or of the only relationship with that destination.
  private func join(_ relationship: Relationship, _ source: Entity, _ destination: Entity) -> JoinLayout? {
    let joins = source.properties.indices.compactMap { index -> (name: String, join: JoinLayout)? in
      guard case .join(let join) = file.layouts[source]!.properties[index],
        source.destination(at: index) === destination
      else { return nil }
      return (source.properties[index].name, join)
    }
    let names = names(relationship.name, relationship.renamingIdentifier)
    let named = joins.first { names.contains($0.name) || names.contains($0.join.table) }
    return named?.join ?? (joins.count == 1 ? joins[0].join : nil)
  }
}
