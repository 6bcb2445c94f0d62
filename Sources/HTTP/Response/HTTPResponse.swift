/// What the server sends for a request.
package struct HTTPResponse {
  /// The content behind the headers.
  package enum Body {
    case bytes([UInt8])
    /// Pieces that are asked for when the one before has been sent; nil ends them.
    case pieces(() throws -> [UInt8]?)
    /// Events that are sent as they happen, until one side closes.
    case events(EventStream)
  }

  package var status: HTTPStatus
  package var headers: [HTTPRequest.Field]
  package var body: Body

  package init(_ status: HTTPStatus = .ok, type: String, _ body: Body) {
    (self.status, self.body) = (status, body)
    headers = [.init("Content-Type", type)]
  }

  package init(_ status: HTTPStatus = .ok, type: String, _ text: String) {
    self.init(status, type: type, .bytes(Array(text.utf8)))
  }

  /// The head as it is sent. A line break in a value would begin a header of its own, so that such a header is left out.
  func head(closes: Bool) -> [UInt8] {
    var text = "HTTP/1.1 \(status.rawValue) \(status.reason)\r\n"
    for header in headers where !header.value.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) {
      text += "\(header.name): \(header.value)\r\n"
    }
    switch body {
    case .bytes(let bytes): text += "Content-Length: \(bytes.count)\r\n"
    case .pieces: text += "Transfer-Encoding: chunked\r\n"
    case .events: break
    }
    text += "Connection: \(closes ? "close" : "keep-alive")\r\n\r\n"
    return Array(text.utf8)
  }
}
