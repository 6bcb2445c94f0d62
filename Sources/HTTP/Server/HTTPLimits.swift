/// What a client may take of the server.
package struct HTTPLimits: Sendable {
  /// The bytes of the first line.
  package var line = 8 << 10
  /// The bytes of the first line and all headers.
  package var head = 16 << 10
  package var headers = 64
  /// The bytes of a body.
  package var body = 2 << 20
  package var connections = 256
  /// The seconds from the first byte of a request to its last.
  package var requestTime = 10.0
  /// The seconds that a connection may stay open without a request.
  package var idleTime = 60.0
  /// The seconds that a client may take nothing of a response.
  package var stallTime = 30.0
  /// The bytes of events that wait for a slow reader.
  package var waitingEvents = 1 << 20
  /// The seconds between two signs of life on a stream of events.
  package var beatTime = 15.0

  package init() {}

  package static let standard = HTTPLimits()
}
