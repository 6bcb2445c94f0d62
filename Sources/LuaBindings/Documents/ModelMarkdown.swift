internal import Modeling

/// A model as Markdown: each entity with its properties, their rules, and the destinations of its relationships.
///
///     ModelMarkdown(model, title: "quakes", picture: "model.svg").text
///     // # quakes
///     // | entity | is a | attributes | leads to |
struct ModelMarkdown {
  let model: Model
  let title: String
  /// The file name of the model's diagram, which is shown at the top; nil for none.
  let picture: String?

  init(_ model: Model, title: String, picture: String? = nil) {
    self.model = model
    self.title = title
    self.picture = picture
  }

  /// The whole document; always the same for the same model.
  var text: String {
    var parts = ["# " + Self.escaped(title)]
    if let picture { parts.append("![The entities and their relationships](\(picture))") }
    if let version = model.version { parts.append("Version of the model: \(Self.escaped("\(version)")).") }
    parts.append(overview)
    parts += model.entities.flatMap(section)
    if !model.fetchRequestTemplates.isEmpty { parts += templates }
    return parts.joined(separator: "\n\n") + "\n"
  }

  private var overview: String {
    let rows = model.entities.map { entity in
      [
        link(entity), entity.parent.map(link) ?? "", "\(entity.attributes.count)",
        entity.properties.indices.filter { entity.properties[$0].relationship != nil }
          .map { link(entity.destination(at: $0)) }.uniqued().joined(separator: ", "),
      ]
    }
    return Self.table(["entity", "is a", "attributes", "leads to"], rows)
  }

  // MARK: Entities

  private func section(_ entity: Entity) -> [String] {
    var parts = ["## " + Self.escaped(entity.name)]
    var remarks: [String] = []
    if let parent = entity.parent { remarks.append("It is a \(link(parent)), and has its properties, too.") }
    if entity.isAbstract { remarks.append("It is abstract: it has no objects of its own.") }
    if entity.isReadOnly { remarks.append("It is only read.") }
    if !entity.subentities.isEmpty {
      remarks.append("Of its kind are \(entity.subentities.map(link).joined(separator: ", ")).")
    }
    if !remarks.isEmpty { parts.append(remarks.joined(separator: " ")) }
    // Inherited properties are listed at the parent.
    let own = entity.properties.indices.dropFirst(entity.parent?.properties.count ?? 0)
    let attributes = own.compactMap { entity.properties[$0].attribute }
    if !attributes.isEmpty {
      let rows = attributes.map { [Self.code($0.name), type(of: $0), rules(of: $0)] }
      parts.append(Self.table(["attribute", "type", "rules"], rows))
    }
    let relationships = own.compactMap { index in entity.properties[index].relationship.map { (index, $0) } }
    if !relationships.isEmpty {
      let rows = relationships.map { index, relationship in
        let inverse = entity.inverse(at: index).map { entity.destination(at: index).properties[$0].name }
        return [
          Self.code(relationship.name), count(of: relationship) + " " + link(entity.destination(at: index)),
          inverse.map(Self.code) ?? "", relationship.deleteRule.rawValue,
        ]
      }
      parts.append(Self.table(["relationship", "leads to", "inverse", "on delete"], rows))
    }
    let lines = constraints(of: entity)
    if !lines.isEmpty { parts.append(lines.map { "- " + $0 }.joined(separator: "\n")) }
    return parts
  }

  private func type(of attribute: Attribute) -> String {
    let shown = attribute.type.rawValue
    let elements = attribute.elements.map { "\(Self.code($0.name)) \(type(of: $0))" }
    return elements.isEmpty ? shown : "\(shown) (\(elements.joined(separator: ", ")))"
  }

  private func rules(of attribute: Attribute) -> String {
    var rules: [String] = []
    if !attribute.isOptional { rules.append("required") }
    if attribute.isUnique { rules.append("unique") }
    if !attribute.minimum.isNull { rules.append("at least \(Self.escaped(attribute.minimum.displayText))") }
    if !attribute.maximum.isNull { rules.append("at most \(Self.escaped(attribute.maximum.displayText))") }
    if let length = attribute.minimumLength { rules.append("\(Quantity.count(length, "character")) or more") }
    if let length = attribute.maximumLength { rules.append("\(Quantity.count(length, "character")) at most") }
    if let expression = attribute.regularExpression { rules.append("like " + Self.code(expression)) }
    if !attribute.defaultValue.isNull { rules.append("new: " + Self.code(attribute.defaultValue.displayText)) }
    if let derivation = attribute.derivation { rules.append("computed: " + Self.code(derivation)) }
    if attribute.isIndexed { rules.append("indexed") }
    if attribute.isTransient { rules.append("in memory only") }
    if attribute.isReadOnly { rules.append("read-only") }
    return rules.joined(separator: ", ")
  }

  private func count(of relationship: Relationship) -> String {
    let order = relationship.isOrdered ? ", in order," : ""
    guard relationship.isToMany else { return relationship.isOptional ? "one or no" : "one" }
    switch (relationship.minimumCount, relationship.maximumCount) {
    case (let least?, let most?): return "\(least) to \(most)\(order)"
    case (let least?, nil): return "\(least) or more\(order)"
    case (nil, let most?): return "at most \(most)\(order)"
    case (nil, nil): return "many\(order)"
    }
  }

  private func constraints(of entity: Entity) -> [String] {
    let known = entity.parent?.uniquenessConstraints ?? []
    var lines = entity.uniquenessConstraints.filter { $0.count > 1 && !known.contains($0) }.map { names in
      "unique together: " + names.map(Self.code).joined(separator: ", ")
    }
    lines += entity.description.indexes.map { index in
      let elements = index.elements.map { Self.code($0.expression) + ($0.isAscending ? "" : " descending") }
      let name = index.name.map { " " + Self.code($0) } ?? ""
      return "index\(name): " + elements.joined(separator: ", ")
        + (index.predicate.map { ", where " + Self.code($0) } ?? "")
    }
    lines += entity.description.fetchedProperties.map { fetched in
      let request = fetched.fetchRequest
      return "fetched property \(Self.code(fetched.name)): \(Self.code(request.entity))"
        + (request.predicate.map { " where " + Self.code($0) } ?? "")
    }
    return lines
  }

  private var templates: [String] {
    let rows = model.fetchRequestTemplates.sorted { $0.key < $1.key }.map { name, request in
      [Self.code(name), Self.code(request.entity), request.predicate.map(Self.code) ?? ""]
    }
    return ["## Fetch requests", Self.table(["name", "entity", "predicate"], rows)]
  }

  // MARK: Markdown

  private func link(_ entity: Entity) -> String { "[\(Self.escaped(entity.name))](#\(Self.anchor(entity.name)))" }

  /// The anchor of a heading in GitHub's format.
  private static func anchor(_ name: String) -> String {
    var result = ""
    for scalar in name.lowercased().unicodeScalars {
      if scalar == " " { result += "-" }
      if scalar.properties.isAlphabetic || scalar.properties.numericType != nil || scalar == "_" || scalar == "-" {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  private static func table(_ head: [String], _ rows: [[String]]) -> String {
    let lines = [head, head.map { _ in "---" }] + rows
    return lines.map { "| " + $0.joined(separator: " | ") + " |" }.joined(separator: "\n")
  }

  /// A text in one line without Markdown's special characters.
  private static func escaped(_ text: String) -> String {
    var result = ""
    for character in text.inOneLine {
      if "\\`*_{}[]<>#|!~&".contains(character) { result += "\\" }
      result.append(character)
    }
    return result
  }

  /// A text as code, also within a table cell.
  private static func code(_ text: String) -> String {
    let plain = text.inOneLine.replacing("|", with: "\\|")
    return plain.contains("`") ? "`` \(plain) ``" : "`\(plain)`"
  }
}

extension [String] {
  /// The elements without later duplicates.
  fileprivate func uniqued() -> [String] {
    var known: Set<String> = []
    return filter { known.insert($0).inserted }
  }
}
