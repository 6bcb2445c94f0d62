/// The LuaCATS types for the words of help lines: `request` is a class, and the class for one entity where that is
/// known.
struct AnnotatedTypes {
  /// The class of an entity's objects, whose name begins those of its requests and results; nil for any entity.
  var object: String?
  /// The names of all kinds of the catalog.
  var kinds: Set<String> = []
  /// The kind whose members are read.
  var owner = ""

  /// The kinds that belong to one entity, by the suffix of their class names.
  static let ofEntities = [
    "Entity", "Object", "Collection", "Request", "Result", "FetchedResults", "Section", "Sections",
  ]

  /// The class of a kind of the catalog.
  func name(ofKind kind: String) -> String {
    guard let object, Self.ofEntities.contains(kind) else { return "perilune.\(kind)" }
    return kind == "Object" ? object : "\(object).\(kind)"
  }

  /// The type of a parameter by its name.
  func parameter(_ name: String) -> String {
    switch name {
    case "n", "number", "size", "offset", "position", "from", "to", "first", "last": "integer"
    case "seconds": "number"
    case "name", "path", "file", "text", "form", "version": "string"
    case "template": "perilune.Template"
    case "predicate": "perilune.Condition"
    case "keyPath": object.map { "\($0).Key" } ?? "string"
    case "key": object.map { "\($0).Key|perilune.SortDescriptor" } ?? "any"
    case "keys": object.map { "\($0).Key|\($0).Key[]" } ?? "string|string[]"
    case "object": self.name(ofKind: "Object")
    case "store": "perilune.Store"
    case "Entity": "perilune.Entity"
    case "rows": "table"
    default: "any"
    }
  }

  /// The types of the results after the arrow of a help line.
  func results(_ text: String) -> [String] {
    if text.hasPrefix("\"") { return [words(text)] }
    if text == "true, false or nil" { return ["boolean?"] }
    if text.hasPrefix("{") { return [table(text)] }
    return text.split(separator: ",").map { part in
      let alternatives = String(part).trimmingSpaces.components(separatedBy: " or ")
      let types = alternatives.filter { $0 != "nil" }.map(result)
      let joined = types.contains("any") ? "any" : types.joined(separator: "|")
      return alternatives.contains("nil") && joined != "any"
        ? (types.count > 1 ? joined + "|nil" : joined + "?") : joined
    }
  }

  /// A table with named fields, `{ inserted = , updated = }`.
  func table(_ text: String) -> String {
    let fields = text.dropFirst().prefix { $0 != "}" }.split(separator: ",").map { String($0).trimmingSpaces }
    let names = fields.map { String($0.prefix { $0 != "=" }).trimmingSpaces }
    guard !names.isEmpty, zip(fields, names).allSatisfy({ $0.contains("=") && $1.allSatisfy(\.isLetter) }),
      !["name", "variable"].contains(names[0])
    else { return "table" }
    return "{ " + names.map { "\($0)?: any" }.joined(separator: ", ") + " }"
  }

  /// Alternative texts: `"forward" or "reverse"`.
  func words(_ text: String) -> String {
    let parts = text.split(separator: "\"", omittingEmptySubsequences: false)
    let words = parts.indices.filter { $0 % 2 == 1 }.map { "\"\(parts[$0])\"" }
    return words.isEmpty ? "string" : words.joined(separator: "|")
  }

  private func result(_ word: String) -> String {
    switch word {
    case "string", "boolean", "number", "table": return word
    case "list": return "any[]"
    case "rows": return "table<string, any>[]"
    case "iterator": return object.map { "fun(): \($0)" } ?? "fun(): any"
    case "token": return "perilune.ObservationToken"
    case "objectIDs": return "perilune.ObjectID[]"
    case "plan": return "perilune.MigrationPlan"
    case "transaction": return "perilune.Transaction"
    case "descriptor": return "perilune.SortDescriptor"
    // Elsewhere it is a function's result.
    case "results": return Self.ofEntities.contains(owner) ? name(ofKind: "Result") : "any"
    case "counts", "parity", "explanation", "reason", "difference", "trial", "refusals": return "table"
    case "observable", "property", "value", "thing": return "any"
    default:
      let kind = word.prefix(1).uppercased() + word.dropFirst()
      return kinds.contains(kind) ? name(ofKind: kind) : "any"
    }
  }
}

extension String {
  /// The parts between the occurrences of a separator.
  fileprivate func components(separatedBy separator: String) -> [String] {
    var parts: [String] = []
    var rest = self[...]
    while let range = rest.firstRange(of: separator) {
      parts.append(String(rest[..<range.lowerBound]))
      rest = rest[range.upperBound...]
    }
    return parts + [String(rest)]
  }
}
