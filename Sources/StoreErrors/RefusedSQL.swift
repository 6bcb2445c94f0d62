/// What the sandbox keeps SQL of scripts from.
public enum RefusedSQL: Hashable, Sendable {
  /// A kind of statement: ATTACH, DETACH, VACUUM, or one that is not listed.
  case statement(String)
  case pragma(String, isSet: Bool)
  case function(String)
  /// A kind of virtual table.
  case module(String)
  /// All SQL: the store is a database on a server.
  case server
  /// A table or trigger in which the store keeps books of its own.
  case bookkeeping(String)
}
