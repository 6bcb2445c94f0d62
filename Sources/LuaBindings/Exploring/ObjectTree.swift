internal import LuaRuntime
internal import Modeling
internal import ObjectGraph

/// An object with its related objects, and theirs, to a maximum depth; each object is expanded once.
///
///     Quake us7000
///       mainshock: Quake us6000
///         aftershocks: 2
///           Quake us7000 (above)
///           Quake us7001
struct ObjectTree {
  /// A line of the tree: an object, a relationship, or both for a to-one relationship.
  struct Line {
    var level: Int
    var relationship: String?
    /// The number of members of a to-many relationship.
    var count: Int?
    var object: ManagedObject?
    /// Whether the object was expanded further up.
    var isAbove = false
    /// The number of members that are left out here.
    var more: Int?
  }

  private(set) var lines: [Line] = []
  /// Whether the tree was cut at the maximum number of lines.
  private(set) var isCut = false
  private var entered: Set<ManagedObject> = []
  private let depth: Int
  private let check: () throws -> Void

  private static let mostMembers = 5
  private static let mostLines = 1_000

  /// Reads the tree of `object`; `check` throws to stop.
  init(of object: ManagedObject, depth: Int, check: @escaping () throws -> Void) throws {
    self.depth = depth
    self.check = check
    guard try object.exists() else { throw GraphError(.deletedObject(object.objectID.description)) }
    lines.append(Line(level: 0, object: object))
    try enter(object, depth: 0, level: 1)
  }

  private mutating func enter(_ object: ManagedObject, depth: Int, level: Int) throws {
    guard depth < self.depth else { return }
    entered.insert(object)
    for (index, property) in object.entity.properties.enumerated() {
      guard let relationship = property.relationship else { continue }
      try check()
      if relationship.isToMany {
        let members = try object.members(at: index)
        if members.isEmpty { continue }
        guard add(Line(level: level, relationship: property.name, count: members.count)) else { return }
        for member in members.prefix(Self.mostMembers) { try add(member, depth, Line(level: level + 1)) }
        let more = members.count - Self.mostMembers
        if more > 0 { guard add(Line(level: level + 1, more: more)) else { return } }
      } else if let target = try object.related(at: index) {
        try add(target, depth, Line(level: level, relationship: property.name))
      }
    }
  }

  /// Adds the line of an object below one at `depth`, and expands it.
  private mutating func add(_ object: ManagedObject, _ depth: Int, _ line: Line) throws {
    var line = line
    line.object = object
    line.isAbove = entered.contains(object)
    guard add(line), !line.isAbove, try object.exists() else { return }
    try enter(object, depth: depth + 1, level: line.level + 1)
  }

  private mutating func add(_ line: Line) -> Bool {
    guard lines.count < Self.mostLines else {
      isCut = true
      return false
    }
    lines.append(line)
    return true
  }

  // MARK: Text

  /// The tree as indented lines; `fit` shortens a title to one line.
  func text(fit: (String) -> String, isASCII: Bool) -> String {
    let dots = isASCII ? "..." : "…"
    var texts = lines.map { line in
      var text = String(repeating: "  ", count: line.level)
      if let relationship = line.relationship { text += relationship + ": " }
      if let count = line.count { text += Quantity.grouped(count) }
      if let object = line.object { text += fit(ObjectText.name(of: object)) }
      if line.isAbove { text += " (above)" }
      if let more = line.more { text += "\(dots) \(Quantity.grouped(more)) more" }
      return text
    }
    if isCut { texts.append("\(dots) more than \(Quantity.grouped(Self.mostLines)) lines; ask for less depth") }
    return texts.joined(separator: "\n")
  }
}

// `object:tree { depth = 2 }`
extension ObjectTree {
  static let methods: [ObjectMethod] = [
    ObjectMethod(
      "tree", "object:tree([{ depth = 2 }]) -> rows",
      "The object and its related objects as an indented tree; depth, from 1 to 6, limits the levels.",
      sandbox: .allowed, example: "({ depth = 1 })"
    ) { call, object, context in
      let depth = try call.options(1, ["depth"]).integer("depth") ?? 2
      guard (1...6).contains(depth) else { throw call.fail("depth is a number from 1 to 6; found \(depth)") }
      context.noteRead(of: object)
      let engine = call.engine
      let tree = try ObjectTree(of: object, depth: depth) { try engine.lua.checkInterrupt() }
      return try tree.answer(context, call)
    }
  ]

  private static let widestTitle = 60

  private func answer(_ context: BoundContext, _ call: Call) throws -> ReturnValue {
    let stack = call.stack
    stack.reserve(12)
    stack.pushTable(array: Int32(clamping: lines.count))
    for (number, line) in lines.enumerated() {
      stack.pushTable(hash: 6)
      stack.push(line.level)
      stack.rawSet(field: "level", at: -2)
      if let relationship = line.relationship {
        stack.push(relationship)
        stack.rawSet(field: "relationship", at: -2)
      }
      if let count = line.count {
        stack.push(count)
        stack.rawSet(field: "count", at: -2)
      }
      if let object = line.object {
        try context.push(.object(object.objectID), on: stack)
        stack.rawSet(field: "object", at: -2)
      }
      if line.isAbove {
        stack.push(true)
        stack.rawSet(field: "isAbove", at: -2)
      }
      if let more = line.more {
        stack.push(more)
        stack.rawSet(field: "more", at: -2)
      }
      stack.rawSet(element: Int64(number + 1), at: -2)
    }
    let fit = call.engine.host.fitsText
    let title = { (text: String) in
      fit?(text, Self.widestTitle).text ?? String(text.prefix(Self.widestTitle)).replacing("\n", with: " ")
    }
    let text = text(fit: title, isASCII: call.engine.options.usesASCII)
    call.keepOrder(of: ["level", "relationship", "count", "object", "isAbove", "more"])
    guard stack.pushMetatable(of: -1) else { return .pushed(1) }
    stack.pushFunction { stack in
      stack.push(text)
      return 1
    }
    stack.rawSet(field: "__tostring", at: -2)
    stack.pop()
    return .pushed(1)
  }
}
