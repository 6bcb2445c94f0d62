internal import LuaRuntime
internal import Modeling
internal import ObjectGraph
internal import Stores

/// The objects of one entity in one context as Lua values: records that contain only a slot.
///
/// An object is always the same Lua value while Lua holds it; its slot stays in use meanwhile. C code maps a property's
/// name to a number, and its value is copied from the row to Lua, if possible without a Swift value.
final class ObjectClass {
  // Both are there while Lua calls the class: the engine runs it, and a caller holds the context. Counted references would
  // cost a tenth of what making an object does.
  unowned(unsafe) let engine: Engine
  let entity: Entity
  let table: ObjectTable
  /// The Lua values of the table's objects, by slot + 1.
  let known: LuaWeakArray
  /// The context, which holds the class.
  unowned(unsafe) let context: BoundContext
  /// The Lua class.
  let records: LuaRecordClass<Int32>
  /// How to read each property, by its index.
  let plan: [PropertyPlan]
  /// A Lua list of the property names, for reading tables of values, and a Lua function that finds a key of a table
  /// outside the list.
  var names: (list: LuaReference, findOther: LuaReference)?
  /// The composite attributes with declared elements, by their index.
  private let composites: [Int: Attribute]
  /// Whether objects of the table can be of another entity, which has to be checked.
  private let isPolymorphic: Bool
  private let dates: LuaRecordClass<Double>
  private lazy var collections = engine.classes[BoundCollection.self]
  /// The store's closed flag; a pointer, because every read of a property tests it.
  private let isClosed: UnsafePointer<Bool>
  /// Whether reads are tracked; the engine's flag.
  private let isTracking: UnsafePointer<Bool>
  /// The handle by which Lua's functions find this class, once it exists.
  let handle: UnsafeMutablePointer<Unmanaged<ObjectClass>?>
  /// The engine's registry of classes, retained because the engine may be deallocated first.
  private let registry: ObjectClassRegistry
  /// The place for the attributes of a new object, while it is not in use.
  private var initialValues: InitialValues?
  /// The functions of computed properties, by their number from `firstComputed` on.
  var computed: [(name: String, function: LuaReference)] = []

  /// The first number of computed properties; properties begin at 0, built-in members have negative numbers.
  static let firstComputed: Int32 = 1 << 20
  /// The first number of fetched properties.
  static let firstFetched: Int32 = 1 << 19

  init(_ entity: Entity, _ table: ObjectTable, _ known: LuaWeakArray, _ context: BoundContext) {
    engine = context.engine
    self.entity = entity
    self.table = table
    self.known = known
    self.context = context
    plan = PropertyPlan.plans(for: entity, in: context.store.objectStore.layout(of: entity))
    composites = Dictionary(
      uniqueKeysWithValues: entity.properties.enumerated().compactMap { index, property in
        guard let attribute = property.attribute, attribute.type == .composite, !attribute.elements.isEmpty else {
          return nil
        }
        return (index, attribute)
      })
    isPolymorphic = entity.root.family.count > 1
    dates = engine.values.dates
    registry = engine.values.objectClasses
    isClosed = context.isClosedFlag
    isTracking = UnsafePointer(context.engine.tracking.flag)
    handle = .allocate(capacity: 1)
    handle.initialize(to: nil)
    records = Self.makeRecords(entity, engine, handle)
    handle.pointee = Unmanaged.passUnretained(self)
    addScriptMembers()
    registry.add(self)
  }

  deinit {
    records.detach()
    registry.remove(records.metatableAddress)
    handle.deallocate()
  }

  // MARK: Objects

  /// Pushes the object of a slot: its existing Lua value, or a new one.
  @inline(__always)
  func push(_ slot: Int32, on stack: LuaStack) throws {
    if isPolymorphic { return try pushOfFamily(slot, on: stack) }
    records.push(slot, knownAs: Int(slot) + 1, in: known, on: stack)
  }

  private func pushOfFamily(_ slot: Int32, on stack: LuaStack) throws {
    if known.push(Int(slot) + 1, on: stack) { return }
    try ownClass(of: slot).records.push(slot, knownAs: Int(slot) + 1, in: known, on: stack)
  }

  /// The class of the slot's own entity, which a fault knows only after its row is read.
  private func ownClass(of slot: Int32) throws -> ObjectClass {
    if table.isFault(slot) { _ = try ManagedObject(table: table, slot: slot).exists() }
    // The Lua value has the members of this entity for good.
    table.settleEntity(slot)
    let own = table.entity(slot)
    return own === entity ? self : context.objects(of: own)
  }

  /// The object at `index`, if it belongs to this class.
  func object(at index: Int32, on stack: LuaStack) -> ManagedObject? {
    records.payload(at: index, on: stack).map { ManagedObject(table: table, slot: $0) }
  }

  // MARK: Properties

  /// Pushes a property's value.
  @inline(__always)
  func push(property id: Int32, of slot: Int32, on stack: LuaStack) throws {
    if isTracking.pointee { noteRead(of: slot) }
    if id >= 0, id < plan.count {
      if case .column(let column, let kind) = plan[Int(id)] {
        try push(try readColumn(slot, column), kind, on: stack)
      } else {
        try pushOther(property: Int(id), of: slot, on: stack)
      }
    } else {
      try pushBuiltIn(id, of: slot, on: stack)
    }
  }

  @inline(never)
  private func noteRead(of slot: Int32) { context.noteRead(of: ManagedObject(table: table, slot: slot)) }

  @inline(__always)
  private func readColumn(_ slot: Int32, _ column: Int) throws -> RawColumn {
    if isClosed.pointee { throw ScriptError(entity.name, .closed("store")) }
    if table.isGone(slot) { throw GraphError(.deletedObject(table.objectID(slot).description)) }
    return try table.column(slot, column)
  }

  /// Pushes a column's value; the common kinds directly from the row.
  @inline(__always)
  private func push(_ raw: RawColumn, _ kind: PropertyPlan.Kind, on stack: LuaStack) throws {
    switch (raw, kind) {
    case (.null, _): stack.pushNil()
    case (.text(let bytes), .text): stack.push(bytes)
    case (.real(let number), .number): stack.push(number)
    case (.integer(let number), .integer): stack.push(number)
    case (.real(let seconds), .date): dates.push(seconds, on: stack)
    default: engine.values.push(raw.decoded(as: kind.type), on: stack)
    }
  }

  private func pushOther(property index: Int, of slot: Int32, on stack: LuaStack) throws {
    if isClosed.pointee { throw ScriptError(entity.name, .closed("store")) }
    let object = ManagedObject(table: table, slot: slot)
    switch plan[index] {
    case .column, .byObject: engine.values.push(try object.attribute(at: index), on: stack)
    case .composite:
      guard let attribute = entity.properties[index].attribute else { return stack.pushNil() }
      engine.values.push(try object.attribute(at: index), of: attribute, on: stack)
    case .toOne:
      guard let related = try object.related(at: index) else { return stack.pushNil() }
      try context.push(related, on: stack)
    case .toMany:
      collections.push(BoundCollection(object, index, context, owner: stack.reference(at: 1)), on: stack)
    }
  }

  private func pushBuiltIn(_ id: Int32, of slot: Int32, on stack: LuaStack) throws {
    if id >= Self.firstComputed {
      stack.push(computed[Int(id - Self.firstComputed)].function)
      stack.pushCopy(of: 1)
      return try stack.call(arguments: 1, results: 1)
    }
    if id >= Self.firstFetched {
      if isClosed.pointee { throw ScriptError(entity.name, .closed("store")) }
      let object = ManagedObject(table: table, slot: slot)
      let result = BoundResult(try object.fetched(at: Int(id - Self.firstFetched)), context)
      return engine.classes.push(result, on: stack)
    }
    let member = engine.declarations.objectProperties[Int(-id - 1)]
    try member.push(ManagedObject(table: table, slot: slot), context, stack)
  }

  /// Sets a property to the value at `index`.
  func set(property id: Int32, of slot: Int32, at index: Int32, on stack: LuaStack) throws {
    if isClosed.pointee { throw ScriptError(entity.name, .closed("store")) }
    if id >= Self.firstComputed {
      throw ScriptError(
        "", .notSettable(computed[Int(id - Self.firstComputed)].name, of: "\(entity.name), which is computed,"))
    }
    if id >= Self.firstFetched {
      throw settingFetched(entity.fetchedProperties[Int(id - Self.firstFetched)].name)
    }
    guard id >= 0 else {
      throw ScriptError("", .notSettable(engine.declarations.objectProperties[Int(-id - 1)].name, of: entity.name))
    }
    try set(property: Int(id), of: ManagedObject(table: table, slot: slot), at: index, on: stack)
  }

  /// The error that a fetched property cannot be set.
  func settingFetched(_ name: String) -> ScriptError {
    ScriptError("", .notSettable(name, of: "\(entity.name), which is fetched,"))
  }

  /// Calls `body` with a place for the attributes of a new object, which gets them after it.
  func collectingValues(of object: ManagedObject, _ body: (InitialValues) throws -> Void) throws {
    // If another object of the entity is made before this one has its values, that object gets a place of its own.
    let values = initialValues ?? InitialValues(entity, in: table)
    initialValues = nil
    defer {
      values.clear()
      initialValues = values
    }
    try body(values)
    try values.give(to: object)
  }

  /// Sets an attribute, a to-one or the members of a to-many to the value at `index`; an attribute of a new object may be
  /// collected in `values` instead.
  func set(
    property id: Int, of object: ManagedObject, at index: Int32, on stack: LuaStack, orIn values: InitialValues? = nil
  ) throws {
    switch plan[id] {
    case .column, .composite, .byObject:
      let value = try attributeValue(id, at: index, on: stack)
      if try values?.add(id, value) != true { try object.setAttribute(at: id, value) }
    case .toOne: try object.setRelated(at: id, to: try destination(id, at: index, on: stack))
    case .toMany: try object.setMembers(at: id, try destinations(id, at: index, on: stack))
    }
  }

  /// The value at `index` for an attribute; throws if no attribute can have it.
  func attributeValue(_ property: Int, at index: Int32, on stack: LuaStack) throws -> Value {
    if let value = stack.plainValue(at: index) { return value }
    if let seconds = dates.payload(at: index, on: stack) { return .date(Timestamp(seconds)) }
    if stack.type(at: index) == .table, let composite = composites[property] {
      return .json(try engine.values.composite(composite, of: entity.name, at: index, on: stack))
    }
    if let value = try engine.values.value(at: index, on: stack, place: place(of: property)) { return value }
    let expected = entity.properties[property].attribute?.type.rawValue ?? entity.destination(at: property).name
    throw ScriptError(place(of: property), .expected(expected, found: stack.typeName(at: index)))
  }

  /// A property's name in messages.
  func place(of property: Int) -> String { "\(entity.name).\(entity.properties[property].name)" }

  /// The object at `index` for a relationship; nil for nil and null.
  func destination(_ property: Int, at index: Int32, on stack: LuaStack) throws -> ManagedObject? {
    if stack.isNoneOrNil(at: index) || engine.values.nulls.object(at: index, on: stack) != nil { return nil }
    guard let object = engine.values.object(at: index, on: stack) else {
      throw ScriptError(
        place(of: property), .expected(entity.destination(at: property).name, found: stack.typeName(at: index)))
    }
    return object
  }

  /// The objects of a list, a collection or a result at `index`, for a to-many.
  func destinations(_ property: Int, at index: Int32, on stack: LuaStack) throws -> [ManagedObject] {
    let place = place(of: property)
    guard let objects = try engine.values.objects(at: index, on: stack, place: place) else {
      let expected = "a list of \(entity.destination(at: property).name) objects"
      throw ScriptError(place, .expected(expected, found: stack.typeName(at: index)))
    }
    return objects
  }
}
