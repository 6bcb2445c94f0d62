internal import RemoteConsole

/// What is shown of a line once the transcript has its outcome.
///
/// Of a long answer the beginning is shown while the line runs, which the transcript has from its beginning.
final class HeldEvents {
  private let attachment: Attachment
  private var held: [ServerEvent] = []
  private var bytes = 0
  private var isHolding = false

  /// The most bytes that wait.
  private static let most = 1 << 20

  init(_ attachment: Attachment) { self.attachment = attachment }

  /// Holds back what is sent from now on.
  func begin() { isHolding = true }

  /// Ends what `begin` began; what is held back is sent or dropped.
  func end(sending: Bool) {
    isHolding = false
    if !sending { (held, bytes) = ([], 0) }
    release()
  }

  /// Sends text now or later; false once the client is gone.
  func send(_ text: String, isMessage: Bool) -> Bool {
    let event = ServerEvent.text(text, isMessage: isMessage)
    guard isHolding else { return attachment.send(event) }
    held.append(event)
    bytes += text.utf8.count
    if bytes > Self.most { release() }
    return !attachment.isClosed
  }

  /// Sends what is held back.
  func release() {
    for event in held { _ = attachment.send(event) }
    (held, bytes) = ([], 0)
  }
}
