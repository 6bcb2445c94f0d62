/// The paths of files in URIs: `file:///tmp/caf%C3%A9.lua`.
enum DocumentAddress {
  private static let plain = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/".utf8)

  /// The path of a file of this machine; nil for other URIs, such as those of texts that are in no file yet.
  static func path(of uri: String) -> String? {
    guard let scheme = uri.firstRange(of: "://"), uri[..<scheme.lowerBound].lowercased() == "file" else { return nil }
    let rest = uri[scheme.upperBound...]
    guard let slash = rest.firstIndex(of: "/"), ["", "localhost"].contains(rest[..<slash].lowercased()) else {
      return nil
    }
    var bytes: [UInt8] = []
    var left = Array(rest[slash...].utf8)[...]
    while let byte = left.popFirst() {
      if byte == UInt8(ascii: "%"), left.count >= 2,
        let value = UInt8(String(decoding: left.prefix(2), as: UTF8.self), radix: 16)
      {
        bytes.append(value)
        left = left.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    guard !bytes.contains(0) else { return nil }
    return String(validating: bytes, as: UTF8.self)
  }

  /// The URI of a file.
  static func uri(ofFile path: String) -> String {
    let digits = Array("0123456789ABCDEF")
    return "file://"
      + path.utf8.map { byte in
        plain.contains(byte) ? String(UnicodeScalar(byte)) : "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
      }.joined()
  }
}
