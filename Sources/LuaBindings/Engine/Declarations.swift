internal import LuaRuntime

/// All that scripts find in a Lua state before a store is opened.
struct Declarations: Sendable {
  /// A kind of value, or entries of the catalog that belong to no kind, such as the options of a function.
  enum Subject: Sendable {
    case declared(KindDeclaration)
    case entries(@Sendable () -> [CatalogEntry])

    /// The members of a kind; see `KindDeclaration`.
    static func kind<Peer: Bound>(
      _ type: Peer.Type, maker: String? = nil, example: String? = nil,
      _ members: @escaping @Sendable @autoclosure () -> [Member<Peer>]
    ) -> Subject {
      .declared(KindDeclaration(type, maker: maker, example: example, members))
    }
  }

  /// The global functions.
  var functions: [GlobalFunction]
  /// The rest, in the order of the documentation.
  var subjects: [Subject]
  /// The properties of the objects of all entities.
  var objectProperties: [ObjectProperty]
  /// The methods of the objects of all entities.
  var objectMethods: [ObjectMethod]
  /// Makes the globals that are no functions.
  var install: @Sendable (Engine) throws -> Void

  var kinds: [KindDeclaration] { subjects.compactMap { if case .declared(let kind) = $0 { kind } else { nil } } }

  /// The entries of the catalog.
  var entries: [CatalogEntry] {
    functions.map(\.entry)
      + subjects.flatMap { subject in
        switch subject {
        case .declared(let kind): kind.entries()
        case .entries(let entries): entries()
        }
      }
  }
}

extension Engine {
  /// Makes the globals of a state without a store.
  func installGlobals() throws {
    for function in declarations.functions {
      let refusal = function.declaration.refusal(options)
      let signature = Signature(function.declaration.signature)
      lua.setGlobal(function.name) { [unowned self] stack in
        if let refusal { throw refusal.at(function.name) }
        let call = Call(engine: self, stack: stack, name: function.name)
        try signature.refuseSurplus(of: call)
        return try turns.followingWrites { try call.push(function.body(call)) }
      }
    }
    lua.stack.push(values.null)
    lua.setGlobal("null")
    try declarations.install(self)
  }
}
