/// Where a console listens.
public enum ConsoleAddress: Hashable, Sendable {
  /// The file of a socket, which only the user of the program can open: of mode 0600, in a folder of mode 0700.
  case socket(String)
}

/// What the clients of a console may do with its store.
public enum ConsoleAccess: String, Sendable {
  /// The connection to the store cannot write. It is the connection's own property, not a rule for scripts.
  case readOnly
  /// A save waits until the program, or another client that may write, approves it. The connection writes nothing else.
  case propose
  /// Scripts write as the program does.
  case full
}
