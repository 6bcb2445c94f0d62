internal import LuaRuntime
internal import Modeling
internal import ObjectGraph

/// The objects that a fetch found: an array whose rows are read in batches as they are touched.
final class BoundResult: Bound {
  static let luaName = "Result"
  var place: String { "result" }

  let result: FetchResult
  let context: BoundContext

  init(_ result: FetchResult, _ context: BoundContext) {
    self.result = result
    self.context = context
  }

  func summary() -> String { "\(result.count) × \(result.entity.name)" }

  /// Pushes the object at a place counted from 1; nil outside.
  func push(at position: Int, on stack: LuaStack) throws {
    try context.checkOpen(place)
    guard (1...max(1, result.count)).contains(position), result.count > 0 else { return stack.pushNil() }
    try context.objects(of: result.entity).push(try result.slot(at: position - 1), on: stack)
  }

  static let members: [Member<BoundResult>] = [
    .method("each", "result:each() -> iterator", "Goes through the objects: `for q in result:each() do`.") {
      call, result in
      var position = 0
      call.stack.pushFunction { stack in
        position += 1
        guard position <= result.result.count else { return 0 }
        try result.push(at: position, on: stack)
        return 1
      }
      return 1
    },
    .method("slice", "result:slice(first, last) -> list", "The objects from one place to another, both included.") {
      call, result in
      let first = max(1, try call.integer(1))
      let last = min(result.result.count, try call.integer(2))
      call.stack.reserve(4)
      call.stack.pushTable(array: Int32(max(0, last - first + 1)))
      for position in first..<max(first, last + 1) {
        try result.push(at: position, on: call.stack)
        call.stack.rawSet(element: Int64(position - first + 1), at: -2)
      }
      return 1
    },
    .method("indexOf", "result:indexOf(object) -> number or nil", "The place of an object.") { call, result in
      guard let object = call.engine.object(at: call.index(1), on: call.stack) else {
        throw call.expected("an object", 1)
      }
      guard let index = result.result.index(of: object) else {
        call.stack.pushNil()
        return 1
      }
      call.stack.push(index + 1)
      return 1
    },
  ]
}

extension Engine {
  func makeResultClass() -> LuaClass<BoundResult> {
    let index: (Call, BoundResult) throws -> Int32? = { call, result in
      guard let position = call.stack.integer(at: 2) else { return nil }
      try result.push(at: Int(position), on: call.stack)
      return 1
    }
    return makeClass(BoundResult.self, indexing: Indexing(read: index)) { definition in
      definition.length { result, stack in
        stack.push(result.result.count)
        return 1
      }
    }
  }
}
