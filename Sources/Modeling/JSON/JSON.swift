/// A JSON value; integers stay integers.
public enum JSON: Hashable, Sendable {
  case null
  case bool(Bool)
  case int(Int64)
  case double(Double)
  case string(String)
  case array([JSON])
  case object([String: JSON])
}

extension JSON {
  /// Reads one JSON value from `text`.
  public static func parse(_ text: String) throws(JSONError) -> JSON {
    try parse(Array(text.utf8))
  }

  /// Reads one JSON value from UTF-8 bytes.
  public static func parse(_ bytes: [UInt8]) throws(JSONError) -> JSON {
    let result = bytes.withUnsafeBytes { buffer in Result { () throws(JSONError) in try parse(buffer) } }
    return try result.get()
  }

  /// Reads one JSON value from UTF-8 bytes.
  ///
  /// Integers that fit 64 bits stay exact, larger ones become doubles. Of equal keys the last one counts.
  /// - Parameter start: the place in the user's file at which the bytes begin, for error messages.
  public static func parse(
    _ bytes: UnsafeRawBufferPointer, from start: TextPlace = TextPlace()
  ) throws(JSONError) -> JSON {
    var parser = JSONParser(bytes, from: start)
    return try parser.parseDocument()
  }
}
