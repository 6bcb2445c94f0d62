import Modeling

@testable import RelationalStorage
@testable import SQLiteStorage
@testable import Stores

extension MigrationWorld {
  /// Changes the model and the objects in some way that can be inferred; returns what it did, nil for nothing.
  mutating func edit() -> String? {
    switch Int.random(in: 0..<22, using: &random) {
    case 0: addField()
    case 1: removeField()
    case 2: renameField()
    case 3, 4: convertField()
    case 5: requireField()
    case 6: indexField()
    case 7: addEmptyKind()
    case 8: removeKind()
    case 9: renameKind()
    case 10: addParent()
    case 11: joinHierarchy()
    case 12: leaveHierarchy()
    case 13: raiseField()
    case 14, 15: changeCount()
    case 16: changeOrder()
    case 17: changeInverse()
    case 18: lowerField()
    case 19, 20: moveEnd()
    default: renameEnd()
    }
  }

  // MARK: Fields

  /// Some field that is not the one objects are known by.
  private mutating func someField() -> (kind: Int, field: Int)? {
    let places = kinds.indices.flatMap { kind in
      kinds[kind].fields.indices.filter { kinds[kind].fields[$0].id != 0 }.map { (kind: kind, field: $0) }
    }
    return places.randomElement(using: &random)
  }

  private func objectsWith(_ field: Int) -> [Int] { objects.indices.filter { objects[$0].values[field] != nil } }

  private mutating func addField() -> String? {
    let kind = kinds.indices.randomElement(using: &random)!
    var field = newField()
    if Bool.random(using: &random) {
      field.type = .integer64
      field.standard = .int(7)
      field.isOptional = Bool.random(using: &random)
    }
    kinds[kind].fields.insert(field, at: Int.random(in: 0...kinds[kind].fields.count, using: &random))
    for index in objects.indices where isKind(objects[index].kind, kinds[kind].name) {
      objects[index].values[field.id] = field.standard
    }
    return "add \(kinds[kind].name).\(field.name)"
  }

  private mutating func removeField() -> String? {
    guard let place = someField() else { return nil }
    let field = kinds[place.kind].fields.remove(at: place.field)
    for index in objects.indices { objects[index].values[field.id] = nil }
    return "remove \(field.name)"
  }

  private mutating func renameField() -> String? {
    guard let place = someField() else { return nil }
    let others = kinds[place.kind].fields.indices.filter { $0 != place.field && kinds[place.kind].fields[$0].id != 0 }
    if maySwap, let other = others.randomElement(using: &random), kinds[place.kind].fields[other].former != nil,
      kinds[place.kind].fields[place.field].former != nil
    {
      let name = kinds[place.kind].fields[other].name
      kinds[place.kind].fields[other].name = kinds[place.kind].fields[place.field].name
      kinds[place.kind].fields[place.field].name = name
      return "swap \(name)"
    }
    kinds[place.kind].fields[place.field].name = "a\(number())"
    return "rename to \(kinds[place.kind].fields[place.field].name)"
  }

  private mutating func convertField() -> String? {
    guard let place = someField() else { return nil }
    let field = kinds[place.kind].fields[place.field]
    let type = Self.types.randomElement(using: &random)!
    guard type != field.type, field.standard.isNull, !field.isUnique, !field.isChanged, field.former != nil,
      ValueConversion.isPossible(from: field.type, to: type)
    else { return nil }
    var converted: [Int: Value] = [:]
    for index in objectsWith(field.id) {
      guard let value = plainly(objects[index].values[field.id]!, field.type, type) else { return nil }
      converted[index] = value
    }
    for (index, value) in converted { objects[index].values[field.id] = value }
    kinds[place.kind].fields[place.field].type = type
    kinds[place.kind].fields[place.field].isChanged = true
    return "convert \(field.name) to \(type)"
  }

  /// The conversions that are plain to see; nil for others, and for values that do not convert.
  private func plainly(_ value: Value, _ old: AttributeType, _ new: AttributeType) -> Value? {
    switch (value, new) {
    case (.null, _): return .null
    case (.int(let number), .integer16) where old != .boolean: return .int(number)
    case (.int(let number), .integer64): return .int(number)
    case (.int(let number), .double): return .double(Double(number))
    case (.int(let number), .string): return .string(old == .boolean ? (number == 1 ? "true" : "false") : "\(number)")
    case (.double(let number), .date) where old == .double: return .double(number)
    case (.double(let number), .double) where old == .date: return .double(number)
    case (.double(let number), .integer64) where old == .double: return Int64(exactly: number).map(Value.int)
    case (.double(let number), .string) where old == .double: return .string("\(number)")
    case (.string(let text), .integer64) where old == .string: return Int64(text).map(Value.int)
    case (.string(let text), .double) where old == .string || old == .decimal: return Double(text).map(Value.double)
    case (.string(let text), .string): return .string(text)
    case (.string(let text), .data) where old == .string: return .data(Array(text.utf8))
    default: return nil
    }
  }

  private mutating func requireField() -> String? {
    guard let place = someField() else { return nil }
    var field = kinds[place.kind].fields[place.field]
    guard [.integer16, .integer64].contains(field.type), !field.isUnique, !field.isChanged, field.former != nil else {
      return nil
    }
    kinds[place.kind].fields[place.field].isChanged = true
    field.isChanged = true
    if !field.isOptional {
      kinds[place.kind].fields[place.field].isOptional = true
      return "make \(field.name) optional"
    }
    field.isOptional = false
    field.standard = .int(9)
    for index in objectsWith(field.id) where objects[index].values[field.id]!.isNull {
      objects[index].values[field.id] = field.standard
    }
    kinds[place.kind].fields[place.field] = field
    return "require \(field.name)"
  }

  private mutating func indexField() -> String? {
    guard let place = someField() else { return nil }
    let field = kinds[place.kind].fields[place.field]
    let values = objectsWith(field.id).map { objects[$0].values[field.id]! }.filter { !$0.isNull }
    if Bool.random(using: &random) || Set(values).count < values.count {
      kinds[place.kind].fields[place.field].isIndexed.toggle()
    } else {
      kinds[place.kind].fields[place.field].isUnique.toggle()
    }
    return "index \(field.name)"
  }

  // MARK: Kinds

  private mutating func addEmptyKind() -> String? {
    var kind = Kind(name: "K\(number())", fields: [newField()])
    if Bool.random(using: &random) {
      kind.parent = kinds.randomElement(using: &random)!.name
    } else {
      kind.fields.append(uidField())
    }
    kinds.append(kind)
    return "add \(kind.name)"
  }

  private mutating func removeKind() -> String? {
    guard kinds.count > 1 else { return nil }
    let leaves = kinds.indices.filter { index in !kinds.contains { $0.parent == kinds[index].name } }
    let kind = kinds.remove(at: leaves.randomElement(using: &random)!)
    associations.removeAll { $0.first.kind == kind.name || $0.second.kind == kind.name }
    let gone = Set(objects.filter { $0.kind == kind.name }.map(\.uid))
    objects.removeAll { gone.contains($0.uid) }
    for index in associations.indices {
      associations[index].pairs.removeAll { gone.contains($0.first) || gone.contains($0.second) }
    }
    return "remove \(kind.name)"
  }

  private mutating func renameKind() -> String? {
    let index = kinds.indices.randomElement(using: &random)!
    let others = kinds.indices.filter { $0 != index && kinds[$0].former != nil }
    if maySwap, kinds[index].former != nil, Bool.random(using: &random),
      let other = others.randomElement(using: &random)
    {
      let (name, otherName) = (kinds[index].name, kinds[other].name)
      rename(index, to: "?")
      rename(other, to: name)
      rename(index, to: otherName)
      return "swap \(name) and \(otherName)"
    }
    let old = kinds[index].name
    rename(index, to: "K\(number())")
    return "rename \(old) to \(kinds[index].name)"
  }

  private mutating func rename(_ index: Int, to name: String) {
    let old = kinds[index].name
    kinds[index].name = name
    for other in kinds.indices where kinds[other].parent == old { kinds[other].parent = name }
    for other in objects.indices where objects[other].kind == old { objects[other].kind = name }
    for other in associations.indices {
      if associations[other].first.kind == old { associations[other].first.kind = name }
      if associations[other].second.kind == old { associations[other].second.kind = name }
    }
  }

  private mutating func addParent() -> String? {
    let roots = kinds.indices.filter { kinds[$0].parent == nil }.shuffled(using: &random).prefix(3)
    guard roots.count > 1 else { return nil }
    var parent = Kind(name: "K\(number())", isAbstract: Bool.random(using: &random), fields: [uidField()])
    for root in roots {
      kinds[root].parent = parent.name
      kinds[root].fields.removeAll { $0.id == 0 }
    }
    var raised: Field?
    if Bool.random(using: &random), let index = roots.first, let place = kinds[index].fields.indices.first {
      raised = kinds[index].fields.remove(at: place)
    }
    if let raised { parent.fields.append(raised) }
    kinds.append(parent)
    if let raised {
      for other in objects.indices where isKind(objects[other].kind, parent.name) {
        if objects[other].values[raised.id] == nil { objects[other].values[raised.id] = raised.standard }
      }
    }
    return "add parent \(parent.name) of \(roots.map { kinds[$0].name })"
  }

  private mutating func joinHierarchy() -> String? {
    let roots = kinds.indices.filter { kinds[$0].parent == nil }.shuffled(using: &random)
    guard roots.count > 1 else { return nil }
    let (child, parent) = (roots[0], family(kinds[roots[1]].name).randomElement(using: &random)!)
    if fields(parent).contains(where: { $0.isUnique && !$0.standard.isNull }) { return nil }
    kinds[child].parent = parent
    kinds[child].fields.removeAll { $0.id == 0 }
    for field in fields(parent) {
      for index in objects.indices where isKind(objects[index].kind, kinds[child].name) && field.id != 0 {
        objects[index].values[field.id] = field.standard
      }
    }
    return "\(kinds[child].name) joins \(parent)"
  }

  private mutating func leaveHierarchy() -> String? {
    let ended = Set(associations.flatMap { [$0.first.kind, $0.second.kind] })
    let children = kinds.indices.filter { index in
      var parent = kinds[index].parent
      guard parent != nil else { return false }
      while let name = parent {
        if ended.contains(name) { return false }
        parent = kinds[self.index(name)].parent
      }
      return true
    }
    guard let child = children.randomElement(using: &random), let parent = kinds[child].parent else { return nil }
    var inherited = fields(parent)
    for index in inherited.indices where inherited[index].former == nil && inherited[index].id != 0 { return nil }
    for index in inherited.indices where inherited[index].id != 0 {
      let id = number()
      for other in objects.indices where isKind(objects[other].kind, kinds[child].name) {
        objects[other].values[id] = objects[other].values.removeValue(forKey: inherited[index].id)
      }
      inherited[index].id = id
      inherited[index].isUnique = false
    }
    kinds[child].fields = inherited + kinds[child].fields
    kinds[child].parent = nil
    return "\(kinds[child].name) leaves \(parent)"
  }

  private mutating func raiseField() -> String? {
    guard let place = someField(), let parent = kinds[place.kind].parent else { return nil }
    let field = kinds[place.kind].fields[place.field]
    guard field.former != nil, !field.isUnique, !field.isChanged, field.isOptional || !field.standard.isNull else {
      return nil
    }
    // Where an ancestor of it was not there before, nothing says whose property it was.
    kinds[place.kind].fields.remove(at: place.field)
    kinds[index(parent)].fields.append(field)
    for index in objects.indices where isKind(objects[index].kind, parent) && objects[index].values[field.id] == nil {
      objects[index].values[field.id] = field.standard
    }
    return "raise \(field.name) to \(parent)"
  }

  private mutating func lowerField() -> String? {
    guard let place = someField() else { return nil }
    let children = kinds.indices.filter { kinds[$0].parent == kinds[place.kind].name }
    var field = kinds[place.kind].fields[place.field]
    guard let child = children.randomElement(using: &random), field.former != nil, !field.isUnique else { return nil }
    kinds[place.kind].fields.remove(at: place.field)
    field.isChanged = true
    kinds[child].fields.append(field)
    for index in objects.indices where !isKind(objects[index].kind, kinds[child].name) {
      objects[index].values[field.id] = nil
    }
    return "lower \(field.name) to \(kinds[child].name)"
  }

  // MARK: Associations

  /// Lets a side lead from and to the parent of what it did, or to a child where all objects are of its kind.
  private mutating func moveEnd() -> String? {
    guard let index = associations.indices.randomElement(using: &random) else { return nil }
    let isFirst = Bool.random(using: &random)
    let association = associations[index]
    let end = isFirst ? association.first : association.second
    let uids = association.pairs.map { isFirst ? $0.first : $0.second }
    var kind = kinds[self.index(end.kind)].parent
    if !uids.isEmpty, kind == nil || Bool.random(using: &random) {
      kind = kinds.map(\.name).filter { name in
        kinds[self.index(name)].parent == end.kind
          && objects.allSatisfy { !uids.contains($0.uid) || isKind($0.kind, name) }
      }.randomElement(using: &random)
    }
    guard let kind else { return nil }
    if isFirst { associations[index].first.kind = kind } else { associations[index].second.kind = kind }
    return "\(end.name) moves from \(end.kind) to \(kind)"
  }

  private mutating func changeCount() -> String? {
    guard let index = associations.indices.randomElement(using: &random) else { return nil }
    let association = associations[index]
    if association.hasInverse, Bool.random(using: &random) {
      if association.second.isToMany {
        guard Set(association.pairs.map(\.second)).count == association.pairs.count else { return nil }
        associations[index].second.isOrdered = false
      }
      associations[index].second.isToMany.toggle()
      return "count of \(association.second.name)"
    }
    if association.first.isToMany {
      guard Set(association.pairs.map(\.first)).count == association.pairs.count else { return nil }
      associations[index].first.isOrdered = false
      associations[index].isCounted = false
    }
    associations[index].first.isToMany.toggle()
    return "count of \(association.first.name)"
  }

  private mutating func changeOrder() -> String? {
    guard let index = associations.indices.randomElement(using: &random) else { return nil }
    func change(_ end: inout End) {
      if end.isToMany { end.isOrdered.toggle() }
      end.keepsOrder = false
    }
    change(&associations[index].first)
    if associations[index].hasInverse, Bool.random(using: &random) { change(&associations[index].second) }
    return "order of \(associations[index].first.name)"
  }

  private mutating func changeInverse() -> String? {
    guard let index = associations.indices.randomElement(using: &random) else { return nil }
    let association = associations[index]
    if association.hasInverse {
      associations[index].hasInverse = false
      associations[index].second.former = nil
      associations[index].second.isToMany = true
      associations[index].second.isOrdered = false
      return "no inverse of \(association.first.name)"
    }
    associations[index].hasInverse = true
    associations[index].second.name = "s\(number())"
    associations[index].second.former = nil
    associations[index].second.keepsOrder = false
    if Set(association.pairs.map(\.second)).count == association.pairs.count {
      associations[index].second.isToMany = Bool.random(using: &random)
    }
    associations[index].second.isOrdered = associations[index].second.isToMany && Bool.random(using: &random)
    return "inverse of \(association.first.name)"
  }

  private mutating func renameEnd() -> String? {
    guard let index = associations.indices.randomElement(using: &random) else { return nil }
    let old = associations[index].first.name
    associations[index].first.name = "r\(number())"
    if Bool.random(using: &random) { associations[index].second.name = "s\(number())" }
    return "rename \(old) to \(associations[index].first.name)"
  }
}
