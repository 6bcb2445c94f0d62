/// What a server says besides its answers, as by RAISE NOTICE.
final class Notices {
  private var texts: [String] = []
  private var omitted = 0

  /// No more are kept until they are taken.
  private static let most = 100

  func add(_ text: String) {
    if texts.count < Self.most { texts.append(text) } else { omitted += 1 }
  }

  /// What has come since the last time, and how many did not find room.
  func take() -> (texts: [String], omitted: Int) {
    defer { (texts, omitted) = ([], 0) }
    return (texts, omitted)
  }
}

extension PostgresConnection {
  /// Returns what the server has said besides its answers since the last time, as `NOTICE:  …` and `WARNING:  …`; the
  /// first hundred, and how many there were besides.
  public func takeNotices() -> (texts: [String], omitted: Int) { notices.take() }
}
