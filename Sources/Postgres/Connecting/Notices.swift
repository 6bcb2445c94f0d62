/// What a server says besides its answers, as by RAISE NOTICE.
final class Notices {
  private var texts: [String] = []
  private var omitted = 0

  /// No more are kept until they are taken.
  private static let most = 100

  func add(_ text: String) {
    if texts.count < Self.most { texts.append(text) } else { omitted += 1 }
  }

  /// The notices since the last call, and the number of those that had no room.
  func take() -> (texts: [String], omitted: Int) {
    defer { (texts, omitted) = ([], 0) }
    return (texts, omitted)
  }
}

extension PostgresConnection {
  /// Returns the server's messages since the last call, as `NOTICE:  …` and `WARNING:  …`: the first hundred, and the
  /// number of the others.
  public func takeNotices() -> (texts: [String], omitted: Int) { notices.take() }
}
