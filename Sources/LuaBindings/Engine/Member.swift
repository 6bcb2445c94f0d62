/// A method or property of a kind of value: its declaration and its body.
struct Member<Peer: AnyObject>: Sendable {
  enum Body: Sendable {
    case method(@Sendable (Call, Peer) throws -> ReturnValue)
    case property(
      get: @Sendable (Call, Peer) throws -> ReturnValue,
      set: (@Sendable (Call, Peer) throws -> Void)?)
  }

  var declaration: Declaration
  var body: Body
  /// Whether a script may put a method of its own in its place.
  var isOverridable = false

  var name: String { declaration.name }

  /// A method; the call's arguments are those of the script.
  static func method(
    _ name: String, _ signature: String, _ summary: String, sandbox: SandboxRule, example: String? = nil,
    _ body: @escaping @Sendable (Call, Peer) throws -> ReturnValue
  ) -> Member {
    Member(
      declaration: Declaration(
        name: name, signature: signature, summary: summary, sandbox: sandbox, example: example),
      body: .method(body))
  }

  /// A property; `get` answers its value, and `set` receives the new one as the call's first argument.
  static func property(
    _ name: String, _ signature: String, _ summary: String, sandbox: SandboxRule, example: String? = nil,
    get: @escaping @Sendable (Call, Peer) throws -> ReturnValue, set: (@Sendable (Call, Peer) throws -> Void)? = nil
  ) -> Member {
    Member(
      declaration: Declaration(
        name: name, signature: signature, summary: summary, sandbox: sandbox, example: example),
      body: .property(get: get, set: set))
  }
}

/// A global function: its declaration and its body.
struct GlobalFunction: Sendable {
  let declaration: Declaration
  let body: @Sendable (Call) throws -> ReturnValue

  init(
    _ name: String, _ signature: String, _ summary: String, sandbox: SandboxRule, example: String,
    _ body: @escaping @Sendable (Call) throws -> ReturnValue
  ) {
    declaration = Declaration(
      name: name, signature: signature, summary: summary, sandbox: sandbox, example: example)
    self.body = body
  }

  var name: String { declaration.name }

  var entry: CatalogEntry { CatalogEntry(.function, declaration) }
}
