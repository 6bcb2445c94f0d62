internal import LuaRuntime
internal import Modeling
internal import ObjectGraph

/// The objects of a fetch: an array whose rows are read in batches on access.
final class BoundResult: BoundList {
  static let luaName = "Result"
  var place: String { "result" }
  var display: EngineValue? { .result(result) }

  let result: FetchResult
  let context: BoundContext
  /// The Lua class of the objects.
  private let objects: ObjectClass

  init(_ result: FetchResult, _ context: BoundContext) {
    self.result = result
    self.context = context
    objects = context.objects(of: result.entity)
  }

  var count: Int { result.count }

  func summary() -> String { "\(Quantity.grouped(result.count)) × \(result.entity.name)" }

  /// Pushes the object at a one-based index; nil outside.
  func push(at position: Int, on stack: LuaStack) throws {
    try context.checkOpen(place)
    guard (1...max(1, result.count)).contains(position), result.count > 0 else { return stack.pushNil() }
    try objects.push(result.slot(at: position - 1), on: stack)
  }

  /// Pushes an iterator over the objects.
  func pushEach(on stack: LuaStack) {
    stack.pushFunction(raw: ResultIteration.next, retaining: ResultIteration(self))
  }

  static let members: [Member<BoundResult>] = [
    .method(
      "each", "result:each() -> iterator", "Iterates over the objects: `for q in result:each() do`.", sandbox: .allowed,
      example: "()"
    ) {
      call, result in
      .pushing(result.pushEach)
    },
    .method(
      "slice", "result:slice(first, last) -> list", "The objects from one index to another, both included.",
      sandbox: .allowed, example: "(1, 3)"
    ) {
      call, result in
      let range = try call.range(upTo: result.result.count)
      call.stack.reserve(4)
      call.stack.pushTable(array: Int32(clamping: range.count))
      for index in range {
        try result.push(at: index + 1, on: call.stack)
        call.stack.rawSet(element: Int64(index - range.lowerBound + 1), at: -2)
      }
      return .pushed(1)
    },
    .method(
      "indexOf", "result:indexOf(object) -> number or nil", "The index of an object.", sandbox: .allowed,
      example: "(Quake:first())"
    ) { call, result in
      guard let object = call.engine.values.object(at: call.index(1), on: call.stack) else {
        throw call.expected("an object", 1)
      }
      guard let index = result.result.index(of: object) else { return .luaNil }
      return .integer(index + 1)
    },
  ]
}

/// The state of a running `for q in result:each()`.
private final class ResultIteration {
  private let result: BoundResult
  private var position = 0

  init(_ result: BoundResult) { self.result = result }

  /// A step of the loop: a raw function, because it runs a million times.
  static let next: LuaRawFunction = { pointer, context in
    guard let context else { return 0 }
    // Without reference counting: the running function retains its iteration.
    return Unmanaged<ResultIteration>.fromOpaque(context)._withUnsafeGuaranteedRef { iteration in
      let stack = LuaStack(pointer)
      guard iteration.position < iteration.result.result.count else { return 0 }
      iteration.position += 1
      do {
        try iteration.result.push(at: iteration.position, on: stack)
        return 1
      } catch {
        return stack.raise(error)
      }
    }
  }
}

extension BoundResult: ObjectList {
  func objectList() throws -> [ManagedObject] { try result.objectList() }
  func objectIDList() -> [ObjectID] { result.objectIDs }
}
