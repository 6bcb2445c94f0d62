internal import Modeling
internal import SwiftParsing

// The types of a text, and the versions of a schema that they belong to.
extension SwiftDataModelReader {
  /// The types that conform to `VersionedSchema`, in their order.
  static func schemas(in statements: [SwiftStatement]) -> [String] {
    statements.flatMap { statement -> [String] in
      guard case .type(let type) = statement.kind else { return [] }
      let isSchema = type.inherited.contains { $0.name == "VersionedSchema" }
      return (isSchema ? [type.name] : []) + schemas(in: type.statements)
    }
  }

  /// Gathers the types; those within other types are called by their own names. `schema` is the version around them.
  mutating func collect(_ statements: [SwiftStatement], depth: Int, in schema: String?) {
    for statement in statements {
      switch statement.kind {
      case .type(let type):
        let isSchema = schemas.contains(type.name)
        if isWanted(schema) { add(type, in: schema) } else { otherTypes[schema ?? "", default: [:]][type.name] = type }
        collect(type.statements, depth: depth + 1, in: isSchema ? type.name : schema)
      case .declaration(let declaration) where isWanted(schema) && depth > 0:
        if declaration.name == "versionIdentifier" { readVersion(declaration) }
        if declaration.name == "models", schema != nil, schema == self.schema { addListed(declaration) }
      default: break
      }
    }
  }

  private func isWanted(_ schema: String?) -> Bool { schema == nil || self.schema == nil || schema == self.schema }

  private mutating func add(_ type: SwiftTypeDeclaration, in schema: String?) {
    if type.isModel {
      if let other = classes.first(where: { $0.name == type.name }) {
        let fact = schemas.count > 1 ? SwiftReadingError.Fact.severalSchemas(schemas) : .severalTypes(other.name)
        if !issues.found.contains(where: { $0.fact == fact }) { issues.report(fact, at: type.place) }
      }
      classes.append(type)
      places[type.name] = type.place
    } else if type.keyword == "class" || type.keyword == "actor" {
      note("\(type.name) is a \(type.keyword) without @Model and is left out", at: type.place)
    }
    if type.keyword != "extension", type.isModel || types[type.name]?.isModel != true { types[type.name] = type }
  }

  /// Adds the classes of other versions that a version lists among its own: `[SchemaV1.Author.self, Trip.self]`.
  private mutating func addListed(_ models: SwiftDeclaration) {
    var values = [models.value].compactMap(\.self)
    for statement in models.body {
      if case .value(let value) = statement.kind { values.append(value) }
      if case .returned(let value) = statement.kind { values.append(value) }
    }
    guard case .array(let elements)? = values.last?.kind else { return }
    for element in elements {
      guard case .member(let listed?, "self") = element.kind, case .member(let version?, let name) = listed.kind,
        case .name(let schema) = version.kind, schema != self.schema
      else { continue }
      if let type = otherTypes[schema]?[name] {
        add(type, in: schema)
      } else if schemas.contains(schema) {
        listedLater.append((schema, name))
      }
    }
  }

  /// Adds the listed classes of versions that stand further down.
  mutating func addListedLater() {
    for (schema, name) in listedLater {
      if let type = otherTypes[schema]?[name] { add(type, in: schema) }
    }
  }
}
