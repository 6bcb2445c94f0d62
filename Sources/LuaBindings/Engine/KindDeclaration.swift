/// The declaration of a kind of value that scripts hold: its members, and how examples come by such a value.
struct KindDeclaration: Sendable {
  let type: ObjectIdentifier
  /// The catalog's entries of the members.
  let entries: @Sendable () -> [CatalogEntry]
  private let allMembers: @Sendable () -> any Sendable

  /// Declares a kind whose members are made when they are first needed. `maker` is an expression with a value of the kind, on which
  /// examples call the members; `example` is that of members that have none of their own.
  init<Peer: Bound>(
    _ type: Peer.Type, maker: String? = nil, example: String? = nil,
    _ members: @escaping @Sendable () -> [Member<Peer>]
  ) {
    self.type = ObjectIdentifier(type)
    allMembers = members
    entries = {
      members().map { member in
        let kind: CatalogEntry.Kind = if case .method = member.body { .method } else { .property }
        return CatalogEntry(kind, of: Peer.luaName, member.declaration, maker: maker, example: example)
      }
    }
  }

  /// The members, which are those of the type that the kind was declared with.
  func members<Peer>(of type: Peer.Type) -> [Member<Peer>] { allMembers() as? [Member<Peer>] ?? [] }
}
