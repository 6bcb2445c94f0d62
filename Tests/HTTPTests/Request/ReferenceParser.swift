@testable import HTTP

/// Requests read in the plainest way, from whole texts: what RequestParser is held to.
enum ReferenceParser {
  /// The request at the beginning of some bytes; nil for none, or one that is refused.
  static func parse(_ bytes: [UInt8]) -> HTTPRequest? {
    // In ISO 8859-1 each byte is a character, so that nothing is joined or dropped.
    let text = String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    let scalars = Array(text.unicodeScalars)
    guard
      let end = scalars.indices.first(where: {
        $0 + 4 <= scalars.count && scalars[$0..<$0 + 4].elementsEqual("\r\n\r\n".unicodeScalars)
      })
    else { return nil }
    var lines: [[Unicode.Scalar]] = [[]]
    var index = 0
    while index < end {
      if scalars[index] == "\r", index + 1 < end, scalars[index + 1] == "\n" {
        lines.append([])
        index += 2
      } else if scalars[index] == "\r" || scalars[index] == "\n" {
        return nil
      } else {
        lines[lines.count - 1].append(scalars[index])
        index += 1
      }
    }
    guard end <= 16 << 10, lines[0].count <= 8 << 10, lines.count <= 65 else { return nil }
    guard var request = requestLine(lines[0]) else { return nil }
    for line in lines.dropFirst() {
      guard let header = header(line) else { return nil }
      request.headers.append(header)
    }
    return body(Array(bytes[(end + 4)...]), of: request)
  }

  private static func requestLine(_ line: [Unicode.Scalar]) -> HTTPRequest? {
    let parts = line.split(separator: " ", omittingEmptySubsequences: false).map {
      String(String.UnicodeScalarView($0))
    }
    guard parts.count == 3, parts[2] == "HTTP/1.1", let method = HTTPRequest.Method(rawValue: parts[0]) else {
      return nil
    }
    guard parts[1].unicodeScalars.allSatisfy({ $0.value > 32 && $0.value < 127 }),
      !parts[1].contains("#") || parts[1].contains("?")
    else { return nil }
    let target = parts[1].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard target[0].hasPrefix("/"), !target[0].contains("#") else { return nil }
    var path: [String] = []
    for part in target[0].dropFirst().split(separator: "/", omittingEmptySubsequences: false) where target[0] != "/" {
      guard let text = decode(String(part)), !["", ".", ".."].contains(text) else { return nil }
      if text.unicodeScalars.contains(where: { $0.value < 32 || $0.value == 127 || $0 == "/" || $0 == "\\" }) {
        return nil
      }
      path.append(text)
    }
    var query: [HTTPRequest.Field] = []
    for pair in (target.count == 2 ? target[1] : "").split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard let name = decode(parts[0].replacing("+", with: "%20")),
        let value = decode((parts.count == 2 ? parts[1] : "").replacing("+", with: "%20"))
      else { return nil }
      query.append(.init(name, value))
    }
    return HTTPRequest(method: method, path: path, query: query, headers: [])
  }

  private static func decode(_ text: String) -> String? {
    var bytes: [UInt8] = []
    var rest = text[...]
    while let first = rest.popFirst() {
      guard first == "%" else {
        bytes += Array(String(first).utf8)
        continue
      }
      let digits = rest.prefix(2)
      guard digits.count == 2, digits.allSatisfy(\.isHexDigit), digits.allSatisfy(\.isASCII),
        let byte = UInt8(digits, radix: 16)
      else { return nil }
      bytes.append(byte)
      rest = rest.dropFirst(2)
    }
    return String(validating: bytes, as: UTF8.self)
  }

  private static func header(_ line: [Unicode.Scalar]) -> HTTPRequest.Field? {
    guard let colon = line.firstIndex(of: ":"), colon > 0 else { return nil }
    let name = String(String.UnicodeScalarView(line[..<colon]))
    let tokens = "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
    guard name.unicodeScalars.allSatisfy({ tokens.unicodeScalars.contains($0) }) else { return nil }
    var value = Array(line[(colon + 1)...])
    while value.first == " " || value.first == "\t" { value.removeFirst() }
    while value.last == " " || value.last == "\t" { value.removeLast() }
    guard value.allSatisfy({ $0 == "\t" || $0.value >= 32 && $0.value != 127 }),
      let text = String(validating: value.map { UInt8($0.value) }, as: UTF8.self)
    else { return nil }
    return .init(name.lowercased(), text)
  }

  private static func body(_ rest: [UInt8], of request: HTTPRequest) -> HTTPRequest? {
    func values(_ name: String) -> [String] { request.headers.filter { $0.name == name }.map(\.value) }
    guard values("host").count == 1, values("origin").count < 2, values("content-type").count < 2,
      values("transfer-encoding").isEmpty, values("expect").isEmpty, values("content-length").count < 2
    else { return nil }
    guard let text = values("content-length").first else { return request }
    guard !text.isEmpty, text.unicodeScalars.allSatisfy({ ("0"..."9").contains($0) }), let length = Int(text),
      length <= 2 << 20, length <= rest.count, length == 0 || request.method == .post
    else { return nil }
    var request = request
    request.body = Array(rest[..<length])
    return request
  }
}
