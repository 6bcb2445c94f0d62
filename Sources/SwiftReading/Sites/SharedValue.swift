internal import SwiftParsing

/// A name under which all files of a program know a predicate or an order: `Filters.recent`, `NSPredicate.recent(since: date)`.
package struct SharedValue: Hashable, Sendable {
  /// The type that has the name; nil for a name of the program itself.
  package let type: String?
  package let name: String
  /// Whether it is called.
  let isCall: Bool
}

// Values that other files of the program use.
extension EntityFlow {
  /// The name under which a declaration keeps a value for all files; nil for one that is private, or of an object.
  func shared(declaredAt name: Int, isCall: Bool) -> SharedValue? {
    let words = modifiers(before: name - 1)
    guard ["let", "var", "func"].contains(file.name(name - 1)), words.isDisjoint(with: ["private", "fileprivate"]),
      let text = file.name(name)
    else { return nil }
    guard let block = file.blocks(around: name).first else { return SharedValue(type: nil, name: text, isCall: isCall) }
    guard case .type(let type) = block.kind, !words.isDisjoint(with: ["static", "class"]) else { return nil }
    return SharedValue(type: type, name: text, isCall: isCall)
  }

  /// The requests that a shared value becomes a part of in this file.
  func uses(of value: SharedValue) -> Set<SharedUses.Use> {
    var found: Set<SharedUses.Use> = []
    for place in file.uses(of: value.name, in: file.tokens.indices) {
      guard (file.kind(place + 1) == .sign("(")) == value.isCall, let start = beginning(of: value, at: place) else {
        continue
      }
      let destination = destination(from: start)
      found.insert(SharedUses.Use(entity: destination.entity, isLikely: destination.isLikely))
    }
    return found
  }

  /// The first token of an expression that means a shared value; nil where the name means something else.
  private func beginning(of value: SharedValue, at place: Int) -> Int? {
    guard file.kind(place - 1) == .sign(".") else {
      let isDeclared = ["let", "var", "func", "case"].contains(file.name(place - 1))
      guard !isDeclared, file.kind(place + 1) != .sign(":"), value.type == nil || file.owner(of: place) == value.type
      else { return nil }
      let binding = value.isCall ? nil : Bindings(file).binding(of: value.name, at: place)
      // A local of the same name is another one.
      guard let binding else { return place }
      return shared(declaredAt: binding.name, isCall: false) == value ? place : nil
    }
    guard let type = value.type else { return nil }
    if let owner = file.name(place - 2) {
      let isOwn = owner == type || owner == "Self" && file.owner(of: place) == type
      return isOwn && file.kind(place - 3) != .sign(".") ? place - 2 : nil
    }
    // `request.predicate = .recent`
    return ["NSPredicate", "NSSortDescriptor"].contains(type) && !endsValue(place - 2) ? place - 1 : nil
  }
}

/// What the files of a program do with the values that they share.
package struct SharedUses: Sendable {
  /// A use: the entity of its request, where that is known.
  struct Use: Hashable {
    let entity: String?
    let isLikely: Bool
  }

  private var uses: [SharedValue: Set<Use>]
  /// The bytes of the names, by the first of them.
  private var names: [[(bytes: [UInt8], value: SharedValue)]] = Array(repeating: [], count: 256)

  /// Looks for the uses of values; none are known before files are added.
  package init(of values: Set<SharedValue>) {
    uses = Dictionary(uniqueKeysWithValues: values.map { ($0, []) })
    for value in values {
      let bytes = Array(value.name.utf8)
      if let first = bytes.first { names[Int(first)].append((bytes, value)) }
    }
  }

  /// The values whose uses are looked for.
  package var values: Set<SharedValue> { Set(uses.keys) }

  /// Adds the uses in the text of a file. O(length).
  package mutating func add(_ bytes: [UInt8]) {
    let named = values(namedIn: bytes)
    guard !named.isEmpty else { return }
    let flow = EntityFlow(SwiftSourceFile(String(decoding: bytes, as: UTF8.self)))
    for value in named { uses[value]?.formUnion(flow.uses(of: value)) }
  }

  /// The values whose names stand somewhere in a file: most have none, and are not read further.
  private func values(namedIn bytes: [UInt8]) -> Set<SharedValue> {
    var found: Set<SharedValue> = []
    let beginnings = names.map { !$0.isEmpty }
    bytes.withUnsafeBufferPointer { bytes in
      for place in bytes.indices where beginnings[Int(bytes[place])] {
        for (name, value) in names[Int(bytes[place])] where bytes[place...].starts(with: name) { found.insert(value) }
      }
    }
    return found
  }

  /// The entity of the requests that a value becomes a part of, where it is the same for all of them.
  ///
  /// It is likely, not certain, where some are not known, and for a name of the program, which may mean a member of a class.
  package func entity(of value: SharedValue) -> (name: String, isLikely: Bool)? {
    let found = uses[value] ?? []
    let names = Set(found.compactMap(\.entity))
    guard names.count == 1, let name = names.first else { return nil }
    return (name, value.type == nil || found.contains { $0.entity == nil || $0.isLikely })
  }
}
