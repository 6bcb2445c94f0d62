internal import LuaRuntime
internal import Modeling
internal import ObjectGraph

/// The destinations of the fields of a batch insert's rows: the property with the field's name, or the one in `map`.
///
///     map = { id = "code", airline = "airline.code", remark = false }
struct BatchMapping {
  /// The destination of a field.
  enum Place: Hashable {
    /// The property with this index.
    case property(Int)
    /// The to-one relationship with this index, whose destination is found by an attribute's value.
    case reference(Int, by: Int)
  }

  let entity: Entity
  private let call: Call
  private let context: BoundContext
  private var mapped: [String: [Place]] = [:]

  /// Reads the option `map`.
  init(_ options: Options, _ entity: BoundEntity) throws {
    self.entity = entity.entity
    context = entity.context
    call = options.call
    let places = try ImportMapping.Places(options.call, options)
    for name in places.names { mapped[name] = try (places[name] ?? []).map { try place($0) } }
  }

  /// Whether every field's destination is the property with its name.
  var isPlain: Bool { mapped.isEmpty }

  /// The fields in `map`.
  var names: [String] { mapped.keys.sorted() }

  /// The destinations of a field; nil if it is neither mapped nor the name of a property.
  subscript(_ name: String) -> [Place]? {
    if let places = mapped[name] { return places }
    return entity.index(of: name).map { [.property($0)] }
  }

  private func place(_ text: String) throws -> Place {
    let steps = text.split(separator: ".", maxSplits: 1).map(String.init)
    guard let first = steps.first, let index = entity.index(of: first) else {
      let hint = ErrorReport.hint(nearest(text, entity.properties.map(\.name)))
      throw call.fail("map: \(entity.name) has no property '\(steps.first ?? text)'\(hint)")
    }
    guard steps.count == 2 else { return .property(index) }
    guard entity.properties[index].relationship?.isToMany == false else {
      let toOnes = entity.relationships.filter { !$0.isToMany }.map(\.name)
      throw call.fail("map: '\(first)' is not a to-one of \(entity.name)\(ErrorReport.hint(nearest(first, toOnes)))")
    }
    let destination = entity.destination(at: index)
    guard let attribute = destination.index(of: steps[1]), destination.properties[attribute].attribute != nil else {
      let hint = ErrorReport.hint(nearest(steps[1], destination.attributes.map(\.name)))
      throw call.fail("map: \(destination.name) has no attribute '\(steps[1])'\(hint)")
    }
    return .reference(index, by: attribute)
  }

  /// Adds a field's value to a row.
  func add(_ value: Value, at places: [Place], to row: inout [(property: Int, value: Value)]) throws {
    for place in places {
      switch place {
      case .property(let index): row.append((index, value))
      case .reference(let index, let attribute): row.append((index, try destination(index, attribute, value)))
      }
    }
  }

  /// The destination of a to-one relationship, found by an attribute's value.
  private func destination(_ relationship: Int, _ attribute: Int, _ value: Value) throws -> Value {
    if value.isNull { return .null }
    let destination = entity.destination(at: relationship)
    guard let rule = destination.properties[attribute].attribute else { return .null }
    let wanted: Value
    do { wanted = try rule.coerce(value) } catch {
      throw GraphError(.wrongValue(error, entity: destination.name, property: rule.name))
    }
    guard let key = try context.store.objectStore.key(of: destination, where: [attribute], equal: [wanted]) else {
      let place = "\(entity.name).\(entity.properties[relationship].name)"
      throw ScriptError(place, .other("there is no \(destination.name) with \(rule.name) \(wanted.shortText)"))
    }
    return .object(ObjectID(entity: destination, key: key))
  }
}
