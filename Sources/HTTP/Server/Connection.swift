internal import Glibc
internal import Modeling

/// A connection of a browser: reads requests, one after the other, and sends what is answered.
final class Connection {
  let descriptor: Int32
  private let limits: HTTPLimits
  private var parser: RequestParser
  private var output: [UInt8] = []
  private var sent = 0
  /// The rest of a response that is made piece by piece.
  private var pieces: (() throws -> [UInt8]?)?
  private var stream: EventStream?
  private var closesAfterOutput = false
  private(set) var isClosed = false
  /// When the connection is closed, unless something happens before.
  private(set) var deadline = 0.0
  private var isPeerDone = false

  init(_ descriptor: Int32, _ limits: HTTPLimits) {
    (self.descriptor, self.limits) = (descriptor, limits)
    parser = RequestParser(limits: limits)
    deadline = monotonicSeconds() + limits.requestTime
  }

  /// Whether there is something to send.
  var hasOutput: Bool { sent < output.count || pieces != nil }

  /// Whether nothing is asked and nothing sent, so that the connection can make room for another.
  var isIdle: Bool { !hasOutput && stream == nil && !parser.isWithinRequest }

  /// Reads what came, and answers whole requests.
  func read(_ answer: (HTTPRequest) -> HTTPResponse) {
    var buffer = [UInt8](repeating: 0, count: 16 << 10)
    // A client that sends without an end does not keep the loop from others.
    for _ in 0..<64 {
      let count = buffer.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
      if count == 0 { return endOfInput() }
      if count < 0 {
        if errno != EAGAIN && errno != EINTR { return close() }
        break
      }
      // What comes on a stream of events, or behind a refused request, means nothing.
      if stream != nil || closesAfterOutput { continue }
      if !parser.isWithinRequest { deadline = monotonicSeconds() + limits.requestTime }
      parser.receive(buffer[..<count])
      proceed(answer)
      if isClosed || hasOutput { break }
    }
  }

  private func endOfInput() {
    if hasOutput, stream == nil {
      // The client has asked all that it wants to, and still reads.
      (isPeerDone, closesAfterOutput) = (true, true)
    } else {
      close()
    }
  }

  /// Whether more input is of use now: a request waits until the one before is answered.
  var wantsInput: Bool { !isPeerDone && (!hasOutput || stream != nil) }

  /// Answers the requests that have come, until one needs time to be sent.
  private func proceed(_ answer: (HTTPRequest) -> HTTPResponse) {
    while !isClosed, !hasOutput, stream == nil, !closesAfterOutput {
      switch parser.next() {
      case .incomplete: return
      case .refused(let status):
        send(HTTPResponse(status, type: "text/plain; charset=utf-8", status.reason + "\n"), closes: true)
      case .request(let request):
        var response = answer(request)
        if request.method == .head, case .events = response.body { response.body = .bytes([]) }
        send(response, closes: request.wantsClose, isHead: request.method == .head)
      }
    }
  }

  private func send(_ response: HTTPResponse, closes: Bool, isHead: Bool = false) {
    var closes = closes
    if case .events = response.body { closes = true }
    closesAfterOutput = closes
    output = response.head(closes: closes)
    sent = 0
    switch response.body {
    case _ where isHead: break
    case .bytes(let bytes): output += bytes
    case .pieces(let next): pieces = next
    case .events(let stream): carry(stream)
    }
    noteProgress()
    flush()
  }

  private func carry(_ stream: EventStream) {
    self.stream = stream
    stream.write = { [unowned self] bytes in
      // A reader that is too slow connects again, and then sees the present state.
      if output.count - sent + bytes.count > limits.waitingEvents { return close() }
      output.removeFirst(sent)
      sent = 0
      output += bytes
      flush()
    }
    stream.end = { [unowned self] in close() }
  }

  /// Sends as much as the client takes, then answers requests that have waited.
  func write(_ answer: (HTTPRequest) -> HTTPResponse) {
    flush()
    proceed(answer)
  }

  private func flush() {
    while !isClosed {
      if sent == output.count, !nextPiece() { break }
      let count = output.withUnsafeBytes { bytes in
        Glibc.send(descriptor, bytes.baseAddress! + sent, bytes.count - sent, Int32(MSG_NOSIGNAL))
      }
      if count < 0 {
        if errno != EAGAIN && errno != EINTR { close() }
        return
      }
      sent += count
      noteProgress()
    }
    guard !isClosed, !hasOutput else { return }
    (output, sent) = ([], 0)
    if closesAfterOutput, stream == nil { close() }
  }

  /// Takes the next piece of a response; false if there is none. One whose making failed ends without its last piece, which the
  /// client sees.
  private func nextPiece() -> Bool {
    guard let next = pieces else { return false }
    do {
      let bytes = try next()
      sent = 0
      if let bytes, !bytes.isEmpty {
        output = Array((String(bytes.count, radix: 16) + "\r\n").utf8) + bytes + Array("\r\n".utf8)
      } else {
        output = Array("0\r\n\r\n".utf8)
        pieces = nil
      }
      return true
    } catch {
      close()
      return false
    }
  }

  private func noteProgress() {
    deadline = monotonicSeconds() + (stream != nil ? limits.beatTime : hasOutput ? limits.stallTime : limits.idleTime)
  }

  /// Ends what has taken too long, and sends a sign of life where a stream is idle.
  func expire(at now: Double) {
    guard now >= deadline, !isClosed else { return }
    if let stream {
      deadline = now + limits.beatTime
      // What was sent before is still not taken.
      if hasOutput { close() } else { stream.beat() }
    } else if parser.isWithinRequest, !hasOutput {
      send(HTTPResponse(.requestTimeout, type: "text/plain; charset=utf-8", "Request Timeout\n"), closes: true)
    } else {
      close()
    }
  }

  func close() {
    guard !isClosed else { return }
    isClosed = true
    pieces = nil
    Glibc.close(descriptor)
    stream?.noteEnd()
    stream = nil
  }
}
