import Modeling
import Queries
package import Stores

/// The masks of a store's attributes, checked against its model before the first row.
package final class Masks {
  private let masks: [Entity: [Int: Mask]]
  private let masker: Masker
  /// The conditions on masked attributes, once a value of them was masked.
  private var conditions: [Entity: [Int: ValueConditions?]] = [:]

  /// Takes rules; one for an attribute of an entity goes before those of its parents, and before one for the name in all
  /// entities.
  ///
  /// - Throws: CopyError for names that are none, and for masks that do not fit.
  package init(_ rules: [MaskRule], _ secret: MaskSecret, for store: any ObjectStore) throws(CopyError) {
    var masks: [Entity: [Int: Mask]] = [:]
    let ranked = rules.map { (rank: Self.rank($0.path, store.model), rule: $0) }
    for (_, rule) in ranked.sorted(by: { $0.rank < $1.rank }) {
      let found = try Self.attributes(rule.path, store.model)
      for (entity, index) in found {
        try Self.check(rule, index, of: entity, in: store)
        masks[entity, default: [:]][index] = rule.mask
      }
    }
    self.masks = masks
    masker = Masker(secret)
  }

  /// How deep the entity of a path is; 0 for all entities.
  private static func rank(_ path: String, _ model: Model) -> Int {
    let name = path.prefix { $0 != "." }
    return sequence(first: model.entity(named: String(name))) { $0?.parent }.prefix { $0 != nil }.count(where: { _ in
      true
    })
  }

  /// The attributes that a path names, in subentities, too.
  private static func attributes(_ path: String, _ model: Model) throws(CopyError) -> [(Entity, Int)] {
    let parts = path.split(separator: ".", maxSplits: 1).map(String.init)
    let name = parts.last ?? ""
    let entities =
      parts.first == "*"
      ? model.entities.filter { !$0.isReadOnly } : parts.first.flatMap { model.entity(named: $0)?.family } ?? []
    let found = entities.compactMap { entity in
      entity.index(of: name).flatMap { index -> (Entity, Int)? in
        guard let attribute = entity.properties[index].attribute else { return nil }
        // Among all entities, what is computed from others is masked with these.
        return parts.first == "*" && attribute.isDerived ? nil : (entity, index)
      }
    }
    if !found.isEmpty, parts.count == 2 { return found }
    let known = model.entities.flatMap { entity in entity.attributes.map { "\(entity.name).\($0.name)" } }
    throw .unknownMaskedAttribute(path, nearest: nearestName(to: path, in: known))
  }

  private static func check(
    _ rule: MaskRule, _ index: Int, of entity: Entity, in store: any ObjectStore
  ) throws(CopyError) {
    guard let attribute = entity.properties[index].attribute else { return }
    let name = "\(entity.name).\(attribute.name)"
    guard attribute.derivation == nil else { throw .derivedIsMasked(name) }
    guard rule.mask.fits(attribute.type) else {
      let fitting = Mask.words.filter { (try? Mask($0))?.fits(attribute.type) == true }
      throw .unfitMask(name, attribute.type.rawValue, rule.mask.name, fitting)
    }
    if case .null = rule.mask, !attribute.isOptional { throw .mandatoryIsMasked(name) }
    let layout = store.layout(of: entity)
    let isKey = layout.properties[index].ownColumns.contains(where: layout.primaryKey.contains)
    let isUnique = isKey || entity.uniquenessConstraints.contains { $0.contains(attribute.name) }
    if isUnique, !rule.mask.keepsUniqueness { throw .uniqueIsMasked(name, rule.mask.name) }
    if let place = reference(by: index, in: layout) {
      throw .referenceIsMasked(
        name, "\(entity.name).\(entity.properties[place].name)", entity.destination(at: place).name)
    }
  }

  /// The to-one relationship whose destination is named by the column of an attribute; nil if there is none.
  private static func reference(by index: Int, in layout: EntityLayout) -> Int? {
    let own = layout.properties[index].ownColumns
    return layout.properties.firstIndex { property in
      if case .reference(let columns, _) = property { columns.contains(where: own.contains) } else { false }
    }
  }

  /// Whether an attribute has a mask.
  func covers(_ index: Int, of entity: Entity) -> Bool { masks[entity]?[index] != nil }

  /// The mask of an object's value by the rules of the attribute that it becomes; the value itself if there is no mask.
  ///
  /// - Throws: CopyError for a value of another kind, and for a mask that breaks a rule.
  func masked(_ value: Value, _ index: Int, of object: ObjectID, as attribute: Attribute) throws -> Value {
    guard !value.isNull, let mask = masks[object.entity]?[index] else { return value }
    let name = "\(object.entity.name).\(object.entity.properties[index].name)"
    if case .function(let function) = mask {
      let masked = try function(value, object)
      if let broken = violation(of: masked, index, object.entity, attribute) {
        throw CopyError.maskBreaksRule(name, key: object.key, mask.name, broken)
      }
      return masked
    }
    var (found, broken) = (value, Violation?.none)
    for _ in 0..<(mask.canBeRepeated ? 200 : 1) {
      guard let next = masker.masked(found, mask, maximumLength: attribute.maximumLength) else {
        throw CopyError.unfitValue(name, key: object.key, mask.name)
      }
      found = Self.clamped(next, attribute)
      broken = violation(of: found, index, object.entity, attribute)
      if broken == nil { return found }
    }
    throw CopyError.maskBreaksRule(name, key: object.key, mask.name, broken!)
  }

  /// The first rule of an attribute that a value breaks: its type, its bounds, or a condition of the model.
  private func violation(of value: Value, _ index: Int, _ entity: Entity, _ attribute: Attribute) -> Violation? {
    guard let coerced = try? attribute.coerce(value) else {
      return Violation(entity: entity.name, property: attribute.name, kind: .wrongType, value: value)
    }
    if let broken = attribute.violations(of: coerced, in: entity.name).first { return broken }
    if conditions[entity]?[index] == nil {
      conditions[entity, default: [:]][index] = .some(ValueConditions(attribute, of: entity))
    }
    return conditions[entity]?[index]??.violations(of: coerced, NoSubject(entity: entity)).first
  }

  /// A number or date within the bounds of its attribute.
  private static func clamped(_ value: Value, _ attribute: Attribute) -> Value {
    switch attribute.violations(of: value).first?.kind {
    case .numberTooSmall, .dateTooSoon: attribute.minimum
    case .numberTooLarge, .dateTooLate: attribute.maximum
    default: value
    }
  }

  /// The stored attributes that may hold texts and have no mask, as `User.note`. What names the destination of a to-one
  /// relationship is masked there.
  package static func unmasked(_ masks: Masks?, in store: any ObjectStore) -> [String] {
    let types: Set<AttributeType> = [.string, .url, .any, .transformable, .composite, .data]
    return store.model.entities.flatMap { entity -> [String] in
      let inherited = entity.parent?.properties.count ?? 0
      return (inherited..<entity.properties.count).compactMap { index in
        guard let attribute = entity.properties[index].attribute, types.contains(attribute.type),
          !attribute.isDerived, !attribute.isTransient, !entity.isReadOnly, masks?.covers(index, of: entity) != true,
          reference(by: index, in: store.layout(of: entity)) == nil
        else { return nil }
        return "\(entity.name).\(attribute.name)"
      }
    }
  }
}
