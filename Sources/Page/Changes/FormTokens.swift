internal import HTTP

/// Marks each form that pages show, so that a form of another page means nothing, and one that is sent twice is done once.
final class FormTokens {
  /// What a mark says about a form that was sent.
  enum Verdict: Equatable {
    /// The form was shown here, and is not done yet.
    case new(Int)
    /// It was done; a browser that sends it again goes to where it led.
    case done(PageAddress)
    /// It was not shown by this server, or too long ago.
    case unknown
  }

  private let secret = AccessGuard.newSecret()
  private var lastIssued = 0
  /// Where the forms that were done led, by their numbers.
  private var done: [Int: PageAddress] = [:]
  /// Forms up to this number are no longer known.
  private var forgotten = 0

  /// How many forms that were done are remembered.
  private static let most = 1000

  /// The mark of a form that is shown now.
  func issue() -> String {
    lastIssued += 1
    return "\(secret)-\(lastIssued)"
  }

  func verdict(_ mark: String?) -> Verdict {
    guard let mark, let dash = mark.lastIndex(of: "-"), AccessGuard.areEqual(String(mark[..<dash]), secret),
      let number = Int(mark[mark.index(after: dash)...]), number > forgotten, number <= lastIssued
    else { return .unknown }
    return done[number].map(Verdict.done) ?? .new(number)
  }

  func noteDone(_ number: Int, _ address: PageAddress) {
    done[number] = address
    guard done.count > Self.most, let oldest = done.keys.min() else { return }
    done[oldest] = nil
    forgotten = max(forgotten, oldest)
  }
}
