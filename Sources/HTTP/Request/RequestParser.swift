/// Reads requests of HTTP/1.1 from bytes as they come, strictly: what proxies and servers have read in two ways is refused.
///
///     var parser = RequestParser(limits: .standard)
///     parser.receive(bytes)
///     switch parser.next() { case .request(let request): ... }
///
/// Refused are bare line feeds, folded headers, blanks before a colon, two lengths or hosts, chunked bodies, addresses with a
/// host in the first line, and control characters.
package struct RequestParser {
  /// What the bytes are so far.
  package enum Outcome: Equatable {
    case incomplete
    case request(HTTPRequest)
    /// A request that is answered by this status, and ends the connection.
    case refused(HTTPStatus)
  }

  private let limits: HTTPLimits
  private var bytes: [UInt8] = []
  /// Where the search for the end of the head goes on.
  private var searched = 0
  /// The request whose body is awaited, and the length of its body.
  private var head: (request: HTTPRequest, length: Int)?

  package init(limits: HTTPLimits) { self.limits = limits }

  /// Whether a request has begun.
  package var isWithinRequest: Bool { head != nil || !bytes.isEmpty }

  package mutating func receive(_ new: some Collection<UInt8>) { bytes += new }

  /// Takes the next request off the bytes.
  package mutating func next() -> Outcome {
    if head == nil {
      guard let end = endOfHead() else { return sizeOfUnfinishedHead() }
      switch Self.head(bytes[..<end], limits) {
      case .failure(let status): return .refused(status)
      case .success(let found): head = found
      }
      bytes.removeFirst(end + 4)
      searched = 0
    }
    guard let (request, length) = head, bytes.count >= length else { return .incomplete }
    var whole = request
    whole.body = Array(bytes[..<length])
    bytes.removeFirst(length)
    head = nil
    return .request(whole)
  }

  /// The index of the empty line behind the headers; nil if it has not come.
  private mutating func endOfHead() -> Int? {
    while searched + 4 <= bytes.count {
      if bytes[searched..<searched + 4].elementsEqual("\r\n\r\n".utf8) { return searched }
      if searched > limits.head { return nil }
      searched += 1
    }
    return nil
  }

  private func sizeOfUnfinishedHead() -> Outcome {
    if bytes.count > limits.line, !bytes[...limits.line].contains(UInt8(ascii: "\r")) { return .refused(.uriTooLong) }
    return bytes.count > limits.head ? .refused(.headersTooLarge) : .incomplete
  }

  // MARK: The head

  private static func head(
    _ bytes: ArraySlice<UInt8>, _ limits: HTTPLimits
  ) -> Result<(request: HTTPRequest, length: Int), HTTPStatus> {
    guard bytes.count <= limits.head else { return .failure(.headersTooLarge) }
    let lines = lines(of: bytes)
    guard let lines, let first = lines.first else { return .failure(.badRequest) }
    guard first.count <= limits.line else { return .failure(.uriTooLong) }
    guard lines.count - 1 <= limits.headers else { return .failure(.headersTooLarge) }
    do {
      var request = try requestLine(first)
      for line in lines.dropFirst() { request.headers.append(try header(line)) }
      return .success((request, try length(of: request, limits)))
    } catch { return .failure(error) }
  }

  /// The lines between pairs of carriage return and line feed; nil where one of the two stands alone.
  private static func lines(of bytes: ArraySlice<UInt8>) -> [ArraySlice<UInt8>]? {
    var lines: [ArraySlice<UInt8>] = []
    var start = bytes.startIndex
    var index = start
    while index < bytes.endIndex {
      switch bytes[index] {
      case UInt8(ascii: "\r"):
        guard index + 1 < bytes.endIndex, bytes[index + 1] == UInt8(ascii: "\n") else { return nil }
        lines.append(bytes[start..<index])
        index += 2
        start = index
      case UInt8(ascii: "\n"): return nil
      default: index += 1
      }
    }
    return lines + [bytes[start...]]
  }

  /// `GET /path?query HTTP/1.1`
  private static func requestLine(_ line: ArraySlice<UInt8>) throws(HTTPStatus) -> HTTPRequest {
    let parts = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
    guard parts.count == 3, !parts[0].isEmpty, parts[0].allSatisfy(isTokenByte),
      parts[1].allSatisfy({ $0 > 0x20 && $0 < 0x7F })
    else { throw .badRequest }
    guard parts[2].elementsEqual("HTTP/1.1".utf8) else {
      throw parts[2].starts(with: "HTTP/".utf8) ? .versionNotSupported : .badRequest
    }
    guard let method = HTTPRequest.Method(rawValue: String(decoding: parts[0], as: UTF8.self)) else {
      throw .notImplemented
    }
    let target = parts[1].split(separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false)
    guard let path = path(target[0]), let query = target.count == 2 ? URLText.fields(target[1]) : [] else {
      throw .badRequest
    }
    return HTTPRequest(method: method, path: path, query: query, headers: [])
  }

  /// The decoded parts of a path that begins with one slash; nil for anything else. No part is empty, `.` or `..`, or has a
  /// control character, a slash or a backslash in it.
  private static func path(_ bytes: ArraySlice<UInt8>) -> [String]? {
    guard bytes.first == UInt8(ascii: "/"), !bytes.contains(UInt8(ascii: "#")) else { return nil }
    let rest = bytes.dropFirst()
    if rest.isEmpty { return [] }
    var parts: [String] = []
    for part in rest.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
      guard let text = URLText.decoded(part, isForm: false), !["", ".", ".."].contains(text),
        !text.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F || $0 == "/" || $0 == "\\" })
      else { return nil }
      parts.append(text)
    }
    return parts
  }

  private static func header(_ line: ArraySlice<UInt8>) throws(HTTPStatus) -> HTTPRequest.Field {
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { throw .badRequest }
    let name = line[..<colon]
    guard !name.isEmpty, name.allSatisfy(isTokenByte) else { throw .badRequest }
    func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
    var value = line[(colon + 1)...].drop(while: isBlank)
    while let last = value.last, isBlank(last) { value.removeLast() }
    guard value.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }),
      let text = String(validating: value, as: UTF8.self)
    else { throw .badRequest }
    return .init(String(decoding: name, as: UTF8.self).lowercased(), text)
  }

  /// The length of the body, which headers agree about.
  private static func length(of request: HTTPRequest, _ limits: HTTPLimits) throws(HTTPStatus) -> Int {
    func values(_ name: String) -> [String] { request.headers.filter { $0.name == name }.map(\.value) }
    guard values("host").count == 1, values("content-type").count <= 1, values("origin").count <= 1 else {
      throw .badRequest
    }
    guard values("transfer-encoding").isEmpty else { throw .notImplemented }
    guard values("expect").isEmpty else { throw .expectationFailed }
    let lengths = values("content-length")
    guard let text = lengths.first else { return 0 }
    guard lengths.count == 1, !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      throw .badRequest
    }
    guard let length = Int(text), length <= limits.body else { throw .contentTooLarge }
    guard length == 0 || request.method == .post else { throw .badRequest }
    return length
  }

  /// Whether a byte can be in a method or the name of a header.
  private static func isTokenByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
  }
}
