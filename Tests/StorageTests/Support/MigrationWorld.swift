import Modeling
import TestSupport

@testable import RelationalStorage
@testable import SQLiteStorage
@testable import Stores

/// A model and objects of it as plain lists, to be edited as a migration would: the reference that stores are held to.
struct MigrationWorld {
  struct Field {
    var id: Int
    var name: String
    var former: String?
    var type: AttributeType
    var isOptional = true
    var isUnique = false
    var isIndexed = false
    var standard = Value.null
    /// Whether values were changed already: what happens in between is not seen by one migration.
    var isChanged = false
  }

  struct Kind {
    var name: String
    var former: String?
    var parent: String?
    var isAbstract = false
    var fields: [Field]
  }

  struct Object {
    var uid: Int
    var kind: String
    var values: [Int: Value]
  }

  /// One side of an association.
  struct End {
    var kind: String
    var name: String
    var former: String?
    var isToMany: Bool
    var isOrdered = false
    /// Whether the order of members means something; false where it was just turned on.
    var keepsOrder = true
    var deleteRule = DeleteRule.nullify
  }

  struct Association {
    var id: Int
    var first: End
    var second: End
    /// Whether the second side has a relationship.
    var hasInverse: Bool
    /// Pairs of uids; the members of each ordered side stand in its order.
    var pairs: [(first: Int, second: Int)]
    /// Whether the first side has a derived count of its members.
    var isCounted = false
  }

  var kinds: [Kind] = []
  var objects: [Object] = []
  var associations: [Association] = []
  var random: SplitMix
  /// Whether two things may swap names: swapped back in a later version, nothing would tell it from staying as it is.
  var maySwap = true
  private var counter = 0

  init(seed: UInt64) {
    random = SplitMix(seed: seed)
    for _ in 0..<Int.random(in: 2...4, using: &random) { addKind() }
    for _ in 0..<Int.random(in: 0...2, using: &random) {
      addKind()
      kinds[kinds.count - 1].parent = kinds.randomElement(using: &random)!.name
      let last = kinds.count - 1
      if kinds[last].parent == kinds[last].name { kinds[last].parent = nil }
    }
    for index in kinds.indices where kinds[index].parent != nil { kinds[index].fields.removeAll { $0.name == "uid" } }
    for _ in 0..<Int.random(in: 1...5, using: &random) { addAssociation() }
    for uid in 1...Int.random(in: 1...14, using: &random) { addObject(uid) }
    for index in associations.indices { fill(index) }
    settle()
  }

  /// Takes what is there as the state before the next migration.
  mutating func settle() {
    for kind in kinds.indices {
      kinds[kind].former = kinds[kind].name
      for field in kinds[kind].fields.indices {
        kinds[kind].fields[field].former = kinds[kind].fields[field].name
        kinds[kind].fields[field].isChanged = false
      }
    }
    for index in associations.indices {
      associations[index].first.former = associations[index].first.name
      associations[index].second.former = associations[index].second.name
    }
  }

  mutating func number() -> Int {
    counter += 1
    return counter
  }

  func index(_ kind: String) -> Int { kinds.firstIndex { $0.name == kind }! }

  func isKind(_ kind: String, _ ancestor: String) -> Bool {
    var candidate: String? = kind
    while let name = candidate {
      if name == ancestor { return true }
      candidate = kinds[index(name)].parent
    }
    return false
  }

  /// The fields of a kind, inherited ones included.
  func fields(_ kind: String) -> [Field] {
    let own = kinds[index(kind)]
    return (own.parent.map(fields) ?? []) + own.fields
  }

  /// Whether the model takes no two relationships for inverses that name none.
  func isUnambiguous(_ model: Model) -> Bool {
    associations.allSatisfy { association in
      guard !association.hasInverse, let entity = model.entity(named: association.first.kind),
        let index = entity.index(of: association.first.name)
      else { return true }
      return entity.inverse(at: index) == nil
    }
  }

  func family(_ kind: String) -> [String] { kinds.map(\.name).filter { isKind($0, kind) } }

  func root(_ kind: String) -> String { kinds[index(kind)].parent.map(root) ?? kind }

  private mutating func addKind() {
    var kind = Kind(name: "K\(number())", fields: [uidField()])
    for _ in 0..<Int.random(in: 0...3, using: &random) { kind.fields.append(newField()) }
    kinds.append(kind)
  }

  func uidField() -> Field { Field(id: 0, name: "uid", type: .integer64, isOptional: true) }

  static let types: [AttributeType] = [
    .integer16, .integer64, .double, .string, .boolean, .date, .decimal, .uuid, .url, .data,
  ]

  mutating func newField() -> Field {
    let id = number()
    return Field(id: id, name: "a\(id)", type: Self.types.randomElement(using: &random)!)
  }

  /// A value as it is stored.
  mutating func value(_ type: AttributeType) -> Value {
    if Int.random(in: 0...3, using: &random) == 0 { return .null }
    let number = Int.random(in: -50...50, using: &random)
    switch type {
    case .integer16, .integer32, .integer64: return .int(Int64(number))
    case .double, .float: return .double(Double(number) / 4)
    case .boolean: return .int(Int64(number & 1))
    case .date: return .double(Double(number) * 86400)
    case .decimal: return .string("\(number).5")
    case .uuid:
      return .string("7D444840-9DC0-11D1-B245-5FFDCE74FA\(String(number & 0x3f | 0x40, radix: 16, uppercase: true))")
    case .url: return .string("http://example.org/\(number)")
    case .data: return .data([UInt8(number & 0xff)])
    default: return .string("\(number)")
    }
  }

  private mutating func addAssociation() {
    let id = number()
    func end(_ name: String, _ random: inout SplitMix, _ kinds: [Kind]) -> End {
      var end = End(
        kind: kinds.randomElement(using: &random)!.name, name: name, isToMany: Bool.random(using: &random))
      end.isOrdered = end.isToMany && Bool.random(using: &random)
      end.deleteRule = [.nullify, .cascade, .deny, .noAction].randomElement(using: &random)!
      return end
    }
    let first = end("r\(id)", &random, kinds)
    let second = end("s\(id)", &random, kinds)
    var association = Association(
      id: id, first: first, second: second, hasInverse: Int.random(in: 0...3, using: &random) > 0, pairs: [])
    association.isCounted = first.isToMany && Bool.random(using: &random)
    if !association.hasInverse {
      association.second.isToMany = true
      association.second.isOrdered = false
    }
    associations.append(association)
  }

  private mutating func addObject(_ uid: Int) {
    let kind = kinds.randomElement(using: &random)!
    var object = Object(uid: uid, kind: kind.name, values: [0: .int(Int64(uid))])
    for field in fields(kind.name) where field.id != 0 { object.values[field.id] = value(field.type) }
    objects.append(object)
  }

  private mutating func fill(_ index: Int) {
    let association = associations[index]
    let owners = objects.filter { isKind($0.kind, association.first.kind) }.map(\.uid)
    let members = objects.filter { isKind($0.kind, association.second.kind) }.map(\.uid)
    guard !owners.isEmpty, !members.isEmpty else { return }
    for _ in 0..<Int.random(in: 0...8, using: &random) {
      let pair = (first: owners.randomElement(using: &random)!, second: members.randomElement(using: &random)!)
      let known = associations[index].pairs
      if known.contains(where: { $0 == pair }) { continue }
      if !association.first.isToMany, known.contains(where: { $0.first == pair.first }) { continue }
      if association.hasInverse, !association.second.isToMany, known.contains(where: { $0.second == pair.second }) {
        continue
      }
      associations[index].pairs.append(pair)
    }
  }

  /// The model as it stands; `renaming` names what each thing was before.
  func model(renaming: Bool) throws -> Model {
    func former(_ former: String?, _ name: String) -> String? { renaming && former != name ? former : nil }
    return try Model(
      kinds.map { kind in
        var properties = kind.fields.map { field -> Property in
          var attribute = Attribute(field.name, field.type)
          attribute.isOptional = field.isOptional
          attribute.isUnique = field.isUnique
          attribute.isIndexed = field.isIndexed
          attribute.defaultValue = field.standard
          attribute.renamingIdentifier = former(field.former, field.name)
          return .attribute(attribute)
        }
        for association in associations {
          var ends = [(association.first, association.second, association.hasInverse)]
          if association.hasInverse { ends.append((association.second, association.first, true)) }
          for (end, other, hasInverse) in ends where end.kind == kind.name {
            var relationship = Relationship(toOne: end.name, other.kind)
            relationship.isToMany = end.isToMany
            relationship.isOrdered = end.isToMany && end.isOrdered
            relationship.deleteRule = end.deleteRule
            relationship.inverse = hasInverse ? other.name : nil
            relationship.renamingIdentifier = former(end.former, end.name)
            properties.append(.relationship(relationship))
          }
          if association.isCounted, association.first.kind == kind.name, association.first.isToMany {
            var count = Attribute("n\(association.id)", .integer64)
            count.derivation = "\(association.first.name).@count"
            properties.append(.attribute(count))
          }
        }
        var description = EntityDescription(kind.name, parent: kind.parent, properties: properties)
        description.isAbstract = kind.isAbstract
        description.renamingIdentifier = former(kind.former, kind.name)
        return description
      })
  }
}
