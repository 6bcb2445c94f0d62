import Modeling

/// The plainest graph there could be: every object says by name what it holds and what it leads to, and every function
/// does what it must by going through all of them. What the real one must agree with.
struct NaiveGraph: Equatable {
  struct Object: Equatable {
    var entity: String
    var number = 0
    var ones: [String: Int] = [:]
    var manys: [String: [Int]] = [:]
  }

  /// A relationship as the model declares it.
  struct Link {
    let name: String
    let destination: String
    let inverse: String
    let isToMany: Bool
    let isInverseToMany: Bool
    let isOrdered: Bool
    let rule: DeleteRule
  }

  /// The relationships of each entity.
  let links: [String: [Link]]
  var objects: [Int: Object] = [:]

  static func == (left: NaiveGraph, right: NaiveGraph) -> Bool { left.objects == right.objects }

  init(_ model: Model) {
    var links: [String: [Link]] = [:]
    for entity in model.entities {
      for (index, property) in entity.properties.enumerated() {
        guard let relationship = property.relationship, let back = entity.inverse(at: index) else { continue }
        let destination = entity.destination(at: index)
        links[entity.name, default: []].append(
          Link(
            name: relationship.name, destination: destination.name, inverse: destination.properties[back].name,
            isToMany: relationship.isToMany,
            isInverseToMany: destination.properties[back].relationship?.isToMany == true,
            isOrdered: relationship.isOrdered, rule: relationship.deleteRule))
      }
    }
    self.links = links
  }

  func ids(_ entity: String) -> [Int] { objects.filter { $0.value.entity == entity }.keys.sorted() }

  func links(of id: Int) -> [Link] { objects[id].flatMap { links[$0.entity] } ?? [] }

  mutating func setOne(_ id: Int, _ link: Link, to target: Int?) {
    let old = objects[id]?.ones[link.name]
    if old == target { return }
    if let old { drop(id, from: old, link) }
    objects[id]?.ones[link.name] = target
    guard let target else { return }
    if link.isInverseToMany {
      objects[target]?.manys[link.inverse, default: []].append(id)
    } else {
      if let rival = objects[target]?.ones[link.inverse] { objects[rival]?.ones[link.name] = nil }
      objects[target]?.ones[link.inverse] = id
    }
  }

  /// Takes `id` out of the other side of a link.
  private mutating func drop(_ id: Int, from other: Int, _ link: Link) {
    if link.isInverseToMany {
      objects[other]?.manys[link.inverse]?.removeAll { $0 == id }
    } else {
      objects[other]?.ones[link.inverse] = nil
    }
  }

  mutating func setMember(_ id: Int, _ link: Link, _ member: Int, isMember: Bool) {
    guard (objects[id]?.manys[link.name] ?? []).contains(member) != isMember else { return }
    guard link.isInverseToMany else {
      guard let back = links(of: member).first(where: { $0.name == link.inverse }) else { return }
      return setOne(member, back, to: isMember ? id : nil)
    }
    if isMember {
      objects[id]?.manys[link.name, default: []].append(member)
      objects[member]?.manys[link.inverse, default: []].append(id)
    } else {
      objects[id]?.manys[link.name]?.removeAll { $0 == member }
      drop(id, from: member, link)
    }
  }

  mutating func setMembers(_ id: Int, _ link: Link, _ members: [Int]) {
    for member in objects[id]?.manys[link.name] ?? [] where !members.contains(member) {
      setMember(id, link, member, isMember: false)
    }
    for member in members { setMember(id, link, member, isMember: true) }
    objects[id]?.manys[link.name] = members
  }

  mutating func delete(_ id: Int) {
    guard let object = objects[id] else { return }
    let links = links(of: id)
    objects[id] = nil
    for link in links {
      let others = link.isToMany ? object.manys[link.name] ?? [] : object.ones[link.name].map { [$0] } ?? []
      for other in others {
        if link.rule == .cascade { delete(other) }
        drop(id, from: other, link)
      }
    }
  }
}
