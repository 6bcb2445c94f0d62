package import Modeling

/// A property where it is declared: of the topmost entity that has it.
package struct DeclaredProperty: Hashable {
  package let name: String
  package let entity: Entity

  /// The declaration of an entity's property; nil where it has none of that name.
  package init?(_ name: String, of entity: Entity) {
    guard entity.index(of: name) != nil else { return nil }
    var owner = entity
    while let parent = owner.parent, parent.index(of: name) != nil { owner = parent }
    (self.name, self.entity) = (name, owner)
  }

  package static func == (one: Self, other: Self) -> Bool { one.name == other.name && one.entity === other.entity }

  package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

/// The properties that the key paths of a predicate or an order name, with their places.
///
///     KeyPathUses(in: "ANY reports.intensity > 2", of: quake)      // reports of Quake, intensity of Report
///
/// A variable of SUBQUERY leads to the elements of its collection. What is in quotes is no key path.
package struct KeyPathUses {
  /// A name of a property.
  package struct Use {
    package let property: DeclaredProperty
    /// Where it stands, in bytes of the text.
    package let range: Range<Int>
  }

  package private(set) var all: [Use] = []
  private let bytes: [UInt8]
  private var place = 0
  /// What the variables are, by their names.
  private var variables: [String: Entity] = [:]

  /// Reads a text about an entity.
  package init(in text: String, of entity: Entity) {
    bytes = Array(text.utf8)
    var subqueries = false
    /// What the last key path led to, which is the collection of a SUBQUERY if one begins there.
    var last: Entity?
    while place < bytes.count {
      switch bytes[place] {
      case UInt8(ascii: "'"), UInt8(ascii: "\""): skipQuoted()
      case UInt8(ascii: "$"):
        place += 1
        let name = word()
        if let owner = variables[name] {
          if isPoint { place += 1 }
          last = path(from: owner)
        } else if subqueries, let last {
          variables[name] = last
          subqueries = false
        }
      case UInt8(ascii: "%"): place += 2
      case let byte where Self.isPart(byte):
        if word(at: place).uppercased() == "SUBQUERY" {
          _ = word()
          subqueries = true
        } else {
          last = path(from: entity)
        }
      default: place += 1
      }
    }
  }

  private static func isPart(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
      true
    default: false
    }
  }

  private var isPoint: Bool {
    place + 1 < bytes.count && bytes[place] == UInt8(ascii: ".") && Self.isPart(bytes[place + 1])
  }

  private func word(at start: Int) -> String {
    String(decoding: bytes[start...].prefix(while: Self.isPart), as: UTF8.self)
  }

  private mutating func word() -> String {
    let word = word(at: place)
    place += word.utf8.count
    return word
  }

  private mutating func skipQuoted() {
    let mark = bytes[place]
    place += 1
    while place < bytes.count, bytes[place] != mark { place += bytes[place] == UInt8(ascii: "\\") ? 2 : 1 }
    place += 1
  }

  /// Reads a key path, and returns the entity of what it leads to.
  private mutating func path(from entity: Entity) -> Entity? {
    var owner: Entity? = entity
    while true {
      let start = place
      let name = word()
      let isFunction = place < bytes.count && bytes[place] == UInt8(ascii: "(")
      if let current = owner, !isFunction, let property = DeclaredProperty(name, of: current) {
        all.append(Use(property: property, range: start..<place))
        owner = current.index(of: name).flatMap {
          current.properties[$0].relationship == nil ? nil : current.destination(at: $0)
        }
      } else {
        owner = nil
      }
      guard isPoint else { return owner }
      place += 1
    }
  }
}
