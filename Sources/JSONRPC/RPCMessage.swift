package import Modeling

/// What a client sends, a message of JSON-RPC.
package enum RPCMessage {
  case request(id: JSON, method: String, parameters: [String: JSON])
  case notification(method: String, parameters: [String: JSON])
  /// A response: this server asks nothing, so that it is left unread.
  case response

  /// Reads what has come.
  ///
  /// - Throws: MessageError, with the request's identifier where it has one.
  package init(_ arrival: MessageReader.Arrival) throws(MessageError) {
    switch arrival {
    case .message(let bytes): try self.init(bytes)
    case .broken(let error): throw error
    }
  }

  /// Reads a message.
  ///
  /// - Throws: MessageError, with the request's identifier where it has one.
  package init(_ bytes: [UInt8]) throws(MessageError) {
    let json: JSON
    do throws(JSONError) { json = try JSON.parse(bytes) } catch {
      throw MessageError(.parse, "the message is no JSON: \(Self.sentence(error))")
    }
    guard case .object(let members) = json else {
      let found = if case .array = json { "a batch, which is sent as single messages" } else { "no object" }
      throw MessageError(.invalidRequest, "expected one message, an object; got \(found)")
    }
    let id = members["id"]
    switch id {
    case nil, .string?, .int?: break
    default: throw MessageError(.invalidRequest, "id: expected a string or an integer")
    }
    guard members["jsonrpc"] == .string("2.0") else {
      throw MessageError(.invalidRequest, "jsonrpc: expected \"2.0\"", id: id)
    }
    guard case .string(let method)? = members["method"] else {
      guard members["method"] == nil, members["result"] != nil || members["error"] != nil else {
        throw MessageError(.invalidRequest, "method: expected a string", id: id)
      }
      self = .response
      return
    }
    var parameters: [String: JSON] = [:]
    switch members["params"] {
    case nil, .null?: break
    case .object(let given)?: parameters = given
    default: throw MessageError(.invalidParameters, "params: expected an object", id: id)
    }
    self =
      id.map { .request(id: $0, method: method, parameters: parameters) }
      ?? .notification(method: method, parameters: parameters)
  }

  private static func sentence(_ error: JSONError) -> String {
    let place = "column \(error.place.column)"
    return switch error.fact {
    case .unexpectedEnd(let expected): "it ends where \(expected) was expected"
    case .unexpected(let found, let expected): "\(place): expected \(expected), found \(found)"
    case .trailingText(let text): "\(place): \(text) behind the message"
    case .tooDeep(let limit): "\(place): nested deeper than \(limit)"
    case .loneSurrogate: "\(place): half of a surrogate pair"
    case .invalidUTF8: "\(place): no UTF-8"
    case .invalidNumber, .numberOutOfRange: "\(place): no number"
    case .unterminatedString, .controlCharacter, .invalidEscape: "\(place): no string"
    }
  }
}
