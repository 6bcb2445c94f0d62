/// A request as a browser sent it, read and decoded.
///
///     GET /Quake?where=magnitude+%3E+5 HTTP/1.1      method: .get   path: ["Quake"]   query: [("where", "magnitude > 5")]
package struct HTTPRequest: Equatable {
  /// The methods that the server knows.
  package enum Method: String {
    case get = "GET"
    case head = "HEAD"
    case post = "POST"
  }

  package var method: Method
  /// The decoded parts of the path; none for `/`.
  package var path: [String]
  /// The decoded names and values behind the `?`, in their order.
  package var query: [Field]
  /// The headers, their names in lower case, in their order.
  package var headers: [Field]
  package var body: [UInt8] = []

  /// A name with its value.
  package struct Field: Equatable {
    package var name: String
    package var value: String
    /// The content of a file that is no UTF-8, whose `value` is empty.
    package var data: [UInt8]?

    package init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }
  }

  /// The value of a header by its name in lower case; nil if it is not there.
  package func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }

  /// The value of a field of the query; nil if it is not there.
  package func value(_ name: String) -> String? { query.first { $0.name == name }?.value }

  /// The value of a cookie by its name; nil if it is not there.
  package func cookie(_ name: String) -> String? {
    for header in headers where header.name == "cookie" {
      for pair in header.value.split(separator: ";") {
        let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        if parts.count == 2, parts[0].drop(while: { $0 == " " }) == name { return String(parts[1]) }
      }
    }
    return nil
  }

  /// The fields of a form, a file as the field with its content; nil for a body of another type.
  package var form: [Field]? {
    let parts = header("content-type")?.split(separator: ";", maxSplits: 1) ?? []
    switch parts.first {
    case "application/x-www-form-urlencoded": return URLText.fields(body[...])
    case "multipart/form-data":
      guard let boundary = parts.last?.wholeMatch(of: /\ *boundary="?([^";]+)"?/) else { return nil }
      return MultipartForm.fields(body, boundary: String(boundary.1))
    default: return nil
    }
  }

  /// Whether the connection is to end behind the response.
  var wantsClose: Bool { header("connection")?.lowercased() == "close" }
}
