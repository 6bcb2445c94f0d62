internal import Modeling
internal import Queries
internal import SwiftParsing

/// Reads the classes with `@Model` of a text, and the structures and enumerations that their properties have, as SwiftData
/// makes a schema of them.
struct SwiftDataModelReader {
  var issues: SwiftIssues
  /// What the model does not keep, in the order in which it was met, with the line it stands in.
  private(set) var notes: [String] = []
  /// All types of the text by their names, without those around them.
  var types: [String: SwiftTypeDeclaration] = [:]
  /// The classes with `@Model`, in their order.
  var classes: [SwiftTypeDeclaration] = []
  /// The version of the schema that is wanted; nil for all of the text.
  let schema: String?
  /// The file that the text is of, for notes.
  private let path: String?
  /// The versions of a schema that the text declares, in their order.
  var schemas: [String] = []
  /// The types of versions that are not wanted, by version and name.
  var otherTypes: [String: [String: SwiftTypeDeclaration]] = [:]
  /// The classes of other versions that the wanted one lists before they were met.
  var listedLater: [(schema: String, name: String)] = []
  let constants = SourceConstants()
  let bytes: [UInt8]
  private var version: String?
  /// Where the entities and properties stand, for mistakes that the model finds.
  var places: [String: Range<Int>] = [:]
  /// Whether the text is a part of a program, whose other types are not known: an attribute of such a type may hold anything.
  var isPartial = false
  /// The number of composites' elements that may still be read: structures can be parts of one another many times.
  var room = 10_000

  init(_ text: String, schema: String?, path: String?, issues: SwiftIssues) {
    self.issues = issues
    (self.schema, self.path) = (schema, path)
    bytes = Array(text.utf8)
  }

  /// The model of the classes that the statements declare.
  mutating func model(of statements: [SwiftStatement]) throws(SwiftReadingError) -> Model {
    schemas = Self.schemas(in: statements)
    if let schema, !schemas.contains(schema) {
      issues.report(.unknownSchema(schema, known: schemas), at: firstLine)
      try issues.throwAll()
    }
    collect(statements, depth: 0, in: nil)
    addListedLater()
    if classes.isEmpty { issues.report(.noModel, at: firstLine) }
    // What follows depends on everything being known.
    try issues.throwAll()
    var entities = classes.map { entity($0) }
    try issues.throwAll()
    pairInverses(&entities)
    do throws(ModelError) {
      return try Model(entities, version: version.map { ModelVersion($0) }, hasSwiftTypes: true)
    } catch {
      let place = error.property.flatMap { places["\(error.entity).\($0)"] } ?? places[error.entity] ?? firstLine
      throw SwiftReadingError(issues: [SwiftReadingError.Issue(.model(error), at: origin(place))])
    }
  }

  /// The model of the classes, as far as they can be read; nil where they are no model.
  mutating func partialModel(of statements: [SwiftStatement]) -> Model? {
    isPartial = true
    schemas = Self.schemas(in: statements)
    collect(statements, depth: 0, in: nil)
    addListedLater()
    var seen: Set<String> = []
    var anyNames: Set<String> = []
    classes.removeAll { !seen.insert($0.name).inserted }
    var entities = classes.map { entity($0) }
    for index in entities.indices {
      var names: Set<String> = []
      entities[index].properties.removeAll { !names.insert($0.name).inserted }
    }
    pairInverses(&entities)
    // What is no model, as a property of a type that another file declares, is left out.
    for _ in 0..<200 {
      do throws(ModelError) {
        return try Model(entities, hasSwiftTypes: true)
      } catch {
        guard let index = entities.firstIndex(where: { $0.name == error.entity }) else { return nil }
        if let name = error.property, entities[index].properties.contains(where: { $0.name == name }) {
          entities[index].properties = entities[index].properties.map {
            $0.name == name ? .attribute(Attribute(name, .any)) : $0
          }
          if anyNames.insert("\(error.entity).\(name)").inserted { continue }
        }
        entities.remove(at: index)
      }
    }
    return nil
  }

  // MARK: Declarations

  /// Reads `static let versionIdentifier = Schema.Version(1, 0, 0)`, or the same as a computed property.
  mutating func readVersion(_ declaration: SwiftDeclaration) {
    var values = [declaration.value].compactMap { $0 }
    for statement in declaration.body {
      if case .value(let value) = statement.kind { values.append(value) }
      if case .returned(let value) = statement.kind { values.append(value) }
    }
    guard case .call(_, _, let arguments)? = values.last?.kind else { return }
    let numbers = arguments.compactMap { constants.value(of: $0.value)?.plainText }
    if numbers.count == arguments.count, !numbers.isEmpty { version = numbers.joined(separator: ".") }
  }

  private mutating func entity(_ type: SwiftTypeDeclaration) -> EntityDescription {
    var entity = EntityDescription(type.name, parent: parent(of: type))
    for attribute in type.attributes
    where attribute.wrapperName != "Model" && !Self.meaninglessAttributes.contains(attribute.wrapperName ?? "") {
      note("\(type.name): @\(attribute.wrapperName ?? "") is left out", at: attribute.range)
    }
    var laterType: TypeSyntax?
    // Of `var a, b: Int` the type stands at the last.
    var typed: [(SwiftDeclaration, Range<Int>)] = []
    for statement in type.statements.reversed() {
      guard case .declaration(var declaration) = statement.kind else { continue }
      if declaration.type == nil, declaration.value == nil { declaration.type = laterType }
      laterType = declaration.type
      typed.append((declaration, statement.range))
    }
    for (declaration, range) in typed.reversed() where !declaration.isStatic {
      if let property = property(declaration, of: entity.name, at: range) { entity.properties.append(property) }
    }
    for statement in type.statements {
      guard case .value(let value) = statement.kind, case .macro(let name, let generics, let arguments) = value.kind
      else {
        continue
      }
      read(macro: name, of: generics, arguments, into: &entity, at: value.range)
    }
    return entity
  }

  private mutating func property(
    _ declaration: SwiftDeclaration, of entity: String, at range: Range<Int>
  ) -> Property? {
    let place = "\(entity).\(declaration.name)"
    if declaration.isComputed {
      note("\(place) is computed, which a model does not keep", at: range)
      return nil
    }
    places[place] = range
    return property(declaration, place: place, at: range)
  }

  /// The class of the text that a class inherits from.
  private mutating func parent(of type: SwiftTypeDeclaration) -> String? {
    var found: String?
    for inherited in type.inherited {
      let name = inherited.name
      if types[name]?.isModel == true {
        found = name
      } else if types[name] == nil, !Self.protocols.contains(name) {
        let nearest = nearestName(to: name, in: classes.map(\.name).filter { $0 != type.name })
        if let nearest, nearest.lowercased() == name.lowercased() || Self.isNear(name, nearest) {
          issues.report(.unknownType(name, nearest: nearest), at: inherited.range)
        } else {
          note("\(type.name): \(name) is taken for a protocol", at: inherited.range)
        }
      }
    }
    return found
  }

  /// Whether two names differ by one letter at most, as misspelt ones do.
  private static func isNear(_ name: String, _ other: String) -> Bool {
    let (long, short) = name.count >= other.count ? (Array(name), Array(other)) : (Array(other), Array(name))
    guard long.count - short.count <= 1 else { return false }
    let start = zip(long, short).prefix { $0 == $1 }.count
    let end = zip(long.reversed(), short.reversed()).prefix { $0 == $1 }.count
    return start + end >= short.count - (long.count == short.count ? 1 : 0)
  }

  private static let protocols: Set<String> = [
    "PersistentModel", "Observable", "Identifiable", "Codable", "Encodable", "Decodable", "Hashable", "Equatable",
    "Comparable", "Sendable", "CustomStringConvertible", "CustomDebugStringConvertible", "CaseIterable", "AnyObject",
    "Transferable", "ObservableObject",
  ]

  /// Has both sides of a pair name one another where one does.
  private func pairInverses(_ entities: inout [EntityDescription]) {
    let byName = Dictionary(entities.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    for entity in entities {
      for case .relationship(let relationship) in entity.properties {
        guard let inverse = relationship.inverse else { continue }
        // The inverse may be one that the destination inherits.
        var owner = byName[relationship.destination]
        var steps = 0
        while let index = owner, steps < Nesting.inheritance {
          if let position = entities[index].properties.firstIndex(where: { $0.name == inverse }) {
            if case .relationship(var back) = entities[index].properties[position], back.inverse == nil {
              back.inverse = relationship.name
              entities[index].properties[position] = .relationship(back)
            }
            break
          }
          owner = entities[index].parent.flatMap { byName[$0] }
          steps += 1
        }
      }
    }
  }

  // MARK: Text

  /// The names of the classes with `@Model`.
  var classNames: [String] { classes.map(\.name) }

  mutating func note(_ text: String, at range: Range<Int>) {
    let line = bytes[..<min(range.lowerBound, bytes.count)].reduce(1) { $1 == 0x0A ? $0 + 1 : $0 }
    let note = "\(path.map { "\($0):\(line)" } ?? "line \(line)"): \(text)"
    if notes.count < 1000, !notes.contains(note) { notes.append(note) }
  }

  func source(_ range: Range<Int>) -> String {
    let words = String(decoding: bytes[range].prefix(400), as: UTF8.self).split(whereSeparator: \.isWhitespace)
    let line = words.joined(separator: " ")
    return line.count > 60 ? line.prefix(57) + "..." : line
  }

  private func origin(_ range: Range<Int>) -> Origin { Origin(text: issues.text, range: range) }

  /// The first line of the text that has something in it.
  var firstLine: Range<Int> {
    let start = bytes.firstIndex { $0 > 0x20 } ?? 0
    let end = bytes[start...].firstIndex { $0 == 0x0A } ?? bytes.count
    return start..<end
  }
}

extension SwiftTypeDeclaration {
  /// Whether it is a class with `@Model`.
  var isModel: Bool { keyword == "class" && attributes.contains { $0.wrapperName == "Model" } }
}

extension SwiftSyntax {
  /// The name of an attribute before a declaration: `Attribute` of `@Attribute(.unique)`.
  var wrapperName: String? {
    switch kind {
    case .name(let name): name
    case .call(let callee, _, _): if case .name(let name) = callee.kind { name } else { nil }
    default: nil
    }
  }

  /// The arguments of an attribute before a declaration.
  var wrapperArguments: [SwiftArgument] { if case .call(_, _, let arguments) = kind { arguments } else { [] } }
}

extension Value {
  /// The digits of an integer.
  fileprivate var plainText: String? { if case .int(let number) = self { "\(number)" } else { nil } }
}
