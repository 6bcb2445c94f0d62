internal import CPostgres
public import StoreErrors

extension PostgresConnection {
  /// Returns the notifications that have arrived, of channels that were listened to; it does not wait for any.
  ///
  /// - Throws: `StoreError`, where the connection was lost.
  public func notifications() throws(StoreError) -> [(channel: String, payload: String, pid: Int32)] {
    let handle = try openHandle()
    // Only one read more than the data shows the end of the connection.
    for _ in 0..<Self.mostReads {
      if PQconsumeInput(handle) == 0 || isBroken { throw lost() }
      if !SocketWait.hasInput(PQsocket(handle)) { break }
    }
    var notifications: [(channel: String, payload: String, pid: Int32)] = []
    while let next = PQnotifies(handle) {
      defer { PQfreemem(next) }
      let entry = next.pointee
      notifications.append(
        (
          entry.channel.map { String(cString: $0) } ?? "", entry.payload.map { String(cString: $0) } ?? "",
          entry.process
        ))
    }
    return notifications
  }

  /// Notifications that come faster than they are read are left for the next time.
  private static var mostReads: Int { 64 }
}
