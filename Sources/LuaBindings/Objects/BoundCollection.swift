internal import LuaRuntime
internal import Modeling
internal import ObjectGraph

/// A to-many relationship of an object, always in its current state.
final class BoundCollection: Bound {
  static let luaName = "Collection"
  var place: String { "\(object.entity.name).\(object.entity.properties[property].name)" }

  let object: ManagedObject
  let property: Int
  let context: BoundContext
  /// The owner's Lua value, which keeps its slot in use.
  private let owner: LuaReference

  init(_ object: ManagedObject, _ property: Int, _ context: BoundContext, owner: LuaReference) {
    self.object = object
    self.property = property
    self.context = context
    self.owner = owner
  }

  var display: EngineValue? {
    get throws { .collection(try members(), object.entity.destination(at: property)) }
  }

  func members() throws -> [ManagedObject] {
    try context.checkOpen(place)
    context.noteRead(of: object)
    return try object.members(at: property)
  }

  func summary() throws -> String {
    "\(place): \(Quantity.grouped(try count())) × \(object.entity.destination(at: property).name)"
  }

  func count() throws -> Int {
    try context.checkOpen(place)
    context.noteRead(of: object)
    return try object.memberCount(at: property)
  }

  private func member(_ call: Call) throws -> ManagedObject {
    try context.checkOpen(call.place)
    guard let member = call.engine.values.object(at: call.index(1), on: call.stack) else {
      throw call.expected(ErrorReport.article(object.entity.destination(at: property).name), 1)
    }
    return member
  }

  /// The members of an ordered relationship, in order.
  private func arrangement(_ call: Call) throws -> [ManagedObject] {
    guard object.entity.properties[property].relationship?.isOrdered == true else {
      throw call.fail("the relationship is not ordered")
    }
    return try members()
  }

  /// An index from 1 to `last`, as a zero-based index.
  private func place(_ call: Call, _ argument: Int32, upTo last: Int) throws -> Int {
    let place = try call.integer(argument, "a place")
    if last == 0 { throw call.fail("there are no members to move") }
    guard let index = (0..<last).element(numbered: place) else {
      throw call.fail(.expected("a place from 1 to \(last)", found: "\(place)"))
    }
    return index
  }

  private func insert(_ call: Call) throws -> ReturnValue {
    var members = try arrangement(call)
    let member = try member(call)
    if let known = members.firstIndex(of: member) { members.remove(at: known) }
    members.insert(member, at: try place(call, 2, upTo: members.count + 1))
    try object.setMembers(at: property, members)
    return .nothing
  }

  private func move(_ call: Call) throws -> ReturnValue {
    var members = try arrangement(call)
    let from = try place(call, 1, upTo: members.count)
    let to = try place(call, 2, upTo: members.count)
    if from == to { return .nothing }
    members.insert(members.remove(at: from), at: to)
    try object.setMembers(at: property, members)
    return .nothing
  }

  static let members: [Member<BoundCollection>] = [
    .method(
      "add", "collection:add(object)", "Adds an object.", sandbox: .allowed, example: #"(Report({ text = "felt it" }))"#
    ) { call, collection in
      try collection.object.setMember(at: collection.property, try collection.member(call), isMember: true)
      return .nothing
    },
    .method("remove", "collection:remove(object)", "Removes an object.", sandbox: .allowed, example: "(Report:first())")
    { call, collection in
      try collection.object.setMember(at: collection.property, try collection.member(call), isMember: false)
      return .nothing
    },
    .method(
      "insert", "collection:insert(object, position)",
      "Inserts an object at a position of an ordered relationship.", sandbox: .allowed,
      example: "-- of an ordered to-many\nprint(#Quake:first().reports)"
    ) { call, collection in
      try collection.insert(call)
    },
    .method(
      "move", "collection:move(from, to)", "Moves a member of an ordered relationship to another position.",
      sandbox: .allowed, example: "-- of an ordered to-many\nprint(#Quake:first().reports)"
    ) {
      call, collection in
      try collection.move(call)
    },
    .method(
      "each", "collection:each() -> iterator", "Iterates over the members: `for r in q.reports:each() do`.",
      sandbox: .allowed, example: "for report in Quake:first().reports:each() do print(report.text) end"
    ) {
      call, collection in
      // IDs, because the slots of objects without a Lua value may be reused while the loop runs.
      var members = try collection.members().map(\.objectID).makeIterator()
      let context = collection.context
      return .function { stack in
        guard let next = members.next() else { return 0 }
        try context.push(context.objectContext.object(next), on: stack)
        return 1
      }
    },
    .method(
      "contains", "collection:contains(object) -> boolean", "Whether an object is a member.", sandbox: .allowed,
      example: "(Report:first())"
    ) {
      call, collection in
      let member = try collection.member(call)
      return .boolean(try collection.members().contains(member))
    },
    .method(
      "indexOf", "collection:indexOf(object) -> number or nil", "The index of a member.", sandbox: .allowed,
      example: "(Report:first())"
    ) { call, collection in
      let member = try collection.member(call)
      guard let index = try collection.members().firstIndex(of: member) else { return .luaNil }
      return .integer(index + 1)
    },
    .method("list", "collection:list() -> list", "The members as a new table.", sandbox: .allowed, example: "()") {
      call, collection in
      let members = try collection.members()
      return .pushing { try collection.context.push(members, on: $0) }
    },
  ]
}

extension BoundCollection {
  static func luaClass(of engine: Engine) -> LuaClass<BoundCollection> {
    let index: (Call, BoundCollection) throws -> ReturnValue? = { call, collection in
      guard let position = call.stack.integer(at: 2) else { return nil }
      try collection.context.checkOpen(collection.place)
      collection.context.noteRead(of: collection.object)
      guard position > 0,
        let member = try collection.object.member(at: collection.property, position: Int(position) - 1)
      else { return ReturnValue.luaNil }
      return .managedObject(member, collection.context)
    }
    return engine.classes.make(BoundCollection.self, indexing: Indexing(read: index)) { definition in
      definition.length { collection, stack in
        stack.push(try collection.count())
        return 1
      }
      definition.equal { $0.object == $1.object && $0.property == $1.property }
    }
  }
}

extension BoundCollection: ObjectList {
  func objectList() throws -> [ManagedObject] { try members() }
  func objectIDList() throws -> [ObjectID] { try members().map(\.objectID) }
}
