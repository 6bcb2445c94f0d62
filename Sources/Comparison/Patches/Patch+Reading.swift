internal import Modeling

extension Patch {
  /// Reads a patch.
  ///
  /// - Throws: PatchError with the line.
  package init(_ bytes: UnsafeRawBufferPointer) throws {
    self.init(ComparisonScope(), [])
    var count: Int64?
    var number = 0
    for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      number += 1
      if line.isEmpty { continue }
      let reader = PatchLine(number: number)
      let json = try reader.parse(UnsafeRawBufferPointer(rebasing: line))
      if count == nil {
        (count, scope) = try reader.head(json)
      } else {
        differences.append(try reader.difference(json))
      }
    }
    guard let count else { throw PatchError(fact: .notAPatch, line: 1) }
    guard count == differences.count else {
      throw PatchError(fact: .count(expected: count, found: differences.count), line: number)
    }
  }
}

/// Reads one line of a patch.
private struct PatchLine {
  let number: Int

  func parse(_ bytes: UnsafeRawBufferPointer) throws(PatchError) -> JSON {
    do throws(JSONError) { return try JSON.parse(bytes) } catch {
      throw PatchError(fact: number == 1 ? .notAPatch : .syntax(error), line: number)
    }
  }

  func head(_ json: JSON) throws(PatchError) -> (count: Int64, scope: ComparisonScope) {
    guard case .object(let fields) = json, fields["perilune"] == .string("patch") else { throw error(.notAPatch) }
    guard case .int(let version)? = fields["version"] else { throw error(.expected("a number", in: "version")) }
    if version > Patch.version { throw error(.version(version)) }
    guard case .int(let count)? = fields["count"] else { throw error(.expected("a number", in: "count")) }
    var scope = ComparisonScope()
    scope.identities = try names(fields, "identities")
    scope.properties = try names(fields, "properties")
    return (count, scope)
  }

  private func names(_ fields: [String: JSON], _ field: String) throws(PatchError) -> [String: [String]] {
    var names: [String: [String]] = [:]
    for (entity, list) in try object(fields[field], field) {
      names[entity] = try texts(try array(list, field), field)
    }
    return names
  }

  private func texts(_ elements: [JSON], _ field: String) throws(PatchError) -> [String] {
    var texts: [String] = []
    for element in elements { texts.append(try text(element, field)) }
    return texts
  }

  func difference(_ json: JSON) throws(PatchError) -> ObjectDifference {
    let fields = try object(json, "the line")
    let word = try text(fields["kind"], "kind")
    guard let kind = ObjectDifference.Kind(rawValue: word) else {
      throw error(
        .unknownKind(word, nearest: nearestName(to: word, in: ObjectDifference.Kind.allCases.map(\.rawValue))))
    }
    var difference = ObjectDifference(
      kind: kind, entity: try text(fields["entity"], "entity"), identity: try values(fields["identity"], "identity"))
    for change in try array(fields["changes"], "changes") {
      let parts = try object(change, "changes")
      difference.properties.append(
        PropertyDifference(
          name: try text(parts["property"], "property"), old: try compared(parts["old"], "old"),
          new: try compared(parts["new"], "new")))
    }
    return difference
  }

  private func compared(_ json: JSON?, _ field: String) throws(PatchError) -> ComparedValue {
    let fields = try object(json, field)
    if let value = fields["value"], let decoded = Value(coded: value) { return .value(decoded) }
    if let reference = fields["object"] {
      return .object(reference == .null ? nil : try self.reference(reference, field))
    }
    var references: [ComparedReference] = []
    for element in try array(fields["objects"], field) { references.append(try reference(element, field)) }
    return .objects(references)
  }

  private func reference(_ json: JSON, _ field: String) throws(PatchError) -> ComparedReference {
    let fields = try object(json, field)
    return ComparedReference(entity: try text(fields["entity"], field), identity: try values(fields["identity"], field))
  }

  // MARK: Fields

  private func values(_ json: JSON?, _ field: String) throws(PatchError) -> [Value] {
    var values: [Value] = []
    for element in try array(json, field) {
      guard let value = Value(coded: element) else { throw error(.expected("a value", in: field)) }
      values.append(value)
    }
    if values.isEmpty { throw error(.expected("a value", in: field)) }
    return values
  }

  private func object(_ json: JSON?, _ field: String) throws(PatchError) -> [String: JSON] {
    guard case .object(let fields)? = json else { throw error(.expected("an object", in: field)) }
    return fields
  }

  private func array(_ json: JSON?, _ field: String) throws(PatchError) -> [JSON] {
    guard case .array(let elements)? = json else { throw error(.expected("a list", in: field)) }
    return elements
  }

  private func text(_ json: JSON?, _ field: String) throws(PatchError) -> String {
    guard case .string(let text)? = json else { throw error(.expected("a text", in: field)) }
    return text
  }

  private func error(_ fact: PatchError.Fact) -> PatchError { PatchError(fact: fact, line: number) }
}
