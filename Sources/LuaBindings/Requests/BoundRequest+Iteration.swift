internal import LiveQueries
internal import LuaRuntime
internal import Modeling
internal import ObjectGraph
internal import Queries
internal import Stores

/// The objects of a running `for q in request:each()`.
private final class ObjectIteration {
  private let cursor: Unmanaged<ObjectCursor>
  private let objects: Unmanaged<ObjectClass>
  /// What is retained, with the context, because the class of the objects lives with it.
  private let owned: (ObjectCursor, ObjectClass, BoundContext)

  init(_ cursor: ObjectCursor, _ objects: ObjectClass) {
    self.cursor = .passUnretained(cursor)
    self.objects = .passUnretained(objects)
    owned = (cursor, objects, objects.context)
  }

  /// A step of the loop: a raw function, because it runs a million times.
  static let next: LuaRawFunction = { pointer, context in
    guard let context else { return 0 }
    // Without reference counting: the running function retains its iteration.
    return Unmanaged<ObjectIteration>.fromOpaque(context)._withUnsafeGuaranteedRef { iteration in
      let stack = LuaStack(pointer)
      do {
        guard let slot = try iteration.cursor._withUnsafeGuaranteedRef({ try $0.next() }) else { return 0 }
        try iteration.objects._withUnsafeGuaranteedRef { try $0.push(slot, on: stack) }
        return 1
      } catch {
        return stack.raise(error)
      }
    }
  }
}

extension BoundRequest {
  /// The iterator of a generic `for`: objects, IDs or dictionaries, streamed.
  func each(_ call: Call) throws -> ReturnValue {
    let request = try ready(call)
    switch request.resultType {
    case .objects: return try eachObject(request, call)
    case .dictionaries: return try eachDictionary(request, call)
    case .objectIDs: return try eachID(request, call)
    case .count: throw call.fail("a request with resultType \"count\" has nothing to go through")
    }
  }

  private func eachObject(_ request: Queries.FetchRequest, _ call: Call) throws -> ReturnValue {
    let cursor = try context.objectContext.cursor(request)
    let iteration = ObjectIteration(cursor, context.objects(of: entity))
    call.stack.reserve(6)
    call.stack.pushFunction(raw: ObjectIteration.next, retaining: iteration)
    call.stack.pushNil()
    call.stack.pushNil()
    try call.stack.pushCloser { cursor.close() }
    return .pushed(4)
  }

  private func eachDictionary(_ request: Queries.FetchRequest, _ call: Call) throws -> ReturnValue {
    let engine = call.engine
    let context = context
    if let rows = try context.objectContext.groupsWithUnsavedChanges(of: request) {
      var left = rows.makeIterator()
      let count = try call.stack.pushIterator { stack in
        guard let row = left.next() else { return 0 }
        try context.push(row: row, request.dictionaryColumns, on: stack)
        return 1
      } close: {
      }
      return .pushed(count)
    }
    let cursor = try context.store.objectStore.dictionaries(request)
    let count = try call.stack.pushIterator { stack in
      guard try cursor.step() else { return 0 }
      try Call(engine: engine, stack: stack, name: "each").pushRow(of: cursor, context: context)
      return 1
    } close: {
      cursor.close()
    }
    return .pushed(count)
  }

  private func eachID(_ request: Queries.FetchRequest, _ call: Call) throws -> ReturnValue {
    var ids = try context.objectContext.fetch(request).objectIDs.makeIterator()
    let engine = call.engine
    return .function { stack in
      guard let id = ids.next() else { return 0 }
      engine.values.push(id: id, on: stack)
      return 1
    }
  }
}
