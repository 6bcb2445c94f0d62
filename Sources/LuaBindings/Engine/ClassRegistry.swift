internal import LuaRuntime

/// The Lua classes of the kinds of values, each made from its declaration when it is first needed.
final class ClassRegistry {
  unowned(unsafe) var engine: Engine!
  private var kinds: [ObjectIdentifier: KindDeclaration] = [:]
  private var made: [ObjectIdentifier: AnyObject] = [:]
  /// How a value is read, with the address of its class's metatable. A list: Swift looks through all conformances of the program for
  /// the first dictionary with keys of a type, which would be a twenty-fifth of the instructions of a start.
  private var readers: [(metatable: UnsafeRawPointer, read: (Int32, LuaStack) -> (any Bound)?)] = []

  init(_ kinds: [KindDeclaration]) {
    for kind in kinds { declare(kind) }
  }

  /// Adds a kind, before its first value is pushed.
  func declare(_ kind: KindDeclaration) { kinds[kind.type] = kind }

  /// The declared members of a kind; none for a kind that was not declared.
  func members<Peer: Bound>(of type: Peer.Type) -> [Member<Peer>] {
    kinds[ObjectIdentifier(type)]?.members(of: type) ?? []
  }

  /// The class of a kind. What pushes many values keeps it.
  subscript<Peer: Bound>(type: Peer.Type) -> LuaClass<Peer> {
    if let known = made[ObjectIdentifier(type)] { return unsafeDowncast(known, to: LuaClass<Peer>.self) }
    let new = Peer.luaClass(of: engine)
    made[ObjectIdentifier(type)] = new
    readers.append((new.metatableAddress, { [unowned(unsafe) new] in new.object(at: $0, on: $1) }))
    return new
  }

  /// Pushes a value of a kind.
  func push<Peer: Bound>(_ value: Peer, on stack: LuaStack) { self[Peer.self].push(value, on: stack) }

  /// The value of a kind at `index`; nil for anything else.
  func object<Peer: Bound>(_ type: Peer.Type, at index: Int32, on stack: LuaStack) -> Peer? {
    self[type].object(at: index, on: stack)
  }

  /// The value of a kind at `index`; nil for anything else.
  func value(at index: Int32, on stack: LuaStack) -> (any Bound)? {
    let index = stack.absolute(index)
    guard stack.type(at: index) == .userdata, stack.pushMetatable(of: index) else { return nil }
    let metatable = stack.identity(at: -1)
    stack.pop()
    return readers.first { $0.metatable == metatable }?.read(index, stack)
  }
}
