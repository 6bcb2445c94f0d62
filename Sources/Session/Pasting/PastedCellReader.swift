internal import Modeling
internal import ObjectGraph

/// Reads the cells of one column of a pasted text as values of a property.
///
/// A class, because it remembers the objects that names have led to.
final class PastedCellReader {
  private let entity: Entity
  private let property: Int
  private let context: ObjectContext
  private let parser: AttributeTextParser?
  private var objects: [String: Result<ManagedObject, any Error>] = [:]

  init(_ entity: Entity, _ property: Int, _ notation: TextNotation, _ context: ObjectContext) {
    (self.entity, self.property, self.context) = (entity, property, context)
    parser = entity.properties[property].attribute.map(AttributeTextParser.init)
    parser?.notation = notation
  }

  func cell(_ field: PastedText.Field) throws -> PastedRows.Cell {
    var cell = PastedRows.Cell(property: property, text: field.text)
    do {
      if let parser {
        cell.value = .value(try value(field, parser))
      } else {
        cell.value = .object(cell.text.isEmpty ? nil : try object(cell.text))
      }
    } catch {
      cell.mistake = error
    }
    return cell
  }

  /// The value of a field, which follows the rules of the attribute.
  private func value(_ field: PastedText.Field, _ parser: AttributeTextParser) throws -> Value {
    let value: Value
    do {
      switch field {
      case .text(let text, let wasQuoted):
        value = try Array(text.utf8).withUnsafeBytes { try parser.parse($0, wasQuoted: wasQuoted).value }
      case .json(.null): value = .null
      case .json(let json): value = try parser.attribute.value(from: json)
      }
    } catch let error as ValueError {
      throw error.of(entity)
    }
    let violations = parser.attribute.violations(of: value, in: entity.name)
    if violations.isEmpty { return value }
    let id = ObjectID(entity: entity, key: 0)
    throw GraphError(.invalid(violations.map { ObjectViolation(object: id, label: entity.name, violation: $0) }))
  }

  private func object(_ name: String) throws -> ManagedObject {
    let known =
      objects[name]
      ?? Result { try CellField.object(named: name, entity.destination(at: property), in: context) }
    objects[name] = known
    return try known.get()
  }
}
