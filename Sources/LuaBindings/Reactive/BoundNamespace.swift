internal import LuaRuntime
internal import Modeling
internal import ObjectGraph
internal import Reactive

/// Names that identify the same thing in several places, one of which is its source: `Namespace()`.
final class BoundNamespace: Bound {
  static let luaName = "Namespace"
  var place: String { "namespace" }

  let space: Namespace<LuaReference>

  init(_ engine: Engine) {
    space = Namespace { [unowned engine] in engine.values.areSame($0, $1) }
    space.onWarning = { [unowned engine, id = space.id] warning in
      engine.warn(
        ErrorReport.sentence(
          twoSourcesOf: "\(warning.name)", inNamespace: id, engine.lua.text(of: warning.first),
          engine.lua.text(of: warning.second)))
    }
  }

  func summary() -> String { "Namespace \(space.id)" }

  static let functions: [GlobalFunction] = [
    GlobalFunction(
      "Namespace", "Namespace() -> namespace",
      "A separate set of names, for things shown in several places.", sandbox: .allowed, example: "Namespace()"
    ) { call in
      .object(BoundNamespace(call.engine))
    }
  ]

  static let members: [Member<BoundNamespace>] = [
    .property("id", "namespace.id -> number", "Its unique number, constant for its lifetime.", sandbox: .allowed) {
      call, space in
      .integer(space.space.id)
    },
    .method(
      "tag", "namespace:tag(name, thing [, { source = false }]) -> token",
      "Names a thing with any value until the token is cancelled: the name's source, or a reader with `source = false`.",
      sandbox: .allowed, example: #"local n = Namespace() n:tag("hero", Quake:first())"#
    ) { call, space in
      let name = try space.name(call)
      if call.isMissing(2) { throw call.expected("a thing", 2) }
      let isSource = try call.options(3, ["source"]).bool("source") ?? true
      return .object(BoundObservationToken(space.space.tag(name, call.reference(2), isSource: isSource)))
    },
    .method(
      "untag", "namespace:untag(name [, thing])", "Removes a name from a thing, or from all things with it.",
      sandbox: .allowed, example: #"("hero")"#
    ) {
      call, space in
      space.space.untag(try space.name(call), call.isMissing(2) ? nil : call.reference(2))
      return .nothing
    },
    .method(
      "resolve", "namespace:resolve(name) -> thing or nil", "The source of a name; effects follow it.",
      sandbox: .allowed, example: #"("hero")"#
    ) {
      call, space in
      guard let thing = space.space.resolve(try space.name(call)) else { return .luaNil }
      return .reference(thing)
    },
    .method(
      "readers", "namespace:readers(name) -> list", "The things with a name that are not its source.",
      sandbox: .allowed, example: #"("hero")"#
    ) {
      call, space in
      let things = space.space.readers(of: try space.name(call))
      return .list(things.map { .reference($0) })
    },
  ]

  private func name(_ call: Call) throws -> AnyHashable {
    if call.isMissing(1) { throw call.expected("a name: any value but nil", 1) }
    return try ScriptName(at: call.index(1), call)
  }
}

/// A Lua value as a name: equal to values that Lua considers equal; dates and decimals by value.
private struct ScriptName: Hashable, CustomStringConvertible {
  private enum Key: Hashable {
    case value(Value)
    case object(ManagedObject)
    /// A table, a function or another value that equals only itself.
    case identity(UnsafeRawPointer)
  }

  private let key: Key
  let description: String
  /// Retains the value behind an identity or an object.
  private let value: LuaReference

  init(at index: Int32, _ call: Call) throws {
    let stack = call.stack
    value = stack.reference(at: index)
    description = try stack.toDisplayString(at: index)
    if let object = call.engine.values.object(at: index, on: stack) {
      key = .object(object)
    } else if stack.type(at: index) == .table || stack.type(at: index) == .function {
      key = stack.identity(at: index).map(Key.identity) ?? .value(.null)
    } else if let plain = try call.engine.values.value(at: index, on: stack, place: call.place), !plain.isNull {
      // 1 and 1.0 are the same key of a Lua table.
      if case .double(let number) = plain, let whole = Int64(exactly: number) {
        key = .value(.int(whole))
      } else {
        key = .value(plain)
      }
    } else if let identity = stack.identity(at: index) {
      key = .identity(identity)
    } else {
      throw call.expected("a name: any value but nil", 1)
    }
  }

  static func == (left: ScriptName, right: ScriptName) -> Bool { left.key == right.key }

  func hash(into hasher: inout Hasher) { hasher.combine(key) }
}

extension BoundNamespace {
  static func luaClass(of engine: Engine) -> LuaClass<BoundNamespace> {
    engine.classes.make(BoundNamespace.self, keepsIdentity: true)
  }
}
