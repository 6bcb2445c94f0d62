internal import JSONRPC
internal import Modeling

/// The revisions of the Model Context Protocol that are spoken.
enum ProtocolRevision {
  /// The revision in which each request says its revision, and nothing is agreed before.
  static let current = "2026-07-28"
  /// The revisions that begin with `initialize`, the newest first.
  static let withHandshake = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"]
  /// All, the newest first.
  static let all = [current] + withHandshake

  private static let key = "io.modelcontextprotocol/protocolVersion"

  /// The revision that a request says it is in; nil where it says none.
  ///
  /// - Throws: MessageError for one that is not spoken.
  static func stated(in parameters: [String: JSON]) throws(MessageError) -> String? {
    guard case .object(let meta)? = parameters["_meta"], let value = meta[key] else { return nil }
    guard case .string(let version) = value, all.contains(version) else {
      throw MessageError(
        .unsupportedVersion, "unsupported protocol version",
        data: .object(["supported": .array(all.map(JSON.string)), "requested": value]))
    }
    return version
  }

  /// The revision that an `initialize` agrees on: the one that it asks for, or else the newest.
  static func agreed(asked: JSON?) -> String {
    if case .string(let version)? = asked, withHandshake.contains(version) { return version }
    return withHandshake[0]
  }
}
