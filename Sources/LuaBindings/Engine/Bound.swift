internal import LuaRuntime

/// A kind of value that scripts hold. Its members are declared beside their subjects, in a `KindDeclaration`.
protocol Bound: AnyObject, SendableMetatype {
  /// The name of the type in the catalog and in messages: `Request`.
  static var luaName: String { get }
  /// The name of this value in messages about its members: `Quake` in `Quake:where`.
  var place: String { get }
  /// The names of fields that this value has in addition to those of its kind.
  var ownNames: [String] { get }
  /// The value in the engine's terms, for programs that display it; nil if there is nothing but its text.
  var display: EngineValue? { get throws }
  /// Returns the text for `tostring`.
  func summary() throws -> String
  /// The Lua class of the kind, with metamethods in addition to members and `tostring`.
  static func luaClass(of engine: Engine) -> LuaClass<Self>
}

extension Bound {
  var ownNames: [String] { [] }
  var display: EngineValue? { nil }

  static func luaClass(of engine: Engine) -> LuaClass<Self> { engine.classes.make(Self.self) }
}

/// A kind of value that scripts read as a list: `list[1]`, `#list`.
protocol BoundList: Bound {
  /// The number of elements.
  var count: Int { get }
  /// Pushes the element at a one-based index; nil outside.
  func push(at position: Int, on stack: LuaStack) throws
}

extension BoundList {
  static func luaClass(of engine: Engine) -> LuaClass<Self> { engine.classes.makeList(Self.self) }
}

extension Member {
  /// A property that the sandbox refuses.
  fileprivate func refused(_ refusal: RefusedInSandbox) -> Member {
    var member = self
    member.body = .property(
      get: { call, _ in throw refusal.at(call.place) }, set: { call, _ in throw refusal.at(call.place) })
    return member
  }
}

/// How a kind of value handles keys that are not members, for example integers.
struct Indexing<Peer: AnyObject> {
  /// Answers the value for the key at 2; returns nil for unknown keys, which raise an error with the nearest name.
  var read: ((Call, Peer) throws -> ReturnValue?)?
  /// Takes the value at 3 for the key at 2; returns false for unknown keys.
  var write: ((Call, Peer) throws -> Bool)?
}

extension ClassRegistry {
  /// Makes the Lua class of a kind of value from its members.
  ///
  /// `extend` adds metamethods in addition to members and `tostring`.
  func make<Peer: Bound>(
    _ type: Peer.Type, keepsIdentity: Bool = false, bytes: Int = 64,
    indexing: Indexing<Peer> = Indexing(), _ extend: (LuaClassDefinition<Peer>) -> Void = { _ in }
  ) -> LuaClass<Peer> {
    do {
      return try LuaClass(engine.lua, name: Peer.luaName, keepsIdentity: keepsIdentity, objectBytes: bytes) {
        definition in
        var properties: [String: Member<Peer>] = [:]
        for member in members(of: Peer.self) where !member.isOverridable {
          let refusal = member.declaration.refusal(engine.options)
          guard case .method(let body) = member.body else {
            properties[member.name] = refusal.map(member.refused) ?? member
            continue
          }
          let signature = Signature(member.declaration.signature)
          definition.method(member.name) { [unowned engine = engine!] peer, stack in
            let call = Call(engine: engine, stack: stack, owner: peer, name: member.name)
            if let refusal { throw refusal.at(call.place) }
            try signature.refuseSurplus(of: call)
            return try engine.turns.followingWrites { try call.push(body(call, peer)) }
          }
        }
        define(indexing, of: definition, properties)
        definition.toString { try $0.summary() }
        extend(definition)
      }
    } catch {
      preconditionFailure("the class \(Peer.luaName) could not be made: \(error)")
    }
  }

  /// Makes the Lua class of a list, with its elements by index and its length.
  func makeList<Peer: BoundList>(
    _ type: Peer.Type, keepsIdentity: Bool = false, _ extend: (LuaClassDefinition<Peer>) -> Void = { _ in }
  ) -> LuaClass<Peer> {
    let element: (Call, Peer) throws -> ReturnValue? = { call, list in
      guard let position = call.stack.integer(at: 2) else { return nil }
      try list.push(at: Int(position), on: call.stack)
      return .pushed(1)
    }
    return make(type, keepsIdentity: keepsIdentity, indexing: Indexing(read: element)) { definition in
      definition.length { list, stack in
        stack.push(list.count)
        return 1
      }
      extend(definition)
    }
  }

  private func define<Peer: Bound>(
    _ indexing: Indexing<Peer>, of definition: LuaClassDefinition<Peer>, _ properties: [String: Member<Peer>]
  ) {
    definition.index { [unowned engine = engine!] peer, stack in
      let key = stack.type(at: 2) == .string ? stack.repairedString(at: 2) : nil
      let call = Call(engine: engine, stack: stack, owner: peer, name: key ?? "", separator: ".")
      if let key, case .property(let get, _)? = properties[key]?.body { return try call.push(get(call, peer)) }
      if let answer = try indexing.read?(call, peer) { return try call.push(answer) }
      throw UnknownMember(call: call).error(for: peer)
    }
    definition.newIndex { [unowned engine = engine!] peer, stack in
      let key = stack.type(at: 2) == .string ? stack.repairedString(at: 2) : nil
      let call = Call(engine: engine, stack: stack, owner: peer, name: key ?? "", separator: ".", skipping: 2)
      if let key, case .property(_, let set)? = properties[key]?.body {
        guard let set else { throw ScriptError("", .notSettable(key, of: peer.place)) }
        try engine.turns.followingWrites { try set(call, peer) }
        return 0
      }
      if try indexing.write?(call, peer) == true { return 0 }
      if let key, engine.classes.members(of: Peer.self).contains(where: { $0.name == key }) {
        throw ScriptError("", .notSettable(key, of: peer.place))
      }
      let read = Call(engine: engine, stack: stack, owner: peer, name: key ?? "", separator: ".")
      if (try? indexing.read?(read, peer)) != nil {
        throw ScriptError("", .notSettable(UnknownMember(call: call).key, of: peer.place))
      }
      throw UnknownMember(call: call).error(for: peer)
    }
  }
}

extension LuaClassDefinition {
  /// Answers `==` for two objects of the class; anything else is unequal.
  func equal(_ areEqual: @escaping (Object, Object) -> Bool) {
    metamethod(.equal) { [self] stack in
      guard let left = object(at: 1, on: stack), let right = object(at: 2, on: stack) else {
        stack.push(false)
        return 1
      }
      stack.push(areEqual(left, right))
      return 1
    }
  }
}
