/// Reads the fields of a form with files, of the type `multipart/form-data`.
///
/// A file is a field with the content of the file. What is not closed, has no name, or is no UTF-8 and no file makes the whole form
/// invalid.
enum MultipartForm {
  private static let lineEnd = Array("\r\n".utf8)

  /// The fields in their order; nil for a body that is no such form.
  static func fields(_ body: [UInt8], boundary: String) -> [HTTPRequest.Field]? {
    guard (1...70).contains(boundary.utf8.count) else { return nil }
    let mark = Array("--\(boundary)".utf8)
    guard body.starts(with: mark) else { return nil }
    var fields: [HTTPRequest.Field] = []
    var rest = body[mark.count...]
    while rest.starts(with: lineEnd) {
      rest = rest.dropFirst(2)
      guard let end = find(lineEnd + mark, in: rest), let field = field(rest[..<end]) else { return nil }
      fields.append(field)
      rest = rest[(end + 2 + mark.count)...]
    }
    return rest.elementsEqual("--".utf8) || rest.elementsEqual("--\r\n".utf8) ? fields : nil
  }

  /// A part: its headers, an empty line, its content.
  private static func field(_ part: ArraySlice<UInt8>) -> HTTPRequest.Field? {
    guard let end = find(lineEnd + lineEnd, in: part), let head = String(validating: part[..<end], as: UTF8.self),
      let (name, isFile) = name(head)
    else { return nil }
    let content = part[(end + 4)...]
    if let value = String(validating: content, as: UTF8.self) { return .init(name, value) }
    guard isFile else { return nil }
    var field = HTTPRequest.Field(name, "")
    field.data = Array(content)
    return field
  }

  /// The name in `Content-Disposition: form-data; name="text"`, whose quotes browsers write as `%22`, and whether it is a file's.
  private static func name(_ head: String) -> (String, isFile: Bool)? {
    for line in head.split(separator: "\r\n") {
      let parts = line.split(separator: ":", maxSplits: 1)
      guard parts.count == 2, parts[0].lowercased() == "content-disposition" else { continue }
      guard let match = parts[1].firstMatch(of: /^ *form-data(?:; *[a-z]+="[^"]*")*?; *name="([^"]*)"/) else {
        return nil
      }
      return (String(match.1), parts[1].contains(/; *filename="/))
    }
    return nil
  }

  /// Where a mark begins.
  private static func find(_ mark: [UInt8], in bytes: ArraySlice<UInt8>) -> Int? {
    var start = bytes.startIndex
    while let found = bytes[start...].firstIndex(of: mark[0]) {
      if bytes[found...].starts(with: mark) { return found }
      start = found + 1
    }
    return nil
  }
}
