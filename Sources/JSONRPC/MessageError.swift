package import Modeling

/// An error of the protocol: the message was wrong, rather than what it asks for.
package struct MessageError: Error {
  /// The codes of JSON-RPC, of the Model Context Protocol and of the Language Server Protocol.
  package enum Code: Int64 {
    case parse = -32700
    case invalidRequest = -32600
    case unknownMethod = -32601
    case invalidParameters = -32602
    case unsupportedVersion = -32022
    case notInitialized = -32002
    case cancelled = -32800
    case failed = -32803
  }

  package var code: Code
  package var message: String
  /// The request; nil where it could not be read.
  package var id: JSON?
  package var data: JSON?

  package init(_ code: Code, _ message: String, id: JSON? = nil, data: JSON? = nil) {
    (self.code, self.message, self.id, self.data) = (code, message, id, data)
  }

  /// A message of more bytes than the most.
  static func tooLong(_ most: Int) -> MessageError {
    MessageError(.invalidRequest, "a message has more than \(Quantity.bytes(most)), which is the most")
  }

  /// The answer.
  package var json: JSON {
    var error: [String: JSON] = ["code": .int(code.rawValue), "message": .string(message)]
    error["data"] = data
    return .object(["jsonrpc": .string("2.0"), "id": id ?? .null, "error": .object(error)])
  }
}
